"""Rule PB3001: a strategy that never leaves its position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.orders import direction, entries, shown_id
from pinebench.lint.rules.ranges import comparison
from pinebench.lint.rules.rule import Rule, register
from pinebench.lint.rules.signals import ENTRIES, EXITS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look
    from pinebench.syntax import nodes


@register
class EntryWithoutExit(Rule):
    """A strategy enters in one direction only and has no order that closes the position: neither `strategy.exit` nor
    `strategy.close` nor an entry the other way. One that enters on a single bar, to hold, is left alone.

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

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report the first entry of a strategy that has no other way out."""
        opening = entries(look)
        if not opening or look.calls(*EXITS) or any(name.startswith(_CLOSING) for name in look.builtin_calls):
            return
        directions = {direction(look, call) for call in opening}
        if len(directions) == 1 and None not in directions and not all(_is_once(look, call) for call in opening):
            yield look.report(self.code, opening[0], id=shown_id(look, opening[0]))


def _is_once(look: Look, call: nodes.Call) -> bool:
    """Whether an entry is for one bar of the chart, so that it buys to hold."""
    for fact, truth in look.facts(call):
        found = comparison(look, fact) if truth else None
        if found is not None and found.operator == "==" and look.text(found.subject) == "bar_index":
            return found.number is not None
        if truth and look.text(fact) == "barstate.isfirst":
            return True
    return False


_CLOSING = ("strategy.risk.max_drawdown", "strategy.risk.max_intraday", "strategy.risk.max_cons")
"""How the limits are called that close a position."""
