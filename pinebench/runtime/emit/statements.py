"""Writes statements as lines of Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pinebench.runtime import ir
from pinebench.runtime.emit.expressions import Writer
from pinebench.runtime.emit.lazy import is_immediate


class PythonLines:
    """Lines of Python, each with the script's line; 0 if there is none."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.lines: list[int] = []
        self.indent = 0
        self.last_line = 0
        self.at_end: list[tuple[str, int]] = []
        """Lines that run once, after the first bar, each with the script's line."""

    def write(self, text: str, line: int) -> None:
        self.text.append(" " * self.indent + text)
        self.lines.append(line)
        self.last_line = line or self.last_line

    def take(self, other: PythonLines) -> None:
        """Append the lines of `other`."""
        self.text += other.text
        self.lines += other.lines
        self.last_line = other.last_line or self.last_line


def is_cell(variable: ir.Variable) -> bool:
    """Return whether a variable is stored outside the running function. This is the case if it keeps its value from
    bar to bar, if another function reads it, or if its block has histories."""
    history = variable.history
    return variable.kept or variable.captured or (history is not None and history.block.number is not None)


def has_shadow(variable: ir.Variable) -> bool:
    """Return whether a variable's value at the end of the bar is stored separately for its history. This is needed for
    `varip`, because the variable itself can change each time that the next bar runs again."""
    return variable.varip and variable.history is not None and variable.history.block.number is not None


def target(variable: ir.Variable) -> str:
    """Return the left side of an assignment to a variable."""
    return f"{variable.code} = s_{variable.code}" if has_shadow(variable) else variable.code


def given_as(parameter: ir.Variable) -> str:
    """Return the name under which generated code gets the value of a parameter or loop variable. If the variable is
    stored outside the function (`is_cell`), the name differs, because the variable's previous value goes to the history
    first."""
    return f"p_{parameter.code}" if is_cell(parameter) else parameter.code


Constants = Mapping[ir.Variable, ir.Constant]


def write_block(
    writer: Writer, block: ir.Block, lines: PythonLines, *, constants: Constants, parameters: Sequence[ir.Variable] = ()
) -> None:
    """Write the statements of a block. If earlier values of its variables are read, the block begins by storing the
    values of its last run.

    A history operator returns the value that the variable had on the bar at the offset (manual, "Time series in
    scopes"). If the script may read more than one bar back, the last value is repeated for the bars on which the block
    did not run.
    """
    before = len(lines.text)
    if block.number is not None:
        number = block.number
        lines.write(f"if b{number} != i:", 0)
        lines.indent += 1
        lines.write(f"if b{number} >= 0:", 0)
        for history in block.histories:
            code = history.variable.code
            ended = f"s_{code}" if has_shadow(history.variable) else code
            kept = f"snapshot({ended})" if history.variable.collection else ended
            lines.write(f" h{history.number}.append({kept})", 0)
        far = [f"h{history.number}" for history in block.histories if history.is_far]
        if far:
            lines.write(f" if b{number} != i - 1:", 0)
            for name in far:
                lines.write(f"  {name}.extend([{name}[-1]] * (i - b{number} - 1))", 0)
        lines.write(f"b{number} = i", 0)
        lines.indent -= 1
        for history in block.histories:
            if has_shadow(history.variable):
                lines.write(f"s_{history.variable.code} = {history.variable.code}", 0)
    for parameter in parameters:
        if is_cell(parameter):
            lines.write(f"{parameter.code} = {given_as(parameter)}", 0)
    write_statements(writer, block.statements, lines, constants)
    if len(lines.text) == before:
        lines.write("pass", 0)


def write_statements(
    writer: Writer, statements: Sequence[ir.Statement], lines: PythonLines, constants: Constants
) -> None:
    """Write statements in order. The line of each statement is reported to a debugger before the statement runs."""
    for statement in statements:
        if writer.silent is not None and statement not in writer.silent and not _is_copy(statement):
            write_step(writer, lines, statement.line)
        _WRITERS[type(statement)](writer, statement, lines, constants)


def write_step(writer: Writer, lines: PythonLines, line: int) -> None:
    """Write the code that reports the line to a debugger, unless the last report was for this line. Do nothing without
    a debugger."""
    if writer.silent is not None and line and line != writer.stepped:
        lines.write(f"STEP({line})", line)
        writer.stepped = line


def _is_copy(statement: ir.Statement) -> bool:
    """Whether a statement only copies a global variable when a function begins."""
    return isinstance(statement, ir.Assign) and statement.variable.mirrored is not None


def _nested(
    writer: Writer, block: ir.Block, lines: PythonLines, constants: Constants, given: Sequence[ir.Variable] = ()
) -> None:
    lines.indent += 1
    write_block(writer, block, lines, constants=constants, parameters=given)
    lines.indent -= 1


def _loop(
    writer: Writer,
    block: ir.Block,
    lines: PythonLines,
    constants: Constants,
    given: Sequence[ir.Variable] = (),
    again: str | None = None,
) -> None:
    """Write the body of a loop. `again` is a statement that must run before the next iteration."""
    writer.loops.append(again)
    if writer.silent is not None:
        lines.indent += 1
        lines.write(f"STEP({lines.last_line})", lines.last_line)
        lines.indent -= 1
    _nested(writer, block, lines, constants, given)
    writer.loops.pop()


def _assign(writer: Writer, node: ir.Assign, lines: PythonLines, constants: Constants) -> None:
    if writer.holds(node.variable):
        return
    if node.variable in writer.lazy:
        writer.awaited.append(node.variable)
        lines.write(f"{node.variable.code} = UNSET", node.line)
        return
    lines.write(f"{target(node.variable)} = {writer.text(node.value)}", node.line)


def _initialize(writer: Writer, node: ir.Initialize, lines: PythonLines, constants: Constants) -> None:
    if node.variable in constants:
        return
    lines.write(f"if {node.variable.code} is UNSET:", node.line)
    block = ir.Block([*node.body, ir.Assign(node.line, node.variable, node.value)])
    _nested(writer, block, lines, constants)


def _unpack(writer: Writer, node: ir.Unpack, lines: PythonLines, constants: Constants) -> None:
    if all(variable is None or writer.holds(variable) for variable in node.variables):
        return
    names = [variable.code if variable is not None else "_" for variable in node.variables]
    lines.write(f"{', '.join(names)}, = {writer.text(node.value)}", node.line)


def _set_field(writer: Writer, node: ir.SetField, lines: PythonLines, constants: Constants) -> None:
    if not writer.records:
        lines.write(f"{writer.text(node.object, 8)}.{node.code} = {writer.text(node.value)}", node.line)
        return
    lines.write(f"(z := {writer.text(node.object)}).{node.code} = {writer.text(node.value)}", node.line)
    lines.write("W(z)", node.line)


def _evaluate(writer: Writer, node: ir.Evaluate, lines: PythonLines, constants: Constants) -> None:
    if writer.ahead is None or not writer.ahead.is_series(node.value):
        if writer.awaited and is_immediate(node.value):
            for variable in writer.awaited:
                lines.write(writer.text(ir.Get(variable.kind, variable)), node.line)
        text = writer.text(node.value)
        if writer.ahead is not None and writer.current and _is_settled_rule(writer, node.value):
            writer.rules.add(text.partition("(")[0])
        lines.write(text, node.line)


def _is_settled_rule(writer: Writer, value: ir.Expression) -> bool:
    """Whether a call sets a rule about risk with the same numbers on all bars."""
    if not isinstance(value, ir.CallHost) or not value.name.startswith("strategy.risk."):
        return False
    return all(map(writer.known.is_settled, value.keywords.values()))


def _if(writer: Writer, node: ir.If, lines: PythonLines, constants: Constants) -> None:
    """Write an `if`. An `otherwise` with one more `if` becomes an `elif`, because such chains can be long."""
    word = "if"
    current: ir.If | None = node
    while current is not None:
        holds = writer.known.truth(current.condition)
        if holds:
            _last_branch(writer, current.then, lines, constants, word, node.line)
            return
        if holds is None:
            lines.write(f"{word} {writer.text(current.condition)}:", current.line)
            _nested(writer, current.then, lines, constants)
            word = "elif"
        otherwise = current.otherwise
        current = None
        if otherwise is None or not otherwise.statements:
            continue
        only = otherwise.statements[0]
        if len(otherwise.statements) == 1 and isinstance(only, ir.If) and otherwise.number is None:
            current = only
        else:
            _last_branch(writer, otherwise, lines, constants, word, node.line)


def _last_branch(
    writer: Writer, block: ir.Block, lines: PythonLines, constants: Constants, word: str, line: int
) -> None:
    """Write the block that runs if no earlier branch did. Without an earlier branch, it always runs."""
    if word == "if":
        write_block(writer, block, lines, constants=constants)
        return
    lines.write("else:", line)
    _nested(writer, block, lines, constants)


def _range(writer: Writer, node: ir.CountedLoop, lines: PythonLines, constants: Constants) -> None:
    first, last = writer.text(node.first), writer.text(node.last)
    step = writer.text(node.step) if node.step is not None else "1"
    if node.moving:
        _climb(writer, node, lines, constants, (first, last, step))
        return
    lines.write(f"for {given_as(node.counter)} in rounds({first}, {last}, {step}):", node.line)
    _loop(writer, node.body, lines, constants, [node.counter])


def _climb(
    writer: Writer, node: ir.CountedLoop, lines: PythonLines, constants: Constants, bounds: tuple[str, str, str]
) -> None:
    """Write a loop whose end is evaluated again before each iteration. Its direction is decided at the start."""
    first, last, by = bounds
    value, end, step = (writer.temporary() for _ in range(3))
    lines.write(f"{value} = {first}", node.line)
    lines.write(f"{end} = {last}", node.line)
    lines.write(f"{step} = checked_step({by})" if node.step is not None else f"{step} = 1", node.line)
    lines.write(f"if not {value} <= {end}: {step} = -{step}", node.line)
    lines.write(f"while {value} <= {end} if {step} > 0 else {value} >= {end}:", node.line)
    lines.indent += 1
    lines.write(f"{given_as(node.counter)} = {value}", node.line)
    lines.write(f"{value} += {step}", node.line)
    lines.indent -= 1
    again = f"{end} = {last}"
    _loop(writer, node.body, lines, constants, [node.counter], again)
    lines.indent += 1
    lines.write(again, node.line)
    lines.indent -= 1


def _each(writer: Writer, node: ir.Each, lines: PythonLines, constants: Constants) -> None:
    collection = writer.text(node.collection)
    if node.index is None:
        lines.write(f"for {given_as(node.element)} in elements({collection}):", node.line)
        _loop(writer, node.body, lines, constants, [node.element])
        return
    lines.write(f"for {given_as(node.index)}, {given_as(node.element)} in numbered({collection}):", node.line)
    _loop(writer, node.body, lines, constants, [node.index, node.element])


def _while(writer: Writer, node: ir.While, lines: PythonLines, constants: Constants) -> None:
    lines.write(f"while {writer.text(node.condition)}:", node.line)
    _loop(writer, node.body, lines, constants)


def _once(writer: Writer, node: ir.Once, lines: PythonLines, constants: Constants) -> None:
    done = f"d{node.state.number}"
    also = f" and {writer.text(node.condition, 3)}" if node.condition is not None else ""
    lines.write(f"if not {done}{also}:", node.line)
    lines.indent += 1
    lines.write(f"{done} = True", node.line)
    lines.indent -= 1
    _nested(writer, node.body, lines, constants)


def _leave(writer: Writer, node: ir.Leave, lines: PythonLines, constants: Constants) -> None:
    again = writer.loops[-1] if node.word == "continue" else None
    if again is not None:
        lines.write(again, node.line)
    lines.write(node.word, node.line)


def _configure(writer: Writer, node: ir.Configure, lines: PythonLines, constants: Constants) -> None:
    given = "".join(f", {name}={writer.text(value)}" for name, value in node.settings.items())
    lines.at_end.append((f"R.configure({node.output}{given})", node.line))


def _show(writer: Writer, node: ir.Show, lines: PythonLines, constants: Constants) -> None:
    lines.write(f"o{node.output}_{node.column}({writer.text(node.value)})", node.line)


_WRITERS: dict[type, Callable[[Writer, object, PythonLines, Constants], None]] = {  # type: ignore[assignment]
    ir.Assign: _assign,
    ir.Initialize: _initialize,
    ir.Unpack: _unpack,
    ir.SetField: _set_field,
    ir.Evaluate: _evaluate,
    ir.If: _if,
    ir.CountedLoop: _range,
    ir.Each: _each,
    ir.While: _while,
    ir.Once: _once,
    ir.Leave: _leave,
    ir.Configure: _configure,
    ir.Show: _show,
}
