"""The profiler: the time that each line and function of a script takes here, and what is slow at TradingView."""
