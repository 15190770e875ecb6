"""Rule PB5005: many requests that return objects."""

from __future__ import annotations

from typing import ClassVar

from pinebench.linter.rules.rule import Findings, Option, Rule, RuleContext, bare, nodes


class ObjectRequests(Rule):
    """Many requests return objects of user-defined types. Each keeps an object for every bar, which soon exceeds the
    memory that a script may have. Request a tuple of the fields, `[close, volume]`, and create the object from it.

    Bad:

        //@version=6
        indicator("Example")
        type Market
            float price
        market() => Market.new(close)
        a = request.security("NASDAQ:AAPL", "D", market())
        b = request.security("NASDAQ:MSFT", "D", market())
        c = request.security("NASDAQ:AMZN", "D", market())
        d = request.security("NASDAQ:META", "D", market())
        e = request.security("NASDAQ:NFLX", "D", market())
        plot(nz(a.price) + nz(b.price) + nz(c.price) + nz(d.price) + nz(e.price))

    Good:

        //@version=6
        indicator("Example")
        a = request.security("NASDAQ:AAPL", "D", close)
        b = request.security("NASDAQ:MSFT", "D", close)
        c = request.security("NASDAQ:AMZN", "D", close)
        d = request.security("NASDAQ:META", "D", close)
        e = request.security("NASDAQ:NFLX", "D", close)
        plot(nz(a) + nz(b) + nz(c) + nz(d) + nz(e))
    """

    code = "PB5005"
    calls = ("request.security",)
    options: ClassVar = {"most": Option(4, "The largest number of requests for objects that is not reported.", least=0)}

    def finish(self, context: RuleContext) -> Findings:
        """Report the first request above the limit. A request in a function counts once for each call of the
        function."""
        found: list[tuple[nodes.Call, int]] = []
        for call in context.calls("request.security"):
            asked = context.argument(call, "expression")
            if asked is not None and _gives_objects(context, bare(asked), call):
                function = context.function(call)
                sites = context.call_sites.get(context.program.bindings.function_of[function], ()) if function else ()
                found.append((call, max(1, len(sites))))
        most = context.option(self, "most")
        count = sum(times for _, times in found)
        if not isinstance(most, int) or count <= most:
            return
        so_far = 0
        for call, times in found:
            so_far += times
            if so_far > most:
                yield context.report(self.code, call, count=count)
                return


def _gives_objects(context: RuleContext, asked: nodes.Node, call: nodes.Call) -> bool:
    """Whether a request returns objects, directly, in a collection or in a tuple."""
    type_ = context.type(asked, call)
    if type_ is None:
        return False
    pending = [type_.base]
    while pending:
        base = pending.pop()
        if base.kind == "udt":
            return True
        pending += [*base.arguments, *(item.base for item in base.items)]
    return False
