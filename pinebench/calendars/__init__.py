"""Time zones, trading sessions, and the bars of timeframes."""
