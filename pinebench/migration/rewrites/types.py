"""Variables without a type that start as `na` or as an integer, and get another type later."""

from __future__ import annotations

from collections.abc import Iterator

from pinebench.checker import VariableSymbol
from pinebench.migration.remarks import RemarkKind
from pinebench.migration.rewrites.rewrite import RewriteChange, rewrite
from pinebench.migration.script import OldScript
from pinebench.syntax import nodes
from pinebench.syntax.edits import replacing

_TOLD = ("float", "int", "bool", "string", "color", "line", "label", "box", "table")


@rewrite()
def untyped(script: OldScript) -> Iterator[RewriteChange]:
    """Write the type of a variable that begins with `x = na`. Its later values decide the type."""
    for finding in script.findings["CE10097"]:
        node = script.at(finding.span, nodes.VariableDeclaration)
        if node is None or node.type is not None:
            continue
        kind, sure = _type(script, node)
        if kind is None:
            continue
        told = f"a variable that starts as `na` needs a type: `{kind}`"
        if not sure and (script.findings["CE10271"] or script.findings["CE10272"]):
            continue  # an unknown name may become known and tell the type
        if sure:
            yield RewriteChange(node, told, replacing(node.name, f"{kind} {node.name.id}"))
        else:
            yield RewriteChange(
                node, f"{told} is a guess", replacing(node.name, f"{kind} {node.name.id}"), RemarkKind.LOOK
            )


@rewrite(newest=4)
def widened(script: OldScript) -> Iterator[RewriteChange]:
    """Change `x = 0` to `float x = 0` if the script later assigns a `float` to `x`."""
    for finding in script.findings["CE10173"]:
        if finding.value("ownValueType").rpartition(" ")[2] != "int":
            continue
        node = script.at(finding.span, nodes.Reassignment)
        if finding.value("assignedValueType").rpartition(" ")[2] != "float" or node is None:
            continue
        symbol = script.symbol_of(node.target) if isinstance(node.target, nodes.Name) else None
        declared = symbol.declaration if isinstance(symbol, VariableSymbol) else None
        if isinstance(declared, nodes.VariableDeclaration) and declared.type is None:
            told = f"`{declared.name.id}` starts as an integer and is later assigned a fraction: it is a `float`"
            yield RewriteChange(declared, told, replacing(declared.name, f"float {declared.name.id}"))


def _type(script: OldScript, node: nodes.VariableDeclaration) -> tuple[str | None, bool]:
    """The type of a variable's later values, and whether it is certain. None if it cannot be determined."""
    symbol = script.symbol_of(node.name)
    if not isinstance(symbol, VariableSymbol):
        return None, False
    values = [branch for change in symbol.reassignments for branch in _branches(change.value)]
    found = {base for value in values if (base := script.base_of(value)) not in ("", "na", "unknown")}
    if found <= {"int", "float"}:
        return "float", bool(found)  # a price may start as an integer
    return (next(iter(found)), True) if len(found) == 1 and found <= set(_TOLD) else (None, False)


def _branches(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yield the possible values of an expression: for `? :` both branches, because its own type depends on the
    variable."""
    while isinstance(node, nodes.Parenthesized):
        node = node.expression
    if isinstance(node, nodes.Ternary):
        yield from _branches(node.then)
        yield from _branches(node.otherwise)
    else:
        yield node
