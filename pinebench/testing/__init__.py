"""Runs the tests of scripts, and compares runs with what is expected of them."""
