"""Orders are filled where the prices of a bar meet them, in the order in which prices came."""

from typing import Any

import pytest

from tests.broker.desk import at, both, leave, long, rows, short, trade

FLAT = (10.0, 10.0, 10.0, 10.0)
UP_FIRST = (10.0, 11.0, 7.0, 9.0)
"""Nearer to its high: open, high, low, close."""
DOWN_FIRST = (10.0, 13.0, 9.0, 12.0)


def test_market_orders_are_filled_at_the_next_opening_and_never_before() -> None:
    broker = trade(
        [(10, 11, 9, 10), (12, 13, 11, 12), (15, 16, 14, 15)], at({0: long(), 1: lambda b: b.calls.close_all()})
    )
    assert rows(broker) == [(1, 12, 2, 15, 1)]


@pytest.mark.parametrize(
    ("bar", "exit_price"),
    [(UP_FIRST, 11.0), (DOWN_FIRST, 9.0), ((10.0, 11.0, 9.0, 10.0), 9.0)],
    ids=["high first", "low first", "tie: low first"],
)
def test_prices_go_to_the_nearer_extreme_first(bar: tuple[float, float, float, float], exit_price: float) -> None:
    broker = trade(
        [FLAT, bar, FLAT], at({0: both(long(), lambda b: b.calls.exit(id="X", from_entry="L", limit=11, stop=9))})
    )
    assert rows(broker) == [(1, 10, 1, exit_price, 1)]


def test_a_gap_beyond_a_stop_or_limit_fills_at_the_opening() -> None:
    broker = trade([FLAT, (8, 8, 8, 8)], at({0: long(limit=9)}))
    assert [t.price for t in broker.position.open] == [8]
    broker = trade([FLAT, (14, 14, 14, 14)], at({0: long(stop=12)}))
    assert [t.price for t in broker.position.open] == [14]


def test_a_stop_limit_waits_for_its_stop_and_then_for_its_limit() -> None:
    order = long(stop=12, limit=11)
    broker = trade([FLAT, (10.5, 11.5, 10.5, 11), (11, 12.5, 10.9, 11)], at({0: order}))
    assert [(t.bar, t.price) for t in broker.position.open] == [(2, 11)]


def test_stops_round_against_the_order_and_limits_in_its_favour() -> None:
    broker = trade(
        [FLAT, (10, 13, 8, 10)],
        at({0: both(long("A", stop=11.001), short("B", limit=12.001))}),
        pyramiding=5,
        tick=0.01,
    )
    assert rows(broker) == [(1, 11.01, 1, 12.01, 1)]


def test_buying_comes_before_selling_at_the_same_price() -> None:
    broker = trade([FLAT, (10, 10, 10, 10)], at({0: both(short("S", qty=1, stop=10), long("L", qty=1, stop=10))}))
    assert rows(broker) == [(1, 10, 1, 10, 1)]


def test_slippage_is_paid_by_market_and_stop_orders_and_not_by_limits() -> None:
    plan = at({0: long("M"), 1: lambda b: b.calls.exit(id="X", limit=12)})
    broker = trade([FLAT, FLAT, (10, 13, 9.5, 12)], plan, slippage=5)
    assert rows(broker) == [(1, 10.05, 2, 12, 1)]
    broker = trade([FLAT, (10, 13, 9.5, 12)], at({0: long(stop=12)}), slippage=5)
    assert broker.position.open[0].price == 12.05


def test_a_price_with_slippage_is_on_the_grid_too() -> None:
    broker = trade([FLAT, (101.14, 101.14, 101.14, 101.14)], at({0: long()}), slippage=2)
    assert broker.position.open[0].price == 101.16


def test_a_limit_is_filled_only_when_prices_go_as_far_beyond_it_as_is_asked_for() -> None:
    plan = at({0: long(limit=9)})
    reached = (9.5, 9.6, 8.98, 9.1)
    beyond = (9.5, 9.6, 8.97, 9.1)
    assert not trade([FLAT, reached], plan, backtest_fill_limits_assumption=3).position.open
    assert [t.price for t in trade([FLAT, beyond], plan, backtest_fill_limits_assumption=3).position.open] == [9]


def test_a_limit_that_the_opening_has_passed_is_filled_there_once_prices_go_far_enough() -> None:
    broker = trade([FLAT, (8.99, 9.2, 8.9, 8.95)], at({0: long(limit=9)}), backtest_fill_limits_assumption=3)
    assert [trade.price for trade in broker.position.open] == [8.99]


def test_orders_on_close_are_filled_at_the_close_of_their_bar() -> None:
    plan = at({0: long(), 1: lambda b: b.calls.close(id="L")})
    broker = trade([(10, 11, 9, 10.5), (10, 12, 9, 11), FLAT], plan, process_orders_on_close=True)
    assert rows(broker) == [(0, 10.5, 1, 11, 1)]


def test_a_position_still_shows_on_the_bar_whose_close_leaves_it() -> None:
    seen: list[float] = []

    def script(broker, i: int) -> None:  # type: ignore[no-untyped-def]
        if i == 0:
            broker.calls.entry(id="L", direction="long")
        if i == 1:
            broker.calls.close_all()
            seen.append(broker.variables.position_size)
        if i == 2:
            seen.append(broker.variables.position_size)

    trade([FLAT] * 3, script, process_orders_on_close=True)
    assert seen == [1, 0]


def test_a_close_that_is_immediate_fills_while_the_script_runs() -> None:
    seen: list[float] = []

    def script(broker, i: int) -> None:  # type: ignore[no-untyped-def]
        if i == 0:
            broker.calls.entry(id="L", direction="long")
        if i == 1:
            broker.calls.close(id="L", immediately=True)
            seen.append(broker.variables.position_size)

    broker = trade([FLAT, (10, 12, 9, 11)], script)
    assert seen == [0]
    assert rows(broker) == [(1, 10, 1, 11, 1)]


def test_finer_prices_decide_where_they_are_given() -> None:
    plan = at({0: both(long(), lambda b: b.calls.exit(id="X", from_entry="L", limit=11, stop=9))})
    coarse = trade([FLAT, DOWN_FIRST], plan)
    assert rows(coarse) == [(1, 10, 1, 9, 1)]
    fine = trade([FLAT, DOWN_FIRST], plan, ticks=[None, (10.0, 13.0, 12.0, 12.0, 12.0, 12.0, 9.0, 12.0)])
    assert rows(fine) == [(1, 10, 1, 11, 1)]


def test_no_order_is_filled_before_it_was_placed() -> None:
    broker = trade([(10, 20, 1, 10), (10, 10, 10, 10)], at({0: both(long(limit=5), short(limit=15))}))
    assert not broker.position.open
    assert not broker.fills


@pytest.mark.parametrize(("price", "bought", "sold"), [(11.705, 11.71, 11.71), (11.704, 11.7, 11.7)])
def test_a_market_order_pays_the_tick_nearest_to_the_price_that_fills_it(
    price: float, bought: float, sold: float
) -> None:
    bar = (price, price, price, price)
    assert trade([FLAT, bar], at({0: long()})).position.open[0].price == bought
    assert trade([FLAT, bar], at({0: short()})).position.open[0].price == sold
    assert trade([FLAT, bar], at({0: long(stop=11)})).position.open[0].price == bought


def test_limits_that_an_opening_has_passed_are_filled_from_the_worst_price_to_the_best() -> None:
    """Buying: the lowest limit first; selling: the highest first; behind market orders, whatever was called first."""
    buying = both(long("B", limit=11), long("A", limit=13), long("C", limit=12), long("M"))
    assert [one.id for one in trade([FLAT, FLAT], at({0: buying}), pyramiding=9).position.open] == list("MBCA")
    selling = both(short("B", limit=9), short("A", limit=7), short("C", limit=8), short("M"))
    assert [one.id for one in trade([FLAT, FLAT], at({0: selling}), pyramiding=9).position.open] == list("MBCA")


def test_a_limit_that_an_opening_has_passed_comes_after_the_closing_of_what_is_open() -> None:
    plan = {0: long("X"), 1: both(long("L", qty=2, limit=11), lambda b: b.calls.close_all())}
    broker = trade([FLAT] * 3, at(plan), pyramiding=3)
    assert rows(broker) == [(1, 10, 2, 10, 1)]
    assert [(one.id, one.quantity) for one in broker.position.open] == [("L", 2)]


def test_a_limit_that_waits_does_not_count_against_pyramiding() -> None:
    plan = {0: long("A"), 1: both(long("L", limit=11), long("M"))}
    assert [one.id for one in trade([FLAT] * 3, at(plan), pyramiding=2).position.open] == ["A", "M", "L"]


def test_calls_without_alerts_have_fills_too() -> None:
    """The fills are drawn on charts and booked by paper accounts, so `disable_alert` may not hide one."""
    quiet: dict[str, Any] = {"disable_alert": True}
    plan = {0: long(**quiet), 1: lambda broker: broker.calls.close_all(**quiet), 2: long(), 3: leave(stop=11, **quiet)}
    broker = trade([(10.0, 10.0, 10.0, 10.0)] * 6, at(plan))
    assert [(one.bar, one.action, one.position) for one in broker.fills] == [
        (1, "buy", 1),
        (2, "sell", 0),
        (3, "buy", 1),
        (4, "sell", 0),
    ]
