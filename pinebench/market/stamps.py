"""Recognizes the format of the times in a file: unix times, dates written as numbers, or ISO 8601."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
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
_OTHERS = {
    10: ("%y%m%d%H%M", "%d%m%Y%H", "%m%d%Y%H"),
    12: ("%y%m%d%H%M%S", "%d%m%Y%H%M", "%m%d%Y%H%M"),
}
"""Forms of dates, by the number of digits, that could be taken for unix times. They are refused."""
_ENOUGH = 3
"""The number of times that are not all dates by chance."""
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


def time_kind(text: str, where: str = "", others: Iterable[str] = ()) -> tuple[str, Callable[[str], int]]:
    """The format of times whose first one is `text`, and the function that converts such a time to milliseconds UTC.

    `others` are more of these times. They decide if the first one alone could be a date or a unix time. Raises
    UsageError with `where` if it is a number that is not a time before about the end of tomorrow in any unit.
    """
    if not _NUMBER.fullmatch(text):
        return "ISO 8601", partial(_iso, zoned=_has_zone(text))
    stamps = [each.removesuffix(".0") for each in (text, *others)]
    length = len(stamps[0])
    form = _DIGITS.get(length)
    if form is not None and _dated(stamps, form):
        return _WRITTEN[length], partial(_date, form=form, length=length)
    if len(stamps) >= _ENOUGH and any(_dated(stamps, form) for form in _OTHERS.get(length, ())):
        raise UsageError(f"{where}: {text} looks like a date, not like a unix time", _ADVICE)
    for name, factor, first in _UNIX:
        if first <= float(text) * factor <= latest() + 31 * DAY:
            return name, partial(_unix, factor=factor)
    raise UsageError(f"{where}: {text} is not a time of a market{_guess(float(text))}", _ADVICE)


def _guess(number: float) -> str:
    """A remark about a number that is not a time; empty if there is none."""
    if 20_000 <= number < 80_000:
        return " (it looks like a spreadsheet's day number)"
    return ""


def _dated(stamps: Sequence[str], form: str) -> bool:
    """Whether all stamps are dates of this form with years from 1900 to 2200."""
    try:
        return all(each.isdigit() and 1900 <= datetime.strptime(each, form).year <= 2200 for each in stamps)
    except ValueError:
        return False


def _date(text: str, form: str, length: int) -> int:
    digits = text.removesuffix(".0")
    if len(digits) != length or not digits.isdigit():
        raise ValueError(text)
    return round(datetime.strptime(digits, form).replace(tzinfo=UTC).timestamp() * 1000)


def _unix(text: str, factor: float) -> int:
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    if factor >= 1:
        return round(float(text) * factor) if factor > 1 else int(float(text))
    return int(text.partition(".")[0]) // round(1 / factor)


_ISO = re.compile(
    r"(\d{4})([-./]?)(\d\d)\2(\d\d)"
    r"(?:[Tt ](\d\d:?\d\d(?::?\d\d(?:[.,]\d+)?)?) ?(Z|z|[+-]\d\d(?::?\d\d)?)?)?",
    re.ASCII,
)


def _has_zone(text: str) -> bool:
    found = _ISO.fullmatch(text)
    return found is not None and found[6] is not None


def _iso(text: str, zoned: bool) -> int:
    """Read ISO 8601, also with dots or slashes between year, month and day, as in files of MetaTrader.

    `zoned` says whether times have a time zone. Raises ValueError for one that does not agree, and for other forms.
    """
    found = _ISO.fullmatch(text)
    if found is None or (found[6] is not None) != zoned:
        raise ValueError(text)
    year, _, month, day, clock, zone = found.groups()
    moment = datetime.fromisoformat(f"{year}-{month}-{day}T{clock or '00:00'}{(zone or 'Z').upper()}")
    return round(moment.timestamp() * 1000)
