"""Renames a symbol of the script, unless that would change the script's meaning."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pinebench.checker import (
    FieldSymbol,
    FunctionSymbol,
    ImportSymbol,
    Program,
    Symbol,
    TypeSymbol,
    VariableSymbol,
    open_changed,
)
from pinebench.diagnostics import Edit, Span
from pinebench.errors import UsageError
from pinebench.services.meaning import changed_name, new_finding
from pinebench.services.names import NameUse, annotated, declaration_of, name_of, named_at, uses
from pinebench.services.script import ScriptView
from pinebench.syntax import nodes
from pinebench.syntax.changes import document_after
from pinebench.syntax.words import RESERVED, SOFT_KEYWORDS

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def renamable(view: ScriptView, offset: int, *, abroad: bool = False) -> Span:
    """Return the span of the name at `offset` if it can be renamed. With `abroad`, the name may be declared in a
    library. Raises UsageError with the reason if it cannot be renamed."""
    return _renamable(view, offset, abroad=abroad).span


def _renamable(view: ScriptView, offset: int, *, abroad: bool = False) -> NameUse:
    named = named_at(view.program, offset)
    if named is None:
        raise UsageError("there is no known name here", "put the cursor on a name that the script declares")
    if isinstance(named.symbol, str):
        raise UsageError(f"{named.symbol} is built in and cannot be renamed")
    found = declaration_of(view.program, named.symbol)
    if found is None or (found[0] is not view.program and not abroad):
        raise UsageError(
            f"{name_of(named.symbol)} is declared in a library that this script imports", "rename it in the library"
        )
    if not _is_spelt(view, named):
        raise UsageError(
            f"the cursor is on a built-in member of {name_of(named.symbol)}, not on its name",
            f"put the cursor on the name {name_of(named.symbol)}",
        )
    return named


def _is_spelt(view: ScriptView, named: NameUse) -> bool:
    """Return whether the text at the offset is the symbol's own name, and not `new` or `copy` of its type."""
    text = view.text[named.span.start : named.span.end]
    return not isinstance(named.symbol, TypeSymbol) or text == named.symbol.name


def rename(view: ScriptView, offset: int, name: str) -> list[Edit]:
    """Return the edits that rename the symbol at `offset` to `name`, in text order.

    Raises UsageError if `name` is not valid, or if the script's meaning would change because the name is taken, hides
    another name, or is hidden.
    """
    named = _renamable(view, offset)
    old = name_of(named.symbol)
    if _NAME.match(name) is None:
        raise UsageError(f"'{name}' is not a valid name", "use letters, digits and _, and no digit at the start")
    if name in RESERVED or name in SOFT_KEYWORDS:
        raise UsageError(f"'{name}' is a keyword of Pine", "choose another name")
    if name == old:
        return []
    edits = _edits(view.program, named.symbol, name)
    changed = open_changed(view.program, document_after(view.snapshot, edits))
    reason = difference(view.program, changed, edits, name)
    if reason:
        raise UsageError(f"'{old}' cannot be renamed to '{name}': {reason}", "choose another name")
    return edits


def _edits(program: Program, symbol: Symbol, name: str) -> list[Edit]:
    spans: set[Span] = set()
    for each in together(program, symbol):
        spans |= {use.span for use in uses(program, each)}
    if isinstance(symbol, VariableSymbol | FieldSymbol | nodes.EnumField):
        spans.update(annotated(program, symbol))
    if isinstance(symbol, ImportSymbol) and symbol.node.alias is None:
        end = symbol.offset + symbol.node.end
        kept = {span for span in spans if not symbol.start <= span.start < end}
        return sorted([Edit(Span(end, end), f" as {name}"), *(Edit(span, name) for span in kept)])
    return [Edit(span, name) for span in sorted(spans)]


def together(program: Program, symbol: Symbol) -> list[Symbol]:
    """Return the symbols that must be renamed together: a function and its overloads."""
    if isinstance(symbol, FunctionSymbol):
        return list(program.functions.get(symbol.name, [symbol]))
    return [symbol]


def difference(before: Program, after: Program, edits: Sequence[Edit], new: str) -> str:
    """Return a sentence about the first change in meaning from the script `before` to the script `after`; empty if the
    meaning is the same. `edits` are the edits between both, which write the name `new`."""
    if after.document.diagnostics and not before.document.diagnostics:
        return "the script would have syntax errors"
    try:
        captured = changed_name(before, after)
    except ValueError:
        return "the structure of the script would change"
    if captured is not None:
        return _captured(before, captured, new)
    found = new_finding(before, after, edits)
    return found.message if found is not None else ""


def _captured(before: Program, node: nodes.Node, new: str) -> str:
    line = before.document.lines.position(before.span(node).start).line
    return f"a name on line {line} would change its meaning, because '{new}' already has a meaning there"
