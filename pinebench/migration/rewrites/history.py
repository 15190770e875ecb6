"""What has no history in v6: literals, constants, fields of objects."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pinebench.migration.remarks import Kind
from pinebench.migration.rewrites.rewrite import Change, rewrite
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.migration.script import OldScript
    from pinebench.syntax.edits import TreeEdits


@rewrite()
def of_constants(script: OldScript) -> Iterator[Change]:
    """`6[1]` is `6`."""
    for finding in script.findings["history-of-constant"]:
        node = script.at(finding.span, nodes.History)
        text = script.line_of(node.object) if node is not None else None
        if node is None or text is None or script.changes_within(node.offset):
            continue
        told = f"`{text}` has no history in v6; before the first bar it was `na`"
        yield Change(node, told, partial(_replaced, node, text), Kind.DIFFERS)


@rewrite()
def of_fields(script: OldScript) -> Iterator[Change]:
    """`object.field[1]` is `(object[1]).field`, asked for only where there was an object: else it stops the script."""
    for finding in script.findings["CE10290"]:
        node = script.at(finding.span, nodes.History)
        member = node.object if node is not None else None
        while isinstance(member, nodes.Parenthesized):
            member = member.expression
        if node is None or not isinstance(member, nodes.Member):
            continue
        owner, bars = script.line_of(member.object), script.line_of(node.offset)
        if owner is None or bars is None:
            continue
        if isinstance(member.object, nodes.Ternary | nodes.Binary | nodes.Unary):
            owner = f"({owner})"
        change = f"({owner}[{bars}]).{member.name}"
        if isinstance(member.object, nodes.Name | nodes.Member):
            nothing = "false" if script.base_of(member) == "bool" else "na"
            change = f"(na({owner}[{bars}]) ? {nothing} : {change})"
        told = "the history is that of the object, not of its field"
        yield Change(node, told, partial(_replaced, node, change), Kind.DIFFERS)


def _replaced(node: nodes.Node, text: str, edits: TreeEdits) -> None:
    edits.replace(node, text)
