"""Rule PB4012: more than one request for a footprint."""

from __future__ import annotations

from pinebench.linter.rules.rule import Findings, Rule, RuleContext


class SecondFootprint(Rule):
    """A script may contain only one `request.footprint()` call (TradingView's reference). TradingView warns about a
    second one when it compiles the script, and the script stops on the chart. Request the footprint once and read
    everything from it.

    Bad:

        //@version=6
        indicator("Example")
        fine = request.footprint(10)
        coarse = request.footprint(100)
        plot(na(fine) or na(coarse) ? na : fine.delta() - coarse.delta())

    Good:

        //@version=6
        indicator("Example")
        fine = request.footprint(10)
        plot(na(fine) ? na : fine.delta())
        plot(na(fine) ? na : fine.total_volume())
    """

    code = "PB4012"
    calls = ("request.footprint",)

    def finish(self, context: RuleContext) -> Findings:
        """Report each call except the first."""
        for call in context.calls("request.footprint")[1:]:
            yield context.report(self.code, call)
