"""Copies of values that stay as they were: of collections, objects and drawings, which a script changes later.

A copy is made of plain tuples, because a run makes many: the number of its `Form`, the number of all its elements, and
the copies of the first of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, NamedTuple

from pinebench.runtime import Array, ChartPoint, Drawing, EnumMember, Map, Matrix, Object, ir

MOST = 1000
"""The number of elements, fields and pairs that a copy of one value has at most."""
_DEEPEST = 6
_NA = float("nan")
_SCALARS = frozenset((float, int, str, bool, type(None)))
_FLAT = frozenset(("int", "float", "bool", "string", "color"))
_POINT = ("time", "index", "price")


class Form(NamedTuple):
    """How to read a copy. `kind` is `array`, `tuple`, `matrix`, `map`, `object`, `drawing` or `point`.

    `name` is the type of an object or a drawing, and `keys` are the names of its fields or properties.
    """

    kind: str
    name: str = ""
    keys: tuple[str, ...] = ()


class Frozen(NamedTuple):
    """A copy of a collection, an object or a drawing.

    `size` is the number of all elements, rows, pairs or fields. `items` are the copies of the first of them: elements,
    the rows of a matrix as tuples, the pairs of a map, or the values of fields, whose names are in `form.keys`.
    """

    form: Form
    size: int
    items: tuple[Any, ...]

    @property
    def is_whole(self) -> bool:
        """Whether nothing was left out."""
        return len(self.items) == self.size

    def pairs(self) -> list[tuple[Any, Any]]:
        """The pairs of a map, or of the fields of an object; elements and rows with their numbers."""
        if self.form.kind == "map":
            return [*self.items]
        if self.form.keys:
            return [*zip(self.form.keys, self.items, strict=False)]
        return [*enumerate(self.items)]


_KINDS = ("array", "tuple", "matrix", "map")
_ARRAY, _TUPLE, _MATRIX, _MAP = range(4)


class Freezer:
    """Makes copies; `types` are the script's types by the names of their classes."""

    def __init__(self, types: Mapping[str, ir.ObjectType] | None = None, most: int = MOST) -> None:
        self._types = types or {}
        self._most = most
        self._left = most
        self._forms = [Form(kind) for kind in _KINDS]
        self._takers: dict[type, tuple[int, Callable[[Any], tuple[Any, ...]], bool]] = {}
        """For each class of objects and drawings: its form, a function that returns its values, and whether they are
        all plain."""
        self._made: dict[int, Any] = {}
        """The copies that were made since `renew`, by the `id` of the value."""

    def renew(self) -> None:
        """Forget the copies: values may have changed."""
        self._made.clear()

    def frozen(self, value: Any) -> Any:
        """A copy of a value. Numbers, texts and colours are returned as they are, a deleted drawing as None."""
        if value.__class__ in _SCALARS:
            return value
        known = self._made.get(id(value))
        if known is None:
            self._left = self._most
            known = self._made[id(value)] = self._copy(value, 0)
        return known

    def read(self, copy: Any) -> Any:
        """A copy as `Frozen`."""
        if copy.__class__ is not tuple:
            return copy
        form, size, items = self._forms[copy[0]], copy[1], copy[2]
        if form.kind == "matrix":
            return Frozen(form, size, tuple(tuple(map(self.read, row)) for row in items))
        if form.kind == "map":
            return Frozen(form, size, tuple((key, self.read(value)) for key, value in items))
        return Frozen(form, size, tuple(map(self.read, items)))

    def _copy(self, value: Any, depth: int) -> Any:
        if value.__class__ in _SCALARS:
            return value
        if isinstance(value, EnumMember):
            return value.title
        if isinstance(value, Drawing) and value.deleted:
            return None
        if depth >= _DEEPEST:
            return "…"
        taker = self._takers.get(value.__class__)
        if taker is None and isinstance(value, Object | Drawing | ChartPoint):
            taker = self._takers[value.__class__] = self._taker(value)
        if taker is not None:
            form, take, is_flat = taker
            items = take(value)
            self._left -= len(items)
            return form, len(items), items if is_flat else tuple(self._copy(each, depth + 1) for each in items)
        if isinstance(value, Array):
            items = value.items
            return _ARRAY, len(items), self._all(items, depth)
        if isinstance(value, tuple | list):
            return _TUPLE, len(value), tuple(self._copy(each, depth + 1) for each in value[: max(self._left, 0)])
        if isinstance(value, Matrix):
            rows = [self._all(row, depth) for row in value.rows[: max(self._left, 0)]]
            return _MATRIX, len(value.rows), tuple(rows)
        if isinstance(value, Map):
            pairs = list(value.pairs.items())[: max(self._left, 0)]
            self._left -= len(pairs)
            return _MAP, len(value.pairs), tuple((self._key(key), self._copy(each, depth + 1)) for key, each in pairs)
        return f"a {type(value).__name__}"

    def _taker(self, value: Any) -> tuple[int, Callable[[Any], tuple[Any, ...]], bool]:
        if isinstance(value, Object):
            type_ = self._types.get(type(value).__name__)
            form = Form("object", type_.name if type_ is not None else "object", value.names)
            codes, is_flat = value.fields, type_ is not None and all(f.kind in _FLAT for f in type_.fields.values())
        elif isinstance(value, ChartPoint):
            form, codes, is_flat = Form("point", "chart.point", _POINT), _POINT, True
        else:
            form = Form("drawing", value.kind, value.properties)
            codes, is_flat = value.properties, value.kind in ("line", "label", "box")
        self._forms.append(form)
        take = attrgetter(*codes) if len(codes) > 1 else lambda each: tuple(getattr(each, code) for code in codes)
        return len(self._forms) - 1, take, is_flat

    def _all(self, items: Any, depth: int) -> tuple[Any, ...]:
        """Copies of the first items, as many as are left."""
        count = min(len(items), max(self._left, 0))
        self._left -= count
        first = items[:count]
        # The elements of an array have one type, but None may stand for an object.
        if not count or (first[0].__class__ in _SCALARS and first[0] is not None):
            return tuple(first)
        return tuple(self._copy(each, depth + 1) for each in first)

    def _key(self, key: Any) -> Any:
        return key.title if isinstance(key, EnumMember) else key


def size_of(copy: Any) -> int:
    """About how many bytes a copy takes, which is not read yet. The numbers in it are shared with the script."""
    if copy.__class__ is not tuple:
        return 16 + (len(copy) if isinstance(copy, str) else 16)
    if len(copy) != 3 or copy[2].__class__ is not tuple:  # the row of a matrix, or a pair
        return 60 + 8 * len(copy)
    items = copy[2]
    if not items or (items[0].__class__ is not tuple and items[-1].__class__ is not tuple):
        return 120 + 16 * len(items)
    return 120 + sum(map(size_of, items))


def plain(value: Any) -> Any:
    """A copy as JSON values; na is None.

    An array is a list, a matrix a list of rows, and a map, an object or a drawing has `type` and its pairs.
    """
    if isinstance(value, float):
        return value if -1e308 < value < 1e308 else None
    if not isinstance(value, Frozen):
        return value
    if value.form.kind in ("array", "tuple"):
        return [plain(each) for each in value.items]
    if value.form.kind == "matrix":
        return [[plain(each) for each in row] for row in value.items]
    return {"type": value.form.name or "map", **{str(plain(key)): plain(each) for key, each in value.pairs()}}


def written(value: Any, most: int = 10) -> str:
    """A copy as a short text for people, with at most `most` elements."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or value != value:
        return "na"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, float):
        return f"{value:.10g}"
    if not isinstance(value, Frozen):
        return str(value)
    more = ", …" if value.size > most else ""
    kind, first = value.form.kind, value.pairs()[:most]
    if kind in ("array", "tuple"):
        inner = ", ".join(written(each, 3) for _, each in first)
        return f"[{inner}{more}]" if kind == "tuple" else f"array of {value.size}: [{inner}{more}]"
    if kind == "matrix":
        rows = ", ".join(f"[{', '.join(written(each, 3) for each in row[:most])}]" for _, row in first)
        columns = len(value.items[0]) if value.items else 0
        return f"matrix of {value.size} x {columns}: [{rows}{more}]"
    pairs = ", ".join(f"{written(key) if kind == 'map' else key}: {written(each, 3)}" for key, each in first)
    return f"{value.form.name or f'map of {value.size}'} {{{pairs}{more}}}"
