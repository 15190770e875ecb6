"""Evaluates Pine expressions at a stop: they are checked like any script, and computed from the frame's values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any, Protocol

from pinebench.checker import Program, open_program
from pinebench.diagnostics import Severity
from pinebench.errors import UsageError
from pinebench.runtime import GeneratedModule, Writer, fixed, ir, lowered
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

_ASKED = "pinebench_asked"
Compute = Callable[["FrameValues", int], Any]
"""Computes a value from the values of a frame, a number of bars ago."""
_LEAVES = (
    ir.Get,
    ir.Column,
    ir.FixedValue,
    ir.Now,
    ir.Past,
    ir.RecordedValue,
    ir.CallKernel,
    ir.CallFunction,
    ir.CallHost,
    ir.New,
)
_SETTLED = (ir.Variable, ir.Function, ir.ObjectType, ir.KernelState, ir.RecorderState, ir.CallState)
_NOW: dict[str, Callable[[Any], Any]] = {
    "bar_index": lambda run: run.index,
    "last_bar_index": lambda run: run.last_index,
    "last_bar_time": lambda run: run.last_time,
    "timenow": lambda run: run.timenow,
    "barstate.isfirst": lambda run: run.index == 0,
    "barstate.islast": lambda run: run.index == run.last_index,
    "barstate.isconfirmed": lambda run: run.is_confirmed,
    "barstate.ishistory": lambda run: run.is_history,
    "barstate.isrealtime": lambda run: not run.is_history,
    "barstate.isnew": lambda run: run.is_new,
    "barstate.islastconfirmedhistory": lambda run: run.index == run.last_history_index,
    "bid": lambda run: run.bid,
    "ask": lambda run: run.ask,
}


class FrameValues(Protocol):
    """The values of one frame at a stop, for expressions. Raises UsageError for a value that does not exist."""

    execution: Any

    def kept(self, k: int, back: int) -> Any:
        """Return the value that a name or call had `back` bars ago. `k` is its index among those that are recorded."""
        ...


class Evaluator:
    """Evaluates expressions in the scope of a line."""

    def __init__(self, program: Program, module: ir.Module, inputs: dict[str, Any], libraries: tuple[str, ...]) -> None:
        self._program = program
        self._module = module
        self._inputs = inputs
        self._libraries = libraries
        self._known: dict[tuple[str, str, int, str], Compute | UsageError] = {}
        self._numbers = {(each.start, each.unit.name, each.is_call): k for k, each in enumerate(module.kept)}

    def compiled(
        self, text: str, unit: str, line: int, namespace: Callable[[GeneratedModule], dict[str, Any]], kind: str = ""
    ) -> Compute:
        """Return a function that computes an expression in the function `unit` (`#main` for the global code) at a line.

        `namespace` builds the names for the generated code. `kind` is the type that the expression must have, such as
        `bool` for a condition, or empty for any type. Raises UsageError if `text` is not an expression at this line,
        changes something, or would have to keep a state from bar to bar.
        """
        key = (text, unit, line, kind)
        if key not in self._known:
            try:
                self._known[key] = self._compiled(text.strip(), unit, line, namespace, kind)
            except UsageError as error:
                self._known[key] = error
        found = self._known[key]
        if isinstance(found, UsageError):
            raise found
        return found

    def _compiled(
        self, text: str, unit: str, line: int, namespace: Callable[[GeneratedModule], dict[str, Any]], kind: str
    ) -> Compute:
        if not text or "\n" in text:
            raise UsageError("expected an expression on one line", "for example, close > open")
        first: UsageError | None = None
        for place, indent in self._places(line):
            try:
                lowering = self._lowered(text, place, f"{indent}{kind} " if kind else indent, unit)
                return _Compiler(self, *lowering, place, namespace).whole()
            except UsageError as error:
                first = first or error
        assert first is not None
        raise first

    def _places(self, line: int) -> Iterator[tuple[int, str]]:
        """Yield offsets in the script where the expression may be inserted, each with its indentation: in the block
        that the line begins, before the line, and at the end."""
        lines = self._program.document.lines
        own, inner = _indent(lines.line_text(line)), _indent(lines.line_text(line + 1))
        if len(inner) > len(own):
            yield lines.line_start(line + 1), inner
        yield lines.line_start(line), own
        yield len(self._program.document.text), ""

    def _lowered(self, text: str, place: int, before: str, unit: str) -> tuple[Any, ir.Expression, int]:
        whole = self._program.document.text
        lead = "" if not place or whole[place - 1] == "\n" else "\n"
        inserted = f"{lead}{before}{_ASKED} = {text}\n"
        changed = open_program(whole[:place] + inserted + whole[place:], self._libraries, fresh=True)
        for found in changed.diagnostics:
            if found.severity is Severity.ERROR:
                raise UsageError(found.message, found.hint)
        node = next(
            each
            for chunk in changed.document.chunks
            for each in walk(chunk.body)
            if isinstance(each, nodes.VariableDeclaration) and each.name.id == _ASKED
        )
        if isinstance(node.value, nodes.STRUCTURES):
            raise UsageError(f"'{text}' is not an expression", "for example, close > open")
        if changed.effects(node.value).changes:
            raise UsageError(f"'{text}' would change the state of the run, so it is not evaluated")
        lowering = lowered(changed, self._inputs, {node.value: 0}, records=True)
        units = [lowering.module.unit, *(function.unit for function in lowering.module.functions)]
        found = [(each.name, value) for each in units for value in _watched(each.body)]
        found += [
            (function.unit.name, value) for function in lowering.module.functions for value in _inside(function.result)
        ]
        if not found:
            raise UsageError(f"'{text}' has no value at this line")
        value = next((value for name, value in found if name == unit), found[0][1])
        return lowering, value.value, len(inserted)

    # what the compiler of one expression needs

    def number(self, name: ir.RecordedName, offset: int, length: int) -> int | None:
        """Return the index of a name or call among those that the running script records, or None. `name` is from the
        script with an inserted text, which begins at `offset` and has `length` characters."""
        start = name.start
        if start is not None and start >= offset + length:
            start -= length
        return self._numbers.get((start, name.unit.name, name.is_call))

    def same_call(self, call: ir.RecordedName) -> int | None:
        """Return the index of the first recorded call with the same text in the same function, or None if there is
        none."""
        asked = "".join(call.name.split())
        for k, each in enumerate(self._module.kept):
            if each.is_call and each.unit.name == call.unit.name and "".join(each.name.split()) == asked:
                return k
        return None


class _Compiler:
    """Compiles one lowered expression, a text of `length` characters that was inserted at `offset`."""

    def __init__(
        self,
        owner: Evaluator,
        lowering: Any,
        value: ir.Expression,
        length: int,
        offset: int,
        namespace: Callable[[GeneratedModule], dict[str, Any]],
    ) -> None:
        self._owner = owner
        self._lowering = lowering
        self._value = value
        self._length = length
        self._place = offset
        self._namespace = namespace
        self._by_variable = {id(kept.value): kept for kept in lowering.module.kept}

    def whole(self) -> Compute:
        return self._expression(self._value)

    def _expression(self, value: ir.Expression) -> Compute:
        names: dict[int, str] = {}
        leaves: list[tuple[str, Compute]] = []
        for leaf in _leaves(value):
            if id(leaf) not in names:
                names[id(leaf)] = f"e{len(names)}"
                leaves.append((names[id(leaf)], self._leaf(leaf)))
        writer = Writer(ir.Module(ir.Unit("#asked")), ahead=False)
        names.setdefault(0, "")
        text = writer.with_names(value, names)
        made = self._namespace(GeneratedModule("", [], writer.library))
        for (source, key), code in writer.fixed.items():
            raise UsageError(f"{source} {key} ({code}) cannot be read while the script is stopped")
        code = compile(text, "<asked>", "eval")
        # A part that never changes has a name of its own, which code after it uses.
        settled = [(name, compile(part, "<asked>", "eval")) for part, name in writer.settled.items()]

        def compute(values: FrameValues, back: int) -> Any:
            given = {**made, "X": values.execution} | {name: leaf(values, back) for name, leaf in leaves}
            for name, part in settled:
                given[name] = eval(part, given)
            return eval(code, given)

        return compute

    def _leaf(self, leaf: Any) -> Compute:
        if isinstance(leaf, ir.Get):
            return self._variable(leaf.variable)
        if isinstance(leaf, ir.Past):
            variable = leaf.variable.mirrored or leaf.variable
            return _shifted(self._variable(variable), self._expression(leaf.offset))
        if isinstance(leaf, ir.RecordedValue):
            return _shifted(self._expression(leaf.value), self._expression(leaf.offset))
        if isinstance(leaf, ir.Column):
            column = _column(leaf.name, leaf.kind)
            return column if leaf.offset is None else _shifted(column, self._expression(leaf.offset))
        if isinstance(leaf, ir.FixedValue):
            return self._fixed(leaf)
        if isinstance(leaf, ir.Now):
            return _now(leaf)
        if isinstance(leaf, ir.CallHost):
            return self._host(leaf)
        kept = self._by_variable.get(id(leaf))
        number = self._owner.same_call(kept) if kept is not None else None
        if number is None:
            name = kept.name if kept is not None else "this call"
            raise UsageError(
                f"{name} keeps a state from bar to bar, so it cannot be evaluated while the script is stopped",
                "assign it to a variable of the script",
            )
        return lambda values, back: values.kept(number, back)

    def _variable(self, variable: ir.Variable) -> Compute:
        kept = self._by_variable.get(id(variable))
        if kept is None:
            for value in _settled_built_in(self._lowering, variable):
                return self._leaf(value)
        number = self._owner.number(kept, self._place, self._length) if kept is not None else None
        if number is None:
            raise UsageError(f"{variable.name} has no recorded value at this line")
        return lambda values, back: values.kept(number, back)

    def _fixed(self, leaf: ir.FixedValue) -> Compute:
        if leaf.source == "missing":
            return lambda _values, _back: float("nan")
        if leaf.source == "enum":
            number = int(str(leaf.key)[1:])
            known = next((name, title) for n, name, title in self._lowering.types.enums.values() if n == number)

            def member(values: FrameValues, _back: int) -> Any:
                members = values.execution.code.members.values()
                return next((each for each in members if (each.name, each.title) == known), known[1])

            return member
        return lambda values, _back: fixed(values.execution.chart, str(leaf.key))

    def _host(self, leaf: ir.CallHost) -> Compute:
        namespace, _, rest = leaf.name.partition(".")
        arguments = [self._expression(each) for each in leaf.arguments]
        keywords = {name: self._expression(each) for name, each in leaf.keywords.items()}
        method = rest.replace(".", "_")
        is_read = namespace == "strategy" and rest.startswith(("closedtrades.", "opentrades."))
        if not is_read and not rest.startswith("get_"):
            raise UsageError(
                f"{leaf.name}() cannot be evaluated while the script is stopped",
                "assign it to a variable of the script",
            )

        def compute(values: FrameValues, back: int) -> Any:
            run = values.execution
            owner = run.host.strategy.variables if is_read else run.drawings
            given = {name: each(values, back) for name, each in keywords.items()}
            called = getattr(owner, method if is_read else f"{namespace}_{method}")
            return called(*(each(values, back) for each in arguments), **given)

        return compute


def _shifted(value: Compute, offset: Compute) -> Compute:
    def compute(values: FrameValues, back: int) -> Any:
        steps = offset(values, back)
        if steps != steps:
            steps = 0
        if steps < 0:
            raise UsageError(f"{int(steps)} is not a valid offset in []", "expected 0 or more")
        return value(values, back + int(steps))

    return compute


def _column(name: str, kind: ir.Kind) -> Compute:
    empty = float("nan") if kind in ir.NUMBERS else False if kind == "bool" else None

    def compute(values: FrameValues, back: int) -> Any:
        run = values.execution
        bar = max(run.index, 0) - back
        return run.chart.column(name)[bar] if bar >= 0 else empty

    return compute


def _now(leaf: ir.Now) -> Compute:
    def compute(values: FrameValues, back: int) -> Any:
        run = values.execution
        if leaf.name == "bar_index":
            return max(run.index, 0) - back if run.index >= back else float("nan")
        if back:
            raise UsageError(f"earlier values of {leaf.name} are not recorded", "assign it to a variable of the script")
        if leaf.name in _NOW:
            return _NOW[leaf.name](run)
        namespace, _, rest = leaf.name.partition(".")
        if namespace == "strategy":
            return getattr(run.host.strategy.variables, rest.replace(".", "_"))
        return run.drawings.all(namespace)

    return compute


def _settled_built_in(lowering: Any, variable: ir.Variable) -> Iterator[Any]:
    """Yield the built-in value that a generated variable holds."""
    for statement in lowering.module.unit.body.statements:
        if isinstance(statement, ir.Assign) and statement.variable is variable:
            yield statement.value


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())] if line.strip() else ""


def _leaves(value: Any) -> Iterator[Any]:
    """Yield the outermost parts of an expression that read values of the run."""
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, _LEAVES):
            yield part
        elif isinstance(part, list):
            pending += part
        elif is_dataclass(part) and not isinstance(part, _SETTLED):
            pending += [getattr(part, field.name) for field in fields(part)]


def _watched(block: ir.Block) -> Iterator[ir.WatchedExpression]:
    for statement in block.statements:
        yield from _inside(statement)


def _inside(part: Any) -> Iterator[ir.WatchedExpression]:
    """Yield the watched expressions in a statement or an expression."""
    pending = [part]
    while pending:
        each = pending.pop()
        if isinstance(each, ir.WatchedExpression):
            yield each
        elif isinstance(each, list):
            pending += each
        elif isinstance(each, dict):
            pending += each.values()
        elif is_dataclass(each) and not isinstance(each, (*_SETTLED, ir.History, ir.OnceState)):
            pending += [getattr(each, field.name) for field in fields(each)]
