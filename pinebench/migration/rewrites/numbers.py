"""Division of constant integers, which dropped the fraction, and fractions where integers are expected."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pinebench.checker import CONST
from pinebench.migration.rewrites.rewrite import Change, rewrite
from pinebench.migration.script import value_of
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.migration.script import OldScript
    from pinebench.syntax.edits import TreeEdits


@rewrite()
def division(script: OldScript) -> Iterator[Change]:
    """Keep the result of `5 / 2`, which was 2, if the division has a remainder."""
    for node in script.of(nodes.Binary):
        if node.operator != "/" or not (_is_constant_int(script, node.left) and _is_constant_int(script, node.right)):
            continue
        parent = script.parent(node)
        if isinstance(parent, nodes.Call) and script.line_of(parent.callee) == "int":
            continue
        (_, left), (_, right) = script.value_of(node.left), script.value_of(node.right)
        if not isinstance(left, int) or not isinstance(right, int) or right == 0 or left % right == 0:
            continue
        told = f"{script.source(node)} of integers was {int(left / right)}; in v6 it would be {left / right:g}"
        yield Change(node, told, partial(_cast, node))


def _is_constant_int(script: OldScript, node: nodes.Node) -> bool:
    """Whether a value was an integer known to the compiler. A division of such values is one as well."""
    while isinstance(node, nodes.Parenthesized):
        node = node.expression
    if isinstance(node, nodes.Binary) and node.operator == "/":
        return _is_constant_int(script, node.left) and _is_constant_int(script, node.right)
    type_ = script.type_of(node)
    if type_ is None or type_.base.name != "int" or type_.qualifier > CONST:
        return False
    return script.is_constant(node)


@rewrite(newest=4)
def fractions(script: OldScript) -> Iterator[Change]:
    """Add `int()` to `sma(close, 10.5)`: earlier versions dropped the fraction."""
    for finding in script.findings["CE10123"]:
        given, expected = finding.value("argumentType"), finding.value("currentTypeDocStr")
        if given.rpartition(" ")[2] != "float" or expected.rpartition(" ")[2] != "int":
            continue
        found = script.at(finding.span)
        node = value_of(found) if found is not None else None
        if node is not None:
            yield Change(node, "an integer is expected here: the fraction is dropped", partial(_cast, node))


def _cast(node: nodes.Node, edits: TreeEdits) -> None:
    edits.wrap(node, "int(", ")")
