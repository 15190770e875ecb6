"""Rule PB1005: the first or last element of an array that may be empty."""

from __future__ import annotations

from pinebench.linter.rules.arrays import may_be_empty, starts_empty
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, bare, nodes, reference


class EmptyCollection(Rule):
    """`first`, `last`, `pop` and `shift` stop the script with an error while the array is empty.

    The rule reports a call on an array that begins empty, if no condition around the call tests the array and no
    element has certainly been added before. `array.size(a) > 0 ? array.last(a) : na` is safe.

    Bad:

        //@version=6
        indicator("Example")
        var highs = array.new<float>()
        if high > high[1]
            array.push(highs, high)
        plot(array.last(highs))

    Good:

        //@version=6
        indicator("Example")
        var highs = array.new<float>()
        if high > high[1]
            array.push(highs, high)
        plot(array.size(highs) > 0 ? array.last(highs) : na)
    """

    code = "PB1005"
    calls = tuple(sorted(reference.having("needs_elements")))

    def visit(self, node: nodes.Call, context: RuleContext) -> Findings:
        """Report a call on an array that may be empty."""
        array = context.argument(node, "id")
        symbol = context.symbol(bare(array)) if array is not None else None
        if symbol is None or symbol.reassignments or not starts_empty(context, symbol):
            return
        if may_be_empty(context, node, symbol):
            yield context.report(self.code, node, name=symbol.name, function=context.called(node))
