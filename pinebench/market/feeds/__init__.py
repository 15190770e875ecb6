"""Bars and other series from the public services of Binance, Yahoo Finance and alternative.me, with a cache on disk."""

PREFIXES = ("binance:", "yahoo:", "feargreed:")
"""The beginnings of names of bars that come from a feed."""
