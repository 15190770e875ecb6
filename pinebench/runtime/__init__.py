"""Runs a checked `Program` on bars: the typed form, the generated Python code, and the built-ins that it calls."""
