"""Runs script tests, and compares runs with their expectations."""
