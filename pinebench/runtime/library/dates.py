"""Dates as text: the patterns of Java's SimpleDateFormat, which `str.format_time` accepts, in US English."""

from __future__ import annotations

import datetime
from functools import lru_cache
from itertools import groupby

from pinebench.calendars.zones import within
from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.library.clock import local
from pinebench.runtime.library.numerals import unquoted
from pinebench.runtime.library.sizes import together

DEFAULT = "yyyy-MM-dd'T'HH:mm:ssZ"

_LETTERS = frozenset("GyYMLwWDdFEuaHkKhmsSzZX")
_MONTHS = "January February March April May June July August September October November December".split()
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_ZONES = {
    ("EST", -300): "Eastern Standard Time",
    ("EDT", -240): "Eastern Daylight Time",
    ("CST", -360): "Central Standard Time",
    ("CDT", -300): "Central Daylight Time",
    ("MST", -420): "Mountain Standard Time",
    ("MDT", -360): "Mountain Daylight Time",
    ("PST", -480): "Pacific Standard Time",
    ("PDT", -420): "Pacific Daylight Time",
    ("GMT", 0): "Greenwich Mean Time",
    ("UTC", 0): "Coordinated Universal Time",
    ("BST", 60): "British Summer Time",
    ("CET", 60): "Central European Standard Time",
    ("CEST", 120): "Central European Summer Time",
    ("EET", 120): "Eastern European Standard Time",
    ("EEST", 180): "Eastern European Summer Time",
    ("MSK", 180): "Moscow Standard Time",
    ("IST", 330): "India Standard Time",
    ("CST", 480): "China Standard Time",
    ("HKT", 480): "Hong Kong Standard Time",
    ("JST", 540): "Japan Standard Time",
    ("AEST", 600): "Australian Eastern Standard Time",
    ("AEDT", 660): "Australian Eastern Daylight Time",
}


def date_text(time: float, timezone: str, pattern: str) -> str:
    """Format `time` (milliseconds UTC) in a time zone. Raises the errors of `text_of`."""
    near, cycles = within(time)
    return text_of(local(near, timezone), pattern, 400 * cycles)


def text_of(moment: datetime.datetime, pattern: str, years: int = 0) -> str:
    """Format `moment`, shifted by `years` years, with a SimpleDateFormat pattern. Raises RuntimeFault for unknown
    letters."""
    pieces = (part if isinstance(part, str) else _field(moment, *part, years) for part in parts(pattern))
    return together("", pieces)


@lru_cache(64)
def parts(pattern: str) -> tuple[str | tuple[str, int], ...]:
    """Return the parts of a pattern: literal text, or a letter with the number of its repetitions. Raises RuntimeFault
    for an unknown letter."""
    found: list[str | tuple[str, int]] = []
    for (letter, literal), run in groupby(unquoted(pattern)):
        count = len(list(run))
        if literal or not (letter.isascii() and letter.isalpha()):
            found.append(letter * count)
        elif letter in _LETTERS:
            found.append((letter, count))
        else:
            raise RuntimeFault("time-format", format=pattern)
    return tuple(found)


def _field(moment: datetime.datetime, letter: str, count: int, years: int) -> str:
    if letter in "yY":
        year = (moment.year if letter == "y" else _week(moment)[1]) + years
        year = year if year > 0 else 1 - year
        return f"{year % 100:02d}" if count == 2 else f"{year:0{count}d}"
    if letter in "ML" and count >= 3:
        name = _MONTHS[moment.month - 1]
        return name if count > 3 else name[:3]
    if letter == "E":
        name = _DAYS[moment.weekday()]
        return name if count > 3 else name[:3]
    if letter in "zZX":
        return _zone_field(moment, letter, count)
    if letter == "a":
        return "AM" if moment.hour < 12 else "PM"
    if letter == "G":
        return "AD" if moment.year + years > 0 else "BC"
    return f"{_number(moment, letter):0{count}d}"


def _number(moment: datetime.datetime, letter: str) -> int:
    sunday = (moment.weekday() + 1) % 7  # days since Sunday
    return {
        "M": moment.month,
        "L": moment.month,
        "w": _week(moment)[0],
        "W": (moment.day - 1 + (sunday - moment.day + 1) % 7) // 7 + 1,
        "D": moment.timetuple().tm_yday,
        "d": moment.day,
        "F": (moment.day - 1) // 7 + 1,
        "u": moment.isoweekday(),
        "H": moment.hour,
        "k": moment.hour or 24,
        "K": moment.hour % 12,
        "h": moment.hour % 12 or 12,
        "m": moment.minute,
        "s": moment.second,
        "S": moment.microsecond // 1000,
    }[letter]


def _week(moment: datetime.datetime) -> tuple[int, int]:
    """The US week and its year: weeks begin on Sunday, and the week with 1 January is the first of its year."""
    sunday = (moment.weekday() + 1) % 7
    if moment.month == 12 and moment.day + 6 - sunday > 31:
        return 1, moment.year + 1
    first = (datetime.date(moment.year, 1, 1).weekday() + 1) % 7
    return (moment.timetuple().tm_yday - 1 + first) // 7 + 1, moment.year


def _zone_field(moment: datetime.datetime, letter: str, count: int) -> str:
    offset = moment.utcoffset() or datetime.timedelta()
    minutes = int(offset.total_seconds()) // 60
    sign = "-" if minutes < 0 else "+"
    hours, rest = divmod(abs(minutes), 60)
    if letter == "Z":
        return f"{sign}{hours:02d}{rest:02d}"
    if letter == "X":
        if not minutes:
            return "Z"
        return f"{sign}{hours:02d}" + ("" if count == 1 else f"{':' if count > 2 else ''}{rest:02d}")
    name = moment.tzname() or ""
    if name[:1] in "+-" or name.startswith(("UTC+", "UTC-")):
        return f"GMT{sign}{hours:02d}:{rest:02d}"
    return _ZONES.get((name, minutes), name) if count > 3 else name
