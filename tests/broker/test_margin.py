"""Margin calls that entries cause: when they are made, with which price they are computed, and where they are filled.

The recorded ones are trades of ETHUSDT.P on bars of 15 minutes, from scripts that were run for this question.
"""

from typing import Any

import pytest

from pinebench.broker.emulator import Broker
from tests.broker.desk import Bar, Step, at, both, leave, long, short, trade

FLAT: Bar = (10.0, 10.0, 10.0, 10.0)
ALL = {"default_qty_type": "percent_of_equity", "default_qty_value": 100, "initial_capital": 100_000}
COSTS = {"commission_type": "percent", "commission_value": 0.05, "slippage": 1}
Row = tuple[float, float, str]


def called(bars: list[Bar], plan: dict[int, Step], *, on_close: bool = True, **given: Any) -> list[Row]:
    """The closed trades: quantity, price of the exit, and its signal."""
    broker = trade(bars, at(plan), process_orders_on_close=on_close, **given)
    return [(round(one.quantity, 4), one.exit_price, one.exit_signal) for one in broker.position.closed]


def leave_all(broker: Broker) -> None:
    broker.calls.close_all(comment="cleanup")


# entries at a close


def test_the_close_of_a_short_decides_what_is_called_at_the_next_open() -> None:
    """Slippage and commission leave it short of margin at its close; then the high calls more (recorded)."""
    bars = [
        (1904.21, 1908.01, 1900.09, 1900.21),
        (1900.21, 1904.46, 1896.20, 1896.99),
        (1896.99, 1899.98, 1891.62, 1893.74),
    ]
    assert called(bars, {0: short(), 2: leave_all}, **ALL, **COSTS) == [
        (0.002, 1900.22, "Margin call"),
        (0.9328, 1904.47, "Margin call"),
        (51.6649, 1893.75, "cleanup"),
    ]


def test_an_open_above_the_close_calls_a_short_that_the_close_covers() -> None:
    """Without costs nothing is missing at the close, but it is at the open, and again at the high (recorded)."""
    bars = [
        (1858.15, 1876.61, 1853.12, 1872.19),
        (1872.27, 1892.70, 1869.82, 1870.41),
        (1870.40, 1880.71, 1856.50, 1863.13),
        (1874.70, 1894.47, 1873.16, 1881.00),
    ]
    assert called(bars, {0: short(), 3: leave_all}, **ALL) == [
        (0.0176, 1872.27, "Margin call"),
        (4.5588, 1892.70, "Margin call"),
        (48.8369, 1881.00, "cleanup"),
    ]


def test_entries_of_one_close_are_called_together() -> None:
    """Three times all of the equity: all are filled at the close, and all are called at the next open (recorded)."""
    bars = [(1889.07, 1891.84, 1882.02, 1883.91), (1883.90, 1888.46, 1882.69, 1884.99)]
    plan = {0: both(long("A"), long("B"), long("C"))}
    assert called(bars, plan, pyramiding=3, **ALL) == [(53.081, 1883.90, "Margin call")] * 3


def test_two_entries_of_one_close_are_called_from_the_first_on() -> None:
    """60 % of the equity twice: a fifth too much, four times that is called, of the older entry first (recorded)."""
    bars = [(1904.21, 1908.01, 1900.09, 1900.21), (1900.21, 1904.46, 1896.20, 1896.99)]
    plan = {0: both(long("A", qty=31.5754), long("B", qty=31.5754))}
    assert called(bars, plan, pyramiding=2, **ALL) == [
        (31.5754, 1900.21, "Margin call"),
        (10.5246, 1900.21, "Margin call"),
    ]


def test_a_long_with_leverage_is_called_at_a_lower_open() -> None:
    """400 at 10 bind 1,000 of 1,000. At 9.9 they bind 990 of 960: 12.1212 lack, four times that is called. What is left
    binds 861 of 925 at the low."""
    bars = [FLAT, (9.9, 9.9, 9.8, 9.8), (9.8, 9.8, 9.8, 9.8)]
    given: dict[str, Any] = {"initial_capital": 1000, "margin_long": 25}
    assert called(bars, {0: long(qty=400)}, **given) == [(48.4848, 9.9, "Margin call")]


def test_nothing_is_called_of_what_was_closed_at_the_same_close() -> None:
    plan = {0: both(long("A", qty=80), long("B", qty=80), lambda b: b.calls.close_all(immediately=True)), 1: leave_all}
    rows = called([FLAT, FLAT, FLAT], plan, pyramiding=2, initial_capital=1000)
    assert [row[2] for row in rows] == ["Margin call", "Margin call"]
    plan = {0: long(qty=100), 1: both(leave_all, short(qty=100))}
    assert called([FLAT, FLAT, FLAT], plan, initial_capital=1000) == [(100, 10, "cleanup")]


# entries at an open


def test_entries_of_one_open_are_called_together() -> None:
    """Three entries of all the money: without the first two's call between them, nothing of the third is left."""
    plan = {0: both(long("A", qty=100), long("B", qty=100), long("C", qty=100))}
    rows = called([FLAT, FLAT, FLAT], plan, on_close=False, pyramiding=3, initial_capital=1000)
    assert rows == [(100, 10, "Margin call")] * 3


@pytest.mark.parametrize(
    ("stop", "expected"),
    [(9.9, [(100, 10, "X")]), (10.0, [(100, 10, "X")]), (10.5, [(0.2, 10, "Margin call"), (99.8, 10.5, "X")])],
)
def test_an_exit_that_the_open_has_passed_comes_before_the_call(stop: float, expected: list[Row]) -> None:
    """A fee of 0.5 lacks at the open: 0.05 contracts, and four times that is called."""
    bars = [FLAT, (10, 10.6, 10, 10.6), FLAT]
    plan = {0: both(short(qty=100), leave(from_entry="S", stop=stop))}
    given = {"commission_type": "percent", "commission_value": 0.05, "initial_capital": 1000}
    assert called(bars, plan, on_close=False, **given) == expected


def test_a_margin_call_pays_slippage() -> None:
    """A short at 9.95 of all the money is marked at the open, where 5 lack: half a contract, and 2 are called."""
    rows = called([FLAT, FLAT], {0: short(qty=100)}, on_close=False, slippage=5, initial_capital=1000)
    assert rows == [(2, 10.05, "Margin call")]
