"""Writes a script and repairs it until it compiles. Contains the loop, the authors, and the templates."""
