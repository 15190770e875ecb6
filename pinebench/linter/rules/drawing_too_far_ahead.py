"""Rule PB5001: a drawing too far in the future."""

from __future__ import annotations

from pinebench.linter.rules.guards import asked
from pinebench.linter.rules.ranges import reachable
from pinebench.linter.rules.requests import parts
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, bare, nodes, reference

_PLACES = reference.bar_places()
"""The parameters that give the position of a drawing on the axis of bars."""


class DrawingTooFarAhead(Rule):
    """The position of a drawing is `bar_index` plus a number that is larger than 500, or that an input can make larger
    than 500. Then the script stops with an error. Give the input `maxval = 500`, or position the drawing by time.

    Bad:

        //@version=6
        indicator("Example", overlay = true)
        ahead = input.int(50, "Bars ahead", minval = 1, maxval = 1000)
        var line edge = line.new(bar_index, close, bar_index + ahead, close)
        line.set_x2(edge, bar_index + ahead)

    Good:

        //@version=6
        indicator("Example", overlay = true)
        ahead = input.int(50, "Bars ahead", minval = 1, maxval = 500)
        var line edge = line.new(bar_index, close, bar_index + ahead, close)
        line.set_x2(edge, bar_index + ahead)
    """

    code = "PB5001"
    calls = tuple(_PLACES)

    def visit(self, node: nodes.Call, context: RuleContext) -> Findings:
        """Report a position that is too far ahead, or that an input within its limits can move too far ahead."""
        xloc = context.argument(node, "xloc")
        if xloc is not None and context.value(xloc) != (True, "xloc.bar_index"):
            return
        for parameter in _PLACES[context.called(node) or ""]:
            given = context.argument(node, parameter)
            ahead = _ahead(context, given) if given is not None else None
            if given is None or ahead is None or not MOST < ahead < float("inf"):
                continue
            if not _is_asked_for(context, node, given):
                yield context.report(self.code, given, bars=f"{ahead:g}")


def _is_asked_for(context: RuleContext, node: nodes.Node, place: nodes.Node) -> bool:
    """Whether a condition around a drawing tests a variable on which its position depends."""
    made = {symbol for part in parts(context, place) if (symbol := context.symbol(part)) is not None}
    return bool(made) and any(
        context.symbol(part) in made for condition, _ in asked(context, node) for part in parts(context, condition)
    )


MOST = 500
"""The largest number of bars that a drawing may be ahead (TradingView's manual, limits of drawings)."""


def _ahead(context: RuleContext, node: nodes.Node) -> float | None:
    """The largest number of bars by which a position can be after the current or the last bar; None if it does not
    depend on such a bar."""
    node = bare(context.value_node(node))
    if isinstance(node, nodes.Name):
        return 0 if node.id in ("bar_index", "last_bar_index") and context.symbol(node) is None else None
    if not isinstance(node, nodes.Binary) or node.operator not in ("+", "-"):
        return None
    left = _ahead(context, node.left)
    if left is not None:
        offset = reachable(context, node.right)
        return left + (offset.high if node.operator == "+" else -offset.low)
    right = _ahead(context, node.right) if node.operator == "+" else None
    return right + reachable(context, node.left).high if right is not None else None
