"""Rule PB2003: a request for a timeframe that is mostly below the chart's."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pinebench.lint.rules.requests import minutes, timeframe
from pinebench.lint.rules.rule import Option, Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class LowerTimeframeRequest(Rule):
    """`request.security` asks for a fixed timeframe of a few minutes or seconds. On charts with longer bars it gives
    one of the many bars within each, another one in real time than on history. `request.security_lower_tf` gives all.

    Left alone where a condition around the request, or a call of `runtime.error`, looks at the chart's timeframe.

    Bad:

        //@version=6
        indicator("Example")
        plot(request.security(syminfo.tickerid, "1", volume))

    Good:

        //@version=6
        indicator("Example")
        volumes = request.security_lower_tf(syminfo.tickerid, "1", volume)
        plot(volumes.size() > 0 ? volumes.sum() : na)
    """

    code = "PB2003"
    calls = ("request.security",)
    options: ClassVar = {"minutes": Option(5.0, "Timeframes of so many minutes and less are reported.", least=0)}

    def visit(self, node: nodes.Call, look: Look) -> Iterator[Diagnostic]:
        """Report a constant timeframe of few minutes."""
        asked = timeframe(look, node)
        length = minutes(asked) if asked else None
        most = look.option(self, "minutes")
        if length is None or not isinstance(most, int | float) or length > most:
            return
        if any(
            isinstance(each.object, nodes.Name) and each.object.id == "timeframe" and look.is_builtin(each)
            for each in look.of(nodes.Member)
        ):
            return
        yield look.report(
            self.code, look.argument(node, "timeframe") or node, within=node, timeframe=asked, minutes=f"{length:g}"
        )
