"""A slow interpreter of checked scripts, written to be obviously right: the oracle of the generated code.

It knows nothing of the typed form. Every value that a variable has is written down by bar, so that history is a
look-up; all state is one structure that is copied as a whole before a bar that may run again.
"""

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pinebench.checker import BuiltinCall, ConstructorCall, CopyCall, Program, UserCall
from pinebench.checker.constants import literal_value
from pinebench.checker.symbols import FieldSymbol, Frame, VariableSymbol
from pinebench.checker.types import BOOL, CONST, FLOAT, INT, NA, SERIES, Type
from pinebench.market.bars import Bars
from pinebench.runtime.builtins import FUNCTIONS, KERNELS, SOURCES
from pinebench.runtime.library.collections import Array
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk
from tests.runtime import slowly

NAN = float("nan")
INF = float("inf")
Path = tuple[nodes.Node, ...]
Key = tuple[Path, Any]


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


class Thing:
    """An object of a user-defined type."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields = fields


class Mark:
    """A label."""

    def __init__(self, y: float) -> None:
        self.y = y
        self.is_gone = False


@dataclass
class State:
    """Everything that lasts: `var` variables, the values of each variable and expression by bar, kernels, `once`, and
    every label that was ever drawn."""

    kept: dict[Key, Any] = field(default_factory=dict)
    seen: dict[Key, dict[int, Any]] = field(default_factory=dict)
    kernels: dict[Key, Any] = field(default_factory=dict)
    done: set[Key] = field(default_factory=set)
    marks: list[Mark] = field(default_factory=list)


def empty(type_: Type | None) -> Any:
    """The empty value of a type."""
    if type_ is None or type_.base in (INT, FLOAT, NA):
        return NAN
    return False if type_.base is BOOL else None


class Interpreter:
    """Runs a program on bars; `plots` holds the values of each plot."""

    def __init__(self, program: Program, bars: Bars) -> None:
        self.program = program
        self.bars = bars
        self.state = State()
        self.varip: dict[Key, Any] = {}
        self.plots: dict[nodes.Node, list[Any]] = {}
        self.bar = -1
        self.before: State | None = None

    def run(self) -> list[list[Any]]:
        """Run all bars as history."""
        for bar in range(len(self.bars)):
            self.first(bar)
        return list(self.plots.values())

    def first(self, bar: int) -> None:
        """Run a bar for the first time."""
        self.before = copy.deepcopy(self.state, _shared(self.state, self.program))
        self.bar = bar
        self._global()

    def again(self) -> None:
        """Run the last bar again."""
        assert self.before is not None
        self.state = self.before
        self.before = copy.deepcopy(self.state, _shared(self.state, self.program))
        for values in self.plots.values():
            del values[self.bar :]
        self._global()

    # labels

    def draw(self, y: float) -> Mark:
        """A new label; when there are six more than the declaration keeps, the oldest go that nothing holds."""
        declaration = self.program.declaration
        given = declaration.call.arguments if declaration is not None else ()
        quota = next((a.value for a in given if a.parameter == "max_labels_count" and a.is_constant), 50)
        assert isinstance(quota, int)
        made = Mark(y)
        self.state.marks.append(made)
        there = [mark for mark in self.state.marks if not mark.is_gone]
        if len(there) > quota + 5:
            held = [made, *self.held()]
            free = [mark for mark in there if not any(mark is other for other in held)]
            for mark in free[: len(there) - quota]:
                mark.is_gone = True
        return made

    def held(self) -> list[Any]:
        """What `var` variables hold, and global variables whose history is read: now, and as far back as that reads."""
        found = list(self.state.kept.values())
        for chunk in self.program.document.chunks:
            for node in walk(chunk.body):
                if isinstance(node, nodes.History) and isinstance(node.object, nodes.Name):
                    symbol = self.program.symbol_of(node.object, self.program.frame)
                    known, steps = self.program.value_of(node.offset, self.program.frame)
                    assert known and isinstance(steps, int)
                    seen = self.state.seen.get(((), symbol), {})
                    for bar in range(self.bar - steps, self.bar + 1):
                        there = [number for number in seen if number <= bar]
                        found += [seen[max(there)]] if there else []
        return found

    def _global(self) -> None:
        run = Run(self, self.program.frame, (), {})
        for chunk in self.program.document.chunks:
            for statement in chunk.body:
                run.statement(statement)


def _shared(state: State, program: Program) -> dict[int, Any]:
    """Nodes and symbols are no state: a deep copy must go on speaking of the same ones."""
    memo: dict[int, Any] = {}
    for path, what in [*state.kept, *state.seen, *state.kernels, *state.done]:
        for part in (*path, what):
            memo[id(part)] = part
    return memo


class Run:
    """One run of a body: the global code's or a function's, on one call path."""

    def __init__(self, owner: Interpreter, frame: Frame, path: Path, values: dict[VariableSymbol, Any]) -> None:
        self.owner = owner
        self.frame = frame
        self.path = path
        self.values = values

    # variables

    def assign(self, symbol: VariableSymbol, value: Any) -> None:
        type_ = self.owner.program.declared_type(symbol, self.frame)
        if type_ is not None and type_.base is FLOAT:
            value = float(value)
        key = (self.path, symbol)
        if symbol.mode == "varip":
            self.owner.varip[key] = value
        elif symbol.mode == "var":
            self.owner.state.kept[key] = value
        else:
            self.values[symbol] = value
        self.owner.state.seen.setdefault(key, {})[self.owner.bar] = value

    def read(self, symbol: VariableSymbol) -> Any:
        path = self.path_of(symbol)
        if symbol.mode == "varip":
            return self.owner.varip[path, symbol]
        if symbol.mode == "var":
            return self.owner.state.kept[path, symbol]
        if symbol in self.values:
            return self.values[symbol]
        return self.owner.state.seen[path, symbol][self.owner.bar]

    def path_of(self, symbol: VariableSymbol) -> Path:
        return self.path if symbol.scope.function is not None else ()

    def past(self, key: Key, offset: float, nothing: Any) -> Any:
        """The last value that was written down on the bar `offset` bars ago or before it."""
        steps = 0 if offset != offset else int(offset)
        seen = self.owner.state.seen.get(key, {})
        there = [number for number in seen if number <= self.owner.bar - steps]
        return seen[max(there)] if there else nothing

    def write_down(self, body: Sequence[nodes.Node]) -> None:
        """Note what a call sees of all that stands outside of its function and is asked for earlier values there."""
        for history in (node for statement in body for node in walk(statement) if isinstance(node, nodes.History)):
            symbol = self.outside(history.object)
            if symbol is not None:
                value = self.owner.bar if isinstance(symbol, str) else self.read(symbol)
                self.owner.state.seen.setdefault((self.path, symbol), {})[self.owner.bar] = value

    def outside(self, node: nodes.Node) -> Any:
        """The global variable or `bar_index` that a node is, else None."""
        while isinstance(node, nodes.Parenthesized):
            node = node.expression
        symbol = self.symbol(node) if isinstance(node, nodes.Name) else None
        if isinstance(symbol, VariableSymbol):
            return symbol if symbol.scope.function is None else None
        return symbol if symbol == "bar_index" else None

    # statements

    def body(self, statements: list[Any]) -> Any:
        """The value of a block."""
        value: Any = None
        for statement in statements:
            value = self.statement(statement)
        return value

    def statement(self, node: nodes.Node) -> Any:
        if isinstance(node, nodes.VariableDeclaration):
            return self.declare(node)
        if isinstance(node, nodes.TupleDeclaration):
            values = self.value(node.value)
            for name, value in zip(node.names, values, strict=True):
                symbol = self.symbol(name)
                if isinstance(symbol, VariableSymbol):
                    self.assign(symbol, value)
            return None
        if isinstance(node, nodes.Reassignment):
            return self.reassign(node)
        if isinstance(node, nodes.ExpressionStatement):
            return self.value(node.expression)
        if isinstance(node, nodes.Break):
            raise _Break
        if isinstance(node, nodes.Continue):
            raise _Continue
        if isinstance(node, nodes.FunctionDeclaration | nodes.TypeDeclaration | nodes.EnumDeclaration):
            return None
        return self.value(node)

    def declare(self, node: nodes.VariableDeclaration) -> Any:
        symbol = self.symbol(node.name)
        assert isinstance(symbol, VariableSymbol)
        key = (self.path, symbol)
        kept = self.owner.varip if node.mode == "varip" else self.owner.state.kept
        if node.mode is not None and key in kept:
            self.owner.state.seen.setdefault(key, {})[self.owner.bar] = kept[key]
            return kept[key]
        value = self.value(node.value)
        self.assign(symbol, value)
        return value

    def reassign(self, node: nodes.Reassignment) -> Any:
        value = self.value(node.value)
        if node.operator != ":=":
            value = operate(node.operator[0], self.value(node.target), value)
        if isinstance(node.target, nodes.Member):
            self.value(node.target.object).fields[node.target.name] = value
            return value
        symbol = self.symbol(node.target)
        assert isinstance(symbol, VariableSymbol)
        self.assign(symbol, value)
        return value

    # values

    def symbol(self, node: nodes.Node) -> Any:
        return self.owner.program.symbol_of(node, self.frame)

    def type_of(self, node: nodes.Node) -> Type | None:
        return self.owner.program.type_of(node, self.frame)

    def value(self, node: nodes.Node) -> Any:
        return getattr(self, f"_{type(node).__name__}")(node)

    def _Parenthesized(self, node: nodes.Parenthesized) -> Any:
        return self.value(node.expression)

    def _Literal(self, node: nodes.Literal) -> Any:
        return literal_value(node)

    def _TupleExpression(self, node: nodes.TupleExpression) -> Any:
        return tuple(self.value(item) for item in node.items)

    def _Name(self, node: nodes.Name) -> Any:
        symbol = self.symbol(node)
        if isinstance(symbol, VariableSymbol):
            return self.read(symbol)
        if symbol == "na":
            return empty(self.type_of(node))
        return self.owner.bar if symbol == "bar_index" else getattr(self.owner.bars, symbol)[self.owner.bar]

    def _Member(self, node: nodes.Member) -> Any:
        if self.symbol(node) == "label.all":
            return Array([mark for mark in self.owner.state.marks if not mark.is_gone])
        assert isinstance(self.symbol(node), FieldSymbol)
        return self.value(node.object).fields[node.name]

    def _Unary(self, node: nodes.Unary) -> Any:
        value = self.value(node.operand)
        return not value if node.operator == "not" else -value if node.operator == "-" else value

    def _Binary(self, node: nodes.Binary) -> Any:
        known, constant = self.owner.program.value_of(node, self.frame)
        type_ = self.type_of(node)
        if known and isinstance(constant, float) and type_ is not None and type_.qualifier == CONST:
            # A constant reaches the run as text with 16 decimals, if it is written without an exponent.
            return float(f"{constant:.16f}") if 0.001 <= abs(constant) < 1e7 else constant
        left = self.value(node.left)
        if node.operator == "and":
            return bool(left) and self.value(node.right)
        if node.operator == "or":
            return bool(left) or self.value(node.right)
        return operate(node.operator, left, self.value(node.right))

    def _Ternary(self, node: nodes.Ternary) -> Any:
        return self.value(node.then if self.value(node.condition) else node.otherwise)

    def _History(self, node: nodes.History) -> Any:
        target: nodes.Node = node.object
        while isinstance(target, nodes.Parenthesized):
            target = target.expression
        offset = self.value(node.offset)
        nothing = empty(self.type_of(target))
        symbol = self.symbol(target) if isinstance(target, nodes.Name) else None
        if isinstance(symbol, str) and (symbol != "bar_index" or not self.path):
            bar = self.owner.bar - (0 if offset != offset else int(offset))
            series = range(self.owner.bar + 1) if symbol == "bar_index" else getattr(self.owner.bars, symbol)
            return series[bar] if bar >= 0 else nothing
        if symbol is not None:
            return self.past((self.path, symbol), offset, nothing)
        value = self.value(target)
        key = (self.path, node)
        self.owner.state.seen.setdefault(key, {})[self.owner.bar] = value
        return self.past(key, offset, nothing)

    # structures

    def _If(self, node: nodes.If) -> Any:
        if self.value(node.condition):
            return self.body(node.body)
        return self.body(node.otherwise) if node.otherwise is not None else self._nothing(node)

    def _nothing(self, node: nodes.Node) -> Any:
        return empty(self.type_of(node))

    def _Switch(self, node: nodes.Switch) -> Any:
        subject = self.value(node.subject) if node.subject is not None else None
        for case in node.cases:
            if case.condition is None:
                return self.body(case.body)
            condition = self.value(case.condition)
            if (operate("==", subject, condition)) if node.subject is not None else condition:
                return self.body(case.body)
        return self._nothing(node)

    def _ForTo(self, node: nodes.ForTo) -> Any:
        first, last = self.value(node.first), self.value(node.last)
        step = self.value(node.step) if node.step is not None else 1
        counter = self.symbol(node.counter)
        result = self._nothing(node)
        if first != first or last != last:
            return result
        up = first <= last
        value = first
        while value <= last if up else value >= last:
            self.assign(counter, value)
            try:
                result = self.body(node.body)
            except _Break:
                break
            except _Continue:
                pass
            value = value + step if up else value - step
            last = self.value(node.last)
        return result

    def _ForIn(self, node: nodes.ForIn) -> Any:
        items = self.value(node.collection).items
        result = self._nothing(node)
        for number, item in enumerate(items):
            if node.index is not None:
                self.assign(self.symbol(node.index), number)
            self.assign(self.symbol(node.element), item)
            try:
                result = self.body(node.body)
            except _Break:
                break
            except _Continue:
                continue
        return result

    def _While(self, node: nodes.While) -> Any:
        result = self._nothing(node)
        while self.value(node.condition):
            try:
                result = self.body(node.body)
            except _Break:
                break
            except _Continue:
                continue
        return result

    def _Once(self, node: nodes.Once) -> Any:
        key = (self.path, node)
        if key not in self.owner.state.done and (node.condition is None or self.value(node.condition)):
            self.owner.state.done.add(key)
            self.body(node.body)

    # calls

    def _Call(self, node: nodes.Call) -> Any:
        bound = self.owner.program.call(node, self.frame)
        if isinstance(bound, UserCall):
            values = {
                parameter.variable: self.value(argument.node)
                for parameter, argument in zip(bound.function.parameters, bound.arguments, strict=True)
                if argument.node is not None
            }
            inner = Run(self.owner, bound.frame, (*self.path, node), {})
            for symbol, value in values.items():
                inner.assign(symbol, value)
            inner.write_down(bound.function.node.body)
            return inner.body(bound.function.node.body)
        if isinstance(bound, ConstructorCall):
            fields = {a.parameter: self.value(a.node) for a in bound.arguments if a.node is not None}
            return Thing(fields)
        if isinstance(bound, CopyCall):
            given = next(self.value(a.node) for a in bound.arguments if a.node is not None)
            return Thing(dict(given.fields))
        assert isinstance(bound, BuiltinCall)
        return self._builtin(node, bound)

    def _builtin(self, node: nodes.Call, bound: BuiltinCall) -> Any:
        name = bound.function.name
        if name == "indicator":
            return None
        given = [self.value(a.node) for a in bound.arguments if a.node is not None]
        if name == "plot":
            self.owner.plots.setdefault(node, []).append(given[0])
            return None
        if name.startswith("label."):
            return self._label(name, given)
        if name == "na":
            return is_na(given[0])
        if name == "nz":
            return (given[1] if len(given) > 1 else 0) if is_na(given[0]) else given[0]
        if name == "array.new":
            type_ = self.type_of(node)
            element = type_.base.arguments[0].at(SERIES) if type_ is not None else None
            return Array([given[1] if len(given) > 1 else empty(element)] * int(given[0] if given else 0))
        number = bound.function.function.overloads.index(bound.overload.source)
        key = f"{name}#{number}" if f"{name}#{number}" in KERNELS else name
        if key not in KERNELS:
            return {**FUNCTIONS, **slowly.FUNCTIONS}[name](*given)
        place = (self.path, node)
        kernel = self.owner.state.kernels.get(place)
        if kernel is None:
            lengths = [a.type for a in bound.arguments if a.parameter == "length" and a.type is not None]
            is_series = any(type_.qualifier == SERIES for type_ in lengths)
            kernel: Any = {**KERNELS, **slowly.KERNELS}[key](is_series)
            self.owner.state.kernels[place] = kernel
        reads = [self._of_bar(read) for read in kernel.reads]
        first = [self._of_bar(SOURCES[key])] if key in SOURCES else []
        return kernel(self.owner.bar, *first, *given, *reads)

    def _of_bar(self, column: str) -> float:
        return getattr(self.owner.bars, column)[self.owner.bar]

    def _label(self, name: str, given: list[Any]) -> Any:
        """A function of labels: one that is gone is like none."""
        if name == "label.new":
            return self.owner.draw(float(given[1]))
        mark = given[0]
        if is_na(mark):
            return NAN
        if name == "label.get_y":
            return mark.y
        if name == "label.set_y":
            mark.y = float(given[1])
        else:
            assert name == "label.delete"
            mark.is_gone = True
        return None


def is_na(value: Any) -> bool:
    if isinstance(value, Mark):
        return value.is_gone
    return value is None or (isinstance(value, float) and not -INF < value < INF)


def operate(operator: str, left: Any, right: Any) -> Any:
    """An operator of numbers or bools, by TradingView's laws."""
    if operator in ("==", "!="):
        if isinstance(left, bool) or isinstance(right, bool):
            return (left == right) == (operator == "==")
        if is_na(left) or is_na(right):
            return False
        return (abs(left - right) <= 1e-10) == (operator == "==")
    if operator in ("<", ">", "<=", ">="):
        difference = left - right
        equal = abs(difference) <= 1e-10
        if operator in ("<=", ">="):
            return equal or (difference < 0 if operator == "<=" else difference > 0)
        return not equal and (difference < 0 if operator == "<" else difference > 0)
    if operator == "/":
        if right == 0:
            return NAN if left != left or left == 0 else math.copysign(INF, left)
        return left / right
    if operator == "%":
        if right == 0 or is_na(left) or right != right:
            return NAN
        value = math.fmod(left, right)
        return int(value) if isinstance(left, int) and isinstance(right, int) else value
    return left + right if operator == "+" else left - right if operator == "-" else left * right
