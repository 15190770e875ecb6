"""Rule PB2009: lookahead with an offset on the chart's own timeframe."""

from __future__ import annotations

from pinebench.linter.rules.requests import expression, looks_ahead, result_of, timeframes
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes


class OwnTimeframeLookahead(Rule):
    """`close[1]` with `barmerge.lookahead_on` returns the last closed bar of a higher timeframe. On the chart's own
    timeframe the requested bar closes together with the chart's bar. So the offset only makes the values one bar older,
    and for a symbol with different trading days it returns the wrong day.

    Bad:

        //@version=6
        indicator("Example")
        spy = request.security("AMEX:SPY", timeframe.period, close[1], lookahead = barmerge.lookahead_on)
        plot(spy)

    Good:

        //@version=6
        indicator("Example")
        spy = request.security("AMEX:SPY", timeframe.period, close)
        plot(spy)
    """

    code = "PB2009"
    calls = ("request.security",)

    def visit(self, node: nodes.Call, context: RuleContext) -> Findings:
        """Report a request for the chart's own timeframe that looks ahead with an offset."""
        asked = expression(context, node)
        if asked is None or not looks_ahead(context, node) or timeframes(context, node).keys() != {""}:
            return
        asked = result_of(context, asked)
        items = asked.items if isinstance(asked, nodes.TupleExpression) else [asked]
        if all(_is_last(context, context.value_node(item)) for item in items):
            yield context.report(self.code, context.argument(node, "lookahead") or node)


def _is_last(context: RuleContext, node: nodes.Node) -> bool:
    return isinstance(node, nodes.History) and context.value(node.offset) == (True, 1)
