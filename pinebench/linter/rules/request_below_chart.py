"""Rule PB5004: a request whose timeframe may be lower than the chart's."""

from __future__ import annotations

from pinebench.linter.rules.requests import minutes, parts
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, bare, nodes


class RequestBelowChart(Rule):
    """`request.security` takes its timeframe from an input, and the script does not compare it with the chart's
    timeframe. For a lower timeframe it returns only the last of many bars within each chart bar. Compare
    `timeframe.in_seconds` of both.

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

    def visit(self, node: nodes.Call, context: RuleContext) -> Findings:
        """Report a timeframe from an input that the script does not test."""
        given = context.argument(node, "timeframe")
        if given is None or not _is_chosen(context, bare(context.value_node(given))):
            return
        if not any(_may_ask_for(context, call, given) for call in context.calls("timeframe.in_seconds")):
            yield context.report(self.code, given, within=node)


def _is_chosen(context: RuleContext, node: nodes.Node) -> bool:
    """Whether a timeframe comes from an input that allows less than a day."""
    called = context.called(node)
    if called == "input.timeframe":
        return True
    options = context.argument(node, "options") if called == "input.string" else None
    if not isinstance(options, nodes.TupleExpression):
        return called == "input.string"
    return any(
        (minutes(value) or 0) < _DAY for item in options.items if isinstance(value := context.value(item)[1], str)
    )


_DAY = 1440


def _may_ask_for(context: RuleContext, call: nodes.Call, timeframe: nodes.Node) -> bool:
    """Whether a call of `timeframe.in_seconds` has this timeframe as its argument, or a parameter, which may be this
    timeframe."""
    given = context.argument(call, "timeframe")
    symbol = context.symbol(bare(timeframe))
    if given is None or symbol is None:
        return False
    asked = {found for part in parts(context, given) if (found := context.symbol(part)) is not None}
    return symbol in asked or any(each.kind == "parameter" for each in asked)
