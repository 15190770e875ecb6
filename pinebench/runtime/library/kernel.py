"""The base of all stateful built-ins: saved and restored state, checked lengths, and windows over bars.

A kernel is made once for a call site. Each time that the call runs, it is called as `kernel(i, *arguments)`, where `i`
is the index of the bar. After the arguments come the values of the bar that it `reads`. A name that ends in `[1]` means
the value of the bar before, even if the call did not run there; it is na on the first bar.
"""

from __future__ import annotations

import copy
import sys
from collections import ChainMap, deque
from collections.abc import Callable, Mapping, Sequence
from itertools import repeat
from typing import Any, ClassVar

from pinebench.runtime.faults import RuntimeFault

NA = float("nan")
TOLERANCE = 1e-10
"""Numbers with a smaller difference are equal for Pine's operators, and for built-ins that were measured to use it."""

HISTORY_LIMIT = 20_000
"""The number of bars that are kept if the length can change from bar to bar: more than TradingView's longest window."""


def checked_length(value: float, function: str, name: str = "length") -> int:
    """Return `value` as a whole number. Raises RE10003 for na, and RE10001 if it is not positive."""
    if value != value:
        raise RuntimeFault("RE10003", argName=name, funName=function)
    length = int(value)
    if length <= 0:
        raise RuntimeFault("RE10001", argName=name, value=length, funName=function, op=">")
    return length


WINDOW_LIMIT = 15_000
"""The longest window that TradingView is known to allow in any function."""


def checked_window(value: float, function: str) -> int:
    """Return the length of a window as a whole number. Raises the errors of `checked_length`, and RE10004 if it is
    longer than TradingView allows."""
    length = checked_length(value, function)
    if length > WINDOW_LIMIT:
        raise RuntimeFault("RE10004", funName=function, n=length, limit=WINDOW_LIMIT)
    return length


_MAKERS: dict[str, Callable[[bool], Any]] = {
    "bool": bool,
    "deque": lambda _: deque(),
    "dict": lambda _: {},
    "list": lambda _: [],
}
"""The makers of the first value of a slot, by the word of its annotation."""


class StateType(type):
    """The metaclass of classes whose annotated names are the slots of their objects.

    The value of such a name is the first value of the slot. Without a value, a slot begins with an empty collection, or
    with a new object of its annotated class; a bool gets the argument `series_length` of the constructor. Names that
    are not annotated are the same for all objects.
    """

    first_values: Mapping[str, Any]
    """The values that the slots begin with, or their makers."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> StateType:
        kinds: dict[str, str] = body.get("__annotations__", {})
        names = [each for each, kind in kinds.items() if not kind.startswith("ClassVar")]
        makers = {**vars(sys.modules[body["__module__"]]), **_MAKERS}
        own = {each: body.pop(each) if each in body else makers[kinds[each].partition("[")[0]] for each in names}
        before = ChainMap(*(getattr(base, "first_values", {}) for base in bases))
        slots = tuple(each for each in names if each not in before)
        made = super().__new__(cls, name, bases, {**body, "__slots__": slots})
        made.first_values = {**before, **own}
        return made


class SavableState(metaclass=StateType):
    """An object whose slots can be saved, and restored any number of times.

    `series_length` says that a length can change from bar to bar. TradingView then keeps the whole history of the
    source; otherwise it keeps a ring buffer as long as the length.
    """

    def __init__(self, series_length: bool = False) -> None:
        for name, first in type(self).first_values.items():
            setattr(self, name, first(series_length) if callable(first) else first)

    def save(self) -> tuple[Any, ...]:
        """Return a copy of the state, which does not change when the object changes."""
        return tuple(_saved(getattr(self, name)) for name in type(self).first_values)

    def restore(self, state: tuple[Any, ...]) -> None:
        """Restore a state that `save` returned."""
        for name, value in zip(type(self).first_values, state, strict=True):
            if isinstance(value, tuple):  # the state of another object
                getattr(self, name).restore(value)
            else:
                setattr(self, name, copy.copy(value) if isinstance(value, (list, deque, dict)) else value)


class Kernel(SavableState):
    """A stateful built-in at one call site."""

    reads: ClassVar[tuple[str, ...]] = ()
    fixed: ClassVar[tuple[int, ...]] = ()
    """The positions of the arguments that stay the same when `at_once` is called, such as a length."""

    def column(self, bars: int, series: Sequence[Any]) -> list[Any]:
        """Return the results of the call on the first `bars` bars. `series` are whole columns, or values that stay the
        same. The state is then the same as after a call on each of these bars."""
        are_columns = all(isinstance(each, list) != (place in self.fixed) for place, each in enumerate(series))
        found = self.at_once(bars, series) if are_columns and not getattr(self, "series_length", False) else None
        if found is not None:
            return found
        call: Any = self
        return list(map(call, range(bars), *(each if isinstance(each, list) else repeat(each) for each in series)))

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any] | None:
        """Return the same results as `column`, in less time than calls take; None if they must be computed call by
        call."""
        return None


class BarWindow(Kernel):
    """A stateful built-in over the last bars of its source. A bar on which it was not called repeats the value before
    it. `values` has the values of the bars since the first call, oldest first, but only as many as can be read."""

    function: ClassVar[str] = ""
    """The function's name in TradingView's messages."""
    values: list[float]
    bar: int = -1
    given: float = NA
    length: int = 0
    series_length: bool
    keep: int = 1

    def __init__(self, series_length: bool = False) -> None:
        super().__init__(series_length)
        if series_length:
            self.keep = HISTORY_LIMIT

    def change_length(self, length: float) -> None:
        """Set a length that differs from the last call's length."""
        self.length = checked_window(length, self.function)
        self.given = length
        self.keep = max(self.keep, self.length + 1)

    def write(self, i: int, value: float) -> list[float]:
        """Store `value` for bar `i`, and return the values of the bars since the first call."""
        values = self.values
        if i != self.bar + 1:
            self._skip(i)
        self.bar = i
        values.append(value)
        if len(values) > 2 * self.keep:
            del values[: -self.keep]
        return values

    def passed(self, bars: int, source: Sequence[float], first: int = 0) -> None:
        """Set the state as if the built-in had been called on each bar from `first` up to, but excluding, `bars`."""
        self.values = list(source[max(first, bars - self.keep) : bars])
        self.bar = bars - 1

    def _skip(self, i: int) -> None:
        """Handle a bar that is not the next one: repeat the value for skipped bars, or remove it if the same bar runs
        again."""
        values = self.values
        if i <= self.bar:
            del values[-1:]
        elif values:
            for _ in range(min(i - self.bar - 1, self.keep)):
                values.append(values[-1])


class Ring(SavableState):
    """A ring buffer of the last values, for a window whose length is known before the first bar.

    It has one slot more than the length; a bar's index selects its slot. If the call did not run on a bar, its slot
    still has the value of an older bar, or 0.0. `slots` has each slot twice, so that every window is one slice.
    """

    at: int = 0
    """The slot that was written last."""
    size: int = 0
    slots: list[float]

    def grow(self, i: int, length: int) -> None:
        """Make room for `length` bars before bar `i` is written. The stored values stay with their bars."""
        if length < self.size:
            return
        size = length + 1
        self.slots = [self._back(i - 1, (i - 1 - k) % size) for k in range(2 * size)]
        self.size = size
        self.go_before(i)

    def go_before(self, i: int) -> None:
        """Move the write position so that bar `i` is written next."""
        self.at = (i - 1) % self.size

    def _back(self, i: int, bars: int) -> float:
        """The value `bars` before bar `i`; 0.0 if it is not stored."""
        return self.slots[(i - bars) % self.size] if bars < self.size else 0.0

    def write(self, i: int, value: float) -> None:
        """Store the value of bar `i`."""
        self.go_before(i + 1)
        self.slots[self.at] = value
        self.slots[self.at + self.size] = value

    def window(self, i: int, length: int) -> list[float]:
        """Return the slots of the last `length` bars up to bar `i`, oldest first."""
        start = (i - length + 1) % self.size
        return self.slots[start : start + length]


def _saved(value: Any) -> Any:
    if isinstance(value, SavableState):
        return value.save()
    if isinstance(value, (list, deque, dict)):
        return copy.copy(value)
    return value
