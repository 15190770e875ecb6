"""Rule PB2004: a strategy that runs on every tick."""

from __future__ import annotations

from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes
from pinebench.linter.rules.signals import ENTRIES, is_confirmed


class CalcOnEveryTick(Rule):
    """With `calc_on_every_tick = true` a strategy runs on each tick in real time, while on historical bars it runs only
    once, at the end of the bar. It will enter at prices within the bar that no back-test has seen.

    The rule reports nothing if every order waits for `barstate.isconfirmed`.

    Bad:

        //@version=6
        strategy("Example", calc_on_every_tick = true)
        if close > open
            strategy.entry("Long", strategy.long)
        if close < open
            strategy.close("Long")

    Good:

        //@version=6
        strategy("Example")
        if close > open
            strategy.entry("Long", strategy.long)
        if close < open
            strategy.close("Long")
    """

    code = "PB2004"
    calls = ("strategy",)

    def visit(self, node: nodes.Call, context: RuleContext) -> Findings:
        """Report `calc_on_every_tick = true`, unless every market order waits for the end of the bar."""
        given = context.argument(node, "calc_on_every_tick")
        if given is None or context.value(given) != (True, True) or _waits(context):
            return ()
        return (context.report(self.code, given, within=node),)


def _waits(context: RuleContext) -> bool:
    """Whether each order that is filled at the market price waits for the end of the bar."""
    market = context.calls(*ENTRIES, "strategy.close", "strategy.close_all")
    return bool(market) and all(is_confirmed(context, call) for call in market)
