"""`timeframe.period`, which had no multiplier for one day, week or month."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from pinebench.linter.suggest.candidate import dotted
from pinebench.migration.remarks import Kind
from pinebench.migration.rewrites.rewrite import Change, rewrite
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.migration.script import OldScript
    from pinebench.syntax.edits import TreeEdits

_PERIOD = "timeframe.period"
_BARE = re.compile(r"[DWM]")
_TAKES = ("request.", "ticker.", "timeframe.", "input.", "time")


@rewrite()
def compared(script: OldScript) -> Iterator[Change]:
    """`timeframe.period == "D"` is `timeframe.period == "1D"`."""
    for node in script.of(nodes.Binary):
        if node.operator not in ("==", "!="):
            continue
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if dotted(one) == _PERIOD and _is_bare(other):
                assert isinstance(other, nodes.Literal)
                text = f"{other.text[0]}1{other.text[1:]}"
                told = f"`timeframe.period` is {text} where it was {other.text}"
                yield Change(other, told, partial(_replaced, other, text))


@rewrite(last=True)
def elsewhere(script: OldScript) -> Iterator[Change]:
    """Other uses, where the text itself may matter."""
    for node in script.of(nodes.Member):
        if dotted(node) == _PERIOD and not _is_harmless(script, node):
            told = '`timeframe.period` has a multiplier now: "1D", "1W", "1M" where it was "D", "W", "M"'
            yield Change(node, told, kind=Kind.DIFFERS)


def _is_harmless(script: OldScript, node: nodes.Node) -> bool:
    """Whether the text is only taken for a timeframe, or compared with one that has a multiplier."""
    parent = script.parent(node)
    if isinstance(parent, nodes.NamedArgument):
        parent = script.parent(parent)
    if isinstance(parent, nodes.Call):
        return (dotted(parent.callee) or "").startswith(_TAKES)
    if isinstance(parent, nodes.Binary) and parent.operator in ("==", "!="):
        return all(side is node or isinstance(side, nodes.Literal) for side in (parent.left, parent.right))
    return False


def _is_bare(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Literal) and node.kind == "string" and bool(_BARE.fullmatch(node.text[1:-1]))


def _replaced(node: nodes.Node, text: str, edits: TreeEdits) -> None:
    edits.replace(node, text)
