"""The profiler: what the lines and functions of a script cost here, and what is slow at TradingView."""
