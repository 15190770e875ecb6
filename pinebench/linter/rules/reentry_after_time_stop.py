"""Rule PB3011: an exit by time after which the strategy enters again at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pinebench import reference
from pinebench.linter.rules.orders import POSITION, deciding, entries, is_pending
from pinebench.linter.rules.rule import Rule, register
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.rules.look import Look


@register
class ReentryAfterTimeStop(Rule):
    """A position is closed after some bars or minutes, while the entry asks only for a state, such as
    `close > average`, that still holds: the next bar enters again, and the time stop only costs commission. Ask for an
    event, such as `ta.crossover`, or wait some bars after the last exit.

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

    def visit(self, node: nodes.Call, look: Look) -> Iterable[Diagnostic]:
        """Report a close that only time decides, where every entry asks for a state."""
        ages = look.once(_ages)
        if not ages:
            return ()
        opening = entries(look)
        if not opening or len(look.calls(*self.calls)) > 4 or ages.isdisjoint(deciding(look, node)):
            return ()
        return (look.report(self.code, node),) if all(_is_state(look, call) for call in opening) else ()


def _ages(look: Look) -> set[nodes.Node]:
    """What tells how old a position is: when it was entered, how long ago was what is kept beside an entry, and for
    how many bars there is a position."""
    found: set[nodes.Node] = set(look.calls(*_AGES))
    for call in look.calls("ta.barssince"):
        if any(look.text(part) in POSITION for part in walk(call) if isinstance(part, nodes.Member)):
            found.add(call)
    entered: set[int] | None = None
    for each in look.operations.get("-", ()):
        clock: Any = each.left
        since = look.symbol(each.right) if type(clock) is nodes.Name and clock.id in _CLOCKS else None
        if since is None:
            continue
        if entered is None:
            entered = {id(look.place(look.statement(call))[0]) for call in entries(look)}
        kept = [write for write in look.writes.get(since, ()) if look.text(write.value) == clock.id]
        if any(id(look.place(write)[0]) in entered for write in kept):
            found.add(each)
    return found


_CLOCKS = ("bar_index", "time")
_AGES = ("strategy.opentrades.entry_bar_index", "strategy.opentrades.entry_time")
_EVENTS = reference.having("event")


def _is_moment(look: Look, part: nodes.Node) -> bool:
    """Whether a condition holds on single bars: an equality, but of the position, or one of so many closed trades."""
    if isinstance(part, nodes.Member):
        return look.text(part) == "strategy.closedtrades"
    if not isinstance(part, nodes.Binary) or part.operator not in ("==", "%"):
        return False
    return not any(look.text(side) in POSITION for side in (part.left, part.right))


def _is_state(look: Look, call: nodes.Call) -> bool:
    """Whether an entry depends on nothing that happens: no crossing, no earlier value, nothing kept between bars."""
    asked = list(deciding(look, call))
    if not asked or is_pending(look, call):
        return False
    for part in asked:
        if isinstance(part, nodes.History) or look.called(part) in _EVENTS or _is_moment(look, part):
            return False
        symbol = look.symbol(part)
        if symbol is not None and symbol.mode is not None:
            return False
        if isinstance(part, nodes.Call) and look.called(part) is None and look.called_function(part) is None:
            return False
    return True
