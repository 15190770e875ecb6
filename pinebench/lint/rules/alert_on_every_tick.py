"""Rule PB6004: an alert that is sent on every tick."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class AlertOnEveryTick(Rule):
    """`alert.freq_all` sends the alert each time that the script runs, which in real time is on every tick.
    TradingView stops alerts that are sent too often.

    Bad:

        //@version=6
        indicator("Example")
        if close > ta.sma(close, 20)
            alert("Above", alert.freq_all)
        plot(close)

    Good:

        //@version=6
        indicator("Example")
        if close > ta.sma(close, 20)
            alert("Above", alert.freq_once_per_bar)
        plot(close)
    """

    code = "PB6004"
    calls = ("alert",)

    def visit(self, node: nodes.Call, look: Look) -> Iterator[Diagnostic]:
        """Report the frequency where the alert does not wait for the end of the bar."""
        given = look.argument(node, "freq")
        if given is None or look.value(given) != (True, "alert.freq_all"):
            return
        if not any(look.shown(condition).startswith("barstate.") for condition, truth in look.facts(node) if truth):
            yield look.report(self.code, given)
