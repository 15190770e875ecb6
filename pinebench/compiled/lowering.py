"""Writes stateful built-ins of the Python tier in the part of Python that `native` translates.

A class of `runtime.library` is then the only definition of its built-in. Its slots are the record that keeps the state,
and a new object of the class is the layout: each slot gets a place in the memory of a run, and the value of the slot is
the first value of the place. A slot with another kernel gets the places of that kernel, and a slot with a list the
places of `lists`: where its items are, their number, and the room for more.

    self.high = high              ->  m[place] = v_high
    self.count += 1               ->  write_int(m, place, (read_int(m, place) + 1))
    self.range(i, width, length)  ->  Rma_call(m, s + 2, i, v_width, v_length)
    self.values.append(source)    ->  append(m, s + 9, v_source)
    raise RuntimeFault(...)       ->  fail(m, 1.0), and the function returns

A slot with an int or a bool keeps an int as it is, so that nothing is converted on each bar (`native`).

The methods may have numbers, bools and lists of them, `if`, `while`, `for`, calls of other methods and of functions of
a module, slices, comprehensions, `min`, `max`, `abs`, `len`, `reduce(add, ...)`, and tuples whose items are assigned
in one statement. A text may only be a part of an error, or of a comparison of two constants. Anything else is a
TypeError when machine code is made.

A local name for a slot with a list or a kernel is only another name for it. A local name for a slice is the items in
their place, not a copy, so a method must not change a list while it uses a slice of it.
"""

from __future__ import annotations

import ast
import copy
import inspect
import math
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, reduce
from operator import add, mul
from typing import Any

from pinebench.compiled import lists
from pinebench.compiled.layouts import Layout, Layouts
from pinebench.totals import total

Kind = str
"""One of `float`, `int`, `bool`, `list` and `None`, or `tuple[...]` of numbers and bools."""
_EMPTY = {"float": "NA", "int": "0", "bool": "False", "None": "", "list": "0, 0"}
_NUMBERS = ("float", "int", "bool")
UNKNOWN = object()


@dataclass
class Record:
    """The layout of the state of a class.

    `fields` have the place of each slot, and its kind; the kind of a slot with another kernel is that class.
    """

    size: int = 0
    fields: dict[str, tuple[int, Any]] = field(default_factory=dict[str, "tuple[int, Any]"])


class KernelLowering:
    """The kernels that are lowered, and their code."""

    def __init__(self, layouts: Layouts | None = None, writer: type[FunctionWriter] | None = None) -> None:
        """`layouts` are the layouts of the broker's classes, if its functions are lowered, and `writer` writes them."""
        self.layouts = layouts
        self._writer = writer or FunctionWriter
        self._records: dict[type, Record] = {}
        self._functions: dict[str, str] = {}
        self.failing: set[str] = set()
        """The functions that can stop a run."""
        self.columned: set[str] = set()
        """The functions that read columns of the bars."""
        self.changed: defaultdict[str, set[str]] = defaultdict(set)
        """The lists of the broker that each function changes itself, as `Book.orders`."""
        self.calls: defaultdict[str, set[str]] = defaultdict(set)
        """The functions that each function calls."""
        self.viewed: set[tuple[str, str, str]] = set()
        """The calls in a function while it uses items of a list: the function, the list, the function that it calls."""

    def check(self) -> None:
        """Raise a TypeError if a function may change a list while it uses the items that the list had before."""
        for function, viewed, called in sorted(self.viewed):
            reached, waiting = set[str](), [called]
            while waiting:
                one = waiting.pop()
                if viewed in self.changed[one]:
                    raise TypeError(f"{function} uses items of {viewed} while it calls {called}, and {one} changes it")
                if one not in reached:
                    reached.add(one)
                    waiting += self.calls[one]

    def text(self) -> str:
        """The code of all functions that were asked for."""
        return "\n\n".join(self._functions.values())

    def single(self, kind: Any) -> Layout | None:
        """The layout of a class with one object in a run; None for another kind."""
        return None if self.layouts is None else self.layouts.singles.get(getattr(kind, "__name__", ""))

    def object(self, name: str) -> Layout | None:
        """The layout of a class of the broker by its name; None for another name."""
        if self.layouts is None:
            return None
        return self.layouts.singles.get(name) or self.layouts.records.get(name)

    def field(self, cls: type, name: str) -> tuple[int, Any] | None:
        """The place of a slot, from the first place of its object, and its kind. None if there is no such slot."""
        known = self.object(cls.__name__)
        if known is None:
            return self.record(cls).fields.get(name)
        if name not in known.kinds:
            return None
        kind = known.kinds[name]
        return (0 if isinstance(kind, type) else getattr(known, name)), kind

    def record(self, cls: type) -> Record:
        """The layout of a class, as a new object of it has its slots."""
        if cls not in self._records:
            self._records[cls] = self._layout(cls())
        return self._records[cls]

    def _layout(self, made: Any) -> Record:
        record = Record()
        for name in _slots(type(made)):
            value = getattr(made, name)
            kind: Any = "list" if isinstance(value, list) else type(value)
            size = lists.PLACES
            if isinstance(value, bool | int | float):
                kind, size = kind.__name__, 1
            elif kind != "list":
                size = self.record(kind).size
            record.fields[name] = record.size, kind
            record.size += size
        return record

    def first(self, made: Any) -> dict[int, float]:
        """The places of the state of a new object that do not begin with 0: a float, or an int for an int or a bool."""
        found: dict[int, float] = {}
        for name, (place, kind) in self.record(type(made)).fields.items():
            value = getattr(made, name)
            if kind in _NUMBERS:
                if value:  # also na
                    found[place] = value if kind == "float" else int(value)
            elif kind == "list":
                if value:
                    raise TypeError(f"{type(made).__name__}.{name} does not begin empty")
            else:
                found |= {place + inner: each for inner, each in self.first(value).items()}
        return found

    def name(self, cls: type, name: str = "__call__") -> str:
        """The name of the function that is made of a method.

        A private method is a rare path, and so is a change of the length: `native` keeps them out of their callers.
        """
        plain = "call" if name == "__call__" else name
        if self.layouts is not None:
            return f"{cls.__name__}_{plain}"
        return f"{cls.__name__}_{plain}{'_slow' if plain.startswith(('_', 'change')) else ''}"

    def method(self, cls: type, name: str = "__call__") -> str:
        """Write a method, and return the name of the function. It has the memory and the place of the state before its
        arguments."""
        owner = next(base for base in cls.__mro__ if name in base.__dict__)
        function = self.name(cls, name)
        if function not in self._functions:
            self._functions[function] = ""  # a method that calls itself
            node = definitions(owner.__module__)[f"{owner.__name__}.{name}"]
            scope = self._writer(self, cls, sys.modules[owner.__module__].__dict__, owner)
            self._functions[function] = scope.text(node, function)
        return function

    def function(self, function: Callable[..., Any]) -> str:
        """The name of the function that is made of a function of a module."""
        name = f"{function.__module__.rpartition('.')[2]}_{function.__name__.strip('_')}"
        if name not in self._functions:
            self._functions[name] = ""
            node = definitions(function.__module__)[function.__name__]
            scope = self._writer(self, None, sys.modules[function.__module__].__dict__)
            self._functions[name] = scope.text(node, name)
        return name


def _slots(cls: type) -> Iterator[str]:
    if not all(hasattr(base, "__slots__") for base in cls.__mro__[:-1]):
        raise TypeError(f"{cls.__name__} cannot be kept in the memory of a run")
    for base in reversed(cls.__mro__):
        yield from base.__dict__.get("__slots__", ())


def definition(cls: type, name: str) -> ast.FunctionDef:
    """The definition of a method, which may be in a class that `cls` extends."""
    owner = next(base for base in cls.__mro__ if name in base.__dict__)
    return definitions(owner.__module__)[f"{owner.__name__}.{name}"]


@cache
def definitions(module: str) -> dict[str, ast.FunctionDef]:
    """The functions of a module by their names, and its methods by class and name."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    found = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    for cls in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        for each in cls.body:
            match each:
                case ast.FunctionDef(name=name):
                    found[f"{cls.name}.{name}"] = each
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=maker), args=given)) if (
                    maker in found
                ):
                    found[f"{cls.name}.{name}"] = _written_out(found[maker], given)
    return found


def _written_out(maker: ast.FunctionDef, given: list[ast.expr]) -> ast.FunctionDef:
    """The method that `maker` makes of these arguments: its inner function, with the arguments in place of the names of
    the parameters. A parameter for a text that is missing says that the method returns a text."""
    [made] = [copy.deepcopy(each) for each in maker.body if isinstance(each, ast.FunctionDef)]
    names = [each.arg for each in maker.args.args]
    values = dict(zip(reversed(names), reversed(maker.args.defaults), strict=False)) | dict(
        zip(names, given, strict=False)
    )
    is_text = any(isinstance(each, ast.Constant) for each in values.values())
    made.returns = ast.Name("str" if is_text else "float", ast.Load())

    return ast.fix_missing_locations(_NameReplacer(values).visit(made))


class _NameReplacer(ast.NodeTransformer):
    """Writes other expressions in place of names, and the body of a lambda in place of its call."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self._values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._values.get(node.id, node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Lambda):
            return node
        own = dict(zip([each.arg for each in node.func.args.args], node.args, strict=True))
        return _NameReplacer(own).visit(copy.deepcopy(node.func.body))


def _annotated(node: ast.expr | None) -> Kind:
    """The kind that an annotation names. `Any` is a value that is a number in the memory of a run."""
    text = ("None" if node is None else ast.unparse(node)).removesuffix(" | None") or "None"
    return "list" if text.startswith("list[") else "float" if text == "Any" else text


def _returns(node: ast.FunctionDef) -> Kind:
    return _annotated(node.returns)


class FunctionWriter:
    """Writes one function or method. Its local names get a prefix, so that none is the name of a helper."""

    def __init__(
        self, lowering: KernelLowering, cls: type | None, names: Mapping[str, Any], owner: type | None = None
    ) -> None:
        """`names` are the names of the module, and `owner` is the class that defines the method of `cls`."""
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

    def text(self, node: ast.FunctionDef, name: str) -> str:
        """The function that is made of a definition."""
        self._name = name
        given = ["m: P"] if self._cls is None or self._lowering.single(self._cls) else ["m: P", "s: int"]
        for argument in node.args.args[self._cls is not None :]:
            kind = _annotated(argument.annotation) if argument.annotation is not None else "float"
            layout = self._lowering.object(kind)
            if layout is not None:
                self._kinds[argument.arg] = layout.cls
                if self._lowering.single(layout.cls) is None:
                    given.append(f"{local(argument.arg)}: int")
                continue
            if kind == "str":
                continue
            if kind == "int" and self._lowering.layouts is not None:
                kind = "float"  # as the broker keeps it
            if kind not in (*_NUMBERS, "list"):
                raise TypeError(f"{name}({argument.arg}: {kind}) cannot be lowered")
            self._kinds[argument.arg] = kind
            names = view(argument.arg) if kind == "list" else (local(argument.arg),)
            given += [f"{each}: {'int' if kind == 'list' else kind}" for each in names]
        self._result = _returns(node)
        self._block(node.body)
        result = "tuple[int, int]" if self._result == "list" else self._result
        return "\n".join([f"def {name}({', '.join(given)}) -> {result}:", *self._lines, "    pass"])

    # statements

    def _put(self, text: str) -> None:
        self._lines.append("    " * self._depth + text)

    def _block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self._can_stop = False
            self._statement(statement)
            if self._can_stop and not isinstance(statement, ast.Return):
                self._put(f"if m[STATUS] != 0.0:\n{'    ' * self._depth}    return {self._empty()}")
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
            case ast.Return(value=ast.Constant(value=None)):
                self._put(f"return {self._empty()}")
            case ast.Return(value=ast.expr() as value):
                text = ", ".join(self._items_of(value)) if self._result == "list" else self._text(value)
                self._put(f"return {text}")
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

    def _stops(self) -> None:
        """Note that the function can stop the run here."""
        self._lowering.failing.add(self._name)
        self._can_stop = True

    def _empty(self) -> str:
        if self._result.startswith("tuple["):
            return ", ".join(_EMPTY[each.strip()] for each in self._result[6:-1].split(","))
        return _EMPTY[self._result]

    def _delete(self, place: str, part: ast.Slice) -> None:
        """`del values[:n]` or `del values[n:]`."""
        count = f"read_int(m, {place} + {lists.COUNT})"
        bound = part.lower or part.upper
        assert bound is not None
        at = f"position({self._text(bound)}, {count})"
        self._put(f"write_int(m, {place} + {lists.COUNT}, {at})" if part.upper is None else f"remove(m, {place}, {at})")

    def _assign(self, targets: list[ast.expr], value: ast.expr) -> None:
        [target, *others] = targets
        if others:
            held = self._hold(value)
            for target in targets:
                self._store(target, held, self._kind(value))
        elif isinstance(target, ast.Tuple):
            self._unpack(target, value)
        elif isinstance(target, ast.Name) and self._is_slot(value):
            self._aliases[target.id] = self._resolved(value)
        elif self._kind(value) == "list":
            self._assign_list(target, value)
        else:
            self._store(target, self._text(value), self._kind(value))

    def _is_slot(self, value: ast.expr) -> bool:
        """Whether an expression is a slot with a list or a kernel."""
        return isinstance(value, ast.Attribute) and self._kind(value) not in _NUMBERS

    def _unpack(self, target: ast.Tuple, value: ast.expr) -> None:
        items = tuple_items(value)
        if items is None:  # a call
            names = [self._temporary() for _ in target.elts]
            self._put(f"{', '.join(names)} = {self._text(value)}")
            kinds = self._kind(value)[6:-1].split(", ")
        else:
            names, kinds = [self._hold(item) for item in items], [self._kind(item) for item in items]
        for each, name, kind in zip(target.elts, names, kinds, strict=True):
            self._store(each, name, kind)

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
            raise TypeError(f"{ast.unparse(value)} cannot be kept in a slot")
        # The list is made at other places, because the new items can be made of the old ones.
        self._put(f"spare(m, {place})")
        if isinstance(value, ast.BinOp):  # [item] * count
            assert isinstance(value.left, ast.List)
            [item] = value.left.elts
            self._put(f"for {self._temporary()} in range({self._text(value.right)}):")
            self._depth += 1
        else:
            item = self._begin_comprehension(value)
        self._put(f"append_spare(m, {place}, {self._text(item)})")
        self._end_loop(_levels(value))
        self._put(f"use_spare(m, {place})")
        self._stops()

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
            self._put(f"{local(target.id)} = {text}")
            return
        if isinstance(target, ast.Subscript):
            self._put(f"{self._item(target)} = {text}")
            return
        place, kept = self._field(target)
        if kept not in (*_NUMBERS, "flag"):
            raise TypeError(f"{ast.unparse(target)} is another kernel, which cannot be replaced")
        if kept in ("int", "bool"):
            self._put(f"write_int(m, {place}, {text})")
        else:
            self._put(f"m[{place}] = {text}")

    # loops

    def _begin_loop(self, target: ast.expr, iterable: ast.expr) -> None:
        """Write the head of a loop. The next lines are in its body, until `_end_loop`."""
        if self._is_choice:
            raise TypeError(f"a loop over {ast.unparse(iterable)} cannot be a part of a choice")
        match iterable:
            case ast.Call(func=ast.Name(id="range"), args=given):
                assert isinstance(target, ast.Name)
                self._kinds[target.id] = "int"
                self._put(f"for {local(target.id)} in range({', '.join(map(self._text, given))}):")
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
        """Write the head of a loop over the items of a list, also from its end."""
        k = self._temporary()
        match iterable:
            case ast.Call(func=ast.Name(id="reversed"), args=[inner]):
                at, count = self._held_items(inner)
                self._put(f"for {k} in range({count} - 1, -1, -1):")
            case ast.Subscript(value=value, slice=ast.Slice(lower=None, upper=ast.expr() as end, step=step)) if (
                step is not None and ast.unparse(step) == "-1"
            ):
                at, count = self._held_items(value)
                self._put(f"for {k} in range({count} - 1, position_before({self._text(end)}, {count}), -1):")
            case _:
                at, count = self._held_items(iterable)
                self._put(f"for {k} in range({count}):")
        self._depth += 1
        self._store(target, f"m[{at} + {k}]", "float")

    def _begin_comprehension(self, node: ast.ListComp | ast.GeneratorExp) -> ast.expr:
        """Write the head of a comprehension, whose names are its own, and return its item."""
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
        """A loop that computes a number of all items. `step` is the next value of the number `{0}` with an item
        `{1}`."""
        result = self._temporary()
        self._put(f"{result} = {first}")
        if isinstance(iterable, ast.ListComp | ast.GeneratorExp):
            item = self._text(self._begin_comprehension(iterable))
        else:
            name = self._temporary()
            self._begin_loop(ast.Name(name), iterable)
            item = local(name)
        self._put(f"{result} = {step.format(result, item)}")
        self._end_loop(_levels(iterable))
        return result

    # lists

    def _header(self, node: ast.expr) -> str:
        """The place of a list that is a slot."""
        place, kind = self._field(self._resolved(node))
        if kind != "list":
            raise TypeError(f"{ast.unparse(node)} is not a list")
        return place

    def _items_of(self, node: ast.expr) -> tuple[str, str]:
        """The place of the first item of a list, and the number of items."""
        node = self._resolved(node)
        match node:
            case ast.Name(id=name):
                return view(name)
            case ast.Attribute():
                place = self._header(node)
                return f"read_int(m, {place} + {lists.AT})", f"read_int(m, {place} + {lists.COUNT})"
            case ast.Subscript(value=value, slice=ast.Slice(lower=lower, upper=upper, step=None)):
                at, count = self._held_items(value)
                start = "0" if lower is None else self._held(f"position({self._text(lower)}, {count})")
                end = count if upper is None else self._held(f"position({self._text(upper)}, {count})")
                if lower is None:
                    return at, end
                return f"({at} + {start})", f"whole_max(0, {end} - {start})"
            case ast.Call(func=function, args=arguments):
                names = self._temporary(), self._temporary()
                self._put(f"{', '.join(names)} = {self._call(function, arguments)}")
                return names
            case _:
                raise TypeError(f"{ast.unparse(node)} cannot be lowered")

    def _held(self, text: str) -> str:
        name = self._temporary()
        self._put(f"{name} = {text}")
        return name

    def _held_items(self, node: ast.expr) -> tuple[str, str]:
        """`_items_of`, computed once."""
        if self._is_choice:
            raise TypeError(f"{ast.unparse(node)} cannot be a part of a choice")
        at, count = self._items_of(node)
        return self._held(at), self._held(count)

    def _item(self, node: ast.Subscript) -> str:
        """An item of a list. A negative index is counted from the end."""
        at, count = self._items_of(node.value)
        index = self._text(node.slice)
        return f"m[{at} + {count} + {index}]" if _is_from_end(node.slice) else f"m[{at} + {index}]"

    # expressions

    def _resolved(self, node: ast.expr) -> ast.expr:
        """An expression in which a name for a slot is replaced by the slot."""
        if isinstance(node, ast.Name):
            return self._aliases.get(node.id, node)
        if isinstance(node, ast.Attribute):
            return ast.Attribute(self._resolved(node.value), node.attr)
        return node

    def _field(self, node: ast.expr) -> tuple[str, Any]:
        """The place of a slot, and its kind."""
        base, place, kind = self._slot(node)
        return (f"{base} + {place}" if base else str(place)), kind

    def _slot(self, node: ast.expr) -> tuple[str, int, Any]:
        """The place of an object, the place of a slot from there, and its kind. An object of a class with one object in
        a run has no place."""
        node = self._resolved(node)
        if isinstance(node, ast.Attribute):
            base, place, cls = self._object(node.value)
            found = self._lowering.field(cls, node.attr) if isinstance(cls, type) else None
            if found is not None:
                inner, kind = found
                return ("", 0, kind) if self._lowering.single(kind) else (base, place + inner, kind)
        raise TypeError(f"{ast.unparse(node)} cannot be lowered")

    def _object(self, node: ast.expr) -> tuple[str, int, Any]:
        """The place of an object, as `_slot` returns it, and its class."""
        if isinstance(node, ast.Name) and node.id == "self" and self._cls is not None:
            return "" if self._lowering.single(self._cls) else "s", 0, self._cls
        if isinstance(node, ast.Name) and isinstance(self._kinds.get(node.id), type):
            cls = self._kinds[node.id]
            return "" if self._lowering.single(cls) else local(node.id), 0, cls
        return self._slot(node)

    def _place_of(self, node: ast.expr) -> str:
        """The code of the place of a record."""
        base, place, _ = self._object(node)
        return f"{base} + {place}" if place else base

    def _property(self, node: ast.Attribute) -> type | None:
        """The class whose property an expression is; None for other expressions."""
        if self._lowering.layouts is None:
            return None
        _, _, cls = self._object(self._resolved(node.value))
        return cls if isinstance(getattr(cls, node.attr, None), property) else None

    def _fixed(self, node: ast.expr) -> Any:
        """The value of an expression that is the same in all runs; `UNKNOWN` for other expressions."""
        match node:
            case ast.Constant(value=str() as value):
                return value
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if self._is_constant(name):
                return getattr(self._cls, name)
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
                one, other = self._fixed(left), self._fixed(right)
                return UNKNOWN if one is UNKNOWN or other is UNKNOWN else one == other
            case ast.BoolOp(op=ast.And(), values=values):
                return False if any(self._fixed(each) is False for each in values) else UNKNOWN
            case _:
                return UNKNOWN

    def _is_constant(self, name: str) -> bool:
        """Whether a name of the class is a constant, and not a slot or a method."""
        assert self._cls is not None
        if self._lowering.layouts is not None:
            return False
        return self._lowering.field(self._cls, name) is None and not callable(getattr(self._cls, name, len))

    def _maybe(self, write: Callable[[ast.expr], str], node: ast.expr) -> str:
        """The code of an expression that is not always evaluated."""
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
                if kind == "list":
                    return f"({self._items_of(node)[1]} != 0)"
                return f"({self._text(node)} != 0)" if kind == "int" else self._text(node)

    def _text(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=bool() | int() | float() as value):
                return repr(value)
            case ast.Constant(value=None) if self._lowering.layouts is not None:
                return "NA"
            case ast.Name(id=name):
                return local(name) if name in self._kinds else constant(self._names[name])
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if self._is_constant(name):
                return constant(getattr(self._cls, name))
            case ast.Attribute():
                cls = self._property(node)
                if cls is not None:
                    return self._method(cls, node.attr, self._place_of(node.value), [])
                place, kind = self._field(node)
                if kind in ("float", "flag"):
                    return f"m[{place}]" if kind == "float" else f"(m[{place}] != 0.0)"
                text = f"read_int(m, {place})"
                return text if kind == "int" else f"({text} != 0)"
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
                items, rest = tuple_items(body), tuple_items(otherwise)
                if items is not None and rest is not None:
                    pairs = zip(items, rest, strict=True)
                    return ", ".join(self._text(ast.IfExp(test, one, other)) for one, other in pairs)
                asked = self._condition(test)
                texts = [self._maybe(self._text, each) for each in (body, otherwise)]
                return f"({texts[0]} if {asked} else {texts[1]})"
            case ast.Tuple(elts=items):
                return ", ".join(map(self._text, items))
            case ast.Call(func=function, args=arguments, keywords=[]):
                return self._call(function, arguments)
            case _:
                raise TypeError(f"{ast.unparse(node)} cannot be lowered")

    def _operated(self, left: ast.expr, operator: ast.operator, right: ast.expr) -> str:
        one, other = self._text(left), self._text(right)
        if isinstance(operator, ast.Mod) and ast.unparse(left) != "i":  # only the number of a bar is never negative
            return f"modulo({one}, {other})"
        return f"({one} {_OPERATORS[type(operator)]} {other})"

    def _call(self, function: ast.expr, arguments: list[ast.expr]) -> str:
        """The code of a call."""
        if isinstance(function, ast.Attribute):
            return self._method_call(function, arguments)
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
        if called is not None and getattr(called, "__module__", "") != "math":
            return self._function_call(called, arguments)
        return self._helper_call(function.id, arguments)

    def _helper_call(self, name: str, arguments: list[ast.expr]) -> str:
        """The code of a call of a function of Python."""
        if name == "len":
            [given] = arguments
            if isinstance(given, ast.ListComp):
                return self._reduced(given, "0", "{0} + {1}")
            return self._items_of(given)[1]
        if name in ("max", "min") and len(arguments) == 1:
            at, count = self._held_items(arguments[0])
            return f"{'largest' if name == 'max' else 'smallest'}(m, {at}, {count})"
        given = ", ".join(map(self._text, arguments))
        if name == "int":
            self._stops()
            return f"as_whole(m, {given})"
        if name in ("max", "min") and all(self._kind(each) == "int" for each in arguments):
            return f"whole_{name}({given})"
        if name not in _HELPERS:
            raise TypeError(f"{name}({given}) cannot be lowered")
        return f"{_HELPERS[name]}({given})"

    def _function_call(self, called: Callable[..., Any], arguments: list[ast.expr]) -> str:
        node = definitions(called.__module__)[called.__name__]
        name = self._lowering.function(called)
        if name in self._lowering.failing:
            self._stops()
        return f"{name}(m{self._given(node, node.args.args, arguments)})"

    def _given(self, node: ast.FunctionDef, parameters: list[ast.arg], arguments: list[ast.expr]) -> str:
        """The code of the arguments of a call. The defaults are the arguments that are left out; texts have no code."""
        missing = len(parameters) - len(arguments)
        defaults = node.args.defaults[len(node.args.defaults) - missing :] if missing else []
        texts = ""
        for parameter, each in zip(parameters, [*arguments, *defaults], strict=True):
            kind = _annotated(parameter.annotation) if parameter.annotation is not None else "float"
            if kind == "list":
                texts += "".join(f", {text}" for text in self._items_of(each))
            elif self._lowering.object(kind) is not None:
                texts += "" if self._lowering.single(self._kind(each)) else f", {self._place_of(each)}"
            elif kind != "str":
                texts += f", {self._text(each)}"
        return texts

    def _method_call(self, function: ast.Attribute, arguments: list[ast.expr]) -> str:
        base = self._base(function)
        if base is not None:
            is_bound = isinstance(function.value, ast.Call)
            return self._method(base, function.attr, "s", arguments if is_bound else arguments[1:])
        value = self._resolved(function.value)
        if self._lowering.layouts is not None:
            return self._method(self._object(value)[2], function.attr, self._place_of(value), arguments)
        if isinstance(value, ast.Name) and value.id == "self":
            assert self._cls is not None
            found = self._lowering.field(self._cls, function.attr)
            if found is None:
                return self._method(self._cls, function.attr, "s", arguments)
            place, kind = found
            return self._method(kind, "__call__", f"s + {place}", arguments)
        kind = self._kind(value)
        if kind == "list":
            return self._list_call(value, function.attr, arguments)
        place, kind = self._field(value)
        if function.attr in self._lowering.record(kind).fields:
            place, kind = self._field(function)
            return self._method(kind, "__call__", place, arguments)
        return self._method(kind, function.attr, place, arguments)

    def _list_call(self, value: ast.expr, name: str, arguments: list[ast.expr]) -> str:
        if name == "append":
            self._stops()
            return f"append(m, {self._header(value)}, {self._text(arguments[0])})"
        if name == "pop" and not arguments:
            return f"pop(m, {self._header(value)})"
        if name == "index":
            at, count = self._held_items(value)
            return f"index_of(m, {at}, {count}, {self._text(arguments[0])})"
        raise TypeError(f"{ast.unparse(value)}.{name}() cannot be lowered")

    def _base(self, function: ast.Attribute) -> type | None:
        """The class whose method `super().name` or `Class.name` is; None for other methods."""
        if ast.unparse(function.value) == "super()":
            assert self._cls is not None
            bases = self._cls.__mro__[self._cls.__mro__.index(self._owner) + 1 :]  # pyright: ignore[reportArgumentType]
            return next(base for base in bases if function.attr in base.__dict__)
        found = self._names.get(function.value.id) if isinstance(function.value, ast.Name) else None
        return found if isinstance(found, type) else None

    def _method(self, cls: type, name: str, state: str, arguments: list[ast.expr]) -> str:
        node = definition(cls, name)
        function = self._lowering.method(cls, name)
        # After a call of a kernel the run stops at the end of the bar: its results are only numbers.
        if function in self._lowering.failing and name != "__call__":
            self._stops()
        state = f", {state}" if state else ""
        return f"{function}(m{state}{self._given(node, node.args.args[1:], arguments)})"

    def _kind(self, node: ast.expr) -> Any:
        """The kind of a value; a class for a slot with a kernel."""
        match node:
            case ast.Constant(value=value):
                return type(value).__name__
            case ast.Name(id=name):
                if name in self._aliases:
                    return self._kind(self._aliases[name])
                return self._kinds[name] if name in self._kinds else type(self._names[name]).__name__
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if self._is_constant(name):
                return "float"
            case ast.Attribute():
                cls = self._property(node)
                if cls is not None:
                    return _returns(definition(cls, node.attr))
                kind = self._field(node)[1]
                return "bool" if kind == "flag" else kind
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
        """The kind of the result of a call."""
        if isinstance(function, ast.Name):
            called = self._names.get(function.id)
            if called is not None and called not in (reduce, total) and getattr(called, "__module__", "") != "math":
                return _returns(definitions(called.__module__)[called.__name__])
            if function.id in ("len", "int"):
                return "int"
            is_whole = function.id in ("max", "min") and len(arguments) > 1
            return "int" if is_whole and all(self._kind(each) == "int" for each in arguments) else "float"
        assert isinstance(function, ast.Attribute)
        base = self._base(function)
        if base is not None:
            return _returns(definition(base, function.attr))
        value = self._resolved(function.value)
        if self._lowering.layouts is not None:
            return _returns(definition(self._object(value)[2], function.attr))
        if isinstance(value, ast.Name) and value.id == "self":
            assert self._cls is not None
            found = self._lowering.field(self._cls, function.attr)
            return _returns(definition(*((self._cls, function.attr) if found is None else (found[1], "__call__"))))
        kind = self._kind(value)
        if kind == "list":
            return "int" if function.attr == "index" else "float"
        inner = self._lowering.record(kind).fields.get(function.attr)
        return _returns(definition(*((kind, function.attr) if inner is None else (inner[1], "__call__"))))


_SIGNS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%"}
_HELPERS = {
    "max": "python_max",
    "min": "python_min",
    "isfinite": "is_known",
    "floor": "floored",
    "ceil": "ceiled",
    **{name: name for name in ("abs", "float", "sqrt", "exp", "trunc")},
}
"""The functions of Python that are functions of `kernels` or of the machine."""


def tuple_items(value: ast.expr) -> list[ast.expr] | None:
    """The items of a tuple, also of a choice of two tuples; None for other values."""
    if isinstance(value, ast.Tuple):
        return value.elts
    if isinstance(value, ast.IfExp):
        one, other = tuple_items(value.body), tuple_items(value.orelse)
        if one is not None and other is not None:
            return [ast.IfExp(value.test, *pair) for pair in zip(one, other, strict=True)]
    return None


def _levels(iterable: ast.expr) -> int:
    """The depth of the body of a loop: a comprehension with a condition has two levels."""
    return 2 if isinstance(iterable, ast.ListComp | ast.GeneratorExp) and iterable.generators[0].ifs else 1


def _renamed(node: Any, suffix: str) -> Any:
    """A copy of a comprehension in which the names of its items end with `suffix`."""
    names = {each.id for each in ast.walk(node.generators[0].target) if isinstance(each, ast.Name)}
    made = copy.deepcopy(node)
    for each in ast.walk(made):
        if isinstance(each, ast.Name) and each.id in names:
            each.id += f"_{suffix}"
    return made


def _is_from_end(index: ast.expr) -> bool:
    """Whether an index is written as a negative number, such as `-1 - n`."""
    while isinstance(index, ast.BinOp):
        index = index.left
    return isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub)


def local(name: str) -> str:
    return "i" if name == "i" else f"v_{name}"


def view(name: str) -> tuple[str, str]:
    """The names for the place of the first item of a local list, and for the number of its items."""
    return f"v_{name}_at", f"v_{name}_count"


def constant(value: Any) -> str:
    """The code of a constant. None is an na colour."""
    if value is None:
        return "NA"
    if not isinstance(value, bool | int | float):
        raise TypeError(f"{value!r} cannot be lowered")
    if value != value:
        return "NA"
    return ("INF" if value > 0 else "(-INF)") if abs(value) == math.inf else repr(value)
