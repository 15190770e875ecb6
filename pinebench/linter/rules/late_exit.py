"""Rule PB3010: an exit that is placed only after the position is open."""

from __future__ import annotations

from pinebench.linter.rules.orders import POSITION, entries, has_position, texts
from pinebench.linter.rules.ranges import comparison
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes
from pinebench.linter.rules.settings import INPUTS


class LateExit(Rule):
    """`strategy.exit` is called only while there is a position. The entry is filled between two calculations, so the
    position has neither a stop nor a target during its first bar. If the exit is called on every bar, or next to the
    entry, it waits for the entry by itself.

    A strategy with `calc_on_order_fills` calculates again immediately, so it is not reported. An exit is not reported
    either if it also waits for something else, such as a profit, or if another exit for the same entry does not wait.

    Bad:

        //@version=6
        strategy("Example")
        if ta.crossover(close, ta.sma(close, 20))
            strategy.entry("Long", strategy.long)
        if strategy.position_size > 0
            strategy.exit("Leave", "Long", loss = 100)

    Good:

        //@version=6
        strategy("Example")
        if ta.crossover(close, ta.sma(close, 20))
            strategy.entry("Long", strategy.long)
        strategy.exit("Leave", "Long", loss = 100)
    """

    code = "PB3010"
    calls = ("strategy.exit",)

    def visit(self, node: nodes.Call, context: RuleContext) -> Findings:
        """Report an exit that requires a position although that is not necessary."""
        condition = has_position(context, node)
        if condition is None or context.setting("calc_on_order_fills") == (True, True) or not entries(context):
            return
        if not _is_doubled(context, node) and not _waits_for_more(context, node):
            yield context.report(self.code, node, condition=condition)


def _waits_for_more(context: RuleContext, node: nodes.Call) -> bool:
    """Whether an exit also waits for something else, such as a profit, so that it could not be placed earlier."""
    for condition, _ in context.facts(node):
        value = context.value_node(condition)
        if context.called(value) in INPUTS:
            continue
        found = comparison(context, value)
        if found is None or context.text(found.subject) not in POSITION:
            return True
    return False


def _is_doubled(context: RuleContext, node: nodes.Call) -> bool:
    """Whether another exit for the same entry does not wait for a position."""
    wanted = texts(context, context.argument(node, "from_entry"))
    for other in context.calls("strategy.exit"):
        waits = other is node or has_position(context, other) is not None
        if not waits and texts(context, context.argument(other, "from_entry")) in (wanted, None):
            return True
    return False
