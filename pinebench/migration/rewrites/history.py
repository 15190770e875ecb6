"""Values without a history in v6: literals, constants, and fields of objects."""

from __future__ import annotations

from collections.abc import Iterator

from pinebench.migration.remarks import RemarkKind
from pinebench.migration.rewrites.rewrite import RewriteChange, rewrite
from pinebench.migration.script import OldScript
from pinebench.syntax import nodes
from pinebench.syntax.edits import replacing


@rewrite()
def of_constants(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite `6[1]` to `6`."""
    for finding in script.findings["history-of-constant"]:
        node = script.at(finding.span, nodes.History)
        text = script.line_of(node.object) if node is not None else None
        if node is None or text is None or script.changes_within(node.offset):
            continue
        told = f"`{text}` has no history in v6; before the first bar it was `na`"
        yield RewriteChange(node, told, replacing(node, text), RemarkKind.DIFFERS)


@rewrite()
def of_fields(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite `object.field[1]` to `(object[1]).field`, with a test for `na`, because v6 stops the script where
    there was no object."""
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
        told = "the history belongs to the object, not to its field"
        yield RewriteChange(node, told, replacing(node, change), RemarkKind.DIFFERS)
