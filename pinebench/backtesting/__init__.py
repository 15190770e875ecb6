"""Runs strategies on bars with a broker, and reports their trades and figures."""
