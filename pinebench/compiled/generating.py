"""Writes the typed form of a script as functions in the part of Python that `native` translates.

Numbers and colours are floats, na is nan; a text is a number in a table of texts. Names in the code are made of numbers
only, so that no text of a script can become code. The state of the script is in the memory `m`. The columns of the
chart are in `b`, one after the other, each with `n` values; the columns of the outputs are in `o` in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from pinebench.compiled.builtins import kernels as compiled_kernels
from pinebench.compiled.collecting import ARRAYS, OTHERS
from pinebench.compiled.kernels import ROUNDS_LEFT, STATUS
from pinebench.compiled.numerals import bits_of
from pinebench.errors import PinebenchError
from pinebench.runtime import BarInvariants, RuntimeFault, initial_constants, ir, is_cell
from pinebench.runtime import builtins as library

NA = float("nan")
INF = float("inf")
HEAD = 16
"""The places at the beginning of the memory that every run has; see `kernels`."""
BARS = 4
"""The place of the number of bars."""
FIRST_COLUMNS = ("open", "high", "low", "close", "volume", "time")
_DRAWN = ("line", "label", "box", "linefill", "polyline", "table")
_MOST_PLACES = 2_000_000
_MATH = {"sqrt", "floor", "ceil", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan"}


class NotCovered(Exception):
    """The script needs something that machine code does not compute: a reason, and the line of the script."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


@dataclass(slots=True)
class OutputColumn:
    """A column of an output: its output, its name, the kind of its values and the line."""

    output: int
    name: str
    kind: ir.Kind
    line: int


@dataclass(slots=True)
class Program:
    """The code of a script, and what a run needs.

    `first` is the memory at the beginning of a run; `settled` are the expressions that are computed before the first
    bar, by their places; `columns` are the columns of the chart that the code reads. `left_out` are the parts that do
    not run (drawings, alerts, logs), each with a reason and its line. `orders` are the functions that place orders.
    """

    text: str = ""
    first: dict[int, float] = field(default_factory=dict)
    settled: dict[int, ir.Expression] = field(default_factory=dict)
    columns: list[str] = field(default_factory=lambda: list(FIRST_COLUMNS))
    host_columns: dict[int, ir.Expression] = field(default_factory=dict)
    shown: list[OutputColumn] = field(default_factory=list)
    configures: list[ir.Configure] = field(default_factory=list)
    texts: list[str] = field(default_factory=lambda: [""])
    places: int = HEAD
    left_out: list[tuple[str, int | None]] = field(default_factory=list)
    known: BarInvariants | None = None
    reads: set[str] = field(default_factory=set)
    """The variables of `strategy.*` that the script reads."""
    orders: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Part:
    """The code of one unit: the place of its state, and its lines."""

    unit: ir.Unit
    base: str
    """`` for the global code, `s + ` for a function, whose state begins at `s`."""
    lines: list[str] = field(default_factory=list)
    indent: int = 1
    result: str = ""
    """The empty result of the function: what it returns if the run stops."""
    is_void: bool = False
    """Whether the function returns nothing."""
    places: int = 0
    first: dict[int, float] = field(default_factory=dict)
    cells: dict[ir.Variable, int] = field(default_factory=dict)
    unset: dict[ir.Variable, int] = field(default_factory=dict)
    histories: dict[ir.History, int] = field(default_factory=dict)
    blocks: dict[int, int] = field(default_factory=dict)
    states: dict[Any, int] = field(default_factory=dict)
    loops: int = 0

    def write(self, text: str) -> None:
        self.lines.append(" " * self.indent + text)

    def take(self, count: int, first: dict[int, float] | None = None) -> int:
        place = self.places
        self.places += count
        for k, value in (first or {}).items():
            self.first[place + k] = value
        return place

    def at(self, place: int) -> str:
        return f"{self.base}{place}"


def float_text(value: float) -> str:
    """A number in the code."""
    value = float(value)
    if value != value:
        return "NA"
    if value in (float("inf"), float("-inf")):
        return "INF" if value > 0 else "(-INF)"
    return f"({value!r})" if value < 0 or repr(value).startswith("-") else repr(value)


def empty(kind: ir.Kind) -> str:
    """The empty value of a kind."""
    return "False" if kind == "bool" else "0.0" if kind == "string" else "NA"


def generate(module: ir.Module, strategy: Any = None) -> Program:
    """Write a module. `strategy` (`ordering.Orders`) writes what a strategy does; None for an indicator.

    Raises NotCovered.
    """
    return Writer(module, strategy).program()


class Writer:
    """Writes one module."""

    def __init__(self, module: ir.Module, strategy: Any = None) -> None:
        self.module = module
        self.known = BarInvariants(module)
        self.out = Program(known=self.known)
        self.strategy = strategy
        self.line: int | None = None
        self.main = _Part(module.unit, "")
        self.main.places = HEAD
        self.begin = HEAD
        """The first place of the script's own state, after the places of the broker."""
        self.part = self.main
        self._settled: dict[Any, int] = {}
        self._texts: dict[str, int] = {"": 0}
        self._functions: dict[ir.Function, _Part] = {}
        self._host: dict[int, int] = {}
        self._temporaries = 0
        self._tuples: dict[ir.Variable, list[ir.Kind]] = {}
        self._opaque: set[ir.Variable] = set()
        self._shared: set[ir.Variable] = set()
        """The variables of drawings that also get a drawing of another variable."""
        self._kept: list[Any] = []
        self._loops_again: list[tuple[list[ir.Expression], str]] = []
        self._notes: dict[str, int] = {}
        self.has_texts = False
        """Whether an array has texts, whose numbers say nothing about their order."""
        self.sorted_in: int | None = None
        """The line in which an array is sorted."""
        units = [module.unit, *(function.unit for function in module.functions)]
        self.has_arrays = any(v.kind == "object" and not v.drawing for unit in units for v in unit.variables)

    def program(self) -> Program:
        out, main = self.out, self.main
        if self.strategy is not None:
            self.strategy.begin(self)
        self.begin = main.places
        self._find_tuples(self.known.statements)
        for function in self.module.functions:
            self._find_tuples(function.unit.body.statements)
        self._state(main)
        parts = [self._function(function) for function in self.module.functions]
        self.part = main
        statements = self._statements_of_main()
        constants = initial_constants(main.unit)
        self.write(statements, constants)
        if self.has_texts and self.sorted_in is not None:
            raise NotCovered("array.sort() in a script with arrays of texts is not compiled", self.sorted_in)
        for history in main.unit.body.histories:
            if history in main.histories:
                place, variable = main.histories[history], history.variable
                if history.is_far:
                    main.write(f"m[int(m[{place}]) + i] = {self._variable(variable)}")
                else:
                    main.write(f"m[{place}] = {self._variable(variable)}")
        out.places = main.places
        out.first = dict(main.first)
        begins = ["def begin(m: P) -> None:"]
        for history, place in main.histories.items():
            if history.is_far and history.block is main.unit.body:
                begins.append(f" m[{place}] = float(take(m, int(m[{BARS}])))")
        begins.append(" pass")
        bar = ["def bar(m: P, b: P, o: P, n: int, i: int) -> None:", *main.lines, " pass"]
        run = [
            "def run(m: P, b: P, o: P, n: int, first: int, stop: int) -> int:",
            " if first == 0:",
            "  begin(m)",
            f"  if m[{STATUS}] != 0.0:",
            "   return 0",
            " for i in range(first, stop):",
            *(self.strategy.before_bar() if self.strategy is not None else []),
            "  bar(m, b, o, n, i)",
            *(self.strategy.after_bar() if self.strategy is not None else []),
            f"  if m[{STATUS}] > 0.0:",
            "   return i",
            " return stop",
        ]
        texts = ["\n".join(part.lines) for part in parts if part is not None]
        out.text = "\n".join([*texts, *begins, *bar, *run]) + "\n"
        return out

    def refuse(self, reason: str) -> NotCovered:
        return NotCovered(reason, self.line or None)

    def text_number(self, text: str | None) -> int:
        """The number of a text in the table of texts."""
        text = text or ""
        if text not in self._texts:
            self._texts[text] = len(self.out.texts)
            self.out.texts.append(text)
        return self._texts[text]

    # state

    def _statements_of_main(self) -> list[ir.Statement]:
        return self.known.statements

    def _state(self, part: _Part) -> None:
        unit = part.unit
        constants = initial_constants(unit)
        for variable in unit.variables:
            if self.is_settled_variable(variable):
                continue
            if variable in self._opaque:
                if variable.kept:
                    part.unset[variable] = part.take(1)
                continue
            if is_cell(variable):
                if variable.kind == "void" or variable in self._tuples:
                    continue  # refused where it is used
                place = part.cells[variable] = part.take(1)
                constant = constants.get(variable)
                if constant is not None:
                    part.first[place] = self._number_of(constant)
                elif variable.kept:
                    part.unset[variable] = part.take(1)
                elif variable.kind not in ("bool", "string"):
                    part.first[place] = NA
            history = variable.history
            if history is None:
                continue
            missing = {} if variable.kind in ("bool", "string") or history.is_far else {0: NA}
            part.histories[history] = part.take(1, missing)
        for block in unit.blocks:
            assert block.number is not None
            part.blocks[block.number] = part.take(2, {0: -1.0, 1: -1.0})
        for state in unit.state:
            if isinstance(state, ir.RecorderState):
                # the bar, the first bar, the values, the value of the bar
                part.states[state] = part.take(4, {0: -1.0, 1: -1.0, 3: NA})
            elif isinstance(state, ir.OnceState):
                part.states[state] = part.take(1)

    def _number_of(self, constant: ir.Constant) -> float:
        value = constant.value
        if constant.kind == "string" or isinstance(value, str):  # a direction is an object with a name
            return float(self.text_number(value if isinstance(value, str) else ""))
        if constant.kind == "bool":
            return float(bool(value))
        return NA if value is None else float(value)

    def is_settled_variable(self, variable: ir.Variable) -> bool:
        return variable in self.known.variables

    def kernel_place(self, state: ir.KernelState) -> int:
        part = self.part
        found = part.states.get(state)
        if found is None:
            builtin = self.builtin(state)
            first = builtin.first_of_series if state.series_length else builtin.first
            ready = {k: bits_of(value) if isinstance(value, int) else value for k, value in first.items()}
            found = part.states[state] = part.take(builtin.places, ready)
        return found

    def builtin(self, state: ir.KernelState) -> Any:
        found = compiled_kernels().get(library.KERNELS[state.name].__name__)
        if found is None:
            raise self.refuse(f"{state.name.partition('#')[0]} is not compiled")
        return found

    # tuples

    def _find_tuples(self, statements: Iterable[ir.Statement]) -> None:
        for statement in statements:
            if isinstance(statement, ir.Assign | ir.Initialize) and statement.variable.kind == "object":
                kinds = self.kinds_of(statement.value)
                if kinds:
                    self._tuples.setdefault(statement.variable, kinds)
                elif self._is_drawing(statement.value) or statement.variable.drawing:
                    self._opaque.add(statement.variable)
                    if not isinstance(statement.value, ir.CallHost | ir.Constant):
                        self._shared.add(statement.variable)
            if isinstance(statement, ir.Initialize):
                self._find_tuples(statement.body)
            elif isinstance(statement, ir.If):
                self._find_tuples(statement.then.statements)
                if statement.otherwise is not None:
                    self._find_tuples(statement.otherwise.statements)
            elif isinstance(statement, ir.WITH_BODY):
                self._find_tuples(statement.body.statements)

    def kinds_of(self, value: ir.Expression) -> list[ir.Kind]:
        """The kinds of the items of a tuple; empty for other values."""
        if isinstance(value, ir.TupleOf):
            return [item.kind for item in value.items]
        if isinstance(value, ir.CallKernel):
            found = compiled_kernels().get(library.KERNELS[value.state.name].__name__)
            if found is not None and len(found.results) > 1:
                return [{"f": "float", "i": "int", "b": "bool"}[letter] for letter in found.results]  # type: ignore[misc]
        if isinstance(value, ir.CallFunction) and value.function.result is not None:
            return self.kinds_of(value.function.result)
        if isinstance(value, ir.Get):
            return self._tuples.get(value.variable, [])
        return []

    def _is_drawing(self, value: ir.Expression) -> bool:
        if isinstance(value, ir.CallHost):
            return value.name.partition(".")[0] in _DRAWN
        if isinstance(value, ir.Get):
            return value.variable in self._opaque or bool(value.variable.drawing)
        if isinstance(value, ir.Unary):
            return value.operator == "alive"
        return isinstance(value, ir.Past) and bool(value.variable.drawing)

    # functions

    def _function(self, function: ir.Function) -> _Part | None:
        part = _Part(function.unit, "s + ")
        self.part = part
        self._functions[function] = part
        part.indent = 0
        kinds = self.kinds_of(function.result) if function.result is not None else []
        kind = function.result.kind if function.result is not None else "void"
        if any(parameter.drawing for parameter in function.parameters):
            self.line = function.line
            raise self.refuse(f"the function {function.name} gets a drawing, which is not compiled")
        if kinds:
            part.result = ", ".join(empty(each) for each in kinds)
            returned = f"tuple[{', '.join('bool' if each == 'bool' else 'float' for each in kinds)}]"
        elif kind == "void" or (function.result is not None and self._is_drawing(function.result)):
            returned = "None"
            part.is_void = True
        else:
            part.result, returned = empty(kind), "bool" if kind == "bool" else "float"
        given = [f"p{p.number}: {'bool' if p.kind == 'bool' else 'float'}" for p in function.parameters]
        parameters = ", ".join(["m: P", "b: P", "n: int", "i: int", "s: int", *given])
        part.write(f"def f{function.number}({parameters}) -> {returned}:")
        part.indent = 1
        self._state(part)
        self._block_begins(function.unit.body)
        for parameter in function.parameters:
            part.write(f"{self._target(parameter)} = p{parameter.number}")
        self.write(function.unit.body.statements, initial_constants(function.unit))
        self.line = function.line
        if returned != "None":
            assert function.result is not None
            part.write(f"return {self._tuple(function.result) if kinds else self.text(function.result)}")
        else:
            if function.result is not None:
                _drawn(self, function.result)
            part.write("pass")
        return part

    # statements

    def write(self, statements: Iterable[ir.Statement], constants: Any) -> None:
        for statement in statements:
            self.line = statement.line or self.line
            write = STATEMENTS.get(type(statement))
            if write is None:
                raise self.refuse(f"a statement ({type(statement).__name__}) is not compiled")
            write(self, statement, constants)

    def _stop(self) -> None:
        """Leave the function."""
        part = self.part
        part.write(f" return {part.result}" if part.result else " return")

    def _block_begins(self, block: ir.Block) -> None:
        if block.number is None:
            return
        part = self.part
        place = part.blocks[block.number]
        known = [history for history in block.histories if history in part.histories]
        bar, first = part.at(place), part.at(place + 1)
        part.write(f"if m[{bar}] != float(i):")
        part.indent += 1
        part.write(f"if m[{bar}] >= 0.0:")
        wrote = False
        for history in known:
            value = self._variable(history.variable)
            held = part.at(part.histories[history])
            if history.is_far:
                part.write(" for j in range(int(m[" + bar + "]), i):")
                part.write(f"  m[int(m[{held}]) + j] = {value}")
            else:
                part.write(f" m[{held}] = {value}")
            wrote = True
        if not wrote:
            part.write(" pass")
        part.write("else:")
        part.write(f" m[{first}] = float(i)")
        for history in known:
            if history.is_far:
                part.write(f" m[{part.at(part.histories[history])}] = float(take(m, int(m[{BARS}])))")
        part.write(f" if m[{STATUS}] != 0.0:")
        part.indent += 1
        self._stop()
        part.indent -= 1
        part.write(f"m[{bar}] = float(i)")
        part.indent -= 1

    def block(self, block: ir.Block, constants: Any, given: Iterable[tuple[ir.Variable, str]] = ()) -> None:
        part = self.part
        part.indent += 1
        before = len(part.lines)
        self._block_begins(block)
        for variable, text in given:
            part.write(f"{self._target(variable)} = {text}")
        self.write(block.statements, constants)
        if len(part.lines) == before:
            part.write("pass")
        part.indent -= 1

    def _target(self, variable: ir.Variable) -> str:
        part = self.part
        if variable in part.cells:
            return f"m[{part.at(part.cells[variable])}]"
        if is_cell(variable):
            if variable in self.main.cells:
                return f"m[{self.main.cells[variable]}]"
            raise self.refuse(f"the variable {variable.name} holds something that is not compiled")
        return f"v{variable.number}"

    def _variable(self, variable: ir.Variable) -> str:
        """The value of a variable."""
        if variable in self._opaque:
            raise self.refuse(f"the drawing {variable.name} is read, which is not compiled")
        if variable in self._tuples or variable.drawing:
            raise self.refuse(f"the variable {variable.name} holds a tuple or a drawing, which is not compiled")
        if is_cell(variable) and variable not in self.part.cells and variable not in self.main.cells:
            if variable.unit is self.module.unit and self.part is not self.main:
                self.main.cells[variable] = self.main.take(1, {} if variable.kind in ("bool", "string") else {0: NA})
                constant = initial_constants(self.module.unit).get(variable)
                if constant is not None:
                    self.main.first[self.main.cells[variable]] = self._number_of(constant)
                elif variable.kept:
                    self.main.unset[variable] = self.main.take(1)
        text = self._target(variable)
        return f"({text} != 0.0)" if variable.kind == "bool" and text.startswith("m[") else text

    def assign(self, variable: ir.Variable, text: str) -> None:
        self.part.write(f"{self._target(variable)} = {text}")

    # expressions

    def text(self, value: ir.Expression) -> str:
        """The code of an expression."""
        constant = self.known.constant(value)
        if constant is not None:
            return self._constant(constant)
        if not isinstance(value, ir.Constant) and self._is_settled(value):
            return self._settled_text(value)
        write = EXPRESSIONS.get(type(value))
        if write is None:
            raise self.refuse(f"an expression ({type(value).__name__}) is not compiled")
        return write(self, value)

    def _is_settled(self, value: ir.Expression) -> bool:
        if value.kind in ("object", "void"):
            return False
        return self.known.is_settled(value) or ir.is_settled(value)

    def _settled_text(self, value: ir.Expression) -> str:
        key: Any = id(value)
        if isinstance(value, ir.FixedValue):
            key = (value.source, value.key)
        elif isinstance(value, ir.Get):
            key = value.variable
        if key not in self._settled:
            place = self.main.take(1)
            self._settled[key] = place
            self._kept.append(value)
            self.out.settled[place] = value
        place = self._settled[key]
        return f"(m[{place}] != 0.0)" if value.kind == "bool" else f"m[{place}]"

    def settled_place(self, value: ir.Expression) -> int:
        """The place of a value that is computed before the first bar."""
        return int(self._settled_text(value).split("[")[1].split("]")[0])

    def _constant(self, value: ir.Constant) -> str:
        if value.kind == "bool":
            return str(bool(value.value))
        return float_text(self._number_of(value))

    def column(self, name: str) -> int:
        columns = self.out.columns
        if name not in columns:
            columns.append(name)
        return columns.index(name)

    def now(self, name: str) -> str:
        return f"b[{self.column(name)} * n + i]"

    def temporary(self) -> str:
        self._temporaries += 1
        return f"t{self._temporaries}"

    def _tuple(self, value: ir.Expression) -> str:
        if isinstance(value, ir.TupleOf):
            return ", ".join(self.text(item) for item in value.items)
        if isinstance(value, ir.Get) and value.variable in self._tuples:
            if is_cell(value.variable):
                raise self.refuse("a tuple that is kept is not compiled")
            count = len(self._tuples[value.variable])
            return ", ".join(f"v{value.variable.number}_{k}" for k in range(count))
        names = [self.temporary() for _ in self.kinds_of(value)]
        if not names:
            raise self.refuse("this tuple is not compiled")
        self.part.write(f"{', '.join(names)}, = {self.call(value)}")
        return ", ".join(names)

    def call(self, value: ir.Expression) -> str:
        """The code of a call."""
        if isinstance(value, ir.CallKernel):
            return _call_kernel(self, value)
        if isinstance(value, ir.CallFunction):
            return _call_function(self, value)
        raise self.refuse("this tuple is not compiled")

    def evaluate(self, value: ir.Expression) -> None:
        """Write an expression whose value is not used, if evaluating it can do something or stop the script."""
        if value.kind in ("string", "color"):
            self.harmless(value)
            return
        for part in _calls(value):
            text = self.call(part) if isinstance(part, ir.CallFunction | ir.CallKernel) else self.text(part)
            self.part.write(text)

    def leave_out(self, what: str, values: Iterable[ir.Expression]) -> None:
        """Leave out a call that does not change any number, and evaluate its arguments for what they do."""
        self.out.left_out.append((what, self.line))
        for value in values:
            self.harmless(value)

    def harmless(self, value: ir.Expression) -> None:
        """Evaluate the parts of an argument that is left out, because they may stop the script. Raises NotCovered if a
        part may do so and is not compiled."""
        if value.kind in ("float", "int", "bool"):
            if not isinstance(value, ir.Constant) and not self._is_settled(value):
                text = self.text(value)
                self.part.write(f"{self.temporary()} = {text}")
            return
        if isinstance(value, ir.Constant | ir.Get | ir.FixedValue) or self._is_settled(value):
            return
        if isinstance(value, ir.Binary):
            self.harmless(value.left)
            self.harmless(value.right)
            return
        if isinstance(value, ir.Choose):
            # Both branches are evaluated, so neither may have state or stop the script.
            if _calls(value.then, _TEXTS) or _calls(value.otherwise, _TEXTS):
                raise self.refuse("a part of a text is computed on some bars only, which is not compiled")
            self.harmless(value.condition)
            for each in (value.then, value.otherwise):
                self.harmless(each)
            return
        if isinstance(value, ir.CallBuiltin) and value.name.partition("#")[0] in _TEXTS:
            self._judge_text(value)
            for argument in value.arguments:
                self.harmless(argument)
            return
        raise self.refuse("a text or a drawing is read, which is not compiled")

    def _judge_text(self, value: ir.CallBuiltin) -> None:
        """Raise NotCovered if a text that is left out may stop the script when it is put together."""
        name = value.name.partition("#")[0]
        if any(argument.kind == "object" for argument in value.arguments):
            raise self.refuse(f"{name}() of a collection or an object is not compiled")
        forms = {"str.format": 0, "str.tostring": 1, "str.format_time": 1}
        if name not in forms or len(value.arguments) <= forms[name]:
            return
        form = self.known.constant(value.arguments[forms[name]])
        if form is None:
            raise self.refuse(f"{name}() with a format that is not a constant is not compiled")
        if form.value is None or not _is_safe(name, str(form.value), value.arguments, self.known):
            raise self.refuse(f"{name}() with this format is not compiled")

    # drawings

    def draw(self, node: ir.CallHost, made: ir.Variable | None = None) -> None:
        """Leave out a call of a drawing, and evaluate its arguments for what they do. The run stops where the Python
        tier may stop: then the Python tier runs it. `made` is the variable that gets the drawing."""
        namespace, _, function = node.name.partition(".")
        if node.name in ("line.get_price", "polyline.new"):
            raise self.refuse(f"{node.name}() is not compiled")
        self.out.left_out.append((f"{node.name}() is not compiled: drawings are made on the Python tier", self.line))
        for value in node.arguments:
            self.harmless(value)
        numbers: dict[str, str] = {}
        for name, value in node.keywords.items():
            if name in _JUDGED and value.kind in ir.NUMBERS:
                numbers[name] = self.temporary()
                self.part.write(f"{numbers[name]} = {self.text(value)}")
            else:
                self.harmless(value)
        if namespace == "table":
            held = node.keywords.get("table_id")
            table = held.variable if isinstance(held, ir.Get) else made
            self._judge_table(function, numbers, table)
        elif namespace in ("line", "label", "box"):
            self._judge_places(namespace, node.keywords.get("xloc"), [numbers[n] for n in _ACROSS if n in numbers])
            if function == "set_size" and "size" in numbers:
                self._stop_if(f"{numbers['size']} < 0.0")

    def _stop_if(self, condition: str) -> None:
        self.part.write(f"if {condition}:")
        self.part.write(" fail(m, 1.0)")

    def _noted(self, what: str, first: float) -> str:
        """A place for what the drawings that were made have in common. It begins with `first`."""
        if what not in self._notes:
            self._notes[what] = self.main.take(1, {0: first})
        return f"m[{self._notes[what]}]"

    def _judge_places(self, kind: str, xloc: ir.Expression | None, places: list[str]) -> None:
        """Stop at a place on the time axis that is too far from the bar. Times can be anywhere. A change of a drawing
        does not say which of them it has, so it is judged if any drawing of its kind has bars."""
        has_bars = self._noted(f"{kind} on bars", 0.0)
        far = [f"{x} > float(i) + {FARTHEST_AHEAD}.0 or {x} < float(i) - {FARTHEST_BACK}.0" for x in places]
        if xloc is None:
            if far:
                self._stop_if(f"{has_bars} != 0.0 and ({' or '.join(far)})")
            return
        known = self.known.constant(xloc)
        if known is not None and known.value == "bar_time":
            return
        if known is None:
            self.part.write(f"if {self.text(xloc)} != {float(self.text_number('bar_time'))}:")
            self.part.indent += 1
        self.part.write(f"{has_bars} = 1.0")
        if far:
            self._stop_if(" or ".join(far))
        if known is None:
            self.part.indent -= 1

    def _judge_table(self, function: str, numbers: dict[str, str], table: ir.Variable | None) -> None:
        """Stop at a cell outside the table of a variable, or outside the smallest table if it is not known which."""
        if function == "new":
            for name in ("column", "row"):
                count = numbers[f"{name}s"]
                self._stop_if(f"{count} < 0.0")
                self.part.write(f"{count} = 0.0 if {count} != {count} else floor({count})")
                least = self._noted(f"{name}s of any", INF)
                self.part.write(f"{least} = smaller({least}, {count})")
                if self._is_alone(table):
                    self.part.write(f"{self._noted(f'{name}s of {id(table)}', INF)} = {count}")
            return
        for name, place in numbers.items():
            which = id(table) if self._is_alone(table) else "any"
            most = self._noted(f"{name.rpartition('_')[2]}s of {which}", INF)
            self._stop_if(f"{place} <= -1.0 or {place} >= {most} or {most} < 1.0")
        if function == "merge_cells":
            for name in ("column", "row"):
                self._stop_if(f"not {numbers[f'start_{name}']} <= {numbers[f'end_{name}']}")

    def _is_alone(self, variable: ir.Variable | None) -> bool:
        """Whether a drawing that this variable holds was made for it by a call of the global code."""
        return variable is not None and variable.unit is self.module.unit and variable not in self._shared


FARTHEST_AHEAD, FARTHEST_BACK = 500, 10_000
_ACROSS = ("x", "x1", "x2", "left", "right")
"""The arguments of drawings that are places on the time axis."""
_CORNERS = ("start_column", "start_row", "end_column", "end_row")
_JUDGED = frozenset((*_ACROSS, *_CORNERS, "column", "row", "columns", "rows", "size"))
"""The arguments of drawings that can stop a script by their values."""


def _is_safe(name: str, form: str, arguments: list[ir.Expression], known: BarInvariants) -> bool:
    """Whether a text can be put together with this format from arguments with any values."""
    if name == "str.tostring":
        return form not in ("inherit", "price")
    try:
        if name == "str.format_time":
            zone = known.constant(arguments[2]) if len(arguments) > 2 else None
            if zone is None and len(arguments) > 2 and not _is_own_zone(arguments[2]):
                return False
            library.FUNCTIONS[name](0, form, None if zone is None else zone.value)
            return True
        if re.search(r"\b(date|time)\b", form, re.IGNORECASE):
            return False  # a float may not be a moment
        samples = {"int": 1, "float": 1.0, "bool": False, "string": "", "color": 0}
        library.FUNCTIONS[name](form, *(samples[argument.kind] for argument in arguments[1:]))
    except (RuntimeFault, PinebenchError):
        return False
    return True


def _is_own_zone(value: ir.Expression) -> bool:
    return isinstance(value, ir.FixedValue) and value.key == "syminfo.timezone"


_TEXTS = frozenset(
    "str.tostring str.format str.format_time str.upper str.lower str.length str.trim str.contains str.startswith "
    "color.new color.rgb color.from_gradient".split()
)


_PLAIN = frozenset(("nz", "int", "bool"))


def _calls(value: ir.Expression, texts: frozenset[str] = frozenset()) -> list[ir.Expression]:
    """The parts of an expression that keep state or may stop the script, outermost first, except calls of `texts`."""
    if isinstance(value, ir.CallFunction | ir.CallKernel | ir.CallHost | ir.RecordedValue):
        return [value]
    if isinstance(value, ir.Choose) or (isinstance(value, ir.Binary) and value.operator in ("and", "or")):
        parts = (
            [value.condition, value.then, value.otherwise]
            if isinstance(value, ir.Choose)
            else [value.left, value.right]
        )
        return [value] if any(_calls(part, texts) for part in parts) else []
    if isinstance(value, ir.Column | ir.Past):
        return [value] if value.offset is not None and not isinstance(value.offset, ir.Constant) else []
    if isinstance(value, ir.Unary):
        return _calls(value.operand, texts)
    if isinstance(value, ir.Binary):
        return [*_calls(value.left, texts), *_calls(value.right, texts)]
    if isinstance(value, ir.CallBuiltin):
        name = value.name.partition("#")[0]
        if not name.startswith(ir.SETTLED_FUNCTIONS) and name not in _PLAIN and name not in texts:
            return [value]
        return [part for argument in value.arguments for part in _calls(argument, texts)]
    if isinstance(value, ir.TupleOf):
        return [part for item in value.items for part in _calls(item, texts)]
    return [value] if isinstance(value, ir.New | ir.GetField | ir.WatchedExpression) else []


# expressions


def _get(w: Writer, node: ir.Get) -> str:
    return w._variable(node.variable)


def _column(w: Writer, node: ir.Column) -> str:
    k = w.column(node.name)
    known = "bool" if node.kind == "bool" else "float"
    if node.offset is None:
        text = f"b[{k} * n + i]"
        return f"({text} != 0.0)" if known == "bool" else text
    steps = w.known.constant(node.offset)
    missing = empty(node.kind)
    if steps is not None and isinstance(steps.value, int) and 0 <= steps.value <= 10_000:
        text = f"b[{k} * n + i - {steps.value}]"
        text = f"({text} != 0.0)" if known == "bool" else text
        return f"({text} if i >= {steps.value} else {missing})"
    name = w.temporary()
    w.part.write(f"{name} = steps_back(m, {w.text(node.offset)})")
    text = f"b[{k} * n + i - {name}]"
    text = f"({text} != 0.0)" if known == "bool" else text
    return f"({text} if {name} >= 0 and {name} <= i else {missing})"


def _now(w: Writer, node: ir.Now) -> str:
    simple = {
        "bar_index": "float(i)",
        "last_bar_index": "float(n - 1)",
        "barstate.isfirst": "(i == 0)",
        "barstate.islast": "(i == n - 1)",
        "barstate.isconfirmed": "True",
        "barstate.ishistory": "True",
        "barstate.isrealtime": "False",
        "barstate.isnew": "True",
        "barstate.islastconfirmedhistory": "(i == n - 1)",
        "bid": "NA",
        "ask": "NA",
        "last_bar_time": f"b[{FIRST_COLUMNS.index('time')} * n + n - 1]",
    }
    if node.name in simple:
        return simple[node.name]
    if node.name.startswith("strategy.") and w.strategy is not None:
        return w.strategy.variable(w, node)
    raise w.refuse(f"{node.name} is not compiled")


def _history(w: Writer, kind: ir.Kind, values: str, first: str, current: str, offset: ir.Expression) -> str:
    """The value some bars ago. `values` is the place of the column, `first` the bar of its first value."""
    steps = w.known.constant(offset)
    missing = empty(kind)
    if steps is not None and isinstance(steps.value, int) and 0 < steps.value <= 10_000:
        k = steps.value
        text = f"m[int(m[{values}]) + i - {k}]"
        text = f"({text} != 0.0)" if kind == "bool" else text
        at_least = f"i >= {k}" if not first else f"float(i - {k}) >= m[{first}]"
        return f"({text} if {at_least} else {missing})"
    name = w.temporary()
    w.part.write(f"{name} = steps_back(m, {w.text(offset)})")
    text = f"m[int(m[{values}]) + i - {name}]"
    text = f"({text} != 0.0)" if kind == "bool" else text
    at_least = f"i >= {name}" if not first else f"float(i - {name}) >= m[{first}]"
    return f"({current} if {name} <= 0 else ({text} if {at_least} else {missing}))"


def _past(w: Writer, node: ir.Past) -> str:
    variable, part = node.variable, w.part
    history = variable.history
    assert history is not None
    if w.is_settled_variable(variable) or history not in part.histories:
        raise w.refuse(f"the history of {variable.name} is not compiled")
    if variable.kind == "object":
        raise w.refuse(f"the history of {variable.name}, which is an object or a collection, is not compiled")
    place = part.at(part.histories[history])
    if not history.is_far:
        return f"(m[{place}] != 0.0)" if variable.kind == "bool" else f"m[{place}]"
    number = history.block.number
    first = "" if number is None else part.at(part.blocks[number] + 1)
    return _history(w, node.kind, place, first, w._variable(variable), node.offset)


def _recorded(w: Writer, node: ir.RecordedValue) -> str:
    part = w.part
    place = part.states[node.state]
    bar, first, values, value = (part.at(place + k) for k in range(4))
    now = w.temporary()
    kind = node.value.kind
    if kind in ("object", "void"):
        raise w.refuse("the history of an object or a collection is not compiled")
    part.write(f"{now} = {w.text(node.value)}")
    part.write(f"if m[{bar}] != float(i):")
    part.write(f" if m[{bar}] >= 0.0:")
    part.write(f"  for j in range(int(m[{bar}]), i):")
    part.write(f"   m[int(m[{values}]) + j] = m[{value}]")
    part.write(" else:")
    part.write(f"  m[{first}] = float(i)")
    part.write(f"  m[{values}] = float(take(m, int(m[{BARS}])))")
    part.write(f"  if m[{STATUS}] != 0.0:")
    part.indent += 2
    w._stop()
    part.indent -= 2
    part.write(f" m[{bar}] = float(i)")
    part.write(f"m[{value}] = {now}")
    return _history(w, node.kind, values, first, now, node.offset)


def _unary(w: Writer, node: ir.Unary) -> str:
    if node.operator in ("alive", "gone"):
        raise w.refuse("whether a drawing exists is not compiled")
    text = w.text(node.operand)
    if node.operator == "not":
        return f"(not {text})"
    if node.operator == "-":
        return f"(0.0 - {text})" if node.kind == "int" else f"(-{text})"
    if node.operator == "float":
        return f"({text} + 0.0)"
    if node.operator != "na":
        raise w.refuse(f"the operator {node.operator} is not compiled")
    if node.operand.kind == "bool":
        return "False"
    if node.operand.kind == "string":
        return f"({text} == 0.0)"
    if node.operand.kind == "object":
        held = w.temporary()
        w.part.write(f"{held} = {text}")
        return f"({held} != {held})"
    return f"(not is_known({text}))"


_COMPARED = {
    "<": "({} - {} < -1e-10)",
    ">": "({} - {} > 1e-10)",
    "<=": "({} - {} <= 1e-10)",
    ">=": "({} - {} >= -1e-10)",
}


def _binary(w: Writer, node: ir.Binary) -> str:
    operator = node.operator
    if operator in ("and", "or"):
        return _logical(w, node)
    kinds = (node.left.kind, node.right.kind)
    if "object" in kinds:
        raise w.refuse("a comparison of objects is not compiled")
    if operator in ("+", "-", "*", "/", "%"):
        if "string" in kinds:
            raise w.refuse("a text that is put together on a bar is not compiled")
        return _computed(w, node, w.text(node.left), w.text(node.right))
    left, right = w.text(node.left), w.text(node.right)
    if all(kind in ir.NUMBERS for kind in kinds):
        if operator == "!=":
            least = "0.0" if kinds == ("int", "int") else "1e-10"
            return f"differs({left}, {right}, {least})"
        if kinds == ("int", "int"):
            return f"({left} {operator} {right})"
        if operator == "==":
            return f"nears({left}, {right})"
        return _COMPARED[operator].format(left, right)
    if kinds == ("bool", "bool") or "string" in kinds:
        return f"({left} {operator} {right})"
    if "color" in kinds:
        return f"({left} == {right})" if operator == "==" else f"other({left}, {right})"
    raise w.refuse("this comparison is not compiled")


def _computed(w: Writer, node: ir.Binary, left: str, right: str) -> str:
    is_int = node.kind == "int"
    if node.operator in "+-":
        text = f"({left} {node.operator} {right})"
        return f"exact(m, {text})" if is_int else text
    if node.operator == "*":
        return f"({left} * {right} + 0.0)" if is_int else f"({left} * {right})"
    if node.operator == "%":
        text = f"remainder({left}, {right})"
        return f"({text} + 0.0)" if is_int else text
    constant = w.known.constant(node.right)
    if constant is not None and constant.value:
        return f"({left} / {right})"
    return f"quotient({left}, {right})"


def _logical(w: Writer, node: ir.Binary) -> str:
    """`and` and `or`. Code that the right side needs is only run if the right side is evaluated."""
    part = w.part
    left = w.text(node.left)
    before = len(part.lines)
    part.indent += 1
    right = w.text(node.right)
    part.indent -= 1
    if len(part.lines) == before:
        return f"({left} {node.operator} {right})"
    needed = part.lines[before:]
    del part.lines[before:]
    name = w.temporary()
    part.write(f"{name} = {left}")
    part.write(f"if {name}:" if node.operator == "and" else f"if not {name}:")
    part.lines += needed
    part.write(f" {name} = {right}")
    return name


def _choose(w: Writer, node: ir.Choose) -> str:
    part = w.part
    holds = w.known.truth(node.condition)
    if holds is not None:
        return w.text(node.then if holds else node.otherwise)
    condition = w.text(node.condition)
    before = len(part.lines)
    part.indent += 1
    then = w.text(node.then)
    middle = len(part.lines)
    otherwise = w.text(node.otherwise)
    part.indent -= 1
    if len(part.lines) == before:
        return f"({then} if {condition} else {otherwise})"
    first, second = part.lines[before:middle], part.lines[middle:]
    del part.lines[before:]
    name = w.temporary()
    part.write(f"if {condition}:")
    part.lines += first
    part.write(f" {name} = {then}")
    part.write("else:")
    part.lines += second
    part.write(f" {name} = {otherwise}")
    return name


def _call_builtin(w: Writer, node: ir.CallBuiltin) -> str:
    name = node.name.partition("#")[0]
    if is_host_series(node, w.known) and node.kind != "string":
        return _host_column(w, node)
    if name == "nz":
        return _replaced(w, node)
    if name.startswith("array."):
        return _call_array(w, node, name)
    given = [w.text(argument) for argument in node.arguments]
    if name == "int":
        return f"whole({given[0]})"
    if name == "bool":
        if node.arguments[0].kind == "bool":
            return given[0]
        return f"truth({given[0]})"
    if name in ("math.max", "math.min"):
        found = given[0]
        for other in given[1:]:
            found = f"{'larger' if name == 'math.max' else 'smaller'}({found}, {other})"
        return found
    if name == "math.avg":
        return _average(w, given)
    short = name.removeprefix("math.")
    if name == "math.round":
        if len(given) == 1:
            return f"round_whole({given[0]})"
        return f"round_to(m, {given[0]}, {given[1]})"
    if name == "math.round_to_mintick":
        move, scale = (w._settled_text(ir.FixedValue("float", "tick", key)) for key in ("move", "scale"))
        return f"round_to_tick(m, {given[0]}, {move}, {scale})"
    if name in MATHEMATICS:
        return MATHEMATICS[name].format(*given)
    if name in COLORS:
        return f"{COLORS[name]}({', '.join(given)})"
    raise w.refuse(f"{name}() is not compiled" if short else name)


def _call_array(w: Writer, node: ir.CallBuiltin, name: str) -> str:
    """A function of arrays. Its result has a name of its own, because the order of such calls matters."""
    if name == "array.from":
        return _array_of(w, node)
    found = ARRAYS.get(name)
    if found is None:
        raise w.refuse(f"{name}() is not compiled")
    values = node.arguments
    if found.stores is not None and values[min(found.stores, len(values) - 1)].kind == "object":
        raise w.refuse("an array of objects or drawings is not compiled")
    if node.kind == "object" and name not in ("array.copy", "array.concat") and found.name != "array_new":
        raise w.refuse("an array of objects or drawings is not compiled")
    if node.kind == "int" and found.makes_fractions:
        raise w.refuse(f"{name}() of whole numbers is not compiled")
    if found.searches and values[1].kind not in (*ir.NUMBERS, "bool"):
        raise w.refuse(f"{name}() of texts or colours is not compiled")
    if found.stores is not None and values[min(found.stores, len(values) - 1)].kind == "string":
        w.has_texts = True
    if found.has_order:
        w.sorted_in = w.line
        order = values[1]
        if not isinstance(order, ir.Constant):
            raise w.refuse(f"{name}() with an order that is not a constant is not compiled")
        given = [w.text(values[0]), str(order.value != "descending")]
    elif found.name == "array_new" and len(values) == 1:
        given = ["0.0", w.text(values[0])]
    else:
        given = [w.text(value) for value in values]
    is_number = node.kind in (*ir.NUMBERS, "void", "object")
    function = found.name if is_number else found.for_others or found.name
    text = f"{function}({', '.join(['m', *given])})"
    if node.kind == "void":
        return text
    held = w.temporary()
    w.part.write(f"{held} = {text}")
    if name == "array.sum" and node.kind == "int":
        return f"exact(m, {held})"
    return f"({held} != 0.0)" if node.kind == "bool" and found.name.partition("_")[2] in OTHERS else held


def _array_of(w: Writer, node: ir.CallBuiltin) -> str:
    if any(value.kind == "object" for value in node.arguments):
        raise w.refuse("an array of objects or drawings is not compiled")
    w.has_texts = w.has_texts or any(value.kind == "string" for value in node.arguments)
    given = [w.text(value) for value in node.arguments]
    held = w.temporary()
    w.part.write(f"{held} = array_new(m, 0.0, NA)")
    for text in given:
        w.part.write(f"array_push(m, {held}, {text})")
    return held


COLORS = {"color.new": "with_transparency", "color.rgb": "rgb", "color.from_gradient": "from_gradient"}
MATHEMATICS = {
    "math.abs": "abs({})",
    "math.floor": "floored({})",
    "math.ceil": "ceiled({})",
    "math.sign": "sign({})",
    "math.pow": "power({}, {})",
    "math.sqrt": "square_root({})",
    "math.exp": "exp({})",
    "math.log": "logarithm({})",
    "math.sin": "finite(sin({0}), {0})",
    "math.cos": "finite(cos({0}), {0})",
    "math.tan": "finite(tan({0}), {0})",
    "math.asin": "asin({})",
    "math.acos": "acos({})",
    "math.atan": "atan({})",
    "math.todegrees": "({} * 180.0 / 3.141592653589793)",
    "math.toradians": "({} / 180.0 * 3.141592653589793)",
}


def _average(w: Writer, given: list[str]) -> str:
    if len(given) <= 2:
        return (
            f"({' + '.join(['0.0', *given])}) / {float(len(given))}"
            if len(given) == 1
            else f"((0.0 + {given[0]} + {given[1]}) / 2.0)"
        )
    part = w.part
    total, carry, step, after = (w.temporary() for _ in range(4))
    part.write(f"{total} = 0.0")
    part.write(f"{carry} = 0.0")
    for text in given:
        part.write(f"{step} = {text} - {carry}")
        part.write(f"{after} = {total} + {step}")
        part.write(f"{carry} = ({after} - {total}) - {step}")
        part.write(f"{total} = {after}")
    return f"(({total} - {carry}) / {float(len(given))})"


def _replaced(w: Writer, node: ir.CallBuiltin) -> str:
    source, replacement = node.arguments
    first, second = w.temporary(), w.temporary()
    text = w.text(source)
    w.part.write(f"{first} = {text}")
    w.part.write(f"{second} = {w.text(replacement)}")
    if node.kind in ir.NUMBERS:
        return f"({first} if is_known({first}) else {second})"
    if node.kind == "color":
        return f"({first} if {first} == {first} else {second})"
    raise w.refuse("nz() of this value is not compiled")


_OF_TIME = frozenset(
    "time time_close timeframe.change timestamp hour minute second year month dayofmonth dayofweek weekofyear "
    "timeframe.in_seconds timeframe.from_seconds".split()
)


def is_host_series(value: ir.Expression, known: BarInvariants) -> bool:
    """Whether an expression is a column that Python computes before the first bar: a function of the bar's time."""
    if isinstance(value, ir.Column):
        return value.offset is None
    if known.is_settled(value) or ir.is_settled(value):
        return True
    if isinstance(value, ir.CallBuiltin) and value.name.partition("#")[0] in _OF_TIME:
        return all(is_host_series(argument, known) for argument in value.arguments)
    return False


def _host_column(w: Writer, node: ir.CallBuiltin) -> str:
    key = id(node)
    if key not in w._host:
        w._host[key] = w.column(f"#{len(w.out.host_columns)}")
        w.out.host_columns[w._host[key]] = node
    text = f"b[{w._host[key]} * n + i]"
    return f"({text} != 0.0)" if node.kind == "bool" else text


def _call_kernel(w: Writer, node: ir.CallKernel) -> str:
    builtin = w.builtin(node.state)
    given = [w.text(argument) for argument in node.arguments]
    place = w.part.at(w.kernel_place(node.state))
    for name in node.reads:
        series, _, earlier = name.partition("[")
        k = w.column(series)
        given.append(f"(b[{k} * n + i - 1] if i >= 1 else NA)" if earlier else f"b[{k} * n + i]")
    text = f"{builtin.function}({', '.join(['m', place, 'i', *given])})"
    if node.state.name.startswith("ta.valuewhen") and node.kind == "bool":
        return f"({text} != 0.0)"
    return text


def _call_function(w: Writer, node: ir.CallFunction) -> str:
    part = w._functions.get(node.function)
    if part is None:
        raise w.refuse(f"the function {node.function.name} is not compiled")
    given = [w.text(argument) for argument in node.arguments]
    place = "0"
    if node.state is not None:
        place = w.part.at(_copy_place(w, node.state, part))
    text = f"f{node.function.number}({', '.join(['m', 'b', 'n', 'i', place, *given])})"
    if not w.has_arrays or w.kinds_of(node) or part.is_void:
        return text
    held = w.temporary()  # a function may change an array
    w.part.write(f"{held} = {text}")
    return held


def _copy_place(w: Writer, state: ir.CallState, function: _Part) -> int:
    part = w.part
    if state not in part.states:
        taken = part.places - (w.begin if part is w.main else 0)
        if taken + function.places > _MOST_PLACES:
            raise w.refuse("the script has too many calls that keep a state of their own")
        part.states[state] = part.take(function.places, function.first)
    return part.states[state]


def _call_host(w: Writer, node: ir.CallHost) -> str:
    namespace = node.name.partition(".")[0]
    if namespace == "strategy" and w.strategy is not None:
        return w.strategy.call(w, node)
    if namespace == "request":
        # a request for data that nobody has is one call, which has its name
        given = node.arguments[0]
        name = given.value if node.name == "request.missing" and isinstance(given, ir.Constant) else node.name
        raise w.refuse(f"{name}() is not compiled")
    if node.kind != "void":
        raise w.refuse(f"the result of {node.name}() is read, which is not compiled")
    raise w.refuse(f"{node.name}() is not compiled")


def _not_covered(what: str) -> Callable[[Writer, Any], str]:
    def refuse(w: Writer, node: Any) -> str:
        raise w.refuse(what)

    return refuse


def _fixed(w: Writer, node: ir.FixedValue) -> str:
    if node.source == "enum":
        return float_text(float(str(node.key).lstrip("E") or 0))
    return w._settled_text(node)


EXPRESSIONS: dict[type, Callable[[Writer, Any], str]] = {
    ir.Constant: lambda w, node: w._constant(node),
    ir.Get: _get,
    ir.Column: _column,
    ir.FixedValue: _fixed,
    ir.Now: _now,
    ir.Past: _past,
    ir.RecordedValue: _recorded,
    ir.Unary: _unary,
    ir.Binary: _binary,
    ir.Choose: _choose,
    ir.CallBuiltin: _call_builtin,
    ir.CallKernel: _call_kernel,
    ir.CallHost: _call_host,
    ir.CallFunction: _call_function,
    ir.New: _not_covered("an object of a type is made, which is not compiled"),
    ir.GetField: _not_covered("a field of an object is read, which is not compiled"),
    ir.TupleOf: _not_covered("a tuple is used as a value, which is not compiled"),
    ir.WatchedExpression: _not_covered("a value is watched"),
}


# statements


def _assign(w: Writer, node: ir.Assign, constants: Any) -> None:
    variable = node.variable
    if w.is_settled_variable(variable):
        return
    if variable in w._opaque:
        _drawn(w, node.value, variable)
        return
    if variable in w._tuples:
        if is_cell(variable):
            raise w.refuse("a tuple that is kept is not compiled")
        names = [f"v{variable.number}_{k}" for k in range(len(w._tuples[variable]))]
        if isinstance(node.value, ir.Constant):
            for name, kind in zip(names, w._tuples[variable], strict=True):
                w.part.write(f"{name} = {empty(kind)}")
        elif isinstance(node.value, ir.TupleOf | ir.Get):
            # Every item is computed before the first is assigned.
            parts = (
                w._tuple(node.value).split(", ")
                if isinstance(node.value, ir.Get)
                else [w.text(i) for i in node.value.items]
            )
            held = [w.temporary() for _ in parts]
            for name, text in zip(held, parts, strict=True):
                w.part.write(f"{name} = {text}")
            for name, text in zip(names, held, strict=True):
                w.part.write(f"{name} = {text}")
        else:
            w.part.write(f"{', '.join(names)}, = {w.call(node.value)}")
        return
    text = w.text(node.value)
    w._variable(variable)  # its place
    w.assign(variable, text)


def _drawn(w: Writer, value: ir.Expression, variable: ir.Variable | None = None) -> None:
    """An assignment of a drawing, which is left out."""
    if isinstance(value, ir.CallHost):
        w.draw(value, variable)
    elif not isinstance(value, ir.Constant | ir.Get | ir.Unary | ir.Past):
        raise w.refuse("this drawing is not compiled")


def _initialize(w: Writer, node: ir.Initialize, constants: Any) -> None:
    variable = node.variable
    if variable in constants and variable not in w._opaque:
        w._variable(variable)
        return
    if variable in w._opaque:
        if node.body:
            raise w.refuse("this drawing is not compiled")
        if isinstance(node.value, ir.Constant):
            return
    else:
        w._variable(variable)
    part = w.part
    flag = part.at(part.unset[variable])
    part.write(f"if m[{flag}] == 0.0:")
    part.write(f" m[{flag}] = 1.0")
    w.block(ir.Block([*node.body, ir.Assign(node.line, variable, node.value)]), constants)


def _unpack(w: Writer, node: ir.Unpack, constants: Any) -> None:
    value = node.value
    if isinstance(value, ir.CallKernel | ir.CallFunction):
        kinds = w.kinds_of(value)
        if not kinds:
            raise w.refuse("this tuple is not compiled")
        names = [w.temporary() for _ in kinds]
        text = w.call(value)
        w.part.write(f"{', '.join(names)}, = {text}")
    elif isinstance(value, ir.Get) and value.variable in w._tuples:
        names = w._tuple(value).split(", ")
    elif isinstance(value, ir.TupleOf):
        names = [w.temporary() for _ in value.items]
        for name, item in zip(names, value.items, strict=True):
            text = w.text(item)
            w.part.write(f"{name} = {text}")
    else:
        if isinstance(value, ir.CallHost):
            raise w.refuse(f"{value.name}() is not compiled")
        raise w.refuse("this tuple is not compiled")
    for variable, name in zip(node.variables, names, strict=True):
        if variable is not None:
            w._variable(variable)
            w.assign(variable, name)


def _evaluate(w: Writer, node: ir.Evaluate, constants: Any) -> None:
    value = node.value
    if isinstance(value, ir.CallHost):
        namespace = value.name.partition(".")[0]
        given = [*value.arguments, *value.keywords.values()]
        if namespace in _DRAWN:
            w.draw(value)
            return
        if value.name == "alert" or namespace == "log":
            w.leave_out(f"{value.name}() is not compiled: alerts and logs are made on the Python tier", given)
            return
        if value.name == "runtime.error":
            w.part.write("fail(m, 1.0)")
            return
        if namespace == "strategy" and w.strategy is not None:
            w.strategy.order(w, value)
            return
    w.evaluate(value)


def _if(w: Writer, node: ir.If, constants: Any) -> None:
    holds = w.known.truth(node.condition)
    if holds is not None:
        block = node.then if holds else node.otherwise
        if block is not None:
            w.part.write("if True:")
            w.block(block, constants)
        return
    w.part.write(f"if {w.text(node.condition)}:")
    w.block(node.then, constants)
    if node.otherwise is not None:
        w.part.write("else:")
        w.block(node.otherwise, constants)


def _round(w: Writer) -> None:
    """Count a round of a loop; the run stops if there are too many."""
    part = w.part
    part.write(f"m[{ROUNDS_LEFT}] = m[{ROUNDS_LEFT}] - 1.0")
    part.write(f"if m[{ROUNDS_LEFT}] < 0.0 or m[{STATUS}] != 0.0:")
    part.write(" fail(m, 3.0)")
    w._stop()


def _range(w: Writer, node: ir.Range, constants: Any) -> None:
    part = w.part
    value, end, step, up = (w.temporary() for _ in range(4))
    part.write(f"{value} = {w.text(node.first)}")
    part.write(f"{end} = {w.text(node.last)}")
    part.write(f"{step} = {w.text(node.step) if node.step is not None else '1.0'}")
    part.write(f"if {step} <= 0.0:")
    part.write(" fail(m, 1.0)")
    w._stop()
    part.write(f"{up} = {value} <= {end}")
    part.write(f"if not {up}:")
    part.write(f" {step} = -{step}")
    part.write(f"while ({value} <= {end} if {up} else {value} >= {end}):")
    part.indent += 1
    _round(w)
    counted = w.temporary()
    part.write(f"{counted} = {value}")
    part.write(f"{value} = {value} + {step}")
    part.indent -= 1
    again = [] if not node.moving else [node.last]
    w._loops_again.append((again, end))
    w.block(node.body, constants, [(node.counter, counted)])
    w._loops_again.pop()
    if again:
        part.indent += 1
        part.write(f"{end} = {w.text(node.last)}")
        part.indent -= 1


def _each(w: Writer, node: ir.Each, constants: Any) -> None:
    """A loop over an array, which may grow and shrink while the loop runs."""
    part = w.part
    array, number, item = (w.temporary() for _ in range(3))
    part.write(f"{array} = {w.text(node.collection)}")
    part.write(f"array_size(m, {array})")
    if node.element.kind in ("object", "void"):
        raise w.refuse("a loop over objects is not compiled")
    part.write(f"{number} = -1.0")
    part.write(f"while {array} == {array} and {number} + 1.0 < m[int({array})]:")
    part.indent += 1
    _round(w)
    part.write(f"{number} = {number} + 1.0")
    part.write(f"{item} = array_get(m, {array}, {number})")
    part.indent -= 1
    given = [(node.element, f"({item} != 0.0)" if node.element.kind == "bool" else item)]
    if node.index is not None:
        given.append((node.index, number))
    w._loops_again.append(([], ""))
    w.block(node.body, constants, given)
    w._loops_again.pop()


def _while(w: Writer, node: ir.While, constants: Any) -> None:
    part = w.part
    part.write("while True:")
    part.indent += 1
    part.write(f"if not ({w.text(node.condition)}):")
    part.write(" break")
    _round(w)
    part.indent -= 1
    w._loops_again.append(([], ""))
    w.block(node.body, constants)
    w._loops_again.pop()


def _once(w: Writer, node: ir.Once, constants: Any) -> None:
    part = w.part
    done = part.at(part.states[node.state])
    if node.condition is None:
        part.write(f"if m[{done}] == 0.0:")
        part.write(f" m[{done}] = 1.0")
        w.block(node.body, constants)
        return
    part.write(f"if m[{done}] == 0.0:")
    part.indent += 1
    part.write(f"if {w.text(node.condition)}:")
    part.write(f" m[{done}] = 1.0")
    w.block(node.body, constants)
    part.indent -= 1


def _leave(w: Writer, node: ir.Leave, constants: Any) -> None:
    again, end = w._loops_again[-1]
    if node.word == "continue":
        for last in again:
            w.part.write(f"{end} = {w.text(last)}")
    w.part.write(node.word)


def _configure(w: Writer, node: ir.Configure, constants: Any) -> None:
    w.out.configures.append(node)
    for value in node.settings.values():
        if value.kind != "object" and not isinstance(value, ir.Constant):
            w.harmless(value)


def _show(w: Writer, node: ir.Show, constants: Any) -> None:
    if w.part is not w.main:
        raise w.refuse("an output in a function is not compiled")
    if node.value.kind in ("string", "object", "void"):
        raise w.refuse("an output of a text is not compiled")
    text = w.text(node.value)
    k = len(w.out.shown)
    w.out.shown.append(OutputColumn(node.output, node.column, node.value.kind, node.line))
    w.part.write(f"o[{k} * n + i] = {text}")


def _refused_statement(what: str) -> Callable[[Writer, Any, Any], None]:
    def refuse(w: Writer, node: Any, constants: Any) -> None:
        raise w.refuse(what)

    return refuse


STATEMENTS: dict[type, Callable[[Writer, Any, Any], None]] = {
    ir.Assign: _assign,
    ir.Initialize: _initialize,
    ir.Unpack: _unpack,
    ir.SetField: _refused_statement("a field of an object is set, which is not compiled"),
    ir.Evaluate: _evaluate,
    ir.If: _if,
    ir.Range: _range,
    ir.Each: _each,
    ir.While: _while,
    ir.Once: _once,
    ir.Leave: _leave,
    ir.Configure: _configure,
    ir.Show: _show,
}
