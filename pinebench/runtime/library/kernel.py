"""What all stateful built-ins share: saved and restored state, checked lengths, and windows over bars.

A kernel is made once for a call site and called `kernel(i, *arguments)` each time the call runs, `i` being the index of
the bar; what it `reads` of the bar follows the arguments. A name that ends in `[1]` is the value of the bar before (na
on the first), also when the call did not run there.
"""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import repeat
from operator import add
from typing import Any, ClassVar

from pinebench.runtime.faults import RuntimeFault

NA = float("nan")
TOLERANCE = 1e-10
"""Numbers that differ by no more are equal to Pine's operators and to those built-ins that were measured so."""

HISTORY_LIMIT = 20_000
"""Bars kept for a length that changes from bar to bar: more than any window TradingView allows."""


def total(values: Iterable[float]) -> float:
    """The sum from left to right, each step rounded: Python's own `sum` compensates from 3.12 on."""
    return reduce(add, values, 0.0)


def checked_length(value: float, function: str, name: str = "length") -> int:
    """`value` cut to a whole number; raises RE10003 for na and RE10001 for what is not positive."""
    if value != value:
        raise RuntimeFault("RE10003", argName=name, funName=function)
    length = int(value)
    if length <= 0:
        raise RuntimeFault("RE10001", argName=name, value=length, funName=function, op=">")
    return length


WINDOW_LIMIT = 15_000
"""The longest window that TradingView is known to allow any function."""


def checked_window(value: float, function: str) -> int:
    """A length whose bars are all looked at; raises also RE10004 for one above the longest window."""
    length = checked_length(value, function)
    if length > WINDOW_LIMIT:
        raise RuntimeFault("RE10004", funName=function, n=length, limit=WINDOW_LIMIT)
    return length


class State:
    """Slots that can be saved, and restored any number of times from what was saved."""

    __slots__ = ()

    def save(self) -> tuple[Any, ...]:
        """What this object holds now; it stays as it is while the object changes."""
        return tuple(_saved(getattr(self, name, _UNSET)) for name in _slots(type(self)))

    def restore(self, state: tuple[Any, ...]) -> None:
        """Hold again what `state`, from `save`, was."""
        for name, value in zip(_slots(type(self)), state, strict=True):
            if value is _UNSET:
                if hasattr(self, name):
                    delattr(self, name)
            elif isinstance(value, _Part):
                getattr(self, name).restore(value.state)
            else:
                setattr(self, name, copy.copy(value) if isinstance(value, (list, deque, dict)) else value)


class Kernel(State):
    """A stateful built-in at one call site.

    `series_length` says that the length may change from bar to bar: TradingView then keeps the whole history of the
    source instead of a ring of the length.
    """

    __slots__ = ()

    reads: ClassVar[tuple[str, ...]] = ()

    def __init__(self, series_length: bool = False) -> None:
        pass

    def column(self, bars: int, series: Sequence[Any]) -> list[Any]:
        """What the call gives on the first `bars` bars, `series` being whole columns or values that stay.

        The state is then that behind these bars, as if each had called. What overrides it must give the same.
        """
        call: Any = self
        return list(map(call, range(bars), *(each if isinstance(each, list) else repeat(each) for each in series)))


def is_plain_column(series: Sequence[Any], lengths: int) -> bool:
    """Whether arguments are whole columns, behind which stand as many lengths that stay the same."""
    first = len(series) - lengths
    is_columns = all(isinstance(each, list) for each in series[:first])
    return is_columns and not any(isinstance(each, list) for each in series[first:])


class BarWindow(Kernel):
    """A kernel over the last bars of its source: a bar on which the call did not run repeats the value before it.

    `values` holds the bars since the first call, oldest first, cut to what can be asked for.
    """

    __slots__ = ("bar", "given", "keep", "length", "series_length", "values")

    function: ClassVar[str] = ""
    """The name that TradingView's messages give it."""

    def __init__(self, series_length: bool = False) -> None:
        self.values: list[float] = []
        self.bar = -1
        self.given: float = NA
        self.length = 0
        self.series_length = series_length
        self.keep = HISTORY_LIMIT if series_length else 1

    def change_length(self, length: float) -> None:
        """Take a length that is not the one of the call before."""
        self.length = checked_window(length, self.function)
        self.given = length
        self.keep = max(self.keep, self.length + 1)

    def write(self, i: int, value: float) -> list[float]:
        """The bars since the first call with `value` as that of bar `i`."""
        values = self.values
        if i != self.bar + 1:
            self._skip(i)
        self.bar = i
        values.append(value)
        if len(values) > 2 * self.keep:
            del values[: -self.keep]
        return values

    def passed(self, bars: int, source: Sequence[float], first: int = 0) -> None:
        """Hold what calls on all bars from `first` to `bars` would have left."""
        self.values = list(source[max(first, bars - self.keep) : bars])
        self.bar = bars - 1

    def _skip(self, i: int) -> None:
        """Come to bar `i` from another than the one before: repeat what was skipped; the same bar begins anew."""
        values = self.values
        if i <= self.bar:
            del values[-1:]
        elif values:
            values.extend(values[-1:] * min(i - self.bar - 1, self.keep))


class Ring(State):
    """The window of a length that is known before the first bar: one slot more than that, found by the bar's index.

    A bar on which the call did not run leaves in its slot what was written there a round before, or 0.0.
    """

    __slots__ = ("size", "slots")

    def __init__(self) -> None:
        self.size = 0
        self.slots: list[float] = []

    def grow(self, i: int, length: int) -> None:
        """Make room for `length` bars before bar `i` is written; what is there keeps its age."""
        if length < self.size:
            return
        size, slots = length + 1, [0.0] * (length + 1)
        for j in range(self.size):
            bar = i - 1 - ((i - 1 - j) % self.size)
            slots[bar % size] = self.slots[j]
        self.size, self.slots = size, slots

    def window(self, i: int, length: int) -> list[float]:
        """The slots of the `length` bars that end with bar `i`, oldest first."""
        start = (i - length + 1) % self.size
        end = start + length
        if end <= self.size:
            return self.slots[start:end]
        return self.slots[start:] + self.slots[: end - self.size]


class _Part:
    """The saved state of an object that another holds."""

    __slots__ = ("state",)

    def __init__(self, state: tuple[Any, ...]) -> None:
        self.state = state

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Part) and self.state == other.state

    __hash__ = None  # pyright: ignore[reportAssignmentType]


class _Unset:
    __slots__ = ()


_UNSET = _Unset()


def _saved(value: Any) -> Any:
    if isinstance(value, State):
        return _Part(value.save())
    if isinstance(value, (list, deque, dict)):
        return copy.copy(value)
    return value


def _slots(cls: type) -> Iterator[str]:
    for base in cls.__mro__:
        yield from base.__dict__.get("__slots__", ())
