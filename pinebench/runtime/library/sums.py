"""`math.sum`, and the averages that are computed from it.

The sum is TradingView's compensated rolling sum. On each bar, two compensated steps remove the oldest entry and add the
new value, and the value is stored as it was effectively added. If the correction is too large for the new value, the
sum is computed again, from the newest value to the oldest. An na value is not stored: the window has the last values
that are not na, and the sum does not change.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import Any, ClassVar

from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.library.kernel import HISTORY_LIMIT, NA, Kernel, checked_length

SMA_LIMIT = 5000


class Sum(Kernel):
    """`math.sum(source, length)`."""

    __slots__ = ("carry", "entries", "given", "length", "next", "series_length", "stored", "sum", "width", "window")

    function: ClassVar[str] = "sum"

    def __init__(self, series_length: bool = False) -> None:
        self.series_length = series_length
        self.given: float = NA
        self.length = 0
        self.sum = 0.0
        self.carry = 0.0
        self.stored = 0
        self.width = 0
        self.next = 0
        self.entries: list[float] = []
        self.window: deque[float] = deque(maxlen=HISTORY_LIMIT if series_length else None)

    def change_length(self, length: float) -> None:
        """Set a length that differs from the last call's length."""
        self.length = checked_length(length, self.function)
        if self.function == "sma" and self.length > SMA_LIMIT:
            raise RuntimeFault("RE10004", funName="sma", n=self.length, limit=SMA_LIMIT)
        self.given = length
        if not self.series_length:
            self._restart()

    def __call__(self, i: int, source: float, length: float) -> float:
        if length != self.given:
            self.change_length(length)
        n = self.length
        if self.series_length:
            return self._varying(source, n)
        if source != source:
            return self.sum if self.stored >= n else NA
        slot = self.next
        carry = self.carry
        window = self.window
        window.append(source)
        self.next = slot + 1 if slot + 1 < n else 0
        if carry and _overflows(carry, source):
            self._put(slot, source)
            self.carry = 0.0
            result = self.sum = reduce(add, reversed(window), 0.0)
            return result if self.stored >= n else NA
        before = self.sum
        if self.stored >= n:
            leaving = -self.entries[slot] - carry
            half = before + leaving
            entry = source - ((half - before) - leaving)
            result = half + entry
            self.carry = (result - half) - entry
        else:
            entry = source - carry
            result = before + entry
            self.carry = (result - before) - entry
        self._put(slot, entry)
        self.sum = result
        return result if self.stored >= n else NA

    def column(self, bars: int, series: Sequence[Any]) -> list[Any]:
        source, length = series
        if self.series_length or not isinstance(source, list) or isinstance(length, list):
            return super().column(bars, series)
        found: list[Any] = []
        for i in range(bars):
            if self.length and self.stored >= self.length:
                break
            found.append(Sum.__call__(self, i, source[i], length))
        found += self._full(source, len(found), bars)
        return found

    def _full(self, source: list[float], first: int, bars: int) -> list[float]:
        """The sums from bar `first` on, when the window is full. The steps are the same as in a call."""
        n, total, carry, slot = self.length, self.sum, self.carry, self.next
        entries, window, found = self.entries, self.window, []
        for price in source[first:bars]:
            if price == price:
                window.append(price)
                size = carry if carry > 0 else -carry
                if carry and size - ((price + size) - price) > 0:
                    entries[slot] = price
                    carry = 0.0
                    total = reduce(add, reversed(window), 0.0)
                else:
                    leaving = -entries[slot] - carry
                    half = total + leaving
                    entry = entries[slot] = price - ((half - total) - leaving)
                    total = half + entry
                    carry = (total - half) - entry
                slot = slot + 1 if slot + 1 < n else 0
            found.append(total)
        self.sum, self.carry, self.next = total, carry, slot
        return found

    def _put(self, slot: int, entry: float) -> None:
        """Store an entry. The list grows while the window fills, so that a large length alone needs no memory."""
        if self.stored < self.length:
            self.stored += 1
            self.entries.append(entry)
        else:
            self.entries[slot] = entry

    def _restart(self) -> None:
        self.sum = self.carry = 0.0
        self.stored = self.next = 0
        self.entries = []
        self.window = deque(maxlen=min(self.length, sys.maxsize))

    def _varying(self, source: float, n: int) -> float:
        """A call whose length can differ from the last call's: entries leave and return one by one."""
        here = source == source
        if here:
            self.stored += 1
            self.window.append(source)
            self.entries.append(0.0)
            if len(self.entries) > 2 * HISTORY_LIMIT:
                del self.entries[:-HISTORY_LIMIT]
        stored, before = self.stored, self.width
        width = min(n, stored)
        if not here and before == width:
            return self.sum if width >= n else NA
        self._walk(before + here, width)
        value = source if here else 0.0
        total, carry = self.sum, self.carry
        if carry and value and _overflows(carry, value):
            newest = list(self.window)[-width:]
            self.sum = reduce(add, reversed(newest[:-1]), value)
            self.carry = 0.0
            entry = value
        else:
            leaving = 0.0
            if width < stored:
                leaving = -self.entries[-1 - width] - carry
                half = total + leaving
                entry = value - ((half - total) - leaving)
            else:
                half = total
                entry = value - carry
            self.sum = half + entry
            self.carry = (self.sum - half) - entry
        if here:
            self.entries[-1] = entry
        self.width = width
        return self.sum if width >= n else NA

    def _walk(self, had: int, width: int) -> None:
        """Subtract all leaving values except one, oldest first; or add all returning values, newest first."""
        if had > width:
            offsets, sign = range(had - 1, width, -1), -1.0
        else:
            offsets, sign = range(had, width + 1 if width < self.stored else self.stored), 1.0
        if not offsets:
            return
        window = list(self.window)
        total, carry = self.sum, self.carry
        for offset in offsets:
            step = sign * window[-1 - offset] - carry
            after = total + step
            carry = (after - total) - step
            total = after
        self.sum, self.carry = total, carry


class Sma(Sum):
    """`ta.sma(source, length)`: the sum divided by the length."""

    __slots__ = ()

    function = "sma"

    def __call__(self, i: int, source: float, length: float) -> float:
        return Sum.__call__(self, i, source, length) / self.length

    def column(self, bars: int, series: Sequence[Any]) -> list[Any]:
        if self.series_length or isinstance(series[1], list):
            return super().column(bars, series)
        sums = super().column(bars, series)
        return [value / self.length for value in sums] if isinstance(series[0], list) else sums


class Vwma(Kernel):
    """`ta.vwma(source, length)`: the average of source times volume, divided by the average of volume."""

    __slots__ = ("prices", "volumes")

    reads = ("volume",)

    def __init__(self, series_length: bool = False) -> None:
        self.prices = Sma(series_length)
        self.volumes = Sma(series_length)

    def __call__(self, i: int, source: float, length: float, volume: float) -> float:
        above = self.prices(i, source * volume, length)
        below = self.volumes(i, volume, length)
        return above / below if below else NA

    def column(self, bars: int, series: Sequence[Any]) -> list[Any]:
        source, length, volume = series
        if not isinstance(source, list) or isinstance(length, list) or self.prices.series_length:
            return super().column(bars, series)
        products = [price * size for price, size in zip(source[:bars], volume, strict=False)]
        above = self.prices.column(bars, (products, length))
        below = self.volumes.column(bars, (volume, length))
        return [price / size if size else NA for price, size in zip(above, below, strict=True)]


def _overflows(carry: float, value: float) -> bool:
    """Whether adding the size of `carry` to `value` loses a part of it by rounding down."""
    size = carry if carry > 0 else -carry
    return size - ((value + size) - value) > 0
