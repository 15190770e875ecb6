"""Reads the timeframes of feeds in their usual form (`15m`, `4h`, `1d`, `1wk`) or in Pine's form (`15`, `240`)."""

from __future__ import annotations

import re

from pinebench.calendars.timeframes import Timeframe, timeframe
from pinebench.errors import UsageError

_STEP = re.compile(r"(\d{1,3})(m|h|d|wk|w|mo|M)", re.ASCII)
_UNITS = {"m": (1, ""), "h": (60, ""), "d": (1, "D"), "wk": (1, "W"), "w": (1, "W"), "mo": (1, "M"), "M": (1, "M")}
_ENDINGS = {"": "m", "D": "d", "W": "wk", "M": "mo"}
MONTH_MS = 31 * 86_400_000
"""An upper limit for the length of a month in milliseconds."""


def read_step(text: str) -> Timeframe:
    """Parse the timeframe `text`. A lower-case `m` means minutes; `mo` or an upper-case `M` means months. Raises
    UsageError if `text` is not a timeframe."""
    found = _STEP.fullmatch(text)
    if found is None or not int(found[1]):
        try:
            return timeframe(text)
        except UsageError:
            hint = "expected a timeframe such as 15m, 4h, 1d, 1wk or 1mo"
            raise UsageError(f"'{text}' is not a timeframe", hint) from None
    factor, unit = _UNITS[found[2]]
    return Timeframe(int(found[1]) * factor, unit)


def step_name(step: Timeframe) -> str:
    """Return the timeframe in the usual form of feeds: `15m`, `4h`, `1d`, `1wk`, `1mo`."""
    if step.unit == "" and step.multiplier % 60 == 0:
        return f"{step.multiplier // 60}h"
    return f"{step.multiplier}{_ENDINGS.get(step.unit, step.unit)}"


def longest_ms(step: Timeframe) -> int:
    """Return the longest time that a bar of this timeframe can last, in milliseconds."""
    return step.multiplier * MONTH_MS if step.unit == "M" else step.seconds * 1000
