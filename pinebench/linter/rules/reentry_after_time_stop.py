"""Rule PB3011: an exit by time after which the strategy enters again immediately."""

from __future__ import annotations

from typing import Any

from pinebench.linter.rules.orders import POSITION, deciding, entries, is_pending
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes, reference, walk


class ReentryAfterTimeStop(Rule):
    """A position is closed after some bars or minutes, but the entry only tests a state that is still true, such as
    `close > average`. The next bar enters again, and the time stop only costs commission. Test for an event, such as
    `ta.crossover`, or wait some bars after the last exit.

    Bad:

        //@version=6
        strategy("Example")
        if close > ta.sma(close, 20)
            strategy.entry("Long", strategy.long)
        if bar_index - strategy.opentrades.entry_bar_index(0) >= 10
            strategy.close("Long")

    Good:

        //@version=6
        strategy("Example")
        if ta.crossover(close, ta.sma(close, 20))
            strategy.entry("Long", strategy.long)
        if bar_index - strategy.opentrades.entry_bar_index(0) >= 10
            strategy.close("Long")
    """

    code = "PB3011"
    calls = ("strategy.close", "strategy.close_all")

    def visit(self, node: nodes.Call, context: RuleContext) -> Findings:
        """Report a close that depends on time, if every entry tests only a state."""
        ages = context.once(_ages)
        if not ages:
            return ()
        opening = entries(context)
        if not opening or len(context.calls(*self.calls)) > 4 or ages.isdisjoint(deciding(context, node)):
            return ()
        return (context.report(self.code, node),) if all(_is_state(context, call) for call in opening) else ()


def _ages(context: RuleContext) -> set[nodes.Node]:
    """The expressions for the age of a position: its entry's bar or time, the time since a value that is stored at an
    entry, and the number of bars with a position."""
    found: set[nodes.Node] = set(context.calls(*_AGES))
    for call in context.calls("ta.barssince"):
        if any(context.text(part) in POSITION for part in walk(call) if isinstance(part, nodes.Member)):
            found.add(call)
    entered: set[int] | None = None
    for each in context.operations.get("-", ()):
        clock: Any = each.left
        since = context.symbol(each.right) if type(clock) is nodes.Name and clock.id in _CLOCKS else None
        if since is None:
            continue
        if entered is None:
            entered = {id(context.place(context.statement(call))[0]) for call in entries(context)}
        kept = [write for write in context.writes.get(since, ()) if context.text(write.value) == clock.id]
        if any(id(context.place(write)[0]) in entered for write in kept):
            found.add(each)
    return found


_CLOCKS = ("bar_index", "time")
_AGES = ("strategy.opentrades.entry_bar_index", "strategy.opentrades.entry_time")
_EVENTS = reference.having("event")


def _is_moment(context: RuleContext, part: nodes.Node) -> bool:
    """Whether a condition is true on single bars only: an equality that does not test the position, or a number of
    closed trades."""
    if isinstance(part, nodes.Member):
        return context.text(part) == "strategy.closedtrades"
    if not isinstance(part, nodes.Binary) or part.operator not in ("==", "%"):
        return False
    return not any(context.text(side) in POSITION for side in (part.left, part.right))


def _is_state(context: RuleContext, call: nodes.Call) -> bool:
    """Whether an entry does not depend on an event: no crossing, no earlier value, and no value that is kept between
    bars."""
    asked = list(deciding(context, call))
    if not asked or is_pending(context, call):
        return False
    for part in asked:
        if isinstance(part, nodes.History) or context.called(part) in _EVENTS or _is_moment(context, part):
            return False
        symbol = context.symbol(part)
        if symbol is not None and symbol.mode is not None:
            return False
        if isinstance(part, nodes.Call) and context.called(part) is None and context.called_function(part) is None:
            return False
    return True
