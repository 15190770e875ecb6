"""Bars and series from the public services of Binance, Yahoo Finance and alternative.me, with a cache on disk."""
