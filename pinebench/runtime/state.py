"""State that generated code keeps beside its variables, and how everything that can change is rolled back."""

from __future__ import annotations

from typing import Any, Protocol

from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.library.collections import Array
from pinebench.runtime.values import past


class Keeper(Protocol):
    """Something that can be saved, and restored any number of times."""

    def save(self) -> Any: ...

    def restore(self, state: Any, /) -> None: ...


class _Unset:
    """What a variable holds before its first assignment."""


UNSET = _Unset()


class Recorder:
    """The earlier values of one expression, one for each bar on which it was evaluated."""

    __slots__ = ("bar", "empty", "history", "value")

    def __init__(self, empty: Any) -> None:
        self.history: list[Any] = []
        self.bar = -1
        self.empty = empty
        self.value: Any = empty

    def __call__(self, i: int, value: Any, offset: float) -> Any:
        """Take this bar's value and give that of `offset` evaluations before."""
        if i != self.bar:
            if self.bar >= 0:
                self.history.append(self.value)
            self.bar = i
        self.value = snapshot(value)
        return past(self.history, offset, value, self.empty)

    def save(self) -> tuple[int, int, Any]:
        return len(self.history), self.bar, self.value

    def restore(self, state: tuple[int, int, Any]) -> None:
        length, self.bar, self.value = state
        del self.history[length:]


def _refuse(*_: Any, **__: Any) -> Any:
    raise RuntimeFault("RE10051")


class HistoricItems(list[Any]):
    """The elements of an array as they were on an earlier bar, which a script may read and not change."""

    append = extend = insert = pop = remove = clear = sort = reverse = _refuse  # type: ignore[assignment]
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse  # type: ignore[assignment]


def snapshot(value: Any) -> Any:
    """What history keeps of a value: of a collection a copy that cannot be changed."""
    if isinstance(value, Array):
        return Array(HistoricItems(value.items))
    return value
