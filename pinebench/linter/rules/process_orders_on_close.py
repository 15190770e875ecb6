"""Rule PB3012: orders filled at the price that triggers them."""

from __future__ import annotations

from pinebench.linter.rules.orders import entries, is_pending
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes


class ProcessOrdersOnClose(Rule):
    """With `process_orders_on_close = true`, market orders are filled at the close of the bar whose close triggers
    them. In practice nobody can trade at that price. The next open is realistic.

    Bad:

        //@version=6
        strategy("Example", process_orders_on_close = true)
        if close > open
            strategy.entry("Long", strategy.long)
        if close < open
            strategy.close("Long")

    Good:

        //@version=6
        strategy("Example", process_orders_on_close = false)
        if close > open
            strategy.entry("Long", strategy.long)
        if close < open
            strategy.close("Long")
    """

    code = "PB3012"
    calls = ("strategy",)

    def visit(self, node: nodes.Call, context: RuleContext) -> Findings:
        """Report `process_orders_on_close = true`, unless no order is filled at the market price."""
        given = context.argument(node, "process_orders_on_close")
        if given is None or context.value(given) != (True, True) or not _takes_the_close(context):
            return ()
        return (context.report(self.code, given, within=node),)


def _takes_the_close(context: RuleContext) -> bool:
    waiting = all(is_pending(context, call) for call in entries(context))
    return not waiting or bool(context.calls("strategy.close", "strategy.close_all"))
