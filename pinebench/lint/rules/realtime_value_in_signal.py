"""Rule PB2002: a signal from a value that history does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.rule import Rule, register
from pinebench.lint.rules.signals import ALERTS, SIGNALS, signals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look
    from pinebench.syntax import nodes


@register
class RealtimeValueInSignal(Rule):
    """An order, an alert or a mark depends on `timenow`, `barstate.isrealtime` or `barstate.isnew`, which on history
    are not what they are in real time. So history does not show what the script will do.

    `barstate.isconfirmed` is safe, and so is an alert that only asks whether the bar is a realtime one: alerts come
    from those alone.

    Bad:

        //@version=6
        strategy("Example")
        if barstate.isrealtime and close > open
            strategy.entry("Long", strategy.long)
        if close < open
            strategy.close("Long")

    Good:

        //@version=6
        strategy("Example")
        if barstate.isconfirmed and close > open
            strategy.entry("Long", strategy.long)
        if close < open
            strategy.close("Long")
    """

    code = "PB2002"
    calls = SIGNALS

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report the first place where each of the values feeds a signal."""
        for name in ("timenow", "barstate.isrealtime", "barstate.ishistory", "barstate.isnew"):
            told: set[nodes.Call] = set()
            for node in look.builtin_name(name):
                signal = signals(look).fed.get(node)
                if signal is None or signal in told:
                    continue
                told.add(signal)
                called = look.called(signal)
                if called in ALERTS and name.startswith("barstate."):
                    continue
                yield look.report(self.code, node, name=name, signal=called)
