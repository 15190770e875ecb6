"""Translates functions in a small subset of Python to LLVM IR.

The kernels (stateful built-ins), the broker and a script's code are written in this subset: functions with annotated
arguments, local variables, `if`, `while`, `for ... in range(...)`, calls of each other, and numbers in memory (`m[k]`).
It has three types, `float`, `int` and `bool`; `P` is a pointer to floats. An operation on an int and a float converts
the int. `read_int` and `write_int` read and write the bits of an int in the memory. `has_same_bits` compares the bits
of two floats, `pointer_at` reads a pointer from the memory, and `answered` calls Python. `max` and `min` of two
numbers, of a part of the memory (`m[first:end]`) or of a column give the same result as in Python. `LAYOUT.name` is an
address of a layout (`layouts`). `//` and `%` are for nonnegative ints. A division by zero gives an infinity or na.
Operations are never reordered or fused, so each result has the same bits as in Python.
"""

from __future__ import annotations

import ast
import struct
from collections.abc import Collection, Iterable

from pinebench.compiled.held_state import MOST_PLACES, offset
from pinebench.compiled.native_source import NativeSource

_TYPES = {"float": "double", "int": "i64", "bool": "i1", "P": "ptr"}
_ZERO = {"double": "0x0000000000000000", "i64": "0", "i1": "false"}
_INTRINSICS = {
    "abs": "llvm.fabs.f64",
    "sqrt": "llvm.sqrt.f64",
    "floor": "llvm.floor.f64",
    "ceil": "llvm.ceil.f64",
    "trunc": "llvm.trunc.f64",
}
LIBM = ("exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "pow", "fmod")
"""The functions of the C library that are called, with the same results as in Python."""
_TWO = ("pow", "fmod")
ANSWER = 13
"""The address in memory of the pointer to the function of Python that answers calls."""
ASKED = 14
"""The address of the number of calls of that function."""
_OPERATORS = {ast.Add: ("fadd", "add"), ast.Sub: ("fsub", "sub"), ast.Mult: ("fmul", "mul")}
_WHOLE = {
    ast.FloorDiv: "sdiv",
    ast.Mod: "srem",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.LShift: "shl",
    ast.RShift: "ashr",
}
_COMPARED = {
    ast.Eq: ("oeq", "eq"),
    ast.NotEq: ("une", "ne"),
    ast.Lt: ("olt", "slt"),
    ast.LtE: ("ole", "sle"),
    ast.Gt: ("ogt", "sgt"),
    ast.GtE: ("oge", "sge"),
}
_POINTERS = {"b": "ptr noalias readonly", "o": "ptr noalias"}

_FEW = 8
"""The largest number of floats that are copied one by one."""
_HELD = ".held"
"""The end of the name of a function that holds its state (`held_state`). It gets the state after its arguments."""

_APART = ("_slow", "_of_column")
"""The ends of the names of functions that never become part of their callers."""

Value = tuple[str, str]
"""A type of LLVM, and the text of a value."""


def number(value: float) -> str:
    """Format a float without losing any of its bits."""
    return "0x" + struct.pack(">d", value).hex().upper()


def _type(node: ast.expr | None) -> str:
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        return "void"
    if isinstance(node, ast.Name):
        return _TYPES[node.id]
    assert isinstance(node, ast.Subscript)
    items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return "{" + ", ".join(_type(item) for item in items) + "}"


def translate(
    source: NativeSource,
    exported: Iterable[str],
    external: Iterable[str] = (),
    prefix: str = "",
    *,
    longest: int | None = None,
    inlined: Collection[str] = (),
) -> str:
    """Return an LLVM module with the functions `exported` and all functions that they call.

    - `external`: functions that another module defines.
    - `prefix`: precedes the names of exported and external functions.
    - `longest`: a function with more statements and with several callers is not inlined, so that a large module
      compiles faster. A function whose name ends in `_slow` is never inlined.
    - `inlined`: functions that are inlined into all their callers.
    """
    wanted, done, parts = list(exported), set[str](), list[str]()
    exports, outside = set(wanted), set(external)
    declared: dict[str, str] = {}
    while wanted:
        name = wanted.pop()
        if name in done:
            continue
        done.add(name)
        body = _Body(source, name, exports, outside, prefix)
        is_long = longest is not None and _statements(body.node) > longest
        if name in inlined or name.endswith(_HELD):
            attribute = "alwaysinline "
        else:
            attribute = "noinline " if name.endswith(_APART) or (is_long and source.calls[name] > 1) else ""
        parts.append(body.text(attribute))
        wanted += sorted(body.called - done)
        declared.update(body.declared)
    return "\n".join([*declared.values(), *parts])


def _statements(node: ast.FunctionDef) -> int:
    return [isinstance(each, ast.stmt) for each in ast.walk(node)].count(True) - 1


class _Body:
    """The translation of one function."""

    def __init__(self, source: NativeSource, name: str, exports: set[str], outside: set[str], prefix: str) -> None:
        self._source = source
        self._symbol = name
        self.node = node = source.functions[name.removesuffix(_HELD)]
        self._exports = exports
        self._outside = outside
        self._prefix = prefix
        self.called: set[str] = set()
        self.declared: dict[str, str] = {}
        self._result = _type(node.returns)
        self._lines: list[str] = []
        self._head: list[str] = []
        self._types: dict[str, str] = {}
        self._given: dict[str, str] = {}
        self._count = 0
        self._open = True
        self._loops: list[tuple[str, str]] = []
        self._is_held = name.endswith(_HELD)
        """Whether the function's state is held."""
        self._states: set[str] = set()
        """The states that the function holds while it runs."""
        self._places = 0
        """The size of all states in `_states`, in floats."""

    def text(self, attribute: str = "") -> str:
        """Return the function in LLVM's language, with an attribute."""
        node = self.node
        given: list[str] = []
        for argument in node.args.args:
            type_ = _type(argument.annotation)
            name = argument.arg
            given.append(f"{_POINTERS.get(name, type_) if type_ == 'ptr' else type_} %{name}")
            if type_ == "ptr":
                self._given[name] = "ptr"
            else:
                self._variable(name, type_)
                self._lines.append(f"store {type_} %{name}, ptr %v.{name}")
        if self._is_held:
            given.append("ptr %state")
        self._block(node.body)
        if self._open:
            self._lines.append(self._empty_return())
        is_exported = node.name in self._exports
        name = f"{self._prefix}{node.name}" if is_exported else self._symbol
        linkage = "" if is_exported else "internal "
        body = "\n".join(["begin.0:", *self._head, *self._lines])
        return f"define {linkage}{self._result} @{name}({', '.join(given)}) nounwind {attribute}{{\n{body}\n}}"

    def _empty_return(self) -> str:
        return "ret void" if self._result == "void" else f"ret {self._result} zeroinitializer"

    # places

    def _new(self) -> str:
        self._count += 1
        return f"%t{self._count}"

    def _label(self) -> str:
        self._count += 1
        return f"l.{self._count}"

    def _put(self, text: str) -> str:
        name = self._new()
        self._lines.append(f"{name} = {text}")
        return name

    def _begin(self, label: str) -> None:
        if self._open:
            self._lines.append(f"br label %{label}")
        self._lines.append(f"{label}:")
        self._open = True

    def _jump(self, label: str) -> None:
        if self._open:
            self._lines.append(f"br label %{label}")
        self._open = False

    def _branch(self, condition: str, then: str, otherwise: str) -> None:
        self._lines.append(f"br i1 {condition}, label %{then}, label %{otherwise}")
        self._open = False

    def _variable(self, name: str, type_: str) -> None:
        if name not in self._types:
            self._types[name] = type_
            self._head.append(f"%v.{name} = alloca {type_}")

    def _assign(self, name: str, value: Value) -> None:
        self._variable(name, value[0])
        type_ = self._types[name]
        self._lines.append(f"store {type_} {self._as(value, type_)}, ptr %v.{name}")

    def _as(self, value: Value, type_: str) -> str:
        if value[0] == type_:
            return value[1]
        if value[0] == "i64" and type_ == "double":
            return (
                number(float(value[1]))
                if value[1].lstrip("-").isdigit()
                else self._put(f"sitofp i64 {value[1]} to double")
            )
        if value[0] == "i1" and type_ == "double":
            return self._put(f"uitofp i1 {value[1]} to double")
        if value[0] == "i1" and type_ == "i64":
            return self._put(f"zext i1 {value[1]} to i64")
        if value[0] == "double" and type_ == "i1":
            return self._put(f"fcmp une double {value[1]}, {number(0.0)}")
        raise TypeError(f"{self.node.name}: {value[0]} is not {type_} in line {self.node.lineno}")

    # statements

    def _block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            if not self._open:
                return
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Assign):
            self._assigned(node.targets, node.value)
        elif isinstance(node, ast.AugAssign):
            load = ast.Name(node.target.id) if isinstance(node.target, ast.Name) else node.target
            self._store(node.target, self._operated(node.op, self._value(load), self._value(node.value)))
        elif isinstance(node, ast.Expr):
            if isinstance(node.value, ast.Call):
                self._value(node.value)
        elif isinstance(node, ast.If):
            self._if(node)
        elif isinstance(node, ast.While):
            self._while(node)
        elif isinstance(node, ast.For):
            self._for(node)
        elif isinstance(node, ast.Break):
            self._jump(self._loops[-1][1])
        elif isinstance(node, ast.Continue):
            self._jump(self._loops[-1][0])
        elif isinstance(node, ast.Return):
            self._return(node)
        elif not isinstance(node, ast.Pass):
            raise TypeError(ast.dump(node))

    def _assigned(self, targets: list[ast.expr], value: ast.expr) -> None:
        [target] = targets
        if isinstance(target, ast.Tuple):
            type_, whole = self._value(value)
            parts = type_[1:-1].split(", ")
            for k, (part, item) in enumerate(zip(parts, target.elts, strict=True)):
                if not isinstance(item, ast.Name) or item.id != "_":
                    self._store(item, (part, self._put(f"extractvalue {type_} {whole}, {k}")))
            return
        self._store(target, self._value(value))

    def _store(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self._assign(target.id, value)
            return
        assert isinstance(target, ast.Subscript)
        text = self._as(value, "double")
        self._lines.append(f"store double {text}, ptr {self._place(target)}")

    def _place(self, node: ast.Subscript) -> str:
        assert isinstance(node.value, ast.Name)
        return self._place_of(node.value.id, node.slice)

    def _place_of(self, memory: str, node: ast.expr) -> str:
        """Return the address of a float or an int in the memory, or in the state that is held."""
        held = offset(node) if self._is_held else None
        index = self._as(self._value(node), "i64") if held is None else held
        return self._put(f"getelementptr inbounds double, ptr %{memory if held is None else 'state'}, i64 {index}")

    def _if(self, node: ast.If) -> None:
        then, otherwise, end = self._label(), self._label(), self._label()
        self._condition(node.test, then, otherwise if node.orelse else end)
        self._begin(then)
        self._block(node.body)
        self._jump(end)
        if node.orelse:
            self._begin(otherwise)
            self._block(node.orelse)
            self._jump(end)
        self._begin(end)

    def _while(self, node: ast.While) -> None:
        test, body, end = self._label(), self._label(), self._label()
        self._begin(test)
        self._condition(node.test, body, end)
        self._begin(body)
        self._loops.append((test, end))
        self._block(node.body)
        self._loops.pop()
        self._jump(test)
        self._begin(end)

    def _for(self, node: ast.For) -> None:
        assert isinstance(node.iter, ast.Call)
        assert isinstance(node.target, ast.Name)
        given = node.iter.args
        first = self._value(given[0]) if len(given) > 1 else ("i64", "0")
        last = self._as(self._value(given[-1] if len(given) < 3 else given[1]), "i64")
        step = -1 if len(given) == 3 else 1
        counter = f"c{self._count}"
        self._assign(counter, first)
        test, body, again, end = (self._label() for _ in range(4))
        self._begin(test)
        now = self._put(f"load i64, ptr %v.{counter}")
        self._branch(self._put(f"icmp {'slt' if step > 0 else 'sgt'} i64 {now}, {last}"), body, end)
        self._begin(body)
        self._assign(node.target.id, ("i64", now))
        self._loops.append((again, end))
        self._block(node.body)
        self._loops.pop()
        self._begin(again)
        now = self._put(f"load i64, ptr %v.{counter}")
        self._assign(counter, ("i64", self._put(f"add i64 {now}, {step}")))
        self._jump(test)
        self._begin(end)

    def _return(self, node: ast.Return) -> None:
        if node.value is None:
            self._lines.append(self._empty_return())
        elif isinstance(node.value, ast.Tuple):
            types = self._result[1:-1].split(", ")
            whole = "undef"
            for k, (type_, item) in enumerate(zip(types, node.value.elts, strict=True)):
                text = self._as(self._value(item), type_)
                whole = self._put(f"insertvalue {self._result} {whole}, {type_} {text}, {k}")
            self._lines.append(f"ret {self._result} {whole}")
        else:
            self._lines.append(f"ret {self._result} {self._as(self._value(node.value), self._result)}")
        self._open = False

    # expressions

    def _condition(self, node: ast.expr, then: str, otherwise: str) -> None:
        """Write a jump to the label `then` if the condition holds, else to the label `otherwise`."""
        if isinstance(node, ast.BoolOp) and not all(map(self._is_cheap, node.values)):
            is_and = isinstance(node.op, ast.And)
            for part in node.values[:-1]:
                following = self._label()
                self._condition(part, *((following, otherwise) if is_and else (then, following)))
                self._begin(following)
            self._condition(node.values[-1], then, otherwise)
            return
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self._condition(node.operand, otherwise, then)
            return
        self._branch(self._as(self._value(node), "i1"), then, otherwise)

    def _value(self, node: ast.expr) -> Value:
        return _VALUES[type(node)](self, node)

    def _constant(self, node: ast.Constant) -> Value:
        value = node.value
        if isinstance(value, bool):
            return "i1", "true" if value else "false"
        if isinstance(value, int):
            return "i64", str(value)
        assert isinstance(value, float)
        return "double", number(value)

    def _name(self, node: ast.Name) -> Value:
        if node.id in self._given:
            return "ptr", f"%{node.id}"
        if node.id == "NA":
            return "double", "0x7FF8000000000000"
        if node.id == "INF":
            return "double", "0x7FF0000000000000"
        if node.id in self._source.constants and node.id not in self._types:
            return self._constant(self._source.constants[node.id])
        type_ = self._types[node.id]
        return type_, self._put(f"load {type_}, ptr %v.{node.id}")

    def _attribute(self, node: ast.Attribute) -> Value:
        """Return the value of `LAYOUT.name`: an address or a size."""
        assert isinstance(node.value, ast.Name)
        return "i64", str(getattr(self._source.layouts[node.value.id], node.attr))

    def _subscript(self, node: ast.Subscript) -> Value:
        return "double", self._put(f"load double, ptr {self._place(node)}")

    def _binary(self, node: ast.BinOp) -> Value:
        # A loop walks a chain of operators, because its tree is as deep as the chain is long.
        chain: list[ast.BinOp] = []
        left: ast.expr = node
        while isinstance(left, ast.BinOp):
            chain.append(left)
            left = left.left
        value = self._value(left)
        for part in reversed(chain):
            value = self._operated(part.op, value, self._value(part.right))
        return value

    def _operated(self, operator: ast.operator, left: Value, right: Value) -> Value:
        if isinstance(operator, ast.Div):
            return "double", self._put(f"fdiv double {self._as(left, 'double')}, {self._as(right, 'double')}")
        if type(operator) in _WHOLE:
            return "i64", self._put(f"{_WHOLE[type(operator)]} i64 {left[1]}, {right[1]}")
        of_floats, of_ints = _OPERATORS[type(operator)]
        if left[0] == right[0] == "i64":
            return "i64", self._put(f"{of_ints} i64 {left[1]}, {right[1]}")
        return "double", self._put(f"{of_floats} double {self._as(left, 'double')}, {self._as(right, 'double')}")

    def _unary(self, node: ast.UnaryOp) -> Value:
        type_, value = self._value(node.operand)
        if isinstance(node.op, ast.Not):
            return "i1", self._put(f"xor i1 {self._as((type_, value), 'i1')}, true")
        if type_ == "i64":
            return "i64", f"-{value}" if value.isdigit() else self._put(f"sub i64 0, {value}")
        return "double", self._put(f"fneg double {self._as((type_, value), 'double')}")

    def _compare(self, node: ast.Compare) -> Value:
        left, found = self._value(node.left), ""
        for operator, part in zip(node.ops, node.comparators, strict=True):
            right = self._value(part)
            of_floats, of_ints = _COMPARED[type(operator)]
            if left[0] == right[0] and left[0] != "double":
                one = self._put(f"icmp {of_ints} {left[0]} {left[1]}, {right[1]}")
            else:
                pair = f"{self._as(left, 'double')}, {self._as(right, 'double')}"
                one = self._put(f"fcmp {of_floats} double {pair}")
            found = self._put(f"and i1 {found}, {one}") if found else one
            left = right
        return "i1", found

    def _chosen(self, node: ast.IfExp) -> Value:
        then, otherwise, end = self._label(), self._label(), self._label()
        self._condition(node.test, then, otherwise)
        self._begin(then)
        first = self._value(node.body)
        place = f"x{self._count}"
        at_then = len(self._lines)
        self._jump(end)
        self._begin(otherwise)
        second = self._value(node.orelse)
        type_ = first[0] if first[0] == second[0] else "double"
        self._variable(place, type_)
        self._lines.append(f"store {type_} {self._as(second, type_)}, ptr %v.{place}")
        self._jump(end)
        # The first value is stored where its branch ends.
        kept = self._lines[at_then:]
        del self._lines[at_then:]
        self._lines.append(f"store {type_} {self._as(first, type_)}, ptr %v.{place}")
        self._lines += kept
        self._begin(end)
        return type_, self._put(f"load {type_}, ptr %v.{place}")

    def _is_cheap(self, node: ast.expr) -> bool:
        """Return whether a test compares only local variables and constants, so that a branch before it gains
        nothing."""
        parts = [node.left, *node.comparators] if isinstance(node, ast.Compare) else [node]
        return all(isinstance(part, ast.Name | ast.Constant) for part in parts)

    def _bool_op(self, node: ast.BoolOp) -> Value:
        if all(map(self._is_cheap, node.values)):
            first, *others = (self._as(self._value(part), "i1") for part in node.values)
            for other in others:
                first = self._put(f"{'and' if isinstance(node.op, ast.And) else 'or'} i1 {first}, {other}")
            return "i1", first
        then, otherwise, end = self._label(), self._label(), self._label()
        place = f"x{self._label()}"
        self._variable(place, "i1")
        self._condition(node, then, otherwise)
        for label, text in ((then, "true"), (otherwise, "false")):
            self._begin(label)
            self._lines.append(f"store i1 {text}, ptr %v.{place}")
            self._jump(end)
        self._begin(end)
        return "i1", self._put(f"load i1, ptr %v.{place}")

    def _call(self, node: ast.Call) -> Value:
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        if name in ("read_int", "write_int"):
            return self._int_at(*node.args)
        if name == "pointer_at":
            return "ptr", self._put(f"inttoptr i64 {self._int_at(*node.args)[1]} to ptr")
        if name in ("max", "min"):
            return self._extreme(name, node.args)
        given = [self._value(argument) for argument in node.args]
        if name == "int":
            return given[0] if given[0][0] == "i64" else ("i64", self._put(f"fptosi double {given[0][1]} to i64"))
        if name == "float":
            return "double", self._as(given[0], "double")
        if name == "has_same_bits":
            one, other = (self._put(f"bitcast double {self._as(each, 'double')} to i64") for each in given)
            return "i1", self._put(f"icmp eq i64 {one}, {other}")
        if name in _INTRINSICS:
            self.declared[name] = f"declare double @{_INTRINSICS[name]}(double)"
            return "double", self._put(f"call double @{_INTRINSICS[name]}(double {self._as(given[0], 'double')})")
        if name == "copy":
            return self._copied(given)
        if name == "answered":
            return self._answered(node.args[0], self._as(given[1], "i64"))
        if name in LIBM:
            symbol = f"pine_{name}"
            types = "double, double" if name in _TWO else "double"
            self.declared[symbol] = f"declare double @{symbol}({types}) nounwind memory(none)"
            texts = ", ".join(f"double {self._as(each, 'double')}" for each in given)
            return "double", self._put(f"call double @{symbol}({texts})")
        return self._called(name, given, node.args)

    def _extreme(self, name: str, arguments: list[ast.expr]) -> Value:
        """Return `max` or `min` of two numbers, of a part of the memory or of a column."""
        match arguments:
            case [ast.Subscript(value=ast.Name(id=memory) as given, slice=ast.Slice(lower=first, upper=end))]:
                assert first is not None and end is not None
                parts = [given, first, end]
                function = f"{name}_of_{'column' if memory == 'b' else 'items'}"
                return self._called(function, list(map(self._value, parts)), parts)
            case _:
                one, other = map(self._value, arguments)
                type_ = "i64" if one[0] == other[0] == "i64" else "double"
                first, second = self._as(one, type_), self._as(other, type_)
                sign = f"{'icmp s' if type_ == 'i64' else 'fcmp o'}{'gt' if name == 'max' else 'lt'}"
                asked = self._put(f"{sign} {type_} {second}, {first}")
                return type_, self._put(f"select i1 {asked}, {type_} {second}, {type_} {first}")

    def _int_at(self, memory: ast.expr, place: ast.expr, *value: ast.expr) -> Value:
        """Return the result of `read_int(m, place)` or `write_int(m, place, value)`: the bits of an int, without
        conversion."""
        assert isinstance(memory, ast.Name)
        given = [self._as(self._value(each), "i64") for each in value]
        at = self._place_of(memory.id, place)
        if not given:
            return "i64", self._put(f"load i64, ptr {at}")
        self._lines.append(f"store i64 {given[0]}, ptr {at}")
        return "void", ""

    def _float_at(self, memory: str, first: str, k: int) -> str:
        """Return the address of float `k` after the address `first`."""
        return self._put(f"getelementptr inbounds double, ptr {memory}, i64 {self._put(f'add i64 {first}, {k}')}")

    def _copied(self, given: list[Value]) -> Value:
        """Write `copy(m, source, target, count)`, which `lists` defines for Python."""
        (_, memory), *places = given
        source, target, count = (self._as(each, "i64") for each in places)
        if count.isdigit() and int(count) <= _FEW:
            # The processor reads a few floats that were just written sooner one by one than all at once.
            held = [self._put(f"load double, ptr {self._float_at(memory, source, k)}") for k in range(int(count))]
            for k, value in enumerate(held):
                self._lines.append(f"store double {value}, ptr {self._float_at(memory, target, k)}")
            return "void", ""
        first, second = (self._put(f"getelementptr inbounds double, ptr {memory}, i64 {k}") for k in (target, source))
        size = str(8 * int(count)) if count.isdigit() else self._put(f"mul i64 {count}, 8")
        self.declared["memmove"] = "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)"
        self._lines.append(f"call void @llvm.memmove.p0.p0.i64(ptr {first}, ptr {second}, i64 {size}, i1 false)")
        return "void", ""

    def _answered(self, memory: ast.expr, place: str) -> Value:
        """Write `answered(m, place)`: a call of the function of Python whose address is in the memory. The call is
        counted first, so that a call without an answer is noticed."""
        assert isinstance(memory, ast.Name)
        at = self._place_of(memory.id, ast.Constant(ASKED))
        asked = self._put(f"load double, ptr {at}")
        self._lines.append(f"store double {self._put(f'fadd double {asked}, 1.0')}, ptr {at}")
        _, address = self._int_at(memory, ast.Constant(ANSWER))
        function = self._put(f"inttoptr i64 {address} to ptr")
        return "double", self._put(f"call double {function}(i64 {place})")

    def _called(self, name: str, given: list[Value], arguments: list[ast.expr]) -> Value:
        function = self._source.functions[name]
        types = [_type(argument.annotation) for argument in function.args.args]
        result = _type(function.returns)
        texts = [f"{type_} {self._as(value, type_)}" for type_, value in zip(types, given, strict=True)]
        state = self._state(name, arguments) if name in self._source.held else ""
        symbol = name
        if name in self._outside:
            symbol = self._prefix + name
            self.declared[symbol] = f"declare {result} @{symbol}({', '.join(types)}) nounwind"
        elif state:
            symbol = name + _HELD
            texts.append(f"ptr {state}")
            self.called.add(symbol)
        else:
            self.called.add(name)
            symbol = self._prefix + name if name in self._exports else name
        rarely = " cold" if name in self._outside or name.endswith("_slow") else ""
        call = f"call {result} @{symbol}({', '.join(texts)}){rarely}"
        if not self._is_held or state or all(offset(each) is None for each in arguments):
            return result, self._done(call, result)
        size = self._source.held[self.node.name]
        memory = self._put("getelementptr inbounds double, ptr %m, i64 %s")
        self._lines.append(self._copy_of(memory, "%state", size))
        found = self._done(call, result)
        self._lines.append(self._copy_of("%state", memory, size))
        return result, found

    def _done(self, call: str, result: str) -> str:
        """Return the value of a call; empty if it has none."""
        if result != "void":
            return self._put(call)
        self._lines.append(call)
        return ""

    def _state(self, name: str, arguments: list[ast.expr]) -> str:
        """Return the address where the state of a call is held: in the state of this function, or in local variables of
        a function that runs once. Return an empty text if it is not held."""
        argument = arguments[1]
        inner = offset(argument) if self._is_held else None
        if inner is not None:
            return self._put(f"getelementptr inbounds double, ptr %state, i64 {inner}")
        if self.node.name not in self._exports or not isinstance(argument, ast.Constant):
            return ""
        place, size = argument.value, self._source.held[name]
        state = f"%state.{place}.{size}"  # a call without a state has the place of the next one
        if state not in self._states:
            if self._places + size > MOST_PLACES:
                return ""
            self._places += size
            self._states.add(state)
            self._head.append(f"{state} = alloca [{size} x double]")
            memory = f"%memory.{place}.{size}"
            self._head.append(f"{memory} = getelementptr inbounds double, ptr %m, i64 {place}")
            self._head.append(self._copy_of(state, memory, size))
        return state

    def _copy_of(self, target: str, source: str, size: int) -> str:
        """Copy the `size` floats of a state."""
        self.declared["memcpy"] = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"
        return f"call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr {source}, i64 {8 * size}, i1 false)"


_VALUES = {
    ast.Constant: _Body._constant,
    ast.Name: _Body._name,
    ast.Attribute: _Body._attribute,
    ast.Subscript: _Body._subscript,
    ast.BinOp: _Body._binary,
    ast.UnaryOp: _Body._unary,
    ast.Compare: _Body._compare,
    ast.IfExp: _Body._chosen,
    ast.BoolOp: _Body._bool_op,
    ast.Call: _Body._call,
}
