"""Converts a checked script to the typed form (IR), with one function for each kind of node."""

from __future__ import annotations

from pinebench.checker import Program
from pinebench.runtime.lower import calls, expressions, outputs, requests, statements
from pinebench.runtime.lower.context import Handlers, Lowering, LoweringSettings, Types
from pinebench.runtime.published import runnable
from pinebench.syntax import nodes

_EXPRESSIONS: Handlers = {
    nodes.Name: expressions.name,
    nodes.Member: expressions.name,
    nodes.Literal: expressions.literal,
    nodes.Parenthesized: expressions.parenthesized,
    nodes.Unary: expressions.unary,
    nodes.Binary: expressions.binary,
    nodes.Ternary: expressions.ternary,
    nodes.TupleExpression: expressions.tuple_expression,
    nodes.History: expressions.history,
    nodes.Call: calls.call,
}
_STATEMENTS: Handlers = {
    nodes.VariableDeclaration: statements.declaration,
    nodes.TupleDeclaration: statements.tuple_declaration,
    nodes.Reassignment: statements.reassignment,
    nodes.ExpressionStatement: statements.expression_statement,
    nodes.FunctionDeclaration: statements.nothing,
    nodes.TypeDeclaration: statements.nothing,
    nodes.EnumDeclaration: statements.nothing,
    nodes.Import: statements.nothing,
    nodes.Break: statements.leave,
    nodes.Continue: statements.leave,
    **dict.fromkeys(nodes.STRUCTURES, statements.structure_statement),
}


def _new(program: Program, settings: LoweringSettings, types: Types) -> Lowering:
    lowering = Lowering(program, settings, types, _EXPRESSIONS, _STATEMENTS)
    lowering.special = {**calls.SPECIAL, **outputs.SPECIAL, **requests.specials(_for_request)}
    return lowering


def _for_request(outer: Lowering) -> Lowering:
    inner = _new(outer.program, outer.settings, outer.types)
    inner.is_requested = True
    inner.depth = outer.depth + 1
    inner.survey = outer.survey
    return inner


def lower(program: Program, settings: LoweringSettings | None = None) -> Lowering:
    """Convert a checked program without errors to the typed form (IR). For published libraries whose source is missing,
    it uses pinebench's own versions. Raises NotComputed for something that this runtime does not compute."""
    program, own_versions = runnable(program)
    lowering = _new(program, settings or LoweringSettings(), Types())
    lowering.own_versions = own_versions
    place = lowering.place_of(program)
    place.block = lowering.module.unit.body
    lowering.module.records, lowering.module.steps = lowering.settings.records, lowering.settings.steps
    if lowering.module.records:  # a debugger lowers the script again with an expression, which must not renumber types
        for symbol in program.types.values():
            lowering.types.of(symbol)
    for chunk in program.document.chunks:
        statements.statements(lowering, chunk.body, place)
    lowering.module.unit.body.statements[:0] = lowering.prelude.statements
    lowering.module.silent.update(lowering.prelude.statements)
    return lowering
