"""Rule PB5003: a counting loop over an array that may be empty."""

from __future__ import annotations

from pinebench.checker import VariableSymbol
from pinebench.linter.rules.arrays import may_be_empty, receiver, starts_empty
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, bare, nodes, reference, walk


class BackwardLoop(Rule):
    """While the array is empty, `for i = 0 to array.size(a) - 1` counts down from 0 to -1 and reads elements that do
    not exist; `for i = array.size(a) - 1 to 0` counts up from -1. Check the size first, or use `for [i, element] in a`.

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

    def visit(self, node: nodes.ForTo, context: RuleContext) -> Findings:
        """Report a loop between 0 and a size minus 1 that reads elements, if the array may be empty."""
        if context.value(node.first) == (True, 0):
            end, rounds = node.last, "0 and -1"
        elif context.value(node.last) == (True, 0):
            end, rounds = node.first, "-1 and 0"
        else:
            return
        last = bare(context.value_node(end))
        if not isinstance(last, nodes.Binary) or last.operator != "-":
            return
        size = context.value_node(last.left)
        if context.called(size) != "array.size" or context.value(last.right) != (True, 1):
            return
        symbol = receiver(context, size)
        if symbol is None or symbol.reassignments or not _may_start_empty(context, symbol):
            return
        if _always_takes(context, node) and may_be_empty(context, node, symbol):
            yield context.report(self.code, end, name=symbol.name, rounds=rounds)


def _may_start_empty(context: RuleContext, symbol: VariableSymbol) -> bool:
    """Whether a variable's array is empty when it is declared, or a call gives such an array to a parameter while it
    may still be empty."""
    function = symbol.scope.function
    if symbol.kind != "parameter" or function is None:
        return starts_empty(context, symbol)
    for call in context.call_sites.get(function, ()):
        given = context.argument(call, symbol.name)
        array = context.symbol(bare(given)) if given is not None else None
        if array is None or array.reassignments or not starts_empty(context, array):
            continue
        if may_be_empty(context, call, array):
            return True
    return False


def _always_takes(context: RuleContext, loop: nodes.ForTo) -> bool:
    """Whether each iteration of a loop reads an element of an array by its index."""
    return any(
        context.called(part) in _TAKING and not context.conditions(part, loop, most=1) for part in walk(loop.body)
    )


_TAKING = reference.having("indexes", "array.")
