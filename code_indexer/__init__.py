"""Local code search that is never stale."""

__version__ = "0.1.0"
