"""Spread symbols: what is one, its price, and its bars from the bars of its symbols."""

import math

import pytest

from pinebench.calendars.spreads import SpreadBars, read
from pinebench.market.bars import Bars

PRICES = {"A": 8.0, "B": 2.0, "C:D": 5.0, "ES1!": 4.0, "BTC-USD": 16.0}


def test_a_price_of_a_spread_is_computed_as_written() -> None:
    for text, symbols, price in (
        ("A/B", ("A", "B"), 4.0),
        ("A - B", ("A", "B"), 6.0),
        ("A*B", ("A", "B"), 16.0),
        ("A+B", ("A", "B"), 10.0),
        ("1/A", ("A",), 0.125),
        ("A + 50", ("A",), 58.0),
        ("C:D-A*B", ("C:D", "A", "B"), -11.0),
        ("(C:D-A)*B/ES1!", ("C:D", "A", "B", "ES1!"), -1.5),
        ("A-B-B", ("A", "B"), 4.0),
        ("A/B/.5", ("A", "B"), 8.0),
        ("BTC-USD/B", ("BTC-USD", "B"), 8.0),
        ("1/BTC-USD", ("BTC-USD",), 0.0625),
    ):
        spread = read(text, PRICES)
        assert spread is not None and spread.symbols == symbols, text
        assert spread.price([PRICES[each] for each in symbols]) == price, text
    zero = read("1/A")
    assert zero is not None and math.isnan(zero.price([0.0]))


def test_other_texts_are_no_spread() -> None:
    for text in (
        "",
        "A",
        "NASDAQ:AAPL",
        "BTC-USD",
        "A/",
        "/A",
        "A B",
        "(A/B",
        "A/B)",
        "2*3",
        "A//B",
        "A^B",
        "-A",
        "A-'B'",
    ):
        assert read(text, PRICES) is None, text
    assert read("+".join("A" * 500)) is None
    assert read("(" * 500 + "A" + ")" * 500 + "*2") is None
    assert read("+".join(f"A{n}" for n in range(11))) is None


def bars(*rows: tuple[int, float, float, float, float]) -> Bars:
    made = Bars()
    for time, open_, high, low, close in rows:
        made.append(time, open_, high, low, close, 100.0)
    return made


def test_a_bar_has_a_time_that_all_symbols_have_and_the_largest_price_as_its_high() -> None:
    first = bars((1, 8, 10, 4, 6), (2, 6, 8, 6, 7), (4, 7, 9, 6, 8))
    second = bars((1, 2, 5, 1, 3), (3, 1, 1, 1, 1), (4, 2, 2, 1, 4), (5, 1, 1, 1, 1))
    spread = read("A/B")
    assert spread is not None
    made = SpreadBars(spread, [first, second]).bars
    assert (made.time, made.open, made.high, made.low, made.close) == ([1, 4], [4, 3.5], [4, 6], [2, 2], [2, 2])
    assert all(map(math.isnan, made.volume))


def test_a_bar_without_a_price_is_left_out() -> None:
    spread = read("1/A")
    assert spread is not None
    made = SpreadBars(spread, [bars((1, 2, 2, 0, 2), (2, 2, 4, 1, 2))]).bars
    assert (made.time, made.high, made.low) == ([2], [1], [0.25])


@pytest.mark.parametrize("lost", [0.0, 2.0])
def test_the_last_bar_is_made_again_when_a_symbol_changes(lost: float) -> None:
    """Bars that grow step by step are the bars that are made at once, also if the last one has no price for a time."""
    first, second = bars((1, 8, 8, 8, 8)), bars((1, 2, 2, 2, 2))
    spread = read("A/B")
    assert spread is not None
    made = SpreadBars(spread, [first, second])
    first.append(2, 4, 4, 4, 4, 1)
    made.update()
    assert made.bars.time == [1]
    second.append(2, lost, lost, lost, lost, 1)
    made.update()
    for column in (second.open, second.high, second.low, second.close):
        column[-1] = 8.0
    made.update()
    assert (made.bars.time, made.bars.close) == ([1, 2], [4, 0.5])
    made.update()
    assert made.bars.time == [1, 2]
