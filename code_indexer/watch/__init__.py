"""Keeping indexes fresh while files change."""
