"""Which files."""
