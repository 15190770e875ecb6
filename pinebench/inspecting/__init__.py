"""Looks inside runs: the values of every name and call on every bar, when they changed, and who wrote a drawing."""
