"""The profiler: the time that each line and function of a script takes here, and parts that are slow on TradingView."""
