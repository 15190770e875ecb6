"""Checks whether scripts repaint, says why, and describes runs."""
