"""The studio: a local page with the same contract as TradingView's chart page, and its server on the loopback."""
