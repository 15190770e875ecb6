"""Orders that are processed on the close: what the close of their own bar fills, in which order, and what waits."""

from typing import Any

import pytest

from pinebench.broker.book import Book
from pinebench.broker.emulator import Broker
from pinebench.broker.orders import Leg
from tests.broker.desk import Bar, Step, at, both, leave, long, rows, short, trade

FLAT: Bar = (10.0, 10.0, 10.0, 10.0)
ROSE: Bar = (10.0, 12.0, 10.0, 12.0)


def closing(bars: list[Bar], plan: dict[int, Step], **given: Any) -> Broker:
    return trade(bars, at(plan), process_orders_on_close=True, **given)


@pytest.mark.parametrize(
    ("order", "price"),
    [
        (long(stop=11), 12.03),
        (long(stop=12), 12.03),
        (short(stop=13), 11.97),
        (long(limit=13), 12),
        (long(limit=12), 12),
        (short(limit=11), 12),
    ],
)
def test_a_priced_entry_that_the_close_has_reached_is_filled_there(order: Step, price: float) -> None:
    broker = closing([FLAT, ROSE], {1: order}, slippage=3)
    assert [(one.bar, one.price) for one in broker.position.open] == [(1, price)]


@pytest.mark.parametrize("order", [long(stop=12.01), short(stop=11.99), long(limit=11.99), short(limit=12.01)])
def test_one_that_the_close_has_not_reached_waits(order: Step) -> None:
    broker = closing([FLAT, ROSE], {1: order})
    assert not broker.position.open
    assert len(broker.book.orders) == 1


def test_a_stop_turns_an_open_position_around_at_the_close() -> None:
    """The script buys, and two bars later falls back through a level that the same bar's close is below."""
    broker = closing([FLAT, ROSE, (12.0, 12.0, 9.0, 9.5)], {1: long(), 2: short(stop=10)})
    assert rows(broker) == [(1, 12, 2, 9.5, 1)]
    assert [(one.bar, one.price, one.side * one.quantity) for one in broker.position.open] == [(2, 9.5, -1)]


def test_a_stop_limit_waits_for_the_next_bar() -> None:
    assert not closing([FLAT, ROSE], {1: long(stop=11, limit=13)}).position.open


@pytest.mark.parametrize(
    ("entry", "exit", "row"),
    [
        (long(), leave(stop=13), (1, 12.03, 1, 11.97, 1)),
        (long(limit=13), leave(stop=12), (1, 12, 1, 11.97, 1)),
        (long(limit=13), leave(limit=11), (1, 12, 1, 12, 1)),
        (long(stop=11), leave(stop=12.5), (1, 12.03, 1, 11.97, 1)),
        (short("L", stop=13), leave(stop=11), (1, 11.97, 1, 12.03, -1)),
    ],
)
def test_an_exit_is_held_against_the_close_that_fills_its_entry(
    entry: Step, exit: Step, row: tuple[int, float, int, float, float]
) -> None:
    assert rows(closing([FLAT, ROSE, FLAT], {1: both(entry, exit)}, slippage=3)) == [row]


def test_an_exit_of_an_open_trade_leaves_at_the_close_that_it_has_been_passed_by() -> None:
    for first in (1, 2):  # called for the first time, and once more with another price
        plan = {0: long(), **{i: leave(stop=8) for i in range(first, 2)}, 2: leave(stop=12.5)}
        assert rows(closing([FLAT, FLAT, ROSE, FLAT], plan)) == [(0, 10, 2, 12, 1)]


def test_at_a_close_only_exits_that_are_met_are_asked_for_their_quantity(monkeypatch: pytest.MonkeyPatch) -> None:
    """To answer, a leg looks at all legs before it, so that many exits would take a long time on every bar."""
    asked: list[str] = []
    available = Book.available

    def counted(book: Book, leg: Leg) -> float:
        asked.append(leg.exit.id)
        return available(book, leg)

    monkeypatch.setattr(Book, "available", counted)
    exits = [leave(f"X{k}", stop=8 if k != 3 else 11) for k in range(6)]
    broker = closing([FLAT, FLAT, FLAT], {0: long(), 1: both(*exits)})
    assert rows(broker) == []
    assert set(asked) == {"X3"}


def test_an_exit_that_is_not_called_again_waits_for_the_next_bar() -> None:
    plan = {0: long(), 1: leave(stop=8)}
    assert rows(closing([FLAT, FLAT, (10.0, 10.0, 9.0, 9.0), (7.0, 7.0, 7.0, 7.0)], plan)) == [(0, 10, 3, 7, 1)]


def test_an_exit_that_is_called_before_its_entry_does_not_hold_for_it() -> None:
    broker = closing([FLAT, ROSE, FLAT], {0: long("A"), 1: both(leave(stop=13), long(limit=13))}, pyramiding=2)
    assert not broker.position.closed
    assert broker.position.size == 2


def test_the_script_sees_its_position_until_the_bar_is_over() -> None:
    seen: list[tuple[float, float]] = []

    def script(broker: Broker, i: int) -> None:
        if i == 0:
            long()(broker)
        if i == 1:
            leave(stop=11)(broker)
        seen.append((broker.variables.position_size, broker.variables.position_avg_price))

    trade([FLAT, FLAT, FLAT], script, process_orders_on_close=True)
    assert seen[1] == (1, 10)
    assert seen[2][0] == 0


def test_the_tick_of_the_close_is_what_orders_are_held_against() -> None:
    """A close of half a tick counts as the tick above it."""
    half: Bar = (11.7, 11.755, 11.7, 11.755)
    assert [one.price for one in closing([FLAT, half], {1: short(limit=11.76)}).position.open] == [11.76]
    assert not closing([FLAT, half], {1: long(limit=11.75)}).position.open


def test_without_it_nothing_is_filled_at_a_close() -> None:
    broker = trade([FLAT, ROSE], at({1: both(long(stop=11), short(limit=11))}))
    assert not broker.position.open
