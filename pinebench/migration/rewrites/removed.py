"""Removed functions: `iff()`, `offset()`, and the overload of `rsi()` for two series."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pinebench.checker import SERIES
from pinebench.migration.remarks import RemarkKind
from pinebench.migration.rewrites.rewrite import RewriteChange, rewrite
from pinebench.migration.script import OldScript, value_of
from pinebench.syntax import nodes
from pinebench.syntax.edits import TreeEdits, replacing
from pinebench.syntax.walk import children

_CLOSED = (nodes.Name, nodes.Member, nodes.Call, nodes.Parenthesized)


@rewrite(newest=4)
def iff(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite `iff(c, a, b)` to `c ? a : b`. Both values ran on every bar, so calls that must do so move before the
    statement."""
    for call in script.called("iff"):
        if _inside(script, call, "iff"):
            continue
        early: dict[nodes.Node, str] = {}
        text = _ternary(script, call, early, lazy=False)
        if text is None:
            yield RewriteChange(call, "write this `iff()` with `?` and `:`", kind=RemarkKind.LOOK)
            continue
        statement = script.statement(call)
        if statement is not None or not early:
            yield RewriteChange(call, "`iff()` is `? :`", partial(_with, call, text, statement, early, script))
        if early:  # the change above does not fit if several statements are on the line
            text = _ternary(script, call, None, lazy=False) or ""
            told = "values that this `iff()` computed on every bar are now computed only when needed"
            yield RewriteChange(call, told, partial(_with, call, text, None, {}, script), RemarkKind.DIFFERS)


def _with(
    call: nodes.Node,
    text: str,
    statement: nodes.Node | None,
    early: dict[nodes.Node, str],
    script: OldScript,
    edits: TreeEdits,
) -> None:
    for node, name in early.items():
        if statement is not None:
            edits.insert_before(statement, f"{name} = {script.line_of(node)}")
    edits.replace(call, text)


def _ternary(script: OldScript, call: nodes.Call, early: dict[nodes.Node, str] | None, *, lazy: bool) -> str | None:
    """The text of an `iff()` as a ternary, with nested ones. Values that must be computed first are added to
    `early`, with new names."""
    names = ("condition", "then", "_else")
    parts = [script.argument(call, name, place) for place, name in enumerate(names)]
    if len(call.arguments) != 3 or None in parts:
        return None
    texts: list[str] = []
    for place, part in enumerate(parts):
        assert part is not None
        value = value_of(part)
        found: dict[nodes.Node, str] = {}
        if not _gather(script, value, found, early, lazy=lazy or place > 0):
            return None
        text = script.with_parts(value, found) if value not in found else found[value]
        if text is None:
            return None
        is_ternary = isinstance(value, nodes.Ternary) or (isinstance(value, nodes.Call) and _is_iff(value))
        texts.append(f"({text})" if is_ternary and place < 2 else text)
    return f"{texts[0]} ? {texts[1]} : {texts[2]}"


def _gather(
    script: OldScript,
    node: nodes.Node,
    found: dict[nodes.Node, str],
    early: dict[nodes.Node, str] | None,
    *,
    lazy: bool,
) -> bool:
    """Collect the parts of `node` that are rewritten into `found`. Return whether all of them can be."""
    if isinstance(node, nodes.Call):
        if _is_iff(node):
            text = _ternary(script, node, early, lazy=lazy)
            parent = script.parent(node)
            if text is not None:
                found[node] = text if parent is not None and _is_iff(parent) else f"({text})"
            return text is not None
        if lazy and early is not None and script.remembers(node):
            name = script.free_name((script.line_of(node.callee) or "value").rpartition(".")[2])
            early[node] = found[node] = name
            return True
    return all(_gather(script, child, found, early, lazy=lazy) for child in children(node))


def _is_iff(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Call) and isinstance(node.callee, nodes.Name) and node.callee.id == "iff"


def _inside(script: OldScript, call: nodes.Node, name: str) -> bool:
    outer = script.parent(call)
    while outer is not None:
        if isinstance(outer, nodes.Call) and isinstance(outer.callee, nodes.Name) and outer.callee.id == name:
            return True
        outer = script.parent(outer)
    return False


@rewrite(newest=4)
def offset(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite `offset(close, 2)` to `close[2]`."""
    for call in script.called("offset"):
        source, bars = script.argument(call, "source", 0), script.argument(call, "offset", 1)
        if source is None or bars is None or _inside(script, call, "offset"):
            continue
        first, second = script.line_of(value_of(source)), script.line_of(value_of(bars))
        if first is not None and second is not None:
            owner = first if isinstance(value_of(source), _CLOSED) else f"({first})"
            yield RewriteChange(call, "`offset()` is `[]`", replacing(call, f"{owner}[{second}]"))


@rewrite(newest=4)
def rsi(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite `rsi(up, down)` of two series to its formula."""
    for call in script.called("ta.rsi"):
        if len(call.arguments) != 2:
            continue
        source, length = (value_of(item) for item in call.arguments)
        type_ = script.type_of(length)
        if type_ is None or not (
            type_.base.name == "float" or (type_.base.name == "int" and type_.qualifier == SERIES)
        ):
            continue
        first, second = script.line_of(source), script.line_of(length)
        if first is not None and second is not None:
            text = f"100.0 - 100.0 / (1.0 + {_closed(source, first)} / {_closed(length, second)})"
            yield RewriteChange(call, "`rsi()` of two series was replaced by its formula", replacing(call, text))


def _closed(node: nodes.Node, text: str) -> str:
    return text if isinstance(node, _CLOSED) else f"({text})"
