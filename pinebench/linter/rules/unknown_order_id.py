"""Rule PB3005: an exit or a cancellation of an order that does not exist."""

from __future__ import annotations

from pinebench.checker import spelling
from pinebench.linter.rules.orders import entry_ids, texts
from pinebench.linter.rules.rule import Edit, Findings, Fix, Rule, RuleContext, nodes


class UnknownOrderId(Rule):
    """`strategy.close`, `strategy.exit` or `strategy.cancel` names an order that the strategy never places. Usually the
    id is mistyped, and the position stays open.

    Bad:

        //@version=6
        strategy("Example")
        if close > open
            strategy.entry("Long", strategy.long)
        if close < open
            strategy.close("long")

    Good:

        //@version=6
        strategy("Example")
        if close > open
            strategy.entry("Long", strategy.long)
        if close < open
            strategy.close("Long")
    """

    code = "PB3005"
    calls = ("strategy.close", "strategy.exit", "strategy.cancel")

    def visit(self, node: nodes.Call, context: RuleContext) -> Findings:
        """Report a constant id that no order of the script has."""
        name = context.called(node)
        given = context.argument(node, "from_entry" if name == "strategy.exit" else "id")
        asked = texts(context, given)
        if given is None or not asked or asked == {""}:
            return ()
        placed = context.once(entry_ids)
        if name == "strategy.cancel":
            placed = _with_exits(context, placed)
        if placed is None or not asked.isdisjoint(placed):
            return ()
        missing = min(asked)
        known = next(iter(spelling.nearest(missing, placed, 1)), None)
        return (context.report(self.code, given, _fix(context, given, known), id=missing),)


def _with_exits(context: RuleContext, placed: set[str] | None) -> set[str] | None:
    """The ids of all orders that can be cancelled, where `placed` are the ids of the entries; None if one of them is
    not known."""
    for call in context.calls("strategy.exit", "strategy.close"):
        ids = texts(context, context.argument(call, "id"))
        if ids is None or placed is None:
            return None
        placed = placed | ids
    return placed


def _fix(context: RuleContext, given: nodes.Node, known: str | None) -> Fix | None:
    """A fix that writes the most similar id, as a guess; None if there is no such id, or if the id is not a literal."""
    if known is None or not isinstance(given, nodes.Literal):
        return None
    return Fix(f'write "{known}"', (Edit(context.span(given), f'"{known}"'),), safe=False)
