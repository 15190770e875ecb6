"""Rule PB2003: a request for a timeframe that is usually lower than the chart's."""

from __future__ import annotations

from typing import ClassVar

from pinebench.linter.rules.requests import expression, minutes, timeframes
from pinebench.linter.rules.rule import Findings, Option, Rule, RuleContext, nodes
from pinebench.linter.rules.uses import every_use, is_on_last_bar


class LowerTimeframeRequest(Rule):
    """`request.security` requests a fixed timeframe of a few minutes or seconds. On charts with longer bars it returns
    only one of the many lower bars within each chart bar, and a different one in real time than on historical bars.
    `request.security_lower_tf` returns all of them.

    The rule reports nothing if the script tests the chart's timeframe, or if only the last bar uses the value.

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
    options: ClassVar = {"minutes": Option(5.0, "Timeframes of this many minutes or less are reported.", least=0)}

    def visit(self, node: nodes.Call, context: RuleContext) -> Findings:
        """Report a constant timeframe of a few minutes or less."""
        most = context.option(self, "minutes")
        for asked, given in timeframes(context, node).items():
            length = minutes(asked) if asked else None
            if length is None or not isinstance(most, int | float) or length > most:
                continue
            if not _asks_for_the_timeframe(context) and not _asks_for_the_latest(context, node):
                within = node if given is context.argument(node, "timeframe") else None
                yield context.report(self.code, given, within=within, timeframe=asked, length=_spoken(length))


def _spoken(length: float) -> str:
    number, unit = (round(length * 60), "second") if length < 1 else (f"{length:g}", "minute")
    return f"{number} {unit}{'' if number in (1, '1') else 's'}"


def _asks_for_the_timeframe(context: RuleContext) -> bool:
    """Whether the script uses the chart's timeframe for anything except a request."""
    requested = {context.argument(call, "timeframe") for call in context.calls("request.security")}
    return any(
        isinstance(each.object, nodes.Name)
        and each.object.id == "timeframe"
        and each not in requested
        and context.is_builtin(each)
        for each in context.every_member
    )


def _asks_for_the_latest(context: RuleContext, node: nodes.Call) -> bool:
    """Whether only the newest value of a request matters, or the request asks for a property of the symbol, such as its
    tick size."""
    if context.argument(node, "calc_bars_count") is not None or every_use(context, [node], is_on_last_bar):
        return True
    asked = expression(context, node)
    return isinstance(asked, nodes.Member) and context.text(asked).startswith("syminfo.")
