"""`math.sum`, and the averages that are computed from it.

The sum is TradingView's compensated rolling sum. On each bar, two compensated steps remove the oldest entry and add the
new value, and the amount that was effectively added is stored. If the correction is too large for the new value, the
sum is computed again, from the newest value to the oldest. An na or infinite value is not stored: the window has the
last finite values, and the sum does not change (recorded).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import Any, ClassVar

from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.library.kernel import HISTORY_LIMIT, NA, Kernel, checked_length

SMA_LIMIT = 5000


class Sum(Kernel):
    """`math.sum(source, length)`."""

    function: ClassVar[str] = "sum"
    fixed = (1,)
    series_length: bool
    given: float = NA
    length: int = 0
    sum: float = 0.0
    carry: float = 0.0
    stored: int = 0
    width: int = 0
    next: int = 0
    entries: list[float]
    window: list[float]
    """The values of the entries. `entries` and `window` grow while the window fills; then `next` is the slot of the
    oldest value. If the length can change from bar to bar, they have the last values instead, oldest first."""

    def change_length(self, length: float) -> None:
        """Set a length that differs from the last call's length."""
        self.length = checked_length(length, self.function)
        self.given = length
        if not self.series_length:
            self.sum = self.carry = 0.0
            self.stored = self.next = 0
            self.entries = []
            self.window = []

    def __call__(self, i: int, source: float, length: float) -> float:
        if length != self.given:
            self.change_length(length)
        n = self.length
        if self.series_length:
            return self._varying(source, n)
        stored = self.stored
        if source - source != 0:  # na or infinite
            return self.sum if stored >= n else NA
        if stored < n:
            return self._fill(source)
        slot = self.next
        carry = self.carry
        self.window[slot] = source
        self.next = slot + 1 if slot + 1 < n else 0
        if carry and _overflows(carry, source):
            return self._again(source, slot)
        before = self.sum
        leaving = -self.entries[slot] - carry
        half = before + leaving
        entry = source - ((half - before) - leaving)
        result = half + entry
        self.carry = (result - half) - entry
        self.entries[slot] = entry
        self.sum = result
        return result

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any]:
        source, length = series
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
            if price - price == 0:
                window[slot] = price
                size = carry if carry > 0 else -carry
                if carry and size - ((price + size) - price) > 0:
                    total = self._again(price, slot)
                    carry = 0.0
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

    def _fill(self, source: float) -> float:
        """A call while the window is not full. A large length alone needs no memory."""
        carry = self.carry
        slot = self.stored
        self.window.append(source)
        self.entries.append(source)
        self.stored = slot + 1
        if carry and _overflows(carry, source):
            return self._again(source, slot)
        before = self.sum
        entry = source - carry
        result = before + entry
        self.carry = (result - before) - entry
        self.entries[slot] = entry
        self.sum = result
        return result if self.stored >= self.length else NA

    def _again(self, source: float, slot: int) -> float:
        """Add up the window again, from the newest value to the oldest."""
        self.entries[slot] = source
        self.carry = 0.0
        newer = reduce(add, reversed(self.window[: slot + 1]), 0.0)
        self.sum = reduce(add, reversed(self.window[slot + 1 :]), newer)
        return self.sum if self.stored >= self.length else NA

    def _varying(self, source: float, n: int) -> float:
        """A call whose length can differ from the last call's: entries leave and return one by one."""
        here = source - source == 0
        if here:
            self.stored += 1
            self.window.append(source)
            self.entries.append(0.0)
            if len(self.entries) > 2 * HISTORY_LIMIT:
                del self.entries[:-HISTORY_LIMIT]
                del self.window[:-HISTORY_LIMIT]
        stored = self.stored
        before = self.width
        width = min(n, stored)
        self.width = width
        if not here:
            self._walk(before, width)
            return self.sum if width >= n else NA
        self._walk(before + 1, min(width + 1, stored))
        total = self.sum
        carry = self.carry
        if carry and source and _overflows(carry, source):
            self.sum = reduce(add, reversed(self.window[-width:-1]), source)
            self.carry = 0.0
            entry = source
        else:
            half = total
            entry = source - carry
            if width < stored:
                leaving = -self.entries[-1 - width] - carry
                half = total + leaving
                entry = source - ((half - total) - leaving)
            self.sum = half + entry
            self.carry = (self.sum - half) - entry
        self.entries[-1] = entry
        return self.sum if width >= n else NA

    def _walk(self, had: int, width: int) -> None:
        """Subtract the values that leave a window of `had` values, oldest first, until `width` remain; or add the
        values that return, newest first."""
        sign = 1.0
        count = width - had
        if had > width:
            sign = -1.0
            count = had - width
        total = self.sum
        carry = self.carry
        for k in range(count):
            offset = had + k if sign > 0 else had - 1 - k
            step = sign * self.window[-1 - offset] - carry
            after = total + step
            carry = (after - total) - step
            total = after
        self.sum = total
        self.carry = carry


class Sma(Sum):
    """`ta.sma(source, length)`: the sum divided by the length."""

    function = "sma"

    def change_length(self, length: float) -> None:
        """Set a length that differs from the last call's length. Raises RE10004 if it is too long."""
        super().change_length(length)
        if self.length > SMA_LIMIT:
            raise RuntimeFault("RE10004", funName="sma", n=self.length, limit=SMA_LIMIT)

    def __call__(self, i: int, source: float, length: float) -> float:
        return Sum.__call__(self, i, source, length) / self.length

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any]:
        return [value / self.length for value in super().at_once(bars, series)]


class Vwma(Kernel):
    """`ta.vwma(source, length)`: the average of source times volume, divided by the average of volume."""

    reads = ("volume",)
    fixed = (1,)
    prices: Sma
    volumes: Sma

    def __call__(self, i: int, source: float, length: float, volume: float) -> float:
        above = self.prices(i, source * volume, length)
        below = self.volumes(i, volume, length)
        return above / below if below else NA

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any]:
        source, length, volume = series
        products = [price * size for price, size in zip(source[:bars], volume, strict=False)]
        above = self.prices.column(bars, (products, length))
        below = self.volumes.column(bars, (volume, length))
        return [price / size if size else NA for price, size in zip(above, below, strict=True)]


def _overflows(carry: float, value: float) -> bool:
    """Whether adding the size of `carry` to `value` loses a part of it by rounding down."""
    size = carry if carry > 0 else -carry
    return size - ((value + size) - value) > 0
