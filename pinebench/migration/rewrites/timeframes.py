"""`timeframe.period`, which had no multiplier for one day, week or month in earlier versions."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from pinebench.checker import VariableSymbol
from pinebench.linter.suggest.candidate import dotted
from pinebench.migration.remarks import RemarkKind
from pinebench.migration.rewrites.rewrite import RewriteChange, rewrite
from pinebench.migration.script import OldScript
from pinebench.syntax import nodes
from pinebench.syntax.edits import replacing

_PERIOD = "timeframe.period"
_BARE = re.compile(r"[DWM]")
_TAKES = ("request.", "ticker.", "timeframe.", "input.", "time")


@rewrite()
def compared(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite `timeframe.period == "D"` to `timeframe.period == "1D"`."""
    for node in script.of(nodes.Binary):
        if node.operator not in ("==", "!="):
            continue
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if _is_period(script, one) and _is_bare(other):
                yield _with_multiplier(other)


@rewrite()
def chosen(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite the case `"D" =>` of a `switch` on `timeframe.period` to `"1D" =>`."""
    for node in script.of(nodes.Switch):
        if node.subject is not None and _is_period(script, node.subject):
            texts = {case.condition.text[1:-1] for case in node.cases if isinstance(case.condition, nodes.Literal)}
            for case in node.cases:
                if case.condition is not None and _is_bare(case.condition):
                    yield _with_multiplier(case.condition, texts)


def _with_multiplier(node: nodes.Node, others: Container[str] = ()) -> RewriteChange:
    """Add the multiplier to the text `node`. `others` are the texts of all cases beside it."""
    assert isinstance(node, nodes.Literal)
    text = f"{node.text[0]}1{node.text[1:]}"
    told = f"`timeframe.period` is {text} where it was {node.text}"
    if text[1:-1] not in others:
        return RewriteChange(node, told, replacing(node, text))
    told += "; another case has this text too, which never ran: remove one of them, because the first one runs"
    return RewriteChange(node, told, replacing(node, text), RemarkKind.LOOK)


def _is_period(script: OldScript, node: nodes.Node) -> bool:
    """Whether a value is the chart's timeframe: the variable itself, or one of the script that always has its value."""
    if dotted(node) == _PERIOD:
        return True
    symbol = script.symbol_of(node) if isinstance(node, nodes.Name) else None
    if not isinstance(symbol, VariableSymbol) or symbol.reassignments:
        return False
    declaration = symbol.declaration
    return isinstance(declaration, nodes.VariableDeclaration) and dotted(declaration.value) == _PERIOD


@rewrite(last=True)
def elsewhere(script: OldScript) -> Iterator[RewriteChange]:
    """Remark on every other use of `timeframe.period`, where the script may depend on its text."""
    for node in script.of(nodes.Member):
        if dotted(node) == _PERIOD and not _is_harmless(script, node):
            told = '`timeframe.period` has a multiplier now: "1D", "1W", "1M" where it was "D", "W", "M"'
            yield RewriteChange(node, told, kind=RemarkKind.DIFFERS)


def _is_harmless(script: OldScript, node: nodes.Node) -> bool:
    """Whether the text is only used as a timeframe, or compared with one that has a multiplier."""
    parent = script.parent(node)
    if isinstance(parent, nodes.NamedArgument):
        parent = script.parent(parent)
    if isinstance(parent, nodes.Call):
        return (dotted(parent.callee) or "").startswith(_TAKES)
    if isinstance(parent, nodes.Switch):
        return all(case.condition is None or isinstance(case.condition, nodes.Literal) for case in parent.cases)
    if isinstance(parent, nodes.Binary) and parent.operator in ("==", "!="):
        return all(side is node or isinstance(side, nodes.Literal) for side in (parent.left, parent.right))
    return False


def _is_bare(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Literal) and node.kind == "string" and bool(_BARE.fullmatch(node.text[1:-1]))
