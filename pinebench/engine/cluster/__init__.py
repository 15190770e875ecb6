"""Feeds, engines and servers as separate processes, which share a log of a broker."""
