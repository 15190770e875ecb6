"""Rule PB3007: an exit without a price."""

from __future__ import annotations

from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes


class ExitWithoutPrice(Rule):
    """Every price of `strategy.exit` is `na`, so it places no order. (A call without any price does not compile.) Use
    `strategy.close` to leave the position immediately.

    Bad:

        //@version=6
        strategy("Example")
        if close > open
            strategy.entry("Long", strategy.long)
        strategy.exit("Leave", "Long", stop = na)

    Good:

        //@version=6
        strategy("Example")
        if close > open
            strategy.entry("Long", strategy.long)
        strategy.exit("Leave", "Long", stop = low[1])
    """

    code = "PB3007"
    calls = ("strategy.exit",)

    def visit(self, node: nodes.Call, context: RuleContext) -> Findings:
        """Report an exit whose prices are all na."""
        prices = [context.argument(node, name) for name in ("profit", "limit", "loss", "stop")]
        trail = [context.argument(node, name) for name in ("trail_price", "trail_points")]
        if all(price is None or _is_na(context, price) for price in (*prices, *trail)):
            yield context.report(self.code, node)


def _is_na(context: RuleContext, price: nodes.Node) -> bool:
    """Whether a price is `na`, directly or through a variable that never gets another value."""
    node = context.value_node(price)
    symbol = context.symbol(node)
    if symbol is None or symbol.kind != "variable" or symbol.value is None:
        return context.value(node) == (True, None)
    values = (symbol.value, *(write.value for write in symbol.reassignments))
    return all(context.value(value) == (True, None) for value in values)
