"""The operations, one function each, shared by every face."""
