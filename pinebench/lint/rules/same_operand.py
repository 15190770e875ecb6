"""Rule PB1008: an operation both of whose operands are the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.alike import same
from pinebench.lint.rules.look import bare
from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class SameOperand(Rule):
    """A comparison, `-`, `/`, `%`, `and` or `or` has the same expression on both sides: one of them is mostly a slip.

    Bad:

        //@version=6
        indicator("Example")
        bullish = close > close and open > open[1]
        plotshape(bullish)

    Good:

        //@version=6
        indicator("Example")
        bullish = close > close[1] and open > open[1]
        plotshape(bullish)
    """

    code = "PB1008"
    operators = ("==", "!=", "<", "<=", ">", ">=", "and", "or", "-", "/", "%")

    def visit(self, node: nodes.Binary, look: Look) -> Iterator[Diagnostic]:
        """Report two operands that are written alike."""
        left, right = node.left, node.right
        if left.__class__ is not right.__class__ and nodes.Parenthesized not in (left.__class__, right.__class__):
            return
        left, right = bare(left), bare(right)
        if left.__class__ is not right.__class__ or isinstance(left, nodes.Literal) or not same(left, right):
            return
        if not any(isinstance(part, nodes.Call) and look.called(part) == "math.random" for part in (left, right)):
            yield look.report(self.code, node, operator=node.operator)
