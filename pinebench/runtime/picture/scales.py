"""Where bars and values stand in a picture: the axis of time that all panes share, and a scale for each pane."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from pinebench.calendars.zones import local


@dataclass(slots=True)
class Axis:
    """Bars `first` to `last`, exclusive, between `left` and `right` pixels, and room for what is drawn ahead."""

    times: Sequence[int]
    first: int
    last: int
    left: float
    right: float
    ahead: int
    zone: str = "Etc/UTC"

    @property
    def step(self) -> float:
        """Pixels from one bar to the next."""
        return (self.right - self.left) / max(self.last - self.first + self.ahead, 1)

    def x(self, index: float) -> float:
        """The middle of a bar."""
        return self.left + (index - self.first + 0.5) * self.step

    def index_of(self, time: float) -> float:
        """The bar, with its fraction, at a time in milliseconds UTC; beyond the bars at their usual pace."""
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
        """Bars to write the time below, about 100 pixels apart."""
        every = max(round(100 / self.step), 1)
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
    """Values from `low` to `high` between `bottom` and `top` pixels."""

    low: float
    high: float
    top: float
    bottom: float

    @classmethod
    def around(cls, values: Iterable[float], top: float, bottom: float) -> Scale:
        """A scale that shows all the values there are, with a little room."""
        known = [value for value in values if value is not None and math.isfinite(value)]
        low, high = (min(known), max(known)) if known else (0.0, 1.0)
        room = (high - low) * 0.07 or abs(high) * 0.05 or 1.0
        return cls(low - room, high + room, top, bottom)

    def y(self, value: float) -> float:
        return self.bottom - (value - self.low) / (self.high - self.low) * (self.bottom - self.top)

    def marks(self) -> list[tuple[float, str]]:
        """Round values to write beside the pane, about 50 pixels apart."""
        count = max((self.bottom - self.top) / 50, 1)
        rough = (self.high - self.low) / count
        power = 10 ** math.floor(math.log10(rough))
        step = next((by * power for by in (1, 2, 2.5, 5) if by * power >= rough), 10 * power)
        decimals = max(0, 2 - math.floor(math.log10(step))) if step < 1 else 2 if step < 100 else 0
        first = math.ceil(self.low / step)
        return [
            (number * step, f"{number * step:,.{decimals}f}") for number in range(first, int(self.high // step) + 1)
        ]


def moment(time: int) -> str:
    """A time in UTC for people."""
    return f"{datetime.fromtimestamp(time / 1000, UTC):%Y-%m-%d %H:%M}"
