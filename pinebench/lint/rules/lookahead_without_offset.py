"""Rule PB2001: a request that looks into the future."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.requests import expression, is_offset, looks_ahead, timeframe
from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class LookaheadWithoutOffset(Rule):
    """With `barmerge.lookahead_on` a request gives on history what its bar had at its end, as soon as the bar begins:
    the script knows the future there, and cannot in real time. Only values of the bar before, as in `close[1]`, and
    what a bar begins with, such as `open` and `time`, are safe.

    Bad:

        //@version=6
        indicator("Example")
        daily = request.security(syminfo.tickerid, "D", close, lookahead = barmerge.lookahead_on)
        plot(daily)

    Good:

        //@version=6
        indicator("Example")
        daily = request.security(syminfo.tickerid, "D", close[1], lookahead = barmerge.lookahead_on)
        plot(daily)
    """

    code = "PB2001"
    calls = ("request.security",)

    def visit(self, node: nodes.Call, look: Look) -> Iterator[Diagnostic]:
        """Report a request that looks ahead and asks for what its bar has not yet."""
        if not looks_ahead(look, node) or timeframe(look, node) == "":
            return
        if any(look.shown(fact).startswith("barstate.islast") for fact, truth in look.facts(node) if truth):
            return  # there is no later bar to look at
        asked = expression(look, node)
        if asked is not None and not is_offset(look, asked):
            yield look.report(self.code, look.argument(node, "lookahead") or node)
