"""Rule PB1008: an operation both of whose operands are the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pinebench.lint.rules.alike import chains, is_random, outline, same
from pinebench.lint.rules.look import bare
from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


_OPERATORS = ("==", "!=", "<", "<=", ">", ">=", "-", "/", "%")


@register
class SameOperand(Rule):
    """A comparison, `-`, `/`, `%`, `and` or `or` has the same expression on both sides, or a chain of `and` or
    `or` has a condition twice: one of them is mostly a slip.

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
    operators = ("and", "or", *_OPERATORS)

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report two operands that are written alike; most differ in their class already."""
        for node, parts in chains(look):
            twin = _twin(parts)
            if twin is not None and not is_random(look, twin) and look.only_gives_a_value(twin):
                yield look.report(self.code, node, operator=node.operator)
        for operator in _OPERATORS:
            for node in look.operations.get(operator, ()):
                left: Any = node.left
                right: Any = node.right
                kind = type(left)
                if kind is nodes.Parenthesized or type(right) is nodes.Parenthesized:
                    left, right = bare(left), bare(right)
                    kind = type(left)
                if kind is not type(right) or kind is nodes.Literal or (kind is nodes.Name and left.id != right.id):
                    continue
                if same(left, right) and not is_random(look, left) and look.only_gives_a_value(left):
                    yield look.report(self.code, node, operator=node.operator)


def _twin(parts: list[nodes.Node]) -> nodes.Node | None:
    """The first condition of a chain that stands in it twice."""
    if len(parts) == 2:
        one, other = parts
        if type(one) is not type(other) or getattr(one, "operator", "") != getattr(other, "operator", ""):
            return None
        return other if same(one, other) and not isinstance(other, nodes.Literal) else None
    known: dict[object, list[nodes.Node]] = {}
    for part in parts:
        earlier = known.setdefault(outline(part), [])
        if any(same(part, each) for each in earlier[:_MOST]) and not isinstance(part, nodes.Literal):
            return part
        earlier.append(part)
    return None


_MOST = 8
"""So many conditions of one outline are compared with each other."""
