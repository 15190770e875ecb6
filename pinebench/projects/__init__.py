"""Projects: scripts with their own libraries, which are bundled into one script for TradingView."""
