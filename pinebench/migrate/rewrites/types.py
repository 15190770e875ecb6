"""Variables without a type that begin as `na`, or as a whole number, and become something else."""

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


@rewrite(newest=4)
def widened(script: Script) -> Iterator[Change]:
    """`x = 0` that is given fractions later was a number with a fraction."""
    for finding in script.findings["CE10173"]:
        if finding.value("ownValueType").rpartition(" ")[2] != "int":
            continue
        node = script.at(finding.span, nodes.Reassignment)
        if finding.value("assignedValueType").rpartition(" ")[2] != "float" or node is None:
            continue
        symbol = script.symbol_of(node.target) if isinstance(node.target, nodes.Name) else None
        declared = symbol.declaration if isinstance(symbol, VariableSymbol) else None
        if isinstance(declared, nodes.VariableDeclaration) and declared.type is None:
            told = f"`{declared.name.id}` begins as a whole number and gets fractions: it is a `float`"
            yield Change(declared, told, partial(_typed, declared, "float"))


def _type(script: Script, node: nodes.VariableDeclaration) -> str | None:
    symbol = script.symbol_of(node.name)
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
