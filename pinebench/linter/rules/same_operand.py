"""Rule PB1008: an operation with the same operand twice."""

from __future__ import annotations

from pinebench.linter.rules.alike import COMPARING, Comparands, chains, comparands, is_random, outline, same, thing
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, bare, nodes

_ARITHMETIC = ("-", "/", "%")


class SameOperand(Rule):
    """A comparison, `-`, `/`, `%`, `and` or `or` has the same expression on both sides, or a chain of `and` or `or` has
    a condition twice. Usually one of them is a mistake.

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
    operators = ("and", "or", *COMPARING, *_ARITHMETIC)

    def finish(self, context: RuleContext) -> Findings:
        """Report operations with two equal operands."""
        things = comparands(context)
        for node, parts in chains(context):
            twin = _twin(things, parts)
            if twin is not None and not is_random(context, twin) and context.only_gives_a_value(twin):
                yield context.report(self.code, node, operator=node.operator)
        alike = [node for node, (left, right) in things.items() if left == right and left is not None]
        for node in (*alike, *(each for operator in _ARITHMETIC for each in context.operations.get(operator, ()))):
            left, right = node.left, node.right
            if type(left) is nodes.Parenthesized or type(right) is nodes.Parenthesized:
                left, right = bare(left), bare(right)
            if type(left) is not type(right) or type(left) is nodes.Literal or not same(left, right):
                continue
            if not is_random(context, left) and context.only_gives_a_value(left):
                yield context.report(self.code, node, operator=node.operator)


def _twin(things: Comparands, parts: list[nodes.Node]) -> nodes.Node | None:
    """The first condition that occurs twice in a chain; None if there is none."""
    if len({things.get(part) or thing(part) for part in parts}) == len(parts):
        return None  # all keys differ
    known: dict[object, list[nodes.Node]] = {}
    for part in parts:
        earlier = known.setdefault(outline(part), [])
        if any(same(part, each) for each in earlier[:_MOST]) and not isinstance(part, nodes.Literal):
            return part
        earlier.append(part)
    return None


_MOST = 8
"""The largest number of conditions with the same outline that are compared with each other."""
