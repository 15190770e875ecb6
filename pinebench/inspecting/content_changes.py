"""Records the contents of collections, objects and drawings, which change in place, bar by bar.

A value is copied when it is first reached, and again only on bars on which the script changed it: the generated code,
the functions of the library and the drawings report their changes. A copy is shallow: the values in it have copies of
their own. So an array of objects costs nothing on a bar that changes neither the array nor its objects.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, NamedTuple

from pinebench.inspecting.frozen_values import ARRAY, DEEPEST, MAP, MATRIX, MOST, SCALARS, TUPLE, Freezer, Taker
from pinebench.runtime import Array, ArraySlice, Drawing, EnumMember, Map, Matrix

Shallow = tuple[int, Any, Any]
"""A copy without the contents of the elements: the number of its form, the number of all elements (for a matrix, its
rows and columns), and the first of them, which are plain values or a `Track`."""
_UNKNOWN = object()
_EMPTY = 200
"""The approximate size in bytes of a copy without its elements."""
_ELEMENT = 16


class Track:
    """The history of one value's contents: the bars on which they changed, and a copy for each of these bars."""

    __slots__ = ("bars", "copies", "made", "raw", "take", "value")

    def __init__(self, value: Any, take: Callable[[Any], Any]) -> None:
        self.value = value
        self.take = take
        self.raw: Any = _UNKNOWN
        """The last copy with the elements themselves, to find changes."""
        self.bars: list[int]
        self.copies: list[Any]
        self.made: _ContentCopy | None = None
        """The last whole copy that was read."""


class _ContentCopy(NamedTuple):
    """A complete copy: the bars for which it holds (from `first` to before `stop`), the number of elements in it, and
    its depth."""

    first: int
    stop: int
    copy: Any
    weight: int
    depth: int


class Follower:
    """The histories (`Track`) of all values that were reached in a part of a run. `changed` holds the values that the
    script changed since the last update; other modules add to it. `size` is the copies' approximate size in bytes."""

    def __init__(self, freezer: Freezer, changed: set[Any]) -> None:
        self.changed = changed
        self.size = 0
        self.end = 0
        """The first bar whose contents may still change."""
        self._freezer = freezer
        self._tracks: dict[int, Track] = {}
        self._slices: dict[int, Track] = {}
        """The slices in objects and tuples, by their `id`. They change when another array does."""
        self._pending: list[Track] = []
        self._takers: dict[type, Callable[[Any], Any]] = {}
        self._now = 0
        """The bar on which values are copied."""
        self._left = 0
        self._first = self._stop = self._depth = 0
        self._is_whole = True

    @property
    def slices(self) -> int:
        """The number of array slices that are compared whenever something changes."""
        return len(self._slices)

    def rest(self) -> None:
        """Release the values: this part of the run has ended, and only its copies are read from now on."""
        for track in self._tracks.values():
            track.value = track.raw = None
        self._tracks, self._slices = {}, {}

    # writing

    def track(self, value: Any, i: int) -> Any:
        """Return the `Track` of a value that is reached on bar `i`, or the value itself if it can never change."""
        known = self._tracks.get(id(value))
        if known is not None:
            return known
        self._now = i
        found = self._part(value)
        if self._pending:
            self._copy_pending(i)
        return found

    def update(self, i: int, slices: Iterable[Any] = ()) -> None:
        """Copy the values that changed on bar `i`. `slices` are the array slices held by names."""
        self._now = i
        tracks = self._tracks
        for value in self.changed:
            track = tracks.get(id(value))
            if track is not None:
                self._renew(track, i)
            while value.__class__ is ArraySlice:
                value = value.parent
                self._renew_of(value, i)
        self.changed.clear()
        for value in slices:
            self._renew_of(value, i)
        for track in self._slices.values():
            self._renew(track, i)
        if self._pending:
            self._copy_pending(i)

    def again(self, i: int, is_new: bool) -> None:
        """Compare all values with their last copies on bar `i`, because an earlier state of the script was restored.

        `is_new` is false if the bar ran before. In that case, the copies of its earlier run are removed first.
        """
        self._now = i
        self.changed.clear()
        if not is_new:
            self._forget(i)
        for track in [*self._tracks.values()]:
            self._renew(track, i)
        self._copy_pending(i)

    def _forget(self, i: int) -> None:
        """Remove the copies of bar `i`, the last one."""
        for number, track in [*self._tracks.items()]:
            if track.bars[-1] == i:
                track.bars.pop()
                track.copies.pop()
                track.raw = _UNKNOWN
                if not track.bars:
                    del self._tracks[number]
                    self._slices.pop(number, None)

    def _renew_of(self, value: Any, i: int) -> None:
        track = self._tracks.get(id(value))
        if track is not None:
            self._renew(track, i)

    def _part(self, value: Any) -> Any:
        if value.__class__ in SCALARS:
            return value
        known = self._tracks.get(id(value))
        if known is not None:
            return known
        if isinstance(value, EnumMember):
            return value.title
        take = self._takers.get(value.__class__)
        if take is None:
            take = self._takers[value.__class__] = self._taker(value)
        raw = take(value)
        if raw.__class__ is str:  # nothing is known about it but its class
            return raw
        made = self._tracks[id(value)] = Track(value, take)
        if raw.__class__ is tuple and raw[3]:
            made.raw = raw
            made.bars, made.copies = [self._now], [raw]
            self.size += _EMPTY + _ELEMENT * len(raw[2])
        else:
            made.bars, made.copies = [], []
            self._pending.append(made)
        return made

    def _copy_pending(self, i: int) -> None:
        while self._pending:
            self._renew(self._pending.pop(), i)

    def _renew(self, track: Track, i: int) -> None:
        """Copy the contents of a value if they differ from its last copy."""
        raw = track.take(track.value)
        if raw == track.raw:
            return
        track.raw = copy = raw
        if raw.__class__ is tuple:
            self.size += _EMPTY + _ELEMENT * len(raw[2])
            if not raw[3]:
                copy = raw[0], raw[1], self._parts(raw[0], raw[2])
        bars = track.bars
        if bars and bars[-1] == i:
            track.copies[-1] = copy
        else:
            bars.append(i)
            track.copies.append(copy)

    def _parts(self, form: int, items: tuple[Any, ...]) -> Any:
        if form == MATRIX:
            return tuple([self._tracked(row) for row in items])
        if form == MAP:
            return tuple(
                [(key.title if isinstance(key, EnumMember) else key, self._part(value)) for key, value in items]
            )
        found = self._tracked(items)
        if form not in (ARRAY, MATRIX):  # collections do not have collections in them
            self._slices |= {
                id(each): track for each, track in zip(items, found, strict=True) if each.__class__ is ArraySlice
            }
        return found

    def _tracked(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the tracks of values; plain values are returned unchanged."""
        known = [*map(self._tracks.get, map(id, items))]
        if None not in known:
            return tuple(known)
        part = self._part
        return tuple([part(each) if track is None else track for track, each in zip(known, items, strict=True)])

    def _taker(self, value: Any) -> Callable[[Any], Any]:
        """Return the function that reads the contents of the values of a class. It returns the number of the form, the
        number of all elements, the first of them, and whether these are plain values."""
        for class_, take in ((Array, _array), (tuple | list, _tuple), (Matrix, _matrix), (Map, _map)):
            if isinstance(value, class_):
                return take
        taker = self._freezer.taker(value)
        return _of_attributes(taker, isinstance(value, Drawing)) if taker is not None else _unknown

    # reading

    def read(self, thing: Any, bar: int) -> Any:
        """Return the contents that a value with the history `thing` had on a bar, as a copy that `Freezer.read`
        accepts. Return `thing` unchanged if it is not a `Track`."""
        if thing.__class__ is not Track:
            return thing
        self._left = MOST
        return self._read(thing, bar, 0)

    def since(self, thing: Any, bar: int) -> int:
        """Return a bar since which the contents in the history `thing` have stayed the same up to `bar`. It may be
        later than the earliest such bar."""
        if thing.__class__ is not Track:
            return 0
        self.read(thing, bar)
        known = thing.made
        return known.first if known is not None and known.first <= bar < known.stop else bar

    def _read(self, track: Track, bar: int, depth: int) -> Any:
        known = track.made
        if known is not None and self._fits(known, bar, depth):
            self._left -= known.weight
            self._first, self._stop = max(self._first, known.first), min(self._stop, known.stop)
            self._depth = max(self._depth, depth + known.depth)
            return known.copy
        place = bisect_right(track.bars, bar) - 1
        copy = track.copies[place]
        if copy is None:
            self._span(track, place)
            return None
        if depth >= DEEPEST:
            self._is_whole = False
            return "…"
        outer, before = (self._first, self._stop, self._depth, self._is_whole), self._left
        self._first, self._stop, self._depth, self._is_whole = 0, self.end, depth, True
        self._span(track, place)
        made = self._inner(copy, bar, depth) if copy.__class__ is tuple else copy
        if self._is_whole:
            weight, deep = before - self._left, self._depth - depth
            track.made = _ContentCopy(self._first, self._stop, made, weight, deep)
        self._first, self._stop = max(self._first, outer[0]), min(self._stop, outer[1])
        self._depth, self._is_whole = max(self._depth, outer[2]), self._is_whole and outer[3]
        return made

    def _fits(self, known: _ContentCopy, bar: int, depth: int) -> bool:
        """Return whether a complete copy that was read before is valid for a bar, and nothing in it would be left
        out."""
        return known.first <= bar < known.stop and known.weight <= self._left and depth + known.depth < DEEPEST

    def _span(self, track: Track, place: int) -> None:
        """Narrow the range of bars of the current copy to those on which the copy with the index `place` holds."""
        self._first = max(self._first, track.bars[place])
        if place + 1 < len(track.bars):
            self._stop = min(self._stop, track.bars[place + 1])

    def _inner(self, copy: Shallow, bar: int, depth: int) -> Any:
        form, size, items = copy[0], copy[1], copy[2]
        if form == ARRAY:
            return form, size, self._all(items, bar, depth)
        if form == MATRIX:
            rows: list[tuple[Any, ...]] = []
            for row in items:
                if self._left <= 0:
                    self._is_whole = False
                    break
                rows.append(self._all(row, bar, depth))
            return form, size, tuple(rows)
        if form == MAP:
            pairs = self._some(items)
            self._left -= len(pairs)
            return form, size, tuple([(key, self._one(value, bar, depth)) for key, value in pairs])
        if form == TUPLE:
            return form, size, tuple([self._one(each, bar, depth) for each in self._some(items)])
        self._left -= size
        return form, size, tuple([self._one(each, bar, depth) for each in items])

    def _some(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return as many of the first items as the limit of elements still allows."""
        if len(items) <= self._left:
            return items
        self._is_whole = False
        return items[: max(self._left, 0)]

    def _all(self, items: tuple[Any, ...], bar: int, depth: int) -> tuple[Any, ...]:
        some = self._some(items)
        self._left -= len(some)
        return tuple([self._one(each, bar, depth) for each in some])

    def _one(self, thing: Any, bar: int, depth: int) -> Any:
        return self._read(thing, bar, depth + 1) if thing.__class__ is Track else thing


def _array(value: Any) -> Any:
    items = value.items
    size = len(items)
    first = tuple(items) if size <= MOST else tuple(items[:MOST])
    return ARRAY, size, first, not size or (first[0] is not None and first[0].__class__ in SCALARS)


def _is_plain(items: tuple[Any, ...]) -> bool:
    """Return whether all elements are plain values. They have one type, but None may be an empty object."""
    return not items or (items[0] is not None and items[0].__class__ in SCALARS)


def _tuple(value: Any) -> Any:
    return TUPLE, len(value), tuple(value[:MOST]), False


def _matrix(value: Any) -> Any:
    left, rows = MOST, list[tuple[Any, ...]]()
    for row in value.rows:
        if left <= 0:
            break
        rows.append(tuple(row[:left]))
        left -= len(rows[-1])
    return MATRIX, (len(value.rows), value.columns), tuple(rows), _is_plain(rows[0]) if rows else True


def _map(value: Any) -> Any:
    pairs: Iterable[tuple[Any, Any]] = value.pairs.items()
    first = tuple(islice(pairs, MOST))
    is_plain = _is_plain(first[0]) and _is_plain(first[0][1:]) if first else True
    return MAP, len(value.pairs), first, is_plain


def _of_attributes(taker: Taker, is_drawing: bool) -> Callable[[Any], Any]:
    form, size, take, is_flat = taker
    if is_drawing:
        return lambda drawing: None if drawing.deleted else (form, size, take(drawing), is_flat)
    return lambda value: (form, size, take(value), is_flat)


def _unknown(value: Any) -> Any:
    return f"a {type(value).__name__}"
