"""Rule PB2001: a request that looks into the future."""

from __future__ import annotations

from pinebench.linter.rules.requests import is_offset, looks_ahead, parts, taken, timeframes
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes, reference
from pinebench.linter.rules.settings import by_default
from pinebench.linter.rules.uses import every_use, is_on_last_bar


class LookaheadWithoutOffset(Rule):
    """On historical bars, a request with `barmerge.lookahead_on` returns the final value of its bar as soon as the bar
    begins. So the script knows the future there, which it cannot do in real time. Only values of the previous bar, such
    as `close[1]`, and values that are known when a bar begins, such as `open` and `time`, are safe.

    The rule reports nothing if the values are used on the last bar only, or if only their previous values (`[1]`) are
    used when a new period begins.

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

    def visit(self, node: nodes.Call, context: RuleContext) -> Findings:
        """Report a request that looks ahead and reads values that are not known when its bar begins."""
        if not looks_ahead(context, node) or timeframes(context, node).keys() == {""}:
            return
        for asked, variable in taken(context, node):
            uses = context.reads.get(variable, ()) if variable is not None else [node]
            if not is_offset(context, asked) and not every_use(context, uses, _is_in_time):
                yield context.report(self.code, context.argument(node, "lookahead") or node)
                return


def _is_in_time(context: RuleContext, node: nodes.Node) -> bool:
    """Whether a value of a request is used only where it is known already: on the last bar, or after its own bar has
    ended, or in a branch that only a changed input chooses."""
    if is_on_last_bar(context, node) or _is_not_chosen(context, node):
        return True
    above = context.above(node)
    if not isinstance(above, nodes.History) or context.value(above.offset) == (True, 0):
        return False
    known = [fact for fact, truth in context.facts(node) if truth]
    kept = context.parent.get(above)
    if context.called(kept) == "ta.valuewhen" and kept is not None:
        known += [each for each in (context.argument(kept, "condition"),) if each is not None]
    return any(_tells_a_beginning(context, part) for fact in known for part in parts(context, fact))


def _is_not_chosen(context: RuleContext, node: nodes.Node) -> bool:
    """Whether the default of an input chooses the other of two values."""
    above, below = context.above(node), node
    while isinstance(above, nodes.Expression) and not isinstance(above, nodes.Ternary):
        above, below = context.above(above), above
    if not isinstance(above, nodes.Ternary) or below is above.condition:
        return False
    chosen = by_default(context, above.condition)
    return chosen is not None and below is not (above.then if chosen else above.otherwise)


def _tells_a_beginning(context: RuleContext, part: nodes.Node) -> bool:
    """Whether a part of a condition tests for the first bar of a period."""
    if context.called(part) in ("timeframe.change", "ta.change", "time"):
        return True
    return context.text(part) in _DATES if isinstance(part, nodes.Name | nodes.Member) else False


_DATES = reference.having("calendar")
