"""Writes stateful built-ins of the Python tier in the part of Python that `native` translates.

A class of `runtime.library` is then the only definition of its built-in. Its slots are the record that keeps the state,
and a new object of the class is the layout: each slot gets a place in the memory of a run, and the value of the slot is
the first value of the place. A slot with another kernel gets the places of that kernel.

    self.high = high              ->  m[s + 0] = v_high
    self.range(i, width, length)  ->  rma(m, s + 2, i, v_width, v_length)
    raise RuntimeFault(...)       ->  fail(m, 1.0), and the function returns

The methods may have numbers and bools, `if`, calls of other methods and of functions of a module, `min`, `max`, `abs`,
and tuples whose items are assigned at once. Anything else is a TypeError when machine code is made.
"""

from __future__ import annotations

import ast
import inspect
import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

Kind = str
"""One of `float`, `int`, `bool` and `None`, or `tuple[...]` of them."""
_EMPTY = {"float": "NA", "int": "0", "bool": "False", "None": "None"}


@dataclass(frozen=True)
class Part:
    """A kernel that is written by hand: its function, the number of its places, and the ones that do not begin with
    0.

    `fields` are the slots of its class that others read, with their places and kinds. `windows` are the places of its
    windows of bars; None if its length must not change from bar to bar.
    """

    function: str
    size: int
    first: Mapping[int, float]
    fields: Mapping[str, tuple[int, Kind]] = field(default_factory=dict[str, "tuple[int, Kind]"])
    windows: tuple[int, ...] | None = ()


@dataclass
class Record:
    """The layout of the state of a class.

    `fields` have the place of each slot, and its kind; the kind of a slot with another kernel is that class.
    """

    size: int = 0
    fields: dict[str, tuple[int, Any]] = field(default_factory=dict[str, "tuple[int, Any]"])
    first: dict[int, float] = field(default_factory=dict[int, float])
    windows: tuple[int, ...] | None = ()
    """The places of its windows of bars; None if its length must not change from bar to bar."""

    def take(self, first: Mapping[int, float], windows: tuple[int, ...] | None, size: int) -> None:
        """Add the places of another kernel at the end."""
        self.first |= {self.size + place: each for place, each in first.items()}
        if windows is None or self.windows is None:
            self.windows = None
        else:
            self.windows += tuple(self.size + place for place in windows)
        self.size += size


class Lowering:
    """The kernels that are lowered, and their code.

    `parts` are the kernels that are written by hand, by the names of their classes.
    """

    def __init__(self, parts: Mapping[str, Part]) -> None:
        self._parts = parts
        self._records: dict[type, Record] = {}
        self._functions: dict[str, str] = {}

    def text(self) -> str:
        """The code of all functions that were asked for."""
        return "\n\n".join(self._functions.values())

    def part(self, cls: type) -> Part | None:
        """The kernel that is written by hand for a class, or for a class that it extends without another `__call__`;
        None for other classes."""
        for base in cls.__mro__:
            if base.__name__ in self._parts:
                return self._parts[base.__name__]
            if "__call__" in base.__dict__:
                return None
        return None

    def fields(self, cls: type) -> Mapping[str, tuple[int, Any]]:
        """The slots of a class with their places and kinds."""
        part = self.part(cls)
        return self.record(cls).fields if part is None else part.fields

    def record(self, cls: type) -> Record:
        """The layout of a class, as a new object of it has its slots."""
        known = self._records.get(cls)
        if known is not None:
            return known
        record = self._records[cls] = Record()
        made = cls()
        bases = list(cls.__mro__)
        by_hand = next((base for base in bases if base.__name__ in self._parts), None)
        if by_hand is not None:
            part = self._parts[by_hand.__name__]
            record.fields |= part.fields
            record.take(part.first, part.windows, part.size)
            bases = bases[: bases.index(by_hand)]
        names = [name for base in reversed(bases) for name in base.__dict__.get("__slots__", ())]
        for name in names:
            value = getattr(made, name)
            if isinstance(value, bool | int | float):
                record.fields[name] = record.size, type(value).__name__
                record.first[record.size] = float(value)
                record.size += 1
                continue
            kind = type(value)
            part = self.part(kind)
            record.fields[name] = record.size, kind
            if part is not None:
                record.take(part.first, part.windows, part.size)
            else:
                inner = self._inner(kind)
                record.take(inner.first, inner.windows, inner.size)
        record.first = {place: value for place, value in record.first.items() if value or value != value}
        return record

    def _inner(self, cls: type) -> Record:
        if not hasattr(cls, "__slots__"):
            raise TypeError(f"{cls.__name__} cannot be kept in the memory of a run")
        return self.record(cls)

    def method(self, cls: type, name: str = "__call__") -> str:
        """The name of the function that is made of a method. It has the memory and the place of the state before its
        arguments."""
        part = self.part(cls) if name == "__call__" else None
        if part is not None:
            return part.function
        owner = next(base for base in cls.__mro__ if name in base.__dict__)
        function = f"{cls.__name__}_{name.strip('_')}"
        if function not in self._functions:
            self._functions[function] = ""  # a method that calls itself
            node = _definitions(owner.__module__)[f"{owner.__name__}.{name}"]
            scope = _Function(self, cls, sys.modules[owner.__module__].__dict__, owner)
            self._functions[function] = scope.text(node, function)
        return function

    def function(self, function: Callable[..., Any]) -> str:
        """The name of the function that is made of a function of a module."""
        name = f"{function.__module__.rpartition('.')[2]}_{function.__name__.strip('_')}"
        if name not in self._functions:
            self._functions[name] = ""
            node = _definitions(function.__module__)[function.__name__]
            scope = _Function(self, None, sys.modules[function.__module__].__dict__)
            self._functions[name] = scope.text(node, name)
        return name


def returned(cls: type, name: str = "__call__") -> Kind:
    """The kind of the result of a method."""
    return _returns(_definition(cls, name))


def _definition(cls: type, name: str) -> ast.FunctionDef:
    """The definition of a method, which may be in a class that `cls` extends."""
    owner = next(base for base in cls.__mro__ if name in base.__dict__)
    return _definitions(owner.__module__)[f"{owner.__name__}.{name}"]


@cache
def _definitions(module: str) -> dict[str, ast.FunctionDef]:
    """The functions of a module by their names, and its methods by class and name."""
    found: dict[str, ast.FunctionDef] = {}
    for node in ast.parse(inspect.getsource(sys.modules[module])).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = node
        elif isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{each.name}": each for each in node.body if isinstance(each, ast.FunctionDef)}
    return found


def _returns(node: ast.FunctionDef) -> Kind:
    return "None" if node.returns is None else ast.unparse(node.returns)


def _code(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


class _Function:
    """Writes one function or method. Its local names get a prefix, so that none is the name of a helper."""

    def __init__(
        self, lowering: Lowering, cls: type | None, names: Mapping[str, Any], owner: type | None = None
    ) -> None:
        """`names` are the names of the module, and `owner` is the class that defines the method of `cls`."""
        self._owner = owner
        self._lowering = lowering
        self._cls = cls
        self._names = names
        self._kinds: dict[str, Kind] = {}
        self._lines: list[str] = []
        self._depth = 1
        self._count = 0
        self._result: Kind = "None"

    def text(self, node: ast.FunctionDef, name: str) -> str:
        """The function that is made of a definition."""
        given = ["m: P"] if self._cls is None else ["m: P", "s: int"]
        for argument in node.args.args[self._cls is not None :]:
            kind = ast.unparse(argument.annotation) if argument.annotation is not None else "float"
            if kind not in _EMPTY:
                raise TypeError(f"{name}({argument.arg}: {kind}) cannot be lowered")
            self._kinds[argument.arg] = kind
            given.append(f"{_local(argument.arg)}: {kind}")
        self._result = _returns(node)
        self._block(node.body)
        return "\n".join([f"def {name}({', '.join(given)}) -> {self._result}:", *self._lines, "    pass"])

    # statements

    def _put(self, text: str) -> None:
        self._lines.append("    " * self._depth + text)

    def _block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self._statement(statement)

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
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign([target], value)
            case ast.AugAssign(target=target, op=operator, value=value):
                self._assign([target], ast.BinOp(target, operator, value))
            case ast.If(test=test, body=body, orelse=otherwise):
                self._put(f"if {self._condition(test)}:")
                self._inside(body)
                if otherwise:
                    self._put("else:")
                    self._inside(otherwise)
            case ast.Return(value=None):
                self._put("return")
            case ast.Return(value=ast.expr() as value):
                self._put(f"return {self._text(value)}")
            case ast.Raise():
                self._put("fail(m, 1.0)")
                self._put(f"return {self._empty()}")
            case _:
                raise TypeError(f"{ast.unparse(node)} cannot be lowered")

    def _empty(self) -> str:
        if self._result.startswith("tuple["):
            return ", ".join(_EMPTY[each.strip()] for each in self._result[6:-1].split(","))
        return "" if self._result == "None" else _EMPTY[self._result]

    def _assign(self, targets: list[ast.expr], value: ast.expr) -> None:
        if len(targets) == 1 and not isinstance(targets[0], ast.Tuple):
            self._store(targets[0], self._text(value), self._kind(value))
            return
        if len(targets) > 1:
            held = self._hold(value)
            for target in targets:
                self._store(target, held, self._kind(value))
            return
        [target] = targets
        assert isinstance(target, ast.Tuple)
        items = _items(value)
        if items is None:  # a call
            names = [self._temporary() for _ in target.elts]
            self._put(f"{', '.join(names)} = {self._text(value)}")
            kinds = self._kind(value)[6:-1].split(", ")
        else:
            names, kinds = [self._hold(item) for item in items], [self._kind(item) for item in items]
        for each, name, kind in zip(target.elts, names, kinds, strict=True):
            self._store(each, name, kind)

    def _hold(self, value: ast.expr) -> str:
        name = self._temporary()
        self._put(f"{name} = {self._text(value)}")
        return name

    def _temporary(self) -> str:
        self._count += 1
        return f"t{self._count}"

    def _store(self, target: ast.expr, text: str, kind: Kind) -> None:
        if isinstance(target, ast.Name):
            self._kinds.setdefault(target.id, kind)
            self._put(f"{_local(target.id)} = {text}")
            return
        place, kept = self._field(target)
        if kept not in _EMPTY:
            raise TypeError(f"{ast.unparse(target)} is another kernel, which cannot be replaced")
        self._put(f"m[s + {place}] = {text}")

    # expressions

    def _field(self, node: ast.expr) -> tuple[int, Any]:
        """The place of a slot, from the place of the state, and its kind."""
        if isinstance(node, ast.Attribute) and self._cls is not None:
            if ast.unparse(node.value) == "self":
                return self._lowering.record(self._cls).fields[node.attr]
            place, kind = self._field(node.value)
            inner, kept = self._lowering.fields(kind)[node.attr]
            return place + inner, kept
        raise TypeError(f"{ast.unparse(node)} cannot be lowered")

    def _condition(self, node: ast.expr) -> str:
        match node:
            case ast.BoolOp(op=operator, values=values):
                word = " and " if isinstance(operator, ast.And) else " or "
                return "(" + word.join(self._condition(each) for each in values) + ")"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"(not {self._condition(operand)})"
            case _:
                return f"({self._text(node)} != 0)" if self._kind(node) == "int" else self._text(node)

    def _text(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=bool() | int() | float() as value):
                return repr(value)
            case ast.Name(id=name):
                return _local(name) if name in self._kinds else _number(self._names[name])
            case ast.Attribute():
                place, kind = self._field(node)
                text = f"m[s + {place}]"
                return f"int({text})" if kind == "int" else f"({text} != 0.0)" if kind == "bool" else text
            case ast.BinOp(left=left, op=operator, right=right):
                sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}[type(operator)]
                return f"({self._text(left)} {sign} {self._text(right)})"
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return f"(-{self._text(operand)})"
            case ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return self._condition(node)
            case ast.Compare(left=left, ops=operators, comparators=others):
                pairs = zip(operators, others, strict=True)
                rest = "".join(f" {_SIGNS[type(one)]} {self._text(other)}" for one, other in pairs)
                return f"({self._text(left)}{rest})"
            case ast.IfExp(test=test, body=body, orelse=otherwise):
                items, rest = _items(body), _items(otherwise)
                if items is not None and rest is not None:
                    pairs = zip(items, rest, strict=True)
                    return ", ".join(self._text(ast.IfExp(test, one, other)) for one, other in pairs)
                return f"({self._text(body)} if {self._condition(test)} else {self._text(otherwise)})"
            case ast.Tuple(elts=items):
                return ", ".join(map(self._text, items))
            case ast.Call(func=function, args=arguments, keywords=[]):
                return self._call(function, arguments)[0]
            case _:
                raise TypeError(f"{ast.unparse(node)} cannot be lowered")

    def _call(self, function: ast.expr, arguments: list[ast.expr]) -> tuple[str, Kind]:
        """The code of a call, and the kind of its result."""
        if isinstance(function, ast.Attribute):
            base = self._base(function)
            if base is not None:
                is_bound = isinstance(function.value, ast.Call)
                return self._method(base, function.attr, "s", arguments if is_bound else arguments[1:])
            assert self._cls is not None
            if hasattr(self._cls, function.attr) and function.attr not in self._lowering.record(self._cls).fields:
                return self._method(self._cls, function.attr, "s", arguments)
            place, kind = self._field(function)
            return self._method(kind, "__call__", f"s + {place}", arguments)
        assert isinstance(function, ast.Name)
        if function.id == "checked_length":
            return f"checked_length(m, {self._text(arguments[0])})", "int"
        given = ", ".join(map(self._text, arguments))
        if function.id in _HELPERS and function.id not in self._names:
            return f"{_HELPERS[function.id]}({given})", "float"
        called = self._names[function.id]
        if called is math.sqrt:
            return f"sqrt({given})", "float"
        node = _definitions(called.__module__)[called.__name__]
        return f"{self._lowering.function(called)}(m, {given})", _returns(node)

    def _base(self, function: ast.Attribute) -> type | None:
        """The class whose method `super().name` or `Class.name` is; None for other methods."""
        if ast.unparse(function.value) == "super()":
            assert self._cls is not None
            bases = self._cls.__mro__[self._cls.__mro__.index(self._owner) + 1 :]  # pyright: ignore[reportArgumentType]
            return next(base for base in bases if function.attr in base.__dict__)
        found = self._names.get(function.value.id) if isinstance(function.value, ast.Name) else None
        return found if isinstance(found, type) else None

    def _method(self, cls: type, name: str, state: str, arguments: list[ast.expr]) -> tuple[str, Kind]:
        """The call of a method, whose defaults are the arguments that are left out."""
        node = _definition(cls, name)
        missing = len(node.args.args) - 1 - len(arguments)
        given = [*arguments, *node.args.defaults[len(node.args.defaults) - missing :]] if missing else arguments
        texts = "".join(f", {self._text(each)}" for each in given)
        return f"{self._lowering.method(cls, name)}(m, {state}{texts})", returned(cls, name)

    def _kind(self, node: ast.expr) -> Kind:
        match node:
            case ast.Constant(value=value):
                return type(value).__name__
            case ast.Name(id=name):
                return self._kinds[name] if name in self._kinds else type(self._names[name]).__name__
            case ast.Attribute():
                return self._field(node)[1]
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return "bool"
            case ast.BinOp(left=left, op=operator, right=right):
                is_int = self._kind(left) == self._kind(right) == "int" and not isinstance(operator, ast.Div)
                return "int" if is_int else "float"
            case ast.UnaryOp(operand=operand):
                return self._kind(operand)
            case ast.IfExp(body=body, orelse=otherwise):
                one, other = self._kind(body), self._kind(otherwise)
                return one if one == other else "float"
            case ast.Call(func=function, args=arguments):
                return self._call(function, arguments)[1]
            case _:
                raise TypeError(f"{ast.unparse(node)} cannot be lowered")


_SIGNS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_HELPERS = {"max": "python_max", "min": "python_min", "abs": "abs"}
"""The built-in functions of Python that are functions of `kernels`."""


def _items(value: ast.expr) -> list[ast.expr] | None:
    """The items of a tuple, also of a choice of two tuples; None for other values."""
    if isinstance(value, ast.Tuple):
        return value.elts
    if isinstance(value, ast.IfExp):
        one, other = _items(value.body), _items(value.orelse)
        if one is not None and other is not None:
            return [ast.IfExp(value.test, *pair) for pair in zip(one, other, strict=True)]
    return None


def _local(name: str) -> str:
    return "i" if name == "i" else f"v_{name}"


def _number(value: Any) -> str:
    """The code of a constant of a module."""
    if not isinstance(value, bool | int | float):
        raise TypeError(f"{value!r} cannot be lowered")
    if value != value:
        return "NA"
    return ("INF" if value > 0 else "(-INF)") if abs(value) == math.inf else repr(value)
