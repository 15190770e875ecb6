"""Writes lowered functions and methods in the subset of Python that `compiled.native` translates.

    self.high = high              ->  m[place] = v_high
    self.count += 1               ->  write_int(m, place, (read_int(m, place) + 1))
    raise RuntimeFault(...)       ->  fail(m, 1.0), and the function returns

The methods may use numbers, bools and lists of them, `if`, `while`, `for`, calls of other methods and of a module's
functions, slices, comprehensions, `min`, `max`, `abs`, `len`, `reduce(add, ...)`, and assignments of tuples. Strings
are allowed only in errors. Anything else raises TypeError when machine code is generated.
"""

from __future__ import annotations

import ast
from typing import Any

from pinebench.compiled import lists
from pinebench.compiled.function_expressions import (
    UNKNOWN,
    FunctionExpressions,
    levels_of,
    local,
    parameters_of,
    tuple_items,
    view,
)
from pinebench.compiled.kernel_lowering import NUMBERS

_EMPTY = {"float": "NA", "bool": "False", "text": "0.0", "None": "", "list": "0, 0"}
"""The empty values of the kinds that are not whole numbers."""
_NATIVE = {"float": "float", "text": "float", "bool": "bool", "None": "None", "list": "tuple[int, int]"}
"""The types of `native` for the kinds in `_EMPTY`."""


class FunctionWriter(FunctionExpressions):
    """Writes a function or method in the subset of Python that `compiled.native` translates."""

    def text(self, node: ast.FunctionDef, name: str) -> str:
        """Return the machine code function for the definition `node`, under the name `name`."""
        self._name = name
        given = ["m: P", "b: P", "n: int"]
        if self._cls is not None and not self._lowering.single(self._cls):
            given.append("s: int")
        for argument in parameters_of(node, is_method=self._cls is not None):
            kind = self._kinds[argument.arg] = self._annotated(argument.annotation)
            if not self._is_left_out(argument.arg, kind):
                given += self._parameter(argument.arg, kind)
        self._result = self._result_kind(node)
        self._block(node.body)
        if name not in self._lowering.columned:
            del given[1:3]
        return "\n".join([f"def {name}({', '.join(given)}) -> {self._native(self._result)}:", *self._lines, "    pass"])

    def _parameter(self, name: str, kind: Any) -> list[str]:
        """Return the parameters of machine code for one parameter of the definition."""
        if self._is_list(kind):
            return [f"{each}: int" for each in view(name)]
        return [f"{local(name)}: {self._native(kind)}"]

    def _native(self, kind: Any) -> str:
        if isinstance(kind, tuple):
            return f"tuple[{', '.join(map(self._native, kind))}]"
        return _NATIVE.get(kind, "int")

    def _result_kind(self, node: ast.FunctionDef) -> Any:
        return self._annotated(node.returns)

    def _block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self._can_stop = False
            self._statement(statement)
            if self._can_stop and not isinstance(statement, ast.Return):
                self._put(f"if read_int(m, STATUS) != 0:\n{'    ' * self._depth}    return {self._empty()}")
            self._can_stop = False

    def _inside(self, statements: list[ast.stmt]) -> None:
        self._depth += 1
        self._block(statements)
        self._put("pass")
        self._depth -= 1

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Expr(value=ast.Constant()):
                pass
            case ast.Expr(value=value):
                self._put(self._text(value))
            case ast.Assign(targets=targets, value=value):
                self._assign(targets, value)
            case ast.AnnAssign(target=target, annotation=ast.Name(id="float"), value=ast.Constant(value=int() as n)):
                self._assign([target], ast.Constant(float(n)))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign([target], value)
            case ast.AugAssign(target=target, op=operator, value=value):
                self._assign([target], ast.BinOp(target, operator, value))
            case ast.If(test=test, body=body, orelse=otherwise):
                self._if(test, body, otherwise)
            case ast.While(test=test, body=body, orelse=[]):
                self._put(f"while {self._maybe(self._condition, test)}:")
                self._inside(body)
            case ast.For(target=target, iter=iterable, body=body, orelse=[]):
                self._begin_loop(target, iterable)
                self._block(body)
                self._end_loop()
            case ast.Delete(targets=[ast.Subscript(value=value, slice=ast.Slice() as part)]):
                self._delete(self._header(value), part)
            case ast.Return(value=None):
                self._put("return")
            case ast.Return(value=ast.expr() as value):
                is_list = self._is_list(self._result)
                self._put(f"return {', '.join(self._items_of(value)) if is_list else self._as(value, self._result)}")
            case ast.Raise():
                self._stops()
                self._put("fail(m, 1.0)")
                self._put(f"return {self._empty()}")
                self._can_stop = False
            case _:
                raise TypeError(f"{ast.unparse(node)} cannot be lowered")

    def _if(self, test: ast.expr, body: list[ast.stmt], otherwise: list[ast.stmt]) -> None:
        known = self._fixed(test)
        if known is not UNKNOWN:
            self._block(body if known else otherwise)
            return
        self._put(f"if {self._condition(test)}:")
        self._inside(body)
        if otherwise:
            self._put("else:")
            self._inside(otherwise)
        self._can_stop = False

    def _empty(self) -> str:
        kinds = self._result if isinstance(self._result, tuple) else (self._result,)
        return ", ".join(_EMPTY.get(each, "0") for each in kinds)

    def _delete(self, place: str, part: ast.Slice) -> None:
        """Write `del values[:n]`, `del values[n:]` or `del values[k:n]`."""
        count = f"read_int(m, {place} + {lists.COUNT})"
        first, end = (
            "" if each is None else f"position({self._text(each)}, {count})" for each in (part.lower, part.upper)
        )
        if end:
            self._put(f"cut(m, {place}, {first}, {end})" if first else f"remove(m, {place}, {end})")
        else:
            self._put(f"write_int(m, {place} + {lists.COUNT}, {first})")

    def _assign(self, targets: list[ast.expr], value: ast.expr) -> None:
        [target, *others] = targets
        if others:
            held = self._held(self._text(value))
            for target in targets:
                self._store(target, held, self._kind(value))
        elif isinstance(target, ast.Tuple):
            self._unpack(target, value)
        elif isinstance(target, ast.Name) and self._is_slot(value):
            self._aliases[target.id] = self._resolved(value)
        elif self._is_list(self._kind(value)):
            self._assign_list(target, value)
        else:
            self._store(target, self._text(value), self._kind(value))

    def _is_slot(self, value: ast.expr) -> bool:
        """Return whether an expression is a slot with a list or a kernel."""
        return isinstance(value, ast.Attribute) and self._kind(value) not in NUMBERS

    def _unpack(self, target: ast.Tuple, value: ast.expr) -> None:
        items = tuple_items(value)
        if items is None:  # a call
            names, kinds = [self._temporary() for _ in target.elts], self._kind(value)
            self._put(f"{', '.join(names)} = {self._text(value)}")
        else:
            pairs = list(zip(target.elts, items, strict=True))
            names = [self._held(self._as(item, self._target_kind(each, item))) for each, item in pairs]
            kinds = list(map(self._kind, items))
        for each, name, kind in zip(target.elts, names, kinds, strict=True):
            self._store(each, name, kind)

    def _target_kind(self, target: ast.expr, value: ast.expr) -> Any:
        """Return the kind that a value has after it is assigned."""
        if isinstance(target, ast.Name):
            return self._kinds.get(target.id, self._kind(value))
        return self._kind(target)

    def _assign_list(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self._kinds[target.id] = "list"
            for name, text in zip(view(target.id), self._items_of(value), strict=True):
                self._put(f"{name} = {text}")
            return
        place = self._header(target)
        if isinstance(value, ast.List) and not value.elts:
            self._put(f"write_int(m, {place} + {lists.COUNT}, 0)")
            return
        if not isinstance(value, ast.ListComp) and not isinstance(value, ast.BinOp):
            raise TypeError(f"{ast.unparse(value)} cannot be stored in a field")
        # The list is made at other places, because the new items can be made of the old ones.
        self._put(f"write_int(m, {place} + {lists.SPARE + lists.COUNT}, 0)")
        if isinstance(value, ast.BinOp):  # [item] * count
            assert isinstance(value.left, ast.List)
            [item] = value.left.elts
            self._put(f"for {self._temporary()} in range({self._text(value.right)}):")
            self._depth += 1
        else:
            item = self._begin_comprehension(value)
        append = "append_row" if self._class(self._kind(target)) else "append"
        self._put(f"{append}(m, {place} + {lists.SPARE}, {self._text(item)})")
        self._end_loop(levels_of(value))
        self._put(f"use_spare(m, {place})")
        self._stops()
