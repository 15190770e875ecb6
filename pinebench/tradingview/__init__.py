"""TradingView's page, driven over the Chrome DevTools Protocol: find it, talk to it, read back what it did."""
