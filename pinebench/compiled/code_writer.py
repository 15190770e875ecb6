"""The code of a module that is being written: the addresses of its state, and its lines."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pinebench.compiled.builtins import NOT_COMPILED
from pinebench.compiled.builtins import kernels as compiled_kernels
from pinebench.compiled.kernels import STATUS
from pinebench.compiled.late_texts import LateTexts
from pinebench.compiled.numerals import bits_of
from pinebench.compiled.request_arguments import LOWER, REQUESTS
from pinebench.compiled.script_code import (
    BARS,
    DRAWN,
    HEAD,
    NA,
    NotCovered,
    Part,
    ScriptCode,
    first_value,
    float_text,
    of_kind,
)
from pinebench.compiled.settled_values import RunInvariants
from pinebench.runtime import EXACT, Limits, ir, is_cell, parts_of
from pinebench.runtime import builtins as library


class CodeWriter(ABC):
    """The state and helpers shared by all functions that write statements and expressions."""

    def __init__(self, module: ir.Module, strategy: Any = None, limits: Mapping[str, int] | None = None) -> None:
        """Prepare to write `module`. `strategy` writes the orders of a strategy; None for an indicator. `limits` are
        the numbers of drawings of each kind that stay on the chart."""
        self.module = module
        self.known = RunInvariants(module)
        self.out = ScriptCode(known=self.known)
        self.strategy = strategy
        self.line: int | None = None
        self.main = Part(module.unit, "")
        self.main.places = HEAD
        self.main.indent = 2
        self.begin = HEAD
        """The first address of the script's own state, after the broker."""
        self.part = self.main
        self._settled: dict[Any, int] = {}
        self._texts: dict[str, int] = {"": 0}
        self.functions: dict[ir.Function, Part] = {}
        self.host_places: dict[int, int] = {}
        self._temporaries = 0
        self.tuples: dict[ir.Variable, list[ir.Kind]] = {}
        self.limits = limits or asdict(Limits())
        self.late = LateTexts(module, self.known)
        self.unclear = LateTexts(module, self.known, is_unclear=True)
        self.notes: dict[str, int] = {}
        """The addresses of the lists of drawings, by the kind of drawing."""
        everything = [module.unit.body, *((each.unit.body, each.result) for each in module.functions)]
        self.read_drawings = {kind for part in parts_of(everything) for kind in _read_drawings(part)}
        """The kinds of drawings whose existence changes a value."""
        self._kept: list[Any] = []
        self.loops_again: list[tuple[list[ir.Expression], str]] = []
        units = [module.unit, *(function.unit for function in module.functions)]
        self.has_held_history = any(v.drawing and v.history is not None for unit in units for v in unit.variables)
        """Whether a history has drawings. Only the Python tier knows how long they are held."""

    @abstractmethod
    def write(self, statements: Iterable[ir.Statement]) -> None:
        """Write the code of statements. Raises NotCovered."""

    @abstractmethod
    def text(self, value: ir.Expression) -> str:
        """Return the code of an expression. Raises NotCovered."""

    @abstractmethod
    def evaluate(self, value: ir.Expression) -> None:
        """Write the code of an expression whose value is unused, if evaluating it has an effect or can stop the
        script."""

    @abstractmethod
    def requested(self, value: ir.CallHost) -> list[str]:
        """Return the code of each value of a `request.security` call, which may be a tuple. Raises NotCovered."""

    @abstractmethod
    def missing(self, name: str) -> None:
        """Record a request for data that is not available."""

    def refuse(self, reason: str) -> NotCovered:
        return NotCovered(reason, self.line or None)

    def text_number(self, text: str | None) -> int:
        """Return the number of a string in the string table, adding the string if it is new."""
        text = text or ""
        if text not in self._texts:
            self._texts[text] = len(self.out.texts)
            self.out.texts.append(text)
        return self._texts[text]

    # state

    def is_settled_variable(self, variable: ir.Variable) -> bool:
        return variable in self.known.variables

    def kernel_place(self, state: ir.KernelState) -> int:
        part = self.part
        found = part.states.get(state)
        if found is None and state.name in NOT_COMPILED:
            found = part.states[state] = part.take(1)
        elif found is None:
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

    def _number_of(self, constant: ir.Constant) -> float:
        value = constant.value
        if constant.kind == "string" or isinstance(value, str):  # a direction is an object with a name
            return float(self.text_number(value)) if isinstance(value, str) else -0.0
        if constant.kind == "bool":
            return float(bool(value))
        if isinstance(value, int) and abs(value) > EXACT:
            raise self.refuse("a whole number that is too large to be exact is not compiled")
        return NA if value is None else float(value)

    # tuples

    def kinds_of(self, value: ir.Expression) -> list[ir.Kind]:
        """Return the kinds of a tuple's items; empty for other values."""
        if isinstance(value, ir.TupleOf):
            return [item.kind for item in value.items]
        if isinstance(value, ir.CallKernel):
            found = compiled_kernels().get(library.KERNELS[value.state.name].__name__)
            if found is not None and len(found.results) > 1:
                return found.results
        if isinstance(value, ir.CallFunction) and value.function.result is not None:
            return self.kinds_of(value.function.result)
        if isinstance(value, ir.Get):
            return self.tuples.get(value.variable, [])
        if isinstance(value, ir.CallHost) and value.name in REQUESTS:
            kinds = self.kinds_of(value.arguments[1])
            return ["object" for _ in kinds] if value.name == LOWER else kinds
        return []

    # statements

    def stop(self) -> None:
        """Write code that leaves the function after the script has stopped."""
        part = self.part
        part.write(f" return {part.result}" if part.result else " return")

    def _block_begins(self, block: ir.Block) -> None:
        if block.number is None:
            return
        part = self.part
        place = part.blocks[block.number]
        known = [history for history in block.histories if history in part.histories]
        histories = [(part.at(part.histories[each]), self.variable(each.variable), each.is_far) for each in known]
        self.begin_bar(part.at(place), part.at(place + 1), histories)

    def begin_bar(self, bar: str, first: str, histories: Sequence[tuple[str, str, bool]]) -> None:
        """Write the beginning of a block that does not run on all bars. The code is for the block's first run on a bar.

        `bar` is the address that holds the last bar on which the block ran, and `first` the address that holds the
        first. Each history has its address, the code of the value in the last run, and whether the script reads values
        from before that run.
        """
        part = self.part
        far = [place for place, _, is_far in histories if is_far]
        part.write(f"if m[{bar}] != float(i):")
        part.write(f" if m[{bar}] >= 0.0:")
        for place, value, is_far in histories:
            if is_far:
                part.write(f"  for j in range(int(m[{bar}]), i):")
            part.write(f"   m[int(m[{place}]) + j] = {value}" if is_far else f"  m[{place}] = {value}")
        part.write("  pass")
        part.write(" else:")
        part.write(f"  m[{first}] = float(i)")
        for place in far:
            part.write(f"  m[{place}] = float(take(m, int(m[{BARS}])))")
        if far:
            part.write(f"  if m[{STATUS}] != 0.0:")
            part.indent += 2
            self.stop()
            part.indent -= 2
        part.write(f" m[{bar}] = float(i)")

    def block(self, block: ir.Block, given: Iterable[tuple[ir.Variable, str]] = ()) -> None:
        part = self.part
        part.indent += 1
        before = len(part.lines)
        self._block_begins(block)
        for variable, text in given:
            part.write(f"{self._target(variable)} = {text}")
        self.write(block.statements)
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
            raise self.refuse(f"the variable {variable.name} holds a value that is not compiled")
        return f"v{variable.number}"

    def variable(self, variable: ir.Variable) -> str:
        """Return the code that reads a variable."""
        if variable in self.tuples:
            raise self.refuse(f"the variable {variable.name} holds a tuple, which is not compiled")
        is_global = variable.unit is self.module.unit and self.part is not self.main
        if is_global and is_cell(variable) and variable not in self.part.cells and variable not in self.main.cells:
            self.main.cells[variable] = self.main.take(1, {0: first_value(variable.kind)})
            constant = self.main.constants.get(variable)
            if constant is not None:
                self.main.first[self.main.cells[variable]] = self._number_of(constant)
            elif variable.kept:
                self.main.unset[variable] = self.main.take(1)
        text = self._target(variable)
        return of_kind(text, variable.kind) if text.startswith("m[") else text

    def assign(self, variable: ir.Variable, text: str) -> None:
        self.part.write(f"{self._target(variable)} = {text}")

    def cell(self, variable: ir.Variable) -> str:
        """Return the address of a variable that persists from bar to bar."""
        return self._target(variable)[2:-1]

    def held(self, text: str) -> str:
        """Write code that evaluates `text`, and return the name of the local variable that holds the value."""
        name = self.temporary()
        self.part.write(f"{name} = {text}")
        return name

    # expressions

    def letters(self, value: ir.Expression) -> str:
        """Return code that computes the number of a string in the string table. If the script joins the string on a
        bar, its characters are computed at this point."""
        text = self.text(value)
        if value not in self.late:
            return text
        self.out.has_letters = True
        return self.held(f"spelled(m, {text})")

    def is_settled(self, value: ir.Expression) -> bool:
        if value.kind in ("object", "void"):
            return False
        return self.known.is_settled(value) or ir.is_settled(value)

    def settled_text(self, value: ir.Expression) -> str:
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
        return of_kind(f"m[{place}]", value.kind)

    def constant(self, value: ir.Constant) -> str:
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

    def tuple(self, value: ir.Expression) -> list[str]:
        """Return the code of each of a tuple's items."""
        if isinstance(value, ir.TupleOf):
            return [self.text(item) for item in value.items]
        if isinstance(value, ir.Get) and value.variable in self.tuples:
            if is_cell(value.variable):
                raise self.refuse("a tuple that keeps its value from bar to bar is not compiled")
            return [f"v{value.variable.number}_{k}" for k in range(len(self.tuples[value.variable]))]
        if isinstance(value, ir.CallHost) and value.name in REQUESTS:
            return self.requested(value)
        names = [self.temporary() for _ in self.kinds_of(value)]
        if not names:
            raise self.refuse("this tuple is not compiled")
        self.part.write(f"{', '.join(names)}, = {self.text(value)}")
        return names


def _read_drawings(part: Any) -> Iterable[str]:
    """Return the kinds of drawings whose existence decides whether the value of `part` is na."""
    if isinstance(part, ir.CallHost) and ".get_" in part.name:
        return (part.name.partition(".")[0],)
    if not isinstance(part, ir.Unary) or part.operator not in ("gone", "alive"):
        return ()
    drawing = part.operand
    while isinstance(drawing, ir.Unary):
        drawing = drawing.operand
    if isinstance(drawing, ir.Constant):
        return ()
    known = drawing.variable.drawing if isinstance(drawing, ir.Get | ir.Past) else ""
    return (known,) if known else DRAWN
