"""Writes a script, compiles it and repairs it until it compiles: the loop, its authors, and the templates."""
