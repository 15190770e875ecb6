"""Rule PB3003: a strategy without slippage."""

from __future__ import annotations

from pinebench.linter.rules.orders import entries, takes_the_market
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes
from pinebench.linter.rules.signals import ORDERS


class NoSlippage(Rule):
    """The declaration statement sets no slippage, so market orders and stops are filled at exactly the market's price
    or the stop's price. If all orders wait for a limit price, including the exits, slippage is not necessary.

    Bad:

        //@version=6
        strategy("Example", commission_value = 0.05)
        if ta.crossover(close, ta.sma(close, 20))
            strategy.entry("Long", strategy.long)
        if ta.crossunder(close, ta.sma(close, 20))
            strategy.close("Long")

    Good:

        //@version=6
        strategy("Example", commission_value = 0.05, slippage = 2)
        if ta.crossover(close, ta.sma(close, 20))
            strategy.entry("Long", strategy.long)
        if ta.crossunder(close, ta.sma(close, 20))
            strategy.close("Long")
    """

    code = "PB3003"
    calls = ("strategy",)

    def visit(self, node: nodes.Call, context: RuleContext) -> Findings:
        """Report a declaration statement without slippage, or with a slippage of 0, if an order may be filled at the
        market price."""
        given = context.argument(node, "slippage")
        if given is not None and context.value(given) != (True, 0):
            return ()
        if not entries(context) or not _takes_the_market(context):
            return ()
        return (context.report(self.code, node.callee if given is None else given, within=node),)


def _takes_the_market(context: RuleContext) -> bool:
    known = context.builtin_calls
    return any(takes_the_market(context, call) for name in ORDERS if name in known for call in known[name])
