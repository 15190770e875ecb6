"""Rule PB2005: a plot that is shifted to the left."""

from __future__ import annotations

from pinebench.checker import INPUT
from pinebench.linter.rules.ranges import reachable
from pinebench.linter.rules.requests import parts
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, bare, nodes, reference


class NegativePlotOffset(Rule):
    """A negative `offset` shifts a plot to the left, so that a value is shown on bars on which it was not known yet. A
    mark that looks like a signal at the low was in fact known only some bars later.

    The rule does not report an offset that only compensates the lag of the series itself: pivots, and values with `[n]`
    for at least as many bars. It does not report a line that shows a price itself (such as a lagging span), a plot with
    `show_last`, a hidden plot, or colours, which mark all bars of a pattern.

    Bad:

        //@version=6
        indicator("Example", overlay = true)
        plotshape(ta.crossover(close, ta.sma(close, 20)), offset = -5)

    Good:

        //@version=6
        indicator("Example", overlay = true)
        plotshape(not na(ta.pivotlow(5, 5)), offset = -5)
    """

    code = "PB2005"
    calls = ("plot", "plotshape", "plotchar", "plotarrow")

    def visit(self, node: nodes.Call, context: RuleContext) -> Findings:
        """Report an offset that is certainly negative, for a series that does not lag."""
        offset = context.argument(node, "offset")
        if offset is None or not _is_negative(context, offset) or context.argument(node, "show_last") is not None:
            return ()
        drawn = context.argument(node, "series")
        if _is_unseen(context, node, offset) or (
            drawn is not None and context.called(node) == "plot" and _is_price(context, drawn)
        ):
            return ()
        if drawn is not None and _lags(context, drawn, -reachable(context, offset).high):
            return ()
        return (context.report(self.code, offset),)


def _is_unseen(context: RuleContext, node: nodes.Call, offset: nodes.Node) -> bool:
    """Whether a plot is shown in the data window only, or not at all, or only as the line at its last price."""
    tracked = context.argument(node, "trackprice")
    if (
        tracked is not None
        and context.value(tracked) == (True, True)
        and reachable(context, offset).high <= _OUT_OF_SIGHT
    ):
        return True
    given = context.argument(node, "display")
    return given is not None and context.value(given)[1] in ("display.data_window", "display.none")


def _is_price(context: RuleContext, node: nodes.Node) -> bool:
    """Whether a line shows a price itself, as a lagging span does. Nobody takes it for a signal."""
    node = context.value_node(node)
    while isinstance(node, nodes.Ternary) and context.value(node.otherwise) == (True, None):
        shown = context.type(node.condition, node)
        if shown is None or shown.qualifier > INPUT:
            return False
        node = context.value_node(node.then)
    return isinstance(node, nodes.Name) and node.id in _PRICES and context.symbol(node) is None


_OUT_OF_SIGHT = -999
"""The offset up to which scripts mean to hide the plot, mostly -9999."""
_PRICES = ("open", "high", "low", "close", "hl2", "hlc3", "ohlc4", "hlcc4")


def _is_negative(context: RuleContext, node: nodes.Node) -> bool:
    node = bare(context.value_node(node))
    if context.called(node) in _ROUNDING:
        given = next(iter(context.given(node).values()))
        return _is_negative(context, given)
    known, value = context.value(node)
    if known:
        return isinstance(value, int | float) and value < 0
    if isinstance(node, nodes.Binary) and node.operator in ("*", "/"):
        return _is_negative(context, node.left) is not _is_negative(context, node.right)
    if isinstance(node, nodes.Binary) and node.operator in ("+", "-"):
        return _is_negative(context, node.left) and context.value(node.right)[0]
    return isinstance(node, nodes.Unary) and node.operator == "-"


_ROUNDING = reference.having("rounds")


def _lags(context: RuleContext, drawn: nodes.Node, bars: float) -> bool:
    """Whether the drawn value may lag by at least `bars` bars, as a pivot does."""
    reach = 0.0
    for part in parts(context, drawn, conditions=True):
        if context.called(part) in _LAGGING:
            return True
        if isinstance(part, nodes.History):
            known, back = context.value(part.offset)
            if not known or not isinstance(back, int | float):
                return True
            reach += back
    return reach > 0 and reach >= bars


_LAGGING = reference.having("lags")
