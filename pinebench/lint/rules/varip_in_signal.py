"""Rule PB2007: a signal from what is gathered within a bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.rule import Rule, register
from pinebench.lint.rules.signals import SIGNALS, signals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look
    from pinebench.syntax import nodes


@register
class VaripInSignal(Rule):
    """A signal depends on a `varip` variable, which keeps its value from tick to tick. History has one tick a bar, so
    the signal cannot be tested there, and after reloading the chart it is another one.

    Bad:

        //@version=6
        indicator("Example")
        varip ticks = 0
        ticks += 1
        plotshape(ticks > 100)

    Good:

        //@version=6
        indicator("Example")
        var bars = 0
        bars += 1
        plotshape(bars > 100)
    """

    code = "PB2007"
    calls = SIGNALS

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report the first of the variables that feed a signal, where it is declared."""
        if look.setting("calc_on_order_fills") == (True, True):
            return  # there it keeps values from one calculation to the next of the same bar, on history, too
        told: set[nodes.Call] = set()
        for symbol in look.program.bindings.symbols:
            if symbol.mode != "varip" or not symbol.reassignments:
                continue
            signal = signals(look).by.get(symbol)
            if signal is not None and signal not in told:
                told.add(signal)
                yield look.report(self.code, symbol.name_node, name=symbol.name, signal=look.called(signal))
