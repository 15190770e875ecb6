"""Built-ins that depend on earlier events: crossings, rises and falls, occurrences, running sums and extremes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, repeat
from typing import Any, ClassVar

from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.library.kernel import NA, TOLERANCE, Kernel, checked_length


def pairs(bars: int, series: Sequence[Any]) -> Iterator[Any]:
    """Yield the values of two arguments on the first `bars` bars. An argument is a whole column, or a value that stays
    the same."""
    first, second = (each if isinstance(each, list) else repeat(each) for each in series)
    return islice(zip(first, second, strict=False), bars)


class Crossover(Kernel):
    """`ta.crossover(source1, source2)`: true if source1 is above source2, and was not above it on the previous bar on
    which neither is na. The comparison is exact, without tolerance."""

    waits: bool = False
    """Whether the first value was not above the second one on the last bar with both."""

    def __call__(self, i: int, source1: float, source2: float) -> bool:
        if source1 > source2:
            crossed, self.waits = self.waits, False
            return crossed
        if source1 <= source2:
            self.waits = True
        return False

    def column(self, bars: int, series: Sequence[Any]) -> list[Any]:
        waits, found = self.waits, []
        for source1, source2 in pairs(bars, series):
            if source1 > source2:
                found.append(waits)
                waits = False
            else:
                found.append(False)
                waits = waits if source1 != source1 or source2 != source2 else True
        self.waits = waits
        return found


class Crossunder(Crossover):
    """`ta.crossunder(source1, source2)`: like `ta.crossover`, but source1 falls below source2."""

    def __call__(self, i: int, source1: float, source2: float) -> bool:
        if source1 < source2:
            crossed, self.waits = self.waits, False
            return crossed
        if source1 >= source2:
            self.waits = True
        return False

    def column(self, bars: int, series: Sequence[Any]) -> list[Any]:
        source1, source2 = series
        return super().column(bars, (source2, source1))


class Cross(Kernel):
    """`ta.cross(source1, source2)`: true if source1 - source2 has the opposite sign of the last difference that was
    neither 0 nor na. The comparison is exact, without tolerance (recorded)."""

    side: int = 0

    def __call__(self, i: int, source1: float, source2: float) -> bool:
        side = self.side
        if source1 > source2:
            self.side = 1
            return side < 0
        if source1 < source2:
            self.side = -1
            return side > 0
        return False


class Rising(Kernel):
    """`ta.rising(source, length)`: the last `length` steps all went up by more than 1e-10."""

    function: ClassVar[str] = "rising"
    before: float = NA
    run: int = 0

    def __call__(self, i: int, source: float, length: float) -> bool:
        self.run = self.run + 1 if source - self.before > TOLERANCE else 0
        self.before = source
        return self.run >= checked_length(length, self.function)


class Falling(Rising):
    """`ta.falling(source, length)`: the last `length` steps all went down by more than 1e-10."""

    function = "falling"

    def __call__(self, i: int, source: float, length: float) -> bool:
        self.run = self.run + 1 if self.before - source > TOLERANCE else 0
        self.before = source
        return self.run >= checked_length(length, self.function)


class BarsSince(Kernel):
    """`ta.barssince(condition)`: the number of calls since the condition was true; na if it never was."""

    count: float = NA

    def __call__(self, i: int, condition: bool) -> float:
        self.count = 0 if condition else self.count + 1
        return self.count

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any]:
        count, found = self.count, []
        for holds in series[0][:bars]:
            count = 0 if holds else count + 1
            found.append(count)
        self.count = count
        return found


class ValueWhen(Kernel):
    """`ta.valuewhen(condition, source, occurrence)` for numbers: the source on an earlier bar with a true condition.
    `occurrence` is counted back from the last such bar, which is 0. An na source is an occurrence too."""

    fixed = (2,)
    missing: ClassVar[Any] = NA
    given: float = NA
    occurrence: int = 0
    sources: list[Any]

    def __call__(self, i: int, condition: bool, source: Any, occurrence: float) -> Any:
        if occurrence != self.given:
            self._change(occurrence)
        sources = self.sources
        if condition:
            sources.append(source)
            if len(sources) > 2 * self.occurrence + 2:
                del sources[: -self.occurrence - 1]
        return sources[-1 - self.occurrence] if len(sources) > self.occurrence else self.missing

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any]:
        self._change(series[2])
        sources, back, found = self.sources, self.occurrence, []
        value = sources[-1 - back] if len(sources) > back else self.missing
        for holds, source in zip(series[0][:bars], series[1], strict=False):
            if holds:
                sources.append(source)
                if len(sources) > back:
                    value = sources[-1 - back]
            found.append(value)
        if len(sources) > 2 * back + 2:
            del sources[: -back - 1]
        return found

    def _change(self, occurrence: float) -> None:
        if occurrence != occurrence:
            raise RuntimeFault("RE10003", argName="occurrence", funName="valuewhen")
        count = int(occurrence)
        if count < 0:
            raise RuntimeFault("RE10001", argName="occurrence", value=count, funName="valuewhen", op=">=")
        del self.sources[: -self.occurrence - 1]
        self.given = occurrence
        self.occurrence = count


class ValueWhenColor(ValueWhen):
    """`ta.valuewhen` for a colour."""

    missing = None


class ValueWhenBool(ValueWhen):
    """`ta.valuewhen` for a bool, which cannot be na: false before the first occurrence."""

    missing = False


class Fixnan(Kernel):
    """`fixnan(source)` for numbers: the last value that is not na."""

    value: float = NA

    def __call__(self, i: int, source: float) -> float:
        if source == source:
            self.value = source
        return self.value


class FixnanColor(Kernel):
    """`fixnan(source)` for a colour."""

    value: int | None = None

    def __call__(self, i: int, source: int | None) -> int | None:
        if source is not None:
            self.value = source
        return self.value


class Cum(Kernel):
    """`ta.cum(source)`: the sum of all values so far; na if this value is na. An infinite value counts as na."""

    sum: float = 0.0

    def __call__(self, i: int, source: float) -> float:
        if source - source != 0:  # na or infinite
            return NA
        self.sum += source
        return self.sum


class Max(Kernel):
    """`ta.max(source)`: the largest value so far."""

    value: float = NA

    def __call__(self, i: int, source: float) -> float:
        if source > self.value or self.value != self.value:
            self.value = source
        return self.value


class Min(Max):
    """`ta.min(source)`: the smallest value so far."""

    def __call__(self, i: int, source: float) -> float:
        if source < self.value or self.value != self.value:
            self.value = source
        return self.value
