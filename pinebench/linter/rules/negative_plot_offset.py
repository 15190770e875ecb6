"""Rule PB2005: a plot that is shifted into the past."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench import reference
from pinebench.checker.types import INPUT
from pinebench.linter.rules.look import bare
from pinebench.linter.rules.ranges import reachable
from pinebench.linter.rules.requests import parts
from pinebench.linter.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.rules.look import Look


@register
class NegativePlotOffset(Rule):
    """`offset` shifts a plot to the left, so that it stands on bars on which its value was not known yet. What looks
    like a signal at the low came bars later.

    Left alone where the series itself lags, which the offset only makes up for: pivots, and values taken with `[n]` of
    as many bars; a price itself, as in a lagging span; and colours, which mark all the bars of a pattern.

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

    def visit(self, node: nodes.Call, look: Look) -> Iterable[Diagnostic]:
        """Report an offset that is surely negative, of a series that does not lag."""
        offset = look.argument(node, "offset")
        if offset is None or not _is_negative(look, offset) or look.argument(node, "show_last") is not None:
            return ()
        drawn = look.argument(node, "series")
        if _is_unseen(look, node) or (drawn is not None and look.called(node) == "plot" and _is_price(look, drawn)):
            return ()
        if drawn is not None and _lags(look, drawn, -reachable(look, offset).high):
            return ()
        return (look.report(self.code, offset),)


def _is_unseen(look: Look, node: nodes.Call) -> bool:
    """Whether a plot stands in the data window at most."""
    given = look.argument(node, "display")
    return given is not None and look.value(given)[1] in ("display.data_window", "display.none")


def _is_price(look: Look, node: nodes.Node) -> bool:
    """Whether a line is that of a price itself, as a lagging span is, which is nothing that one may have known."""
    node = look.value_node(node)
    while isinstance(node, nodes.Ternary) and look.value(node.otherwise) == (True, None):
        shown = look.type(node.condition, node)
        if shown is None or shown.qualifier > INPUT:
            return False
        node = look.value_node(node.then)
    return isinstance(node, nodes.Name) and node.id in _PRICES and look.symbol(node) is None


_PRICES = ("open", "high", "low", "close", "hl2", "hlc3", "ohlc4", "hlcc4")


def _is_negative(look: Look, node: nodes.Node) -> bool:
    node = bare(look.value_node(node))
    if look.called(node) in _ROUNDING:
        given = next(iter(look.given(node).values()))
        return _is_negative(look, given)
    known, value = look.value(node)
    if known:
        return isinstance(value, int | float) and value < 0
    if isinstance(node, nodes.Binary) and node.operator in ("*", "/"):
        return _is_negative(look, node.left) is not _is_negative(look, node.right)
    if isinstance(node, nodes.Binary) and node.operator in ("+", "-"):
        return _is_negative(look, node.left) and look.value(node.right)[0]
    return isinstance(node, nodes.Unary) and node.operator == "-"


_ROUNDING = reference.having("rounds")


def _lags(look: Look, drawn: nodes.Node, bars: float) -> bool:
    """Whether what is drawn may be of a bar so many `bars` ago, as a pivot is."""
    reach = 0.0
    for part in parts(look, drawn, conditions=True):
        if look.called(part) in _LAGGING:
            return True
        if isinstance(part, nodes.History):
            known, back = look.value(part.offset)
            if not known or not isinstance(back, int | float):
                return True
            reach += back
    return reach > 0 and reach >= bars


_LAGGING = reference.having("lags")
