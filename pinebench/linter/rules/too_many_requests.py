"""Rule PB4002: too many requests."""

from __future__ import annotations

from pinebench.linter.rules.distinct_requests import distinct_requests
from pinebench.linter.rules.requests import REQUESTS
from pinebench.linter.rules.rule import Findings, Rule, RuleContext


class TooManyRequests(Rule):
    """A script may make at most 40 different `request.*()` calls (64 with the largest plan). Requests with the same
    text count once. A request in a function counts once for each different symbol, timeframe or expression that the
    function's calls pass. Several values of one chart need only one request if they are requested as a tuple.

    Bad:

        //@version=6
        indicator("Example")
        sum = 0.0
        sum += nz(request.security("NASDAQ:S0", "D", close))
        sum += nz(request.security("NASDAQ:S1", "D", close))
        sum += nz(request.security("NASDAQ:S2", "D", close))
        sum += nz(request.security("NASDAQ:S3", "D", close))
        sum += nz(request.security("NASDAQ:S4", "D", close))
        sum += nz(request.security("NASDAQ:S5", "D", close))
        sum += nz(request.security("NASDAQ:S6", "D", close))
        sum += nz(request.security("NASDAQ:S7", "D", close))
        sum += nz(request.security("NASDAQ:S8", "D", close))
        sum += nz(request.security("NASDAQ:S9", "D", close))
        sum += nz(request.security("NASDAQ:S10", "D", close))
        sum += nz(request.security("NASDAQ:S11", "D", close))
        sum += nz(request.security("NASDAQ:S12", "D", close))
        sum += nz(request.security("NASDAQ:S13", "D", close))
        sum += nz(request.security("NASDAQ:S14", "D", close))
        sum += nz(request.security("NASDAQ:S15", "D", close))
        sum += nz(request.security("NASDAQ:S16", "D", close))
        sum += nz(request.security("NASDAQ:S17", "D", close))
        sum += nz(request.security("NASDAQ:S18", "D", close))
        sum += nz(request.security("NASDAQ:S19", "D", close))
        sum += nz(request.security("NASDAQ:S20", "D", close))
        sum += nz(request.security("NASDAQ:S21", "D", close))
        sum += nz(request.security("NASDAQ:S22", "D", close))
        sum += nz(request.security("NASDAQ:S23", "D", close))
        sum += nz(request.security("NASDAQ:S24", "D", close))
        sum += nz(request.security("NASDAQ:S25", "D", close))
        sum += nz(request.security("NASDAQ:S26", "D", close))
        sum += nz(request.security("NASDAQ:S27", "D", close))
        sum += nz(request.security("NASDAQ:S28", "D", close))
        sum += nz(request.security("NASDAQ:S29", "D", close))
        sum += nz(request.security("NASDAQ:S30", "D", close))
        sum += nz(request.security("NASDAQ:S31", "D", close))
        sum += nz(request.security("NASDAQ:S32", "D", close))
        sum += nz(request.security("NASDAQ:S33", "D", close))
        sum += nz(request.security("NASDAQ:S34", "D", close))
        sum += nz(request.security("NASDAQ:S35", "D", close))
        sum += nz(request.security("NASDAQ:S36", "D", close))
        sum += nz(request.security("NASDAQ:S37", "D", close))
        sum += nz(request.security("NASDAQ:S38", "D", close))
        sum += nz(request.security("NASDAQ:S39", "D", close))
        sum += nz(request.security("NASDAQ:S40", "D", close))
        plot(sum)

    Good:

        //@version=6
        indicator("Example")
        [o, c] = request.security("NASDAQ:AAPL", "D", [open, close])
        plot(c - o)
    """

    code = "PB4002"
    calls = REQUESTS

    def finish(self, context: RuleContext) -> Findings:
        """Report the first request above the limit."""
        made = distinct_requests(context) if _may_be_many(context) else []
        if len(made) > MOST:
            yield context.report(self.code, made[MOST], count=len(made))


def _may_be_many(context: RuleContext) -> bool:
    """Whether a script has enough requests and calls of functions to exceed the limit."""
    requests = len(context.calls(*REQUESTS))
    return requests > MOST or (requests > 0 and requests + sum(map(len, context.call_sites.values())) > MOST)


MOST = 40
"""The largest number of different requests in a script (TradingView's manual, limits of requests)."""
