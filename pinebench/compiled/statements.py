"""Writes the code of a script's statements for `module_writer`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pinebench.compiled import lists
from pinebench.compiled.code_writer import CodeWriter
from pinebench.compiled.drawing_calls import draw, hold, tell
from pinebench.compiled.expressions import field_number
from pinebench.compiled.kernels import ROUNDS_LEFT, STATUS
from pinebench.compiled.library_functions import call as library_call
from pinebench.compiled.script_code import DRAWN, TOLD, OutputColumn, empty, of_kind
from pinebench.runtime import builtins as library
from pinebench.runtime import ir, is_cell, values


def _assign(w: CodeWriter, node: ir.Assign) -> None:
    variable = node.variable
    if w.is_settled_variable(variable):
        return
    if variable in w.tuples:
        if is_cell(variable):
            raise w.refuse("a tuple that keeps its value from bar to bar is not compiled")
        kinds = w.tuples[variable]
        is_constant = isinstance(node.value, ir.Constant)
        for k, text in enumerate(map(empty, kinds) if is_constant else _items(w, node.value)):
            w.part.write(f"v{variable.number}_{k} = {text}")
        return
    text = w.text(node.value)
    w.variable(variable)  # its place
    w.assign(variable, text)
    if variable.drawing:
        hold(w, variable, w.cell(variable) if variable.kept else "")


def _items(w: CodeWriter, value: ir.Expression) -> list[str]:
    """Return the code of the items of a tuple. All items are computed before the first is assigned."""
    items = w.tuple(value)
    return list(map(w.held, items)) if isinstance(value, ir.TupleOf | ir.Get) else items


def _initialize(w: CodeWriter, node: ir.Initialize) -> None:
    variable = node.variable
    w.variable(variable)
    if variable in w.part.constants:
        return
    part = w.part
    flag = part.at(part.unset[variable])
    part.write(f"if m[{flag}] == 0.0:")
    part.write(f" m[{flag}] = 1.0")
    w.block(ir.Block([*node.body, ir.Assign(node.line, variable, node.value)]))


def _unpack(w: CodeWriter, node: ir.Unpack) -> None:
    value = node.value
    if not w.kinds_of(value):
        raise w.refuse(
            f"{value.name}() is not compiled" if isinstance(value, ir.CallHost) else "this tuple is not compiled"
        )
    names = _items(w, value)
    for variable, name in zip(node.variables, names, strict=True):
        if variable is not None:
            w.variable(variable)
            w.assign(variable, name)


def _evaluate(w: CodeWriter, node: ir.Evaluate) -> None:
    value = node.value
    if isinstance(value, ir.CallHost):
        namespace = value.name.partition(".")[0]
        if namespace in DRAWN:
            draw(w, value)
            return
        if namespace in TOLD:
            tell(w, value)
            return
        if value.name == "runtime.error":
            w.part.write("fail(m, 1.0)")
            return
        if namespace == "strategy" and w.strategy is not None:
            w.strategy.order(w, value)
            return
    w.evaluate(value)


def _if(w: CodeWriter, node: ir.If) -> None:
    holds = w.known.truth(node.condition)
    if holds is not None:
        block = node.then if holds else node.otherwise
        if block is not None:
            w.part.write("if True:")
            w.block(block)
        return
    w.part.write(f"if {w.text(node.condition)}:")
    w.block(node.then)
    if node.otherwise is not None:
        w.part.write("else:")
        w.block(node.otherwise)


def _round(w: CodeWriter) -> None:
    """Write code that counts a round of a loop, and stops the run if there are too many."""
    part = w.part
    part.write(f"m[{ROUNDS_LEFT}] = m[{ROUNDS_LEFT}] - 1.0")
    part.write(f"if m[{ROUNDS_LEFT}] < 0.0 or m[{STATUS}] != 0.0:")
    part.write(" fail(m, 3.0)")
    w.stop()


def _range(w: CodeWriter, node: ir.CountedLoop) -> None:
    part = w.part
    value, end = w.held(w.text(node.first)), w.held(w.text(node.last))
    step = w.held("1.0" if node.step is None else library_call(values.checked_step, w.text(node.step)))
    part.write(f"if read_int(m, {STATUS}) != 0:")
    w.stop()
    up = w.held(f"{value} <= {end}")
    part.write(f"if not {up}:")
    part.write(f" {step} = -{step}")
    part.write(f"while ({value} <= {end} if {up} else {value} >= {end}):")
    part.indent += 1
    _round(w)
    counted = w.held(value)
    part.write(f"{value} = {value} + {step}")
    part.indent -= 1
    again = [] if not node.moving else [node.last]
    w.loops_again.append((again, end))
    w.block(node.body, [(node.counter, counted)])
    w.loops_again.pop()
    if again:
        part.indent += 1
        part.write(f"{end} = {w.text(node.last)}")
        part.indent -= 1


def _each(w: CodeWriter, node: ir.Each) -> None:
    """Write a loop over an array, which may grow and shrink while the loop runs."""
    part = w.part
    if not node.is_array:
        raise w.refuse("a loop over a matrix or a map is not compiled")
    array = w.held(w.text(node.collection))
    part.write(library_call(library.arrays.size, array))
    number = w.held("-1.0")
    part.write(f"while {array} == {array} and {number} + 1.0 < read_int(m, int({array}) + {lists.COUNT}):")
    part.indent += 1
    _round(w)
    part.write(f"{number} = {number} + 1.0")
    item = w.held(library_call(library.arrays.get, array, number, "NA"))
    part.indent -= 1
    given = [(node.element, of_kind(item, node.element.kind))]
    if node.index is not None:
        given.append((node.index, number))
    w.loops_again.append(([], ""))
    w.block(node.body, given)
    w.loops_again.pop()


def _while(w: CodeWriter, node: ir.While) -> None:
    part = w.part
    part.write("while True:")
    part.indent += 1
    part.write(f"if not ({w.text(node.condition)}):")
    part.write(" break")
    _round(w)
    part.indent -= 1
    w.loops_again.append(([], ""))
    w.block(node.body)
    w.loops_again.pop()


def _once(w: CodeWriter, node: ir.Once) -> None:
    part = w.part
    done = part.at(part.states[node.state])
    part.write(f"if m[{done}] == 0.0:")
    part.indent += 1
    part.write(f"if {'True' if node.condition is None else w.text(node.condition)}:")
    part.write(f" m[{done}] = 1.0")
    w.block(node.body)
    part.indent -= 1


def _leave(w: CodeWriter, node: ir.Leave) -> None:
    again, end = w.loops_again[-1]
    if node.word == "continue":
        for last in again:
            w.part.write(f"{end} = {w.text(last)}")
    w.part.write(node.word)


def _configure(w: CodeWriter, node: ir.Configure) -> None:
    for value in node.settings.values():
        if value.kind != "object" and not isinstance(value, ir.Constant):
            w.evaluate(value)


def _show(w: CodeWriter, node: ir.Show) -> None:
    if w.part is not w.main:
        raise w.refuse("an output in a function is not compiled")
    if node.value.kind in ("string", "object", "void"):
        raise w.refuse("an output that is not a number, a bool or a colour is not compiled")
    text = w.text(node.value)
    k = len(w.out.shown)
    w.out.shown.append(OutputColumn(node.output, node.column, node.value.kind, node.line))
    w.part.write(f"o[{k} * n + i] = {text}")


def _set_field(w: CodeWriter, node: ir.SetField) -> None:
    value = w.held(w.text(node.value))
    w.part.write(f"object_set(m, {w.text(node.object)}, {field_number(node.code)}, {value})")


STATEMENTS: dict[type, Callable[[CodeWriter, Any], None]] = {
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
