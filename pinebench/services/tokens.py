"""Semantic tokens: the kind of each name, for colouring by meaning."""

from __future__ import annotations

from pinebench import reference
from pinebench.checker import (
    CONST,
    EnumSymbol,
    FieldSymbol,
    FunctionSymbol,
    ImportSymbol,
    Symbol,
    TypeSymbol,
    VariableSymbol,
)
from pinebench.records import NamedTuple
from pinebench.services.names import name_span
from pinebench.services.script import ScriptView
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

KINDS = (
    *("namespace", "type", "enum", "enumMember", "parameter", "variable", "property", "function", "method"),
    *("keyword", "string", "number", "comment"),
)
"""The kinds of tokens, as the Language Server Protocol names them."""
MODIFIERS = ("declaration", "readonly", "defaultLibrary", "modification")
"""The modifiers that a token can have besides its kind."""


class Token(NamedTuple):
    """A semantic token: its start, its length, its kind and its modifiers."""

    start: int
    length: int
    kind: str
    modifiers: tuple[str, ...] = ()


def tokens(view: ScriptView) -> list[Token]:
    """Return the semantic token of every name of the script, in text order."""
    program = view.program
    found: dict[int, Token] = {}
    for chunk in view.snapshot.chunks:
        declared: set[nodes.Node] = set()
        written: set[nodes.Node] = set()
        types: set[nodes.Node] = set()
        for node in walk(chunk.body):
            if isinstance(node, nodes.Reassignment):
                written.add(node.target)
            elif isinstance(node, nodes.TypeReference):
                types.add(node.name)
            name = getattr(node, "name", None)
            if isinstance(name, nodes.Name) and not isinstance(node, nodes.TypeReference):
                declared.add(name)
            if isinstance(node, nodes.NamedArgument):
                token = Token(chunk.start + node.start, len(node.name), "parameter")
                found[token.start] = token
            if not isinstance(node, nodes.Name | nodes.Member):
                continue
            symbol = program.symbol_of(node)
            kind = "type" if node in types and symbol in reference.types() else _kind(symbol)
            if kind is None:
                continue
            start, end = name_span(node)
            modifiers = [
                *(["declaration"] if node in declared else []),
                *(["readonly"] if _is_fixed(symbol) else []),
                *(["defaultLibrary"] if isinstance(symbol, str) else []),
                *(["modification"] if node in written else []),
            ]
            found[chunk.start + start] = Token(chunk.start + start, end - start, kind, tuple(modifiers))
    return [found[start] for start in sorted(found)]


def _kind(symbol: Symbol | None) -> str | None:
    if symbol is None:
        return None
    if isinstance(symbol, str):
        return _builtin(symbol)
    if isinstance(symbol, VariableSymbol):
        return "parameter" if symbol.kind == "parameter" else "variable"
    if isinstance(symbol, FunctionSymbol):
        return "method" if symbol.is_method else "function"
    for class_, kind in _BY_CLASS:
        if isinstance(symbol, class_):
            return kind
    return None


_BY_CLASS: tuple[tuple[type, str], ...] = (
    (TypeSymbol, "type"),
    (EnumSymbol, "enum"),
    (FieldSymbol, "property"),
    (nodes.EnumField, "enumMember"),
    (ImportSymbol, "namespace"),
)


def _builtin(name: str) -> str | None:
    if reference.variable(name) is not None or reference.constant(name) is not None:
        return "variable"
    if reference.function(name) is not None:
        return "function"
    if name in reference.types():
        return "type"
    return "namespace" if name in reference.namespaces() else "property"


def _is_fixed(symbol: Symbol | None) -> bool:
    if isinstance(symbol, str):
        return reference.constant(symbol) is not None
    if not isinstance(symbol, VariableSymbol) or symbol.kind != "variable":
        return False
    declaration = symbol.declaration
    if isinstance(declaration, nodes.VariableDeclaration) and declaration.qualifier == "const":
        return True
    return symbol.type is not None and symbol.type.qualifier == CONST and not symbol.reassignments
