"""Rule PB3001: a strategy that never leaves its position."""

from __future__ import annotations

from pinebench.linter.rules.orders import direction, entries, shown_id
from pinebench.linter.rules.ranges import comparison
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes
from pinebench.linter.rules.signals import ENTRIES, EXITS


class EntryWithoutExit(Rule):
    """A strategy enters in only one direction and never closes the position: it has no `strategy.exit`, no
    `strategy.close`, no entry in the other direction, and no risk limit. A strategy that enters on a single bar, to buy
    and hold, is not reported.

    Bad:

        //@version=6
        strategy("Example")
        if ta.crossover(close, ta.sma(close, 20))
            strategy.entry("Long", strategy.long)

    Good:

        //@version=6
        strategy("Example")
        if ta.crossover(close, ta.sma(close, 20))
            strategy.entry("Long", strategy.long)
        if ta.crossunder(close, ta.sma(close, 20))
            strategy.close("Long")
    """

    code = "PB3001"
    calls = ENTRIES

    def finish(self, context: RuleContext) -> Findings:
        """Report the first entry of a strategy that never closes its position."""
        if not context.builtin_calls.keys().isdisjoint(_CLOSING):
            return ()
        opening = entries(context)
        directions = {direction(context, call) for call in opening}
        if len(directions) == 1 and None not in directions and not all(_is_once(context, call) for call in opening):
            return (context.report(self.code, opening[0], id=shown_id(context, opening[0])),)
        return ()


def _is_once(context: RuleContext, call: nodes.Call) -> bool:
    """Whether an entry runs on one bar of the chart only, so that the strategy buys and holds."""
    for fact, truth in context.facts(call):
        found = comparison(context, fact) if truth else None
        if found is not None and found.operator == "==" and context.text(found.subject) == "bar_index":
            return found.number is not None
        if truth and context.text(fact) == "barstate.isfirst":
            return True
    return False


_LIMITS = ("max_drawdown", "max_intraday_loss", "max_intraday_filled_orders", "max_cons_loss_days")
_CLOSING = (*EXITS, *(f"strategy.risk.{limit}" for limit in _LIMITS))
"""The functions that close a position: exits and risk limits."""
