"""Generates the Python module of a script: names from outside, state, functions, and the loop over bars. Each line gets
the number of the script's line."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from pinebench.runtime import ir
from pinebench.runtime.emit.ahead import always, values_of
from pinebench.runtime.emit.columns import ColumnCode
from pinebench.runtime.emit.expressions import Writer, constant_text, empty
from pinebench.runtime.emit.statements import (
    PythonLines,
    given_as,
    has_shadow,
    is_cell,
    target,
    write_block,
    write_statements,
    write_step,
)


@dataclass(slots=True)
class GeneratedModule:
    """Python source whose `make(R, S, D, Q, X)` returns a function that runs bars, and two functions that compute
    values in advance. The arguments are the run, its strategy, drawings and requests, and the context of built-ins.

    `lines` has the script's line for each line of `source`. `library` has the library functions by their names in the
    source. `layout` says which values a recorder gets.
    """

    source: str
    lines: list[int]
    library: dict[str, str]
    layout: RecorderLayout = field(default_factory=lambda: RecorderLayout())


@dataclass(slots=True)
class RecorderLayout:
    """The values that the code passes to a recorder, as indices in `ir.Module.kept`. `bar` has the values at the end of
    a bar. `calls` has the values at the end of a call, by the function's number."""

    bar: list[int] = field(default_factory=list)
    calls: dict[int, list[int]] = field(default_factory=dict)


def generate(module: ir.Module, *, ahead: bool = True) -> GeneratedModule:
    """Generate a module. `ahead` says whether values that depend only on the chart are computed before the first
    bar."""
    writer = Writer(module, ahead)
    recorded = RecorderWriter(writer, module)
    shown = _plan(writer, module)
    body = PythonLines()
    _functions(writer, module, body, recorded)
    bars = _bars(writer, module, shown, recorded)
    _set_once(writer, bars, body)
    head = PythonLines()
    head.write("def make(R, S, D, Q, X):", 0)
    head.indent += 1
    for names, value in _from_outside(writer, module, shown):
        head.write(f"{names} = {value}", 0)
    made = writer.columns_ahead.made if writer.columns_ahead is not None else []
    for state in writer.ahead.inliner.states if writer.ahead is not None else []:
        head.write(f"k{state.number} = R.kernel({state.name!r}, {state.series_length})", 0)
    for each in made:
        head.write(f"{each.code} = []", 0)
    _cells(module.unit, head, writer)
    for line in (body, bars):
        head.take(line)
    if made:
        _ahead(made, head)
    head.take(recorded.tail)
    head.write("return bars, fill, one" if made else "return bars, None, None", 0)
    return GeneratedModule("\n".join(head.text) + "\n", head.lines, writer.library, recorded.layout)


def _from_outside(writer: Writer, module: ir.Module, shown: Container[object]) -> Iterator[tuple[str, str]]:
    """Yield the names that the code takes from outside, with their values. `shown` are the outputs that are whole
    columns."""
    yield "S, V", "S.calls, S.variables"
    yield from ((code, f"R.{source}({key!r})") for (source, key), code in writer.fixed.items())
    yield from ((code, f"R.column({name!r})") for name, code in writer.columns.items())
    yield from writer.hosts.items()
    yield from ((code, text) for text, code in writer.settled.items())
    yield from ((name, code) for code, name in writer.deferred.items())
    for each in _shows(writer):
        method = "extend" if each in shown else "append"
        yield f"o{each.output}_{each.column}", f"R.output_column({each.output}, {each.column!r}).{method}"
    yield "i", "-1"
    if module.records:
        yield "path, P, W", "(), R.recorder.calls, R.recorder.touched.add"
    if module.steps:
        yield "STEP", "R.recorder.step"


def _shows(writer: Writer) -> list[ir.Show]:
    return [statement for statement in writer.known.statements if isinstance(statement, ir.Show)]


# values that are computed ahead


def _plan(writer: Writer, module: ir.Module) -> dict[ir.Show | ir.Module, str]:
    """Make the columns that are computed ahead. Return the outputs and the result that are whole columns, with their
    code."""
    columns, ahead = writer.columns_ahead, writer.ahead
    found: dict[ir.Show | ir.Module, str] = {}
    if columns is None or ahead is None:
        return found
    for statement in writer.known.statements:
        columns.line = statement.line
        for value in values_of(statement):
            for part in always(value, writer.known):
                if part in ahead.calls or (isinstance(part, ir.CallFunction) and ahead.is_series(part)):
                    columns.of(part)
        if isinstance(statement, ir.Show) and ahead.is_series(statement.value):
            found[statement] = _part(writer, statement.value)
    columns.line = module.line
    if module.result is not None:
        items = module.result.items if isinstance(module.result, ir.TupleOf) else [module.result]
        if all(map(ahead.is_series, items)):
            parts = [_part(writer, item) for item in items]
            is_tuple = isinstance(module.result, ir.TupleOf)
            found[module] = f"list(zip({', '.join(parts)}))" if is_tuple else parts[0]
    for variable in ahead.series:
        if variable.history is not None:
            columns.of_variable(variable)
    return found


def _part(writer: Writer, value: ir.Expression) -> str:
    """The code for the values of a series on the bars that run."""
    if writer.known.is_settled(value):
        return f"[{writer.text(value)}] * (stop - first)"
    assert writer.columns_ahead is not None
    return f"{writer.columns_ahead.of(value)}[first:stop]"


def _ahead(made: list[ColumnCode], lines: PythonLines) -> None:
    """Write the function that fills the columns for all bars except the last, and the function that computes one
    bar."""
    lines.write("def fill(count):", 0)
    for each in made:
        lines.write(f" {each.code}[:] = {each.whole}", each.line)
    lines.write("def one(i):", 0)
    for each in made:
        lines.write(f" {each.code}[i:] = ({each.single},)", each.line)


# state


def _histories(unit: ir.Unit, writer: Writer) -> list[ir.History]:
    held = [variable for variable in unit.variables if not writer.holds(variable)]
    return [variable.history for variable in held if variable.history is not None]


def initial_constants(unit: ir.Unit) -> dict[ir.Variable, ir.Constant]:
    """Return the variables that keep their value from bar to bar and begin with a constant, each with that constant."""
    found: dict[ir.Variable, ir.Constant] = {}
    pending = [unit.body]
    while pending:
        for statement in pending.pop().statements:
            if isinstance(statement, ir.Initialize) and not statement.body:
                if isinstance(statement.value, ir.Constant):
                    found[statement.variable] = statement.value
            elif isinstance(statement, ir.If):
                pending.append(statement.then)
                if statement.otherwise is not None:
                    pending.append(statement.otherwise)
            elif isinstance(statement, ir.WITH_BODY):
                pending.append(statement.body)
    return found


def _kept_histories(unit: ir.Unit, writer: Writer) -> list[ir.History]:
    """The histories of a unit's own block whose variables do not have columns."""
    return [history for history in unit.body.histories if not writer.holds(history.variable)]


def _cells(unit: ir.Unit, lines: PythonLines, writer: Writer) -> None:
    """Write the state of a unit, except the copies of functions that it calls."""
    constants = initial_constants(unit)
    for variable in unit.variables:
        if is_cell(variable):
            constant = constants.get(variable)
            unset = "UNSET" if variable.kept else empty(variable.kind)
            lines.write(f"{target(variable)} = {constant_text(constant.value) if constant is not None else unset}", 0)
    for history in _histories(unit, writer):
        lines.write(f"h{history.number} = [{empty(history.variable.kind)}] * {history.depth}", 0)
    for block in unit.blocks:
        lines.write(f"b{block.number} = -1", 0)
    for state in unit.state:
        if isinstance(state, ir.KernelState):
            lines.write(f"k{state.number} = R.kernel({state.name!r}, {state.series_length})", 0)
        elif isinstance(state, ir.RecorderState):
            lines.write(f"r{state.number} = Recorder({empty(state.kind)})", 0)
        elif isinstance(state, ir.OnceState):
            lines.write(f"d{state.number} = False", 0)


def _copies(unit: ir.Unit, lines: PythonLines, *, is_recorded: bool) -> None:
    for state in unit.state:
        if isinstance(state, ir.CallState):
            path = f"(*path, {state.number})" if is_recorded else ""
            lines.write(f"c{state.number} = make_f{state.function.number}({path})", 0)


def _keep(unit: ir.Unit, lines: PythonLines, writer: Writer) -> None:
    """Write the functions that save and restore the state of one copy, for bars that run again."""
    varip = {variable.code for variable in unit.variables if variable.varip}
    plain = [name for name in _changed(unit) if name not in varip]
    histories = _histories(unit, writer)
    names = [f"h{history.number}" for history in histories]
    keepers = [
        f"{'k' if isinstance(state, ir.KernelState) else 'r'}{state.number}"
        for state in unit.state
        if isinstance(state, ir.KernelState | ir.RecorderState)
    ]
    for kind, holders in _holders(unit, writer).items():
        lines.write(f"R.hold({kind!r}, lambda: {_tuple(holders)})", 0)
    if not plain and not names and not keepers:
        return
    lines.write("def save():", 0)
    saved = [*plain, *(f"len({name})" for name in names)]
    lines.write(f"    return {_tuple(saved)}", 0)
    lines.write("def restore(saved):", 0)
    lines.indent += 1
    if plain:
        lines.write(f"nonlocal {', '.join(plain)}", 0)
    if saved:
        lines.write(f"{_tuple([*plain, *(f'n_{name}' for name in names)])} = saved", 0)
    for name in names:
        lines.write(f"del {name}[n_{name}:]", 0)
    if not saved:
        lines.write("pass", 0)
    lines.indent -= 1
    lines.write(f"def reached(): return {_tuple([*plain, *_reached(unit, histories)])}", 0)
    lines.write(f"R.keep(save, restore, reached, {_tuple(keepers)})", 0)


def _tuple(parts: Iterable[str]) -> str:
    """The code of a tuple."""
    return f"({''.join(part + ', ' for part in parts)})"


def _reached(unit: ir.Unit, histories: Iterable[ir.History]) -> Iterator[str]:
    """Yield the code of the objects that the state of a unit reaches without being saved itself.

    A `varip` variable keeps its object, but the other fields of the object are restored. A collection keeps its
    elements.
    """
    yield from (v.code for v in unit.variables if v.varip and v.kind == "object" and not v.collection)
    yield from (f"h{h.number}" for h in histories if h.variable.kind == "object" and not h.variable.collection)
    recorders = (state for state in unit.state if isinstance(state, ir.RecorderState))
    yield from (f"*r{state.number}.history" for state in recorders if state.kind == "object")


def _holders(unit: ir.Unit, writer: Writer) -> dict[str, list[str]]:
    """The code of the variables that keep drawings from being deleted, by the type of drawing (recorded probes).

    These are `var` variables, and all variables whose history is read, with as many earlier values as the script reads.
    Elements of collections, fields of objects and other variables do not keep drawings.
    """
    found: dict[str, list[str]] = {}
    for variable in unit.variables:
        if variable.drawing and (variable.kept or variable.history is not None):
            found.setdefault(variable.drawing, []).append(variable.code)
    for history in _histories(unit, writer):
        if history.variable.drawing:
            found[history.variable.drawing].append(f"*h{history.number}[-{history.depth}:]")
    return found


# units


def _functions(writer: Writer, module: ir.Module, lines: PythonLines, recorded: RecorderWriter) -> None:
    lines.indent = 1
    for function in module.functions:
        unit = function.unit
        if not unit.stateful:
            _define(writer, function, f"f{function.number}", lines, recorded)
            continue
        lines.write(f"def make_f{function.number}({'path' if module.records else ''}):", 0)
        lines.indent += 1
        if module.records:
            lines.write(f"N = R.recorder.site({function.number}, path)", 0)
        _cells(unit, lines, writer)
        _copies(unit, lines, is_recorded=module.records)
        _define(writer, function, f"f{function.number}", lines, recorded)
        _keep(unit, lines, writer)
        lines.write(f"return f{function.number}", 0)
        lines.indent -= 1


def _define(writer: Writer, function: ir.Function, name: str, lines: PythonLines, recorded: RecorderWriter) -> None:
    unit = function.unit
    given = [given_as(parameter) for parameter in function.parameters]
    lines.write(f"def {name}({', '.join(given)}):", 0)
    lines.indent += 1
    changed = _changed(unit)
    if changed:
        lines.write(f"nonlocal {', '.join(changed)}", 0)
    inner = PythonLines()
    inner.indent = lines.indent
    writer.stepped = 0
    silent = writer.silent
    if unit.foreign:
        writer.silent = None
    write_block(writer, unit.body, inner, constants=initial_constants(unit), parameters=function.parameters)
    has_result = function.result is not None and function.result.kind != "void"
    if has_result:
        write_step(writer, inner, function.line)
    writer.silent = silent
    result = writer.text(function.result) if function.result is not None and has_result else ""
    row = recorded.of_call(function)
    if row:
        recorded.unset(function.unit, lines, function.parameters)
    lines.take(inner)
    if has_result and row:
        lines.write(f"q = {result}", function.line)
        result = "q"
    if row:
        lines.write(f"P[N] = {row}", 0)
    if has_result:
        lines.write(f"return {result}", function.line)
    elif not unit.body.statements:
        lines.write("pass", 0)
    lines.indent -= 1


def _changed(unit: ir.Unit) -> list[str]:
    """The names of the state that the code of a unit assigns."""
    return [
        *(variable.code for variable in unit.variables if is_cell(variable)),
        *(f"s_{variable.code}" for variable in unit.variables if has_shadow(variable)),
        *(f"b{block.number}" for block in unit.blocks),
        *(f"d{state.number}" for state in unit.state if isinstance(state, ir.OnceState)),
    ]


def _bars(
    writer: Writer, module: ir.Module, shown: dict[ir.Show | ir.Module, str], recorded: RecorderWriter
) -> PythonLines:
    """Write the function that runs bars in order and calls `before` and `after` around each."""
    unit = module.unit
    lines = PythonLines()
    lines.indent = 1
    _copies(unit, lines, is_recorded=module.records)
    inner = _one_bar(writer, module, shown, recorded)
    if writer.columns_ahead is not None:
        columns = writer.columns_ahead.variables
        writer.targets |= {v.code: code for v, code in columns.items() if v.captured}
    lines.write("def bars(first, stop, before, after, gate):", 0)
    lines.indent += 1
    changed = dict.fromkeys([*_changed(unit), *(name for name in writer.targets if name in _cell_codes(unit))])
    lines.write(f"nonlocal {', '.join(['i', *changed])}", 0)
    for statement in _shows(writer):
        if statement in shown:
            lines.write(f"o{statement.output}_{statement.column}({shown[statement]})", 0)
    for name, code in writer.settings.items():
        lines.write(f"{name} = {code}", 0)
    lines.write(f"results = {shown.get(module, '[]')}", 0)
    _loop_over_bars(writer, inner, lines)
    lines.write("return results", 0)
    lines.indent -= 1
    _keep(unit, lines, writer)
    return lines


def _one_bar(writer: Writer, module: ir.Module, shown: Container[object], recorded: RecorderWriter) -> PythonLines:
    """The code that runs on each bar. `shown` are the outputs and the result that are whole columns."""
    unit = module.unit
    inner = PythonLines()
    inner.indent = 3
    writer.stepped = 0
    writer.current = True
    statements = [statement for statement in writer.known.statements if statement not in shown]
    write_statements(writer, statements, inner, initial_constants(unit))
    if module.result is not None and module not in shown:
        inner.write(f"results.append({writer.text(module.result)})", module.line)
    for history in _kept_histories(unit, writer):
        inner.write(f"h{history.number}.append({snapshot(history.variable, history.variable.code)})", 0)
    writer.current = False
    if not module.records:
        return inner
    inner.write(f"R.recorder.bar(i, {recorded.of_bar(unit)})", 0)
    begin = PythonLines()
    begin.indent = 3
    recorded.unset(unit, begin)
    begin.take(inner)
    begin.at_end = inner.at_end
    return begin


def _set_once(writer: Writer, lines: PythonLines, others: PythonLines) -> None:
    """Let the global statements that set a rule about risk run on the first bar only. A rule that is set again on each
    bar with the same numbers has no effect, unless another call sets it, too."""
    for statement in writer.rules:
        call = f"{statement}("
        places = [number for number, text in enumerate(lines.text) if call in text]
        if len(places) == 1 and not any(call in text for text in others.text):
            text = lines.text[places[0]]
            lines.text[places[0]] = text.replace(call, f"if not i: {call}", 1)


def _cell_codes(unit: ir.Unit) -> set[str]:
    return {variable.code for variable in unit.variables if is_cell(variable)}


def _loop_over_bars(writer: Writer, inner: PythonLines, lines: PythonLines) -> None:
    needed = ""
    if any(method.startswith(("S.", "V.")) for method in writer.hosts.values()):
        writer.current = True
        high, low = writer.value_now("high"), writer.value_now("low")
        writer.current = False
        needed = f" and ({high} >= gate.above or {low} <= gate.below)"
    names = ", ".join(["i", *writer.targets])
    columns = "".join(f", {code}[first:stop]" for code in writer.targets.values())
    over = f"zip(range(first, stop){columns})" if columns else "range(first, stop)"
    if not inner.text:
        lines.write("if before is None: R.index = stop - 1", 0)
        over = f"{over} if before is not None else ()"
    lines.write(f"for {names} in {over}:", 0)
    lines.write(" R.index = i", 0)
    lines.write(f" if before is not None{needed}: before(i)", 0)
    lines.take(inner)
    if inner.text and inner.at_end:
        lines.write(" if not i:", 0)
        for text, line in inner.at_end:
            lines.write(f"  {text}", line)
    lines.write(" if after is not None: after(i)", 0)
    if not inner.text and inner.at_end:
        lines.write("if not first:", 0)
        for text, line in inner.at_end:
            lines.write(f" {text}", line)


class RecorderWriter:
    """Writes the code that passes the values of names and calls to a recorder, which stores them."""

    def __init__(self, writer: Writer, module: ir.Module) -> None:
        self.layout = RecorderLayout()
        self.tail = PythonLines()
        """The lines that give the recorder columns, and values that are the same on all bars."""
        self.tail.indent = 1
        self._writer = writer
        self._of_unit: dict[ir.Unit, list[tuple[int, ir.RecordedName]]] = {}
        for k, kept in enumerate(module.kept):
            self._of_unit.setdefault(kept.unit, []).append((k, kept))

    def of_bar(self, unit: ir.Unit) -> str:
        """Return the code of the tuple with the values at the end of a bar, without columns and values that never
        change."""
        items: list[str] = []
        for k, kept in self._of_unit.get(unit, ()):
            whole = self._whole(kept)
            if whole is not None:
                self.tail.write(f"R.recorder.{whole[0]}({k}, {whole[1]})", 0)
                continue
            item = self._item(k, kept)
            if item is not None:
                items.append(item)
                self.layout.bar.append(k)
        return f"({''.join(item + ', ' for item in items)})"

    def of_call(self, function: ir.Function) -> str:
        """Return the code of the tuple of values at the end of a call; empty if nothing is recorded."""
        if not function.unit.stateful:
            return ""
        items: list[str] = []
        for k, kept in self._of_unit.get(function.unit, ()):
            if not isinstance(kept.value, ir.Variable) and not kept.is_call:
                self.tail.write(f"R.recorder.fixed({k}, {self._writer.text(kept.value)})", 0)
                continue
            item = self._item(k, kept)
            if item is not None:
                items.append(item)
                self.layout.calls.setdefault(function.number, []).append(k)
        return f"({''.join(item + ', ' for item in items)})" if items else ""

    def unset(self, unit: ir.Unit, lines: PythonLines, given: Sequence[ir.Variable] = ()) -> None:
        """Write the code that clears the variables of `unit`, except `given`, so that no value of an earlier bar is
        recorded."""
        names = [f"w{k}" for k, kept in self._of_unit.get(unit, ()) if kept.is_call and k in self._writer.noted]
        for _, kept in self._of_unit.get(unit, ()):
            variable = kept.value
            if not isinstance(variable, ir.Variable) or variable in given or is_cell(variable):
                continue
            if not self._writer.holds(variable):
                names.append(variable.code)
        if names:
            lines.write(f"{' = '.join(dict.fromkeys(names))} = UNSET", 0)

    def _whole(self, kept: ir.RecordedName) -> tuple[str, str] | None:
        """The method of the recorder for a whole column or a value that stays the same, and its value as code."""
        writer, value = self._writer, kept.value
        if isinstance(value, ir.Variable):
            if value in writer.known.variables:
                return "fixed", writer.text(writer.known.variables[value])
            if writer.columns_ahead is None or writer.ahead is None or value not in writer.ahead.series:
                return None
            return "column", writer.columns_ahead.of_variable(value)
        if not kept.is_call or writer.known.is_settled(value):
            return "fixed", writer.text(value)
        if writer.ahead is not None and writer.columns_ahead is not None and writer.ahead.is_series(value):
            return "column", writer.columns_ahead.of(value)
        return None

    def _item(self, k: int, kept: ir.RecordedName) -> str | None:
        if not isinstance(kept.value, ir.Variable):
            return f"w{k}" if k in self._writer.noted else None
        history = kept.value.history
        if is_cell(kept.value) and history is not None and history.block.number is not None and not kept.value.kept:
            return f"{kept.value.code} if b{history.block.number} == i else UNSET"
        return kept.value.code


def snapshot(variable: ir.Variable, code: str) -> str:
    """Return the code of the value that history stores: a copy for a collection, else the value itself."""
    return f"snapshot({code})" if variable.collection else code
