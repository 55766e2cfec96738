"""Hits in, hits out; pure."""
