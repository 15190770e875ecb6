"""Collects the variables that the statements of a program read and change, once for all requests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pinebench.checker import Base, Frame, Program, ScriptEffects, VariableSymbol
from pinebench.syntax import nodes
from pinebench.syntax.walk import children, walk


class Writers(NamedTuple):
    """The statements that change variables. `of_variable` maps each variable to the statements that assign it or change
    its object, and `of_type` maps each type to the statements that change an object of it."""

    of_variable: dict[VariableSymbol, list[nodes.Node]]
    of_type: dict[Base, list[nodes.Node]]


class Survey:
    """Facts about the statements of a program. The conversions of all its requests share them."""

    def __init__(self) -> None:
        self._effects: dict[tuple[nodes.Node, Frame], ScriptEffects] = {}
        self._parents: dict[Program, dict[nodes.Node, nodes.Node]] = {}
        self._writers: dict[Frame, Writers] = {}

    def effects(self, statement: nodes.Node, program: Program, frame: Frame) -> ScriptEffects:
        """Return the variables that a statement reads and changes, and its other effects."""
        known = self._effects.get((statement, frame))
        if known is None:
            known = self._effects[statement, frame] = program.effects(statement, frame)
        return known

    def around(self, node: nodes.Node, program: Program) -> list[nodes.Node]:
        """Return `node` and the nodes around it, up to a statement of the global code of `program`."""
        parents = self._parents.get(program)
        if parents is None:
            parents = self._parents[program] = {
                below: above for above in walk(global_statements(program)) for below in children(above)
            }
        found = [node]
        while found[-1] in parents:
            found.append(parents[found[-1]])
        return found

    def writers(self, program: Program, frame: Frame) -> Writers:
        """Return the outermost statements of the function of `frame` (or of the global code) that change variables."""
        known = self._writers.get(frame)
        if known is None:
            known = self._writers[frame] = self.writers_among(statements_of(program, frame), program, frame)
        return known

    def writers_among(self, statements: Iterable[nodes.Node], program: Program, frame: Frame) -> Writers:
        """Group the `statements` that change variables by variable. `frame` has the types of the code."""
        found = Writers({}, {})
        for statement in statements:
            effects = self.effects(statement, program, frame)
            for symbol in effects.writes | effects.mutates:
                found.of_variable.setdefault(symbol, []).append(statement)
            # The same object can have several names.
            types = {base for symbol in effects.mutates if (base := reference(symbol, program, frame)) is not None}
            for base in types:
                found.of_type.setdefault(base, []).append(statement)
        return found


def global_statements(program: Program) -> list[nodes.Node]:
    """Return the statements of the global code in text order."""
    return [statement for chunk in program.document.chunks for statement in chunk.body]


def statements_of(program: Program, frame: Frame) -> list[nodes.Node]:
    """Return the statements of the function of `frame`, or else of the global code of `program`, in text order."""
    function = frame.function
    return list(function.node.body) if function is not None else global_statements(program)


def reference(symbol: VariableSymbol, program: Program, frame: Frame) -> Base | None:
    """Return the type of a variable that holds a reference to an object or a collection; None for any other variable.
    Other code can change what a reference refers to."""
    type_ = program.declared_type(symbol, frame if symbol.scope.function is not None else None)
    if type_ is None or type_.base.kind not in ("array", "matrix", "map", "udt"):
        return None
    return type_.base
