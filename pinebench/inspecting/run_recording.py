"""Records the values of a run: of every name and call, at the end of every bar and for every call site of a function.

Numbers are columns with 8 bytes for each value. For strings, colours, collections, objects and drawings, only the
changes are recorded. If the values need more memory than the limit, the oldest bars are dropped. Columns that the run
computed in advance are copied like all other values, so that the limit holds for them too.
"""

from __future__ import annotations

import struct
import sys
from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from types import TracebackType
from typing import Any, NamedTuple

from pinebench.inspecting.content_changes import Follower, Track
from pinebench.inspecting.frozen_values import SCALARS, Freezer, with_colors
from pinebench.runtime import UNSET, ArraySlice, ExecutableCode, GeneratedModule, ir

MEMORY = 256 << 20
"""The default memory limit for the values of a run, in bytes."""
_CHUNK, _LEAST = 2048, 64
"""The largest number of bars that are packed together, and dropped together. The budget can make it smaller, but not
smaller than the second number."""
_MOST_SITES = 5000
"""The largest number of call sites whose values are recorded."""
_BITS = b"\x01\x00\x00\x00\x00\x00\xf8\x7f"
_GONE: float = struct.unpack("<d", _BITS)[0]
"""The NaN for a bar on which the code did not run."""
_MOST_SLICES = 64
"""A part of the run ends after this many new slices in objects and tuples, since all of them are compared again."""
_NO_LIMIT = float("inf")
_NEVER = object()
"""Marks a cell without a last value."""
_PART = 3
"""The values that are not packed take at most about the budget's bytes divided by 2 to this power."""
_CHANGE, VALUE = 88, 40
"""The approximate bytes of a change besides its value, and of a value that is not packed."""
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
class InspectedName:
    """A name of the script, or a call in it, at one call site.

    `line` is the line of its declaration or of the call, or 0 in a library. `function` is the function around it, or
    empty for the global code. `site` lists the calls that lead to this copy of the function, the outermost first.
    `mode` is `var`, `varip`, `input`, `parameter` or empty. The `name` of a call is its text.
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


class _Cell:
    """A value in the rows that changes in place: its index in the row, its last value, and its changes as tracks."""

    __slots__ = ("changes", "index", "last")

    def __init__(self, index: int) -> None:
        self.index = index
        self.last: Any = _NEVER
        self.changes: list[tuple[int, Any]] = []


@dataclass
class _Chunk:
    first: int
    count: int
    columns: dict[int, Any]
    calls: dict[int, tuple[array[int], dict[int, Any]]]
    changes: dict[tuple[int, int], list[tuple[int, Any]]]
    follower: Follower
    size: int


@dataclass
class RunRecording:
    """The recorded values of one run; a `Recorder` of the runtime. `memory` is the limit in bytes."""

    memory: int = MEMORY
    calls: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    touched: set[Any] = field(default_factory=set)
    steps: bool = False
    first: int = 0
    """The first bar whose values are recorded."""
    bars: int = 0
    """The number of bars that ended."""
    sites: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    """The function and the path of each call site."""

    def begin(self, code: ExecutableCode, generated: GeneratedModule) -> None:
        """Prepare for the first bar. Earlier values are dropped."""
        self._module = code.module
        self._kept = code.module.kept
        self._functions = {function.number: function.name for function in code.module.functions}
        units = [code.module.unit, *(function.unit for function in code.module.functions)]
        states = (state for unit in units for state in unit.state if isinstance(state, ir.CallState))
        self._sites = {state.number: Site(state.line, state.text) for state in states}
        self._layout = generated.layout
        self._freezer = Freezer({type_.code: type_ for type_ in code.types})
        self._places = _places(generated.layout.bar)
        self._places_in = {number: _places(keys) for number, keys in generated.layout.calls.items()}
        self._cell_of: dict[tuple[int, int], _Cell] = {}
        self._cells = [self._cell(place, (k, GLOBAL)) for place, k in self._changing(generated.layout.bar)]
        self._changing_in = {number: self._changing(keys) for number, keys in generated.layout.calls.items()}
        self._cells_of: dict[int, list[_Cell]] = {}
        """The cells of each call site that has some."""
        self._cells_ahead: list[tuple[list[Any], _Cell]] = []
        """The columns that are computed ahead and have values that change in place."""
        self.calls.clear()
        self.touched.clear()
        self.first = self.bars = 0
        self.sites = []
        self._fixed: dict[int, Any] = {}
        self._columns: dict[int, list[Any]] = {}
        """The columns of the run that are computed ahead."""
        self._chunks: deque[_Chunk] = deque()
        self._size = 0
        self._begun = 0
        """The bar of the first row that is not packed yet."""
        self._renew()
        self.has_too_many_sites = False

    def _renew(self) -> None:
        self._rows: list[tuple[Any, ...]] = []
        self._called: list[tuple[int, dict[int, tuple[Any, ...]]]] = []
        self._follower = Follower(self._freezer, self.touched)
        self._is_restored = False
        self._limit = _NO_LIMIT
        """The bytes that copies of this part may take: the copies on its first bar, and a part of the budget."""
        self._most_rows, self._most_slices = 1, 0
        self._with_slices: dict[_Cell, None] = {}
        """The cells whose last value is a slice of an array."""
        for cell in self._cell_of.values():
            cell.last, cell.changes = _NEVER, []

    def _cell(self, place: int, key: tuple[int, int]) -> _Cell:
        made = self._cell_of[key] = _Cell(place)
        return made

    def _changing(self, keys: list[int]) -> list[tuple[int, int]]:
        return [(place, k) for place, k in enumerate(keys) if self._kept[k].changes]

    # what the generated code calls

    def site(self, function: int, path: tuple[int, ...]) -> int:
        """Return a new number for a call site: the first call of a function along `path`, the numbers of the calls that
        lead to it."""
        if len(self.sites) >= _MOST_SITES:
            self.has_too_many_sites = True
            return _BEYOND
        self.sites.append((function, path))
        number = len(self.sites) - 1
        if changing := self._changing_in.get(function):
            self._cells_of[number] = [self._cell(place, (k, number)) for place, k in changing]
        return number

    def fixed(self, k: int, value: Any) -> None:
        """Record a value that is the same on all bars, for the name or call with the number `k`."""
        self._fixed[k] = self._freezer.frozen(value)

    def column(self, k: int, values: list[Any]) -> None:
        """Record values that are computed before the bars run, for the name or call with the number `k`."""
        if self._kept[k].changes:
            self._cells_ahead.append((values, self._cell(-1, (k, GLOBAL))))
        else:
            self._columns[k] = values

    def restored(self) -> None:
        """Note that an earlier state was restored, or that requests ran again: on the next bar, all values that can
        change in place are compared with their last copies."""
        self._is_restored = True

    def bar(self, i: int, values: tuple[Any, ...]) -> None:
        """Record the values at the end of a bar. If the bar ended before, its values are replaced."""
        rows, follower = self._rows, self._follower
        if i < self._begun + len(rows):
            self._look_again(i, is_new=False)
        elif len(rows) >= self._most_rows or follower.size > self._limit or follower.slices > self._most_slices:
            self._pack()
            rows, follower = self._rows, self._follower
        elif self._is_restored:
            self._look_again(i, is_new=True)
        rows.append(values)
        self.bars = i + 1
        follower.end = i
        if self.touched:
            follower.update(i, [cell.last for cell in self._with_slices])
        for cell in self._cells:
            value = values[cell.index]
            if value is not cell.last:
                self._follow(cell, i, value)
        for column, cell in self._cells_ahead:
            if column[i] is not cell.last:
                self._follow(cell, i, column[i])
        if self.calls:
            self._keep_calls(i)
        if self._limit is _NO_LIMIT:
            self._set_limits()

    def _set_limits(self) -> None:
        """Set the limits at which recorded rows are packed. It is called at the end of the first bar of a part of the
        run."""
        most = self.memory >> _PART
        self._limit = self._follower.size + most
        self._most_slices = self._follower.slices + _MOST_SLICES
        width = self._width + sum([len(self._places_in.get(function, ())) for function, _ in self.sites])
        self._most_rows = min(_CHUNK, max(_LEAST, most // (VALUE * max(width, 1))))

    @property
    def _width(self) -> int:
        """The number of values of the global code on a bar that is not packed yet."""
        return len(self._layout.bar) + len(self._columns)

    def failed(self, fault: BaseException, traceback: TracebackType | None) -> None:
        """Do nothing: the values before the error stay recorded."""

    def _keep_calls(self, i: int) -> None:
        calls = self.calls
        cells_of = self._cells_of
        for number, row in calls.items() if cells_of else ():
            for cell in cells_of.get(number, ()):
                if row[cell.index] is not cell.last:
                    self._follow(cell, i, row[cell.index])
        self._called.append((i, calls.copy()))
        calls.clear()

    def _follow(self, cell: _Cell, i: int, value: Any) -> None:
        cell.last = value
        if value.__class__ is ArraySlice:
            self._with_slices[cell] = None
        elif self._with_slices:
            self._with_slices.pop(cell, None)
        if value is not UNSET and value.__class__ not in SCALARS:
            value = self._follower.track(value, i)
        changes = cell.changes
        if not changes or changes[-1][1] is not value:
            changes.append((i, value))

    def _look_again(self, i: int, *, is_new: bool) -> None:
        """Compare all values that change in place. The values of a bar that runs again are dropped first."""
        self._is_restored = False
        for cell in self._cell_of.values():
            cell.last = _NEVER
            if not is_new and cell.changes and cell.changes[-1][0] == i:
                cell.changes.pop()
        if not is_new:
            self._rows.pop()
            if self._called and self._called[-1][0] == i:
                self._called.pop()
        self._follower.again(i, is_new)

    # packing

    def end(self) -> None:
        """Pack the last values, and release the columns of the run. No bar may run after this."""
        if self._rows:
            self._pack()
        self._columns, self._cells_ahead = {}, []

    def _pack(self) -> None:
        made = self._chunk()
        self._chunks.append(made)
        self._size += made.size
        self._begun += len(self._rows)
        self._follower.end = self._begun
        self._follower.rest()
        self._renew()
        while self._size > self.memory and len(self._chunks) > 1:
            self._size -= self._chunks.popleft().size
            self.first = self._chunks[0].first

    def _chunk(self) -> _Chunk:
        """Return the rows that are not packed yet as a chunk."""
        changes = {key: cell.changes for key, cell in self._cell_of.items() if cell.changes}
        bars = range(self._begun, self.bars)
        ahead = ((k, values[self._begun : self.bars]) for k, values in self._columns.items())
        found = chain(_by_key(self._layout.bar, self._rows), ahead)
        columns, size = self._columns_of(found, GLOBAL, bars, changes)
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
            packed, more = self._columns_of(_by_key(keys, rows), number, bars, changes)
            made[number] = bars, packed
            size += more + 4 * len(bars)
        size += self._follower.size
        return _Chunk(self._begun, len(self._rows), columns, made, changes, self._follower, size)

    def _columns_of(
        self,
        found: Iterable[tuple[int, Sequence[Any]]],
        number: int,
        bars: Sequence[int],
        changes: dict[tuple[int, int], list[tuple[int, Any]]],
    ) -> tuple[dict[int, Any], int]:
        """Return the packed columns of numbers, and the columns of strings, colours and tuples that change often. The
        changes of the others are added to `changes`. Also return about how many bytes all of them take."""
        columns: dict[int, Any] = {}
        size = 0
        for k, values in found:
            kept = self._kept[k]
            if kept.kind in _PACKED:
                columns[k] = _packed(values)
                size += 8 * len(values)
            elif not kept.changes:
                changed = _changes_in(values, bars)
                size += _bytes_of([value for _, value in changed])
                if _CHANGE * len(changed) > 8 * len(values):
                    columns[k] = [*values]
                    size += 8 * len(values)
                else:
                    changes[k, number] = changed
                    size += _CHANGE * len(changed)
        return columns, size

    # reading

    def fixed_value(self, k: int) -> Any:
        """Return the value of the name with the number `k` if it is the same on all bars, otherwise UNSET."""
        return self._read((k, GLOBAL), self._fixed[k]) if k in self._fixed else UNSET

    @property
    def size(self) -> int:
        """The approximate number of bytes of the values."""
        calls = sum([len(row) for _, calls in self._called for row in calls.values()])
        return self._size + self._follower.size + VALUE * (len(self._rows) * self._width + calls)

    @property
    def dropped(self) -> list[str]:
        """Sentences about values that were not recorded, with the reason."""
        told: list[str] = []
        if self.first:
            told.append(
                f"the values before bar {self.first} were dropped: all values need more than {self.memory >> 20} MiB"
            )
        if self.has_too_many_sites:
            told.append(f"only the first {_MOST_SITES} call sites of functions were recorded")
        return told

    def names(self) -> list[InspectedName]:
        """Return all names and calls by call site, the global code first, and within a site by line. So a name in a
        function is listed once for each call site."""
        by_unit: dict[int, list[int]] = {}
        for n, (function, _) in enumerate(self.sites):
            by_unit.setdefault(function, []).append(n)
        numbers = {function.unit: function.number for function in self._module.functions}
        found: list[InspectedName] = []
        for k, kept in enumerate(self._kept):
            number = numbers.get(kept.unit)
            line = kept.line if kept.start is not None else 0
            common = (kept.name, line, kept.type, kept.mode)
            if number is None:
                found.append(InspectedName(*common, "", (), kept.is_call, (k, GLOBAL)))
                continue
            for n in by_unit.get(number, ()):
                site = tuple(self._sites[each] for each in self.sites[n][1])
                found.append(InspectedName(*common, self._functions[number], site, kept.is_call, (k, n)))
        return sorted(found, key=lambda name: (name.site, name.key[1], name.line))

    def value(self, name: InspectedName, bar: int) -> Any:
        """Return the value of a name at the end of a bar. It is nan or None for na, and NOT_RUN if its code did not
        run. Raises IndexError for a bar that did not end, or whose values were dropped."""
        return self.at(name.key, bar)

    def at(self, key: tuple[int, int], bar: int) -> Any:
        """Return the value of a name by its key (`InspectedName.key`), in the same form as `value`. Raises IndexError
        for a bar that is not recorded."""
        if not self.first <= bar < self.bars:
            raise IndexError(bar)
        return self._read(key, self._copy(key, bar))

    def _read(self, key: tuple[int, int], copy: Any) -> Any:
        return with_colors(self._freezer.read(copy), self._kept[key[0]].type)

    def _copy(self, key: tuple[int, int], bar: int) -> Any:
        k, n = key
        if k in self._fixed:
            return self._fixed[k]
        if bar >= self._begun:
            return self._recent(key, bar)
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
            return self._at(chunk.follower, chunk.changes.get(key, ()), bar)
        kind = self._kept[k].kind
        return _unpacked(column[place], kind) if kind in _PACKED else self._settled(column[place])

    def _recent(self, key: tuple[int, int], bar: int) -> Any:
        """Return the copy of a value on a bar that is not packed yet."""
        k, n = key
        if k in self._columns:
            return _settled_number(self._settled(self._columns[k][bar]), self._kept[k].kind)
        row: tuple[Any, ...] | None = None
        if n == GLOBAL:
            row, place = self._rows[bar - self._begun], self._places.get(k)
        else:
            at = bisect_right(self._called, bar, key=lambda called: called[0]) - 1
            if at >= 0 and self._called[at][0] == bar:
                row = self._called[at][1].get(n)
            if row is None:
                return NOT_RUN
            place = self._places_in[self.sites[n][0]].get(k)
        if self._kept[k].changes:
            return self._at(*self._changes_of(key, bar), bar)
        return NOT_RUN if place is None else _settled_number(self._settled(row[place]), self._kept[k].kind)

    def _changes_of(self, key: tuple[int, int], bar: int) -> tuple[Follower, list[tuple[int, Any]]]:
        """Return the changes of a value that changes in place, in the part of the run that contains a bar."""
        if bar >= self._begun:
            cell = self._cell_of.get(key)
            return self._follower, cell.changes if cell is not None else []
        chunk = self._chunk_of(bar)
        return chunk.follower, chunk.changes.get(key, [])

    def _at(self, follower: Follower, changes: Any, bar: int) -> Any:
        """Return the copy on a bar that `changes` give."""
        place = bisect_right(changes, bar, key=lambda change: change[0]) - 1
        value = changes[place][1] if place >= 0 else UNSET
        return follower.read(value, bar) if value.__class__ is Track else self._settled(value)

    def _settled(self, value: Any) -> Any:
        """Return a copy of a value that does not change in place; a tuple for a function with several results."""
        if value.__class__ in SCALARS:
            return value
        if value is UNSET:
            return NOT_RUN
        return self._freezer.frozen(value)

    def values(self, name: InspectedName, first: int | None = None) -> Iterator[tuple[int, Any]]:
        """Yield each recorded bar from `first` on with the value of a name."""
        for bar in range(max(self.first, first or 0), self.bars):
            yield bar, self.value(name, bar)

    def changes(self, name: InspectedName, first: int = 0, last: int | None = None) -> Iterator[tuple[int, Any]]:
        """Yield the bars from `first` to `last` on which the value of a name differs from the bar before, with the
        value. The first recorded bar of this range is included too. Without `last`, the range ends with the last
        bar."""
        before: Any = UNSET
        for bar in range(max(self.first, first), self.bars if last is None else min(self.bars, last + 1)):
            copy = self._copy(name.key, bar)
            if before is UNSET or not is_same(before, copy):
                yield bar, self._read(name.key, copy)
            before = copy

    def changed(self, key: tuple[int, int], bar: int) -> int:
        """Return the last bar up to `bar` on which the value of a name differs from the bar before, or the first
        recorded bar. Raises IndexError like `value`."""
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
        """Return the number of each name of the script itself, and the offset of its declaration in the text."""
        return [(k, kept.start) for k, kept in enumerate(self._kept) if not kept.is_call and kept.start is not None]

    def changes_next(self, key: tuple[int, int], bar: int) -> int | None:
        """Return the first bar after `bar` on which the value of a name differs from the bar before, or None.

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
        """Return a bar since which a value has been the same up to `bar`, as far as it can be found quickly; otherwise
        `bar`."""
        k, n = key
        if n != GLOBAL:
            return bar
        if self._kept[k].changes:
            follower, changes = self._changes_of(key, bar)
            place = bisect_right(changes, bar, key=lambda change: change[0]) - 1
            return max(changes[place][0], follower.since(changes[place][1], bar)) if place >= 0 else bar
        if bar >= self._begun:
            return self._recent_start(k, bar)
        chunk = self._chunk_of(bar)
        column = chunk.columns.get(k)
        if isinstance(column, array):
            place = bar - chunk.first
            whole = column[: place + 1].tobytes()
            return chunk.first if whole == whole[-8:] * (place + 1) else bar
        changes = chunk.changes.get(key, ())
        place = bisect_right(changes, bar, key=lambda change: change[0]) - 1
        return max(changes[place][0], chunk.first) if place >= 0 else bar

    def _recent_start(self, k: int, bar: int) -> int:
        place, rows = self._places.get(k), self._rows
        if place is None:
            return bar
        at = bar - self._begun
        value = rows[at][place]
        while at and (rows[at - 1][place] is value or rows[at - 1][place] == value):
            at -= 1
        return self._begun + at

    def since(self, name: InspectedName, bar: int, most: int) -> int | None:
        """Return the first bar from which a name has kept the value that it has on `bar`. Return None if that first bar
        is more than `most` bars before `bar`, or no longer recorded.

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

    def _chunk_of(self, bar: int) -> _Chunk:
        return self._chunks[bisect_right(self._chunks, bar, key=lambda chunk: chunk.first) - 1]


def _places(keys: list[int]) -> dict[int, int]:
    return {k: place for place, k in enumerate(keys)}


def _by_key(keys: list[int], rows: list[tuple[Any, ...]]) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """The columns in rows, each with the number of its name."""
    return zip(keys, zip(*rows, strict=True), strict=False)


def _bytes_of(values: list[Any]) -> int:
    items = chain.from_iterable([value for value in values if value.__class__ is tuple])
    return sum(map(sys.getsizeof, values)) + sum(map(sys.getsizeof, items))


def _changes_in(values: Sequence[Any], bars: Sequence[int]) -> list[tuple[int, Any]]:
    """Return the bars on which a value differs from the one before, with the value."""
    found = [(bars[0], values[0])]
    found += [(bar, new) for bar, old, new in zip(bars[1:], values, values[1:], strict=False) if old is not new]
    return found


def _packed(values: Sequence[Any]) -> Any:
    """Return a column of numbers as an array; a list if a value is not a number."""
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


def _settled_number(value: Any, kind: str) -> Any:
    """Return a value that is not packed as it would be after packing."""
    if value.__class__ is float and value == value:
        return _unpacked(value, kind)
    if value.__class__ is int and kind in ("float", "bool"):
        return bool(value) if kind == "bool" else float(value)
    return value


def is_same(one: Any, other: Any) -> bool:
    """Return whether `one` and `other`, two values or copies of collections and objects, are equal; na equals na."""
    if one is other:
        return True
    if one.__class__ is tuple and other.__class__ is tuple:
        return len(one) == len(other) and all(map(is_same, one, other))
    return _is_equal(one, other)


def _is_equal(one: Any, other: Any) -> bool:
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    return one == other or (one != one and other != other)
