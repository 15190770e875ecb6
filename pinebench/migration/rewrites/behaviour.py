"""Code that is written the same in v6 but behaves differently."""

from __future__ import annotations

from collections.abc import Iterator

from pinebench.checker import VariableSymbol
from pinebench.linter.suggest.candidate import dotted
from pinebench.migration.remarks import RemarkKind
from pinebench.migration.rewrites.rewrite import RewriteChange, rewrite
from pinebench.migration.script import OldScript
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

_COLORS = {
    "color.red": "#F23645, was #FF5252",
    "color.teal": "#089981, was #00897B",
    "color.yellow": "#FDD835, was #FFEB3B",
}
"""The colours that have other values in v6, from TradingView's guide to v6."""


@rewrite(last=True)
def colors(script: OldScript) -> Iterator[RewriteChange]:
    """Remark on the first use of each built-in colour that has another value in v6."""
    seen: set[str] = set()
    for node in script.of(nodes.Member):
        name = dotted(node) or ""
        if name in _COLORS and name not in seen:
            seen.add(name)
            yield RewriteChange(node, f"`{name}` is {_COLORS[name]}", kind=RemarkKind.DIFFERS)


@rewrite(last=True)
def label_text(script: OldScript) -> Iterator[RewriteChange]:
    """Remark on the first label without a text colour."""
    for call in script.called("label.new"):
        if script.argument(call, "textcolor", 9) is None and script.argument(call, "textcolor", 8) is None:
            yield RewriteChange(
                call, "the text of a label is white where it was black; `textcolor` sets it", kind=RemarkKind.DIFFERS
            )
            return


@rewrite(last=True)
def unspecified(script: OldScript) -> Iterator[RewriteChange]:
    """Remark on a bool from an `if` or `switch` that may run no branch: it used to be `na`, and is `false` in v6."""
    for kind in (nodes.VariableDeclaration, nodes.Reassignment):
        for node in script.of(kind):
            value = node.value
            open_end = (isinstance(value, nodes.If) and _is_open(value)) or (
                isinstance(value, nodes.Switch) and all(case.condition is not None for case in value.cases)
            )
            if open_end and "bool" in script.bases_of(value):
                yield RewriteChange(
                    node, "if no branch runs, this is `false` now; it was `na`", kind=RemarkKind.DIFFERS
                )


def _is_open(node: nodes.If) -> bool:
    while node.otherwise is not None and len(node.otherwise) == 1 and isinstance(node.otherwise[0], nodes.If):
        node = node.otherwise[0]
    return not node.otherwise


@rewrite(last=True)
def compared_truths(script: OldScript) -> Iterator[RewriteChange]:
    """Remark on `flag[1] == false` and other comparisons of bools that could be `na`: `na` equalled neither value."""
    for node in script.of(nodes.Binary):
        if node.operator not in ("==", "!="):
            continue
        sides = (node.left, node.right)
        same = "true" if node.operator == "==" else "false"  # `na == true` was as false as `false == true` is
        if same not in map(script.source, sides) and any(_may_be_unset(script, side) for side in sides):
            told = "a bool that was `na` here equalled neither value; it is `false` now"
            yield RewriteChange(node, told, kind=RemarkKind.DIFFERS)


def _may_be_unset(script: OldScript, node: nodes.Node) -> bool:
    return "bool" in script.bases_of(node) and any(
        _is_unset(script, source) and "bool" in script.bases_of(source) for source in script.sources_of(node)
    )


def _is_unset(script: OldScript, node: nodes.Node) -> bool:
    """Whether a bool may have had no value: history, a request, an element, or a field without a default."""
    match node:
        case nodes.History():
            return True
        case nodes.Call():
            name = dotted(node.callee) or ""
            return name.startswith("request.") or name == "ta.valuewhen" or name.endswith(".get")
        case nodes.Name():
            symbol = script.symbol_of(node)
            declaration = symbol.declaration if isinstance(symbol, VariableSymbol) else None
            return isinstance(declaration, nodes.TupleDeclaration) and _is_unset(script, declaration.value)
        case nodes.Member():
            return any(field.name.id == node.name and field.default is None for field in script.of(nodes.Field))
        case _:
            return False


@rewrite(newest=5, last=True)
def nested_requests(script: OldScript) -> Iterator[RewriteChange]:
    """Remark on requests inside the expression of another request, which may return other values when they are
    dynamic."""
    for call in script.called("request.security", "request.security_lower_tf"):
        expression = script.argument(call, "expression", 2)
        if expression is not None and _requests(script, expression):
            told = "a request in another may give other values; `dynamic_requests = false` restores the old ones"
            yield RewriteChange(call, told, kind=RemarkKind.DIFFERS)


def _requests(script: OldScript, node: nodes.Node) -> bool:
    return any(
        isinstance(inner, nodes.Call) and (dotted(inner.callee) or "").startswith("request.")
        for source in script.sources_of(node)
        for inner in walk(source)
    )
