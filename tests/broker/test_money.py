"""The account: what orders cost, how much a default order buys, what can be afforded, and margin calls."""

from typing import Any

import pytest

from pinebench.broker.emulator import Broker
from pinebench.broker.figures import figures
from tests.broker.desk import at, both, leave, long, rows, short, trade

FLAT = (10.0, 10.0, 10.0, 10.0)
UP = (12.0, 12.0, 12.0, 12.0)


@pytest.mark.parametrize(
    ("kind", "value", "paid"), [("percent", 1, 0.3 + 0.36), ("cash_per_contract", 0.5, 3), ("cash_per_order", 2, 4)]
)
def test_commission_is_paid_by_entry_and_exit(kind: str, value: float, paid: float) -> None:
    plan = at({0: long(qty=3), 1: lambda b: b.calls.close_all()})
    broker = trade([FLAT, FLAT, UP], plan, commission_type=kind, commission_value=value)
    closed = broker.position.closed[0]
    assert closed.commission == pytest.approx(paid)
    assert closed.profit == pytest.approx(6 - paid)
    assert broker.variables.netprofit == pytest.approx(6 - paid)


def test_an_order_that_closes_two_trades_pays_for_one_order() -> None:
    plan = at({0: long("A"), 1: long("B"), 2: lambda b: b.calls.close_all()})
    broker = trade([FLAT] * 4, plan, pyramiding=2, commission_type="cash_per_order", commission_value=2)
    assert broker.variables.netprofit == pytest.approx(-6)


def test_a_reversal_pays_for_one_order_and_divides_it_between_its_two_trades() -> None:
    """One contract long, short, long, closed: four orders (measured on TradingView by the authors of PyneCore)."""
    plan = at({0: long(qty=1), 1: short(qty=1), 2: long(qty=1), 3: lambda b: b.calls.close_all()})
    broker = trade([FLAT] * 5, plan, commission_type="cash_per_order", commission_value=10)
    assert [one.commission for one in broker.position.closed] == [15, 10, 15]
    assert broker.variables.netprofit == -40


def test_an_order_that_closes_nothing_pays_nothing() -> None:
    plan = at({0: long("A"), 1: lambda b: b.calls.close(id="A"), 2: long("B")})
    given = {"commission_type": "cash_per_order", "commission_value": 10, "close_entries_rule": "ANY"}
    assert trade([FLAT] * 4, plan, **given).variables.netprofit == -30


@pytest.mark.parametrize(("side", "profit"), ((long, 10), (short, -10)))
def test_a_negative_price_earns_no_commission_and_turns_no_percentage_around(side: Any, profit: float) -> None:
    """Oil was sold at a negative price in April 2020."""
    rows = [(-30.0, -30.0, -30.0, -30.0)] * 3 + [(-20.0, -20.0, -20.0, -20.0)] * 2
    plan = at({0: side(qty=1), 2: lambda b: b.calls.close_all()})
    broker = trade(rows, plan, commission_type="percent", commission_value=1)
    told = figures(broker, broker.ledger.curve(broker.prices.close))
    assert told["commission_paid"] == pytest.approx(0.3 + 0.2)
    assert told["net_profit"] == pytest.approx(profit - 0.5)
    assert told["average_trade_percent"] == pytest.approx(100 * (profit - 0.5) / 30.3)
    assert told["buy_and_hold"] is None


@pytest.mark.parametrize(
    ("given", "quantity"),
    [
        ({"default_qty_type": "percent_of_equity", "default_qty_value": 50}, 50),
        ({"default_qty_type": "cash", "default_qty_value": 300}, 30),
        ({"default_qty_type": "fixed", "default_qty_value": 7}, 7),
        ({"default_qty_type": "cash", "default_qty_value": 303, "commission_value": 1}, 30),
        (
            {
                "default_qty_type": "cash",
                "default_qty_value": 300,
                "commission_type": "cash_per_order",
                "commission_value": 10,
            },
            29,
        ),
        ({"default_qty_type": "cash", "default_qty_value": 300, "slippage": 50}, 28.5714),
    ],
    ids=["share of the equity", "cash", "fixed", "percent commission", "commission an order", "slippage"],
)
def test_a_default_order_buys_for_its_money_at_the_close_of_its_bar(given: dict[str, float], quantity: float) -> None:
    broker = trade([FLAT, UP], at({0: long()}), initial_capital=1000, **given)
    assert broker.position.size == quantity


def test_entries_that_the_equity_does_not_cover_are_counted() -> None:
    """10 contracts at 10 bind 100: the call finds 50 too little, and so does the fill, at a higher price than the
    call's."""
    broker = trade([FLAT, FLAT], at({0: long(qty=10), 1: long(qty=10)}), initial_capital=50)
    assert not broker.fills and broker.account.uncovered == 2
    broker = trade([FLAT, UP], at({0: long(qty=10)}), initial_capital=100)
    assert broker.account.uncovered == (0 if broker.fills else 1)


def test_an_order_of_less_than_a_lot_is_not_placed_and_counted() -> None:
    broker = trade([FLAT, FLAT], at({0: long(qty=0.4)}), lot=1.0)
    assert not broker.fills
    assert broker.calls.small_orders == 1


@pytest.mark.parametrize(
    ("quantity", "lot", "cut"), [(1.9, 1.0, 1), (19.9, 1.0, 0), (0.19, 0.1, 1), (2, 1.0, 0), (None, 1.0, 1)]
)
def test_an_order_that_loses_much_of_its_size_to_whole_lots_is_counted(
    quantity: float | None, lot: float, cut: int
) -> None:
    given: dict[str, Any] = {} if quantity is None else {"qty": quantity}
    sized = {"default_qty_type": "cash", "default_qty_value": 19}
    broker = trade([FLAT, FLAT], at({0: long(**given)}), lot=lot, initial_capital=1000, **sized)
    assert broker.fills and broker.account.cut_orders == cut
    assert broker.calls.small_orders == 0


@pytest.mark.parametrize("place", ["entry", "order"])
def test_an_order_that_is_called_on_each_bar_is_counted_once_when_it_fills(place: str) -> None:
    low = (10.0, 10.0, 8.0, 10.0)

    def script(broker: Broker, bar: int) -> None:
        if not broker.position.size:
            getattr(broker.calls, place)(id="L", direction="long", qty=1.9, limit=9.0)

    assert trade([FLAT] * 9, script, lot=1.0).account.cut_orders == 0
    broker = trade([*[FLAT] * 9, low, FLAT], script, lot=1.0)
    assert broker.position.size == 1 and broker.account.cut_orders == 1


def test_a_refused_or_cancelled_order_is_not_counted_as_a_smaller_one() -> None:
    broker = trade([FLAT, UP], at({0: long(qty=10.9)}), lot=1.0, initial_capital=105)
    assert not broker.fills and broker.account.cut_orders == 0
    plan = at({0: long(qty=1.9, limit=9.0), 1: lambda broker: broker.calls.cancel(id="L")})
    assert trade([FLAT] * 4, plan, lot=1.0).account.cut_orders == 0


def test_what_exceeds_the_equity_is_not_bought() -> None:
    assert not trade([FLAT, FLAT], at({0: long(qty=101)}), initial_capital=1000).fills
    assert trade([FLAT, FLAT], at({0: long(qty=100)}), initial_capital=1000).fills
    assert trade([FLAT, FLAT], at({0: long(qty=400)}), initial_capital=1000, margin_long=25).fills
    assert trade([FLAT, FLAT], at({0: long(qty=4000)}), initial_capital=1000, margin_long=0).fills


def test_a_gap_that_makes_an_order_too_dear_drops_it() -> None:
    assert not trade([FLAT, UP], at({0: long(qty=100)}), initial_capital=1000).fills


def test_a_reversal_that_cannot_be_afforded_keeps_the_position() -> None:
    plan = at({0: long(), 2: short()})
    given = {"default_qty_type": "percent_of_equity", "default_qty_value": 100.0, "initial_capital": 1000.0}
    broker = trade([FLAT, FLAT, FLAT, (10.5, 10.5, 10.5, 10.5)], plan, **given)
    assert broker.position.size == 100
    assert trade([FLAT] * 4, plan, **given).position.size == -100


def test_an_addition_needs_free_money() -> None:
    plan = at({0: long("A", qty=60), 1: long("B", qty=60)})
    assert trade([FLAT] * 3, plan, pyramiding=2, initial_capital=1000).position.size == 60


def test_a_margin_call_closes_four_times_what_is_missing_as_in_the_manual() -> None:
    """The worked example of the manual: 682,438 shares at 4.43 with 25 % margin, at 3.90."""
    plan = at({0: long(qty=682_438)})
    bars = [(4.43, 4.43, 4.43, 4.43), (4.43, 4.43, 4.43, 4.43), (4.0, 4.1, 3.9, 4.0)]
    broker = trade(bars, plan, margin_long=25, lot=1.0)
    closed = broker.position.closed[0]
    assert closed.exit_signal == "Margin call"
    assert closed.exit_price == 3.9
    assert closed.quantity == 111_052


def test_a_short_without_leverage_is_called_where_its_losses_eat_the_margin() -> None:
    broker = trade([FLAT, FLAT, (10, 16, 9, 15)], at({0: short(qty=90)}), initial_capital=1000)
    assert [one.exit_signal for one in broker.position.closed] == ["Margin call"]
    assert broker.position.closed[0].exit_price == 16


def test_the_liquidation_price_is_where_equity_and_margin_meet() -> None:
    broker = trade([FLAT, FLAT], at({0: long(qty=400)}), initial_capital=1000, margin_long=25)
    price = broker.variables.margin_liquidation_price
    assert price == 10.0
    broker = trade([FLAT, FLAT], at({0: long(qty=200)}), initial_capital=1000, margin_long=25)
    price = broker.variables.margin_liquidation_price
    assert 200 * price * 0.25 == pytest.approx(1000 + 200 * (price - 10), abs=2)
    broker = trade([FLAT, FLAT], at({0: long(qty=20)}), initial_capital=1000)
    assert broker.variables.margin_liquidation_price != broker.variables.margin_liquidation_price


def test_without_a_margin_there_is_no_margin_call() -> None:
    broker = trade([FLAT, FLAT, (10, 10, 1, 1)], at({0: long(qty=4000)}), initial_capital=1000, margin_long=0)
    assert broker.position.size == 4000
    assert not broker.position.closed
    assert broker.variables.equity == 1000 - 9 * 4000


def test_an_order_that_comes_to_nothing_leaves_the_curve_as_it_is() -> None:
    """What an order has sold is the trade that a later close is for."""
    sell = lambda b: b.calls.order(id="D", direction="short", qty=1)  # noqa: E731
    plan = at({0: both(long("A"), long("B")), 1: sell, 3: lambda b: b.calls.close(id="A")})
    broker = trade([FLAT] * 6, plan, initial_capital=100, pyramiding=2, close_entries_rule="ANY")
    prices = broker.prices
    assert broker.position.size == 1
    assert broker.ledger.curve(prices.close).equity == [100] * 6


def test_money_is_the_account_s_at_the_rate_of_its_bar() -> None:
    plan = at({0: long(qty=3), 1: lambda b: b.calls.close_all()})
    broker = trade([FLAT, FLAT, UP], plan, rates=[2.0, 2.0, 2.0])
    assert broker.variables.netprofit == 12
    assert broker.calls.convert_to_account(value=5) == 10
    assert broker.calls.convert_to_symbol(value=10) == 5
    sized = trade(
        [FLAT, FLAT],
        at({0: long()}),
        rates=[2.0, 2.0],
        initial_capital=1000,
        default_qty_type="cash",
        default_qty_value=100,
    )
    assert sized.position.size == 5


def test_a_point_value_multiplies_profits_and_costs() -> None:
    plan = at({0: long(qty=3), 1: lambda b: b.calls.close_all()})
    broker = trade([FLAT, FLAT, UP], plan, point_value=50.0, commission_value=1)
    assert broker.variables.netprofit == pytest.approx(50 * (6 - 0.3 - 0.36))


def test_what_a_trade_went_through_is_its_path_from_entry_to_exit() -> None:
    """Entered at a stop on the way up, left at a limit: what came before and after does not count."""
    plan = at({0: both(long(stop=12), lambda b: b.calls.exit(id="X", from_entry="L", limit=14))})
    broker = trade([FLAT, (10, 15, 9.9, 13)], plan)
    one = broker.position.closed[0]
    assert (one.entry_price, one.exit_price, one.run_up, one.drawdown) == (12, 14, 2, 0)
    plan = at({0: long(), 2: lambda b: b.calls.close_all()})
    broker = trade([FLAT, (10, 11, 9, 10), (10, 15, 7, 10), (11, 99, 1, 5)], plan)
    one = broker.position.closed[0]
    assert (one.run_up, one.drawdown) == (5, 3)
    assert rows(broker) == [(1, 10, 3, 11, 1)]


def test_the_curve_is_cash_and_open_profit_at_every_close() -> None:
    plan = at({0: long(qty=2), 2: lambda b: b.calls.close_all()})
    broker = trade([FLAT, (10, 13, 8, 11), (11, 14, 9, 12), (13, 13, 13, 13)], plan, initial_capital=100)
    prices = broker.prices
    curve = broker.ledger.curve(prices.close)
    assert curve.equity == [100, 102, 104, 106]
    assert curve.realized == [100, 100, 100, 106]
    assert (broker.variables.max_drawdown, broker.variables.max_runup) == (4, 8)


@pytest.mark.parametrize("reads", [0, 1, 3])
@pytest.mark.parametrize(
    ("last", "exit"),
    [((10, 13, 6, 6), {"stop": 8}), ((10, 14, 8, 14), {"limit": 13})],
    ids=["a loss after the best price", "a profit after the worst price"],
)
def test_extremes_do_not_depend_on_how_often_they_are_read(
    last: tuple[float, float, float, float], exit: dict[str, Any], reads: int
) -> None:
    def script(broker: Broker, i: int) -> None:
        at({0: both(long(qty=1), leave(**exit))})(broker, i)
        for _ in range(reads):
            assert broker.variables.max_runup + broker.variables.max_drawdown <= 5

    broker = trade([FLAT, FLAT, last], script, initial_capital=100)
    for _ in range(2):
        assert (broker.variables.max_drawdown, broker.variables.max_runup) == (2, 3)
    broker = trade([FLAT, FLAT, last, (last[3], last[3], last[3], last[3])], script, initial_capital=100)
    assert (broker.variables.max_drawdown, broker.variables.max_runup) == (2, 3)


@pytest.mark.parametrize(
    ("fees", "paid"),
    [
        ({"commission_type": "percent", "commission_value": 1.0}, 2.0),
        ({"commission_type": "cash_per_contract", "commission_value": 3.0}, 6.0),
        ({"commission_type": "cash_per_order", "commission_value": 25.0}, 25.0),
    ],
)
def test_an_entry_pays_its_commission_when_it_is_filled(fees: dict[str, Any], paid: float) -> None:
    """Two contracts bought at 100 have gained 5 each: the open profit does not know of commissions, the net profit has
    paid the entry's, and the equity counts both."""
    bars = [(100.0, 100.0, 100.0, 100.0), (100.0, 105.0, 100.0, 105.0)]
    broker = trade(bars, at({0: long(qty=2)}), initial_capital=1000.0, **fees)
    assert broker.variables.openprofit == 10
    assert broker.variables.netprofit == pytest.approx(-paid)
    assert broker.variables.equity == pytest.approx(1010 - paid)
    assert broker.variables.netprofit_percent == pytest.approx(-paid / 10)
    assert broker.variables.openprofit_percent == pytest.approx(1000 / (1000 - paid))


def test_a_part_that_is_closed_takes_its_share_of_the_commission_with_it() -> None:
    """Of 10 at 100 (a commission of 10) 4 are closed at 110, with 4.4 for that: 40 - 4 - 4.4, and 6 still paid."""
    bars = [(100.0, 100.0, 100.0, 100.0), (100.0, 100.0, 100.0, 100.0), (110.0, 110.0, 110.0, 110.0)]
    plan = at({0: long(qty=10), 1: lambda b: b.calls.close(id="L", qty=4)})
    broker = trade(bars, plan, commission_type="percent", commission_value=1.0)
    assert broker.variables.netprofit == pytest.approx(40 - 4 - 4.4 - 6)
    assert broker.variables.openprofit == 60
