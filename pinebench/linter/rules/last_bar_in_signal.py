"""Rule PB2008: an order that depends on where the chart ends."""

from __future__ import annotations

from pinebench.linter.rules.rule import Findings, Rule, RuleContext
from pinebench.linter.rules.signals import ENTRIES, ORDERS, signals

_OPENING = (*ENTRIES, "strategy.exit")
_KNOWING = {
    **dict.fromkeys(("chart.left_visible_bar_time", "chart.right_visible_bar_time"), ORDERS),
    **dict.fromkeys(("last_bar_index", "last_bar_time"), _OPENING),
    **dict.fromkeys(("barstate.islast", "barstate.islastconfirmedhistory"), ENTRIES),
}
"""Variables that depend on the chart's end or its visible part, with the orders that they must not decide."""
_WORDS = frozenset(name.rpartition(".")[2] for name in _KNOWING if "." in name)
"""The last parts of the dotted names among them."""


class LastBarInSignal(Rule):
    """An order depends on the position of the chart's last bar, or on the visible part of the chart. On historical bars
    this looks into the future, and the trades change with each new bar. Closing open positions on the last bar, so that
    the report shows them, is not reported.

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

    def finish(self, context: RuleContext) -> Findings:
        """Report the variables about the last bar or the visible bars on which an order depends."""
        if context.members.keys().isdisjoint(_WORDS) and "last_bar_" not in context.program.document.text:
            return ()
        return self._found(context) if context.kind == "strategy" else ()

    def _found(self, context: RuleContext) -> Findings:
        for name, orders in _KNOWING.items():
            for node in context.builtin_name(name):
                signal = signals(context).fed.get(node)
                if signal is not None and context.called(signal) in orders:
                    yield context.report(self.code, node, name=name, signal=context.called(signal))
