"""Shorter bars inside a bar: the path goes from the bar's open through each of them to the bar's close."""

from typing import Any

import pytest

from pinebench.backtesting.magnifier import paths
from pinebench.broker.emulator import Broker
from pinebench.errors import UsageError
from pinebench.market.bars import Bars
from tests.broker.desk import PLAIN, Bar, Step, at, bars_of, both, leave, long, rows, short, trade

FLAT: Bar = (10.0, 10.0, 10.0, 10.0)
MINUTE = 60_000


def magnified(chart: list[Bar], shorter: dict[int, list[Bar]], plan: dict[int, Step], **given: Any) -> Broker:
    """Trade on bars of which some are made of shorter ones, by their numbers."""
    ticks = [[price for one in shorter[i] for price in one] if i in shorter else None for i in range(len(chart))]
    return trade(chart, at(plan), ticks=ticks, **given)


BAR: Bar = (10.0, 13.0, 9.0, 12.0)
RISING: list[Bar] = [(10.0, 13.0, 12.0, 12.5), (12.5, 12.5, 9.0, 12.0)]
"""Two shorter bars as the prices that they went through: up first, and then down."""


def test_shorter_bars_decide_which_of_two_prices_came_first() -> None:
    plan = {0: both(long(), leave(limit=11, stop=9.5))}
    assert rows(trade([FLAT, BAR], at(plan))) == [(1, 10, 1, 9.5, 1)]
    assert rows(magnified([FLAT, BAR], {1: RISING}, plan)) == [(1, 10, 1, 11, 1)]


def test_market_orders_are_filled_at_the_open_of_the_bar_not_of_its_first_shorter_bar() -> None:
    """The first shorter bar began before the bar did, at 8."""
    broker = magnified([FLAT, BAR], {1: [(8.0, 8.0, 11.0, 11.0), (11.0, 13.0, 12.0, 12.0)]}, {0: long()})
    assert [one.price for one in broker.position.open] == [10]


@pytest.mark.parametrize(
    ("first", "left"),
    [((8.5, 8.5, 10.0, 10.0), 8.5), ((9.5, 9.0, 10.0, 10.0), 9.25), ((9.5, 9.4, 10.0, 10.0), None)],
    ids=["it opens under the stop", "it falls through the stop", "it stays above"],
)
def test_a_shorter_bar_that_began_before_the_bar_may_meet_the_exit_of_what_its_open_bought(
    first: Bar, left: float | None
) -> None:
    """Prices of before the entry: as TradingView exports it, an exit may even lie outside of its bar's range."""
    plan = {0: both(long(), leave(stop=9.25))}
    broker = magnified([FLAT, (10.0, 12.0, 10.0, 12.0)], {1: [first, (10.0, 12.0, 12.0, 12.0)]}, plan)
    assert [row[3] for row in rows(broker)] == ([] if left is None else [left])


def test_what_happens_behind_the_last_shorter_bar_is_met_at_the_close_of_the_bar() -> None:
    """The bar fell through 9.5 in its last minute, which belongs to a shorter bar of the next one."""
    plan = {0: both(long(), leave(stop=9.5))}
    broker = magnified([FLAT, (10.0, 11.0, 9.0, 9.2)], {1: [(10.0, 11.0, 10.0, 10.5)]}, plan)
    assert rows(broker) == [(1, 10, 1, 9.2, 1)]


def test_between_two_shorter_bars_there_are_no_prices() -> None:
    plan = {0: both(long(), leave(stop=9.5))}
    broker = magnified([FLAT, BAR], {1: [(10.0, 13.0, 12.0, 12.5), (9.0, 9.0, 12.0, 12.0)]}, plan)
    assert rows(broker) == [(1, 10, 1, 9, 1)]


def test_limits_that_were_passed_between_two_shorter_bars_are_filled_at_the_better_price() -> None:
    broker = magnified([FLAT, BAR], {1: [(10.0, 13.0, 12.0, 12.5), (9.0, 9.0, 12.0, 12.0)]}, {0: long(limit=9.5)})
    assert [one.price for one in broker.position.open] == [9]


# which shorter bars belong to a bar


def quarter_hours(count: int) -> Bars:
    return bars_of([FLAT] * count)


def every(minutes: int, until: int) -> Bars:
    """Bars of so many minutes, each at a price of its own: the number of its first minute."""
    start = quarter_hours(1).time[0]
    numbers = range(0, until, minutes)
    prices = [9.991 + number / 10_000 for number in numbers]
    return Bars([start + k * MINUTE for k in numbers], prices, prices, prices, prices, [1.0] * len(prices))


def owned(minutes: int) -> list[list[int]]:
    """The first minutes of the shorter bars of each quarter of an hour."""
    bars, lower = quarter_hours(4), every(minutes, 60)
    found = paths(
        bars, [time + 15 * MINUTE for time in bars.time], lower, [time + minutes * MINUTE for time in lower.time], 1.0
    )
    return [[round((price - 9.991) * 10_000) for price in (one or [])[::4]] for one in found]


def test_a_shorter_bar_belongs_to_the_bar_that_holds_its_last_minute() -> None:
    assert owned(1) == [[*range(15)], [*range(15, 30)], [*range(30, 45)], [*range(45, 60)]]
    assert owned(5) == [[0, 5, 10], [15, 20, 25], [30, 35, 40], [45, 50, 55]]
    two = owned(2)
    assert two == [[*range(0, 14, 2)], [*range(14, 30, 2)], [*range(30, 44, 2)], [*range(44, 60, 2)]]
    assert owned(10) == [[0], [10, 20], [30], [40, 50]]


def test_a_bar_without_a_shorter_bar_goes_its_own_way() -> None:
    bars, lower = quarter_hours(2), every(1, 15)
    ends = [[time + length * MINUTE for time in one.time] for one, length in ((bars, 15), (lower, 1))]
    first, second = paths(bars, ends[0], lower, ends[1], 1.0)
    assert first is not None and len(first) == 60
    assert second is None


def test_shorter_bars_of_another_market_are_refused_with_the_time_of_the_bar() -> None:
    bars = quarter_hours(1)
    bars.time[0] = 1_704_067_200_000
    lower = Bars([bars.time[0]], [99.0], [99.0], [99.0], [99.0], [1.0])
    with pytest.raises(UsageError, match="bar that opens at 2024-01-01 00:00 UTC"):
        paths(bars, [bars.time[0] + 15 * MINUTE], lower, [bars.time[0] + MINUTE], 0.01)


@pytest.mark.parametrize(
    ("last", "is_magnified"), [(14.0, True), (13.9951, True), (13.99, False)], ids=["high", "half a tick", "a tick"]
)
def test_shorter_bars_without_the_high_or_low_of_their_bar_do_not_decide(last: float, is_magnified: bool) -> None:
    """A file of shorter bars that begins within a bar: a limit at its high would never fill."""
    for bar in ((10.0, 14.0, 10.0, 10.0), (10.0, 10.0, 6.0, 10.0)):
        bars, lower = bars_of([bar]), every(1, 1)
        far = last if bar[1] > 10 else 20 - last
        lower = Bars(lower.time, [10.0], [max(10, far)], [min(10, far)], [10.0], [1.0])
        (found,) = paths(bars, [bars.time[0] + 15 * MINUTE], lower, [lower.time[0] + MINUTE], 0.01)
        assert found is not None and bool(found) is is_magnified


def test_a_shorter_bar_that_ends_in_the_next_bar_has_the_end_of_its_first_bar() -> None:
    """The high is in the last minute, which is in a shorter bar of the next bar, as in TradingView."""
    bars = bars_of([(10.0, 14.0, 10.0, 10.0), (10.0, 14.0, 10.0, 10.0)])
    times = [bars.time[0], bars.time[0] + 14 * MINUTE]
    lower = Bars(times, [10.0, 10.0], [10.0, 14.0], [10.0, 10.0], [10.0, 10.0], [1.0, 1.0])
    found = paths(bars, [time + 15 * MINUTE for time in bars.time], lower, [time + 2 * MINUTE for time in times], 0.01)
    assert all(found)


# scripts that run on fills


def adding(chart: list[Bar], shorter: dict[int, list[Bar]], most: int) -> list[tuple[int, float]]:
    """Buy on the first bar, and one more on each fill, until there are `most`: at which prices."""
    ticks = [[price for one in shorter[i] for price in one] if i in shorter else None for i in range(len(chart))]
    properties = PLAIN.__class__(
        initial_capital=1e6, default_qty_type="fixed", default_qty_value=1.0, pyramiding=99, calc_on_order_fills=True
    )
    broker = Broker(properties, bars_of(chart), tick=0.01, lot=0.0001, ticks=ticks)

    def step() -> None:
        if 0 < len(broker.position.open) < most:
            long(f"L{len(broker.position.open)}")(broker)

    broker.recalculate = step
    for i in range(len(chart)):
        broker.before_bar(i)
        if i == 0:
            long("L0")(broker)
        broker.after_bar(i)
    return [(one.bar, one.price) for one in broker.position.open]


def test_orders_of_fills_are_filled_at_opens_twice_and_at_extremes_but_never_at_closes_of_shorter_bars() -> None:
    shorter: list[Bar] = [(10.0, 9.5, 13.0, 12.5), (12.4, 12.8, 9.0, 12.0)]
    found = adding([FLAT, BAR, FLAT], {1: shorter}, 99)
    assert [price for bar, price in found if bar == 1] == [10, 10, 9.5, 13, 12.4, 12.4, 12.8, 9]
    assert found[-1] == (2, 10)


def test_an_open_that_is_not_that_of_the_first_shorter_bar_counts_by_itself() -> None:
    shorter: list[Bar] = [(9.9, 9.5, 13.0, 12.5)]
    found = adding([FLAT, BAR, FLAT], {1: shorter}, 99)
    assert [price for bar, price in found if bar == 1] == [10, 9.9, 9.9, 9.5, 13]


def test_shorts_are_met_by_the_same_path() -> None:
    plan = {0: both(short("L"), leave(stop=12))}
    broker = magnified([FLAT, BAR], {1: [(12.5, 12.5, 10.0, 10.0), (10.0, 10.0, 9.0, 12.0)]}, plan)
    assert rows(broker) == [(1, 10, 1, 12.5, -1)]
