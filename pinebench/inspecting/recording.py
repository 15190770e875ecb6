"""Keeps the values of a run: of every name and call at the end of every bar, and of every call site of a function.

Numbers are columns of 8 bytes a value. Of texts, colours, collections, objects and drawings, only the changes are kept.
If the values need more memory than the budget, the oldest bars are dropped.
"""

from __future__ import annotations

import struct
from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, NamedTuple

from pinebench.inspecting.freezing import Freezer, size_of
from pinebench.runtime import UNSET, Code, Generated, ir

MEMORY = 256 << 20
"""The bytes that the values of a run may take by default."""
_CHUNK = 512
"""The number of bars that are packed together, and dropped together."""
_MOST_SITES = 5000
"""The number of call sites whose values are kept."""
_BITS = b"\x01\x00\x00\x00\x00\x00\xf8\x7f"
_GONE: float = struct.unpack("<d", _BITS)[0]
"""A nan that means: the code did not run on this bar."""
_PLAIN = frozenset((str, int, type(None)))
_PACKED = ("int", "float", "bool")
GLOBAL = -1
"""The number of the global code, in place of a call site."""
_BEYOND = -2


class NotRun:
    """The value of a name whose code did not run on a bar."""

    def __repr__(self) -> str:
        return "not run"


NOT_RUN = NotRun()


class Site(NamedTuple):
    """A call of a function of the script: its line and its text."""

    line: int
    text: str


@dataclass(frozen=True)
class Name:
    """A name of the script, or a call in it, at one place.

    `line` is the line of its declaration, or of the call; 0 in a library. `function` is the function around it, empty
    for the global code. `site` are the calls that lead to this copy of the function, the outermost first. `mode` is
    `var`, `varip`, `input`, `parameter` or empty. `name` of a call is its text.
    """

    name: str
    line: int
    type: str
    mode: str
    function: str
    site: tuple[Site, ...]
    is_call: bool
    key: tuple[int, int]
    """The number of the name or call, and the number of the call site."""


@dataclass
class _Chunk:
    first: int
    count: int
    columns: dict[int, Any]
    calls: dict[int, tuple[array[int], dict[int, Any]]]
    changes: dict[tuple[int, int], list[tuple[int, Any]]]
    size: int


@dataclass
class Recording:
    """The values of one run; a `Recorder` of the runtime. `memory` is the budget in bytes."""

    memory: int = MEMORY
    calls: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    steps: bool = False
    first: int = 0
    """The first bar whose values are kept."""
    bars: int = 0
    """The number of bars that ended."""
    sites: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    """The function and the path of each call site."""

    def begin(self, code: Code, generated: Generated) -> None:
        """Begin with the first bar. Earlier values are forgotten."""
        self._module = code.module
        self._kept = code.module.kept
        self._functions = {function.number: function.name for function in code.module.functions}
        units = [code.module.unit, *(function.unit for function in code.module.functions)]
        states = (state for unit in units for state in unit.state if isinstance(state, ir.CallState))
        self._sites = {state.number: Site(state.line, state.text) for state in states}
        self._layout = generated.layout
        self._freezer = Freezer({type_.code: type_ for type_ in code.types})
        self._followed = [(place, (k, GLOBAL)) for place, k in self._changing(generated.layout.bar)]
        self._followed_in = {number: self._changing(keys) for number, keys in generated.layout.calls.items()}
        self.calls.clear()
        self.first = self.bars = 0
        self.sites = []
        self._fixed: dict[int, Any] = {}
        self._columns: dict[int, list[Any]] = {}
        self._chunks: deque[_Chunk] = deque()
        self._size = 0
        self._rows: list[tuple[Any, ...]] = []
        self._begun = 0
        """The bar of the first row that is not packed yet."""
        self._called: list[tuple[int, dict[int, tuple[Any, ...]]]] = []
        self._changes: dict[tuple[int, int], list[tuple[int, Any]]] = {}
        self._open: _Chunk | None = None
        self.has_too_many_sites = False

    def _changing(self, keys: list[int]) -> list[tuple[int, int]]:
        return [(place, k) for place, k in enumerate(keys) if self._kept[k].kind not in _PACKED]

    # what the generated code calls

    def site(self, function: int, path: tuple[int, ...]) -> int:
        """The number of a new copy of a function."""
        if len(self.sites) >= _MOST_SITES:
            self.has_too_many_sites = True
            return _BEYOND
        self.sites.append((function, path))
        return len(self.sites) - 1

    def fixed(self, k: int, value: Any) -> None:
        """Keep a value that is the same on all bars."""
        self._fixed[k] = self._freezer.frozen(value)

    def column(self, k: int, values: list[Any]) -> None:
        """Keep a column that is computed ahead."""
        self._columns[k] = values

    def bar(self, i: int, values: tuple[Any, ...]) -> None:
        """Keep the values at the end of a bar. If the bar ended before, its values are replaced."""
        rows, calls = self._rows, self.calls
        if i < self._begun + len(rows):
            self._forget(i)
        elif len(rows) >= _CHUNK:
            self._pack()
            rows = self._rows
        rows.append(values)
        self.bars = i + 1
        self._open = None
        self._freezer.renew()
        changes = self._changes
        for place, key in self._followed:
            known = changes.get(key)
            if known is None or known[-1][1] is not values[place]:
                self._follow(key, i, values[place])
        if calls:
            if self._followed_in:
                self._follow_calls(i, calls)
            self._called.append((i, calls.copy()))
            calls.clear()

    def failed(self, fault: BaseException, traceback: TracebackType | None) -> None:
        """Do nothing: the values until the error are kept."""

    def _follow_calls(self, i: int, calls: dict[int, tuple[Any, ...]]) -> None:
        for number, row in calls.items():
            if number >= 0:
                for place, k in self._followed_in.get(self.sites[number][0], ()):
                    self._follow((k, number), i, row[place])

    def _follow(self, key: tuple[int, int], i: int, value: Any) -> None:
        changes = self._changes.get(key)
        if value is not UNSET and value.__class__ not in _PLAIN:
            value = self._freezer.frozen(value)
        if changes is None:
            self._changes[key] = [(i, value)]
        elif not _is_equal(changes[-1][1], value):
            changes.append((i, value))

    def _forget(self, i: int) -> None:
        """Forget the values of the last bar, which runs again."""
        self._rows.pop()
        if self._called and self._called[-1][0] == i:
            self._called.pop()
        for key, changes in list(self._changes.items()):
            if changes[-1][0] == i:
                changes.pop()
                if not changes:
                    del self._changes[key]

    # packing

    def _pack(self) -> None:
        made = self._chunk()
        self._chunks.append(made)
        self._size += made.size
        self._begun += len(self._rows)
        self._rows, self._called = [], []
        self._changes = {key: [(self._begun, changes[-1][1])] for key, changes in self._changes.items()}
        while self._size > self.memory and len(self._chunks) > 1:
            self._size -= self._chunks.popleft().size
            self.first = self._chunks[0].first

    def _chunk(self) -> _Chunk:
        """The rows that are not packed yet as a chunk."""
        packed = [(place, k) for place, k in enumerate(self._layout.bar) if self._kept[k].kind in _PACKED]
        whole = list(zip(*self._rows, strict=True))
        columns = {k: _packed(whole[place]) for place, k in packed} if whole else {}
        size = 8 * len(packed) * len(self._rows)
        gathered: dict[int, tuple[array[int], list[tuple[Any, ...]]]] = {}
        for i, calls in self._called:
            for number, row in calls.items():
                if number not in gathered:
                    gathered[number] = array("i"), []
                gathered[number][0].append(i)
                gathered[number][1].append(row)
        gathered.pop(_BEYOND, None)
        made: dict[int, tuple[array[int], dict[int, Any]]] = {}
        for number, (bars, rows) in gathered.items():
            keys = self._layout.calls.get(self.sites[number][0], [])
            whole = list(zip(*rows, strict=True))
            kept = [(place, k) for place, k in enumerate(keys) if self._kept[k].kind in _PACKED]
            made[number] = bars, {k: _packed(whole[place]) for place, k in kept}
            size += len(bars) * (4 + 8 * len(kept))
        seen: set[int] = set()
        size += sum([size_of(value, seen) for changes in self._changes.values() for _, value in changes])
        return _Chunk(self._begun, len(self._rows), columns, made, self._changes, size)

    # reading

    def fixed_value(self, k: int) -> Any:
        """The value of a name that is the same on all bars, by its number; UNSET for other names."""
        return self._freezer.read(self._fixed[k]) if k in self._fixed else UNSET

    @property
    def size(self) -> int:
        """About how many bytes the values take."""
        return self._size + (self._last().size if self._rows else 0)

    @property
    def dropped(self) -> list[str]:
        """Sentences about what was not kept, and why."""
        told: list[str] = []
        if self.first:
            told.append(
                f"the values before bar {self.first} were dropped: all values need more than {self.memory >> 20} MiB"
            )
        if self.has_too_many_sites:
            told.append(f"only the first {_MOST_SITES} call sites of functions were kept")
        return told

    def names(self) -> list[Name]:
        """All names and calls, in the order of the script; a name in a function once for each call site."""
        by_unit: dict[int, list[int]] = {}
        for n, (function, _) in enumerate(self.sites):
            by_unit.setdefault(function, []).append(n)
        numbers = {function.unit: function.number for function in self._module.functions}
        found: list[Name] = []
        for k, kept in enumerate(self._kept):
            number = numbers.get(kept.unit)
            line = kept.line if kept.start is not None else 0
            common = (kept.name, line, kept.type, kept.mode)
            if number is None:
                found.append(Name(*common, "", (), kept.is_call, (k, GLOBAL)))
                continue
            for n in by_unit.get(number, ()):
                site = tuple(self._sites[each] for each in self.sites[n][1])
                found.append(Name(*common, self._functions[number], site, kept.is_call, (k, n)))
        return sorted(found, key=lambda name: (name.site, name.key[1], name.line))

    def value(self, name: Name, bar: int) -> Any:
        """The value of a name at the end of a bar: na is nan or None, and NOT_RUN if its code did not run.

        Raises IndexError for a bar that did not end, or whose values were dropped.
        """
        return self.at(name.key, bar)

    def at(self, key: tuple[int, int], bar: int) -> Any:
        """The value of a name by its key, as `value` returns it."""
        if not self.first <= bar < self.bars:
            raise IndexError(bar)
        return self._freezer.read(self._copy(key, bar))

    def _copy(self, key: tuple[int, int], bar: int) -> Any:
        k, n = key
        if k in self._fixed:
            return self._fixed[k]
        if k in self._columns:
            return self._settled(self._columns[k][bar])
        chunk = self._chunk_of(bar)
        if n == GLOBAL:
            column, place = chunk.columns.get(k), bar - chunk.first
        else:
            bars, columns = chunk.calls.get(n, (array("i"), {}))
            place = bisect_right(bars, bar) - 1
            if place < 0 or bars[place] != bar:
                return NOT_RUN
            column = columns.get(k)
        if column is None:
            return _at(chunk.changes.get((k, n), ()), bar)
        return _unpacked(column[place], self._kept[k].kind)

    def _settled(self, value: Any) -> Any:
        """A value of a column that was computed ahead, as a copy: of a function with several results, it is a tuple."""
        if value.__class__ is not tuple:
            return value
        self._freezer.renew()
        return self._freezer.frozen(value)

    def values(self, name: Name, first: int | None = None) -> Iterator[tuple[int, Any]]:
        """Each kept bar from `first` on with the value of a name."""
        for bar in range(max(self.first, first or 0), self.bars):
            yield bar, self.value(name, bar)

    def changes(self, name: Name, first: int = 0, last: int | None = None) -> Iterator[tuple[int, Any]]:
        """The bars from `first` to `last` on which the value of a name differs from the bar before, and the first of
        these bars that is kept. Without `last`, the bars go to the end.
        """
        before: Any = UNSET
        for bar in range(max(self.first, first), self.bars if last is None else min(self.bars, last + 1)):
            copy = self._copy(name.key, bar)
            if before is UNSET or not is_same(before, copy):
                yield bar, self._freezer.read(copy)
            before = copy

    def changed(self, key: tuple[int, int], bar: int) -> int:
        """The last bar up to `bar` on which a value differs from the bar before, or the first kept bar.

        Raises IndexError like `value`.
        """
        if not self.first <= bar < self.bars:
            raise IndexError(bar)
        if key[0] in self._fixed:
            return self.first
        value = self._copy(key, bar)
        while bar > self.first:
            bar = self._run_start(key, bar)
            if bar > self.first and not is_same(self._copy(key, bar - 1), value):
                return bar
            bar -= 1
        return self.first

    def declared(self) -> list[tuple[int, int]]:
        """The number of each name of the script itself, and the offset of its declaration in the text."""
        return [(k, kept.start) for k, kept in enumerate(self._kept) if not kept.is_call and kept.start is not None]

    def changes_next(self, key: tuple[int, int], bar: int) -> int | None:
        """The first bar after `bar` on which a value differs from the bar before; None if there is none.

        Raises IndexError like `value`.
        """
        if not self.first <= bar < self.bars:
            raise IndexError(bar)
        before = self._copy(key, bar)
        for later in range(bar + 1, self.bars):
            if not is_same(before, self._copy(key, later)):
                return later
        return None

    def _run_start(self, key: tuple[int, int], bar: int) -> int:
        """A bar from which on a column of numbers has the same value up to `bar`, as far as a look at whole parts of it
        finds one; `bar` itself otherwise."""
        k, n = key
        if n != GLOBAL or k in self._columns:
            return bar
        chunk = self._chunk_of(bar)
        column = chunk.columns.get(k)
        if isinstance(column, array):
            place = bar - chunk.first
            whole = column[: place + 1].tobytes()
            return chunk.first if whole == whole[-8:] * (place + 1) else bar
        changes = chunk.changes.get(key, ())
        place = bisect_right(changes, bar, key=lambda change: change[0]) - 1
        return max(changes[place][0], chunk.first) if place >= 0 else bar

    def since(self, name: Name, bar: int, most: int) -> int | None:
        """The first bar since which a name has had its value on `bar`; None if that was more than `most` bars before.

        Raises IndexError for a bar that did not end, or whose values were dropped.
        """
        if not self.first <= bar < self.bars:
            raise IndexError(bar)
        copy = self._copy(name.key, bar)
        for earlier in range(bar - 1, bar - most - 2, -1):
            if earlier < self.first:
                return earlier + 1 if not self.first else None
            if not is_same(copy, self._copy(name.key, earlier)):
                return earlier + 1
        return None

    def _last(self) -> _Chunk:
        if self._open is None:
            self._open = self._chunk()
        return self._open

    def _chunk_of(self, bar: int) -> _Chunk:
        if bar >= self._begun:
            return self._last()
        return self._chunks[(bar - self._chunks[0].first) // _CHUNK]


def _packed(values: tuple[Any, ...]) -> Any:
    """A column of numbers; a list if a value is not a number."""
    try:
        return array("d", values)
    except (TypeError, OverflowError):
        pass
    if UNSET not in values:
        return list(values)
    try:
        return array("d", [_GONE if value is UNSET else value for value in values])
    except (TypeError, OverflowError):
        return [NOT_RUN if value is UNSET else value for value in values]


def _unpacked(value: Any, kind: str) -> Any:
    if value.__class__ is not float:
        return value
    if value != value:
        return NOT_RUN if struct.pack("<d", value) == _BITS else value
    if kind == "bool":
        return bool(value)
    return int(value) if kind == "int" and value.is_integer() else value


def _at(changes: Any, bar: int) -> Any:
    place = bisect_right(changes, bar, key=lambda change: change[0]) - 1
    value = changes[place][1] if place >= 0 else UNSET
    return NOT_RUN if value is UNSET else value


def is_same(one: Any, other: Any) -> bool:
    """Whether two values, or copies of collections and objects, are equal; na is equal to na."""
    if one.__class__ is tuple and other.__class__ is tuple:
        return len(one) == len(other) and all(map(is_same, one, other))
    return _is_equal(one, other)


def _is_equal(one: Any, other: Any) -> bool:
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    return one == other or (one != one and other != other)
