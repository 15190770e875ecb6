"""The generated module: surroundings, state, functions and the bar, each line with the script's line it comes from."""

from __future__ import annotations

from dataclasses import dataclass

from pinebench.runtime import ir
from pinebench.runtime.emit.ahead import ahead_of
from pinebench.runtime.emit.expressions import Writer, constant_text, empty
from pinebench.runtime.emit.statements import Lines, given_as, has_shadow, is_cell, target, write_block


@dataclass(slots=True)
class Generated:
    """Python source whose `make(R, S, D, Q, X)` gives a function that runs a bar.

    `lines` holds the script's line of each line of `source`, `library` the functions it calls by their names in it.
    """

    source: str
    lines: list[int]
    library: dict[str, str]


def generate(module: ir.Module, *, ahead: bool = True) -> Generated:
    """Write a module; `ahead` says whether what the chart alone decides is computed for all bars before the first."""
    writer = Writer()
    if ahead:
        writer.is_ahead = True
        writer.ahead = ahead_of(module)
    body = Lines()
    _functions(writer, module, body)
    bar = _bar(writer, module)
    head = Lines()
    head.write("def make(R, S, D, Q, X):", 0)
    head.indent += 1
    for (source, key), code in writer.fixed.items():
        head.write(f"{code} = R.{source}({key!r})", 0)
    for name, code in writer.columns.items():
        head.write(f"{code} = R.column({name!r})", 0)
    for code, method in writer.hosts.items():
        head.write(f"{code} = {method}", 0)
    for text, code in writer.settled.items():
        head.write(f"{code} = {text}", 0)
    for output, column in _shown(module.unit):
        head.write(f"o{output}_{column} = R.output_column({output}, {column!r})", 0)
    head.write("i = -1", 0)
    head.write("ahead = 0", 0)
    for code in writer.columns_ahead:
        head.write(f"{code} = ()", 0)
    _cells(module.unit, head)
    for line in (body, bar):
        head.take(line)
    head.write("return bar", 0)
    return Generated("\n".join(head.text) + "\n", head.lines, writer.library)


def _shown(unit: ir.Unit) -> list[tuple[int, str]]:
    return [(s.output, s.column) for s in unit.body.statements if isinstance(s, ir.Show)]


# state


def _histories(unit: ir.Unit) -> list[ir.History]:
    return [variable.history for variable in unit.variables if variable.history is not None]


def initial_constants(unit: ir.Unit) -> dict[ir.Variable, ir.Constant]:
    """The kept variables whose first value is a constant."""
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
            elif isinstance(statement, ir.Range | ir.Each | ir.While | ir.Once):
                pending.append(statement.body)
    return found


def _cells(unit: ir.Unit, lines: Lines) -> None:
    """Make the state of a unit, but for the copies of functions that it calls."""
    constants = initial_constants(unit)
    for variable in unit.variables:
        if is_cell(variable):
            constant = constants.get(variable)
            unset = "UNSET" if variable.kept else empty(variable.kind)
            lines.write(f"{target(variable)} = {constant_text(constant.value) if constant is not None else unset}", 0)
    for history in _histories(unit):
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


def _copies(unit: ir.Unit, lines: Lines) -> None:
    for state in unit.state:
        if isinstance(state, ir.CallState):
            lines.write(f"c{state.number} = make_f{state.function.number}()", 0)


def _keep(unit: ir.Unit, lines: Lines) -> None:
    """How the state of one copy is saved and restored, for bars that are run again."""
    plain = [v.code for v in unit.variables if is_cell(v) and not v.varip]
    plain += [f"s_{v.code}" for v in unit.variables if has_shadow(v)]
    plain += [f"b{block.number}" for block in unit.blocks]
    plain += [f"d{state.number}" for state in unit.state if isinstance(state, ir.OnceState)]
    histories = [f"h{history.number}" for history in _histories(unit)]
    objects = [f"h{h.number}" for h in _histories(unit) if h.variable.kind == "object" and not h.variable.collection]
    keepers = [
        f"{'k' if isinstance(state, ir.KernelState) else 'r'}{state.number}"
        for state in unit.state
        if isinstance(state, ir.KernelState | ir.RecorderState)
    ]
    # The variable keeps its object, whose fields go back; what is in a collection stays as well.
    varip = [v.code for v in unit.variables if v.varip and v.kind == "object" and not v.collection]
    objects += [
        f"*r{state.number}.history"
        for state in unit.state
        if isinstance(state, ir.RecorderState) and state.kind == "object"
    ]
    if not plain and not histories and not keepers:
        return
    lines.write("def save():", 0)
    saved = [*plain, *(f"len({name})" for name in histories)]
    lines.write(f"    return ({''.join(part + ', ' for part in saved)})", 0)
    lines.write("def restore(saved):", 0)
    lines.indent += 1
    if plain:
        lines.write(f"nonlocal {', '.join(plain)}", 0)
    lengths = [f"n_{name}" for name in histories]
    if saved:
        lines.write(f"({''.join(part + ', ' for part in [*plain, *lengths])}) = saved", 0)
    for name in histories:
        lines.write(f"del {name}[n_{name}:]", 0)
    if not saved:
        lines.write("pass", 0)
    lines.indent -= 1
    lines.write(f"def reached(): return ({''.join(part + ', ' for part in [*plain, *varip, *objects])})", 0)
    lines.write(f"R.keep(save, restore, reached, ({''.join(part + ', ' for part in keepers)}))", 0)


# units


def _functions(writer: Writer, module: ir.Module, lines: Lines) -> None:
    lines.indent = 1
    for function in module.functions:
        unit = function.unit
        if not unit.stateful:
            _define(writer, function, f"f{function.number}", lines)
            continue
        lines.write(f"def make_f{function.number}():", 0)
        lines.indent += 1
        _cells(unit, lines)
        _copies(unit, lines)
        _define(writer, function, f"f{function.number}", lines)
        _keep(unit, lines)
        lines.write(f"return f{function.number}", 0)
        lines.indent -= 1


def _define(writer: Writer, function: ir.Function, name: str, lines: Lines) -> None:
    unit = function.unit
    given = [given_as(parameter) for parameter in function.parameters]
    lines.write(f"def {name}({', '.join(given)}):", 0)
    lines.indent += 1
    changed = _changed(unit)
    if changed:
        lines.write(f"nonlocal {', '.join(changed)}", 0)
    write_block(writer, unit.body, lines, constants=initial_constants(unit), parameters=function.parameters)
    if function.result is not None and function.result.kind != "void":
        lines.write(f"return {writer.text(function.result)}", function.line)
    elif not unit.body.statements:
        lines.write("pass", 0)
    lines.indent -= 1


def _changed(unit: ir.Unit) -> list[str]:
    """The state that the code of a unit assigns."""
    return [
        *(variable.code for variable in unit.variables if is_cell(variable)),
        *(f"s_{variable.code}" for variable in unit.variables if has_shadow(variable)),
        *(f"b{block.number}" for block in unit.blocks),
        *(f"d{state.number}" for state in unit.state if isinstance(state, ir.OnceState)),
    ]


def _bar(writer: Writer, module: ir.Module) -> Lines:
    unit = module.unit
    lines = Lines()
    lines.indent = 1
    _copies(unit, lines)
    inner = Lines()
    inner.indent = 2
    writer.current = set()
    write_block(writer, unit.body, inner, constants=initial_constants(unit), parameters=[])
    result = writer.text(module.result) if module.result is not None else None
    if writer.columns_ahead:
        _ahead(writer, lines)
    lines.write("def bar(index):", 0)
    lines.indent += 1
    lines.write(f"nonlocal {', '.join(['i', *_changed(unit)])}", 0)
    lines.write("i = index", 0)
    if writer.columns_ahead:
        lines.write("if not i: compute_ahead()", 0)
    for name in sorted(writer.current):
        lines.write(f"b{writer.column(name)[1:]} = {writer.column(name)}[i]", 0)
    writer.current = None
    lines.take(inner)
    if result is not None:
        lines.write(f"result = {result}", module.line)
    for history in unit.body.histories:
        code = history.variable.code
        lines.write(f"h{history.number}.append({snapshot(history.variable, code)})", 0)
    if inner.at_end:
        lines.write("if not i:", 0)
    for text, line in inner.at_end:
        lines.write(f" {text}", line)
    if result is not None:
        lines.write("return result", 0)
    lines.indent -= 1
    _keep(unit, lines)
    return lines


def _ahead(writer: Writer, lines: Lines) -> None:
    """What fills the columns that are computed ahead; nothing, where the run says so or where it fails."""
    lines.write("def compute_ahead():", 0)
    lines.write(f"    nonlocal ahead, {', '.join(writer.columns_ahead)}", 0)
    lines.write("    def fill():", 0)
    lines.write(f"        nonlocal {', '.join(writer.columns_ahead)}", 0)
    for code, making in writer.columns_ahead.items():
        lines.write(f"        {code} = {making}", 0)
    lines.write("    ahead = R.computed_ahead(fill)", 0)


def snapshot(variable: ir.Variable, code: str) -> str:
    """What history keeps of a value: collections are copied, everything else is what it is."""
    return f"snapshot({code})" if variable.collection else code
