"""Checks whether scripts repaint, finds the causes, and describes runs."""
