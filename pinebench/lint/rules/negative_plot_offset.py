"""Rule PB2005: a plot that is shifted into the past."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.look import bare
from pinebench.lint.rules.requests import parts
from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class NegativePlotOffset(Rule):
    """`offset` shifts a plot to the left, so that it stands on bars on which its value was not known yet. What looks
    like a signal at the low came bars later.

    Left alone where the series itself lags, which the offset only makes up for: pivots, and values taken with `[n]`;
    and colours, which mark all the bars of a pattern.

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

    def visit(self, node: nodes.Call, look: Look) -> Iterator[Diagnostic]:
        """Report an offset that is surely negative, of a series that does not lag."""
        offset = look.argument(node, "offset")
        if offset is None or not _is_negative(look, offset) or look.argument(node, "show_last") is not None:
            return
        drawn = look.argument(node, "series")
        if drawn is None or not any(_lags(look, part) for part in parts(look, drawn)):
            yield look.report(self.code, offset)


def _is_negative(look: Look, node: nodes.Node) -> bool:
    node = bare(look.value_node(node))
    known, value = look.value(node)
    if known:
        return isinstance(value, int | float) and value < 0
    return isinstance(node, nodes.Unary) and node.operator == "-"


def _lags(look: Look, part: nodes.Node) -> bool:
    if isinstance(part, nodes.History):
        return True
    return look.called(part) in _LAGGING


_LAGGING = ("ta.pivothigh", "ta.pivotlow", "ta.valuewhen", "ta.barssince", "ta.highestbars", "ta.lowestbars")
