"""Rule PB3009: a strategy whose losses nothing limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.orders import STOPS, deciding, entries
from pinebench.lint.rules.requests import parts
from pinebench.lint.rules.rule import Rule, register
from pinebench.lint.rules.signals import ENTRIES, field_writes
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.check.symbols import VariableSymbol
    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class NoRiskLimit(Rule):
    """The strategy opens positions, but no exit has `stop`, `loss` or a trail, no `strategy.risk.*` is set, and no
    close asks for the open profit, the price of the entry, or a price that the script keeps from the entry on. Only a
    signal ends a losing trade then.

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

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report the declaration of a strategy that has entries and no stop."""
        opening = entries(look)
        if look.declaration is None or not opening:
            return
        for call in look.calls("strategy.exit", "strategy.order"):
            if any(look.argument(call, name) is not None for name in STOPS):
                return
        if any(name.startswith("strategy.risk.max") for name in look.builtin_calls):
            return
        closing = look.calls("strategy.close", "strategy.close_all") if _may_ask_for_the_loss(look) else ()
        if not any(_is_kept_price(look, part) for part in deciding(look, *closing)):
            yield look.report(self.code, look.declaration.callee, within=look.declaration)


_LOSSES = ("openprofit", "position_avg_price", "entry_price", "profit", "profit_percent")
"""What a close asks for that limits a loss."""


def _may_ask_for_the_loss(look: Look) -> bool:
    """Whether the script has anything of what `_is_kept_price` knows."""
    if any(each.name in _LOSSES for each in look.of(nodes.Member)) or look.calls("ta.valuewhen"):
        return True
    return bool(look.once(_kept_from_entries))


def _is_kept_price(look: Look, part: nodes.Node) -> bool:
    """Whether a part of a condition is the result of the position, the price of its entry, or a price that the script
    itself keeps from an entry on, as that of its stop."""
    if isinstance(part, nodes.Member):
        return part.name in (_LOSSES if look.is_builtin(part) else look.once(_kept_from_entries))
    if look.called(part) == "ta.valuewhen":
        asked = look.argument(part, "condition")
        return asked is not None and look.text(asked) in look.once(_conditions_of_entries)
    symbol = look.symbol(part)
    return symbol is not None and symbol in look.once(_kept_from_entries)


def _kept_from_entries(look: Look) -> set[VariableSymbol | str]:
    """The variables and the names of fields in which prices are kept from an entry on."""
    found: set[VariableSymbol | str] = set()
    for symbol, writes in look.writes.items():
        if symbol.mode is not None and any(_is_of_entry(look, write) for write in writes):
            found.add(symbol)
    for name, fields in look.once(field_writes).items():
        if any(_is_of_entry(look, write) for write, _ in fields):
            found.add(name)
    return found


def _is_of_entry(look: Look, write: nodes.Reassignment) -> bool:
    """Whether a number is kept beside an entry, on a condition of one, or depending on the position."""
    kept = look.type(write.value, write)
    if kept is None or kept.base.name != "float":
        return False
    if any(look.text(fact) in look.once(_conditions_of_entries) for fact, _ in look.facts(write)):
        return True
    asked = [write.value, *(condition for condition, _ in look.conditions(write) if condition is not None)]
    if any(isinstance(part, nodes.Member) and part.name in _POSITION for each in asked for part in parts(look, each)):
        return True
    block = look.place(write)[0]
    return any(look.place(look.statement(call))[0] is block for call in entries(look))


def _conditions_of_entries(look: Look) -> set[str]:
    """The conditions on which a strategy enters, as texts."""
    return {look.text(fact) for call in entries(look) for fact, truth in look.facts(call) if truth}


_POSITION = ("position_size", "opentrades")
