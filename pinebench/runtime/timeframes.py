"""Timeframes as Pine writes them: how long they are, and where their periods begin and end."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass

from pinebench.errors import UsageError

_TEXT = re.compile(r"(\d*)([STDWM]?)")
_UNITS = {"T": 0, "S": 1, "": 60, "D": 86_400, "W": 604_800, "M": 2_628_003}


@dataclass(frozen=True)
class Timeframe:
    """`multiplier` of a unit: T ticks, S seconds, nothing for minutes, D, W or M."""

    multiplier: int
    unit: str

    @classmethod
    def read(cls, text: str) -> Timeframe:
        """Read `15`, `D`, `1D`, `30S`, `3M`. Raises UsageError for anything else."""
        found = _TEXT.fullmatch(text)
        if found is None or not text or (found[1] and not int(found[1])):
            raise UsageError(
                f'"{text}" is no timeframe', 'Timeframes look like "15", "240", "1D", "1W", "1M" or "30S".'
            )
        return cls(int(found[1] or 1), found[2])

    @property
    def text(self) -> str:
        """As `timeframe.period` gives it."""
        return f"{self.multiplier}{self.unit}"

    @property
    def seconds(self) -> int:
        """Its length; a month counts as a twelfth of a year."""
        return self.multiplier * _UNITS[self.unit]

    @property
    def is_intraday(self) -> bool:
        return self.unit in ("", "S", "T")

    def start(self, time: int, zone: datetime.tzinfo) -> int:
        """When the period that holds `time` begins, both in milliseconds UTC.

        Intraday periods count from the midnight of the exchange, weeks begin on Monday; several days count from the
        first of the year, weeks and months likewise.
        """
        local = datetime.datetime.fromtimestamp(time / 1000, zone)
        midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
        if self.unit in ("", "S"):
            day = _milliseconds(midnight)
            length = self.seconds * 1000
            return day + (time - day) // length * length
        if self.unit == "D":
            days = (midnight.date() - datetime.date(midnight.year, 1, 1)).days
            return _milliseconds(midnight - datetime.timedelta(days=days % self.multiplier))
        if self.unit == "W":
            monday = midnight - datetime.timedelta(days=midnight.weekday())
            weeks = (monday.date() - datetime.date(1970, 1, 5)).days // 7
            return _milliseconds(monday - datetime.timedelta(weeks=weeks % self.multiplier))
        months = (midnight.month - 1) // self.multiplier * self.multiplier
        return _milliseconds(midnight.replace(month=months + 1, day=1))

    def end(self, time: int, zone: datetime.tzinfo) -> int:
        """When the period that begins at `time` ends."""
        if self.unit in ("", "S", "T"):
            return time + self.seconds * 1000
        begin = datetime.datetime.fromtimestamp(time / 1000, zone)
        if self.unit == "D":
            return _milliseconds(begin + datetime.timedelta(days=self.multiplier))
        if self.unit == "W":
            return _milliseconds(begin + datetime.timedelta(weeks=self.multiplier))
        months = begin.month - 1 + self.multiplier
        return _milliseconds(begin.replace(year=begin.year + months // 12, month=months % 12 + 1, day=1))


def _milliseconds(moment: datetime.datetime) -> int:
    return int(moment.timestamp() * 1000)
