"""Recognizes the format of the times in a file: unix times, dates as numbers, ISO 8601, or other dates."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime
from functools import partial
from itertools import chain, pairwise
from typing import NamedTuple

from pinebench.errors import UsageError
from pinebench.market.sample import LAST_DAY

DAY = 86_400_000
EARLIEST = 631_152_000_000
"""The beginning of 1990 in milliseconds UTC. No exchange has bars shorter than a day from before."""
_NUMBER = re.compile(r"\d+(?:\.\d*)?", re.ASCII)
_DIGITS = {8: "%Y%m%d", 12: "%Y%m%d%H%M", 14: "%Y%m%d%H%M%S"}
_WRITTEN = {8: "YYYYMMDD", 12: "YYYYMMDDhhmm", 14: "YYYYMMDDhhmmss"}
_OTHERS = {10: ("%y%m%d%H%M", "%d%m%Y%H", "%m%d%Y%H"), 12: ("%y%m%d%H%M%S", "%d%m%Y%H%M", "%m%d%Y%H%M")}
"""Forms of dates, by the number of digits, that could be taken for unix times. They are refused."""
_ENOUGH = 3
"""If this many numbers are all valid dates, it is not by chance."""
_UNIX = (
    ("seconds", 1000.0, 100_000_000_000),
    ("milliseconds", 1.0, 100_000_000_000),
    ("microseconds", 1e-3, EARLIEST),
    ("nanoseconds", 1e-6, EARLIEST),
)
"""The units of unix times: the name, the number of milliseconds, and the first time (milliseconds UTC) for which the
unit is accepted. Seconds are accepted from March 1973 on: smaller numbers are dates or counts, and daily bars of stocks
may begin soon after."""
_ORDERS = ("DMY", "MDY", "YMD")
_LONGEST_BREAK = 7
"""The largest number of days between two days with bars. In a wrong order of day and month, they are weeks apart."""
_Fields = tuple[str, str, str]
_ADVICE = "write times as ISO 8601, such as 2024-01-31T14:30, or as unix seconds or milliseconds"


def latest() -> int:
    """Return the latest time that a file may have, in milliseconds UTC: two days from now, or two days after the start
    of the last sample day if that is later."""
    return (max(round(time.time()), LAST_DAY) + 2 * 86_400) * 1000


class TimeForm(NamedTuple):
    """The format of the times of a file.

    `read` converts a time to milliseconds UTC and raises ValueError for another format. If the times have no time zone
    (`is_zoned` is False), `read` treats them as if they were UTC.
    """

    name: str
    read: Callable[[str], int]
    is_zoned: bool


class AmbiguousDates(UsageError):
    """An error for dates such as 03/04/2024, in which the day or the month may come first."""


def time_form(text: str, where: str = "", others: Iterable[str] = ()) -> TimeForm:
    """Find the format of times from the first time, `text`.

    `others` are further times from the same source. They decide where the first time is ambiguous: whether it is a date
    or a unix time, and whether the day or the month comes first. Raises UsageError, which names `where`,
    for a number that is neither a date nor a unix time in any unit, or whose time is more than about a month in the
    future. Raises AmbiguousDates if the order of day and month stays unclear.
    """
    if not _NUMBER.fullmatch(text):
        return _of_text(text, where, others)
    stamps = [each.removesuffix(".0") for each in (text, *others)]
    length = len(stamps[0])
    form = _DIGITS.get(length)
    if form is not None and _dated(stamps, form):
        return TimeForm(_WRITTEN[length], partial(_date, form=form, length=length), False)
    if len(stamps) >= _ENOUGH and any(_dated(stamps, form) for form in _OTHERS.get(length, ())):
        raise UsageError(f"{where}: {text} looks like a date, not like a Unix time", _ADVICE)
    for name, factor, first in _UNIX:
        if first <= float(text) * factor <= latest() + 31 * DAY:
            return TimeForm(name, partial(_unix, factor=factor), True)
    raise UsageError(f"{where}: {text} is not a time of a bar{_guess(float(text))}", _ADVICE)


def is_unix(text: str) -> bool:
    """Return whether `text` is a unix time, in any unit."""
    try:
        return time_form(text.strip()).name in [name for name, _, _ in _UNIX]
    except (UsageError, ValueError):
        return False


def looks_like_time(text: str) -> bool:
    """Return whether a cell may be a time: a number from 8 digits on (a unix time, or a date such as 20240131), or a
    date in a supported format."""
    if _NUMBER.fullmatch(text):
        return len(text.partition(".")[0]) >= 8
    return _ISO.fullmatch(text) is not None or _parts(text) is not None


def _of_text(text: str, where: str, others: Iterable[str]) -> TimeForm:
    found = _ISO.fullmatch(text)
    if found is not None:
        mark = found[2]
        name = f"YYYY{mark}MM{mark}DD" if mark in ("/", ".") else "ISO 8601"
        return TimeForm(name, partial(_iso, zoned=found[6] is not None), found[6] is not None)
    parts = _parts(text)
    if parts is None:
        return TimeForm("ISO 8601", partial(_iso, zoned=False), False)
    order, is_zoned = parts["order"], bool(parts["zone"])
    name = {"year": "Y{0}M{0}D", "name": "dates with the names of months"}.get(order, "")
    if not name:
        order = _order(text, where, others)
        year = "Y" * len(parts["last_year"] if order != "YMD" else parts["first"])
        name = "{0}".join({"Y": year, "M": "MM", "D": "DD"}[mark] for mark in order)
    return TimeForm(name.format(parts["mark"]), partial(_written, order=order, zoned=is_zoned), is_zoned)


def _order(text: str, where: str, others: Iterable[str]) -> str:
    """Return DMY, MDY or YMD: the only order in which all dates are valid. If several are, return the only one
    without a gap of weeks between the days of the bars. Raises AmbiguousDates otherwise."""
    counts: Counter[_Fields] = Counter()
    for each in chain((text,), others):
        parts = _parts(each)
        if parts is not None and parts["order"] == "":
            counts[parts["first"], parts["second"], parts["last_year"]] += 1
    days = {order: _days(counts, order) for order in _ORDERS}
    possible = [order for order, found in days.items() if found]
    if len(possible) > 1 and len(counts) > 1 and counts.total() >= 2 * len(counts):
        holes = {order: max(after - before for before, after in pairwise(days[order])) for order in possible}
        near = [order for order in possible if holes[order] <= _LONGEST_BREAK]
        possible = near if len(near) == 1 else possible
    if len(possible) == 1:
        return possible[0]
    why = "could be the day and month, or the month and day" if possible else "but other dates have another order"
    raise AmbiguousDates(f"{where}: '{text}' {why}", _ADVICE)


def _days(dates: Iterable[_Fields], order: str) -> list[int]:
    """Return the day numbers of dates in this order, sorted; empty if one is not a date."""
    try:
        return sorted(date(*map(int, _of_order(fields, order))).toordinal() for fields in dates)
    except ValueError:
        return []


def _of_order(fields: _Fields, order: str) -> tuple[str, str, str]:
    """Return year, month and day from the three fields of a date.

    Raises ValueError for a year of one digit, a year of two digits in the future, and a year of four digits in the
    wrong field.
    """
    year, month, day = (fields[order.index(mark)] for mark in "YMD")
    if len(year) == 1 or (len(year) == 4) != (len(fields[2]) == 4):
        raise ValueError(fields)
    if len(year) == 2:
        year = f"{19 if year >= '70' else 20}{year}"
        if int(year) > datetime.fromtimestamp(latest() / 1000, UTC).year:
            raise ValueError(fields)
    return year, month, day


def _guess(number: float) -> str:
    """Return a remark about a number that is not a time; "" if there is none."""
    if 20_000 <= number < 80_000:
        return " (it looks like a spreadsheet's day number)"
    return ""


def _dated(stamps: Sequence[str], form: str) -> bool:
    """Return whether all stamps are dates of this form with years from 1900 to 2200."""
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


_ZONE = r"Z|z|(?:UTC|GMT|utc|gmt)(?:[+-]\d\d:?\d\d)?|[+-]\d\d(?::?\d\d)?"
_ISO = re.compile(
    r"(\d{4})([-./]?)(\d\d)\2(\d\d)"
    rf"(?:(?:[Tt]| {{1,2}})(\d\d:?\d\d(?::?\d\d(?:[.,]\d+)?)?) ?({_ZONE})?)?",
    re.ASCII,
)


def _iso(text: str, zoned: bool) -> int:
    """Parse ISO 8601, also with dots or slashes between year, month and day, as MetaTrader writes it.

    `zoned` says whether times must have a time zone. Raises ValueError if this one differs, and for other formats.
    """
    found = _ISO.fullmatch(text)
    if found is None or (found[6] is not None) != zoned:
        raise ValueError(text)
    year, _, month, day, clock, zone = found.groups()
    moment = datetime.fromisoformat(f"{year}-{month}-{day}T{clock or '00:00'}{_offset(zone)}")
    return round(moment.timestamp() * 1000)


def _offset(zone: str | None) -> str:
    """Return a time zone in the form of ISO 8601; Z for None."""
    return (zone or "Z").upper().removeprefix("UTC").removeprefix("GMT") or "Z"


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_LONG_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september", "sept"),
    *("october", "november", "december"),
)
_WRITTEN_DATE = re.compile(
    r"(?:(?P<year>\d{4})(?P<mark>[-./])(?P<month>\d\d?)(?P=mark)(?P<day>\d\d?)"
    r"|(?P<first>\d\d?)(?P<other_mark>[-./])(?P<second>\d\d?)(?P=other_mark)(?P<last_year>\d{4}|\d\d)"
    r"|(?P<named>[A-Za-z]{3,9})\.?[ -](?P<named_day>\d\d?),?[ -](?P<named_year>\d{4})"
    r"|(?P<day_before>\d\d?)[ -](?P<name_after>[A-Za-z]{3,9})\.?,?[ -](?P<year_after>\d{4}))"
    r"(?:(?:[Tt]|,? {1,2})(?P<hour>\d\d?)(?::(?P<minute>\d\d)(?::(?P<second_of>\d\d)(?:[.,](?P<rest>\d+))?)?)?"
    rf"(?:[ -]?(?P<half>[AaPp])\.?[Mm]\.?)? ?(?P<zone>{_ZONE})?)?",
    re.ASCII,
)


def _parts(text: str) -> dict[str, str] | None:
    """Split a date that is not ISO 8601 into its parts; None if it is not a date.

    `order` is `year` if the year comes first with four digits, `name` if the month is a word, and "" otherwise.
    """
    found = _WRITTEN_DATE.fullmatch(text)
    if found is None or (found["hour"] and not found["minute"] and not found["half"]):
        return None
    parts = {name: text or "" for name, text in found.groupdict().items()}
    name = (found["named"] or found["name_after"] or "").lower()
    if name and name not in (*_MONTHS, *_LONG_MONTHS):
        return None
    parts["order"] = "name" if name else "year" if found["year"] else ""
    parts["mark"] = found["mark"] or found["other_mark"] or ""
    return parts


def _written(text: str, order: str, zoned: bool) -> int:
    """Parse a date that is not ISO 8601, with its parts in this order. Raises ValueError for another format."""
    parts = _parts(text)
    kind = "" if order in _ORDERS else order
    if parts is None or parts["order"] != kind or bool(parts["zone"]) != zoned:
        raise ValueError(text)
    year, month, day = _date_of(parts, order)
    hour = int(parts["hour"] or 0)
    if parts["half"]:
        if not 1 <= hour <= 12:
            raise ValueError(text)
        hour = hour % 12 + (12 if parts["half"] in "Pp" else 0)
    clock = f"{hour:02d}:{parts['minute'] or '00'}:{parts['second_of'] or '00'}.{parts['rest'][:6]:0<6}"
    moment = datetime.fromisoformat(f"{year}-{month:02d}-{day:02d}T{clock}{_offset(parts['zone'])}")
    return round(moment.timestamp() * 1000)


def _date_of(parts: dict[str, str], order: str) -> tuple[str, int, int]:
    if order == "name":
        name = (parts["named"] or parts["name_after"])[:3].lower()
        day = parts["named_day"] or parts["day_before"]
        return parts["named_year"] or parts["year_after"], _MONTHS.index(name) + 1, int(day)
    if parts["year"]:
        return parts["year"], int(parts["month"]), int(parts["day"])
    year, month, day = _of_order((parts["first"], parts["second"], parts["last_year"]), order)
    return year, int(month), int(day)
