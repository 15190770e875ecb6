"""Money is conserved, whatever a strategy does: random orders with random properties on random bars."""

import random
from typing import Any

import pytest

from pinebench.broker.emulator import Broker
from pinebench.broker.properties import Properties
from pinebench.market.bars import Bars

BARS = 120
TICK = 0.05
LOT = 0.01


def bars_of(chance: random.Random) -> Bars:
    """A market that wanders on its grid, with gaps."""
    bars = Bars()
    price = 100.0
    for number in range(BARS):
        first = max(5.0, price + chance.choice((0, 0, 0, chance.gauss(0, 2))))
        last = max(5.0, first + chance.gauss(0, 1.5))
        high = max(first, last) + abs(chance.gauss(0, 1))
        low = max(1.0, min(first, last) - abs(chance.gauss(0, 1)))
        first, high, low, last = (round(round(one / TICK) * TICK, 2) for one in (first, high, low, last))
        bars.append(number * 900_000, first, high, low, last, 1.0)
        price = last
    return bars


def properties_of(chance: random.Random) -> Properties:
    return Properties(
        initial_capital=chance.choice((1_000.0, 100_000.0)),
        default_qty_type=chance.choice(("fixed", "cash", "percent_of_equity")),
        default_qty_value=chance.choice((1.0, 7.5, 50.0, 100.0)),
        pyramiding=chance.randrange(4),
        commission_type=chance.choice(("percent", "cash_per_contract", "cash_per_order")),
        commission_value=chance.choice((0.0, 0.0, 0.1, 1.0)),
        slippage=chance.choice((0, 0, 3)),
        process_orders_on_close=chance.random() < 0.3,
        calc_on_order_fills=chance.random() < 0.2,
        close_entries_rule=chance.choice(("FIFO", "ANY")),
        margin_long=chance.choice((100.0, 100.0, 25.0, 0.0)),
        margin_short=chance.choice((100.0, 100.0, 25.0, 0.0)),
        backtest_fill_limits_assumption=chance.choice((0, 0, 2)),
    )


class Trader:
    """Calls whatever comes to its mind."""

    def __init__(self, broker: Broker, chance: random.Random) -> None:
        self.broker = broker
        self.chance = chance
        self.bar = -1

    def price(self) -> float:
        return self.broker.prices.close[self.bar] * (1 + self.chance.gauss(0, 0.02))

    def maybe(self, value: Any) -> Any:
        return value if self.chance.random() < 0.5 else float("nan")

    def act(self) -> None:
        for _ in range(self.chance.choice((0, 0, 1, 1, 2))):
            self.chance.choice((self.enter, self.enter, self.leave, self.leave, self.order, self.close, self.cancel))()

    def given(self) -> dict[str, Any]:
        group = self.chance.choice(("none", "none", "cancel", "reduce"))
        return {
            "direction": self.chance.choice(("long", "short")),
            "qty": self.maybe(self.chance.choice((0.005, 1, 2.5, 40))),
            "limit": self.maybe(self.price()),
            "stop": self.maybe(self.price()),
            "oca_name": "g" if group != "none" else "",
            "oca_type": group,
        }

    def enter(self) -> None:
        self.broker.calls.entry(id=self.chance.choice("ABC"), **self.given())

    def order(self) -> None:
        self.broker.calls.order(id=self.chance.choice("DE"), **self.given())

    def leave(self) -> None:
        chance = self.chance
        self.broker.calls.exit(
            id=chance.choice("XYZ"),
            from_entry=chance.choice(("", "A", "B", "C")),
            qty=self.maybe(chance.choice((0.5, 3))),
            qty_percent=chance.choice((25, 50, 100)),
            profit=self.maybe(chance.randrange(80)),
            limit=self.maybe(self.price()),
            loss=self.maybe(chance.randrange(80)),
            stop=self.maybe(self.price()),
            trail_points=self.maybe(chance.randrange(60)),
            trail_offset=self.maybe(chance.randrange(30)),
        )

    def close(self) -> None:
        chance = self.chance
        now = chance.random() < 0.3
        if chance.random() < 0.4:
            self.broker.calls.close_all(immediately=now)
        else:
            self.broker.calls.close(id=chance.choice("ABC"), qty_percent=chance.choice((30, 100)), immediately=now)

    def cancel(self) -> None:
        if self.chance.random() < 0.2:
            self.broker.calls.cancel_all()
        else:
            self.broker.calls.cancel(id=self.chance.choice("ABCDEX"))


def run(seed: int, *, gated: bool = False) -> tuple[Broker, list[float]]:
    """A strategy by its number, and the equity that it saw at each close; `gated` leaves out what its gate does."""
    chance = random.Random(seed)
    bars, properties = bars_of(chance), properties_of(chance)
    rates = [1 + 0.1 * chance.random() for _ in range(BARS)] if chance.random() < 0.2 else None
    broker = Broker(properties, bars, tick=TICK, lot=LOT, point_value=chance.choice((1.0, 5.0)), rates=rates)
    trader = Trader(broker, chance)
    if chance.random() < 0.2:
        broker.calls.risk_max_intraday_filled_orders(count=chance.randrange(1, 6))
    if chance.random() < 0.1:
        broker.calls.risk_max_drawdown(value=20, type="percent_of_equity")
    broker.recalculate = trader.act if properties.calc_on_order_fills else None
    seen: list[float] = []
    for i in range(BARS):
        trader.bar = i
        if gated and bars.high[i] < broker.gate.above and bars.low[i] > broker.gate.below:
            broker.moment.clock.index = i
        else:
            broker.before_bar(i)
        trader.act()
        if broker.ends_bars or not gated:
            broker.after_bar(i)
        seen.append(broker.variables.equity)
        check_account(broker)
    return broker, seen


def close_to(one: float, other: float) -> bool:
    return abs(one - other) <= 1e-6 * max(1.0, abs(one), abs(other))


def check_account(broker: Broker) -> None:
    position = broker.position
    closed = sum(trade.profit for trade in position.closed)
    still = sum(broker.variables.profit_of(trade) for trade in position.open)
    assert close_to(broker.variables.netprofit, closed - position.fees)
    assert close_to(broker.variables.openprofit, still + position.fees)
    assert close_to(broker.variables.equity, broker.variables.initial_capital + closed + still)
    assert broker.variables.equity == position.equity(broker.variables.price), "the formula is written out twice"
    assert close_to(broker.variables.position_size, sum(trade.side * trade.quantity for trade in position.open))
    assert all(trade.quantity > 0 for trade in position.open)
    assert len({trade.side for trade in position.open}) < 2
    assert broker.variables.opentrades == len(position.open) and broker.variables.closedtrades == len(position.closed)


def extremes_of(broker: Broker) -> list[tuple[int, float, float]]:
    """The lowest and the highest equity of each bar with fills."""
    ledger, number = broker.ledger, 0
    found: list[tuple[int, float, float]] = []
    while (bar := ledger.bar_after(number)) >= 0:
        end = ledger.bar_end(number)
        found.append((bar, *ledger.extremes(number, end)))
        number = end
    return found


def check_run(seed: int) -> int:
    broker, seen = run(seed)
    prices, slip = broker.prices, broker.properties.slippage * TICK + 1e-9
    held = 0.0
    for fill in broker.fills:
        assert prices.low[fill.bar] - slip <= fill.price <= prices.high[fill.bar] + slip
        assert fill.bar > 0 or broker.properties.process_orders_on_close
        held += fill.quantity if fill.action == "buy" else -fill.quantity
        assert close_to(held, fill.position)
    for trade in broker.position.closed:
        assert trade.entry_bar <= trade.exit_bar and trade.quantity > 0
        assert trade.run_up >= 0 and trade.drawdown >= 0
    curve = broker.ledger.curve(prices.close)
    assert all(map(close_to, curve.equity, seen))
    states = extremes_of(broker)
    for bar, lowest, highest in states:
        value = curve.equity[bar]
        slack = 1e-6 * abs(value)
        assert lowest <= value + slack and value <= highest + slack
    again, seen_again = run(seed, gated=True)
    assert seen_again == seen and again.fills == broker.fills
    assert again.position.closed == broker.position.closed and extremes_of(again) == states
    return len(broker.fills)


def test_money_is_conserved() -> None:
    fills = sum(check_run(seed) for seed in range(40))
    assert fills > 400


@pytest.mark.soak
@pytest.mark.parametrize("part", range(20))
def test_money_is_conserved_by_many_strategies(part: int) -> None:
    for seed in range(1000 + 100 * part, 1100 + 100 * part):
        check_run(seed)
