"""Rule PB2008: an order that knows where the chart ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.linter.rules.rule import Rule, register
from pinebench.linter.rules.signals import ENTRIES, ORDERS, signals

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.rules.context import RuleContext


_OPENING = (*ENTRIES, "strategy.exit")
_KNOWING = {
    **dict.fromkeys(("chart.left_visible_bar_time", "chart.right_visible_bar_time"), ORDERS),
    **dict.fromkeys(("last_bar_index", "last_bar_time"), _OPENING),
    **dict.fromkeys(("barstate.islast", "barstate.islastconfirmedhistory"), ENTRIES),
}
"""What knows of the chart's end or view, with the orders that it may not decide."""
_WORDS = frozenset(name.rpartition(".")[2] for name in _KNOWING if "." in name)
"""The last words of those of these names that have several."""


@register
class LastBarInSignal(Rule):
    """An order depends on where the chart's last bar is, or on the part of the chart that is in view. On history that
    is knowledge of the future, and the trades change with each new bar. Closing what is open on the last bar, so that
    the report shows it, is left alone.

    Bad:

        //@version=6
        strategy("Example")
        if last_bar_index - bar_index < 100 and close > open
            strategy.entry("Long", strategy.long)
        if close < open
            strategy.close("Long")

    Good:

        //@version=6
        strategy("Example")
        if time > timestamp("2024-01-01") and close > open
            strategy.entry("Long", strategy.long)
        if close < open
            strategy.close("Long")
    """

    code = "PB2008"
    calls = ("strategy",)

    def finish(self, context: RuleContext) -> Iterable[Diagnostic]:
        """Report what feeds an order."""
        if context.members.keys().isdisjoint(_WORDS) and "last_bar_" not in context.program.document.text:
            return ()
        return self._found(context) if context.kind == "strategy" else ()

    def _found(self, context: RuleContext) -> Iterator[Diagnostic]:
        for name, orders in _KNOWING.items():
            for node in context.builtin_name(name):
                signal = signals(context).fed.get(node)
                if signal is not None and context.called(signal) in orders:
                    yield context.report(self.code, node, name=name, signal=context.called(signal))
