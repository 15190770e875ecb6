"""Built-ins of `ta.*` that follow the bars: directional movement, supertrend, parabolic SAR, and pivot levels."""

from __future__ import annotations

from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.library.averages import Rma
from pinebench.runtime.library.collections import Array
from pinebench.runtime.library.kernel import NA, TOLERANCE, Kernel, checked_length
from pinebench.runtime.library.spread import true_range


class Dmi(Kernel):
    """`ta.dmi(diLength, adxSmoothing)`: plus and minus directional movement, and the average directional index.

    The true range leaves out the first bar, which has no close before it. Movements are compared with
    a tolerance of 1e-10.
    """

    reads = ("high", "low", "close[1]")
    high: float = NA
    low: float = NA
    range: Rma
    plus: Rma
    minus: Rma
    adx: Rma
    plus_shown: float = NA
    minus_shown: float = NA

    def __call__(
        self, i: int, di_length: float, adx_smoothing: float, high: float, low: float, before: float
    ) -> tuple[float, float, float]:
        up = high - self.high
        down = self.low - low
        self.high, self.low = high, low
        width = self.range(i, true_range(high, low, before), di_length)
        if up != up or down != down:
            plus = minus = NA
        else:
            plus = up if up - down > TOLERANCE and up > TOLERANCE else 0.0
            minus = down if down - up > TOLERANCE and down > TOLERANCE else 0.0
        plus = self.plus(i, plus, di_length)
        minus = self.minus(i, minus, di_length)
        if width == width and width != 0:
            self.plus_shown = 100 * plus / width
            self.minus_shown = 100 * minus / width
        plus, minus = self.plus_shown, self.minus_shown
        both = plus + minus
        return plus, minus, 100 * self.adx(i, abs(plus - minus) / (both if both else 1.0), adx_smoothing)


class Supertrend(Kernel):
    """`ta.supertrend(factor, atrPeriod)`: the line and its direction: 1 for a down-trend, -1 for an up-trend. On the
    first bar they are 0 and 1. `factor` is read only when the call runs for the first time."""

    reads = ("high", "low", "close", "close[1]")
    range: Rma
    begun: bool = False
    factor: float = NA
    upper: float = 0.0
    lower: float = 0.0
    line: float = NA
    range_before: float = NA
    close: float = NA

    def __call__(
        self, i: int, factor: float, period: float, high: float, low: float, close: float, before: float
    ) -> tuple[float, float]:
        if not self.begun:
            self._check(factor, period)
            self.begun = True
            self.factor = factor
        factor = self.factor
        width = self.range(i, true_range(high, low, before) if before == before else high - low, period)
        middle = (high + low) / 2
        upper = middle + factor * width
        lower = middle - factor * width
        closed = self.close
        old_upper = self.upper if self.upper == self.upper else 0.0
        old_lower = self.lower if self.lower == self.lower else 0.0
        if not (lower > old_lower or closed < old_lower):
            lower = old_lower
        if not (upper < old_upper or closed > old_upper):
            upper = old_upper
        if self.range_before != self.range_before:
            direction = 1.0
        elif self.line == old_upper:
            direction = -1.0 if close > upper else 1.0
        else:
            direction = 1.0 if close < lower else -1.0
        self.line = lower if direction == -1.0 else upper
        self.upper, self.lower, self.range_before, self.close = upper, lower, width, close
        if not i:
            return 0.0, 1.0
        return self.line, direction

    def _check(self, factor: float, period: float) -> None:
        if factor <= 0:
            raise RuntimeFault("RE10001", argName="factor", value=factor, funName="supertrend", op=">")
        checked_length(period, "supertrend", "atrPeriod")


class Sar(Kernel):
    """`ta.sar(start, inc, max)`: na on the first bar of the chart.

    It begins on the second bar of the chart; if the call does not run there, it stays na. It reads the bars on which
    the call ran before, not the chart's previous bars, and accepts any arguments.
    """

    reads = ("high", "low")
    high: float = NA
    low: float = NA
    high2: float = NA
    low2: float = NA
    value: float = NA
    extreme: float = NA
    step: float = NA
    rising: bool = False

    def __call__(self, i: int, start: float, inc: float, top: float, high: float, low: float) -> float:
        high1, low1, high2, low2 = self.high, self.low, self.high2, self.low2
        self.high2, self.low2, self.high, self.low = high1, low1, high, low
        if not i:
            return NA
        turned = i == 1
        if turned:
            self.rising = not high1 > high
            self.extreme, self.value = (high, low1) if self.rising else (low, high1)
            self.step = start
        value = self.value + self.step * (self.extreme - self.value)
        if self.rising:
            if value > low:
                turned = True
                self.rising = False
                value = max(high, self.extreme)
                self.extreme, self.step = low, start
        elif value < high:
            turned = True
            self.rising = True
            value = min(low, self.extreme)
            self.extreme, self.step = high, start
        if not turned:
            if self.rising:
                if high > self.extreme:
                    self.extreme, self.step = high, min(self.step + inc, top)
            elif low < self.extreme:
                self.extreme, self.step = low, min(self.step + inc, top)
        if self.rising:
            value = min(value, low1)
            if low2 == low2:
                value = min(value, low2)
        else:
            value = max(value, high1)
            if high2 == high2:
                value = max(value, high2)
        self.value = value
        return value


PIVOT_TYPES = ("Camarilla", "Traditional", "DM", "Classic", "Fibonacci", "Woodie")


class PivotPointLevels(Kernel):
    """`ta.pivot_point_levels(type, anchor, developing)`: P, R1, S1 ... R5, S5 of the period before the last anchor.

    The bars before the first anchor are a period too. With `developing`, the current period so far is used.
    """

    reads = ("open", "high", "low", "close")
    open: float = NA
    high: float = NA
    low: float = NA
    close: float = NA
    levels: list[float]

    def __call__(
        self, i: int, kind: str, anchor: bool, developing: bool, open: float, high: float, low: float, close: float
    ) -> Array:
        if kind not in PIVOT_TYPES:
            possible = ", ".join(f"'{name}'" for name in PIVOT_TYPES)
            raise RuntimeFault(
                "RE10005", value=kind, argName="type", funName="ta.pivot_point_levels", possibleValues=possible
            )
        if developing and kind == "Woodie":
            raise RuntimeFault("RE10128")
        if anchor or self.open != self.open:
            if self.open == self.open:
                self.levels = pivot_levels(kind, self.open, self.high, self.low, self.close, open)
            self.open, self.high, self.low = open, high, low
        else:
            self.high = max(self.high, high)
            self.low = min(self.low, low)
        self.close = close
        if developing:
            return Array(pivot_levels(kind, self.open, self.high, self.low, close, open))
        return Array(list(self.levels) or [NA] * 11)


def pivot_levels(kind: str, open: float, high: float, low: float, close: float, next_open: float) -> list[float]:
    """Return P, R1, S1 ... R5, S5 of a period; `next_open` is the open after it. Levels that a type does not have are
    na."""
    width = high - low
    pivot = (high + low + close) / 3
    if kind == "Traditional":
        levels = [
            pivot,
            2 * pivot - low,
            2 * pivot - high,
            pivot + width,
            pivot - width,
            2 * pivot + (high - 2 * low),
            2 * pivot - (2 * high - low),
            3 * pivot + (high - 3 * low),
            3 * pivot - (3 * high - low),
            4 * pivot + (high - 4 * low),
            4 * pivot - (4 * high - low),
        ]
    elif kind == "Fibonacci":
        near, far = 0.382 * width, 0.618 * width
        levels = [pivot, pivot + near, pivot - near, pivot + far, pivot - far, pivot + width, pivot - width]
    elif kind == "Woodie":
        pivot = (high + low + 2 * next_open) / 4
        above, below = high + 2 * (pivot - low), low - 2 * (high - pivot)
        levels = [pivot, 2 * pivot - low, 2 * pivot - high, pivot + width, pivot - width]
        levels += [above, below, above + width, below - width]
    elif kind == "Classic":
        levels = [pivot, 2 * pivot - low, 2 * pivot - high]
        levels += [pivot + width, pivot - width, pivot + 2 * width, pivot - 2 * width]
        levels += [pivot + 3 * width, pivot - 3 * width]
    elif kind == "DM":
        x = (
            high + low + 2 * close
            if open == close
            else 2 * high + low + close
            if close > open
            else high + 2 * low + close
        )
        levels = [x / 4, x / 2 - low, x / 2 - high]
    else:
        wide, top = width * 1.1, high / low * close if low else NA
        levels = [pivot]
        for share in (12, 6, 4, 2):
            levels += [close + wide / share, close - wide / share]
        levels += [top, close - (top - close)]
    return levels + [NA] * (11 - len(levels))
