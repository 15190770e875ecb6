"""Rule PB3009: a strategy whose losses nothing limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.orders import deciding, entries
from pinebench.lint.rules.rule import Rule, register
from pinebench.lint.rules.signals import ENTRIES
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class NoRiskLimit(Rule):
    """The strategy opens positions, but no exit has `stop`, `loss` or a trail, no `strategy.risk.*` is set, and no
    close asks for the open profit or the price of the entry. Only a signal ends a losing trade then.

    Bad:

        //@version=6
        strategy("Example", commission_value = 0.05)
        if ta.crossover(close, ta.sma(close, 20))
            strategy.entry("Long", strategy.long)
        if ta.crossunder(close, ta.sma(close, 20))
            strategy.close("Long")

    Good:

        //@version=6
        strategy("Example", commission_value = 0.05)
        if ta.crossover(close, ta.sma(close, 20))
            strategy.entry("Long", strategy.long)
        strategy.exit("Leave", "Long", loss = 500, profit = 1000)
    """

    code = "PB3009"
    calls = ENTRIES

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report the declaration of a strategy that has entries and no stop."""
        opening = entries(look)
        if look.declaration is None or not opening:
            return
        for call in look.calls("strategy.exit", "strategy.order"):
            if any(look.argument(call, name) is not None for name in _STOPS):
                return
        if any(name.startswith("strategy.risk.max") for name in look.builtin_calls):
            return
        if not any(_asks_for_the_loss(look, call) for call in look.calls("strategy.close", "strategy.close_all")):
            yield look.report(self.code, look.declaration.callee, within=look.declaration)


_LOSSES = ("openprofit", "position_avg_price", "entry_price", "profit", "profit_percent")
"""What a close asks for that limits a loss."""
_STOPS = ("stop", "loss", "trail_price", "trail_points")


def _asks_for_the_loss(look: Look, call: nodes.Call) -> bool:
    """Whether what decides a close asks for the result of the position or for the price of its entry."""
    if not any(each.name in _LOSSES for each in look.of(nodes.Member)):
        return False
    return any(isinstance(part, nodes.Member) and part.name in _LOSSES for part in deciding(look, call))
