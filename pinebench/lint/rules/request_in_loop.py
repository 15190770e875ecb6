"""Rule PB4009: a request in a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.distinct_requests import parameters_in
from pinebench.lint.rules.requests import REQUESTS
from pinebench.lint.rules.rule import Rule, register

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look
    from pinebench.syntax import nodes


@register
class RequestInLoop(Rule):
    """A request is made in a loop, or by a function that a loop calls with what to ask for: each different symbol,
    timeframe or expression counts against the 40 that a script may make.

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
    calls = REQUESTS

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report requests, and calls of functions that make some, with a loop around them."""
        seen: set[nodes.FunctionDeclaration] = set()
        pending = [*look.calls(*REQUESTS)]
        for call in pending:
            if look.loops(call):
                yield look.report(self.code, call.callee, within=call)
                continue
            function = look.function(call)
            if function is not None and function not in seen and parameters_in(look, call, function):
                seen.add(function)
                pending += look.call_sites.get(look.program.bindings.function_of[function], ())
