"""The tick is found from prices of every kind of market, also below the noise of 32-bit floats."""

import math
import random
import struct

from pinebench.market.bars import Bars
from pinebench.market.ticks import off_the_grid, tick_of


def bars(prices: list[float]) -> Bars:
    made = Bars()
    for number, price in enumerate(prices):
        made.append(number * 60_000, price, price, price, price, 1.0)
    return made


def walk(start: float, tick: float) -> list[float]:
    dice = random.Random(1)
    place, found = round(start / tick), list[float]()
    for _ in range(300):
        place += dice.randint(-80, 80)
        found.append(float(f"{place * tick:.10g}"))
    return found


def float32(price: float) -> float:
    return struct.unpack("f", struct.pack("f", price))[0]


MARKETS = (
    *((187.0, 0.01), (4500.0, 0.25), (110.0, 1 / 32), (1.08, 0.00001), (68_000.0, 0.1), (68_000.0, 0.01)),
    *((38_000.0, 5.0), (12_000.0, 0.05), (95e6, 1000.0), (17_000.0, 0.5), (5.0, 0.0001), (150.0, 0.001)),
)


def test_the_tick_of_markets_is_found() -> None:
    for start, tick in MARKETS:
        prices = walk(start, tick)
        assert tick_of(bars(prices)).size == tick, (start, tick)
        assert tick_of(bars(list(map(float32, prices)))).size == tick, (start, tick, "as 32-bit floats")
    printed = [float(f"{float32(price):.6f}") for price in walk(187.0, 0.01)]
    assert tick_of(bars(printed)).size == 0.01


def test_the_origin_of_a_tick_is_told() -> None:
    assert tick_of(bars(walk(187.0, 0.01))).origin == "from the decimals of the prices"
    assert "32-bit floats" in tick_of(bars(list(map(float32, walk(187.0, 0.01))))).origin
    assert tick_of(bars(walk(4500.0, 0.25))).origin == "from the common step of the prices"


def test_prices_without_a_step_get_a_usual_tick_and_say_so() -> None:
    dice = random.Random(2)
    adjusted = [187.3 * dice.random() + 5 for _ in range(300)]
    for prices, tick in ((adjusted, 0.01), ([round(each, 6) for each in adjusted], 0.01)):
        found = tick_of(bars(prices))
        assert (found.size, "is assumed" in found.origin) == (tick, True)


def test_few_or_whole_prices_show_no_grid() -> None:
    for prices in ([100.0, 101.0, 102.0], [1.5, 2.5], [float(n) for n in range(1, 60)], []):
        assert tick_of(bars(prices)).size == 0.01


def test_missing_prices_are_left_out() -> None:
    missing = [math.nan, math.inf]
    for start, tick in MARKETS:
        prices = walk(start, tick)
        assert tick_of(bars([*missing, *prices, math.nan])) == tick_of(bars(prices)), (start, tick)
    assert tick_of(bars(missing)) == tick_of(bars([]))
    assert off_the_grid(bars([100.0, 100.1, *missing]), 0.25) == 0.5
    assert off_the_grid(bars(missing), 0.25) == 0


def test_prices_off_a_grid_are_counted() -> None:
    assert off_the_grid(bars(walk(4500.0, 0.25)), 0.25) == 0
    assert off_the_grid(bars([100.0, 100.1]), 0.25) == 0.5
    assert off_the_grid(bars(list(map(float32, walk(187.0, 0.01)))), 0.01) == 0
