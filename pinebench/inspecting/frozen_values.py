"""Copies of collections, objects and drawings that do not change when the script changes these later.

A run makes many copies, so each copy is a plain tuple: the number of its `CopyForm`, the number of all its elements
(for a matrix, its rows and columns), and copies of the first elements.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple

from pinebench.runtime import Array, ChartPoint, Drawing, EnumMember, Map, Matrix, Object, ir, shown

MOST = 1000
"""The largest number of elements, fields and pairs in a copy of one value."""
DEEPEST = 6
"""The largest nesting depth of values that are copied."""
SCALARS = frozenset((float, int, str, bool, type(None)))
_FLAT = frozenset(("int", "float", "bool", "string", "color"))
_FLAT_DRAWINGS = frozenset(("line", "label", "box"))
_POINT = ("time", "index", "price")
Copier = Callable[[Any, int], Any]
"""Copies a value at a depth."""


class ColorValue(NamedTuple):
    """A colour, 0xRRGGBBAA. Its text is the colour as a script writes it."""

    number: int

    def __str__(self) -> str:
        return shown.color_text(self.number)


class CopyForm(NamedTuple):
    """The form of a copy, which is needed to read it. `kind` is `array`, `tuple`, `matrix`, `map`, `object`, `drawing`
    or `point`. `name` is the type of an object or a drawing, `keys` are the names of its fields or properties, and
    `colors` are the ones that are colours."""

    kind: str
    name: str = ""
    keys: tuple[str, ...] = ()
    colors: frozenset[str] = frozenset()


class FrozenValue(NamedTuple):
    """A copy of a collection, an object or a drawing.

    `size` is the number of all elements, rows, pairs or fields. `items` holds copies of the first ones: elements, the
    rows of a matrix as tuples, the pairs of a map, or the values of fields, whose names are in `form.keys`. `columns`
    is the number of columns of a matrix.
    """

    form: CopyForm
    size: int
    items: tuple[Any, ...]
    columns: int = 0

    @property
    def left_out(self) -> int:
        """The number of elements and pairs that are not in the copy, here and in the values that it contains."""
        if self.form.kind == "matrix":
            values = [*chain.from_iterable(self.items)]
            missing = self.size * self.columns - len(values)
        else:
            values = [value for _, value in self.pairs()]
            missing = self.size - len(values)
        return missing + sum(each.left_out for each in values if isinstance(each, FrozenValue))

    def pairs(self) -> list[tuple[Any, Any]]:
        """Return the pairs of a map, or the fields of an object by name. For other copies, return the elements or rows
        by index."""
        if self.form.kind == "map":
            return [*self.items]
        if self.form.keys:
            return [*zip(self.form.keys, self.items, strict=False)]
        return [*enumerate(self.items)]


_KINDS = ("array", "tuple", "matrix", "map")
ARRAY, TUPLE, MATRIX, MAP = range(4)
"""The numbers of the forms of collections."""


class Taker(NamedTuple):
    """A reader of the attributes of an object or a drawing: the number of its form, the number of attributes, the
    function that returns them as a tuple, and whether all of them are plain values."""

    form: int
    size: int
    take: Callable[[Any], tuple[Any, ...]]
    is_flat: bool


class Freezer:
    """Makes copies of the script's values. `types` maps class names to the script's types, and `most` is the largest
    number of elements in a copy."""

    def __init__(self, types: Mapping[str, ir.ObjectType] | None = None, most: int = MOST) -> None:
        self._types = types or {}
        self._most = most
        self._left = most
        self._forms = [CopyForm(kind) for kind in _KINDS]
        self._copiers: dict[type, Copier] = {}
        """The function that copies the values of each class."""

    def frozen(self, value: Any) -> Any:
        """Return a copy of a value. Numbers, strings and colours stay unchanged. A deleted drawing becomes None."""
        self._left = self._most
        return self._copy(value, 0)

    def read(self, copy: Any) -> Any:
        """Convert a copy, which is a plain tuple, to a `FrozenValue`. Other values are returned unchanged."""
        if copy.__class__ is not tuple:
            return copy
        form, size, items = self._forms[copy[0]], copy[1], copy[2]
        if form.kind == "matrix":
            return FrozenValue(form, size[0], tuple(tuple(map(self.read, row)) for row in items), size[1])
        if form.kind == "map":
            return FrozenValue(form, size, tuple((key, self.read(value)) for key, value in items))
        if form.colors:
            read = zip(form.keys, items, strict=False)
            return FrozenValue(form, size, tuple(_color(v) if key in form.colors else self.read(v) for key, v in read))
        return FrozenValue(form, size, tuple(map(self.read, items)))

    def _copy(self, value: Any, depth: int) -> Any:
        class_ = value.__class__
        if class_ in SCALARS:
            return value
        copier = self._copiers.get(class_)
        if copier is None:
            copier = self._copiers[class_] = self._copier(value)
        return copier(value, depth)

    def _copier(self, value: Any) -> Copier:
        """Return the function that copies the values of a class. It is chosen once, because a run copies many
        values."""
        if isinstance(value, EnumMember):
            return lambda member, _: member.title
        for class_, copier in (
            (Drawing | Object | ChartPoint, self._attributes),
            (Array, lambda _: self._array),
            (tuple | list, lambda _: self._tuple),
            (Matrix, lambda _: self._matrix),
            (Map, lambda _: self._map),
        ):
            if isinstance(value, class_):
                return copier(value)
        return lambda other, depth: f"a {type(other).__name__}" if depth < DEEPEST else "…"

    def taker(self, value: Any) -> Taker | None:
        """Return the reader of the attributes of an object, a point or a drawing, or None for other values."""
        if isinstance(value, Object):
            type_ = self._types.get(type(value).__name__)
            kinds = [each.kind for each in type_.fields.values()] if type_ is not None else []
            is_flat = type_ is not None and all(kind in _FLAT for kind in kinds)
            colors = frozenset(name for name, kind in zip(value.names, kinds, strict=False) if kind == "color")
            name = type_.name if type_ is not None else "object"
            return self._taker(CopyForm("object", name, value.names, colors), value.fields, is_flat)
        if isinstance(value, ChartPoint):
            return self._taker(CopyForm("point", "chart.point", _POINT), _POINT, True)
        if isinstance(value, Drawing):
            names = value.properties
            form = CopyForm("drawing", value.kind, names, frozenset(each for each in names if each.endswith("color")))
            return self._taker(form, names, value.kind in _FLAT_DRAWINGS)
        return None

    def _taker(self, form: CopyForm, codes: tuple[str, ...], is_flat: bool) -> Taker:
        self._forms.append(form)
        take = attrgetter(*codes) if len(codes) > 1 else lambda each: tuple([getattr(each, code) for code in codes])
        return Taker(len(self._forms) - 1, len(codes), take, is_flat)

    def _attributes(self, value: Any) -> Copier:
        taker = self.taker(value)
        assert taker is not None
        form, size, take, _ = taker
        is_drawing = isinstance(value, Drawing)

        def copy(value: Any, depth: int) -> Any:
            if is_drawing and value.deleted:
                return None
            if depth >= DEEPEST:
                return "…"
            self._left -= size
            return form, size, tuple([self._copy(each, depth + 1) for each in take(value)])

        return copy

    def _array(self, value: Any, depth: int) -> Any:
        if depth >= DEEPEST:
            return "…"
        items = value.items
        return ARRAY, len(items), self._all(items, depth)

    def _tuple(self, value: Any, depth: int) -> Any:
        if depth >= DEEPEST:
            return "…"
        return TUPLE, len(value), tuple([self._copy(each, depth + 1) for each in value[: max(self._left, 0)]])

    def _matrix(self, value: Any, depth: int) -> Any:
        if depth >= DEEPEST:
            return "…"
        rows: list[tuple[Any, ...]] = []
        for row in value.rows:
            if self._left <= 0:
                break
            rows.append(self._all(row, depth))
        return MATRIX, (len(value.rows), value.columns), tuple(rows)

    def _map(self, value: Any, depth: int) -> Any:
        if depth >= DEEPEST:
            return "…"
        pairs = list(value.pairs.items())[: max(self._left, 0)]
        self._left -= len(pairs)
        return MAP, len(value.pairs), tuple([(self._key(key), self._copy(each, depth + 1)) for key, each in pairs])

    def _all(self, items: Any, depth: int) -> tuple[Any, ...]:
        """Return copies of as many of the first items as the limit of elements still allows."""
        size, left = len(items), self._left
        count = size if size <= left else max(left, 0)
        self._left = left - count
        if not count:
            return ()
        # The elements of an array have one type, but None may stand for an object.
        first = items[0]
        if first is not None and first.__class__ in SCALARS:
            return tuple(items) if count == size else tuple(items[:count])
        copy = self._copy
        return tuple([copy(each, depth + 1) for each in (items if count == size else items[:count])])

    def _key(self, key: Any) -> Any:
        return key.title if isinstance(key, EnumMember) else key


def with_colors(value: Any, type_: str) -> Any:
    """Return a value that was read, with its colours as `ColorValue`. `type_` is its Pine type as text, such as `series
    color` or `array<color>`."""
    type_ = type_.removeprefix("<").removesuffix(">")
    if isinstance(value, FrozenValue):
        if not type_.endswith("color>"):
            return value
        if value.form.kind == "matrix":
            return value._replace(items=tuple(tuple(map(_color, row)) for row in value.items))
        if value.form.kind == "map":
            return value._replace(items=tuple((key, _color(each)) for key, each in value.items))
        return value._replace(items=tuple(map(_color, value.items)))
    return _color(value) if type_.split()[-1:] == ["color"] else value


def _color(value: Any) -> Any:
    return ColorValue(value) if value.__class__ is int else value


def plain(value: Any) -> Any:
    """Return a copy as JSON values; na and infinite numbers become None.

    A colour is its text. An array or a tuple is a list, and a matrix is a list of rows. A map is
    `{"type": "map", "pairs": [[key, value], …]}`. An object or a drawing has its type under `type`, and its fields or
    properties by name under `fields`.
    """
    if isinstance(value, float):
        return value if -1e308 < value < 1e308 else None
    if isinstance(value, ColorValue):
        return str(value)
    if not isinstance(value, FrozenValue):
        return value
    if value.form.kind in ("array", "tuple"):
        return [plain(each) for each in value.items]
    if value.form.kind == "matrix":
        return [[plain(each) for each in row] for row in value.items]
    if value.form.kind == "map":
        return {"type": "map", "pairs": [[plain(key), plain(each)] for key, each in value.items]}
    return {"type": value.form.name, "fields": {name: plain(each) for name, each in value.pairs()}}


def written(value: Any, most: int = 10) -> str:
    """Return a copy as readable text with at most `most` elements."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or value != value:
        return "na"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, float):
        return f"{value:.10g}"
    if not isinstance(value, FrozenValue):
        return str(value)
    kind, first = value.form.kind, value.pairs()[:most]
    if kind == "matrix":
        parts = [f"[{_listed([written(each, 3) for each in row[:most]], value.columns)}]" for _, row in first]
    elif kind in ("array", "tuple"):
        parts = [written(each, 3) for _, each in first]
    else:
        parts = [f"{written(key) if kind == 'map' else key}: {written(each, 3)}" for key, each in first]
    inner = _listed(parts, value.size)
    if kind == "tuple":
        return f"[{inner}]"
    if kind == "array":
        return f"array of {value.size}: [{inner}]"
    if kind == "matrix":
        return f"matrix of {value.size} x {value.columns}: [{inner}]"
    return f"{value.form.name or f'map of {value.size}'} {{{inner}}}"


def _listed(parts: list[str], size: int) -> str:
    """The parts separated by commas; an ellipsis at the end shows that there are more, `size` in all."""
    return ", ".join([*parts, "…"] if size > len(parts) else parts)
