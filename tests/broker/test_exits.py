"""Exits leave the trades of their entry: in part, by brackets, by trailing stops, and only once each."""

import random
from typing import Any

import pytest

from pinebench.broker import emulator
from pinebench.broker.emulator import Broker
from tests.broker.desk import Bar, Step, at, both, leave, long, rows, short, trade

FLAT = (10.0, 10.0, 10.0, 10.0)


def test_a_bracket_leaves_at_its_stop_or_its_limit_and_only_once() -> None:
    plan = at({0: both(long(qty=2), leave(stop=8, limit=12))})
    assert rows(trade([FLAT, FLAT, (10, 12.5, 9, 10), (10, 12, 7, 8)], plan)) == [(1, 10, 2, 12, 2)]
    assert rows(trade([FLAT, FLAT, (10, 10.5, 7.5, 8)], plan)) == [(1, 10, 2, 8, 2)]


def test_of_two_prices_for_one_thing_the_nearer_counts() -> None:
    plan = at({0: both(long(), leave(profit=100, limit=11.5, loss=300, stop=9))})
    assert rows(trade([FLAT, FLAT, (10, 13, 9.5, 10)], plan)) == [(1, 10, 2, 11, 1)]
    assert rows(trade([FLAT, FLAT, (10, 10.2, 6, 7)], plan)) == [(1, 10, 2, 9, 1)]


def test_exits_reserve_their_part_in_the_order_of_their_calls() -> None:
    """The manual's example: 19 of 20 are reserved for a limit, so that the stop closes one."""
    plan = at({0: both(long(qty=20), leave("limit", limit=15, qty=19), leave("stop", stop=8, qty=20))})
    broker = trade([FLAT, FLAT, (10, 10.5, 7, 8)], plan)
    assert rows(broker) == [(1, 10, 2, 8, 1)]
    assert broker.position.size == 19


def test_an_exit_takes_a_percentage_of_its_trade() -> None:
    plan = at({0: both(long(qty=5.4103), leave("half", limit=12, qty_percent=50))})
    broker = trade([FLAT, FLAT, (10, 13, 10, 12)], plan)
    assert rows(broker) == [(1, 10, 2, 12, 2.7051)]
    assert broker.position.size == pytest.approx(2.7052)


def test_a_percentage_of_less_than_a_lot_takes_one_lot() -> None:
    """As PyneCore's authors measured on TradingView: 1 % of 50 lots is one, for exits and for closes."""
    plan = at({0: both(long(qty=50), leave("part", limit=12, qty_percent=1))})
    assert rows(trade([FLAT, FLAT, (10, 13, 10, 12)], plan, lot=1)) == [(1, 10, 2, 12, 1)]
    plan = at({0: long(qty=19), 1: lambda b: b.calls.close(id="L", qty_percent=5)})
    assert rows(trade([FLAT, FLAT, FLAT], plan, lot=1)) == [(1, 10, 2, 10, 1)]
    plan = at({0: both(long(qty=32), leave("part", limit=12, qty_percent=5))})
    assert rows(trade([FLAT, FLAT, (10, 13, 10, 12)], plan, lot=1)) == [(1, 10, 2, 12, 1)]
    plan = at({0: both(long(qty=12), leave("part", limit=12, qty_percent=20))})
    assert rows(trade([FLAT, FLAT, (10, 13, 10, 12)], plan, lot=1)) == [(1, 10, 2, 12, 2)]
    plan = at({0: both(long(qty=50), leave("part", limit=12, qty_percent=0))})
    assert rows(trade([FLAT, FLAT, (10, 13, 10, 12)], plan, lot=1)) == []


def test_an_exit_without_an_entry_goes_on_for_later_entries_and_one_with_its_name_does_not() -> None:
    bars = [FLAT, FLAT, FLAT, (10, 10, 8, 9)]
    grid = {0: long("A"), 1: long("B")}
    everything = {**grid, 1: both(leave(from_entry="", stop=9), long("B"))}
    assert trade(bars, at(everything), pyramiding=3).position.size == 0
    same = {0: long("A"), 1: both(leave(from_entry="A", stop=9), long("A"))}
    assert trade(bars, at(same), pyramiding=3).position.size == 1


def test_each_trade_is_left_at_its_own_distance() -> None:
    bars = [FLAT, FLAT, (12, 12, 12, 12), (12, 13.5, 11, 12)]
    plan = at({0: long("A"), 1: both(long("A"), leave(from_entry="A", profit=300))})
    broker = trade(bars, plan, pyramiding=2)
    assert rows(broker) == [(1, 10, 3, 13, 1)]


def test_an_exit_dies_with_its_position() -> None:
    plan = at({0: both(long(), leave(stop=8)), 1: lambda b: b.calls.close_all(), 2: short("S")})
    broker = trade([FLAT] * 4 + [(10, 10, 7, 8)], plan)
    assert rows(broker) == [(1, 10, 2, 10, 1)]
    assert broker.position.size == -1


def test_a_trailing_stop_follows_from_its_activation_on() -> None:
    plan = at({0: both(long(), leave(trail_price=11, trail_offset=50))})
    bars = [FLAT, (10, 10.5, 9, 10), (10, 13, 9.9, 12.9), (12.9, 13, 12, 12)]
    assert rows(trade(bars, plan)) == [(1, 10, 3, 12.5, 1)]


def test_the_close_of_the_calling_bar_is_the_first_price_of_a_trailing_stop() -> None:
    plan = at({0: long(), 1: leave(trail_price=11, trail_offset=50)})
    bars = [FLAT, (10, 12, 10, 12), (12, 12, 11, 11)]
    assert rows(trade(bars, plan)) == [(1, 10, 2, 11.5, 1)]


def test_a_trailing_stop_without_an_offset_fills_where_it_is_activated() -> None:
    plan = at({0: both(long(), leave(trail_points=100, trail_offset=0))})
    assert rows(trade([FLAT, FLAT, (10, 12, 9, 11)], plan)) == [(1, 10, 2, 11, 1)]


def test_the_words_of_an_exit_are_those_for_what_was_reached() -> None:
    words = {"comment": "out", "comment_profit": "won", "comment_loss": "lost", "alert_profit": "go"}
    plan = at({0: both(long(), leave(stop=8, limit=12, **words))})
    won = trade([FLAT, FLAT, (10, 12.5, 9, 10)], plan)
    lost = trade([FLAT, FLAT, (10, 10, 7, 8)], plan)
    assert [won.position.closed[0].exit_signal, lost.position.closed[0].exit_signal] == ["won", "lost"]
    assert [won.fills[-1].message, lost.fills[-1].message] == ["go", ""]


def test_an_exit_without_any_price_takes_the_earlier_one_out() -> None:
    plan = at({0: both(long(), leave(stop=8)), 1: leave()})
    assert not trade([FLAT, FLAT, (10, 10, 7, 8)], plan).position.closed


def test_a_bracket_that_the_opening_has_passed_leaves_there() -> None:
    plan = at({0: both(long(), leave(stop=9.5))})
    assert rows(trade([FLAT, (9, 9.5, 8, 9)], plan)) == [(1, 9, 1, 9, 1)]


# exits of entries that wait


WAITS = long("L2", limit=9)
STOPPED = leave("X", "L2", stop=8.5)
FALLS: list[Bar] = [(10, 10, 8.8, 10), (10, 10, 8.4, 10), FLAT]


def cancel(id: str) -> Step:
    return lambda broker: broker.calls.cancel(id=id)


@pytest.mark.parametrize(
    ("plan", "quiet", "exit_bar"),
    [
        ({0: long("L1"), 1: both(WAITS, STOPPED), 2: cancel("L2"), 3: WAITS}, 5, 6),
        ({0: long("L1"), 1: both(WAITS, STOPPED), 2: cancel("L2"), 3: lambda b: b.calls.close_all(), 4: WAITS}, 6, 7),
        ({0: long("L1"), 1: both(WAITS, STOPPED), 2: cancel("L2"), 3: both(leave("X", "L2", stop=8.6), WAITS)}, 5, 6),
        ({0: both(WAITS, STOPPED), 1: cancel("L2"), 2: WAITS}, 4, 5),
    ],
    ids=["in a position", "flat in between", "a call without an order changes nothing", "flat all the time"],
)
def test_an_exit_waits_for_its_entry_though_the_order_is_cancelled(
    plan: dict[int, Step], quiet: int, exit_bar: int
) -> None:
    """A recorded script's exit fills at its first stop after its entry was cancelled and placed again."""
    broker = trade([FLAT] * quiet + FALLS, at(plan), pyramiding=3)
    last = broker.position.closed[-1]
    assert (last.exit_signal, last.exit_bar, last.exit_price) == ("X", exit_bar, 8.5)


@pytest.mark.parametrize(
    "plan",
    [
        {0: both(WAITS, STOPPED), 1: both(cancel("L2"), cancel("X")), 2: WAITS},
        {0: both(WAITS, STOPPED), 1: lambda b: b.calls.cancel_all(), 2: WAITS},
        {0: both(STOPPED, WAITS)},
        {0: long("L1"), 1: both(STOPPED, WAITS)},
        {0: long("L1"), 1: STOPPED, 2: WAITS},
    ],
    ids=["cancelled itself", "all cancelled", "called before its entry", "the same in a position", "a bar before"],
)
def test_an_exit_that_was_cancelled_or_had_nothing_to_wait_for_never_fills(plan: dict[int, Step]) -> None:
    broker = trade([FLAT] * 4 + FALLS, at(plan), pyramiding=3)
    assert not broker.position.closed
    assert broker.position.open[-1].id == "L2"


def test_a_call_with_other_texts_for_alerts_changes_only_the_texts() -> None:
    """The legs stay as they are, and so does the turn among the exits."""
    told = [leave("first", stop=8, qty=1, alert_message=f"text {number}") for number in range(3)]
    second = leave("second", stop=8, qty=1)
    legs: list[object] = []

    def script(broker: Broker, i: int) -> None:
        if i == 0:
            long(qty=2)(broker)
        if i < 3:
            told[i](broker)
            second(broker)
        legs.append(list(broker.book.legs))

    broker = trade([FLAT, FLAT, FLAT, (10, 10.5, 7.5, 8)], script)
    assert legs[1] == legs[2]
    assert [trade.exit_id for trade in broker.position.closed] == ["first", "second"]
    assert [fill.message for fill in broker.fills] == ["", "text 2", ""]


def test_an_exit_of_many_trades_is_looked_at_only_where_a_leg_is_met(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = 0
    leaves = emulator.leaves

    def counted(*given: Any) -> tuple[float, int]:
        nonlocal looks
        looks += 1
        return leaves(*given)

    monkeypatch.setattr(emulator, "leaves", counted)
    bars = [FLAT] * 100 + [(10.0, 13.0, 10.0, 12.0)]
    step = both(long(), leave(limit=12, stop=8))
    broker = trade(bars, lambda broker, i: step(broker) if i < 99 else None, pyramiding=100)
    assert len(broker.position.closed) == 99 and looks < 2 * 99


@pytest.mark.parametrize("seed", range(20))
def test_the_prices_that_reach_a_leg_are_those_of_the_legs(seed: int) -> None:
    """Whatever adds, moves and removes legs."""
    chance = random.Random(seed)
    price, bars = 10.0, list[Bar]()
    for _ in range(120):
        after = round(price + chance.uniform(-0.5, 0.5), 2)
        high, low = max(price, after) + chance.choice((0, 0.2)), min(price, after) - chance.choice((0, 0.2))
        bars.append((price, high, low, after))
        price = after

    def script(broker: Broker, _: int) -> None:
        name, entry = chance.choice(("X", "Y")), chance.choice(("L", "S", ""))
        step = chance.choice(
            (
                *(long(), short(), lambda broker: broker.calls.entry(id="L", direction="long", limit=price)),
                leave(name, entry, profit=chance.randint(1, 90), loss=chance.randint(1, 90)),
                leave(name, entry, limit=price + 0.3, stop=price - 0.3, oca_name="one"),
                leave(name, entry, trail_points=chance.randint(0, 40), trail_offset=chance.randint(0, 20)),
                lambda broker: broker.calls.cancel(id=name),
                lambda broker: broker.calls.close(id="L"),
                lambda broker: broker.calls.close_all(),
            )
        )
        step(broker)
        looked_at(broker)

    def looked_at(broker: Broker) -> None:
        reaches = [leg.reach(broker.grid) for leg in broker.book.legs]
        highest = min((above for above, _ in reaches), default=emulator.FAR)
        lowest = max((below for _, below in reaches), default=-emulator.FAR)
        assert broker.book.reach() == (highest, lowest)

    broker = trade(bars, script, pyramiding=5)
    assert broker.position.closed
