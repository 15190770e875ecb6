"""The templates do what they say when they run: each fault that a reader found in one is held down here."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from pinebench import resources
from pinebench.check import open_program
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.runtime.runtime import Result, Runtime
from pinebench.runtime.strategy import NoFills

if TYPE_CHECKING:
    from collections.abc import Mapping

MINUTE = 60_000
DAY = 1440 * MINUTE
START = 1_704_067_200_000
FUTURE = SymbolInfo(symbol="ES1!", type="futures", pointvalue=50.0, mintick=0.25, timeframe="15")
SHARE = SymbolInfo(symbol="SPY", type="fund", mintick=0.01, timeframe="15")


@cache
def text(name: str) -> str:
    return (resources.folder("templates") / f"{name}.pine").read_text(encoding="utf-8")


def run(name: str, bars: Bars, symbol: SymbolInfo, inputs: Mapping[str, Any] | None = None) -> Result:
    """What a template leaves on bars, with the capital that it begins with and no order filled."""
    source = text(name)
    capital = re.search(r"initial_capital *= (\d+)", source)
    strategy = NoFills(float(capital[1])) if capital else None
    result = Runtime(open_program(source), bars, symbol, inputs=inputs, strategy=strategy).run()
    assert result.error is None
    return result


def bars_of(path: list[tuple[int, float, float]], reach: float) -> Bars:
    """Bars from (opening time, close, volume) that open where the one before closed and reach `reach` beyond."""
    closes = [close for _, close, _ in path]
    opens = [closes[0], *closes[:-1]]
    pairs = list(zip(opens, closes, strict=True))
    return Bars(
        time=[time for time, _, _ in path],
        open=opens,
        high=[max(pair) + reach for pair in pairs],
        low=[min(pair) - reach for pair in pairs],
        close=closes,
        volume=[volume for _, _, volume in path],
    )


def mornings(days: int, price: float, step: float) -> Bars:
    """Sessions of 15-minute bars: a range of about two steps, then a rise above it on more and more volume."""
    path: list[tuple[int, float, float]] = []
    for day in range(days):
        for bar in range(26):
            price += (1.4, -1.4, 0.2, -0.2, 0.2, -0.2, 1, 1, 1, 1, 1, 1)[bar] * step if bar < 12 else 0
            path.append(
                (START + day * DAY + (570 + 15 * bar) * MINUTE, price, 1000.0 * (day + 1) * (1 + 4 * (bar == 7)))
            )
    return bars_of(path, 0.4 * step)


def waves(count: int, price: float, reach: float) -> Bars:
    """Ten bars up and ten down by turns."""
    path: list[tuple[int, float, float]] = []
    for number in range(count):
        price *= 1.001 if number // 10 % 2 == 0 else 0.999
        path.append((START + number * 15 * MINUTE, price, 1000.0))
    return bars_of(path, reach)


def test_an_opening_range_is_traded_on_a_future_with_the_capital_of_the_template() -> None:
    result = run("opening_range_breakout", mornings(4, 5000.0, 5.0), FUTURE)
    assert any(result.plot("Long signal"))
    assert all(re.search(r'"quantity": [1-9]', alert.message) for alert in result.alerts)


def test_a_share_is_never_bought_for_more_than_the_largest_position() -> None:
    result = run("opening_range_breakout", mornings(4, 500.0, 0.2), SHARE)
    sizes = [float(size) for alert in result.alerts for size in re.findall(r'"quantity": (\d+)', alert.message)]
    assert sizes
    assert all(size * 500.0 <= 0.92 * 100_000 for size in sizes)


@pytest.mark.parametrize(("reach", "less"), [(1.0, False), (0.05, True)])
def test_a_position_that_is_capped_says_how_little_is_at_risk(reach: float, less: bool) -> None:
    result = run("ema_cross_strategy", waves(200, 100.0, reach), SHARE, {"rsiOnInput": False})
    taken = [risk for risk in result.plot("Risk at the stop, %") if risk == risk]
    assert taken
    assert max(taken) <= 1.0
    assert (min(taken) < 0.9) == less
    assert any(result.plot("Less at risk than accepted")) == less


def test_a_dashboard_asks_for_numbers_and_shows_them() -> None:
    assert "type Scores" not in text("multi_factor_dashboard")
    result = run("multi_factor_dashboard", waves(400, 100.0, 0.5), SHARE, {"timeframeInput": "60"})
    assert any(total == total and total != 0 for total in result.plot("Total"))


def test_market_structure_tells_turns_apart_from_breaks_in_the_trend() -> None:
    price, path = 100.0, []
    for number in range(240):
        rising = number < 120
        step = 1.0 if number // 10 % 2 == 0 else -0.6
        price += step if rising else -step
        path.append((START + number * 15 * MINUTE, price, 1000.0))
    result = run("market_structure", bars_of(path, 0.2), SHARE)
    direction = result.plot("Direction")
    assert (direction[0], direction[119], direction[239]) == (0, 1, -1)
    told = [alert.message for alert in result.alerts]
    assert sum("change of character downward" in words for words in told) == 1
    assert sum("break of structure upward" in words for words in told) > 3
    assert sum("break of structure downward" in words for words in told) > 3
    # what was told on the first bars is not told otherwise once more bars are known
    before = run("market_structure", bars_of(path[:150], 0.2), SHARE)
    assert [alert.message for alert in before.alerts] == [a.message for a in result.alerts if a.bar < 150]


def test_the_library_counts_and_rounds_in_its_example() -> None:
    path = [(START + number * 15 * MINUTE, close, 1.0) for number, close in enumerate([10.0, 10.02, 12.0, 15.0])]
    result = run("level_library", bars_of(path, 0.01), SHARE)
    assert result.plot("Level") == pytest.approx([10.0] * 4)
    assert result.plot("Touches") == [1, 2, 3, 3]
    assert result.plot("Change, %")[-1] == pytest.approx(50.0)
