"""Rule PB4009: a request in a loop."""

from __future__ import annotations

from pinebench.linter.rules.distinct_requests import parameters_in
from pinebench.linter.rules.requests import REQUESTS
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes


class RequestInLoop(Rule):
    """A request is made in a loop, or in a function that a loop calls with arguments on which the request depends. Each
    different symbol, timeframe or expression counts towards the limit of 40 requests.

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

    def finish(self, context: RuleContext) -> Findings:
        """Report each request in a loop, and each call in a loop if the called function makes a request."""
        seen: set[nodes.FunctionDeclaration] = set()
        pending: list[_Made] = [(call, ()) for call in context.calls(*REQUESTS)]
        for call, made_by in pending:
            if context.loops(call):
                if all(parameters_in(context, inner, function) for inner, function in made_by):
                    yield context.report(self.code, call.callee, within=call)
                continue
            function = context.function(call)
            if function is not None and function not in seen:
                seen.add(function)
                sites = context.call_sites.get(context.program.bindings.function_of[function], ())
                pending += [(site, (*made_by, (call, function))) for site in sites]


_Made = tuple["nodes.Call", tuple[tuple["nodes.Call", "nodes.FunctionDeclaration"], ...]]
"""A call that makes a request, directly or through functions. With it come the inner calls and their functions, the
request first."""
