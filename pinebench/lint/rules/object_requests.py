"""Rule PB5005: many requests that return objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pinebench.lint.rules.look import bare
from pinebench.lint.rules.objects import is_object
from pinebench.lint.rules.rule import Option, Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class ObjectRequests(Rule):
    """Many requests return objects of user-defined types. Each keeps an object for every bar, which soon exceeds the
    memory that a script may have. Ask for a tuple of the fields, `[close, volume]`, and make the object from it.

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
    options: ClassVar = {"most": Option(4, "So many requests may return objects.", least=0)}

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report the first request that is one too many."""
        found: list[nodes.Call] = []
        for call in look.calls("request.security"):
            asked = look.argument(call, "expression")
            if asked is not None and is_object(look, bare(asked), call):
                found.append(call)
        most = look.option(self, "most")
        if isinstance(most, int) and len(found) > most:
            yield look.report(self.code, found[most], count=len(found))
