"""Rule PB4001: a number of plots near the limit."""

from __future__ import annotations

from typing import ClassVar

from pinebench.checker import MOST_OF_A_PLOT
from pinebench.linter.rules.rule import Findings, Option, Rule, RuleContext


class ManyPlots(Rule):
    """The number of plots is close to the limit of 64. A plot with a changing colour counts twice, and a candle up to
    seven times, so one more plot may exceed the limit.

    Bad:

        //@version=6
        indicator("Example")
        shade = close > open ? color.green : color.red
        plotcandle(open, high, low, close, "A", shade, shade, bordercolor = shade)
        plotcandle(open, high, low, close, "B", shade, shade, bordercolor = shade)
        plotcandle(open, high, low, close, "C", shade, shade, bordercolor = shade)
        plotcandle(open, high, low, close, "D", shade, shade, bordercolor = shade)
        plotcandle(open, high, low, close, "E", shade, shade, bordercolor = shade)
        plotcandle(open, high, low, close, "F", shade, shade, bordercolor = shade)
        plotcandle(open, high, low, close, "G", shade, shade, bordercolor = shade)
        plotcandle(open, high, low, close, "H", shade, shade, bordercolor = shade)
        plotcandle(open, high, low, close, "I", shade, shade, bordercolor = shade)

    Good:

        //@version=6
        indicator("Example")
        shade = close > open ? color.green : color.red
        plotcandle(open, high, low, close, "A", shade, shade, bordercolor = shade)
    """

    code = "PB4001"
    calls = tuple(MOST_OF_A_PLOT)
    options: ClassVar = {"most": Option(60, "The largest number of plots that is not reported.", least=0)}

    def finish(self, context: RuleContext) -> Findings:
        """Report the declaration statement of a script with more plots than the option allows."""
        most = context.option(self, "most")
        known = context.builtin_calls
        at_most = sum([each * len(known[name]) for name, each in MOST_OF_A_PLOT.items() if name in known])
        if not isinstance(most, int) or at_most <= most or context.declaration is None:
            return ()
        count = context.program.plot_count
        return (context.report(self.code, context.declaration.callee, count=count),) if count > most else ()
