"""The cookbook: each recipe is clean, runs, and shows what `pine/cookbook/recipes.toml` says."""

import json
import math
import re
import statistics
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from pinebench.formatting import format_text
from pinebench.linter.engine import lint_text
from pinebench.workers.jobs import RunResult, perform
from pinebench.workers.request import Request
from scripts.docs import cookbook_pages
from scripts.docs.cookbook_pages import COOKBOOK, Recipe
from tests.docs.cookbook import shown
from tests.tables import each

RECIPES = {one.name: one for one in cookbook_pages.recipes()}


@cache
def done(name: str) -> tuple[Request, RunResult]:
    """The request of a recipe, and its run."""
    request = cookbook_pages.request(RECIPES[name])
    return request, perform(request)


def plot(name: str, title: str) -> list[Any]:
    return next(one.exported for one in done(name)[1].result.plots if one.title == title)


def drawings(name: str, kind: str) -> list[Any]:
    return list(done(name)[1].result.drawings[kind])


def test_every_script_is_a_recipe_and_there_are_sixty() -> None:
    assert {path.stem for path in COOKBOOK.glob("*.pine")} == set(RECIPES)
    assert len(RECIPES) >= 60


@each("recipe", RECIPES.values())
def test_a_recipe_is_clean(recipe: Recipe) -> None:
    assert [(one.line, one.code) for one in lint_text(recipe.source)] == []


@each("recipe", RECIPES.values())
def test_a_recipe_shows_what_it_promises(recipe: Recipe) -> None:
    ran = done(recipe.name)[1]
    assert ran.result.error is None
    found = shown(ran)
    last = recipe.shows.get("last", {})
    assert found.pop("last", {}) == pytest.approx(last, rel=1e-5)
    assert found == {name: value for name, value in recipe.shows.items() if name != "last"}
    assert found or last


@each("recipe", RECIPES.values())
def test_two_short_sentences_say_what_a_recipe_is(recipe: Recipe) -> None:
    sentences = re.split(r"(?<=[.:]) ", recipe.about)
    assert len(re.findall(r"\.(?: |$)", recipe.about)) == 2
    assert max(map(len, sentences)) <= 160
    assert len(recipe.source.splitlines()) <= 60


def test_strategies_of_the_cookbook_have_costs_and_a_stop() -> None:
    for recipe in RECIPES.values():
        if "\nstrategy(" in recipe.source:
            assert "commission_value" in recipe.source and "slippage" in recipe.source, recipe.name


# the same numbers, computed another way


def test_the_anchored_vwap_is_the_mean_weighted_by_volume() -> None:
    bars = done("anchored_vwap")[0].bars
    begin = 1_748_822_400_000  # 2 June 2025
    rows = [i for i in range(len(bars)) if bars.time[i] >= begin]
    prices = [(bars.high[i] + bars.low[i] + bars.close[i]) / 3 for i in rows]
    volumes = [bars.volume[i] for i in rows]
    mean = math.fsum(p * v for p, v in zip(prices, volumes, strict=True)) / math.fsum(volumes)
    assert plot("anchored_vwap", "Anchored VWAP")[-1] == pytest.approx(mean)
    assert sum(value == value for value in plot("anchored_vwap", "Anchored VWAP")) == len(rows)


def test_the_levels_are_those_of_the_day_before() -> None:
    bars = done("previous_day_levels")[0].bars
    days: dict[int, list[int]] = {}
    for i, time in enumerate(bars.time):
        days.setdefault(time // 86_400_000, []).append(i)
    before, last = list(days.values())[-2:]
    assert plot("previous_day_levels", "High")[last[0]] == max(bars.high[i] for i in before)
    assert plot("previous_day_levels", "Low")[last[-1]] == min(bars.low[i] for i in before)
    assert plot("previous_day_levels", "Close")[last[-1]] == bars.close[before[-1]]


def test_the_opening_range_is_that_of_the_first_half_hour() -> None:
    bars = done("opening_range")[0].bars
    day = bars.time[-1] // 86_400_000
    first = [i for i, time in enumerate(bars.time) if time // 86_400_000 == day][:6]
    assert plot("opening_range", "Top")[-1] == max(bars.high[i] for i in first)
    assert plot("opening_range", "Bottom")[-1] == min(bars.low[i] for i in first)


def test_the_correlation_is_that_of_the_returns() -> None:
    own = done("correlation")[0].bars.close
    other = cookbook_pages.bars_of("NASDAQ:MSFT", "1D", 500)[0].close
    returns = [[math.log(b / a) for a, b in pairwise(prices[-31:])] for prices in (own, other)]
    assert plot("correlation", "Correlation")[-1] == pytest.approx(statistics.correlation(*returns))


def test_the_z_score_has_the_deviation_of_the_whole_window() -> None:
    window = done("z_score")[0].bars.close[-50:]
    expected = (window[-1] - statistics.fmean(window)) / statistics.pstdev(window)
    assert plot("z_score", "Z-score")[-1] == pytest.approx(expected)


def test_volume_is_compared_with_the_bars_before() -> None:
    volume = done("relative_volume")[0].bars.volume
    assert plot("relative_volume", "Times the average")[-1] == pytest.approx(
        volume[-1] / statistics.fmean(volume[-21:-1])
    )


def test_bars_of_patterns_are_counted() -> None:
    bars = done("inside_bar_breakout")[0].bars
    high, low, close = bars.high, bars.low, bars.close
    inside = [i for i in range(1, len(bars)) if high[i] < high[i - 1] and low[i] > low[i - 1]]
    assert [i for i, value in enumerate(plot("inside_bar_breakout", "Inside")) if value] == inside
    gaps = [i for i in range(2, len(bars)) if low[i] > high[i - 2] and close[i - 1] > high[i - 2]]
    assert plot("fair_value_gap", "Bullish").count(True) == len(gaps)


def test_the_profile_holds_the_volume_of_the_bars() -> None:
    boxes, bars = drawings("volume_profile", "box"), done("volume_profile")[0].bars
    assert len(boxes) == 24
    longest = max(boxes, key=lambda one: one.right)
    step = longest.top - longest.bottom
    low = min(bars.low[-100:])
    rows = [0.0] * 24
    for i in range(len(bars) - 100, len(bars)):
        row = min(23, math.floor(((bars.high[i] + bars.low[i] + bars.close[i]) / 3 - low) / step))
        rows[row] += bars.volume[i]
    assert longest.bottom == pytest.approx(low + step * rows.index(max(rows)))
    assert longest.right - longest.left == 30


def test_fibonacci_levels_divide_the_range() -> None:
    prices = sorted(line.y1 for line in drawings("fibonacci_levels", "line"))
    bars = done("fibonacci_levels")[0].bars
    high, low = max(bars.high[-80:]), min(bars.low[-80:])
    assert (prices[0], prices[-1]) == (pytest.approx(low), pytest.approx(high))
    shares = sorted((price - low) / (high - low) for price in prices)
    kept = [0, 0.236, 0.382, 0.5, 0.618, 0.786, 1]
    assert shares == pytest.approx(kept) or shares == pytest.approx([1 - share for share in reversed(kept)])


def test_messages_of_the_webhook_are_json() -> None:
    alerts = done("webhook_json")[1].result.alerts
    told = [json.loads(alert.message) for alert in alerts]
    assert {one["action"] for one in told} == {"buy", "sell"}
    bars = done("webhook_json")[0].bars
    assert all(one["price"] == bars.close[alert.bar] for one, alert in zip(told, alerts, strict=True))


def test_the_weekday_table_has_every_day() -> None:
    (table,) = drawings("weekday_statistics", "table")
    counts = [int(table.cells[2, row]["text"]) for row in range(5)]
    assert sum(counts) == len(done("weekday_statistics")[0].bars) - 1


# trades


def closed(name: str) -> Sequence[Any]:
    tested = done(name)[1].tested
    assert tested is not None
    return tested.trades


def test_a_loss_at_the_stop_is_the_risk() -> None:
    losses = [-trade.profit for trade in closed("risk_based_size") if trade.profit < 0]
    assert losses and statistics.median(losses) == pytest.approx(1000, rel=0.1)


def test_brackets_end_at_their_prices() -> None:
    bars = done("bracket_order")[0].bars
    changes = [
        trade.side * (trade.exit_price / trade.entry_price - 1)
        for trade in closed("bracket_order")
        if trade.exit_signal.endswith("exit")
        and abs(trade.exit_price - bars.open[trade.exit_bar]) > 0.05  # a gap is filled at the open
    ]
    assert changes
    assert all(
        change == pytest.approx(-0.03, abs=1e-3) or change == pytest.approx(0.06, abs=1e-3) for change in changes
    )


def test_half_is_sold_at_the_first_target() -> None:
    trades = closed("partial_exits")
    assert {trade.quantity for trade in trades} == {15}
    assert {trade.exit_signal for trade in trades} == {"Half", "Rest"}


def test_a_trade_ends_after_ten_bars() -> None:
    held = [trade.exit_bar - trade.entry_bar for trade in closed("time_exit")]
    assert max(held) == 10 and held.count(10) > 5


def test_nothing_is_held_overnight() -> None:
    bars = done("close_at_session_end")[0].bars
    assert all(
        bars.time[trade.entry_bar] // 86_400_000 == bars.time[trade.exit_bar] // 86_400_000
        for trade in closed("close_at_session_end")
    )


def test_at_most_three_entries_are_open() -> None:
    assert max(plot("pyramiding", "Entries")) == 3


def test_recipes_keep_the_layout_of_the_formatter() -> None:
    wrong = [name for name, recipe in RECIPES.items() if format_text(recipe.source).text != recipe.source]
    assert wrong == []
