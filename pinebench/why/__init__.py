"""Explains the values and orders of a run, and why something never happened in it."""
