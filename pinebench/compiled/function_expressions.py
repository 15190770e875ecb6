"""Translates the expressions, loops and lists of functions to the subset of Python that `compiled.native` translates.

    self.count                    ->  read_int(m, place)
    self.range(i, width, length)  ->  Rma_call(m, s + 2, i, v_width, v_length)
    self.values.append(source)    ->  append(m, s + 9, v_source)

A place is an address in the memory `m`. A slot is an attribute of an object, and a kernel is an object with the state
of a built-in. A local name for a slot with a list or a kernel is an alias of the slot. A local name for a slice is a
view of the items, not a copy, so a method must not change a list while it uses a slice of it.
"""

from __future__ import annotations

import ast
import copy
import math
import sys
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import add, mul
from typing import Any

from pinebench.compiled import lists
from pinebench.compiled.definitions import annotated_kind, definition, definitions
from pinebench.compiled.kernel_lowering import NUMBERS, KernelLowering
from pinebench.compiled.layouts import LEFT_OUT, BarColumn, Link, RecordTable, Rows
from pinebench.compiled.native import LIBM
from pinebench.totals import total

UNKNOWN = object()


class FunctionExpressions:
    """Translates the expressions of a function or method. Its local variables get a prefix, so that no name conflicts
    with a helper's."""

    def __init__(
        self, lowering: KernelLowering, cls: type | None, names: Mapping[str, Any], owner: type | None = None
    ) -> None:
        """Prepare to translate a function, or a method of `cls`. `names` are the names of its module, and `owner` is
        the class that defines the method."""
        self._owner = owner
        self._lowering = lowering
        self._cls = cls
        self._names = names
        self._kinds: dict[str, Any] = {}
        self._aliases: dict[str, ast.expr] = {}
        self._known: dict[str, Any] = {}
        """The local names whose values are the same in all runs."""
        self._lines: list[str] = []
        self._depth = 1
        self._count = 0
        self._result: Any = "None"
        self._name = ""
        self._can_stop = False
        """Whether the statement that is being written can stop the run without a return."""
        self._is_choice = False
        """Whether an expression that is being written may stay without a value, so that no loop can come before it."""

    def _put(self, text: str) -> None:
        self._lines.append("    " * self._depth + text)

    def _stops(self) -> None:
        self._lowering.failing.add(self._name)
        self._can_stop = True

    def _temporary(self) -> str:
        self._count += 1
        return f"t{self._count}"

    def _annotated(self, node: ast.expr | None) -> Any:
        """The kind that an annotation names: `float`, `int`, `bool`, `list` or `None`, or a tuple of them."""
        return annotated_kind(node)

    def _is_list(self, kind: Any) -> bool:
        """Return whether a kind is a list whose items are stored in the memory."""
        return kind == "list"

    def _class(self, kind: Any) -> type | None:
        """Return the class of the records of a list; None for a list of numbers."""
        layout = self._lowering.object(kind.name) if isinstance(kind, Rows | RecordTable) and kind.name else None
        return None if layout is None else layout.cls

    def _as(self, node: ast.expr, kind: Any) -> str:
        """Return the code of a value of this kind. None becomes na, or 0 for a record."""
        if isinstance(node, ast.Constant) and node.value is None:
            return "NA" if isinstance(kind, str) else "0"
        return self._text(node)

    def _store(self, target: ast.expr, text: str, kind: Any) -> None:
        if isinstance(target, ast.Name):
            if target.id != "_":
                self._kinds.setdefault(target.id, kind)
                self._put(f"{local(target.id)} = {text}")
            return
        if isinstance(target, ast.Subscript):
            self._put(f"{self._item(target)} = {text}")
            return
        place, kept = self._field(target)
        if kept in ("int", "bool") or isinstance(kept, Link):
            self._put(f"write_int(m, {place}, {text})")
        elif kept in ("float", "text", "flag"):
            self._put(f"m[{place}] = {text}")
        else:
            raise TypeError(f"{ast.unparse(target)} is another object, which cannot be replaced")

    # loops

    def _begin_loop(self, target: ast.expr, iterable: ast.expr) -> None:
        """Write the head of a loop. The next lines go into its body, until `_end_loop`."""
        if self._is_choice:
            raise TypeError(f"a loop over {ast.unparse(iterable)} cannot be in a conditional expression")
        match iterable:
            case ast.Call(func=ast.Name(id="range"), args=given):
                assert isinstance(target, ast.Name)
                self._kinds[target.id] = "int"
                self._put(f"for {local(target.id)} in range({', '.join(map(self._whole, given))}):")
                self._depth += 1
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *start]):
                assert isinstance(target, ast.Tuple)
                number, item = target.elts
                counter = self._temporary()
                self._put(f"{counter} = {self._text(start[0]) if start else 0} - 1")
                self._begin_loop(item, inner)
                self._put(f"{counter} = {counter} + 1")
                self._store(number, counter, "int")
            case ast.Call(func=ast.Name(id="map"), args=[ast.Name(id=name), left, right]) if self._names[name] is mul:
                at, _ = self._held_items(right)
                counter, first, second = self._temporary(), self._temporary(), self._temporary()
                self._put(f"{counter} = 0 - 1")
                self._begin_loop(ast.Name(first), left)
                self._put(f"{counter} = {counter} + 1")
                self._put(f"{second} = m[{at} + {counter}]")
                self._store(target, f"({local(first)} * {second})", "float")
            case ast.ListComp() | ast.GeneratorExp():
                raise TypeError(f"a loop over {ast.unparse(iterable)} cannot be lowered")
            case _:
                self._begin_items(target, iterable)

    def _begin_items(self, target: ast.expr, iterable: ast.expr) -> None:
        """Write the head of a loop over the items of a list, or of a reversed list."""
        k = self._temporary()
        match iterable:
            case ast.Call(func=ast.Name(id="reversed"), args=[inner]):
                at, count = self._held_items(inner)
                self._put(f"for {k} in range({count} - 1, -1, -1):")
            case _:
                at, count = self._held_items(iterable)
                self._put(f"for {k} in range({count}):")
        self._depth += 1
        cls = self._class(self._kind(iterable))
        self._store(target, f"read_int(m, {at} + {k})" if cls else f"m[{at} + {k}]", cls or "float")

    def _begin_comprehension(self, node: ast.ListComp | ast.GeneratorExp) -> ast.expr:
        """Write the head of a comprehension with renamed variables, and return the expression of its item."""
        own = _renamed(node, self._temporary())
        [part] = own.generators
        self._begin_loop(part.target, part.iter)
        if part.ifs:
            [test] = part.ifs
            self._put(f"if {self._condition(test)}:")
            self._depth += 1
        return own.elt

    def _end_loop(self, levels: int = 1) -> None:
        self._put("pass")
        self._depth -= levels

    def _reduced(self, iterable: ast.expr, first: str, step: str) -> str:
        """Write a loop that reduces all items to one number, and return its name. `step` is the next value of the
        number `{0}` for an item `{1}`."""
        result = self._temporary()
        self._put(f"{result} = {first}")
        if isinstance(iterable, ast.ListComp | ast.GeneratorExp):
            item = self._text(self._begin_comprehension(iterable))
        else:
            name = self._temporary()
            self._begin_loop(ast.Name(name), iterable)
            item = local(name)
        self._put(f"{result} = {step.format(result, item)}")
        self._end_loop(levels_of(iterable))
        return result

    # lists

    def _header(self, node: ast.expr) -> str:
        """Return the address of a list that is a slot."""
        place, kind = self._field(node)
        if kind in NUMBERS:
            raise TypeError(f"{ast.unparse(node)} is not a list")
        return place

    def _items_of(self, node: ast.expr) -> tuple[str, str]:
        """Return the code of the address of the first item of a list, and of the number of items."""
        node = self._resolved(node)
        match node:
            case ast.Name(id=name):
                return view(name)
            case ast.Attribute():
                place = self._header(node)
                return f"read_int(m, {place} + {lists.AT})", f"read_int(m, {place} + {lists.COUNT})"
            case ast.Subscript(value=value, slice=ast.Slice(lower=lower, upper=upper, step=None)):
                at, count = self._held_items(value)
                start = "0" if lower is None else self._held(f"position({self._whole(lower)}, {count})")
                end = count if upper is None else self._held(f"position({self._whole(upper)}, {count})")
                if lower is None:
                    return at, end
                return f"({at} + {start})", f"max(0, {end} - {start})"
            case ast.Call(func=function, args=arguments):
                names = self._temporary(), self._temporary()
                self._put(f"{', '.join(names)} = {self._call(function, arguments, [])}")
                return names
            case _:
                raise TypeError(f"{ast.unparse(node)} cannot be lowered")

    def _whole(self, node: ast.expr) -> str:
        """Return the code of an expression as an integer."""
        return self._text(node)

    def _held(self, text: str) -> str:
        name = self._temporary()
        self._put(f"{name} = {text}")
        return name

    def _held_items(self, node: ast.expr) -> tuple[str, str]:
        """Compute the result of `_items_of` once, and return the names of the two variables."""
        if self._is_choice:
            raise TypeError(f"{ast.unparse(node)} cannot be in a conditional expression")
        at, count = self._items_of(node)
        return self._held(at), self._held(count)

    def _item(self, node: ast.Subscript) -> str:
        """Return the code of an item of a list. A negative index counts from the end."""
        at, count = self._items_of(node.value)
        index = self._text(node.slice)
        return f"m[{at} + {count} + {index}]" if _is_from_end(node.slice) else f"m[{at} + {index}]"

    # expressions

    def _resolved(self, node: ast.expr) -> ast.expr:
        """Return the expression with each alias of a slot replaced by the slot."""
        if isinstance(node, ast.Name):
            return self._aliases.get(node.id, node)
        if isinstance(node, ast.Attribute):
            return ast.Attribute(self._resolved(node.value), node.attr)
        return node

    def _field(self, node: ast.expr) -> tuple[str, Any]:
        """Return the address of a slot, and its kind."""
        base, place, kind = self._slot(node)
        return (f"{base} + {place}" if base else str(place)), kind

    def _slot(self, node: ast.expr) -> tuple[str, int, Any]:
        """Return the address of an object, the offset of a slot in it, and the slot's kind. The address is empty for a
        class with only one object in a run."""
        node = self._resolved(node)
        if isinstance(node, ast.Attribute):
            base, place, cls = self._object(node.value)
            found = self._lowering.field(cls, node.attr) if isinstance(cls, type) else None
            if found is not None:
                inner, kind = found
                return ("", 0, kind) if self._lowering.single(kind) else (base, place + inner, kind)
        raise TypeError(f"{ast.unparse(node)} cannot be lowered")

    def _object(self, node: ast.expr) -> tuple[str, int, Any]:
        """Return the address of an object (code and an offset from it), and its class."""
        if isinstance(node, ast.Name) and node.id == "self" and self._cls is not None:
            return "" if self._lowering.single(self._cls) else "s", 0, self._cls
        if isinstance(node, ast.Name) and isinstance(self._kinds.get(node.id), type):
            cls = self._kinds[node.id]
            return "" if self._lowering.single(cls) else local(node.id), 0, cls
        return self._slot(node)

    def _place_of(self, node: ast.expr) -> str:
        """Return the code of the address of a record."""
        base, place, _ = self._object(node)
        return f"{base} + {place}" if place else base

    def _fixed(self, node: ast.expr) -> Any:
        """Return the value of an expression that is the same in all runs; `UNKNOWN` for other expressions."""
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                known = self._fixed(operand)
                return UNKNOWN if known is UNKNOWN else not known
            case ast.BoolOp(op=operator, values=values):
                known, deciding = list(map(self._fixed, values)), isinstance(operator, ast.Or)
                if any(each is not UNKNOWN and bool(each) == deciding for each in known):
                    return deciding
                return UNKNOWN if UNKNOWN in known else not deciding
            case _:
                return UNKNOWN

    def _is_constant(self, name: str) -> bool:
        """Return whether a name of the class is a constant, and not a slot or a method."""
        assert self._cls is not None
        if self._lowering.layouts is not None:
            return False
        return self._lowering.field(self._cls, name) is None and not callable(getattr(self._cls, name, len))

    def _maybe(self, write: Callable[[ast.expr], str], node: ast.expr) -> str:
        """Return the code of an expression that is evaluated only under a condition."""
        before, self._is_choice = self._is_choice, True
        text = write(node)
        self._is_choice = before
        return text

    def _condition(self, node: ast.expr) -> str:
        match node:
            case ast.BoolOp(op=operator, values=[first, *rest]):
                known = [each for each in rest if self._fixed(each) is UNKNOWN]
                parts = [each for each in (first,) if self._fixed(each) is UNKNOWN]
                word = " and " if isinstance(operator, ast.And) else " or "
                texts = [*map(self._condition, parts), *(self._maybe(self._condition, each) for each in known)]
                return "(" + word.join(texts) + ")"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"(not {self._condition(operand)})"
            case _:
                kind = self._kind(node)
                text = self._items_of(node)[1] if self._is_list(kind) else self._text(node)
                if kind in ("bool", "flag"):
                    return text
                return f"({text} != {'0.0' if kind in ('float', 'text') else '0'})"

    def _text(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=bool() | int() | float() as value):
                return constant(value)
            case ast.Name(id=name):
                return local(name) if name in self._kinds else constant(self._names[name])
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if self._is_constant(name):
                return constant(getattr(self._cls, name))
            case ast.Attribute():
                place, kind = self._field(node)
                if kind in ("int", "bool") or isinstance(kind, Link):
                    text = f"read_int(m, {place})"
                    return f"({text} != 0)" if kind == "bool" else text
                return f"(m[{place}] != 0.0)" if kind == "flag" else f"m[{place}]"
            case ast.Subscript():
                return self._item(node)
            case ast.BinOp(left=left, op=operator, right=right):
                return self._operated(left, operator, right)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return f"(-{self._text(operand)})"
            case ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return self._condition(node)
            case ast.Compare(
                left=left, ops=[ast.Is() | ast.IsNot() as operator], comparators=[ast.Constant(value=None)]
            ):
                text = self._text(left)
                return f"({text} {'!=' if isinstance(operator, ast.Is) else '=='} {text})"
            case ast.Compare(left=left, ops=operators, comparators=others):
                pairs = zip(operators, others, strict=True)
                rest = "".join(f" {_SIGNS[type(one)]} {self._text(other)}" for one, other in pairs)
                return f"({self._text(left)}{rest})"
            case ast.IfExp(test=test, body=body, orelse=otherwise):
                asked = self._condition(test)
                texts = [self._maybe(self._text, each) for each in (body, otherwise)]
                return f"({texts[0]} if {asked} else {texts[1]})"
            case ast.Tuple(elts=items):
                return ", ".join(map(self._text, items))
            case ast.Call(func=function, args=arguments, keywords=keywords):
                return self._call(function, arguments, keywords)
            case _:
                raise TypeError(f"{ast.unparse(node)} cannot be lowered")

    def _operated(self, left: ast.expr, operator: ast.operator, right: ast.expr) -> str:
        if isinstance(operator, ast.Mod) and ast.unparse(left) != "i":  # only the number of a bar is never negative
            return f"modulo({self._whole(left)}, {self._text(right)})"
        one, other = self._text(left), self._text(right)
        return f"({one} {_OPERATORS[type(operator)]} {other})"

    def _call(self, function: ast.expr, arguments: list[ast.expr], keywords: list[ast.keyword]) -> str:
        if isinstance(function, ast.Attribute):
            return self._method_call(function, arguments, keywords)
        assert isinstance(function, ast.Name)
        called = self._names.get(function.id)
        if called is reduce:
            step, iterable, first = arguments
            assert isinstance(step, ast.Name)
            if self._names[step.id] is not add:
                raise TypeError(f"reduce({step.id}, ...) cannot be lowered")
            return self._reduced(iterable, self._text(first), "{0} + {1}")
        if called is total:
            return self._reduced(arguments[0], "0.0", "{0} + {1}")
        if called is bisect_left:
            at, count = self._held_items(arguments[0])
            return f"place_in_order(m, {at}, {count}, {self._text(arguments[1])})"
        if called is None or getattr(called, "__module__", "") == "math":
            return self._helper_call(function.id, arguments)
        node = definitions(called.__module__)[called.__name__]
        return self._called(self._lowering.function(called), node, called.__module__, "", arguments, keywords)

    def _helper_call(self, name: str, arguments: list[ast.expr]) -> str:
        """Return the code of a call of a built-in function of Python."""
        if name == "len":
            [given] = arguments
            if isinstance(given, ast.ListComp):
                return self._reduced(given, "0", "{0} + {1}")
            return self._items_of(given)[1]
        if name in ("max", "min"):
            if len(arguments) == 1:
                at, count = self._held_items(arguments[0])
                return f"{name}(m[{at} : {at} + {count}])"
            first, *rest = map(self._text, arguments)
            for each in rest:
                first = f"{name}({first}, {each})"
            return first
        given = ", ".join(map(self._text, arguments))
        if name == "int":
            self._stops()
            return f"as_whole(m, {given})"
        if name not in _HELPERS:
            raise TypeError(f"{name}({given}) cannot be lowered")
        return f"{_HELPERS[name]}({given})"

    def _called(
        self,
        name: str,
        node: ast.FunctionDef,
        module: str,
        state: str,
        arguments: list[ast.expr],
        keywords: Sequence[ast.keyword],
        *,
        is_method: bool = False,
    ) -> str:
        """Return the code of a call of the function made from the definition `node` in a module. Arguments that are
        left out get their defaults."""
        # After a call of a kernel the run stops at the end of the bar: its results are only numbers.
        if name in self._lowering.failing and node.name != "__call__":
            self._stops()
        parameters = parameters_of(node, is_method=is_method)
        given = dict(zip(reversed(node.args.args), reversed(node.args.defaults), strict=False))
        given |= {one: each for one, each in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if each}
        names = sys.modules[module].__dict__
        given = {
            one: ast.Constant(names[each.id]) if isinstance(each, ast.Name) else each for one, each in given.items()
        }
        given |= dict(zip(parameters, arguments, strict=False))
        named = {keyword.arg: keyword.value for keyword in keywords}
        found = [state] if state else []
        for parameter in parameters:
            kind = self._annotated(parameter.annotation)
            if not self._is_left_out(parameter.arg, kind):
                found += self._argument(named.get(parameter.arg) or given[parameter], kind)
        memory = "m"
        if name in self._lowering.columned:
            self._uses_columns()
            memory = "m, b, n"
        return f"{name}({', '.join([memory, *found])})"

    def _uses_columns(self) -> None:
        self._lowering.columned.add(self._name)

    def _is_left_out(self, name: str, kind: Any) -> bool:
        """Return whether machine code leaves out a parameter, such as a text for an error, or the only object of a
        class."""
        is_known = kind == "str" or isinstance(kind, BarColumn) or self._lowering.single(kind) is not None
        return name in LEFT_OUT or is_known

    def _argument(self, value: ast.expr, kind: Any) -> Sequence[str]:
        """Return the code of an argument for a parameter of this kind."""
        return self._items_of(value) if self._is_list(kind) else [self._as(value, kind)]

    def _method_call(self, function: ast.Attribute, arguments: list[ast.expr], keywords: list[ast.keyword]) -> str:
        base = self._base(function)
        if base is not None:
            is_bound = isinstance(function.value, ast.Call)
            return self._method(base, function.attr, "s", arguments if is_bound else arguments[1:], keywords)
        if self._is_list(self._kind(function.value)):
            return self._list_call(function.value, function.attr, arguments)
        cls, name = self._callee(function)
        is_slot = name != function.attr
        place = self._field(function)[0] if is_slot else self._place_of(function.value)
        return self._method(cls, name, place, arguments, keywords)

    def _callee(self, function: ast.Attribute) -> tuple[type, str]:
        """Return the class and the name of the called method. A call of a slot with a kernel is a call of the
        kernel."""
        base = self._base(function)
        if base is not None:
            return base, function.attr
        cls = self._object(self._resolved(function.value))[2]
        found = self._lowering.field(cls, function.attr)
        return (cls, function.attr) if found is None else (found[1], "__call__")

    def _list_call(self, value: ast.expr, name: str, arguments: list[ast.expr]) -> str:
        if name == "append":
            self._stops()
            return f"append(m, {self._header(value)}, {self._text(arguments[0])})"
        if name == "pop" and not arguments:
            return f"pop(m, {self._header(value)})"
        if name == "sort" and not arguments:
            at, count = self._held_items(value)
            return f"sort(m, {at}, {count}, True)"
        if name == "index":
            at, count = self._held_items(value)
            return f"index_of(m, {at}, {count}, {self._text(arguments[0])})"
        raise TypeError(f"{ast.unparse(value)}.{name}() cannot be lowered")

    def _base(self, function: ast.Attribute) -> type | None:
        """Return the class that defines the method in `super().name` or `Class.name`; None for other methods."""
        if ast.unparse(function.value) == "super()":
            assert self._cls is not None
            bases = self._cls.__mro__[self._cls.__mro__.index(self._owner) + 1 :]  # pyright: ignore[reportArgumentType]
            return next(base for base in bases if function.attr in base.__dict__)
        found = self._names.get(function.value.id) if isinstance(function.value, ast.Name) else None
        return found if isinstance(found, type) else None

    def _method(
        self, cls: type, name: str, place: str, arguments: list[ast.expr], keywords: Sequence[ast.keyword] = ()
    ) -> str:
        """Return the code of a call of a method of the object at the address `place`."""
        node, made = definition(cls, name), self._lowering.method(cls, name)
        return self._called(made, node, cls.__module__, place, arguments, keywords, is_method=True)

    def _kind(self, node: ast.expr) -> Any:
        """Return the kind of a value; a class for a slot with a kernel."""
        match node:
            case ast.Constant(value=value):
                return type(value).__name__
            case ast.Name(id="self"):
                return self._cls
            case ast.Name(id=name):
                if name in self._aliases:
                    return self._kind(self._aliases[name])
                return self._kinds[name] if name in self._kinds else type(self._names[name]).__name__
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if self._is_constant(name):
                return "float"
            case ast.Attribute():
                return self._field(node)[1]
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return "bool"
            case ast.List() | ast.ListComp() | ast.Subscript(slice=ast.Slice()) | ast.BinOp(left=ast.List()):
                return "list"
            case ast.Subscript():
                return "float"
            case ast.BinOp(left=left, op=operator, right=right):
                is_int = self._kind(left) == self._kind(right) == "int" and not isinstance(operator, ast.Div)
                return "int" if is_int else "float"
            case ast.UnaryOp(operand=operand):
                return self._kind(operand)
            case ast.IfExp(body=body, orelse=otherwise):
                one, other = self._kind(body), self._kind(otherwise)
                return one if one == other else "float"
            case ast.Call(func=function, args=arguments):
                return self._call_kind(function, arguments)
            case _:
                raise TypeError(f"{ast.unparse(node)} cannot be lowered")

    def _call_kind(self, function: ast.expr, arguments: list[ast.expr]) -> Any:
        if isinstance(function, ast.Name):
            called = self._names.get(function.id)
            if called is not None and called not in (reduce, total) and getattr(called, "__module__", "") != "math":
                return self._annotated(definitions(called.__module__)[called.__name__].returns)
            if function.id in ("len", "int", "isfinite"):
                return "bool" if function.id == "isfinite" else "int"
            is_whole = function.id in ("max", "min") and len(arguments) > 1
            return "int" if is_whole and all(self._kind(each) == "int" for each in arguments) else "float"
        assert isinstance(function, ast.Attribute)
        if self._base(function) is None and self._is_list(self._kind(function.value)):
            return "int" if function.attr == "index" else "float"
        return self._annotated(definition(*self._callee(function)).returns)


_SIGNS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%"}
_HELPERS = {
    "isfinite": "is_known",
    "floor": "floored",
    "ceil": "ceiled",
    **{name: name for name in ("abs", "float", "sqrt", "trunc", *LIBM)},
}
"""The functions of Python that are functions of `kernels` or of the machine."""


def tuple_items(value: ast.expr) -> list[ast.expr] | None:
    """Return the items of a tuple, or of a conditional expression with two tuples; None for other values."""
    if isinstance(value, ast.Tuple):
        return value.elts
    if isinstance(value, ast.IfExp):
        one, other = tuple_items(value.body), tuple_items(value.orelse)
        if one is not None and other is not None:
            return [ast.IfExp(value.test, *pair) for pair in zip(one, other, strict=True)]
    return None


def levels_of(iterable: ast.expr) -> int:
    """Return by how many levels the body of a loop is indented: 2 for a comprehension with a condition, else 1."""
    return 2 if isinstance(iterable, ast.ListComp | ast.GeneratorExp) and iterable.generators[0].ifs else 1


def _renamed(node: Any, suffix: str) -> Any:
    """Return a copy of a comprehension in which the names of its variables end with `suffix`."""
    names = {each.id for each in ast.walk(node.generators[0].target) if isinstance(each, ast.Name)}
    made = copy.deepcopy(node)
    for each in ast.walk(made):
        if isinstance(each, ast.Name) and each.id in names:
            each.id += f"_{suffix}"
    return made


def _is_from_end(index: ast.expr) -> bool:
    """Return whether an index is written as a negative number, such as `-1 - n`."""
    while isinstance(index, ast.BinOp):
        index = index.left
    return isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub)


def parameters_of(node: ast.FunctionDef, *, is_method: bool) -> list[ast.arg]:
    """Return the parameters of a definition, without `self`."""
    return [*node.args.args[is_method:], *node.args.kwonlyargs]


def local(name: str) -> str:
    return "i" if name == "i" else f"v_{name}"


def view(name: str) -> tuple[str, str]:
    """Return the names of two variables for a local list: the address of its first item, and its number of items."""
    return f"v_{name}_at", f"v_{name}_count"


def constant(value: Any) -> str:
    """Return the code of a constant. None stands for a colour that is na."""
    if value is None:
        return "NA"
    if not isinstance(value, bool | int | float):
        raise TypeError(f"{value!r} cannot be lowered")
    if value != value:
        return "NA"
    return ("INF" if value > 0 else "(-INF)") if abs(value) == math.inf else repr(value)
