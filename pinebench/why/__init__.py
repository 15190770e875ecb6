"""Explains values and orders of a run, and what never happened in it."""
