"""Writes the broker's classes in the part of Python that `native` translates, with their objects, lists and texts.

    trade.price               ->  m[v_trade + ...]
    self.open.append(trade)   ->  append_row(m, 60, v_trade)
    Trade(side, id, ...)      ->  new_record(m, ...), and a line for each field
    comment or id             ->  (v_comment if v_comment != 0.0 else v_id)
    self._high[bar]           ->  b[1 * n + int(v_bar)]

A name for a list is the items that the list had then, and so is a loop over it. A method that may change the list while
it uses them, itself or by a call, is a TypeError.
`layouts.FIXED` names the parts that machine code leaves out, such as the rules about risk.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from typing import Any, get_args, get_origin

from pinebench.broker import differ
from pinebench.compiled import lists
from pinebench.compiled.layouts import (
    AREAS,
    CALLED,
    FIXED,
    KINDS,
    LEFT_OUT,
    POINTS,
    VECTOR,
    WORDS,
    BarColumn,
    Layout,
    Link,
    RecordTable,
    Rows,
    Several,
)
from pinebench.compiled.lowering import (
    UNKNOWN,
    FunctionWriter,
    KernelLowering,
    constant,
    definition,
    definitions,
    local,
    tuple_items,
    view,
)
from pinebench.totals import total

_EMPTY = {"float": "NA", "int": "0", "bool": "False", "text": "0.0", "None": ""}
_Lists = Rows | RecordTable | Several


def _annotation(node: ast.expr | None) -> str:
    return "None" if node is None else ast.unparse(node)


class ObjectFunction(FunctionWriter):
    """Writes one function or method of the broker."""

    def __init__(
        self, lowering: KernelLowering, cls: type | None, names: Mapping[str, Any], owner: type | None = None
    ) -> None:
        super().__init__(lowering, cls, names, owner)
        self._loops: list[set[str]] = []
        """The lists whose items the loops around the place are over."""
        self._views: list[tuple[int, set[str]]] = []
        """The lists that local names are the items of, with the line of the last use of the name."""
        self._uses: dict[str, int] = {}
        """The line of the last use of each local name; in a loop, the last line of the loop."""
        self._stored: set[str] = set()
        """The names that the function assigns."""

    def text(self, node: ast.FunctionDef, name: str) -> str:
        """The function that is made of a definition."""
        self._name = name
        self._uses = _last_uses(node)
        names = (each for each in ast.walk(node) if isinstance(each, ast.Name))
        self._stored = {each.id for each in names if isinstance(each.ctx, ast.Store)}
        given = ["s: int"] if self._cls is not None and not self._lowering.single(self._cls) else []
        for argument in _parameters(node, self._cls is not None):
            kind = self._annotated(argument.annotation)
            self._kinds[argument.arg] = kind
            given += self._parameter(argument.arg, kind)
        result = self._annotated(node.returns)
        self._result = (result.kind,) * result.places if isinstance(result, Several) else result
        self._block(node.body)
        memory = ["m: P", "b: P", "n: int"] if name in self._lowering.columned else ["m: P"]
        head = f"def {name}({', '.join([*memory, *given])}) -> {self._native(self._result)}:"
        return "\n".join([head, *self._lines, "    pass"])

    def _parameter(self, name: str, kind: Any) -> list[str]:
        """The parameters that one parameter becomes."""
        if name in LEFT_OUT or (isinstance(kind, type) and self._lowering.single(kind)):
            return []
        if isinstance(kind, Rows):
            return [f"{each}: int" for each in view(name)]
        return [f"{local(name)}: {self._native(kind)}"]

    def _annotated(self, node: ast.expr | None) -> Any:
        """The kind that an annotation names."""
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
        if isinstance(known := KINDS.get(text), Several):
            return known
        if text == "Sequence[float]":
            return POINTS
        if get_origin(alias := self._names.get(text)) is tuple:
            return tuple(self._annotated(ast.Name(each.__name__)) for each in get_args(alias))
        kinds = {"float": "float", "int": "float", "str": "text", "bool": "bool", "None": "None"}
        if text not in kinds:
            raise TypeError(f"{self._name}: {text} cannot be lowered")
        return kinds[text]

    def _native(self, kind: Any) -> str:
        """The type of `native` for a kind."""
        if isinstance(kind, tuple):
            return f"tuple[{', '.join(map(self._native, kind))}]"
        return {"float": "float", "text": "float", "bool": "bool", "int": "int", "None": "None"}.get(kind, "int")

    def _empty(self) -> str:
        if isinstance(self._result, tuple):
            return ", ".join(_EMPTY.get(each, "0") for each in self._result)
        return _EMPTY.get(self._result, "0")

    def _uses_columns(self) -> None:
        self._lowering.columned.add(self._name)

    def _memory_of(self, function: str) -> str:
        if function not in self._lowering.columned:
            return "m"
        self._uses_columns()
        return "m, b, n"

    # statements

    def _statement(self, node: ast.stmt) -> None:
        self._views = [(last, viewed) for last, viewed in self._views if node.lineno <= last]
        match node:
            case ast.Break():
                self._put("break")
            case ast.Continue():
                self._put("continue")
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=ast.expr() as value):
                self._kinds[name] = self._annotated(annotation)
                self._put(f"{local(name)} = {self._as(value, self._kinds[name])}")
            case ast.While(test=test, body=body, orelse=[]):
                self._while(test, body)
            case ast.Return(value=ast.expr() as value):
                self._put(f"return {self._returned(value)}")
            case _:
                super()._statement(node)

    def _while(self, test: ast.expr, body: list[ast.stmt]) -> None:
        """A loop. It has an end also if something is wrong with the memory."""
        self._put(f"while {self._maybe(self._condition, test)}:")
        self._depth += 1
        self._put("if not may_repeat(m):")
        self._put(f"    return {self._empty()}")
        self._block(body)
        self._put("pass")
        self._depth -= 1
        self._stops()

    def _returned(self, value: ast.expr) -> str:
        if self._result == "None":
            return ""
        return self._as(value, self._result)

    def _as(self, node: ast.expr, kind: Any) -> str:
        """The code of a value of this kind: None is na, or 0 for a record."""
        if isinstance(node, ast.Constant) and node.value is None:
            if isinstance(kind, tuple):
                return ", ".join(_EMPTY.get(each, "0") for each in kind)
            return "NA" if isinstance(kind, str) else "0"
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
        return self._text(node)

    def _assign(self, targets: list[ast.expr], value: ast.expr) -> None:
        [target, *others] = targets
        if isinstance(target, ast.Name) and not others:
            self._assign_name(target.id, value)
        elif isinstance(target, ast.Tuple) or others:
            super()._assign(targets, value)
        elif isinstance(self._kind(target), Rows):
            self._assign_rows(target, value)
        elif isinstance(kind := self._kind(target), Several):
            self._copy_several(self._field(target)[0], kind, value)
        else:
            self._store(target, self._as(value, self._kind(target)), "")

    def _assign_name(self, name: str, value: ast.expr) -> None:
        known = self._fixed(value)
        if known is not UNKNOWN and not isinstance(value, ast.Constant):
            self._known[name] = known
            return
        kind = self._kind(value)
        is_place = isinstance(kind, Several) and isinstance(value, ast.Attribute)
        if is_place or isinstance(kind, BarColumn | RecordTable) or self._is_single(value):
            self._aliases[name] = self._resolved(value)
        elif isinstance(kind, Several) and isinstance(value, ast.Tuple):
            if not all(isinstance(each, ast.Name) and each.id not in self._stored for each in flat_items(value) or []):
                raise TypeError(f"{ast.unparse(value)} has something else than arguments")
            self._aliases[name] = value
        elif isinstance(kind, _Lists):
            self._kinds[name] = kind
            for each, text in zip(view(name), self._items_of(value), strict=True):
                self._put(f"{each} = {text}")
            self._views.append((self._uses.get(name, 0), self._lists_in(value)))
        else:
            if kind != "None":
                self._kinds[name] = kind
            self._put(f"{local(name)} = {self._as(value, self._kinds[name])}")

    def _unpack(self, target: ast.Tuple, value: ast.expr) -> None:
        items = tuple_items(value)
        if items is None:
            targets, names = target.elts, [self._temporary() for _ in target.elts]
            kinds: Iterable[Any] = self._kind(value)
            self._put(f"{', '.join(names)} = {self._text(value)}")
        else:
            pairs = list(zip(target.elts, items, strict=True))
            at_once = [(to, each) for to, each in pairs if self._is_single(each) or isinstance(self._kind(each), Rows)]
            for to, each in at_once:
                self._assign([to], each)
            pairs = [pair for pair in pairs if pair not in at_once]
            targets = [to for to, _ in pairs]
            names = [self._held(self._as(each, self._target_kind(to, each))) for to, each in pairs]
            kinds = [self._kind(each) for _, each in pairs]
        for each, name, one in zip(targets, names, kinds, strict=True):
            self._store(each, name, one)

    def _is_single(self, value: ast.expr) -> bool:
        """Whether a value is the only object of its class."""
        kind = self._kind(value)
        return isinstance(kind, type) and self._lowering.single(kind) is not None

    def _target_kind(self, target: ast.expr, value: ast.expr) -> Any:
        if isinstance(target, ast.Name):
            return self._kinds.get(target.id, self._kind(value))
        return self._kind(target)

    def _store(self, target: ast.expr, text: str, kind: Any) -> None:
        if isinstance(target, ast.Name):
            if target.id == "_":
                return
            self._kinds.setdefault(target.id, kind)
            self._put(f"{local(target.id)} = {text}")
            return
        if isinstance(target, ast.Subscript):
            at, _ = self._items_of(target.value)
            self._put(f"write_int(m, {at} + {self._whole(target.slice)}, {text})")
            return
        if self._fixed(target) is not UNKNOWN:
            return
        place, kept = self._field(target)
        if isinstance(kept, Link):
            self._put(f"write_int(m, {place}, {text})")
        elif kept in ("float", "text", "flag"):
            self._put(f"m[{place}] = {text}")
        else:
            raise TypeError(f"{ast.unparse(target)} cannot be replaced")

    def _assign_rows(self, target: ast.expr, value: ast.expr) -> None:
        place = self._header(target)
        self._change(target)
        if isinstance(value, ast.List) and not value.elts:
            self._put(f"write_int(m, {place} + {lists.COUNT}, 0)")
            return
        if not isinstance(value, ast.ListComp):
            raise TypeError(f"{ast.unparse(value)} cannot be kept in a slot")
        self._put(f"spare(m, {place})")
        item = self._begin_comprehension(value)
        self._put(f"append_spare_row(m, {place}, {self._text(item)})")
        self._end_loop(2 if value.generators[0].ifs else 1)
        self._put(f"use_spare(m, {place})")
        self._stops()

    def _copy_several(self, place: str, kind: Several, value: ast.expr) -> None:
        """Write several numbers from the place `place` on."""
        items = flat_items(self._resolved(value))
        if items is None:
            self._put(f"copy(m, {self._several(value)}, {place}, {kind.places})")
            return
        if len(items) != kind.places:
            raise TypeError(f"{ast.unparse(value)} does not have {kind.places} items")
        for k, item in enumerate(items):
            self._put(f"m[{place} + {k}] = {self._as(item, kind.kind)}")

    def _differing(self, one: ast.expr, other: ast.expr) -> str:
        """Whether several numbers in the memory are not the same ones as the items of a tuple of arguments.

        Most often they have the same bits, also the ones that are na. This is asked first, because it takes less time.
        """
        place, kind = self._field(one)
        items = flat_items(self._resolved(other)) or []
        if len(items) != kind.places:
            raise TypeError(f"{ast.unparse(other)} does not have {kind.places} items")
        pairs = [f"(m[{place} + {k}], {self._as(item, kind.kind)})" for k, item in enumerate(items)]
        first, then = (" and ".join(f"{name}{pair}" for pair in pairs) for name in ("has_same_bits", "is_same"))
        return f"(not ({first}) and not ({then}))"

    def _several(self, node: ast.expr) -> str:
        """The place of the first of several numbers."""
        node = self._resolved(node)
        if isinstance(node, ast.Name):
            return local(node.id)
        if isinstance(node, ast.Attribute):
            return self._field(node)[0]
        names = [self._temporary() for _ in range(POINTS.places)]
        self._put(f"{', '.join(names)} = {self._text(node)}")
        for k, name in enumerate(names):
            self._put(f"m[{AREAS.scratch} + {k}] = {name}")
        return str(AREAS.scratch)

    # loops

    def _begin_loop(self, target: ast.expr, iterable: ast.expr) -> None:
        match iterable:
            case ast.Call(func=ast.Name(id="range"), args=given):
                assert isinstance(target, ast.Name)
                self._loops.append(set())
                self._kinds[target.id] = "int"
                self._put(f"for {local(target.id)} in range({', '.join(map(self._whole, given))}):")
                self._depth += 1
            case _:
                super()._begin_loop(target, iterable)

    def _begin_items(self, target: ast.expr, iterable: ast.expr) -> None:
        kind = self._kind(iterable)
        at, count = self._held_items(iterable)
        self._loops.append(self._lists_in(iterable))
        k = self._temporary()
        self._put(f"for {k} in range({count}):")
        self._depth += 1
        cls = self._class(kind)
        self._store(target, f"read_int(m, {at} + {k})" if cls else f"m[{at} + {k}]", cls or "float")

    def _end_loop(self, levels: int = 1) -> None:
        super()._end_loop(levels)
        self._loops.pop()

    # changes of lists

    def _lists_in(self, node: ast.expr) -> set[str]:
        """The lists whose items an expression is, as `Book.orders`."""
        node = self._resolved(node)
        match node:
            case ast.Attribute() if isinstance(self._kind(node), Rows):
                return {f"{self._object(node.value)[2].__name__}.{node.attr}"}
            case ast.Subscript(value=value):
                return self._lists_in(value)
            case ast.IfExp(body=body, orelse=otherwise):
                return self._lists_in(body) | self._lists_in(otherwise)
            case _:
                return set()

    def _in_use(self) -> set[str]:
        """The lists whose items are used here."""
        return set().union(*self._loops, *(viewed for _, viewed in self._views))

    def _change(self, target: ast.expr) -> None:
        """Note that a list is changed here."""
        changed = self._lists_in(target)
        self._lowering.changed[self._name] |= changed
        if changed & self._in_use():
            raise TypeError(f"{self._name} changes {ast.unparse(target)} while it uses the items that it had before")

    def _class(self, kind: Any) -> type | None:
        """The class of the records of a list; None for a list of numbers."""
        layout = self._lowering.object(kind.name) if isinstance(kind, Rows | RecordTable) and kind.name else None
        return None if layout is None else layout.cls

    # lists

    def _header(self, node: ast.expr) -> str:
        return self._field(self._resolved(node))[0]

    def _items_of(self, node: ast.expr) -> tuple[str, str]:
        node = self._resolved(node)
        match node:
            case ast.Name(id=name):
                return view(name)
            case ast.Attribute():
                place, kind = self._field(node)
                if isinstance(kind, Several):
                    return place, str(kind.places)
                return f"read_int(m, {place} + {lists.AT})", f"read_int(m, {place} + {lists.COUNT})"
            case ast.Subscript(value=value, slice=ast.Slice(lower=lower, upper=upper, step=None)):
                at, count = self._held_items(value)
                start = "0" if lower is None else self._held(f"position({self._whole(lower)}, {count})")
                end = count if upper is None else self._held(f"position({self._whole(upper)}, {count})")
                return (at, end) if lower is None else (f"({at} + {start})", f"whole_max(0, {end} - {start})")
            case ast.IfExp(test=test, body=body, orelse=otherwise):
                asked = self._held(self._condition(test))
                pairs = zip(self._items_of(body), self._items_of(otherwise), strict=True)
                one, other = (self._held(f"({first} if {asked} else {second})") for first, second in pairs)
                return one, other
            case _:
                raise TypeError(f"{ast.unparse(node)} cannot be lowered")

    def _whole(self, node: ast.expr) -> str:
        """The code of a whole number. A whole number in the memory is a float."""
        text = self._text(node)
        return text if self._kind(node) == "int" else f"int({text})"

    # objects

    def _object(self, node: ast.expr) -> tuple[str, int, Any]:
        node = self._resolved(node)
        if isinstance(node, ast.Name):
            return super()._object(node)
        if isinstance(node, ast.Attribute) and self._property(node) is None:
            base, place, kind = self._slot(node)
            if not isinstance(kind, Link):
                return base, place, kind
        return self._text(node), 0, self._kind(node)

    def _constructed(self, cls: type, arguments: list[ast.expr], keywords: list[ast.keyword]) -> dict[str, Any]:
        """The values of the fields of a new object, as code."""
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
        """Write the fields of a new object. Return its place."""
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
            raise TypeError(f"a new {cls.__name__} cannot be a part of a choice")
        assert self._lowering.layouts is not None
        layout = self._lowering.layouts.records[cls.__name__]
        values = self._constructed(cls, arguments, keywords)
        pool = self._lowering.layouts.pools[cls.__name__]
        return self._made(layout, f"new_record(m, {pool}, {layout.places})", values)

    # expressions

    def _fixed(self, node: ast.expr) -> Any:
        match node:
            case ast.Name(id=name):
                return self._known.get(name, UNKNOWN)
            case ast.Constant(value=str()):
                return UNKNOWN
            case ast.Attribute(value=value, attr=name):
                return self._fixed_slot(value, name)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                known = self._fixed(operand)
                return UNKNOWN if known is UNKNOWN else not known
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Constant(value=None)]):
                known = self._fixed(left)
                return UNKNOWN if known is UNKNOWN else (known is None) is isinstance(op, ast.Is)
            case ast.BoolOp(op=ast.Or(), values=values):
                return True if any(self._fixed(each) is True for each in values) else self._all_false(values)
            case ast.BoolOp(op=ast.And(), values=values):
                known = [self._fixed(each) for each in values]
                if any(each is not UNKNOWN and not each for each in known):
                    return False
                return all(known) if UNKNOWN not in known else UNKNOWN
            case _:
                return UNKNOWN

    def _all_false(self, values: list[ast.expr]) -> Any:
        known = [self._fixed(each) for each in values]
        return UNKNOWN if any(each is UNKNOWN for each in known) else any(known)

    def _fixed_slot(self, value: ast.expr, name: str) -> Any:
        node = self._resolved(ast.Attribute(value, name))
        assert isinstance(node, ast.Attribute)
        try:
            cls = self._object(node.value)[2]
        except TypeError:
            return UNKNOWN
        return FIXED.get(f"{getattr(cls, '__name__', '')}.{name}", UNKNOWN)

    def _condition(self, node: ast.expr) -> str:
        known = self._fixed(node)
        if known is not UNKNOWN:
            return repr(bool(known))
        if isinstance(node, ast.BoolOp | ast.UnaryOp):
            return super()._condition(node)
        kind = self._kind(node)
        if isinstance(kind, RecordTable):
            return f"({self._length(node)} > 0)"
        if isinstance(kind, _Lists):
            return f"({self._items_of(node)[1]} != 0)"
        text = self._text(node)
        if kind in ("bool", "flag"):
            return text
        return f"({text} != {'0.0' if kind in ('float', 'text') else '0'})"

    def _text(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=str() as value):
                return repr(WORDS[value])
            case ast.Constant(value=float() as value):
                return constant(value)
            case ast.Name() | ast.Attribute() if (known := self._fixed(node)) is not UNKNOWN:
                return constant(known)
            case ast.JoinedStr(values=[ast.Constant(value=str() as word), ast.FormattedValue(value=value)]):
                return f"({WORDS[word]} - {self._text(value)})"
            case ast.Name(id=name) if name not in self._kinds and name not in self._aliases:
                value = self._names[name]
                return repr(WORDS[value]) if isinstance(value, str) else super()._text(node)
            case ast.Name(id=name) if name in self._aliases:
                return self._text(self._aliases[name])
            case ast.Attribute() if self._property(node) is None:
                place, kind = self._field(node)
                if isinstance(kind, Link):
                    return f"read_int(m, {place})"
                return f"(m[{place}] != 0.0)" if kind == "flag" else f"m[{place}]"
            case ast.BoolOp(op=ast.Or(), values=[first, second]) if self._kind(node) == "text":
                if isinstance(second, ast.Constant):  # `text or ""`
                    return self._text(first)
                one = self._held(self._text(first))
                return f"({one} if {one} != 0.0 else {self._maybe(self._text, second)})"
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                return self._compared(left, operator, right)
            case ast.IfExp():
                return self._as(node, self._kind(node))
            case ast.Call(func=function, args=arguments, keywords=keywords):
                return self._called(function, arguments, keywords)
            case _:
                return super()._text(node)

    def _compared(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> str:
        if isinstance(operator, ast.Is | ast.IsNot):
            is_none = isinstance(right, ast.Constant) and right.value is None
            if is_none and (known := self._fixed(left)) is not UNKNOWN:
                return repr((known is None) is isinstance(operator, ast.Is))
            one = self._text(left)
            if is_none and self._kind(left) in ("float", "text"):
                one = self._held(one) if not self._is_choice and not one.isidentifier() else one
                return f"({one} {'!=' if isinstance(operator, ast.Is) else '=='} {one})"
            other = "0" if is_none else self._text(right)
            return f"({one} {'==' if isinstance(operator, ast.Is) else '!='} {other})"
        if isinstance(operator, ast.In | ast.NotIn):
            if isinstance(right, ast.Tuple) or (isinstance(right, ast.Name) and right.id in self._names):
                found = self._in_words(left, right)
            else:
                at, count = self._items_of(right)
                function = "has_row" if self._class(self._kind(right)) else "has"
                found = f"{function}(m, {at}, {count}, {self._text(left)})"
            return f"(not {found})" if isinstance(operator, ast.NotIn) else found
        kind = self._kind(left)
        if isinstance(kind, tuple):
            assert isinstance(operator, ast.Lt)
            return _less(self._parts(left), self._parts(right))
        return super()._text(ast.Compare(left, [operator], [right]))

    def _parts(self, node: ast.expr) -> list[str]:
        """The items of a tuple, computed once. A bool is a number, because bools of machine code have no order."""
        kinds = self._kind(node)
        items = tuple_items(node)
        if items is None:
            names = [self._temporary() for _ in kinds]
            self._put(f"{', '.join(names)} = {self._text(node)}")
        else:
            names = [self._held(self._text(item)) for item in items]
        return [f"float({name})" if kind == "bool" else name for name, kind in zip(names, kinds, strict=True)]

    def _in_words(self, left: ast.expr, right: ast.expr) -> str:
        if isinstance(right, ast.Name):
            values = self._names[right.id]
        else:
            assert isinstance(right, ast.Tuple)
            values = [
                self._names[each.id] if isinstance(each, ast.Name) else ast.literal_eval(each) for each in right.elts
            ]
        one = self._text(left)
        return "(" + " or ".join(f"{one} == {WORDS[each]}" for each in values) + ")"

    def _item(self, node: ast.Subscript) -> str:
        kind = self._kind(node.value)
        if isinstance(kind, BarColumn):
            self._uses_columns()
            return f"b[{kind.row} * n + {self._whole(node.slice)}]"
        if isinstance(kind, dict):
            return self._text(node.slice)
        if isinstance(kind, RecordTable):
            layout = self._lowering.object(kind.name)
            assert layout is not None
            return f"int(m[{self._header(node.value)}]) + {self._whole(node.slice)} * {layout.places}"
        at, _ = self._items_of(node.value)
        place = f"{at} + {self._whole(node.slice)}"
        return f"read_int(m, {place})" if self._class(kind) else f"m[{place}]"

    # calls

    def _called(self, function: ast.expr, arguments: list[ast.expr], keywords: list[ast.keyword]) -> str:
        if isinstance(function, ast.Name):
            called = self._names.get(function.id)
            if isinstance(called, type):
                return self._new(called, arguments, keywords)
            if called is total:
                return self._reduced(arguments[0], "0.0", "{0} + {1}")
            if called is differ:
                return self._differing(*arguments)
            if called is None or getattr(called, "__module__", "") == "math":
                return self._built_in(function.id, arguments)
            node = definitions(called.__module__)[called.__name__]
            name = self._lowering.function(called)
            if name in self._lowering.failing:
                self._stops()
            given = self._bound(name, node, called.__module__, _parameters(node, is_method=False), arguments, keywords)
            return f"{name}({', '.join([self._memory_of(name), *given])})"
        assert isinstance(function, ast.Attribute)
        kind = self._kind(function.value)
        if isinstance(kind, Rows) and function.attr == "sort":
            return self._sorted(function.value, keywords[0].value)
        if isinstance(kind, Rows | RecordTable):
            return self._list_called(function, kind, arguments)
        base, place, cls = self._object(function.value)
        bound = CALLED.get(f"{cls.__name__}.{function.attr}")
        if bound is not None:
            return self._method_called(bound[0], bound[1], [], arguments, keywords)
        state = [] if self._lowering.single(cls) else [f"{base} + {place}" if place else base]
        return self._method_called(cls, function.attr, state, arguments, keywords)

    def _method_called(
        self, cls: type, name: str, state: list[str], arguments: list[ast.expr], keywords: list[ast.keyword]
    ) -> str:
        node = definition(cls, name)
        made = self._lowering.method(cls, name)
        if made in self._lowering.failing:
            self._stops()
        given = self._bound(made, node, cls.__module__, _parameters(node, is_method=True), arguments, keywords)
        return f"{made}({', '.join([self._memory_of(made), *state, *given])})"

    def _method(self, cls: type, name: str, state: str, arguments: list[ast.expr]) -> str:
        return self._method_called(cls, name, [state] if state else [], arguments, [])

    def _bound(
        self,
        called: str,
        node: ast.FunctionDef,
        module: str,
        parameters: list[ast.arg],
        arguments: list[ast.expr],
        keywords: list[ast.keyword],
    ) -> list[str]:
        """The code of the arguments of a call, with the defaults of those that are left out."""
        defaults = dict(
            zip(reversed([each.arg for each in node.args.args]), reversed(node.args.defaults), strict=False)
        )
        defaults |= {
            one.arg: each for one, each in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if each
        }
        given = dict(zip([each.arg for each in parameters], arguments, strict=False))
        given |= {str(each.arg): each.value for each in keywords}
        found: list[str] = []
        used = self._in_use()
        for parameter in parameters:
            kind = self._annotated(parameter.annotation)
            if parameter.arg in LEFT_OUT or (isinstance(kind, type) and self._lowering.single(kind)):
                continue
            value = given.get(parameter.arg)
            if value is None:
                value = defaults[parameter.arg]
                if isinstance(value, ast.Name):
                    value = ast.Constant(vars(sys.modules[module])[value.id])
            if isinstance(kind, Rows):
                found += self._items_of(value)
                used |= self._lists_in(value)
            else:
                found.append(self._several(value) if isinstance(kind, Several) else self._as(value, kind))
        self._lowering.calls[self._name].add(called)
        self._lowering.viewed |= {(self._name, viewed, called) for viewed in used}
        return found

    def _list_called(self, function: ast.Attribute, kind: Any, arguments: list[ast.expr]) -> str:
        place = self._header(function.value)
        [given] = arguments
        if isinstance(kind, Rows):
            self._change(function.value)
        self._stops()
        if function.attr != "append":
            raise TypeError(f"{ast.unparse(function)}() cannot be lowered")
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
        """Sort a list of records by a key. Equal ones keep their order."""
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
        self._put(f"if not {_less(mine, self._key(key.body))}:")
        self._put("    break")
        self._put(f"write_int(m, {at} + {j}, {one})")
        self._put(f"{j} = {j} - 1")
        self._depth -= 1
        self._put(f"write_int(m, {at} + {j}, {moved})")
        self._depth -= 1
        return "0"

    def _key(self, node: ast.expr) -> list[str]:
        return self._parts(node if isinstance(node, ast.Tuple) else ast.Tuple([node]))

    def _built_in(self, name: str, arguments: list[ast.expr]) -> str:
        """The code of a call of a function of Python."""
        if name == "len":
            return self._length(arguments[0])
        if name == "any":
            return self._any(arguments[0])
        if name in ("max", "min") and len(arguments) == 1:
            return self._extreme(name, arguments[0])
        if name == "int":
            return self._whole(arguments[0])
        if name in ("max", "min"):
            first, *rest = [self._text(each) for each in arguments]
            for each in rest:
                first = f"python_{name}({first}, {each})"
            return first
        return self._helper_call(name, arguments)

    def _length(self, node: ast.expr) -> str:
        kind = self._kind(node)
        if isinstance(kind, RecordTable):
            return f"int(m[{self._header(node)} + {VECTOR.count}])"
        if isinstance(node, ast.ListComp):
            return self._reduced(ast.ListComp(ast.Constant(1), node.generators), "0", "{0} + {1}")
        return self._items_of(node)[1]

    def _any(self, node: ast.expr) -> str:
        """Whether a condition holds for an item of a list."""
        assert isinstance(node, ast.GeneratorExp)
        found = self._held("False")
        test = self._begin_comprehension(node)
        self._put(f"if {self._condition(test)}:")
        self._put(f"    {found} = True")
        self._put("    break")
        self._end_loop(2 if node.generators[0].ifs else 1)
        return found

    def _extreme(self, name: str, node: ast.expr) -> str:
        """`max` or `min` of a part of a column, or of numbers and lists of them."""
        if isinstance(node, ast.Subscript) and isinstance(kind := self._kind(node.value), BarColumn):
            assert isinstance(node.slice, ast.Slice)
            assert node.slice.lower is not None
            assert node.slice.upper is not None
            self._uses_columns()
            first, end = self._whole(node.slice.lower), self._whole(node.slice.upper)
            function = "largest_of" if name == "max" else "smallest_of"
            return f"{function}(b, {kind.row} * n + {first}, {end} - {first})"
        assert isinstance(node, ast.Tuple)
        best = self._held(self._text(node.elts[0]))
        sign = ">" if name == "max" else "<"
        for each in node.elts[1:]:
            if not isinstance(each, ast.Starred):
                self._put(f"{best} = python_{name}({best}, {self._text(each)})")
                continue
            at, count = self._held_items(each.value)
            k = self._temporary()
            self._put(f"for {k} in range({count}):")
            self._put(f"    if m[{at} + {k}] {sign} {best}:")
            self._put(f"        {best} = m[{at} + {k}]")
        return best

    # kinds

    def _kind(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=str()) | ast.JoinedStr():
                return "text"
            case ast.Constant(value=None):
                return "None"
            case ast.Name(id="self"):
                return self._cls
            case ast.Name(id=name) if name in self._aliases:
                return self._kind(self._aliases[name])
            case ast.Name(id=name) if name in self._kinds:
                return self._kinds[name]
            case ast.Name(id=name):
                value = self._names[name]
                return value if isinstance(value, dict) else "text" if isinstance(value, str) else type(value).__name__
            case ast.Attribute():
                if self._property(node) is not None:
                    cls = self._object(node.value)[2]
                    return self._annotated(definition(cls, node.attr).returns)
                kind = self._field(node)[1]
                if isinstance(kind, Link):
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
            case ast.ListComp(elt=ast.Name(), generators=[part]):
                return self._kind(part.iter)
            case ast.Call(func=function):
                return self._called_kind(function)
            case _:
                return super()._kind(node)

    def _called_kind(self, function: ast.expr) -> Any:
        if isinstance(function, ast.Name):
            called = self._names.get(function.id)
            if isinstance(called, type):
                return called
            if called is total:
                return "float"
            if called is differ:
                return "bool"
            if called is not None and getattr(called, "__module__", "") != "math":
                return self._annotated(definitions(called.__module__)[called.__name__].returns)
            return {"len": "int", "int": "int", "any": "bool"}.get(function.id, "float")
        assert isinstance(function, ast.Attribute)
        if isinstance(self._kind(function.value), Rows | RecordTable):
            return "None"
        return self._annotated(definition(self._object(function.value)[2], function.attr).returns)


def _less(one: list[str], other: list[str]) -> str:
    """Whether a tuple is less than another one: the first items that differ decide."""
    text = f"{one[-1]} < {other[-1]}"
    for left, right in zip(reversed(one[:-1]), reversed(other[:-1]), strict=True):
        text = f"{left} < {right} or ({left} == {right} and ({text}))"
    return f"({text})"


def flat_items(node: ast.expr) -> list[ast.expr] | None:
    """The items of a tuple that may have other tuples as parts; None for other expressions."""
    if not isinstance(node, ast.Tuple):
        return None
    found: list[ast.expr] = []
    for each in node.elts:
        inner = flat_items(each.value) if isinstance(each, ast.Starred) else [each]
        assert inner is not None
        found += inner
    return found


def _last_uses(function: ast.FunctionDef) -> dict[str, int]:
    """The line of the last use of each name in a function. A use in a loop lasts until the end of the loop."""
    found: dict[str, int] = {}
    for loop in [function, *(each for each in ast.walk(function) if isinstance(each, ast.For | ast.While))]:
        for each in ast.walk(loop):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
                last = each.lineno if loop is function else loop.end_lineno or each.lineno
                found[each.id] = max(found.get(each.id, 0), last)
    return found


def _parameters(node: ast.FunctionDef, is_method: bool) -> list[ast.arg]:
    return [*node.args.args[is_method:], *node.args.kwonlyargs]
