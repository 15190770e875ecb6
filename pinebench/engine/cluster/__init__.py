"""Feeds, engines and servers as separate processes, which share a log that a message broker keeps."""
