"""Replaces a variable with its value, if the script keeps its results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pinebench.checker import COLLECTIONS, SCALARS, Program, VariableSymbol, open_changed
from pinebench.diagnostics import Edit, Span
from pinebench.services.meaning import new_finding
from pinebench.services.names import named_at, path_at, uses
from pinebench.services.script import ScriptView
from pinebench.syntax import nodes
from pinebench.syntax.changes import document_after
from pinebench.syntax.walk import walk

_ALLOWED = (
    *(nodes.Literal, nodes.Name, nodes.Member, nodes.Parenthesized, nodes.Unary, nodes.Binary, nodes.Ternary),
    *(nodes.History, nodes.Call, nodes.NamedArgument),
)
"""The nodes that a value may consist of."""
_ATOMS = (nodes.Literal, nodes.Name, nodes.Member, nodes.Parenthesized, nodes.Call)
"""The expressions that need no parentheses anywhere."""
_WITH_IDENTITY = COLLECTIONS | {"object", "udt", "unknown"}
"""The kinds of values that are not inlined: each use would create an object of its own."""
_STEADY = frozenset(("bars", "chart"))
"""The sources, besides variables, of values that do not change while a bar is computed."""
_WITHOUT_PARENTHESES = (
    *(nodes.VariableDeclaration, nodes.Reassignment, nodes.ExpressionStatement),
    *(nodes.Call, nodes.NamedArgument, nodes.Parenthesized),
)
"""The nodes below which an expression needs no parentheses."""


def inlined(view: ScriptView, offset: int) -> tuple[str, list[Edit]] | None:
    """Return the name of the variable at `offset`, and the edits that replace its uses with its value and remove it.

    Return None if there is no variable, or if the script might compute other results: the variable is assigned again,
    its value keeps state or has an effect, something that it reads can change before a use, or a name means something
    else at a use.
    """
    named = named_at(view.program, offset)
    symbol = named.symbol if named is not None else None
    if not isinstance(symbol, VariableSymbol) or not _is_plain(view, symbol):
        return None
    value = symbol.value
    assert value is not None
    reads = [use.span for use in uses(view.program, symbol) if not use.writes]
    if not reads or not _is_steady(view.program, value) or not all(_may_be_used(view, symbol, each) for each in reads):
        return None
    start = symbol.offset + symbol.declaration.start
    lines = _lines_of(view, Span(start, symbol.offset + symbol.declaration.end))
    if lines is None:
        return None
    text = view.text[symbol.offset + value.start : symbol.offset + value.end]
    edits = [Edit(lines, ""), *(Edit(each, _written(view, each, value, text)) for each in reads)]
    return (symbol.name, sorted(edits)) if _is_same(view, edits) else None


def _is_plain(view: ScriptView, symbol: VariableSymbol) -> bool:
    """Return whether a variable is declared alone, is assigned once, and has the type of its value."""
    declaration = symbol.declaration
    if not isinstance(declaration, nodes.VariableDeclaration) or symbol.kind != "variable" or symbol.value is None:
        return False
    if symbol.mode is not None or symbol.reassignments or symbol.indexed or declaration.exported:
        return False
    declared, given = view.program.declared_type(symbol), view.program.type_of(symbol.value)
    if given is None or given.base.kind in _WITH_IDENTITY:
        return False
    if declaration.type is not None and (declared is None or declared.base is not given.base):
        return False
    text = view.text[symbol.offset + symbol.value.start : symbol.offset + symbol.value.end]
    return "\n" not in text and "\r" not in text and "//" not in text


def _is_steady(program: Program, value: nodes.Node) -> bool:
    """Return whether an expression has the same value everywhere on a bar, and can be computed more or less often
    without an effect."""
    if not all(isinstance(each, _ALLOWED) for each in walk(value)):
        return False
    effects = program.effects(value)
    if effects.changes or effects.mutates or effects.writes or effects.keeps or not effects.uses <= _STEADY:
        return False
    if not all(_stays(program, symbol) for symbol in effects.reads):
        return False
    return all(_has_one_meaning(program, each) for each in walk(value) if isinstance(each, nodes.Name))


def _stays(program: Program, symbol: VariableSymbol) -> bool:
    """Return whether a variable has one value on a bar: it is assigned once, and its value is not an object."""
    type_ = program.declared_type(symbol)
    is_value = type_ is not None and type_.base.name in SCALARS
    return is_value and not symbol.reassignments and symbol.mode is None


def _has_one_meaning(program: Program, name: nodes.Name) -> bool:
    """Return whether a name can mean only one thing in the whole script. A field is not checked: its object is."""
    found = [symbol for symbol in program.bindings.symbols if symbol.name == name.id]
    symbol = program.symbol_of(name)
    return found == [symbol] if isinstance(symbol, VariableSymbol) else not found


def _may_be_used(view: ScriptView, symbol: VariableSymbol, span: Span) -> bool:
    """Return whether the value can replace the variable at a use. It cannot in a history reference (`x[1]`): the
    history of a value is not the history of a variable."""
    path = path_at(view.program, span.start)
    above = path[-2] if len(path) > 1 else None
    if isinstance(above, nodes.History) and above.object is path[-1]:
        return False
    if isinstance(above, nodes.Member | nodes.Reassignment) and not isinstance(symbol.value, nodes.Name):
        return isinstance(above, nodes.Reassignment) and above.target is not path[-1]
    return isinstance(path[-1], nodes.Name)


def _written(view: ScriptView, span: Span, value: nodes.Node, text: str) -> str:
    """The text of the value at a use, in parentheses where they may matter."""
    if isinstance(value, _ATOMS):
        return text
    path = path_at(view.program, span.start)
    above = path[-2] if len(path) > 1 else None
    if isinstance(above, _WITHOUT_PARENTHESES):
        return text
    return f"({text})"


def _lines_of(view: ScriptView, span: Span) -> Span | None:
    """Return the lines of a declaration, or None if they contain other code, or if it is the only statement of its
    block."""
    lines, text = view.snapshot.lines, view.text
    start = lines.line_start(lines.position(span.start).line)
    last = lines.position(max(span.start, span.end - 1)).line
    end = lines.line_start(last + 1) if last < len(lines) else len(text)
    if text[start : span.start].strip() or text[span.end : end].strip():
        return None
    path = path_at(view.program, span.start)
    declaration = next(each for each in path if isinstance(each, nodes.VariableDeclaration))
    return None if any(block == [declaration] for block in _blocks(path)) else Span(start, end)


def _blocks(path: Sequence[nodes.Node]) -> Iterator[Sequence[nodes.Node]]:
    for each in path:
        for name in ("body", "otherwise"):
            block = getattr(each, name, None)
            if isinstance(block, list):
                yield block


def _is_same(view: ScriptView, edits: Sequence[Edit]) -> bool:
    """Whether the edits cause no new error or warning."""
    after = open_changed(view.program, document_after(view.snapshot, edits))
    if after.document.diagnostics:
        return False
    return new_finding(view.program, after, edits) is None
