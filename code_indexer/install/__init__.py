"""Telling coding agents about the MCP server, in their own configuration files."""
