"""Rule PB1013: a division by a value that may be 0."""

from __future__ import annotations

from collections.abc import Iterator

from pinebench.linter.rules.alike import names_in, same
from pinebench.linter.rules.arrays import may_be_empty, receiver, starts_empty
from pinebench.linter.rules.guards import asked
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, bare, nodes, path, reference, walk


class DivisionByZero(Rule):
    """The divisor can be 0: it is a difference of prices, a volume, a size, a deviation, a count of trades, or an input
    whose default or minimum is 0. One bar without movement or trades is enough. Then the result is na or infinite, and
    all sums and averages of it may stay na.

    The rule reports nothing if a condition around the division tests the divisor, or if `math.max` or an added number
    prevents 0.

    Bad:

        //@version=6
        indicator("Example")
        plot((close - low) / (high - low))

    Good:

        //@version=6
        indicator("Example")
        span = high - low
        plot(span > 0 ? (close - low) / span : 0.5)
    """

    code = "PB1013"
    operators = ("/", "%")
    nodes = (nodes.Reassignment,)

    def finish(self, context: RuleContext) -> Findings:
        """Report divisors that may be 0 and that no condition tests."""
        for node, divisor in divisions(context):
            yield from self._divided(node, divisor, context)

    def _divided(self, node: nodes.Node, divisor: nodes.Node, context: RuleContext) -> Findings:
        if isinstance(divisor, nodes.Literal) or not _may_be_zero(context, divisor):
            return
        size = context.value_node(divisor)
        inner = context.argument(size, "number") if context.called(size) == "math.abs" else None
        if inner is not None and is_guarded(context, node, bare(inner)):
            return
        if not is_guarded(context, node, divisor):
            yield context.report(self.code, divisor, within=node, divisor=context.shown(divisor))


_PRICES = frozenset(("open", "high", "low", "close", "hl2", "hlc3", "ohlc4", "hlcc4"))
_MAYBE_ZERO = reference.having("maybe_zero")
_COUNTS = frozenset(
    f"strategy.{name}"
    for name in ("closedtrades", "wintrades", "losstrades", "eventrades", "grossloss", "grossprofit", "position_size")
)
_EXTREMES = frozenset(("ta.highest", "ta.lowest"))


def divisions(context: RuleContext) -> Iterator[tuple[nodes.Node, nodes.Node]]:
    """Yield each division and each assignment that divides, with its divisor."""
    for operator in ("/", "%"):
        for node in context.operations.get(operator, ()):
            yield node, bare(node.right)
    for write in context.of(nodes.Reassignment):
        if write.operator in ("/=", "%="):
            yield write, bare(write.value)


def _may_be_zero(context: RuleContext, node: nodes.Node) -> bool:
    node = context.value_node(node)
    if isinstance(node, nodes.Name):
        return node.id == "volume" and context.symbol(node) is None
    if isinstance(node, nodes.Member):
        return path(node) in _COUNTS and context.is_builtin(node)
    if context.called(node) in ("input.int", "input.float", "input"):
        return _allows_zero(context, node)
    if isinstance(node, nodes.Binary) and node.operator == "-":
        return all(_is_price(context, side) for side in (node.left, node.right))
    if context.called(node) == "math.abs" and (given := context.argument(node, "number")) is not None:
        return _may_be_zero(context, bare(given))
    symbol = receiver(context, node) if context.called(node) == "array.size" else None
    if symbol is not None and symbol.kind == "variable":
        return starts_empty(context, symbol) and may_be_empty(context, node, symbol)
    return context.called(node) in _MAYBE_ZERO


def _allows_zero(context: RuleContext, node: nodes.Node) -> bool:
    """Whether an input allows 0 visibly: its default or its minimum is 0."""
    given = {name: context.argument(node, name) for name in ("defval", "minval")}
    values = {name: context.value(each) for name, each in given.items() if each is not None}
    return (True, 0) in values.values() and context.argument(node, "options") is None


def _is_price(context: RuleContext, node: nodes.Node) -> bool:
    node = context.value_node(node)
    if isinstance(node, nodes.History):
        node = bare(node.object)
    if isinstance(node, nodes.Name):
        return node.id in _PRICES and context.symbol(node) is None
    return context.called(node) in _EXTREMES


def is_guarded(context: RuleContext, node: nodes.Node, divisor: nodes.Node) -> bool:
    """Return whether a condition around the division tests the divisor or its parts, or `nz` handles the result."""
    if any(context.called(above) in ("nz", "na") for above in context.parents(node)):
        return True
    value = context.value_node(divisor)
    symbols = {symbol for name in names_in(divisor) if (symbol := context.symbol(name)) is not None}
    for condition, _ in asked(context, node):
        for part in walk(condition):
            if same(part, divisor) or same(part, value) or context.symbol(part) in symbols:
                return True
            if isinstance(value, nodes.Binary) and _compares(context, part, value):
                return True
            if context.symbol(part) is not None and any(same(value, each) for each in walk(context.value_node(part))):
                return True
    return False


def _compares(context: RuleContext, part: nodes.Node, difference: nodes.Binary) -> bool:
    if not isinstance(part, nodes.Binary) or part.operator not in ("==", "!=", ">", "<"):
        return False
    return {context.text(part.left), context.text(part.right)} == {
        context.text(difference.left),
        context.text(difference.right),
    }
