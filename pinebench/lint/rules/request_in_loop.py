"""Rule PB4009: a request in a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class RequestInLoop(Rule):
    """A request is made in a loop: each different symbol, timeframe or expression counts against the 40 that a
    script may make.

    Bad:

        //@version=6
        indicator("Example")
        sum = 0.0
        for symbol in array.from("NASDAQ:AAPL", "NASDAQ:MSFT")
            sum += request.security(symbol, "D", close)
        plot(sum)

    Good:

        //@version=6
        indicator("Example")
        apple = request.security("NASDAQ:AAPL", "D", close)
        microsoft = request.security("NASDAQ:MSFT", "D", close)
        plot(apple + microsoft)
    """

    code = "PB4009"
    calls = ("request.security", "request.security_lower_tf", "request.financial", "request.economic")

    def visit(self, node: nodes.Call, look: Look) -> Iterator[Diagnostic]:
        """Report a request with a loop around it."""
        if look.loops(node):
            yield look.report(self.code, node.callee)
