"""Determines the possible values of an expression, and whether several comparisons of it can be true together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import inf
from typing import Any

from pinebench import reference
from pinebench.checker import VariableSymbol
from pinebench.linter.rules.alike import names_in, same
from pinebench.linter.rules.context import RuleContext, once_each, path
from pinebench.records import NamedTuple
from pinebench.syntax import nodes
from pinebench.syntax.nodes import Node
from pinebench.syntax.walk import bare

FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
"""For each comparison operator, the one to use when the sides are exchanged."""
DENIED = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "=="}
"""The operator that is true if the comparison is false, apart from na."""
_ORDERS = {"<": {-1}, "<=": {-1, 0}, ">": {1}, ">=": {0, 1}, "==": {0}, "!=": {-1, 1}}


class NumberRange(NamedTuple):
    """The numbers from `low` to `high`. An open end is not included."""

    low: float = -inf
    high: float = inf
    low_open: bool = False
    high_open: bool = False

    def both(self, other: NumberRange) -> NumberRange:
        """Return the numbers that are in this range and in `other`."""
        low = max((self.low, self.low_open), (other.low, other.low_open))
        high = min((self.high, not self.high_open), (other.high, not other.high_open))
        return NumberRange(low[0], high[0], low[1], not high[1])

    @property
    def is_empty(self) -> bool:
        """Whether the range contains no number."""
        return self.low > self.high or (self.low == self.high and (self.low_open or self.high_open))


ANYTHING = NumberRange()


class Comparison(NamedTuple):
    """A comparison: the compared expression, the operator, and the number or the other expression."""

    subject: Node
    operator: str
    number: float | None
    other: Node
    text: str | None = None
    """The other expression's value if it is a string, or its name if it is a built-in constant; otherwise None."""

    @property
    def range(self) -> NumberRange:
        """The numbers for which a comparison with a number is true; all numbers for `!=`."""
        assert self.number is not None
        number, operator = self.number, self.operator
        if operator in ("<", "<="):
            return NumberRange(high=number, high_open=operator == "<")
        if operator in (">", ">="):
            return NumberRange(low=number, low_open=operator == ">")
        return NumberRange(number, number) if operator == "==" else NumberRange()

    @property
    def denied(self) -> Comparison:
        """The negated comparison, which is true if this one is false."""
        return Comparison(self.subject, DENIED[self.operator], self.number, self.other, self.text)

    def never_holds(self, natural: NumberRange) -> bool:
        """Return whether a comparison with a number is false for all numbers in the closed range `natural`."""
        return self.number is not None and _is_never(natural, self.operator, self.number)

    def always_holds(self, natural: NumberRange) -> bool:
        """Return whether a comparison with a number is true for all numbers in the closed range `natural`."""
        return self.number is not None and _is_never(natural, DENIED[self.operator], self.number)


def decides(natural: NumberRange, operator: str, number: object) -> bool:
    """Return whether a comparison with `number` has the same result for all numbers in the closed range `natural`."""
    if not isinstance(number, (int, float)):
        return False
    return _is_never(natural, operator, number) or _is_never(natural, DENIED[operator], number)


def _is_never(natural: NumberRange, operator: str, number: float) -> bool:
    if operator == "<":
        return natural.low >= number
    if operator == "<=":
        return natural.low > number
    if operator == ">":
        return natural.high <= number
    if operator == ">=":
        return natural.high < number
    return operator == "==" and not natural.low <= number <= natural.high


def comparison(context: RuleContext, node: Node) -> Comparison | None:
    """Return an expression as a comparison with the known value on the right, or None if it is not a comparison."""
    if type(node) is nodes.Parenthesized:
        node = bare(node)
    if not isinstance(node, nodes.Binary) or node.operator not in FLIPPED:
        return None
    left, right = node.left, node.right
    if type(left) is nodes.Parenthesized or type(right) is nodes.Parenthesized:
        left, right = bare(left), bare(right)
    value, other = _known(context, right), _known(context, left)
    if value is None and other is None:
        return Comparison(left, node.operator, None, right)
    if value is not None and other is not None and not isinstance(value, str):
        return None
    operator, subject, constant = node.operator, left, right
    if value is None:
        operator, subject, constant, value = FLIPPED[operator], right, left, other
    if isinstance(value, str):
        return Comparison(subject, operator, None, constant, value)
    return Comparison(subject, operator, value, constant)


def _known(context: RuleContext, node: Node) -> float | str | None:
    """Return the value of an expression: a number, a text or the name of a built-in constant; None if it is not
    known."""
    _, value = context.value(node)
    return None if isinstance(value, bool) else value


def _number(context: RuleContext, node: Node) -> float | None:
    value = _known(context, node)
    return None if isinstance(value, str) else value


def contradicts(first: Comparison, second: Comparison) -> bool:
    """Return whether two comparisons can never be true together, because they contradict each other about the same
    expression."""
    if first.number is not None and second.number is not None:
        if not same(first.subject, second.subject):
            return False
        if "!=" in (first.operator, second.operator):
            return {first.operator, second.operator} == {"==", "!="} and first.number == second.number
        return first.range.both(second.range).is_empty
    if first.number is not None or second.number is not None:
        return False
    if first.text is not None and second.text is not None:
        if not same(first.subject, second.subject):
            return False
        alike = first.text == second.text
        return not alike if first.operator == second.operator == "==" else alike and first.operator != second.operator
    if same(first.subject, second.subject) and same(first.other, second.other):
        return not _ORDERS[first.operator] & _ORDERS[second.operator]
    if same(first.subject, second.other) and same(first.other, second.subject):
        return not _ORDERS[first.operator] & _ORDERS[FLIPPED[second.operator]]
    return False


def holds_still(context: RuleContext, node: Node) -> bool:
    """Return whether an expression keeps its value within a bar: none of its variables is reassigned or declared with
    `varip`."""
    if type(node) is nodes.Literal:
        return True
    if type(node) is nodes.Name:
        return _is_still(context.symbol(node))
    return all(_is_still(context.symbol(name)) for name in names_in(node))


def _is_still(symbol: VariableSymbol | None) -> bool:
    return symbol is None or not (symbol.reassignments or symbol.mode == "varip")


_WITHIN = {name: NumberRange(*bounds) for name, bounds in reference.functions_within().items()}
_NAMED = {name: NumberRange(*bounds) for name, bounds in reference.variables_within().items()}
_NEVER_NA = reference.having("never_na")


def may_be_na(context: RuleContext, node: Node) -> bool:
    """Return whether an expression with a known natural range may also be na."""
    node = context.value_node(node)
    return (context.called(node) or context.text(node)) not in _NEVER_NA


def _is_of_the_bar(context: RuleContext, stochastic: nodes.Call) -> bool:
    """Whether `ta.stoch` compares a price of a bar with its own high and low, so that the result is between 0 and
    100."""
    given = {name: context.argument(stochastic, name) for name in ("source", "high", "low")}
    names = {name: each.id for name, each in given.items() if isinstance(each, nodes.Name) and not context.symbol(each)}
    return names.get("high") == "high" and names.get("low") == "low" and names.get("source") in _PRICES


_PRICES = ("open", "high", "low", "close", "hl2", "hlc3", "ohlc4", "hlcc4")


def natural_range(context: RuleContext, node: Any) -> NumberRange:
    """Return the range of an expression's values that follows from its meaning: 0 to 100 for `ta.rsi()`, at least 0 for
    a size.

    The result is `ANYTHING` itself if nothing is known.
    """
    kind = type(node)
    if kind is nodes.Name:
        symbol = context.symbol(node)
        if symbol is None:
            return _NAMED.get(node.id, ANYTHING)
        if type(symbol.value) not in _RANGING:
            return ANYTHING
    if kind is nodes.Name or kind is nodes.Parenthesized:
        node = context.value_node(node)
        kind = type(node)
    if kind is nodes.Call:
        callee = node.callee
        if type(callee) is not nodes.Member or callee.name not in _WORDS:
            return ANYTHING
        called = context.called(node) or ""
        return _WITHIN.get(called, ANYTHING) if called != "ta.stoch" or _is_of_the_bar(context, node) else ANYTHING
    if kind is nodes.Name:
        return _NAMED.get(node.id, ANYTHING) if context.symbol(node) is None else ANYTHING
    if kind is not nodes.Member or node.name not in _WORDS or not context.is_builtin(node):
        return ANYTHING
    return _NAMED.get(path(node) or "", ANYTHING)


_RANGING = (nodes.Name, nodes.Parenthesized, nodes.Call, nodes.Member)
"""The classes of expressions that can have a natural range."""
_WORDS = frozenset(name.rpartition(".")[2] for name in (*_WITHIN, *_NAMED))
"""The last parts of the names that have a natural range."""


_MOST_COMPARED = 32


def pairs(items: list[Comparison]) -> Iterator[tuple[Comparison, Comparison]]:
    """Return every pair of `items`, in order. Only the first _MOST_COMPARED items are paired."""
    return combinations(items[:_MOST_COMPARED], 2)


def comparisons(context: RuleContext, conditions: Iterable[Node]) -> list[Comparison]:
    """Return the comparisons among `conditions` whose sides keep their values within a bar."""
    return [found for condition in conditions if (found := _steady_comparison(context, condition)) is not None]


@once_each
def _steady_comparison(context: RuleContext, condition: Node) -> Comparison | None:
    """The comparison in a condition, which many branches may use, if its sides keep their values within a bar."""
    found = comparison(context, condition)
    if found is None or not holds_still(context, found.subject) or not holds_still(context, found.other):
        return None
    return found


def reachable(context: RuleContext, node: Node, depth: int = 0) -> NumberRange:
    """Return the range of the values that an expression may have.

    An input can be any number between its limits. Its default replaces a missing limit. The range of an unknown
    expression is `ANYTHING`.
    """
    node = context.value_node(node)
    number = _number(context, node)
    if number is not None:
        return NumberRange(number, number)
    if depth > 8:
        return ANYTHING
    if isinstance(node, nodes.Name):
        counted = context.symbol(node)
        if counted is not None and counted.kind == "counter" and isinstance(counted.declaration, nodes.ForTo):
            loop = counted.declaration
            first, last = reachable(context, loop.first, depth + 1), reachable(context, loop.last, depth + 1)
            return NumberRange(min(first.low, last.low), max(first.high, last.high))
    if context.called(node) in ("input.int", "input.float", "input"):
        return _of_input(context, node)
    if isinstance(node, nodes.Unary) and node.operator == "-":
        inner = reachable(context, node.operand, depth + 1)
        return NumberRange(-inner.high, -inner.low)
    if isinstance(node, nodes.Binary) and node.operator in ("+", "-", "*"):
        return _combined(
            node.operator, reachable(context, node.left, depth + 1), reachable(context, node.right, depth + 1)
        )
    if context.called(node) in ("math.max", "math.min") and isinstance(node, nodes.Call):
        sides = [reachable(context, getattr(each, "value", each), depth + 1) for each in node.arguments]
        choose = max if context.called(node) == "math.max" else min
        return NumberRange(choose(side.low for side in sides), choose(side.high for side in sides))
    return natural_range(context, node)


def _of_input(context: RuleContext, node: Node) -> NumberRange:
    given = {name: context.argument(node, name) for name in ("defval", "minval", "maxval")}
    values = {name: _number(context, each) for name, each in given.items() if each is not None}
    default = values.get("defval")
    if default is None:
        return ANYTHING
    least, most = values.get("minval"), values.get("maxval")
    return NumberRange(default if least is None else least, default if most is None else most)


def _combined(operator: str, left: NumberRange, right: NumberRange) -> NumberRange:
    if operator == "-":
        return NumberRange(left.low - right.high, left.high - right.low)
    if operator == "+":
        return NumberRange(left.low + right.low, left.high + right.high)
    ends = [one * other for one in left[:2] for other in right[:2]]
    return ANYTHING if any(end != end for end in ends) else NumberRange(min(ends), max(ends))
