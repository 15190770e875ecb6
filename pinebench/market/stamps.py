"""Recognizes the format of the times in a file: unix times, dates written as numbers, or ISO 8601."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

from pinebench.errors import UsageError
from pinebench.market.sample import LAST_DAY

DAY = 86_400_000
EARLIEST = 631_152_000_000
"""The beginning of 1990 in milliseconds UTC. No exchange has bars shorter than a day from before."""
_NUMBER = re.compile(r"\d+(?:\.\d*)?", re.ASCII)
_DIGITS = {8: "%Y%m%d", 12: "%Y%m%d%H%M", 14: "%Y%m%d%H%M%S"}
_WRITTEN = {8: "YYYYMMDD", 12: "YYYYMMDDhhmm", 14: "YYYYMMDDhhmmss"}
_UNIX = (
    ("seconds", 1000.0, 100_000_000_000),
    ("milliseconds", 1.0, 100_000_000_000),
    ("microseconds", 1e-3, EARLIEST),
    ("nanoseconds", 1e-6, EARLIEST),
)
"""The units of unix times: the name, the number of milliseconds, and the first moment for which the unit is accepted.
Seconds are accepted from March 1973 on: smaller numbers are dates or counts, and daily bars of stocks may begin soon
after."""
_ADVICE = "write times as ISO 8601, such as 2024-01-31T14:30, or as unix seconds or milliseconds"


def latest() -> int:
    """The end of tomorrow in milliseconds UTC, or the end of the sample market if that is later."""
    return (max(round(time.time()), LAST_DAY) + 2 * 86_400) * 1000


def time_kind(text: str, where: str = "") -> tuple[str, Callable[[str], int]]:
    """The format of times whose first one is `text`, and the function that converts such a time to milliseconds UTC.

    Raises UsageError with `where` if it is a number that is not a time before about the end of tomorrow in any unit.
    """
    if not _NUMBER.fullmatch(text):
        return "ISO 8601", _iso
    form = _DIGITS.get(len(text)) if text.isdigit() else None
    if form is not None and _dated(text, form):
        return _WRITTEN[len(text)], partial(_date, form=form, length=len(text))
    for name, factor, first in _UNIX:
        if first <= float(text) * factor <= latest() + 31 * DAY:
            return name, partial(_unix, factor=factor)
    raise UsageError(f"{where}: {text} is not a time of a market{_guess(float(text))}", _ADVICE)


def _guess(number: float) -> str:
    """A remark about a number that is not a time; empty if there is none."""
    if 20_000 <= number < 80_000:
        return " (it looks like a spreadsheet's day number)"
    return ""


def _dated(text: str, form: str) -> bool:
    try:
        return 1900 <= datetime.strptime(text, form).year <= 2200
    except ValueError:
        return False


def _date(text: str, form: str, length: int) -> int:
    if len(text) != length or not text.isdigit():
        raise ValueError(text)
    return round(datetime.strptime(text, form).replace(tzinfo=UTC).timestamp() * 1000)


def _unix(text: str, factor: float) -> int:
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    if factor >= 1:
        return round(float(text) * factor) if factor > 1 else int(float(text))
    return int(text.partition(".")[0]) // round(1 / factor)


_DOTS = re.compile(r"(\d{4})[./](\d\d)[./](\d\d)", re.ASCII)


def _iso(text: str) -> int:
    """Read ISO 8601, also with dots or slashes between year, month and day, as in files of MetaTrader."""
    moment = datetime.fromisoformat(_DOTS.sub(r"\1-\2-\3", text, count=1))
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1000)
