"""The studio: a local page that keeps the contract of TradingView's chart page, behind a server on the loopback."""
