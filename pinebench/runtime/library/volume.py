"""Built-ins of `ta.*` that weight prices with volume.

A variable is one series of the chart: it must be called on every bar, even if the script reads it on some bars only.
"""

from __future__ import annotations

from math import sqrt

from pinebench.runtime.library.kernel import NA, Kernel


class Obv(Kernel):
    """`ta.obv`: adds volume if the close rises, subtracts it if the close falls; na on the first bar and for na
    volume."""

    reads = ("close", "volume")
    before: float = NA
    sum: float = 0.0

    def __call__(self, i: int, close: float, volume: float) -> float:
        before = self.before
        self.before = close
        if before != before or close != close or volume != volume:
            return NA
        if close > before:
            self.sum += volume
        elif close < before:
            self.sum -= volume
        return self.sum


class Accdist(Kernel):
    """`ta.accdist`: the sum of the close's position in the range times volume. A bar without a range adds nothing."""

    reads = ("high", "low", "close", "volume")
    sum: float = NA

    def __call__(self, i: int, high: float, low: float, close: float, volume: float) -> float:
        width = high - low
        if width and volume == volume and width == width:
            term = ((close - low) - (high - close)) / width * volume
            self.sum = self.sum + term if self.sum == self.sum else 0.0 + term
        return self.sum


class Pvt(Kernel):
    """`ta.pvt`: the sum of relative changes times volume; na on the first bar and for na volume."""

    reads = ("close", "volume")
    before: float = NA
    sum: float = 0.0

    def __call__(self, i: int, close: float, volume: float) -> float:
        before = self.before
        self.before = close
        term = (close - before) / before * volume if before else NA
        if term != term:
            return NA
        self.sum += term
        return self.sum


class Nvi(Kernel):
    """`ta.nvi`: begins with 1, and changes by the relative change of the close on bars with less volume."""

    reads = ("close", "volume")
    before: float = NA
    volume: float = NA
    value: float = 1.0

    def __call__(self, i: int, close: float, volume: float) -> float:
        before = self.before
        if volume < self.volume and before and close and before == before and close == close:
            self.value += (close - before) / before * self.value
        self.before, self.volume = close, volume
        return self.value


class Pvi(Nvi):
    """`ta.pvi`: begins with 1, and changes by the relative change of the close on bars with more volume."""

    def __call__(self, i: int, close: float, volume: float) -> float:
        before = self.before
        if volume > self.volume and before and close and before == before and close == close:
            self.value += (close - before) / before * self.value
        self.before, self.volume = close, volume
        return self.value


class Iii(Kernel):
    """`ta.iii`: the position of the close in the range, (2 * close - high - low) / ((high - low) * volume)."""

    reads = ("high", "low", "close", "volume")

    def __call__(self, i: int, high: float, low: float, close: float, volume: float) -> float:
        below = (high - low) * volume
        return (2 * close - high - low) / below if below else NA


class Wvad(Kernel):
    """`ta.wvad`: close minus open, divided by the range, times volume."""

    reads = ("open", "high", "low", "close", "volume")

    def __call__(self, i: int, open: float, high: float, low: float, close: float, volume: float) -> float:
        width = high - low
        return (close - open) / width * volume if width else NA


class Wad(Kernel):
    """`ta.wad`: the sum of the distances from the true low on rises and from the true high on falls; 0 on the first
    bar."""

    reads = ("high", "low", "close")
    before: float = NA
    sum: float = 0.0

    def __call__(self, i: int, high: float, low: float, close: float) -> float:
        before = self.before
        self.before = close
        if close > before:
            self.sum += close - (low if low < before else before)
        elif close < before:
            self.sum += close - (high if high > before else before)
        return self.sum


class Vwap(Kernel):
    """`ta.vwap(source, anchor)`: the average weighted by volume since the anchor; na before the first anchor, and from
    an na source or volume until the next anchor (recorded).

    The default anchor is the first bar of each session, and the first bar of the chart.
    """

    reads = ("volume",)
    anchored: bool = False
    money: float = 0.0
    squares: float = 0.0
    volume: float = 0.0

    def __call__(self, i: int, source: float, anchor: bool, volume: float) -> float:
        if anchor:
            self.anchored = True
            self.money = self.squares = self.volume = 0.0
        if not self.anchored:
            return NA
        self.money += source * volume
        self.volume += volume
        self.squares += source * source * volume
        return self.money / self.volume if self.volume else NA


class VwapBands(Kernel):
    """`ta.vwap(source, anchor, stdev_mult)`: the average, and bands `stdev_mult` standard deviations above and below
    it."""

    reads = ("volume",)
    mean: Vwap

    def __call__(self, i: int, source: float, anchor: bool, mult: float, volume: float) -> tuple[float, float, float]:
        mean = self.mean(i, source, anchor, volume)
        if mean != mean:
            return NA, NA, NA
        parts = self.mean
        width = sqrt(max(0.0, parts.squares / parts.volume - mean * mean)) * mult
        return mean, mean + width, mean - width


class VwapVariable(Kernel):
    """The variable `ta.vwap`: the average of hlc3 since the first bar of the session."""

    reads = ("hlc3", "session.isfirstbar", "volume")
    mean: Vwap

    def __call__(self, i: int, hlc3: float, first: bool, volume: float) -> float:
        return self.mean(i, hlc3, first, volume)
