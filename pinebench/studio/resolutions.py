"""Chart resolutions in TradingView's notation."""

from __future__ import annotations

import re

from pinebench.calendars.timeframes import Timeframe


def parse_resolution(text: str) -> Timeframe | None:
    """Return the timeframe for a resolution such as `5`, `60`, `4H`, `D`, `1D`, `W` or `3M`; None if charts do not have
    it."""
    match = re.fullmatch(r"([0-9]{0,4})([HDWM]?)", text.strip().upper())
    if match is None or not text.strip():
        return None
    count, unit = int(match[1] or 1), match[2]
    if unit == "H":
        count, unit = count * 60, ""
    most = {"": 1440, "D": 365, "W": 52, "M": 12}[unit]
    return Timeframe(count, unit) if 1 <= count <= most else None
