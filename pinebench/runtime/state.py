"""State that generated code keeps in addition to its variables, and copies of values for the history operator."""

from __future__ import annotations

from typing import Any, Protocol

from pinebench.runtime.library.collections import Array, HistoricalArray, HistoricalMatrix, Map, Matrix
from pinebench.runtime.values import past


class Keeper(Protocol):
    """An object whose state can be saved, and restored any number of times."""

    def save(self) -> Any: ...

    def restore(self, state: Any, /) -> None: ...


class _Unset:
    """The value of a variable before its first assignment."""


UNSET = _Unset()


class Recorder:
    """The earlier values of one expression: for each bar of the chart, the last value up to that bar."""

    __slots__ = ("bar", "empty", "history", "value")

    def __init__(self, empty: Any) -> None:
        self.history: list[Any] = []
        self.bar = -1
        self.empty = empty
        self.value: Any = empty

    def __call__(self, i: int, value: Any, offset: float) -> Any:
        """Store the value of bar `i`, and return the last value up to `offset` bars before."""
        if i != self.bar:
            if self.bar >= 0:
                self.history.append(self.value)
                if i - self.bar > 1:
                    self.history.extend([self.value] * (i - self.bar - 1))
            self.bar = i
        self.value = snapshot(value)
        return past(self.history, offset, value, self.empty)

    def save(self) -> tuple[int, int, Any]:
        return len(self.history), self.bar, self.value

    def restore(self, state: tuple[int, int, Any]) -> None:
        length, self.bar, self.value = state
        del self.history[length:]


def snapshot(value: Any) -> Any:
    """Return the value that history stores; for a collection this is a copy that cannot be changed."""
    if isinstance(value, Array):
        return HistoricalArray(list(value.items))
    if isinstance(value, Matrix):
        return HistoricalMatrix([list(row) for row in value.rows], value.columns, value.missing)
    return Map(dict(value.pairs), value.missing) if isinstance(value, Map) else value
