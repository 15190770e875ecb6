"""Rule PB7007: an unnamed number in a signal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import ClassVar

from pinebench.checker import SIMPLE
from pinebench.linter.rules.rule import Diagnostic, Findings, Option, Rule, RuleContext, bare, nodes, reference
from pinebench.linter.rules.signals import SIGNALS, signals


class MagicNumber(Rule):
    """A condition on which a signal depends contains an unnamed number, in a comparison or in a call such as
    `ta.crossover`. As an input or a named constant, the number would show its meaning and could be changed in one
    place.

    Bad:

        //@version=6
        indicator("Example")
        plotshape(ta.rsi(close, 14) > 72)

    Good:

        //@version=6
        indicator("Example")
        OVERBOUGHT = 72
        plotshape(ta.rsi(close, 14) > OVERBOUGHT)
    """

    code = "PB7007"
    operators = ("<", "<=", ">", ">=")
    calls = tuple(sorted(reference.having("crosses")))
    options: ClassVar = {"allowed": Option(("0", "1", "2", "100"), "The numbers that do not need a name.")}

    def finish(self, context: RuleContext) -> Findings:
        """Report literals in comparisons on which a signal depends."""
        allowed = context.option(self, "allowed")
        if _SIGNALS.isdisjoint(context.builtin_calls) or not isinstance(allowed, (tuple, list)):
            return ()
        allowed = _numbers(tuple(map(str, allowed)))
        found: list[Diagnostic] = []
        for node, sides in self._compared(context):
            for side in sides:
                number = side
                if type(number) is nodes.Parenthesized:
                    number = side = bare(side)
                if type(number) is nodes.Unary and number.operator == "-":
                    number = number.operand
                if type(number) is not nodes.Literal or number.kind not in ("int", "float"):
                    continue
                value = _number(number.text)
                if (
                    value in allowed
                    or (isinstance(value, float) and value <= _TINY)
                    or node not in signals(context).fed
                ):
                    continue
                if not _is_of_settings_or_sizes(context, sides, side, node) and not _picks_a_number(context, node):
                    found.append(context.report(self.code, side, within=node, number=context.text(side)))
        return found

    def _compared(self, context: RuleContext) -> list[tuple[nodes.Node, Sequence[nodes.Node]]]:
        """The comparisons that may contain a number, each with the compared expressions."""
        found: list[tuple[nodes.Node, Sequence[nodes.Node]]] = [
            (node, (node.left, node.right))
            for operator in self.operators
            for node in context.operations.get(operator, ())
            if type(node.right) in _NUMBERS or type(node.left) in _NUMBERS
        ]
        for name in self.calls:
            for call in context.builtin_calls.get(name, ()):
                found.append((call, tuple(context.given(call).values())))
        return found


_SIGNALS = frozenset(SIGNALS)
_NUMBERS = frozenset((nodes.Literal, nodes.Unary, nodes.Parenthesized))
"""The classes of nodes that may be a number."""
_TINY = 1e-6
"""Numbers up to this one are treated as zero."""
_SIZES = reference.having("counts")


def _is_of_settings_or_sizes(
    context: RuleContext, sides: Iterable[nodes.Node], literal: nodes.Node, node: nodes.Node
) -> bool:
    """Whether a number is compared with a value that is the same on every bar, such as the length of the timeframe, or
    with a number of elements."""
    for side in sides:
        if side is literal or bare(side) is literal:
            continue
        type_ = context.type(side, node)
        if (type_ is not None and type_.qualifier <= SIMPLE) or context.called(context.value_node(side)) in _SIZES:
            return True
    return False


def _picks_a_number(context: RuleContext, node: nodes.Node) -> bool:
    """Whether a comparison chooses between several numbers, such as a length that depends on the volatility. A choice
    such as `? 1 : -1` or `? 10 : 0` does not count."""
    choice: nodes.Node | None = None
    below = node
    for above in context.parents(node):
        if isinstance(above, nodes.Ternary) and (choice is not None or below is above.condition):
            choice = above
        elif not isinstance(above, (nodes.Parenthesized, nodes.Unary)) and (
            choice is not None or not isinstance(above, nodes.Binary)
        ):
            break
        below = above
    numbers: set[object] = set()
    pending: list[nodes.Node] = [choice] if choice is not None else []
    while pending:
        picked = bare(pending.pop())
        if isinstance(picked, nodes.Ternary):
            pending += (picked.then, picked.otherwise)
        elif isinstance(picked, nodes.Unary):
            pending.append(picked.operand)
        elif isinstance(picked, nodes.Literal) and picked.kind in ("int", "float"):
            numbers.add(_number(picked.text))
    return len(numbers - {0.0}) > 1


@lru_cache(maxsize=8)
def _numbers(texts: tuple[str, ...]) -> frozenset[object]:
    return frozenset(map(_number, texts))


def _number(text: str) -> object:
    """The number in a text, so that `0.0` equals `0`; any other text is returned unchanged."""
    try:
        return float(text)
    except ValueError:
        return text
