"""Finds the loop of a script that contains a line, for errors about runs that take too long."""

from __future__ import annotations

from pinebench.checker import Program
from pinebench.runtime.faults import StackFrame
from pinebench.syntax.nodes import ForIn, ForTo, While
from pinebench.syntax.walk import walk

_MAIN = "#main"


def at_loop(program: Program, stack: list[StackFrame]) -> list[StackFrame]:
    """Cut the stack so that it begins with the innermost loop, at the line on which this loop begins.

    Line numbers in functions of libraries belong to another text. So if the script imports libraries, only the global
    code is searched. If no loop is found, the stack is returned unchanged.
    """
    own = {_MAIN} if program.imports else {_MAIN, *program.functions}
    loops = _loops(program)
    for place, call in enumerate(stack):
        firsts = [first for first, last in loops if first <= call.line <= last and call.function in own]
        if firsts:
            return [StackFrame(call.function, max(firsts)), *stack[place + 1 :]]
    return stack


def _loops(program: Program) -> list[tuple[int, int]]:
    """The first and the last line of each loop."""
    line = program.document.lines.position
    return [
        (line(chunk.start + node.start).line, line(chunk.start + node.end).line)
        for chunk in program.document.chunks
        for node in walk(chunk.body)
        if isinstance(node, ForTo | ForIn | While)
    ]
