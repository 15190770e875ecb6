"""Rule PB5003: a counting loop over an array that may be empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.arrays import may_be_empty, receiver, starts_empty
from pinebench.lint.rules.look import bare
from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class BackwardLoop(Rule):
    """`for i = 0 to array.size(a) - 1` counts down from 0 to -1 while the array is empty, and its first element is not
    there. Ask for the size first, or use `for [i, element] in a`.

    Bad:

        //@version=6
        indicator("Example")
        var prices = array.new<float>()
        if high > high[1]
            prices.push(high)
        sum = 0.0
        for i = 0 to prices.size() - 1
            sum += prices.get(i)
        plot(sum)

    Good:

        //@version=6
        indicator("Example")
        var prices = array.new<float>()
        if high > high[1]
            prices.push(high)
        sum = 0.0
        for price in prices
            sum += price
        plot(sum)
    """

    code = "PB5003"
    nodes = (nodes.ForTo,)

    def visit(self, node: nodes.ForTo, look: Look) -> Iterator[Diagnostic]:
        """Report a loop from 0 to a size less 1 that takes elements, where the array may be empty."""
        last = bare(look.value_node(node.last))
        if look.value(node.first) != (True, 0) or not isinstance(last, nodes.Binary) or last.operator != "-":
            return
        size = look.value_node(last.left)
        if look.called(size) != "array.size" or look.value(last.right) != (True, 1):
            return
        symbol = receiver(look, size)
        if symbol is None or symbol.reassignments or not starts_empty(look, symbol):
            return
        if not may_be_empty(look, node, symbol):
            return
        for part in walk(node.body):
            if look.called(part) in _TAKING and not any(True for _ in look.conditions(part, node)):
                yield look.report(self.code, node.last, name=symbol.name)
                return


_TAKING = ("array.get", "array.set", "array.remove")
