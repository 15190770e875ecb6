"""Built-ins as the recorded laws tell them, computed again from everything that the call has seen.

The interpreter uses these, so that it follows the laws by code of its own.
"""

import decimal
import math
from collections.abc import Callable
from typing import Any

from pinebench.runtime import library

NAN = float("nan")


class Seen:
    """Every value that a call was given: in turn, and by bar."""

    reads = ()

    def __init__(self, _series_length: bool = False) -> None:
        self.calls: list[float] = []
        self.bars: dict[int, float] = {}

    def __call__(self, bar: int, source: float, *more: float) -> float:
        self.calls.append(source)
        self.bars[bar] = source
        return self.value(bar, source, *more)

    def value(self, bar: int, source: float, *more: Any) -> float:
        raise NotImplementedError

    def by_bar(self, bar: int, count: int) -> list[float]:
        """The last bars, oldest first: a bar without a call repeats the one before, none is before the first call."""
        first = min(self.bars)
        values: list[float] = []
        for number in range(first, bar + 1):
            values.append(self.bars[number] if number in self.bars else values[-1])
        return values[-count:]

    def by_ring(self, bar: int, count: int) -> list[float]:
        """The last bars, oldest first: a bar without a call has what its slot held a round before, or 0."""
        found: list[float] = []
        for number in range(bar - count + 1, bar + 1):
            while number >= 0 and number not in self.bars:
                number -= count + 1
            found.append(self.bars.get(number, 0.0))
        return found

    def present(self) -> list[float]:
        return [value for value in self.calls if value == value]

    def in_order(self, count: int) -> list[float]:
        """The last calls, each put before the first that is not smaller, na at the end, before the oldest left."""
        padded = [NAN] * count + self.calls
        order = padded[:count]
        for leaving, entering in zip(padded, self.calls, strict=False):
            places = [k for k, other in enumerate(order) if other >= entering]
            order.insert(places[0] if places else len(order), entering)
            del order[next(k for k, x in enumerate(order) if x == leaving or (x != x and leaving != leaving))]
        return order


class Nearest(Seen):
    def value(self, bar: int, source: float, *more: float) -> float:
        length, percentage = more
        if bar < length - 1:
            return NAN
        return self.in_order(int(length))[max(math.ceil(percentage * length / 100), 1) - 1]


class Linear(Seen):
    def value(self, bar: int, source: float, *more: float) -> float:
        length, percentage = more
        if bar < length - 1:
            return NAN
        order, place = self.in_order(int(length)), length * percentage / 100 - 0.5
        if place < 0 or place >= length - 1:
            return order[0] if place < 0 else order[-1]
        below = math.floor(place)
        return order[below] * (below + 1 - place) + order[below + 1] * (place - below)


class PercentRank(Seen):
    def value(self, bar: int, source: float, *more: float) -> float:
        length = int(more[0])
        before = self.by_bar(bar, length + 1)[:-1]
        if bar < length or len(before) < length:
            return NAN
        return 100 * sum(1 for value in before if value - source <= 1e-10) / length


class Range(Seen):
    def value(self, bar: int, source: float, *more: float) -> float:
        window = self.present()[-int(more[0]) :]
        return max(window) - min(window) if len(window) == more[0] else NAN


class Cog(Seen):
    """Its denominator is `math.sum`, whose law is another."""

    def __init__(self, series_length: bool = False) -> None:
        super().__init__()
        self.sum: Any = library.KERNELS["math.sum"](series_length)

    def value(self, bar: int, source: float, *more: float) -> float:
        length = int(more[0])
        window = self.by_bar(bar, length)
        below = self.sum(bar, source, length)
        if len(window) < length or not below:
            return NAN
        above = 0.0
        for k in range(length):
            above += (k + 1) * window[-1 - k]
        return -above / below


class Linreg(Seen):
    def value(self, bar: int, source: float, *more: float) -> float:
        n, offset = int(more[0]), more[1]
        if n == 1 or bar < n - 1:
            return NAN
        sum_x = sum_y = sum_xy = squares = 0.0
        for x, y in enumerate(self.by_ring(bar, n), 1):
            sum_x, sum_y, sum_xy, squares = sum_x + x, sum_y + y, sum_xy + y * x, squares + x * x
        slope = (n * sum_xy - sum_x * sum_y) / (n * squares - sum_x * sum_x)
        return sum_y / n - slope * sum_x / n + slope + slope * (n - 1 - offset)


class Swma(Seen):
    def value(self, bar: int, source: float, *more: float) -> float:
        last = self.by_bar(bar, 4)[::-1]
        return (last[0] + 2 * last[1] + 2 * last[2] + last[3]) / 6 if len(last) == 4 else NAN


def log10(number: float) -> float:
    with decimal.localcontext(decimal.Context(prec=80)):
        return float(decimal.Decimal(number).log10()) if 0 < number < math.inf else math.log10(number)


KERNELS: dict[str, Callable[[bool], Seen]] = {
    "ta.cog": Cog,
    "ta.linreg": Linreg,
    "ta.percentile_linear_interpolation": Linear,
    "ta.percentile_nearest_rank": Nearest,
    "ta.percentrank": PercentRank,
    "ta.range": Range,
    "ta.swma": Swma,
}
FUNCTIONS: dict[str, Callable[..., Any]] = {"math.log10": log10}
