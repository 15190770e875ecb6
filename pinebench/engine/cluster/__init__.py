"""Feeds, engines and servers as separate processes that share a log in a message broker."""
