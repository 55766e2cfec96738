"""Text to structure."""
