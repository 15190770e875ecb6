"""Rule PB3002: a strategy without a commission."""

from __future__ import annotations

from pinebench.linter.rules.orders import entries
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes


class NoCommission(Rule):
    """The declaration statement sets no commission, so the results do not include the cost of each trade. With many
    small trades this cost can turn a profit into a loss.

    Bad:

        //@version=6
        strategy("Example")
        if ta.crossover(close, ta.sma(close, 20))
            strategy.entry("Long", strategy.long)
        if ta.crossunder(close, ta.sma(close, 20))
            strategy.close("Long")

    Good:

        //@version=6
        strategy("Example", commission_type = strategy.commission.percent, commission_value = 0.05)
        if ta.crossover(close, ta.sma(close, 20))
            strategy.entry("Long", strategy.long)
        if ta.crossunder(close, ta.sma(close, 20))
            strategy.close("Long")
    """

    code = "PB3002"
    calls = ("strategy",)

    def visit(self, node: nodes.Call, context: RuleContext) -> Findings:
        """Report a declaration statement without a commission, or with a commission of 0."""
        given = context.argument(node, "commission_value")
        if (given is not None and context.value(given) != (True, 0)) or not entries(context):
            return ()
        return (context.report(self.code, node.callee if given is None else given, within=node),)
