"""Runs several strategies in one account."""
