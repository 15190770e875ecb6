"""Pine's collections: arrays and slices, matrices, maps. A variable holds a reference to one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pinebench.runtime.faults import RuntimeFault

NA = float("nan")

ARRAY_LIMIT = 100_000
MAP_LIMIT = 50_000


class Array:
    """An array. `items` is the list of its elements."""

    __slots__ = ("items",)

    frozen = False
    """Whether this is the value of a variable on an earlier bar, which cannot be changed."""

    def __init__(self, items: list[Any]) -> None:
        self.items = items

    def writable(self) -> list[Any]:
        """Return the items to change. The caller must then assign the changed list to `items`. Raises RE10051 for an
        array of an earlier bar."""
        if self.frozen:
            raise RuntimeFault("RE10051")
        return self.items


class HistoricalArray(Array):
    """An array as it was on an earlier bar."""

    __slots__ = ()

    frozen = True


class ArraySlice(Array):
    """A part of another array. A change to one also changes the other. If the other array becomes too short, the slice
    has fewer than `size` items until that array grows again."""

    __slots__ = ("parent", "size", "start")

    def __init__(self, parent: Array, start: int, size: int) -> None:
        self.parent = parent
        self.start = start
        self.size = size

    @property
    def frozen(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Whether the array to which the slice belongs cannot be changed."""
        return self.parent.frozen

    @property
    def items(self) -> list[Any]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The current items. Setting them raises RuntimeFault if the other array ends before the slice begins."""
        return self.parent.items[self.start : self.start + self.size]

    @items.setter
    def items(self, items: list[Any]) -> None:
        whole = self.parent.items
        there = len(whole) - self.start
        if there < 0:
            raise RuntimeFault("slice-out-of-bounds")
        whole[self.start : self.start + self.size] = items
        self.size += len(items) - min(self.size, there)
        self.parent.items = whole


class Matrix:
    """A matrix: its `rows`, its number of `columns`, and the value `missing`, the na of its elements."""

    __slots__ = ("columns", "missing", "rows")

    frozen = False
    """Whether this is the value of a variable on an earlier bar, which cannot be changed."""

    def __init__(self, rows: list[list[Any]], columns: int | None = None, missing: Any = NA) -> None:
        self.rows = rows
        self.columns = columns if columns is not None else len(rows[0]) if rows else 0
        self.missing = missing

    def elements(self) -> Iterator[Array]:
        """Yield the rows as arrays, for a loop over the matrix."""
        for row in self.rows:
            yield Array(list(row))

    def numbered(self) -> Iterator[tuple[int, Array]]:
        """Yield the rows as arrays, with their numbers."""
        return enumerate(self.elements())


class HistoricalMatrix(Matrix):
    """A matrix as it was on an earlier bar."""

    __slots__ = ()

    frozen = True


class Map:
    """A map: its `pairs` in the order in which the keys were added, and the value `missing` for unknown keys."""

    __slots__ = ("missing", "pairs")

    def __init__(self, pairs: dict[Any, Any] | None = None, missing: Any = NA) -> None:
        self.pairs: dict[Any, Any] = {} if pairs is None else pairs
        self.missing = missing

    def elements(self) -> Iterator[Any]:
        """Yield the values, for a loop over the map."""
        for _, value in self.numbered():
            yield value

    def numbered(self) -> Iterator[tuple[Any, Any]]:
        """Yield the keys with their values. Raises RuntimeFault if the size of the map changes during the loop."""
        size = len(self.pairs)
        for key in list(self.pairs):
            if len(self.pairs) != size:
                raise RuntimeFault("map-resized")
            yield key, self.pairs[key]
