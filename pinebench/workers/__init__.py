"""Runs scripts in worker processes, with limits on time and memory."""
