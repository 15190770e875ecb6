"""The collections of Pine: arrays and slices of them, matrices, maps. Each is a reference to what it holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pinebench.runtime.faults import RuntimeFault

NA = float("nan")

ARRAY_LIMIT = 100_000
MAP_LIMIT = 50_000


def missing_like(value: Any) -> Any:
    """The empty value of the kind that `value` is of: nan of numbers, false of bools, None of all else."""
    if isinstance(value, bool):
        return False
    return NA if isinstance(value, (int, float)) else None


class Array:
    """An array: a reference to its `items`."""

    __slots__ = ("items",)

    frozen = False
    """Whether this is what a variable held on an earlier bar, which cannot be changed."""

    def __init__(self, items: list[Any]) -> None:
        self.items = items

    def writable(self) -> list[Any]:
        """The items, to be changed and given back to `items`; raises RE10051 for those of an earlier bar."""
        if self.frozen:
            raise RuntimeFault("RE10051")
        return self.items


class HistoricalArray(Array):
    """An array as it was on an earlier bar."""

    __slots__ = ()

    frozen = True


class Slice(Array):
    """A part of another array: what is changed in the one changes in the other."""

    __slots__ = ("parent", "size", "start")

    def __init__(self, parent: Array, start: int, size: int) -> None:
        self.parent = parent
        self.start = start
        self.size = size

    @property
    def frozen(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Whether the array it is a part of cannot be changed."""
        return self.parent.frozen

    @property
    def items(self) -> list[Any]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The items as they are now; raises RuntimeFault when the array has become too short."""
        items = self.parent.items
        if self.start + self.size > len(items):
            raise RuntimeFault("slice-out-of-bounds")
        return items[self.start : self.start + self.size]

    @items.setter
    def items(self, items: list[Any]) -> None:
        whole = self.parent.items
        whole[self.start : self.start + self.size] = items
        self.parent.items = whole
        self.size = len(items)


class Matrix:
    """A matrix: its `rows`, the number of its `columns`, and the `missing` value of its elements."""

    __slots__ = ("columns", "missing", "rows")

    frozen = False
    """Whether this is what a variable held on an earlier bar, which cannot be changed."""

    def __init__(self, rows: list[list[Any]], columns: int | None = None, missing: Any = NA) -> None:
        self.rows = rows
        self.columns = columns if columns is not None else len(rows[0]) if rows else 0
        self.missing = missing

    def elements(self) -> Iterator[Array]:
        """The rows, as a loop runs over them."""
        for row in self.rows:
            yield Array(list(row))

    def numbered(self) -> Iterator[tuple[int, Array]]:
        """The rows with their numbers."""
        return enumerate(self.elements())


class HistoricalMatrix(Matrix):
    """A matrix as it was on an earlier bar."""

    __slots__ = ()

    frozen = True


class Map:
    """A map: its `pairs` in the order in which keys came, and the `missing` value of its values."""

    __slots__ = ("missing", "pairs")

    def __init__(self, pairs: dict[Any, Any] | None = None, missing: Any = NA) -> None:
        self.pairs: dict[Any, Any] = {} if pairs is None else pairs
        self.missing = missing

    def elements(self) -> Iterator[Any]:
        """The values, as a loop runs over them."""
        for _, value in self.numbered():
            yield value

    def numbered(self) -> Iterator[tuple[Any, Any]]:
        """The keys with their values; raises RuntimeFault when the map changes its size meanwhile."""
        size = len(self.pairs)
        for key in list(self.pairs):
            if len(self.pairs) != size:
                raise RuntimeFault("map-resized")
            yield key, self.pairs[key]
