"""Files changed, so the index changes."""
