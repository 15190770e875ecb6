"""Rule PB1013: a division by what may be 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench import reference
from pinebench.linter.rules.alike import names_in, same
from pinebench.linter.rules.arrays import may_be_empty, receiver, starts_empty
from pinebench.linter.rules.guards import asked
from pinebench.linter.rules.look import bare, path
from pinebench.linter.rules.rule import Rule, register
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.rules.look import Look


@register
class DivisionByZero(Rule):
    """The divisor is a difference of prices, a volume, a size, a deviation, a count of trades or an input of which 0 is
    the default or the least: a bar without movement or trades is enough to make it 0. The result is na then, and
    everything that keeps sums or averages of it stays na.

    Left alone where a condition around the division looks at the divisor, or `math.max` or an added number keeps it
    from 0.

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

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report divisors of such a kind that nothing looks at."""
        for operator in self.operators:
            for node in look.operations.get(operator, ()):
                yield from self._divided(node, bare(node.right), look)
        for node in look.of(nodes.Reassignment):
            if node.operator in ("/=", "%="):
                yield from self._divided(node, bare(node.value), look)

    def _divided(self, node: nodes.Node, divisor: nodes.Node, look: Look) -> Iterator[Diagnostic]:
        if isinstance(divisor, nodes.Literal) or not _may_be_zero(look, divisor):
            return
        size = look.value_node(divisor)
        inner = look.argument(size, "number") if look.called(size) == "math.abs" else None
        if inner is not None and _is_guarded(look, node, bare(inner)):
            return
        if not _is_guarded(look, node, divisor):
            yield look.report(self.code, divisor, within=node, divisor=look.shown(divisor))


_PRICES = frozenset(("open", "high", "low", "close", "hl2", "hlc3", "ohlc4", "hlcc4"))
_MAYBE_ZERO = reference.having("maybe_zero")
_COUNTS = frozenset(
    f"strategy.{name}"
    for name in ("closedtrades", "wintrades", "losstrades", "eventrades", "grossloss", "grossprofit", "position_size")
)
_EXTREMES = frozenset(("ta.highest", "ta.lowest"))


def _may_be_zero(look: Look, node: nodes.Node) -> bool:
    node = look.value_node(node)
    if isinstance(node, nodes.Name):
        return node.id == "volume" and look.symbol(node) is None
    if isinstance(node, nodes.Member):
        return path(node) in _COUNTS and look.is_builtin(node)
    if look.called(node) in ("input.int", "input.float", "input"):
        return _allows_zero(look, node)
    if isinstance(node, nodes.Binary) and node.operator == "-":
        return all(_is_price(look, side) for side in (node.left, node.right))
    if look.called(node) == "math.abs" and (given := look.argument(node, "number")) is not None:
        return _may_be_zero(look, bare(given))
    symbol = receiver(look, node) if look.called(node) == "array.size" else None
    if symbol is not None and symbol.kind == "variable":
        return starts_empty(look, symbol) and may_be_empty(look, node, symbol)
    return look.called(node) in _MAYBE_ZERO


def _allows_zero(look: Look, node: nodes.Node) -> bool:
    """Whether people see 0 among what an input may be: as its default or its least."""
    given = {name: look.argument(node, name) for name in ("defval", "minval")}
    values = {name: look.value(each) for name, each in given.items() if each is not None}
    return (True, 0) in values.values() and look.argument(node, "options") is None


def _is_price(look: Look, node: nodes.Node) -> bool:
    node = look.value_node(node)
    if isinstance(node, nodes.History):
        node = bare(node.object)
    if isinstance(node, nodes.Name):
        return node.id in _PRICES and look.symbol(node) is None
    return look.called(node) in _EXTREMES


def _is_guarded(look: Look, node: nodes.Node, divisor: nodes.Node) -> bool:
    """Whether a condition around the division looks at the divisor or its parts, or `nz` takes the result."""
    if any(look.called(above) in ("nz", "na") for above in look.parents(node)):
        return True
    value = look.value_node(divisor)
    symbols = {symbol for name in names_in(divisor) if (symbol := look.symbol(name)) is not None}
    for condition, _ in asked(look, node):
        for part in walk(condition):
            if same(part, divisor) or same(part, value) or look.symbol(part) in symbols:
                return True
            if isinstance(value, nodes.Binary) and _compares(look, part, value):
                return True
            if look.symbol(part) is not None and any(same(value, each) for each in walk(look.value_node(part))):
                return True
    return False


def _compares(look: Look, part: nodes.Node, difference: nodes.Binary) -> bool:
    """Whether a condition compares the two sides of a difference."""
    if not isinstance(part, nodes.Binary) or part.operator not in ("==", "!=", ">", "<"):
        return False
    return {look.text(part.left), look.text(part.right)} == {look.text(difference.left), look.text(difference.right)}
