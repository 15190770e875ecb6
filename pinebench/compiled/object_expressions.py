"""Writes the expressions of the broker's classes in the subset of Python that `compiled.native` translates.

They use objects, lists and strings:

    trade.price               ->  m[v_trade + ...]
    comment or id             ->  (v_comment if v_comment != 0.0 else v_id)
    self._high[bar]           ->  b[1 * n + int(v_bar)]
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any, get_args, get_origin

from pinebench.compiled import lists
from pinebench.compiled.definitions import definition
from pinebench.compiled.function_expressions import UNKNOWN, FunctionExpressions, constant, local, tuple_items
from pinebench.compiled.kernel_lowering import KernelLowering
from pinebench.compiled.layouts import (
    AREAS,
    KINDS,
    PATH,
    POINTS,
    WORDS,
    BarColumn,
    Layout,
    Link,
    PathTable,
    RecordTable,
    Rows,
    Several,
)

Lists = Rows | RecordTable | Several


def _annotation(node: ast.expr | None) -> str:
    return "None" if node is None else ast.unparse(node)


class ObjectExpressions(FunctionExpressions):
    """Writes the code of the expressions in a function or method of the broker."""

    def __init__(
        self, lowering: KernelLowering, cls: type | None, names: Mapping[str, Any], owner: type | None = None
    ) -> None:
        super().__init__(lowering, cls, names, owner)
        self._loops: list[set[str]] = []
        """The lists over whose items the surrounding loops run."""
        self._views: list[tuple[int, set[str]]] = []
        """The lists whose items local names hold, each with the line of the last use of the name."""
        self._uses: dict[str, int] = {}
        """The line of the last use of each local name; in a loop, the last line of the loop."""
        self._stored: set[str] = set()
        """The names that the function assigns."""

    def _annotated(self, node: ast.expr | None) -> Any:
        text = _annotation(node).removesuffix(" | None") or "None"
        layout = self._lowering.object(text)
        if layout is not None:
            return layout.cls
        if text.startswith("tuple["):
            written = ast.parse(text, mode="eval").body
            assert isinstance(written, ast.Subscript)
            assert isinstance(written.slice, ast.Tuple)
            parts = written.slice.elts
            return tuple("int" if ast.unparse(each) == "int" else self._annotated(each) for each in parts)
        if text.startswith("list["):
            return Rows(text[5:-1])
        if text == "Sequence[float]":
            return self._lowering.layouts.points if self._lowering.layouts is not None else POINTS
        if isinstance(column := KINDS.get(text), BarColumn):
            return column
        if get_origin(alias := self._names.get(text)) is tuple:
            return tuple(self._annotated(ast.Name(each.__name__)) for each in get_args(alias))
        kinds = {"float": "float", "int": "float", "str": "text", "bool": "bool", "None": "None"}
        if text not in kinds:
            raise TypeError(f"{self._name}: {text} cannot be lowered")
        return kinds[text]

    def _is_list(self, kind: Any) -> bool:
        return isinstance(kind, Rows)

    def _as(self, node: ast.expr, kind: Any) -> str:
        if kind == "float" and isinstance(node, ast.Constant) and type(node.value) is int:
            return repr(float(node.value))
        parts = tuple_items(node) if isinstance(kind, tuple) else None
        if parts is not None:
            return ", ".join(self._as(each, one) for each, one in zip(parts, kind, strict=True))
        if isinstance(node, ast.IfExp):
            asked = self._fixed(node.test)
            if asked is not UNKNOWN:
                return self._as(node.body if asked else node.orelse, kind)
            test = self._condition(node.test)
            one, other = (self._maybe(lambda each: self._as(each, kind), part) for part in (node.body, node.orelse))
            return f"({one} if {test} else {other})"
        return super()._as(node, kind)

    def _store(self, target: ast.expr, text: str, kind: Any) -> None:
        if isinstance(target, ast.Subscript):
            at, _ = self._items_of(target.value)
            self._put(f"write_int(m, {at} + {self._whole(target.slice)}, {text})")
        elif isinstance(target, ast.Name) or self._fixed(target) is UNKNOWN:
            super()._store(target, text, kind)

    def _copy_several(self, place: str, kind: Several, value: ast.expr) -> None:
        """Write several numbers to the address `place` and the addresses after it."""
        items = flat_items(self._resolved(value))
        if items is None:
            self._put(f"copy(m, {self._several(value)}, {place}, {kind.places})")
            return
        if len(items) != kind.places:
            raise TypeError(f"{ast.unparse(value)} does not have {kind.places} items")
        for k, item in enumerate(items):
            self._put(f"m[{place} + {k}] = {self._as(item, kind.kind)}")

    def _several(self, node: ast.expr) -> str:
        """Return the address of the first of several numbers."""
        node = self._resolved(node)
        if isinstance(node, ast.Name):
            return local(node.id)
        names = [self._temporary() for _ in range(POINTS.places)]
        self._put(f"{', '.join(names)} = {self._text(node)}")
        for k, name in enumerate(names):
            self._put(f"m[{AREAS.scratch} + {k}] = {name}")
        return str(AREAS.scratch)

    # loops

    def _begin_loop(self, target: ast.expr, iterable: ast.expr) -> None:
        if isinstance(iterable, ast.Call) and ast.unparse(iterable.func) == "range":
            self._loops.append(set())
        super()._begin_loop(target, iterable)

    def _begin_items(self, target: ast.expr, iterable: ast.expr) -> None:
        self._loops.append(self._lists_in(iterable))
        if not isinstance(self._kind(iterable), BarColumn):
            super()._begin_items(target, iterable)
            return
        k, (first, count) = self._temporary(), self._part_of_column(iterable)
        self._put(f"for {k} in range({count}):")
        self._depth += 1
        self._store(target, f"b[{first} + {k}]", "float")

    def _end_loop(self, levels: int = 1) -> None:
        super()._end_loop(levels)
        self._loops.pop()

    # changes of lists

    def _lists_in(self, node: ast.expr) -> set[str]:
        """Return the lists whose items the expression reads, in the form `Book.orders`."""
        node = self._resolved(node)
        match node:
            case ast.Attribute() if isinstance(self._kind(node), Rows):
                return {f"{self._object(node.value)[2].__name__}.{node.attr}"}
            case ast.Subscript(value=value):
                return self._lists_in(value)
            case _:
                return set()

    def _in_use(self) -> set[str]:
        """Return the lists whose items the current statement uses."""
        return set().union(*self._loops, *(viewed for _, viewed in self._views))

    def _change(self, target: ast.expr) -> None:
        """Note that a list is changed here."""
        changed = self._lists_in(target)
        self._lowering.changed[self._name] |= changed
        if changed & self._in_use():
            raise TypeError(f"{self._name} changes {ast.unparse(target)} while it uses the earlier items")

    # lists

    def _items_of(self, node: ast.expr) -> tuple[str, str]:
        node = self._resolved(node)
        kind = self._kind(node) if isinstance(node, ast.Attribute | ast.Call) else None
        if kind == PATH or (isinstance(node, ast.Name) and self._kinds.get(node.id) == PATH):
            place = self._text(node)
            return f"read_int(m, {place} + {lists.AT})", f"read_int(m, {place} + {lists.COUNT})"
        if isinstance(node, ast.Attribute | ast.Call) and isinstance(kind, Several):
            return self._field(node)[0] if isinstance(node, ast.Attribute) else self._several(node), str(kind.places)
        return super()._items_of(node)

    def _whole(self, node: ast.expr) -> str:
        """Return the code of an expression as an integer. A whole number in the memory is a float."""
        text = self._text(node)
        return text if self._kind(node) == "int" else f"int({text})"

    def _part_of_column(self, node: ast.expr) -> tuple[str, str]:
        """Return the address of the first bar in a part of a column, and the number of bars."""
        assert isinstance(node, ast.Subscript)
        assert isinstance(node.slice, ast.Slice)
        assert node.slice.lower is not None
        assert node.slice.upper is not None
        self._uses_columns()
        first = self._whole(node.slice.lower)
        return f"{self._kind(node.value).row} * n + {first}", f"{self._whole(node.slice.upper)} - {first}"

    # objects

    def _property(self, node: ast.Attribute) -> type | None:
        """Return the class whose property an expression reads; None for other expressions."""
        _, _, cls = self._object(self._resolved(node.value))
        return cls if isinstance(getattr(cls, node.attr, None), property) else None

    def _object(self, node: ast.expr) -> tuple[str, int, Any]:
        node = self._resolved(node)
        if isinstance(node, ast.Name):
            return super()._object(node)
        if isinstance(node, ast.Attribute) and self._property(node) is None:
            base, place, kind = self._slot(node)
            if not isinstance(kind, Link):
                return base, place, kind
        return self._text(node), 0, self._kind(node)

    # expressions

    def _fixed(self, node: ast.expr) -> Any:
        match node:
            case ast.Name(id=name):
                return self._known.get(name, UNKNOWN)
            case ast.Attribute(value=value, attr=name):
                cls = self._object(self._resolved(value))[2]
                assert self._lowering.layouts is not None
                return self._lowering.layouts.fixed.get(f"{getattr(cls, '__name__', '')}.{name}", UNKNOWN)
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Constant(value=None)]):
                known = self._fixed(left)
                return UNKNOWN if known is UNKNOWN else (known is None) is isinstance(op, ast.Is)
            case _:
                return super()._fixed(node)

    def _text(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=str() as value):
                return repr(WORDS[value])
            case ast.Name() | ast.Attribute() if (known := self._fixed(node)) is not UNKNOWN:
                return constant(known)
            case ast.JoinedStr(values=[ast.FormattedValue(value=ast.Name() as word), ast.FormattedValue(value=value)]):
                return f"({self._text(word)} - {self._text(value)})"
            case ast.Name(id=name) if name not in self._kinds and name not in self._aliases:
                value = self._names[name]
                return repr(WORDS[value]) if isinstance(value, str) else super()._text(node)
            case ast.Attribute() if (cls := self._property(node)) is not None:
                return self._method(cls, node.attr, self._place_of(node.value), [])
            case ast.BoolOp(op=ast.Or(), values=[first, second]) if self._kind(node) == "text":
                if isinstance(second, ast.Constant):  # `text or ""`
                    return self._text(first)
                one = self._held(self._text(first))
                return f"({one} if {one} != 0.0 else {self._maybe(self._text, second)})"
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                return self._compared(left, operator, right)
            case ast.IfExp():
                return self._as(node, self._kind(node))
            case _:
                return super()._text(node)

    def _compared(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> str:
        if isinstance(operator, ast.Is | ast.IsNot):
            is_none = isinstance(right, ast.Constant) and right.value is None
            one = self._text(left)
            if is_none and self._kind(left) in ("float", "text"):
                one = self._held(one) if not self._is_choice and not one.isidentifier() else one
                return f"({one} {'!=' if isinstance(operator, ast.Is) else '=='} {one})"
            other = "0" if is_none else self._text(right)
            return f"({one} {'==' if isinstance(operator, ast.Is) else '!='} {other})"
        if isinstance(operator, ast.In | ast.NotIn):
            if isinstance(right, ast.Name) and right.id in self._names:
                one = self._text(left)
                found = "(" + " or ".join(f"{one} == {WORDS[each]}" for each in self._names[right.id]) + ")"
            else:
                at, count = self._items_of(right)
                function = "has_row" if self._class(self._kind(right)) else "has"
                found = f"{function}(m, {at}, {count}, {self._text(left)})"
            return f"(not {found})" if isinstance(operator, ast.NotIn) else found
        kind = self._kind(left)
        if isinstance(kind, tuple):
            assert isinstance(operator, ast.Lt)
            return less(self._parts(left), self._parts(right))
        return super()._text(ast.Compare(left, [operator], [right]))

    def _parts(self, node: ast.expr) -> list[str]:
        """Return the items of a tuple, computed once. A bool becomes a number, because machine code cannot order
        bools."""
        kinds = self._kind(node)
        items = tuple_items(node)
        if items is None:
            names = [self._temporary() for _ in kinds]
            self._put(f"{', '.join(names)} = {self._text(node)}")
        else:
            names = [self._held(self._text(item)) for item in items]
        return [f"float({name})" if kind == "bool" else name for name, kind in zip(names, kinds, strict=True)]

    def _item(self, node: ast.Subscript) -> str:
        kind = self._kind(node.value)
        if isinstance(kind, BarColumn):
            self._uses_columns()
            return f"b[{kind.row} * n + {self._whole(node.slice)}]"
        if isinstance(kind, PathTable):
            return f"(read_int(m, {self._header(node.value)}) + {self._whole(node.slice)} * {lists.BEGIN})"
        if isinstance(kind, Layout):
            assert isinstance(node.slice, ast.Constant)
            assert isinstance(node.slice.value, int)
            return f"m[{self._text(node.value)} + {list(kind.offsets.values())[node.slice.value]}]"
        if isinstance(kind, dict):
            return self._text(node.slice)
        if isinstance(kind, RecordTable):
            layout = self._lowering.object(kind.name)
            assert layout is not None
            return f"read_int(m, {self._header(node.value)} + {lists.AT}) + {self._whole(node.slice)} * {layout.places}"
        at, _ = self._items_of(node.value)
        place = f"{at} + {self._whole(node.slice)}"
        return f"read_int(m, {place})" if self._class(kind) else f"m[{place}]"

    # kinds

    def _kind(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=str()) | ast.JoinedStr():
                return "text"
            case ast.Constant(value=None):
                return "None"
            case ast.Name(id=name) if name not in self._aliases and name not in self._kinds and name != "self":
                value = self._names[name]
                return value if isinstance(value, dict) else "text" if isinstance(value, str) else type(value).__name__
            case ast.Attribute():
                if self._property(node) is not None:
                    cls = self._object(node.value)[2]
                    return self._annotated(definition(cls, node.attr).returns)
                kind = self._field(node)[1]
                if isinstance(kind, Link) and kind != PATH:
                    layout = self._lowering.object(kind.name)
                    assert layout is not None
                    return layout.cls
                return kind
            case ast.BoolOp(op=ast.Or(), values=[first, _]) if self._kind(first) == "text":
                return "text"
            case ast.Subscript(slice=ast.Slice()):
                return self._kind(node.value)
            case ast.Subscript(value=value):
                kind = self._kind(value)
                if isinstance(kind, RecordTable) and self._class(kind) is None:
                    return self._lowering.object(kind.name)
                return kind.kind if isinstance(kind, Several) else self._class(kind) or "float"
            case ast.IfExp(test=test, body=body, orelse=otherwise) if (asked := self._fixed(test)) is not UNKNOWN:
                return self._kind(body if asked else otherwise)
            case ast.IfExp(body=body, orelse=otherwise):
                one, other = self._kind(body), self._kind(otherwise)
                return other if one == "None" else one if other == "None" or one == other else "float"
            case ast.Tuple(elts=[ast.Starred(), *_]):
                return Several("float", len(flat_items(node) or []))
            case ast.Tuple(elts=items):
                return tuple(map(self._kind, items))
            case _:
                return super()._kind(node)


def less(one: list[str], other: list[str]) -> str:
    """Return the code of `one < other` for two tuples, each a list with the code of its items."""
    text = f"{one[-1]} < {other[-1]}"
    for left, right in zip(reversed(one[:-1]), reversed(other[:-1]), strict=True):
        text = f"{left} < {right} or ({left} == {right} and ({text}))"
    return f"({text})"


def flat_items(node: ast.expr) -> list[ast.expr] | None:
    """Return all items of a tuple, including the items of nested tuples; None for other expressions."""
    if not isinstance(node, ast.Tuple):
        return None
    found: list[ast.expr] = []
    for each in node.elts:
        inner = flat_items(each.value) if isinstance(each, ast.Starred) else [each]
        assert inner is not None
        found += inner
    return found
