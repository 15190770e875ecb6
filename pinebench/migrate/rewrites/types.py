"""Variables that begin as `na` without a type, which version 3 allowed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pinebench.check.symbols import VariableSymbol
from pinebench.migrate.rewrites.rewrite import Change, rewrite
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.migrate.script import Script
    from pinebench.syntax.edits import TreeEdits

_TOLD = ("float", "int", "bool", "string", "color", "line", "label", "box", "table")


@rewrite()
def untyped(script: Script) -> Iterator[Change]:
    """`x = na` gets the type of what it is given later."""
    for finding in script.findings["CE10097"]:
        node = script.at(finding.span, nodes.VariableDeclaration)
        if node is None or node.type is not None:
            continue
        kind = _type(script, node)
        if kind is not None:
            yield Change(node, f"what begins as `na` needs a type: `{kind}`", partial(_typed, node, kind))


def _type(script: Script, node: nodes.VariableDeclaration) -> str | None:
    symbol = script.program.symbol_of(node.name)
    if not isinstance(symbol, VariableSymbol):
        return None
    found = {base for change in symbol.reassignments if (base := script.base_of(change.value)) not in ("", "na")}
    if not found:
        return "float" if not symbol.reassignments else None
    if found <= {"int", "float"}:
        return "float"  # a price may begin as a whole number
    return next(iter(found)) if len(found) == 1 and found <= set(_TOLD) else None


def _typed(node: nodes.VariableDeclaration, kind: str, edits: TreeEdits) -> None:
    edits.replace(node.name, f"{kind} {node.name.id}")
