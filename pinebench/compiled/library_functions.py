"""Machine code for functions without state: functions of arrays, numbers and colours, and the operators.

Each is generated from the function in `runtime.library` or `runtime.values` that the Python tier calls. Its name
consists of the names of the module and the function: `arrays_push`. All numbers are floats. The value of an array is
the address of its list (`lists`), or na. The functions in `_SEARCHES` are generated twice, because strings, colours and
objects are compared differently from numbers.

    items = _of(array)        ->  if v_array is na, the run stops; then `items` is an alias of `array.items`
    items[int(index)]         ->  item(m, int(v_array) + 0, v_index)
    items.append(value)       ->  append(m, int(v_array) + 0, v_value)
"""

from __future__ import annotations

import ast
import copy
import math
from collections.abc import Callable
from functools import cache
from typing import Any

from pinebench.compiled import lists
from pinebench.compiled.definitions import NameReplacer, annotated_kind, definition, definitions
from pinebench.compiled.function_expressions import constant, levels_of, local
from pinebench.compiled.function_writer import FunctionWriter
from pinebench.compiled.kernel_lowering import KernelLowering
from pinebench.compiled.layouts import DRAWING, LIVING, Layout
from pinebench.runtime import Array, Line, LivingDrawings, Table, cell_place, not_negative, reachable, values
from pinebench.runtime import builtins as library

arrays, colors, numbers = library.arrays, library.colors, library.numbers

FUNCTIONS: tuple[Callable[..., Any], ...] = (
    *(arrays.new, arrays.copy, arrays.concat, arrays.size, arrays.get, arrays.put, arrays.first, arrays.last),
    *(arrays.push, arrays.unshift, arrays.pop, arrays.shift, arrays.insert, arrays.remove, arrays.clear),
    *(arrays.fill, arrays.reverse, arrays.includes, arrays.index_of, arrays.last_index_of, arrays.every, arrays.some),
    *(arrays.sum_of, arrays.average, arrays.maximum, arrays.minimum, arrays.spread, arrays.median),
    *(arrays.variance, arrays.deviation, arrays.percentrank, arrays.sort_numbers),
    *(numbers.absolute, numbers.floor, numbers.ceil, numbers.round_whole, numbers.round_to, numbers.power),
    *(numbers.square_root, numbers.exponential, numbers.logarithm, numbers.sign, numbers.sine, numbers.cosine),
    *(values.quotient, values.remainder, values.same, values.different, values.whole, values.truth, values.bars_back),
    values.checked_step,
    *(numbers.larger, numbers.smaller, numbers.average),
    *(numbers.tangent, numbers.arc_sine, numbers.arc_cosine, numbers.arc_tangent, numbers.to_degrees),
    *(numbers.to_radians, colors.new, colors.new_of_constants, colors.rgb, colors.from_gradient, colors.red),
    *(colors.green, colors.blue, numbers.round_to_tick, library.texts.part_of, cell_place, not_negative, reachable),
)
"""The functions that machine code computes. All others are answered by Python (`library_calls`)."""
_BY_PYTHON = (numbers.exactly_rounded, numbers.exactly_rounds_up)
"""The functions of whole numbers that are too large for machine code. A run that needs one is repeated by Python."""
_SEARCHES = (arrays.includes, arrays.index_of, arrays.last_index_of)
_OF_OTHERS = "_of_others"
_METHODS = {
    (Line, "price"): DRAWING,
    (Table, "at"): DRAWING,
    (Table, "corners"): DRAWING,
    (LivingDrawings, "trim"): LIVING,
}
"""The methods of drawings that are machine code, with the layouts of their classes."""
_OF_HANDLES = {"end": "drawing_end", "is_held": "drawing_is_held"}
"""The functions passed to living drawings, as functions of `handles`."""
_OF_BITS = {ast.BitAnd: "&", ast.BitOr: "|", ast.LShift: "<<", ast.RShift: ">>"}


class _LibraryFunction(FunctionWriter):
    """Writes one function."""

    _has_copy = False
    """Whether there is a copy of items at the end of the memory."""

    def text(self, node: ast.FunctionDef, name: str) -> str:
        """Return the function of machine code for the definition `node`, under the name `name`."""
        node = copy.deepcopy(node)
        for each in node.args.args:
            if each.annotation is not None and ast.unparse(each.annotation) == "int | None":  # a colour
                each.annotation = ast.Name("float")
        if (several := node.args.vararg) is not None:
            node.args.args, node.args.vararg = [ast.arg(several.arg, ast.Name("list[float]"))], None
        return super().text(node, name)

    def _parameter(self, name: str, kind: Any) -> list[str]:
        if kind != "Array":
            return super()._parameter(name, kind)
        self._kinds[name] = Array
        return [f"{local(name)}: float"]

    def _result_kind(self, node: ast.FunctionDef) -> Any:
        kind = self._annotated(node.returns)
        if node.name.startswith("_") or node.name == values.bars_back.__name__:  # only called by other functions
            return "float" if kind == "Array" else kind
        if isinstance(kind, tuple):
            return tuple("float" if each == "int" else each for each in kind)
        return "float" if kind in ("Array", "int") else kind

    # statements

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assert():
                pass
            case ast.Try(body=body):  # a handler stops the run or has the result that machine code has without it
                self._block(body)
            case ast.For(target=target, iter=ast.Tuple(elts=items), body=body):
                for each in items:
                    self._assign([target], each)
                    self._block(body)
            case _:
                super()._statement(node)

    def _assign(self, targets: list[ast.expr], value: ast.expr) -> None:
        [target] = targets
        value = self._written_out(value)
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
            (at, count), (place, _) = self._items_of(value), self._items_of(ast.Subscript(target.value, target.slice))
            self._put(f"copy(m, {at}, {place}, {count})")
        elif not isinstance(target, ast.Attribute):
            super()._assign(targets, value)
        elif ast.unparse(self._resolved(target)) != ast.unparse(self._resolved(value)):
            raise TypeError(f"{ast.unparse(target)} is assigned the items of another list")

    def _unpack(self, target: ast.Tuple, value: ast.expr) -> None:
        if not isinstance(value, ast.Tuple) or not all(self._kind(each) == "list" for each in value.elts):
            super()._unpack(target, value)
            return
        for name, each in zip(target.elts, value.elts, strict=True):
            self._assign([name], each)

    def _store(self, target: ast.expr, text: str, kind: Any) -> None:
        if isinstance(target, ast.Subscript) and (index := _index_of(target)) is not None:
            self._put(f"set_item(m, {self._header(target.value)}, {self._text(index)}, {text})")
        else:
            super()._store(target, text, kind)

    def _written_out(self, value: ast.expr) -> ast.expr:
        """Return the expression of the items that a called function returns, and write its other statements here."""
        match value:
            case ast.Call(func=ast.Name(id=name), args=given) if (made := self._list_function(name)) is not None:
                node = made
            case ast.Call(func=ast.Attribute(value=owner, attr=name), args=[]) if self._kind_or_none(owner) is Array:
                node, given = definition(Array, name), [owner]
            case _:
                return value
        names = {each.arg: self._written_out(one) for each, one in zip(node.args.args, given, strict=True)}
        *body, last = [NameReplacer(names).visit(copy.deepcopy(each)) for each in node.body]
        self._block(body)
        assert isinstance(last, ast.Return)
        assert last.value is not None
        return self._written_out(last.value)

    def _list_function(self, name: str) -> ast.FunctionDef | None:
        """Return the definition of a function of the module that returns a list; None for other functions."""
        node = definitions(self._names["__name__"]).get(name)
        return node if node is not None and annotated_kind(node.returns) == "list" else None

    def _kind_or_none(self, node: ast.expr) -> Any:
        return self._kinds.get(node.id) if isinstance(node, ast.Name) else None

    # lists

    def _object(self, node: ast.expr) -> tuple[str, int, Any]:
        if self._kind_or_none(node) is not Array:
            return super()._object(node)
        assert isinstance(node, ast.Name)
        return f"int({local(node.id)})", 0, Array

    def _items_of(self, node: ast.expr) -> tuple[str, str]:
        node = self._written_out(node)
        match node:
            case ast.ListComp():
                return self._collected(node, "")
            case ast.Call(func=ast.Name(id="sorted"), args=[given], keywords=options):
                down = self._text(options[0].value) if options else "False"
                return self._collected(self._written_out(given), f"(not {down})")
            case _:
                return super()._items_of(node)

    def _collected(self, node: ast.expr, order: str) -> tuple[str, str]:
        """Write a copy of items in the free memory, sorted if there is an `order`. The copy is valid until memory is
        taken."""
        if self._has_copy:
            raise TypeError(f"{self._name} copies two lists of items, and only one copy is possible")
        self._has_copy = True
        if not isinstance(node, ast.ListComp | ast.GeneratorExp):
            node = ast.ListComp(ast.Name("each"), [ast.comprehension(ast.Name("each"), node, [], 0)])
        _, most = self._held_items(node.generators[0].iter)
        at, count = self._held(f"take_room(m, {most})"), self._held("0")
        self._put(f"if {at} == 0:\n{'    ' * self._depth}    return {self._empty()}")
        item = self._begin_comprehension(node)
        self._put(f"m[{at} + {count}] = {self._text(item)}")
        self._put(f"{count} = {count} + 1")
        self._end_loop(levels_of(node))
        if order:
            self._put(f"sort(m, {at}, {count}, {order})")
            self._stops()
        self._put(f"m[FREE] = float({at})")
        return at, count

    def _item(self, node: ast.Subscript) -> str:
        index = _index_of(node)
        if index is None:
            return super()._item(node)
        self._stops()
        return f"item(m, {self._header(node.value)}, {self._text(index)})"

    def _list_call(self, value: ast.expr, name: str, arguments: list[ast.expr]) -> str:
        place = self._header(value)
        self._stops()
        match name, arguments:
            case "pop", [ast.Call(func=ast.Name(id="int"), args=[index])]:
                return f"pop_item(m, {place}, {self._text(index)})"
            case "pop", [k]:
                return f"pop_at(m, {place}, {self._text(k)})"
            case "insert", [k, given]:
                at = f"position({self._text(k)}, read_int(m, {place} + {lists.COUNT}))"
                return f"insert(m, {place}, {'0' if ast.unparse(k) == '0' else at}, {self._text(given)})"
            case "extend", [ast.Call(args=[given])]:  # the items of a copy
                return f"extend(m, {place}, {self._header(given)})"
            case (("clear" | "reverse"), []):
                return f"{name}(m, {place})"
            case _:
                return super()._list_call(value, name, arguments)

    # expressions

    def _fixed(self, node: ast.expr) -> Any:
        match node:
            case ast.Attribute(value=owner, attr="frozen") if self._kind_or_none(owner) is Array:
                return False  # a script that reads an earlier array is refused
            case ast.Call(func=ast.Name(id="isinstance"), args=[_, ast.Name(id="float")]):
                return not self._lowering.ending
            case ast.Call(func=ast.Name(id="isinstance"), args=[_, ast.Name(id="int")]):
                return False
            case ast.Call(func=ast.Name(id="isinstance"), args=[_, ast.BinOp()]):
                return True
            case _:
                return super()._fixed(node)

    def _text(self, node: ast.expr) -> str:
        match node:
            case ast.Call(func=ast.Name(id=("max" | "min") as name), args=[given], keywords=[default]):
                sign, missing = ">" if name == "max" else "<", self._text(default.value)
                return self._reduced(given, missing, f"{{1}} if {{0}} != {{0}} or {{1}} {sign} {{0}} else {{0}}")
            case ast.BoolOp(op=ast.Or(), values=[ast.Compare(left=left, ops=[ast.Is()], comparators=[right]), _]):
                return f"is_same_value({self._text(left)}, {self._text(right)})"
            case ast.BoolOp(op=ast.Or(), values=[color, ast.Constant(value=0)]):
                return f"({self._text(color)} if {self._text(color)} == {self._text(color)} else 0.0)"
            case ast.Attribute(value=ast.Name(id="math"), attr=name):
                return constant(getattr(math, name))
            case _:
                return super()._text(node)

    def _operated(self, left: ast.expr, operator: ast.operator, right: ast.expr) -> str:
        if type(operator) not in _OF_BITS:
            return super()._operated(left, operator, right)
        return f"(int({self._text(left)}) {_OF_BITS[type(operator)]} int({self._text(right)}))"

    def _kind(self, node: ast.expr) -> Any:
        match node:
            case ast.BinOp(op=operator) if type(operator) in _OF_BITS:
                return "int"
            case ast.Attribute(value=ast.Name(id="math")) | ast.BoolOp(op=ast.Or(), values=[_, ast.Constant(value=0)]):
                return "float"
            case _:
                return super()._kind(node)

    def _call(self, function: ast.expr, arguments: list[ast.expr], keywords: list[ast.keyword]) -> str:
        match function, arguments:
            case ast.Name(id="Array"), [ast.BinOp(left=ast.List(elts=[value]), right=count)]:
                return f"filled_list(m, {self._text(value)}, {self._text(count)})"
            case ast.Name(id="Array"), [ast.Call(func=ast.Name(id="list"), args=[given])]:
                return f"copied_list(m, {', '.join(self._items_of(given))})"
            case ast.Name(id=name), _ if self._names.get(name) in _BY_PYTHON:
                self._stops()
                return "fail(m, 1.0)"
            case ast.Attribute(value=ast.Name(id="math"), attr=name), _:
                return self._helper_call(name, arguments)
            case ast.Attribute(value=ast.Name(id="self"), attr=name), [given] if name in _OF_HANDLES:
                return f"{_OF_HANDLES[name]}(m, s, {self._text(given)})"
            case ast.Name(id=("all" | "any") as name), [given]:
                function_, is_not = ("has", "not ") if name == "all" else ("has_other", "")
                return f"({is_not}{function_}(m, {', '.join(self._items_of(given))}, 0.0))"
            case _:
                return super()._call(function, arguments, keywords)

    def _call_kind(self, function: ast.expr, arguments: list[ast.expr]) -> Any:
        if isinstance(function, ast.Attribute) and (
            ast.unparse(function.value) == "math" or function.attr in _OF_HANDLES
        ):
            return "bool" if function.attr in _OF_HANDLES else "float"
        name = function.id if isinstance(function, ast.Name) else ""
        known = {"sorted": "list", "all": "bool", "any": "bool", "Array": "float"}
        return known[name] if name in known else super()._call_kind(function, arguments)


def _index_of(node: ast.Subscript) -> ast.expr | None:
    """Return the index of an item that is a float."""
    match node.slice:
        case ast.Call(func=ast.Name(id="int"), args=[index]):
            return index
        case _:
            return None


@cache
def _made() -> tuple[KernelLowering, KernelLowering]:
    """Return the functions for numbers, and the functions for other elements."""
    found = KernelLowering(_LibraryFunction), KernelLowering(_LibraryFunction, ending=_OF_OTHERS)
    for lowering, functions in zip(found, (FUNCTIONS, _SEARCHES), strict=True):
        lowering.know(Array, Layout({"items": "list"}, cls=Array, sizes={"items": lists.SPARE}))
        for (cls, _), layout in _METHODS.items():
            lowering.know(cls, layout)
        for each in functions:
            lowering.function(each)
    for method in _METHODS:
        found[0].method(*method)
    return found


def code() -> str:
    """Return the code of all functions of this module."""
    return "\n\n".join(each.text() for each in _made())


def method_call(cls: type, name: str, drawing: str, *given: str) -> str:
    """Return the code of a method call on an existing drawing."""
    return f"{_made()[0].name(cls, name)}({', '.join(['m', f'int({drawing})', *given])})"


def call(function: Callable[..., Any], *given: str, is_number: bool = True) -> str:
    """Return the code of a call. `is_number` tells whether the array's elements are numbers."""
    lowering = _made()[function in _SEARCHES and not is_number]
    return f"{lowering.function(function)}({', '.join(['m', *given])})"
