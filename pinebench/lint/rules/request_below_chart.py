"""Rule PB5004: a request whose timeframe may be below the chart's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.look import bare
from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class RequestBelowChart(Rule):
    """`request.security` takes its timeframe from an input, and nothing compares it with the chart's. Of a timeframe
    below the chart's it gives only the last bar of many. Compare `timeframe.in_seconds` of both.

    Bad:

        //@version=6
        indicator("Example")
        higher = input.timeframe("D", "Timeframe")
        plot(request.security(syminfo.tickerid, higher, close))

    Good:

        //@version=6
        indicator("Example")
        higher = input.timeframe("D", "Timeframe")
        if timeframe.in_seconds(higher) < timeframe.in_seconds()
            runtime.error("Choose a timeframe that is not below the chart's.")
        plot(request.security(syminfo.tickerid, higher, close))
    """

    code = "PB5004"
    calls = ("request.security",)

    def visit(self, node: nodes.Call, look: Look) -> Iterator[Diagnostic]:
        """Report a timeframe from an input that nothing looks at."""
        given = look.argument(node, "timeframe")
        if given is None or look.called(bare(look.value_node(given))) != "input.timeframe":
            return
        if not look.calls("timeframe.in_seconds"):
            yield look.report(self.code, given, within=node)
