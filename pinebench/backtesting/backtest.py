"""Runs a strategy on bars with a broker, and returns its trades, figures and equity curve."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

from pinebench.amounts import counted
from pinebench.backtesting.broker_factory import before, properties_of, same_times, trader
from pinebench.backtesting.defaults import Defaults, defaults_of
from pinebench.backtesting.magnifier import remark, uncovered
from pinebench.backtesting.run_recorder import ORDERS
from pinebench.broker import Broker, ClosedTrade, Curve, Fill, Observer, Properties, Trade, figures
from pinebench.calendars.dates import day_text
from pinebench.checker import Program
from pinebench.errors import UsageError
from pinebench.market import Bars, Rates, SymbolInfo
from pinebench.runtime import (
    Alerts,
    Drawings,
    Look,
    MakeDrawings,
    NotComputed,
    OrderRecorder,
    RecordedStrategy,
    RequestSource,
    Result,
    RunBudget,
    Runtime,
    Timer,
    ValueRecorder,
    Watch,
    refuse,
)

_DOLLARS = frozenset(("USD", "USDT", "USDC", "BUSD", "FDUSD", "TUSD", "DAI"))
"""The dollar and stablecoins. If no rates are given, they count as equal, and a note says so."""

_WEEK = 7 * 86_400_000

NO_STRATEGY = (
    "the script is not a strategy",
    "a back-test needs a script that declares 'strategy(...)'; 'pinebench run' runs an indicator",
)


class OrdersWatch(OrderRecorder, Observer, Protocol):
    """An observer of a strategy's order calls and of the broker's reactions to them. It changes nothing."""

    def begin(self, broker: Broker, line: Callable[[], int]) -> None:
        """Prepare to record a run. `line` returns the line of the script that is currently executing."""
        ...


class OrderNote(NamedTuple):
    """A note about orders of a run: their number, and what happened to them."""

    orders: int
    what: str

    @property
    def words(self) -> str:
        """The note as a sentence: "2 orders were not placed: ..."."""
        return f"{counted(self.orders, 'order')} {'was' if self.orders == 1 else 'were'} {self.what}"


@dataclass
class BacktestRun:
    """The results of a back-test: the script's own results, trades, fills, the account, and the bars used for fills.

    If the script stopped with an error, there are no trades and no figures.
    """

    result: Result
    bars: Bars
    symbol: SymbolInfo
    defaults: Defaults
    properties: Properties
    initial_capital: float
    currency: str
    """The account's currency; empty if it is the symbol's currency, which is not known."""
    point_value: float
    notes: list[str] = field(default_factory=list)
    """Sentences about what was assumed during the run."""
    order_notes: list[OrderNote] = field(default_factory=list[OrderNote])
    """The notes that count orders; `notes` contains their sentences."""
    fills: list[Fill] = field(default_factory=list)
    trades: list[ClosedTrade] = field(default_factory=list)
    """The closed trades, in the order in which they were closed."""
    open_trades: list[Trade] = field(default_factory=list)
    """The trades that are still open on the last bar."""
    open_figures: list[tuple[float, float, float, float]] = field(default_factory=list)
    """The profit, the run-up and the drawdown of each open trade, and the value of its entry plus the commission."""
    curve: Curve = field(default_factory=lambda: Curve([], []))
    """The account on every bar."""
    told: dict[str, Any] = field(default_factory=dict)
    tier: Mapping[str, str] = field(default_factory=lambda: {"name": "python", "reason": ""})
    """The tier that ran the script, and why; the reason is empty if there was no choice."""
    first: int = 0
    """The index of the first bar on which orders are accepted; the figures are about the bars from there on."""

    def figures(self) -> dict[str, Any]:
        """Return the tester's figures by name; empty if the script stopped with an error."""
        return self.told


@dataclass
class PreparedBacktest:
    """A strategy's run before its first bar: the runtime, the broker, and the bars for fills."""

    runtime: Runtime
    broker: Broker
    market: Bars
    symbol: SymbolInfo
    defaults: Defaults
    notes: list[str]

    def tested(self, result: Result) -> BacktestRun:
        """Return the results of the back-test after all bars have run. `result` is the script's result."""
        orders = order_notes(self.broker)
        notes = [*self.notes, *result.notes, *(each.words for each in orders), *self.defaults.notes()]
        return _tested(result, self.broker, self.market, self.symbol, self.defaults, notes, orders)


def backtest(
    program: Program, bars: Bars, symbol: SymbolInfo, *, finish: Callable[[Runtime], Result] = Runtime.run, **given: Any
) -> BacktestRun:
    """Run a strategy on bars in this process. Parameters and errors are the same as for `begin`; `finish` executes the
    script.

    Code outside a worker process uses `execute` instead.
    """
    begun = begin(program, bars, symbol, **given)
    return begun.tested(finish(begun.runtime))


def begin(
    program: Program,
    bars: Bars,
    symbol: SymbolInfo,
    *,
    inputs: Mapping[str, Any] | None = None,
    others: Mapping[str, RequestSource] | None = None,
    properties: Mapping[str, Any] | None = None,
    rates: Rates | None = None,
    lower: Bars | None = None,
    standard: Bars | None = None,
    first: int | None = None,
    last: int | None = None,
    as_of: date | None = None,
    clock: int | None = None,
    budget: RunBudget | None = None,
    look: Look | None = None,
    watch: Watch | None = None,
    orders: OrdersWatch | None = None,
    timer: Timer | None = None,
    recorder: ValueRecorder | None = None,
    drawings: MakeDrawings = Drawings,
    alerts: Alerts | None = None,
    watched: Callable[[Any], Any] | None = None,
) -> PreparedBacktest:
    """Prepare the run of a strategy on bars in this process.

    `properties` replaces arguments of its declaration statement, by name. `lower` are bars of a shorter timeframe,
    which decide how orders are filled inside a bar. `standard` are bars of the same times with market prices, for fills
    on a chart whose own prices are not market prices (Heikin Ashi). `others` has the bars of other symbols, by the
    names in the script's requests.

    Orders before the time `first` are ignored, and the run ends before `last` (both in milliseconds UTC). `as_of` is
    the day whose TradingView defaults apply to arguments that are not set (default: `LANGUAGE_DATE`). `look` is the
    chart's appearance, which a script can read.

    `watch` records the values of expressions, and `recorder` the values of all names. `drawings` and `alerts` can be
    replaced by objects that observe them. `watched` may wrap the broker in an observer.

    Raises UsageError if the script is not a strategy or does not compile, if there are no bars to test, or if `lower`
    or `standard` does not fit `bars`. Raises NotComputed, with its name, for a feature that pinebench does not compute.
    """
    refuse(program, len(bars), symbol)
    if not program.is_strategy:
        raise UsageError(*NO_STRATEGY)
    defaults = defaults_of(program, properties, as_of)
    bars = before(bars, last)
    notes = check_test(properties_of(program, properties, as_of), symbol, bars, rates, lower, first)
    market = same_times(bars, standard) if standard is not None else bars
    given: dict[str, Any] = {"bars": bars, "rates": rates, "lower": lower, "standard": market, "first": first}
    made = trader(program, symbol, properties, as_of=as_of, observer=orders, **given)
    assert made is not None
    broker = made(bars)
    if lower is not None and (note := uncovered(broker, len(bars))) is not None:
        notes.append(note)
    shared: dict[str, Any] = {"inputs": inputs, "others": others, "clock": clock, "budget": budget, "look": look}
    shared |= {"watch": watch, "recorder": recorder, "drawings": drawings, "alerts": alerts, "timer": timer}
    strategy: Any = broker
    if orders is not None:
        strategy = RecordedStrategy(strategy, ORDERS, orders)
    if watched is not None:
        strategy = watched(strategy)
    runtime = Runtime(program, bars, symbol, strategy=strategy, **shared)
    if orders is not None:
        orders.begin(broker, runtime.execution.current_line)
    return PreparedBacktest(runtime, broker, market, symbol, defaults, notes)


def _tested(
    result: Result,
    broker: Broker,
    bars: Bars,
    symbol: SymbolInfo,
    defaults: Defaults,
    notes: list[str],
    orders: list[OrderNote],
) -> BacktestRun:
    account = broker.account
    tested = BacktestRun(
        result,
        bars,
        symbol,
        defaults,
        broker.properties,
        broker.variables.initial_capital,
        broker.known_currency,
        account.point_value,
        notes,
        orders,
        broker.fills,
        first=broker.first,
    )
    if result.error is None:
        tested.trades = broker.position.closed
        tested.open_trades = broker.position.open
        tested.open_figures = [figures.open_row(broker, one) for one in tested.open_trades]
        tested.curve = broker.ledger.curve(bars.close)
        tested.told = figures.figures(broker, tested.curve)
    return tested


def check_test(
    properties: Properties,
    symbol: SymbolInfo,
    bars: Bars,
    rates: Rates | None = None,
    lower: Bars | None = None,
    first: int | None = None,
) -> list[str]:
    """Return notes about assumptions of a test on `bars`. `first` is the time from which orders count.

    Raises UsageError if there are no bars to test, or if there are rates but the account needs none, and NotComputed
    for an account that needs exchange rates but has none.
    """
    if not len(bars) or (first is not None and bars.time[-1] < first):
        raise UsageError("there are no bars for the test", "use other dates, or bars of that period")
    notes: list[str] = []
    if properties.use_bar_magnifier and lower is None:
        notes.append("no shorter bars are given for the bar magnifier: the chart's bars decide where orders are filled")
    if lower is not None and (note := remark(lower, symbol)) is not None:
        notes.append(note)
    account, own = properties.currency or symbol.currency, symbol.currency
    is_assumed = "currency" in symbol.assumed
    if is_assumed and properties.currency and account == own:
        words = (
            f"the currency of {symbol.full_name} is not known: its prices are assumed to be in {own}, like the account"
        )
        notes.append(f"{words} (currency in its TOML file)")
    if symbol.type == "futures" and "pointvalue" in symbol.assumed:
        words = f"the point value of {symbol.full_name} is not known: one point of a contract is assumed to be worth"
        notes.append(f"{words} {symbol.pointvalue:g} {own} (pointvalue in its TOML file)")
    if rates is not None:
        if not properties.currency or (account == own and not is_assumed):
            hint = "leave the rates out, or set the currency of the account (on the command line --currency)"
            raise UsageError(f"rates are given, but the account is in the symbol's own currency, {own}", hint)
        return notes + _outside(rates, bars)
    if account == own:
        return notes
    if {account, own} <= _DOLLARS:
        return [*notes, f"no rates are given: one {own} is assumed to be one {account}"]
    hint = f"Give the daily rates of {own} in {account} (on the command line --rates FILE), or bars in {account}."
    if is_assumed:
        hint = f"No source says that the symbol is in {own}: its TOML file can say currency. {hint}"
    raise NotComputed(f"an account in {account} on a symbol in {own} without rates", hint=hint)


def _outside(rates: Rates, bars: Bars) -> list[str]:
    """Return notes about bars that are more than a week before the first or after the last rate, or between two."""
    notes: list[str] = []
    if rates.days[0] - bars.time[0] > _WEEK:
        notes.append(f"the rates begin on {day_text(rates.days[0])}: earlier bars use the first rate")
    if bars.time[-1] - rates.days[-1] > _WEEK:
        notes.append(f"the rates end on {day_text(rates.days[-1])}: later bars use the last rate")
    missing = [
        (one, two)
        for one, two in pairwise(rates.days)
        if two - one > _WEEK and one < bars.time[-1] and bars.time[0] < two
    ]
    if missing:
        (one, two), more = missing[0], len(missing) - 1
        others = f" (and in {counted(more, 'later gap')})" if more else ""
        notes.append(
            f"there are no rates from {day_text(one)} to {day_text(two)}{others}: bars use the last rate before"
        )
    return notes


def order_notes(broker: Broker) -> list[OrderNote]:
    """Return notes about orders that the broker did not place or fill as the script requested."""
    notes: list[OrderNote] = []
    if broker.calls.small_orders:
        what = f"not placed: the quantity is below the symbol's smallest quantity, {broker.account.lot:g}"
        notes.append(OrderNote(broker.calls.small_orders, f"{what} (mincontract in its TOML file)"))
    if broker.account.cut_orders:
        what = "filled more than 5 % smaller than requested, in whole multiples of the symbol's smallest quantity"
        notes.append(
            OrderNote(broker.account.cut_orders, f"{what}, {broker.account.lot:g} (mincontract in its TOML file)")
        )
    if broker.account.uncovered:
        is_idle = not broker.position.closed and not broker.position.open
        what = f"refused{', and no order was filled' if is_idle else ''}: the equity does not cover the margin"
        decides = "the margin depends on initial_capital, the order size, and margin_long or margin_short"
        notes.append(OrderNote(broker.account.uncovered, f"{what} ({decides})"))
    return notes
