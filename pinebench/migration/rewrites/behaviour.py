"""What v6 does otherwise though it is written the same: told once for a script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.linter.suggest.candidate import dotted
from pinebench.migration.remarks import Kind
from pinebench.migration.rewrites.rewrite import Change, rewrite
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.migration.script import OldScript

_COLORS = {
    "color.red": "#F23645, was #FF5252",
    "color.teal": "#089981, was #00897B",
    "color.yellow": "#FDD835, was #FFEB3B",
}
"""The colours that got other values, by TradingView's guide to v6."""


@rewrite(last=True)
def colors(script: OldScript) -> Iterator[Change]:
    """The first use of each colour that changed."""
    seen: set[str] = set()
    for node in script.of(nodes.Member):
        name = dotted(node) or ""
        if name in _COLORS and name not in seen:
            seen.add(name)
            yield Change(node, f"`{name}` is {_COLORS[name]}", kind=Kind.DIFFERS)


@rewrite(last=True)
def label_text(script: OldScript) -> Iterator[Change]:
    """The first label without a colour for its text."""
    for call in script.called("label.new"):
        if script.argument(call, "textcolor", 9) is None and script.argument(call, "textcolor", 8) is None:
            yield Change(
                call, "the text of a label is white where it was black; `textcolor` sets it", kind=Kind.DIFFERS
            )
            return


@rewrite(last=True)
def unspecified(script: OldScript) -> Iterator[Change]:
    """A truth value of a structure that has no branch for the rest."""
    for kind in (nodes.VariableDeclaration, nodes.Reassignment):
        for node in script.of(kind):
            value = node.value
            open_end = (isinstance(value, nodes.If) and _is_open(value)) or (
                isinstance(value, nodes.Switch) and all(case.condition is not None for case in value.cases)
            )
            if open_end and script.base_of(value) == "bool":
                yield Change(node, "where no branch holds this is `false` now; it was `na`", kind=Kind.DIFFERS)


def _is_open(node: nodes.If) -> bool:
    while node.otherwise is not None and len(node.otherwise) == 1 and isinstance(node.otherwise[0], nodes.If):
        node = node.otherwise[0]
    return not node.otherwise


@rewrite(last=True)
def compared_history(script: OldScript) -> Iterator[Change]:
    """`flag[1] == false` was false on the first bars, where the history was `na`."""
    for node in script.of(nodes.Binary):
        if node.operator in ("==", "!=") and any(_is_past_truth(script, side) for side in (node.left, node.right)):
            told = "the history of a truth value was `na` before the first bar, equal to neither; it is `false` now"
            yield Change(node, told, kind=Kind.DIFFERS)


def _is_past_truth(script: OldScript, node: nodes.Node) -> bool:
    return isinstance(node, nodes.History) and script.base_of(node) == "bool"


@rewrite(newest=5, last=True)
def nested_requests(script: OldScript) -> Iterator[Change]:
    """Requests in the expression of another may give other values when they are dynamic."""
    for call in script.called("request.security", "request.security_lower_tf"):
        expression = script.argument(call, "expression", 2)
        if expression is not None and _requests(script, expression):
            told = "a request in another may give other values; `dynamic_requests = false` in the declaration undoes it"
            yield Change(call, told, kind=Kind.DIFFERS)


def _requests(script: OldScript, node: nodes.Node) -> bool:
    return any(
        isinstance(inner, nodes.Call) and (dotted(inner.callee) or "").startswith("request.")
        for source in script.sources_of(node)
        for inner in walk(source)
    )
