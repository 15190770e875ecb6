"""Runs scripts on bars, with a broker for strategies, and checks whether scripts repaint."""
