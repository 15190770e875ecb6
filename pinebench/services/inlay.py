"""Inlay hints of an editor: the parameter names of arguments, and the types of variables."""

from __future__ import annotations

from pinebench.checker import UNKNOWN_BASE, VOID, FunctionSymbol, TypeSymbol, display
from pinebench.diagnostics import Span
from pinebench.records import NamedTuple
from pinebench.services.script import ScriptView
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk


class Hint(NamedTuple):
    """A label to show before the character at `offset`. `kind` is parameter or type."""

    offset: int
    text: str
    kind: str


def hints(view: ScriptView, span: Span, *, parameters: bool = True, types: bool = True) -> list[Hint]:
    """Return the inlay hints within `span`, in text order. The hints are the parameter's name before a literal
    argument, and the type and qualifier of a variable that is declared without a type."""
    found: list[Hint] = []
    for chunk in view.snapshot.chunks:
        if chunk.end <= span.start or chunk.start >= span.end:
            continue
        for node in walk(chunk.body):
            if isinstance(node, nodes.Call) and parameters:
                found += _arguments(view, chunk.start, node)
            elif isinstance(node, nodes.VariableDeclaration) and types and node.type is None:
                found += _type(view, chunk.start, node)
    return sorted(hint for hint in found if span.start <= hint.offset <= span.end)


def _arguments(view: ScriptView, offset: int, node: nodes.Call) -> list[Hint]:
    resolved = view.program.resolved_calls.get(node)
    if resolved is None or len(node.arguments) < 2:
        return []
    if not isinstance(resolved.target, FunctionSymbol | TypeSymbol) and resolved.overload is None:
        return []
    names = {value: name for name, value in resolved.arguments.items()}
    given = ((names.get(each), each) for each in node.arguments if _is_bare(each))
    return [
        Hint(offset + each.start, f"{name}:", "parameter")
        for name, each in given
        if name is not None and name.isidentifier()
    ]


def _is_bare(node: nodes.Node) -> bool:
    """Return whether an argument does not show its purpose: a literal, or `na`."""
    operand = node.operand if isinstance(node, nodes.Unary) else node
    if isinstance(operand, nodes.Name):
        return operand.id == "na"
    return isinstance(operand, nodes.Literal)


def _type(view: ScriptView, offset: int, node: nodes.VariableDeclaration) -> list[Hint]:
    program = view.program
    symbol = program.bindings.variables.get(node.name)
    type_ = program.declared_type(symbol) if symbol is not None else None
    if type_ is None or type_.base in (UNKNOWN_BASE, VOID) or type_.base.kind == "na":
        return []
    return [Hint(offset + node.name.start, display(type_), "type")]
