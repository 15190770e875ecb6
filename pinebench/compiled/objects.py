"""Writes the functions of the broker's classes in the subset of Python that `compiled.native` translates.

A local name for a list refers to the items that the list has when the name is assigned; a loop refers to the items at
its start. Therefore a method that may change the list in the meantime, itself or through a call, raises TypeError when
it is lowered. `layouts.FIXED` names the parts that the plain broker omits, such as the risk rules.
"""

from __future__ import annotations

import ast
from typing import Any

from pinebench.compiled import lists
from pinebench.compiled.function_expressions import UNKNOWN, local, tuple_items, view
from pinebench.compiled.function_writer import FunctionWriter
from pinebench.compiled.layouts import BarColumn, Layout, RecordTable, Rows, Several
from pinebench.compiled.object_calls import ObjectCalls
from pinebench.compiled.object_expressions import Lists, flat_items


class ObjectFunction(ObjectCalls, FunctionWriter):
    """Writes a function or method of the broker in the subset of Python that `compiled.native` translates."""

    def text(self, node: ast.FunctionDef, name: str) -> str:
        """Return the machine code function for the definition `node`, under the name `name`."""
        self._uses = _last_uses(node)
        names = (each for each in ast.walk(node) if isinstance(each, ast.Name))
        self._stored = {each.id for each in names if isinstance(each.ctx, ast.Store)}
        return super().text(node, name)

    def _result_kind(self, node: ast.FunctionDef) -> Any:
        result = self._annotated(node.returns)
        return (result.kind,) * result.places if isinstance(result, Several) else result

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
            case ast.AugAssign(target=target, value=value) if isinstance(self._kind(target), Rows):
                self._extend(target, value)
            case ast.While(test=test, body=body, orelse=[]):
                self._while(test, body)
            case _:
                super()._statement(node)

    def _while(self, test: ast.expr, body: list[ast.stmt]) -> None:
        """Write a loop whose number of rounds is limited, so that it ends even if the memory is damaged."""
        self._put(f"while {self._maybe(self._condition, test)}:")
        self._depth += 1
        self._put("if not may_repeat(m):")
        self._put(f"    return {self._empty()}")
        self._block(body)
        self._put("pass")
        self._depth -= 1
        self._stops()

    def _assign(self, targets: list[ast.expr], value: ast.expr) -> None:
        [target, *others] = targets
        if isinstance(target, ast.Name) and not others:
            self._assign_name(target.id, value)
        elif isinstance(target, ast.Tuple) or others:
            super()._assign(targets, value)
        elif isinstance(self._kind(target), Rows):
            self._assign_list(target, value)
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
                raise TypeError(f"{ast.unparse(value)} has items that are not arguments")
            self._aliases[name] = value
        elif isinstance(kind, Lists):
            self._kinds[name] = kind
            for each, text in zip(view(name), self._items_of(value), strict=True):
                self._put(f"{each} = {text}")
            self._views.append((self._uses.get(name, 0), self._lists_in(value)))
        else:
            if kind != "None" and (kind != "int" or self._kinds.get(name) != "float"):
                self._kinds[name] = kind
            self._put(f"{local(name)} = {self._as(value, self._kinds[name])}")

    def _unpack(self, target: ast.Tuple, value: ast.expr) -> None:
        items = tuple_items(value)
        if isinstance(row := self._kind(value), Layout):
            place = self._held(self._text(value))
            for each, offset in zip(target.elts, row.offsets.values(), strict=True):
                self._store(each, f"m[{place} + {offset}]", "float")
            return
        if items is not None:
            pairs = list(zip(target.elts, items, strict=True))
            at_once = [(to, each) for to, each in pairs if self._is_single(each) or self._is_list(self._kind(each))]
            for to, each in at_once:
                self._assign([to], each)
            pairs = [pair for pair in pairs if pair not in at_once]
            target, value = ast.Tuple([to for to, _ in pairs]), ast.Tuple([each for _, each in pairs])
        super()._unpack(target, value)

    def _is_single(self, value: ast.expr) -> bool:
        """Return whether a value is the only object of its class."""
        kind = self._kind(value)
        return isinstance(kind, type) and self._lowering.single(kind) is not None

    def _assign_list(self, target: ast.expr, value: ast.expr) -> None:
        self._change(target)
        if isinstance(value, ast.ListComp) and _is_filter(value, target):
            self._filter(self._header(target), value)
        else:
            super()._assign_list(target, value)

    def _extend(self, target: ast.expr, value: ast.expr) -> None:
        """Write new numbers at the end of a list."""
        place, k = self._header(target), self._temporary()
        self._change(target)
        is_column = isinstance(value, ast.ListComp)
        if is_column:
            count = self._part_of_column(value.generators[0].iter)[1]
        else:  # [item] * count
            assert isinstance(value, ast.BinOp)
            count = self._held(self._whole(value.right))
        self._put(f"{k} = more(m, {place}, {count}) - 1")
        self._put(f"if read_int(m, STATUS) != 0:\n{'    ' * self._depth}    return {self._empty()}")
        self._stops()
        if is_column:
            item = self._begin_comprehension(value)
        else:
            assert isinstance(value.left, ast.List)
            [item] = value.left.elts
            self._begin_loop(ast.Name(self._temporary()), ast.Call(ast.Name("range"), [value.right], []))
        self._put(f"{k} = {k} + 1")
        self._put(f"m[{k}] = {self._text(item)}")
        self._end_loop()

    def _filter(self, place: str, value: ast.ListComp) -> None:
        """Write code that removes items of a list in place. This takes less time than a new list of the remaining
        items."""
        at, _ = self._held_items(value.generators[0].iter)
        left = self._held("0")
        item = self._begin_comprehension(value)
        self._put(f"write_int(m, {at} + {left}, {self._text(item)})")
        self._put(f"{left} = {left} + 1")
        self._end_loop(2)
        self._put(f"write_int(m, {place} + {lists.COUNT}, {left})")


def _is_filter(value: ast.ListComp, target: ast.expr) -> bool:
    """Return whether a list is replaced by the items in it for which a condition holds."""
    [part] = value.generators
    is_same = ast.unparse(part.iter) == ast.unparse(target) and ast.unparse(part.target) == ast.unparse(value.elt)
    return is_same and len(part.ifs) == 1


def _last_uses(function: ast.FunctionDef) -> dict[str, int]:
    """Return the line of the last use of each name in a function. A use in a loop lasts until the end of the loop."""
    found: dict[str, int] = {}
    for loop in [function, *(each for each in ast.walk(function) if isinstance(each, ast.For | ast.While))]:
        for each in ast.walk(loop):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
                last = each.lineno if loop is function else loop.end_lineno or each.lineno
                found[each.id] = max(found.get(each.id, 0), last)
    return found
