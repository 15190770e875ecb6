"""Writes calls and new objects of the broker's classes in the subset of Python that `compiled.native` translates.

self.open.append(trade)   ->  append_row(m, 60, v_trade)
Trade(side, id, ...)      ->  new_record(m, ...), and a line for each field
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import MISSING, fields
from typing import Any

from pinebench.broker import differ
from pinebench.compiled import lists
from pinebench.compiled.function_expressions import levels_of, local
from pinebench.compiled.layouts import CALLED, BarColumn, Layout, Link, RecordTable, Rows, Several
from pinebench.compiled.object_expressions import ObjectExpressions, flat_items, less


class ObjectCalls(ObjectExpressions):
    """Writes the code of the calls in a function or method of the broker."""

    _callee_name = ""
    """The name of the function whose arguments are being written."""

    def _constructed(self, cls: type, arguments: list[ast.expr], keywords: list[ast.keyword]) -> dict[str, Any]:
        """Return the code of the field values of a new object, by field."""
        names = [field.name for field in fields(cls)]
        given = dict(zip(names, arguments, strict=False)) | {str(each.arg): each.value for each in keywords}
        layout = self._lowering.object(cls.__name__)
        assert layout is not None
        found: dict[str, Any] = {}
        for field in fields(cls):
            if field.name not in layout.offsets or isinstance(layout.kinds[field.name], Rows):
                continue
            kind = layout.kinds[field.name]
            value = given.get(field.name)
            if isinstance(kind, Several):
                if value is not None:
                    found[field.name] = value
                continue
            if value is None:
                assert field.default is not MISSING
                value = ast.Constant(field.default)
            if isinstance(value, ast.Constant | ast.Name):
                found[field.name] = self._as(
                    value, self._lowering.object(kind.name) if isinstance(kind, Link) else kind
                )
            else:
                found[field.name] = self._held(self._as(value, kind))
        return found

    def _made(self, layout: Layout, place: str, values: dict[str, Any]) -> str:
        """Write the fields of a new object, and return its address."""
        held = self._held(place)
        for name, offset in layout.offsets.items():
            kind = layout.kinds[name]
            if isinstance(kind, Rows):
                self._put(f"write_int(m, {held} + {offset + lists.COUNT}, 0)")
            elif isinstance(kind, Several):
                value = values.get(name, ast.Tuple([ast.Constant(0.0)] * kind.places))
                self._copy_several(f"{held} + {offset}", kind, value)
            elif name in values and isinstance(kind, Link):
                self._put(f"write_int(m, {held} + {offset}, {values[name]})")
            elif name in values:
                self._put(f"m[{held} + {offset}] = {values[name]}")
        self._stops()
        return held

    def _new(self, cls: type, arguments: list[ast.expr], keywords: list[ast.keyword]) -> str:
        if self._is_choice:
            raise TypeError(f"a new {cls.__name__} cannot be in a conditional expression")
        assert self._lowering.layouts is not None
        layout = self._lowering.layouts.records[cls.__name__]
        values = self._constructed(cls, arguments, keywords)
        pool = self._lowering.layouts.pools[cls.__name__]
        return self._made(layout, f"new_record(m, {pool}, {layout.places})", values)

    # calls

    def _call(self, function: ast.expr, arguments: list[ast.expr], keywords: list[ast.keyword]) -> str:
        called = self._names.get(function.id) if isinstance(function, ast.Name) else None
        if isinstance(called, type):
            return self._new(called, arguments, keywords)
        return self._differing(*arguments) if called is differ else super()._call(function, arguments, keywords)

    def _method_call(self, function: ast.Attribute, arguments: list[ast.expr], keywords: list[ast.keyword]) -> str:
        kind = self._kind(function.value)
        if isinstance(kind, Rows) and function.attr == "sort":
            return self._sorted(function.value, keywords[0].value)
        if isinstance(kind, RecordTable):
            return self._list_call(function.value, function.attr, arguments)
        bound = CALLED.get(f"{getattr(kind, '__name__', '')}.{function.attr}")
        if bound is not None:
            owner, name = bound
            if owner is not None:
                return self._method(owner, name, "", arguments, keywords)
            self._uses_columns()
            self._stops()
            self._lowering.calls[self._name].add(name)
            self._lowering.viewed |= {(self._name, viewed, name) for viewed in self._in_use()}
            return f"{name}(m, b, n)"
        return super()._method_call(function, arguments, keywords)

    def _called(self, name: str, *given: Any, **more: Any) -> str:
        self._lowering.calls[self._name].add(name)
        self._lowering.viewed |= {(self._name, viewed, name) for viewed in self._in_use()}
        outer, self._callee_name = self._callee_name, name
        text = super()._called(name, *given, **more)
        self._callee_name = outer
        return text

    def _argument(self, value: ast.expr, kind: Any) -> Sequence[str]:
        if isinstance(kind, Several):
            return [self._several(value)]
        if isinstance(kind, Rows):
            self._lowering.viewed |= {(self._name, viewed, self._callee_name) for viewed in self._lists_in(value)}
        return super()._argument(value, kind)

    def _list_call(self, value: ast.expr, name: str, arguments: list[ast.expr]) -> str:
        kind, place = self._kind(value), self._header(value)
        [given] = arguments
        if isinstance(kind, Rows):
            self._change(value)
        self._stops()
        if name != "append":
            raise TypeError(f"{ast.unparse(value)}.{name}() cannot be lowered")
        if isinstance(kind, RecordTable):
            self._grown(kind, place, given)
            return "0"
        if self._class(kind) is None:
            return f"append(m, {place}, {self._text(given)})"
        return f"append_row(m, {place}, {self._text(given)})"

    def _grown(self, kind: RecordTable, place: str, given: ast.expr) -> None:
        """Write a new record at the end of a table."""
        assert self._lowering.layouts is not None
        layout = self._lowering.layouts.records[kind.name]
        where = f"grow(m, {place}, {layout.places})"
        if isinstance(given, ast.Call):
            assert layout.cls is not None
            self._made(layout, where, self._constructed(layout.cls, given.args, given.keywords))
            return
        assert isinstance(given, ast.Tuple)
        names = list(layout.offsets) if layout.cls is None else [field.name for field in fields(layout.cls)]
        pairs = zip(names, given.elts, strict=True)
        self._made(
            layout, where, {name: self._held(self._text(each)) for name, each in pairs if name in layout.offsets}
        )

    def _sorted(self, values: ast.expr, key: ast.expr) -> str:
        """Write code that sorts a list of records by a key. Equal records keep their order."""
        assert isinstance(key, ast.Lambda)
        [name] = [each.arg for each in key.args.args]
        self._kinds[name] = self._class(self._kind(values))
        at, count = self._held_items(values)
        k, j, one = self._temporary(), self._temporary(), local(name)
        self._put(f"for {k} in range(1, {count}):")
        self._depth += 1
        self._put(f"{one} = read_int(m, {at} + {k})")
        moved = self._held(one)
        mine = self._key(key.body)
        self._put(f"{j} = {k}")
        self._put(f"while {j} > 0:")
        self._depth += 1
        self._put(f"{one} = read_int(m, {at} + {j} - 1)")
        self._put(f"if not {less(mine, self._key(key.body))}:")
        self._put("    break")
        self._put(f"write_int(m, {at} + {j}, {one})")
        self._put(f"{j} = {j} - 1")
        self._depth -= 1
        self._put(f"write_int(m, {at} + {j}, {moved})")
        self._depth -= 1
        return "0"

    def _key(self, node: ast.expr) -> list[str]:
        return self._parts(node if isinstance(node, ast.Tuple) else ast.Tuple([node]))

    def _helper_call(self, name: str, arguments: list[ast.expr]) -> str:
        [given, *_] = arguments
        if name == "len" and isinstance(self._kind(given), BarColumn):
            self._uses_columns()
            return "n"
        if name == "len" and isinstance(kind := self._kind(given), RecordTable):
            layout = self._lowering.object(kind.name)
            assert layout is not None
            return f"(read_int(m, {self._header(given)} + {lists.COUNT}) // {layout.places})"
        if name == "any":
            return self._any(given)
        if name in ("max", "min") and len(arguments) == 1 and isinstance(self._kind(given), BarColumn):
            at, count = self._part_of_column(given)
            return f"{name}(b[{at} : {at} + {count}])"
        return self._whole(given) if name == "int" else super()._helper_call(name, arguments)

    def _any(self, node: ast.expr) -> str:
        """Return the code of whether a condition holds for at least one item of a list."""
        assert isinstance(node, ast.GeneratorExp)
        found = self._held("False")
        test = self._begin_comprehension(node)
        self._put(f"if {self._condition(test)}:")
        self._put(f"    {found} = True")
        self._put("    break")
        self._end_loop(levels_of(node))
        return found

    def _call_kind(self, function: ast.expr, arguments: list[ast.expr]) -> Any:
        if isinstance(function, ast.Name):
            called = self._names.get(function.id)
            if isinstance(called, type):
                return called
            if called is differ or function.id == "any":
                return "bool"
        return super()._call_kind(function, arguments)

    def _differing(self, one: ast.expr, other: ast.expr) -> str:
        """Return the code of whether several numbers in the memory differ from the items of a tuple of arguments. The
        bits are compared first, because they are equal most often, and because this takes less time."""
        place, kind = self._field(one)
        items = flat_items(self._resolved(other)) or []
        if len(items) != kind.places:
            raise TypeError(f"{ast.unparse(other)} does not have {kind.places} items")
        pairs = [f"(m[{place} + {k}], {self._as(item, kind.kind)})" for k, item in enumerate(items)]
        first, then = (" and ".join(f"{name}{pair}" for pair in pairs) for name in ("has_same_bits", "is_same"))
        return f"(not ({first}) and not ({then}))"
