"""Rule PB3001: a strategy that never leaves its position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.orders import direction, entries
from pinebench.lint.rules.rule import Rule, register
from pinebench.lint.rules.signals import ENTRIES, EXITS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class EntryWithoutExit(Rule):
    """A strategy enters in one direction only and has no order that closes the position: neither `strategy.exit` nor
    `strategy.close` nor an entry the other way.

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
        if len(directions) == 1 and None not in directions:
            given = look.argument(opening[0], "id")
            yield look.report(self.code, opening[0], id=look.shown(given).strip("\"'") if given is not None else "")


_CLOSING = ("strategy.risk.max_drawdown", "strategy.risk.max_intraday", "strategy.risk.max_cons")
"""How the limits are called that close a position."""
