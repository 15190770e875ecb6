"""Projects: scripts with libraries of their own, and the one script that TradingView gets of them."""
