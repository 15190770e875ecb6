"""The positions of bars and values in a picture: one time axis for all panes, and a scale for each pane."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from pinebench.amounts import fixed_text, with_minus
from pinebench.calendars.zones import local


@dataclass(slots=True)
class Axis:
    """The horizontal axis from pixel `left` to `right`: bars `first` to `last` (exclusive), and space for `ahead` more.

    If bars are not `dated`, the axis shows their numbers instead of times.
    """

    times: Sequence[int]
    first: int
    last: int
    left: float
    right: float
    ahead: int
    zone: str = "Etc/UTC"
    dated: bool = True
    _marks: list[tuple[int, str]] | None = None

    @property
    def step(self) -> float:
        """The distance between two bars, in pixels."""
        return (self.right - self.left) / max(self.last - self.first + self.ahead, 1)

    def x(self, index: float) -> float:
        """Return the middle of a bar, in pixels: half a pixel left of its cell's middle, as in lightweight-charts."""
        return self.left + (index - self.first + 0.5) * self.step - 0.5

    def index_of(self, time: float) -> float:
        """Return the index of the bar at a time (milliseconds UTC), as a fractional number.

        Before the first and after the last bar, the average distance between bars is used.
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
        """Return the marks of the time axis: the index of a bar and its text, at least 75 pixels apart.

        The first bars of years, months and days take precedence over the first bars of hours and minutes. So the first
        bar of a session shows the date.
        """
        if self._marks is None:
            self._marks = self._dates() if self.dated else self._numbers()
        return self._marks

    def _numbers(self) -> list[tuple[int, str]]:
        every = max(round(100 / self.step), 1)
        return [(index, f"D{index}") for index in range(self.first, self.last, every)]

    def _dates(self) -> list[tuple[int, str]]:
        room = math.ceil(_MARK / self.step)
        ranked: dict[int, list[tuple[int, datetime]]] = {}
        before = None if self.first == 0 else local(self.times[self.first - 1], self.zone)
        for index in range(self.first, self.last):
            now = local(self.times[index], self.zone)
            ranked.setdefault(_rank(before, now), []).append((index, now))
            before = now
        placed: list[int] = []
        texts: dict[int, str] = {}
        for rank in sorted(ranked):
            for index, now in ranked[rank]:
                at = bisect_right(placed, index)
                if (at and index - placed[at - 1] < room) or (at < len(placed) and placed[at] - index < room):
                    continue
                placed.insert(at, index)
                texts[index] = f"{now:{_TEXTS.get(rank, '%H:%M')}}".lstrip("0" if rank == _DAY else "")
        return [(index, texts[index]) for index in placed]


_MARK = 75
_YEAR, _MONTH, _DAY = range(3)
_TEXTS = {_YEAR: "%Y", _MONTH: "%b", _DAY: "%d"}
_STEPS = (720, 360, 180, 60, 30, 5)
"""Steps in minutes, the longest first: a bar's label is as important as the longest step that begins with the bar."""


def _rank(before: datetime | None, now: datetime) -> int:
    """How important a mark at a bar is, the most important first: the first bar of a year, a month, a day, an hour."""
    if before is None:
        return len(_STEPS) + _DAY + 1
    if before.year != now.year:
        return _YEAR
    if before.month != now.month:
        return _MONTH
    if before.day != now.day:
        return _DAY
    one, other = (each.hour * 60 + each.minute for each in (before, now))
    steps = (number for number, step in enumerate(_STEPS) if one // step != other // step)
    return _DAY + 1 + next(steps, len(_STEPS))


@dataclass(slots=True)
class Scale:
    """A vertical scale: values from `low` to `high` between `bottom` and `top` pixels.

    On a logarithmic scale, equal distances mean equal ratios, and values that are not positive lie far below.
    """

    low: float
    high: float
    top: float
    bottom: float
    logarithmic: bool = False

    @classmethod
    def around(cls, values: Iterable[float], top: float, bottom: float, *, logarithmic: bool = False) -> Scale:
        """Return a scale from `bottom` to `top` (pixels) that includes all `values`, with some space above and below.

        A logarithmic scale includes only the positive values.
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
        """Return the vertical position of a value, in pixels from the top."""
        if self.logarithmic:
            share = math.log(value / self.low) / math.log(self.high / self.low) if value > 0 else -1e3
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.bottom - 0.5 - share * (self.bottom - self.top - 1)

    def marks(self) -> list[tuple[float, str]]:
        """Return the marks of the scale: round values and their texts. On a linear scale they are at least 36 pixels
        apart."""
        if self.logarithmic and self.high > 4 * self.low:
            return self._ratios()
        count = max((self.bottom - self.top) / 36, 1)
        rough = (self.high - self.low) / count
        power = 10 ** math.floor(math.log10(rough))
        step = next((by * power for by in (1, 2, 2.5, 5) if by * power >= rough), 10 * power)
        decimals = max(0, 2 - math.floor(math.log10(step))) if step < 1 else 2 if step < 100 else 0
        values = [number * step for number in range(math.ceil(self.low / step), int(self.high // step) + 1)]
        return [(value, _axis_text(value, decimals)) for value in values]

    def _ratios(self) -> list[tuple[float, str]]:
        """Values of a logarithmic axis: 1, 2, 5, 10 and so on."""
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        values = [by * 10.0**power for power in powers for by in (1, 2, 5)]
        return [(value, f"{value:,.10g}") for value in values if self.low <= value <= self.high]


def _axis_text(value: float, decimals: int) -> str:
    return sized(value) if abs(value) >= _LARGE else with_minus(fixed_text(value, decimals))


_LARGE = 1e6
"""From this value on, an axis abbreviates values with a letter (M, B, T), because they would be too wide."""
_SIZES = ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "K"))


def sized(value: float) -> str:
    """Format a number with at most six digits and a letter for its magnitude, as in 2.5M."""
    size, letter = next((each for each in _SIZES if abs(value) >= each[0]), (1, ""))
    return with_minus(f"{value / size:.6g}{letter}")


def moment(time: int, zone: str, *, is_intraday: bool) -> str:
    """Format a time (milliseconds UTC) in a time zone for people: the date, and for intraday bars the time of day."""
    return f"{local(time, zone):{'%Y-%m-%d %H:%M' if is_intraday else '%Y-%m-%d'}}"
