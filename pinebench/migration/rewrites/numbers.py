"""Division of constant integers, which dropped the fraction, and fractions where integers are expected."""

from __future__ import annotations

from collections.abc import Iterator

from pinebench.migration.remarks import RemarkKind
from pinebench.migration.rewrites.rewrite import RewriteChange, rewrite
from pinebench.migration.rewrites.whole import call_sites, parameters, whole
from pinebench.migration.script import OldScript, value_of
from pinebench.syntax import nodes
from pinebench.syntax.edits import wrapping


@rewrite()
def division(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite `5 / 2` to `int(5 / 2)`, which is still 2; divisions of integers without a remainder stay."""
    for node in _divisions(script):
        left, right = whole(script, node.left), whole(script, node.right)
        if left is None or right is None or not (left.is_certain and right.is_certain):
            continue
        if right.value and left.value % right.value:
            quotient = left.value / right.value
            told = f"{script.source(node)} of integers was {int(quotient)}; in v6 it would be {quotient:g}"
            yield RewriteChange(node, told, wrapping(node, "int(", ")"))


@rewrite(last=True)
def uncertain_division(script: OldScript) -> Iterator[RewriteChange]:
    """Remark on divisions whose integers pass through a function: it is not known whether these count as constants."""
    for node in _divisions(script):
        for given in call_sites(script, parameters(script, node)):
            left, right = whole(script, node.left, given), whole(script, node.right, given)
            if left is None or right is None or (left.is_certain and right.is_certain):
                continue
            if right.value and left.value % right.value:
                quotient = left.value / right.value
                told = (
                    f"{script.source(node)} is {quotient:g} now; it may have been {int(quotient)} for constant integers"
                )
                yield RewriteChange(node, told, kind=RemarkKind.DIFFERS)
                break


def _divisions(script: OldScript) -> Iterator[nodes.Binary]:
    """Yield the divisions whose fraction is not dropped by `int()` anyway."""
    for node in script.of(nodes.Binary):
        if node.operator == "/" and not _is_cast(script, script.parent(node)):
            yield node


def _is_cast(script: OldScript, parent: nodes.Node | None) -> bool:
    return isinstance(parent, nodes.Call) and script.line_of(parent.callee) == "int"


@rewrite(newest=4)
def fractions(script: OldScript) -> Iterator[RewriteChange]:
    """Add `int()` to `sma(close, 10.5)`: earlier versions dropped the fraction."""
    for finding in script.findings["CE10123"]:
        given, expected = finding.value("argumentType"), finding.value("currentTypeDocStr")
        if given.rpartition(" ")[2] != "float" or expected.rpartition(" ")[2] != "int":
            continue
        found = script.at(finding.span)
        node = value_of(found) if found is not None else None
        if node is not None:
            yield RewriteChange(
                node, "an integer is expected here: the fraction is dropped", wrapping(node, "int(", ")")
            )
