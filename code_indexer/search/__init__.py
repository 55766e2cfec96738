"""A query becomes ranked chunks."""
