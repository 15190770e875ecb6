"""A strategy on bars: the run of its script with the broker that trades for it, its trades and its account's curve."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pinebench.broker.emulator import Broker
from pinebench.broker.ledger import Curve
from pinebench.broker.properties import Properties
from pinebench.broker.trades import ClosedTrade, Trade
from pinebench.check import Program
from pinebench.errors import UsageError
from pinebench.execution.currency import Rates
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.runtime.guard import Budget
from pinebench.runtime.refusals import NotComputed
from pinebench.runtime.requests import Source
from pinebench.runtime.runtime import Result, Runtime, declared

_DOLLARS = frozenset(("USD", "USDT", "USDC", "BUSD", "FDUSD", "TUSD", "DAI"))
"""The dollar and coins that follow it, which are taken for equal, with a word, where no rates are given."""


@dataclass(slots=True)
class Backtest:
    """What a strategy did: the script's own results, the broker that traded, and the bars it traded on."""

    result: Result
    broker: Broker
    bars: Bars
    symbol: SymbolInfo
    notes: list[str] = field(default_factory=list)

    @property
    def trades(self) -> list[ClosedTrade]:
        """The closed trades in the order in which they were closed."""
        return self.broker.position.closed

    @property
    def open_trades(self) -> list[Trade]:
        """What is still open on the last bar."""
        return self.broker.position.open

    @property
    def curve(self) -> Curve:
        """The account on every bar."""
        bars = self.bars
        return self.broker.ledger.curve(bars.close, bars.high, bars.low, self.broker.account.rates)


def backtest(
    program: Program,
    bars: Bars,
    symbol: SymbolInfo,
    *,
    inputs: Mapping[str, Any] | None = None,
    others: Mapping[str, Source] | None = None,
    properties: Mapping[str, Any] | None = None,
    rates: Rates | None = None,
    budget: Budget | None = None,
) -> Backtest:
    """Run a strategy on bars.

    `properties` replace arguments of its declaration, by their names. Raises UsageError for a script that is no
    strategy or does not compile, and NotComputed, by name, for one that needs what is not computed here.
    """
    declaration = program.declaration
    if declaration is None or declaration.name != "strategy":
        raise UsageError("the script is no strategy", 'It needs "strategy(...)" as its declaration; `run` runs any.')
    known = replace(Properties.of(declared(program)), **dict(properties or {}))
    notes = _check(known, symbol, rates)
    broker = Broker(
        known,
        bars,
        tick=symbol.mintick,
        point_value=symbol.pointvalue,
        lot=symbol.mincontract,
        currency=symbol.currency,
        rates=rates.at(bars.time) if rates is not None else None,
    )
    runtime = Runtime(program, bars, symbol, inputs=inputs, others=others, strategy=broker, budget=budget)
    result = runtime.run()
    return Backtest(result, broker, bars, symbol, [*notes, *result.notes, *_remarks(broker)])


def _check(properties: Properties, symbol: SymbolInfo, rates: Rates | None) -> list[str]:
    """Refuse by name what is not computed, and say what is taken for granted."""
    if properties.calc_on_every_history_tick:
        raise NotComputed("strategy(calc_on_every_history_tick = true)")
    account, own = properties.currency or symbol.currency, symbol.currency
    if rates is not None or account == own:
        return []
    if {account, own} <= _DOLLARS:
        return [f"no rates are given: one {own} is taken for one {account}"]
    hint = f"Give the daily rates of {own} in {account}, or bars in {account}."
    raise NotComputed(f"an account in {account} on a symbol in {own} without rates", hint=hint)


def _remarks(broker: Broker) -> list[str]:
    if not broker.small_orders:
        return []
    count = f"{broker.small_orders} order{'s were' if broker.small_orders > 1 else ' was'}"
    least = f"{broker.account.lot:g}"
    return [f"{count} not placed: less than the symbol's smallest quantity, {least} (mincontract in its TOML file)"]
