"""The positions of bars and values in a picture: one time axis for all panes, and a scale for each pane."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from pinebench.calendars.zones import local


@dataclass(slots=True)
class Axis:
    """Bars `first` to `last` (exclusive) between `left` and `right` pixels, and space for `ahead` future bars.

    Bars that are not `dated` have numbers below them, not times.
    """

    times: Sequence[int]
    first: int
    last: int
    left: float
    right: float
    ahead: int
    zone: str = "Etc/UTC"
    dated: bool = True

    @property
    def step(self) -> float:
        """The pixels from one bar to the next."""
        return (self.right - self.left) / max(self.last - self.first + self.ahead, 1)

    def x(self, index: float) -> float:
        """The middle of a bar, in pixels."""
        return self.left + (index - self.first + 0.5) * self.step

    def index_of(self, time: float) -> float:
        """The index of the bar, with a fraction, at a time in milliseconds UTC.

        Outside the bars, their average distance is used.
        """
        times = self.times
        if not times:
            return 0
        pace = (times[-1] - times[0]) / (len(times) - 1) if len(times) > 1 else 60_000
        if time <= times[0]:
            return (time - times[0]) / pace
        if time >= times[-1]:
            return len(times) - 1 + (time - times[-1]) / pace
        place = bisect_right(times, time) - 1
        return place + (time - times[place]) / (times[place + 1] - times[place])

    def marks(self) -> list[tuple[int, str]]:
        """The bars that get a time below them, with the text, about 100 pixels apart."""
        every = max(round(100 / self.step), 1)
        if not self.dated:
            return [(index, f"D{index}") for index in range(self.first, self.last, every)]
        found: list[tuple[int, str]] = []
        day = None
        for index in range(self.first, self.last, every):
            moment = local(self.times[index], self.zone)
            is_daily = self.last - self.first > 1 and self.times[-1] - self.times[-2] >= 86_400_000
            text = f"{moment:%d %b %y}" if is_daily or moment.date() != day else f"{moment:%H:%M}"
            day = moment.date()
            found.append((index, text))
        return found


@dataclass(slots=True)
class Scale:
    """Values from `low` to `high` between `bottom` and `top` pixels.

    On a logarithmic scale, equal distances are equal ratios; values that are not positive are far below it.
    """

    low: float
    high: float
    top: float
    bottom: float
    logarithmic: bool = False

    @classmethod
    def around(cls, values: Iterable[float], top: float, bottom: float, *, logarithmic: bool = False) -> Scale:
        """A scale that includes all given values, with some space above and below.

        On a logarithmic scale it includes those that are positive.
        """
        known = [value for value in values if value is not None and math.isfinite(value)]
        if logarithmic:
            known = [math.log(value) for value in known if value > 0] or [0.0, 1.0]
            room = (max(known) - min(known)) * 0.07 or 0.05
            return cls(math.exp(min(known) - room), math.exp(max(known) + room), top, bottom, True)
        low, high = (min(known), max(known)) if known else (0.0, 1.0)
        room = (high - low) * 0.07 or abs(high) * 0.05 or 1.0
        return cls(low - room, high + room, top, bottom)

    def y(self, value: float) -> float:
        """The height of a value, in pixels."""
        if self.logarithmic:
            share = math.log(value / self.low) / math.log(self.high / self.low) if value > 0 else -1e3
            return self.bottom - share * (self.bottom - self.top)
        return self.bottom - (value - self.low) / (self.high - self.low) * (self.bottom - self.top)

    def marks(self) -> list[tuple[float, str]]:
        """Round values for the axis, with their texts, about 50 pixels apart."""
        if self.logarithmic and self.high > 4 * self.low:
            return self._ratios()
        count = max((self.bottom - self.top) / 50, 1)
        rough = (self.high - self.low) / count
        power = 10 ** math.floor(math.log10(rough))
        step = next((by * power for by in (1, 2, 2.5, 5) if by * power >= rough), 10 * power)
        decimals = max(0, 2 - math.floor(math.log10(step))) if step < 1 else 2 if step < 100 else 0
        first = math.ceil(self.low / step)
        return [
            (number * step, f"{number * step:,.{decimals}f}") for number in range(first, int(self.high // step) + 1)
        ]

    def _ratios(self) -> list[tuple[float, str]]:
        """Values of a logarithmic axis: 1, 2, 5, 10 and so on."""
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        values = [by * 10.0**power for power in powers for by in (1, 2, 5)]
        return [(value, f"{value:,.10g}") for value in values if self.low <= value <= self.high]


def moment(time: int) -> str:
    """A time in UTC as people read it."""
    return f"{datetime.fromtimestamp(time / 1000, UTC):%Y-%m-%d %H:%M}"
