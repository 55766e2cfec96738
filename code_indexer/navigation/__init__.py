"""A name becomes a place."""
