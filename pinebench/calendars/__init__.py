"""Clocks of the world, sessions of markets, and the bars that timeframes cut time into."""
