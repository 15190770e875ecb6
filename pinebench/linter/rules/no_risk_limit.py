"""Rule PB3009: a strategy without a limit for its losses."""

from __future__ import annotations

from pinebench.checker import VariableSymbol
from pinebench.linter.rules.context import once_each
from pinebench.linter.rules.orders import STOPS, deciding, entries
from pinebench.linter.rules.requests import parts
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes
from pinebench.linter.rules.signals import ENTRIES, field_writes


class NoRiskLimit(Rule):
    """The strategy opens positions and has no limit for its losses. No exit has `stop`, `loss` or a trailing stop, no
    function `strategy.risk.max_*` is called, and no close depends on the open profit, the entry price, or a price that
    the script stores at the entry. Then only a signal ends a losing trade.

    Bad:

        //@version=6
        strategy("Example", commission_value = 0.05)
        if ta.crossover(close, ta.sma(close, 20))
            strategy.entry("Long", strategy.long)
        if ta.crossunder(close, ta.sma(close, 20))
            strategy.close("Long")

    Good:

        //@version=6
        strategy("Example", commission_value = 0.05)
        if ta.crossover(close, ta.sma(close, 20))
            strategy.entry("Long", strategy.long)
        strategy.exit("Leave", "Long", loss = 500, profit = 1000)
    """

    code = "PB3009"
    calls = ENTRIES

    def finish(self, context: RuleContext) -> Findings:
        """Report the declaration statement of a strategy with entries and without a stop."""
        declared = context.declaration
        if declared is None or _limits_the_loss(context):
            return ()
        return (context.report(self.code, declared.callee, within=declared),)


def _limits_the_loss(context: RuleContext) -> bool:
    """Whether an order has a stop, the strategy has a risk limit, or a close depends on the loss."""
    known = context.builtin_calls
    for name in ("strategy.exit", "strategy.order"):
        for call in known.get(name, ()):
            if not context.given(call).keys().isdisjoint(STOPS):
                return True
    if not known.keys().isdisjoint(_LIMITS):
        return True
    closing = context.calls("strategy.close", "strategy.close_all")
    if not closing or not _may_ask_for_the_loss(context):
        return False
    return any(_is_kept_price(context, part) for part in deciding(context, *closing))


_LIMITS = tuple(
    f"strategy.risk.max_{limit}"
    for limit in ("drawdown", "position_size", "intraday_loss", "intraday_filled_orders", "cons_loss_days")
)
"""The functions that limit the risk."""


_LOSSES = ("openprofit", "position_avg_price", "entry_price", "profit", "profit_percent")
"""The names by which a close can depend on a loss."""


def _may_ask_for_the_loss(context: RuleContext) -> bool:
    """Whether a script contains anything that `_is_kept_price` accepts."""
    if (
        not context.members.keys().isdisjoint(_LOSSES)
        or "ta.valuewhen" in context.builtin_calls
        or context.once(field_writes)
    ):
        return True
    return any(
        symbol.mode is not None and (symbol.type is None or symbol.type.base.name == "float")
        for symbol in context.writes
    )


def _is_kept_price(context: RuleContext, part: nodes.Node) -> bool:
    """Whether a part of a condition is the result of the position, its entry price, or a price that the script stores
    at an entry, such as the price of its own stop."""
    kind = type(part)
    if kind is not nodes.Call and kind is not nodes.Name and kind is not nodes.Member:
        return False
    if isinstance(part, nodes.Name):
        symbol = context.symbol(part)
        return symbol is not None and symbol.mode is not None and _is_kept_from_entry(context, symbol)
    if isinstance(part, nodes.Member):
        return part.name in _LOSSES if context.is_builtin(part) else _is_kept_from_entry(context, part.name)
    if context.called(part) != "ta.valuewhen":
        return False
    asked = context.argument(part, "condition")
    return asked is not None and context.text(asked) in context.once(_conditions_of_entries)


@once_each
def _is_kept_from_entry(context: RuleContext, kept: VariableSymbol | str) -> bool:
    """Whether a price is stored at an entry, in a variable or in fields with that name."""
    writes = context.writes.get(kept, ()) if isinstance(kept, VariableSymbol) else _writes_of_field(context, kept)
    return any(_is_of_entry(context, write) for write in writes)


def _writes_of_field(context: RuleContext, name: str) -> list[nodes.Reassignment]:
    return [write for write, _ in context.once(field_writes).get(name, ())]


def _is_of_entry(context: RuleContext, write: nodes.Reassignment) -> bool:
    """Whether a float is stored in the same block as an entry, under the condition of an entry, or depending on the
    position."""
    kept = context.type(write.value, write)
    if kept is None or kept.base.name != "float":
        return False
    if any(context.text(fact) in context.once(_conditions_of_entries) for fact, _ in context.facts(write)):
        return True
    asked = [write.value, *(condition for condition, _ in context.conditions(write) if condition is not None)]
    if any(
        isinstance(part, nodes.Member) and part.name in _POSITION for each in asked for part in parts(context, each)
    ):
        return True
    block = context.place(write)[0]
    return any(context.place(context.statement(call))[0] is block for call in entries(context))


def _conditions_of_entries(context: RuleContext) -> set[str]:
    return {context.text(fact) for call in entries(context) for fact, truth in context.facts(call) if truth}


_POSITION = ("position_size", "opentrades")
