"""Entries turn a position around, add to it as far as is allowed, and groups of orders act on each other."""

import pytest

from pinebench.broker.emulator import Broker
from tests.broker.desk import Step, at, both, long, rows, short, trade

FLAT = (10.0, 10.0, 10.0, 10.0)
WIDE = (10.0, 14.0, 6.0, 10.0)


def test_an_entry_turns_the_position_around() -> None:
    broker = trade([FLAT] * 4, at({0: long(qty=15), 2: short(qty=5)}))
    assert rows(broker) == [(1, 10, 3, 10, 15)]
    assert broker.position.size == -5


def test_an_order_never_turns_around_by_itself() -> None:
    broker = trade(
        [FLAT] * 4,
        at(
            {
                0: lambda b: b.calls.order(id="A", direction="long", qty=15),
                2: lambda b: b.calls.order(id="B", direction="short", qty=5),
            }
        ),
    )
    assert rows(broker) == [(1, 10, 3, 10, 5)]
    assert broker.position.size == 10


def test_what_an_entry_turns_around_is_fixed_when_it_is_called() -> None:
    """Two stops from flat: the second only closes what the first has opened."""
    bars = [FLAT, (10, 11, 8, 10), FLAT]
    broker = trade(bars, at({0: both(long(qty=1, stop=10.5), short(qty=1, stop=9))}))
    assert rows(broker) == [(1, 10.5, 1, 9, 1)]
    assert broker.position.size == 0


def test_a_close_before_an_opposite_entry_leaves_it_nothing_to_turn_around_and_behind_it_the_whole() -> None:
    close = lambda b: b.calls.close(id="L")  # noqa: E731
    stop = short(stop=9)
    bars = [FLAT, FLAT, FLAT, (10, 10, 8, 8)]
    assert trade(bars, at({0: long(), 2: both(close, stop)})).position.size == -1
    assert trade(bars, at({0: long(), 2: both(stop, close)})).position.size == -2


def test_pyramiding_limits_entries_and_not_orders() -> None:
    again = {i: long(f"L{i}") for i in range(3)}
    assert trade([FLAT] * 5, at(again)).position.size == 1
    assert trade([FLAT] * 5, at(again), pyramiding=2).position.size == 2
    orders = {i: (lambda b, i=i: b.calls.order(id=f"L{i}", direction="long")) for i in range(3)}
    assert trade([FLAT] * 5, at(orders)).position.size == 3


def test_priced_entries_of_one_bar_may_exceed_pyramiding() -> None:
    broker = trade([FLAT, WIDE], at({0: both(long("A", stop=11), long("B", stop=12))}))
    assert broker.position.size == 2


def test_an_order_that_is_called_again_replaces_itself_and_can_be_cancelled() -> None:
    broker = trade([FLAT, FLAT, WIDE], at({0: long(limit=9), 1: long(limit=7)}))
    assert [t.price for t in broker.position.open] == [7]
    broker = trade([FLAT, FLAT, WIDE], at({0: long(limit=9), 1: lambda b: b.calls.cancel(id="L")}))
    assert not broker.fills
    broker = trade([FLAT, FLAT], at({0: both(long(), lambda b: b.calls.cancel_all())}))
    assert not broker.fills


def test_a_cancelling_group_keeps_one_of_its_orders() -> None:
    bars = [FLAT, (10, 12, 8, 10)]
    group = {"oca_name": "g", "oca_type": "cancel", "qty": 1}

    def place(b):  # type: ignore[no-untyped-def]
        b.calls.order(id="A", direction="long", stop=11, **group)
        b.calls.order(id="B", direction="short", stop=9, **group)

    assert trade(bars, at({0: place})).position.size == -1


def test_a_reducing_group_takes_from_the_others_what_was_filled() -> None:
    def place(b):  # type: ignore[no-untyped-def]
        for id, qty, limit, stop in (("Stop", 6, None, 8), ("One", 3, 11, None), ("Two", 6, 12, None)):
            b.calls.order(id=id, direction="short", qty=qty, limit=limit, stop=stop, oca_name="g", oca_type="reduce")

    bars = [FLAT, FLAT, (10, 11, 9.5, 10), (10, 10, 7, 8)]
    broker = trade(bars, at({0: long(qty=6), 1: place}))
    assert rows(broker) == [(1, 10, 2, 11, 3), (1, 10, 3, 8, 3)]
    assert broker.position.size == 0


def test_a_close_takes_what_was_there_when_it_was_called() -> None:
    broker = trade([FLAT] * 4, at({0: long("A"), 2: both(long("B"), lambda b: b.calls.close_all())}), pyramiding=2)
    assert rows(broker) == [(1, 10, 3, 10, 1)]
    assert [t.id for t in broker.position.open] == ["B"]


def test_closing_takes_the_oldest_trade_first_or_its_own() -> None:
    """The manual's example: 5 and 10 are open, and the second is closed."""
    plan = at({0: both(long("Buy1", qty=5)), 1: long("Buy2", qty=10), 2: lambda b: b.calls.close(id="Buy2")})
    fifo = trade([FLAT] * 4, plan, pyramiding=2)
    assert [(t.entry_id, t.quantity) for t in fifo.position.closed] == [("Buy1", 5), ("Buy2", 5)]
    own = trade([FLAT] * 4, plan, pyramiding=2, close_entries_rule="ANY")
    assert [(t.entry_id, t.quantity) for t in own.position.closed] == [("Buy2", 10)]


def test_a_forbidden_entry_closes_and_does_not_open() -> None:
    def plan(b, i: int) -> None:  # type: ignore[no-untyped-def]
        b.calls.risk_allow_entry_in(value="long")
        if i == 0:
            b.calls.entry(id="L", direction="long")
        if i in (1, 2):
            b.calls.entry(id="S", direction="short")

    broker = trade([FLAT] * 4, plan)
    assert rows(broker) == [(1, 10, 2, 10, 1)]
    assert broker.position.size == 0


@pytest.mark.parametrize("stop", (None, 9.5))
def test_a_forbidden_entry_opens_nothing_if_the_position_was_closed_before_its_fill(stop: float | None) -> None:
    def plan(b: Broker, i: int) -> None:
        b.calls.risk_allow_entry_in(value="long")
        if i == 0:
            b.calls.entry(id="L", direction="long")
        if i == 1:
            b.calls.close_all()
            b.calls.entry(id="S", direction="short", stop=stop)
            b.calls.entry(id="T", direction="short", stop=stop)

    broker = trade([FLAT, FLAT, FLAT, WIDE, FLAT], plan)
    assert rows(broker) == [(1, 10, 2, 10, 1)]
    assert broker.position.size == 0


@pytest.mark.parametrize(
    ("first", "second", "size"),
    (
        ({0: long(qty=1)}, short(qty=5), -2),
        ({0: short(qty=2)}, long(qty=5), 2),
        ({1: long("A", qty=2)}, long("B", qty=2), 2),
        ({1: long("A", qty=2, stop=11)}, long("B", qty=2, stop=12), 2),
        ({1: long("A", qty=1.5, stop=11)}, long("B", qty=1.5, stop=12), 2),
    ),
)
def test_no_entry_makes_the_position_larger_than_the_largest(first: dict[int, Step], second: Step, size: float) -> None:
    def plan(b: Broker, i: int) -> None:
        b.calls.risk_max_position_size(contracts=2)
        at(first)(b, i)
        if i == 1:
            second(b)

    broker = trade([FLAT, FLAT, WIDE, FLAT], plan, pyramiding=5)
    assert broker.position.size == size
    assert broker.calls.small_orders == 0


def test_an_order_beyond_the_largest_position_is_not_called_smaller_than_a_lot() -> None:
    plan = at({0: both(lambda b: b.calls.risk_max_position_size(contracts=1), long("A")), 1: long("B")})
    broker = trade([FLAT] * 4, plan, pyramiding=2)
    assert broker.position.size == 1
    assert broker.calls.small_orders == 0


def test_each_risk_rule_sends_its_own_message() -> None:
    def plan(b: Broker, i: int) -> None:
        b.calls.risk_max_drawdown(value=90, type="percent_of_equity", alert_message="drawdown")
        b.calls.risk_max_intraday_loss(value=5, type="cash", alert_message="loss")
        if i == 0:
            b.calls.entry(id="L", direction="long", qty=2)

    broker = trade([FLAT, FLAT, (10, 10, 6, 6), FLAT], plan)
    assert [(one.action, one.message) for one in broker.fills] == [("buy", ""), ("sell", "loss")]
