"""Rule PB3006: orders that undo each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from pinebench.linter.rules.alike import flattened, same
from pinebench.linter.rules.code_blocks import block_of
from pinebench.linter.rules.context import once_each
from pinebench.linter.rules.orders import direction, entries, is_pending, shown_id, texts
from pinebench.linter.rules.ranges import holds_still
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes
from pinebench.linter.rules.signals import ENTRIES
from pinebench.records import NamedTuple


class ContradictoryOrders(Rule):
    """A strategy enters long and short, or enters and closes the same order, under the same condition.

    Inputs that are on by default are ignored when conditions are compared. Entries that wait for a price, such as a
    stop above and another one below, are not reported.

    Bad:

        //@version=6
        strategy("Example")
        if ta.crossover(close, ta.sma(close, 20))
            strategy.entry("Long", strategy.long)
            strategy.entry("Short", strategy.short)

    Good:

        //@version=6
        strategy("Example")
        if ta.crossover(close, ta.sma(close, 20))
            strategy.entry("Long", strategy.long, stop = high + syminfo.mintick)
            strategy.entry("Short", strategy.short, stop = low - syminfo.mintick)
    """

    code = "PB3006"
    calls = ENTRIES

    def finish(self, context: RuleContext) -> Findings:
        """Report the second of two orders that undo each other under the same condition."""
        market = [call for call in entries(context) if not is_pending(context, call)][:_MOST]
        reported: set[nodes.Node] = set()
        placed = _OrderPlaces(context)
        directed = [(call, direction(context, call)) for call in market]
        sides = {side for _, side in directed}
        for (first, one), (second, other) in combinations(directed, 2) if len(sides) > 1 else ():
            if one == other or one is None or other is None or second in reported:
                continue
            if _together(context, placed[first], placed[second]):
                reported.add(second)
                yield context.report(
                    self.code, second, first=shown_id(context, first), second=shown_id(context, second)
                )
        closing = [
            (call, texts(context, context.argument(call, "id"))) for call in context.calls("strategy.close")[:_MOST]
        ]
        closing += [(call, None) for call in context.calls("strategy.close_all")[:_MOST]]
        for first in market if closing else ():
            own = texts(context, context.argument(first, "id"))
            for second, ids in closing:
                closes = ids is None and context.called(second) == "strategy.close_all"
                if not closes and (not own or ids != own):
                    continue
                if second not in reported and _undoes(context, placed[first], placed[second]):
                    reported.add(second)
                    yield context.report(
                        self.code, second, first=shown_id(context, first), second=f"{context.called(second)}()"
                    )


_MOST = 50
"""The largest number of orders of each kind that are compared with each other."""


class _OrderPlace(NamedTuple):
    """The place of an order: its innermost statement, the block of the statement, and the node above."""

    call: nodes.Call
    statement: nodes.Node
    block: Sequence[nodes.Node]
    above: nodes.Node | None


class _OrderPlaces(dict[nodes.Call, _OrderPlace]):
    """The places of orders, computed when they are first asked for."""

    def __init__(self, context: RuleContext) -> None:
        super().__init__()
        self._look = context

    def __missing__(self, call: nodes.Call) -> _OrderPlace:
        context = self._look
        statement = context.statement(call)
        placed = self[call] = _OrderPlace(call, statement, context.block(statement), context.parent.get(statement))
        return placed


def _together(context: RuleContext, first: _OrderPlace, second: _OrderPlace) -> bool:
    """Whether two calls run under the same conditions, or are in the same block."""
    if first.block is not second.block and not _in_twins(context, first, second):
        return False
    return not context.loops(first.call) and not context.loops(second.call)


def _in_twins(context: RuleContext, first: _OrderPlace, second: _OrderPlace) -> bool:
    """Whether each call is in an `if` of its own, both in the same block and with the same condition."""
    above, beside = first.above, second.above
    if not isinstance(above, nodes.If) or not isinstance(beside, nodes.If):
        return False
    if context.block(above) is not context.block(beside):
        return False
    return (
        block_of(above, first.statement) is above.body
        and block_of(beside, second.statement) is beside.body
        and _says_the_same(context, above.condition, beside.condition)
    )


def _says_the_same(context: RuleContext, first: nodes.Node, second: nodes.Node) -> bool:
    """Whether two conditions are the same, directly or through variables, with the operands of `and` in any order."""
    one, other = context.value_node(first), context.value_node(second)
    if type(one) is not nodes.Binary and type(other) is not nodes.Binary:
        return same(one, other) and not _is_on(context, one) and holds_still(context, one)
    parts, others = _asked(context, one), _asked(context, other)
    if not parts or len(parts) != len(others):
        return False
    if len(parts) == 1:
        return same(parts[0], others[0]) and holds_still(context, parts[0])
    return _stand_in(parts, others) and _stand_in(others, parts) and all(holds_still(context, part) for part in parts)


def _stand_in(parts: list[nodes.Node], others: list[nodes.Node]) -> bool:
    for part in parts:
        for each in others:
            if same(part, each):
                break
        else:
            return False
    return True


@once_each
def _asked(context: RuleContext, condition: nodes.Node) -> list[nodes.Node]:
    """The operands of `and` in a condition, which is compared with many others, without inputs that are true by
    default."""
    parts = [context.value_node(part) for part in flattened(condition, "and")]
    return [part for part in parts if not _is_on(context, part)]


def _is_on(context: RuleContext, part: nodes.Node) -> bool:
    given = context.argument(part, "defval") if context.called(part) in ("input.bool", "input") else None
    return given is not None and context.value(given) == (True, True)


def _undoes(context: RuleContext, first: _OrderPlace, second: _OrderPlace) -> bool:
    """Whether the second call is after the first one and closes on the same bar what the first one opens."""
    if first.block is second.block:
        return _begins(context, first.statement) < _begins(context, second.statement)
    if first.above is None or second.above is None:
        return False
    return _begins(context, first.above) < _begins(context, second.above) and _together(context, first, second)


def _begins(context: RuleContext, statement: nodes.Node) -> int:
    return context.offset(statement) + statement.start
