"""Versions of what parsing makes; raise one when the output for the same text changes.

They stand by themselves: a search compares them and must not load a grammar for it.
"""

CHUNKER_VERSION = 2
EXTRACTOR_VERSION = 14
