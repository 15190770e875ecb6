"""Rule PB1004: an index that lies outside an array whose size is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.arrays import fixed_size
from pinebench.lint.rules.look import bare
from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class IndexOutOfBounds(Rule):
    """An index lies outside the array, which stops the script with an error on the first bar that reaches it.

    Reported where the size is sure: the array is made with it, and nothing makes it longer or shorter. The last of
    `n` elements is `n - 1`; indices from -1 down to `-n` count from the end.

    Bad:

        //@version=6
        indicator("Example")
        lengths = array.from(10, 20, 50)
        plot(ta.sma(close, 10) - array.get(lengths, 3))

    Good:

        //@version=6
        indicator("Example")
        lengths = array.from(10, 20, 50)
        plot(ta.sma(close, 10) - array.get(lengths, 2))
    """

    code = "PB1004"
    calls = ("array.get", "array.set", "array.remove")

    def visit(self, node: nodes.Call, look: Look) -> Iterator[Diagnostic]:
        """Report a known index, or the last of a counter, that is too large or too small."""
        index, array = look.argument(node, "index"), look.argument(node, "id")
        symbol = look.symbol(bare(array)) if array is not None else None
        if index is None or symbol is None:
            return
        reached = _farthest(look, index)
        if not reached:
            return
        size = fixed_size(look, symbol)
        if size is None:
            return
        outside = next((value for value in reached if not -size <= value < size), None)
        if outside is not None:
            yield look.report(self.code, index, index=outside, name=symbol.name, size=size)


def _farthest(look: Look, index: nodes.Node) -> list[int]:
    """The known values of an index; of a counter that nothing else limits, its ends."""
    known, value = look.value(index)
    if known:
        return [value] if isinstance(value, int) and not isinstance(value, bool) else []
    symbol = look.symbol(bare(index))
    if symbol is None or symbol.kind != "counter" or not isinstance(symbol.declaration, nodes.ForTo):
        return []
    loop = symbol.declaration
    if loop.step is not None or any(condition is not None for condition, _ in look.conditions(index)):
        return []
    ends = [look.value(loop.first), look.value(loop.last)]
    return [value for known, value in ends if known and isinstance(value, int)]
