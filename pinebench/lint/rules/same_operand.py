"""Rule PB1008: an operation both of whose operands are the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report two operands that are written alike; most differ in their class already."""
        for operator in _OPERATORS:
            for node in look.operations.get(operator, ()):
                left: Any = node.left
                right: Any = node.right
                kind = left.__class__
                if kind is nodes.Parenthesized or right.__class__ is nodes.Parenthesized:
                    yield from self._alike(node, bare(left), bare(right), look)
                elif kind is right.__class__ and (kind is not nodes.Name or left.id == right.id):
                    yield from self._alike(node, left, right, look)

    def _alike(self, node: nodes.Binary, left: nodes.Node, right: nodes.Node, look: Look) -> Iterator[Diagnostic]:
        if isinstance(left, nodes.Literal) or not same(left, right):
            return
        if look.called(left) != "math.random":
            yield look.report(self.code, node, operator=node.operator)


_OPERATORS = ("==", "!=", "<", "<=", ">", ">=", "and", "or", "-", "/", "%")
