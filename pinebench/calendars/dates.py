"""Converts the dates of options and of scripts to milliseconds UTC, and formats times."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from pinebench.calendars.zones import milliseconds, zone
from pinebench.errors import UsageError
from pinebench.patterns import lazy_pattern

NA = float("nan")
_MONTHS = {name: number for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
_ZONES = {
    f"{zone}{kind}T": f"-{hours}" for kind, first in (("S", 5), ("D", 4)) for hours, zone in enumerate("ECMP", first)
}
"""The offsets of the zone names of RFC 2822, such as `EST` and `EDT`."""
_CLOCK = (
    r"(?:(?P<between>\s+|T)(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.(?P<fraction>\d+))?)?)?"
    r"\s*(?P<zone>Z|(?:UTC|GMT)?\s?[+-]\d{1,2}:?(?:\d\d)?|UTC?|GMT|[ECMP][SD]T)?"
)
_ISO = lazy_pattern(r"(?P<year>\d{4})(?:[-/](?P<month>\d{1,2})(?:[-/](?P<day>\d{1,2}))?)?" + _CLOCK, re.ASCII)
_WRITTEN = lazy_pattern(
    r"(?:[A-Za-z]{3,9},?\s+)??"
    r"(?:(?P<day>\d{1,2})(?:\s+|-))?(?P<month>[A-Za-z]{3,9})\.?(?:\s+|-)(?:(?P<day2>\d{1,2}),?\s+)?"
    r"(?P<year>\d{4}|\d\d)" + _CLOCK,
    re.ASCII,
)
_EQUAL = lazy_pattern(r"(?P<day>\d\d)-(?P<month>(?P=day))-(?P<year>\d{4})" + _CLOCK, re.ASCII)
"""A date in numbers whose day and month are equal. Published scripts have `01-01-2023`, but it was not recorded which
number comes first."""
_ZULU = lazy_pattern(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z")
_NO_DAY = lazy_pattern(r"\d{4}-(?!(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d))\d\d-\d\d")
"""A date in ISO form whose month or day does not exist."""


class UnreadableDate(UsageError):
    """A text that pinebench cannot read as the date of a script's `timestamp()`. `is_refused` is true if TradingView's
    compiler is known to refuse the text too; false means that this is unknown."""

    def __init__(self, text: str, hint: str, *, is_refused: bool = False) -> None:
        super().__init__(f'"{text[:60]}" is not a date', hint)
        self.is_refused = is_refused


def timestamp(text: str) -> float:
    """Convert a date in a script, such as `20 Feb 2020` or `2020-02-20T09:30:00+00:00`, to milliseconds UTC. A date
    without a zone is in UTC. The result is na for a date in words that has a zone but no time (recorded). Raises
    UnreadableDate.

    A two-digit year is between 1950 and 2049, as in RFC 2822, which TradingView's reference cites.
    """
    words = text.strip()
    if _ZULU.fullmatch(words):
        raise UnreadableDate(text, "Write the zone as an offset: `+00:00` instead of `Z`.", is_refused=True)
    is_refused = _NO_DAY.match(words) is not None or not any(map(str.isdigit, words))
    found = _ISO.fullmatch(words) or _WRITTEN.fullmatch(words) or _EQUAL.fullmatch(words)
    if found is None or is_refused or (len(found["year"]) == 2 and not found["day"]):
        raise UnreadableDate(text, _FORMS, is_refused=is_refused)
    zone_text = found["zone"] or ""
    if found["between"] == "T" and zone_text[:1].isalpha():
        raise UnreadableDate(
            text, "After a time that follows `T`, write the zone as an offset: `+00:00`.", is_refused=True
        )
    if zone_text and not found["hour"] and "day2" in found.groupdict() and found["day"]:
        return NA
    try:
        return milliseconds(_moment(found.groupdict()))
    except (KeyError, ValueError, UsageError):
        raise UnreadableDate(text, _FORMS) from None


_FORMS = "Dates look like `20 Feb 2020 09:30 +0100` or `2020-02-20T09:30:00+01:00`."


def _moment(parts: dict[str, str | None]) -> datetime:
    month, zone_text = parts["month"], (parts["zone"] or "").replace(" ", "")
    ends_day = parts["hour"] == "24" and not any(int(parts[name] or 0) for name in ("minute", "second", "fraction"))
    found = datetime(
        _year(parts["year"] or ""),
        _MONTHS[month[:3].lower()] if month and not month.isdigit() else int(month or 1),
        int(parts["day"] or parts.get("day2") or 1),
        0 if ends_day else int(parts["hour"] or 0),
        int(parts["minute"] or 0),
        int(parts["second"] or 0),
        int((parts["fraction"] or "0").ljust(3, "0")[:3]) * 1000,
        zone(_ZONES.get(zone_text, zone_text.replace("Z", "").removesuffix("UT"))),
    )
    return found + timedelta(days=ends_day)


def _year(digits: str) -> int:
    year = int(digits)
    if len(digits) > 2:
        return year
    return year + (2000 if year < 50 else 1900)


def moment(name: str, text: str | None) -> int | None:
    """Convert an ISO 8601 date to milliseconds UTC; None stays None. A date without a zone is in UTC. `name` is the
    option or argument that messages mention. Raises UsageError if `text` is not such a date."""
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        raise UsageError(
            f"{name} {text[:40]} is not a date", "expected, for example, 2024-01-31 or 2024-01-31T14:30"
        ) from None
    return round((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp() * 1000)


def bar_of(name: str, text: str, times: Sequence[int]) -> int:
    """Return the index of the bar that `text` identifies by a number (-1 is the last) or by a date.

    `times` are the opening times of the bars (milliseconds UTC). A date identifies the last bar that opens at or before
    it. `name` is the option or argument that messages mention. Raises UsageError if there is no such bar.
    """
    if not times:
        raise UsageError(f"{name} {text}: there is no such bar", "the chart has no bars")
    try:
        number = int(text)
    except ValueError:
        time = moment(name, text)
        assert time is not None
        index = bisect_right(times, time) - 1
        if index < 0:
            raise UsageError(
                f"{name} {text} is before the first bar", f"the first bar is at {minute_text(times[0])} UTC"
            ) from None
        longest = max((later - before for before, later in pairwise(times)), default=0)
        if longest and time >= times[-1] + longest:
            raise UsageError(
                f"{name} {text} is after the last bar", f"the last bar is at {minute_text(times[-1])} UTC"
            ) from None
        return index
    index = number if number >= 0 else len(times) + number
    if not 0 <= index < len(times):
        raise UsageError(f"{name} {text}: there is no such bar", f"the bars are numbered from 0 to {len(times) - 1}")
    return index


def day_text(time: float) -> str:
    """Format the day of a time (milliseconds UTC), as in `2024-01-31`."""
    return datetime.fromtimestamp(time / 1000, UTC).date().isoformat()


def minute_text(time: float) -> str:
    """Format a time (milliseconds UTC) to the minute, as in `2024-01-31 14:30`."""
    return datetime.fromtimestamp(time / 1000, UTC).strftime("%Y-%m-%d %H:%M")


def iso_text(time: float) -> str:
    """Format a time (milliseconds UTC) in ISO 8601, as in `2024-01-31T14:30:00Z`."""
    return datetime.fromtimestamp(time / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
