"""Drives TradingView's page over the Chrome DevTools Protocol: finds the page, acts on it, and reads back the
result."""
