"""The strategy builder: whatever is put together compiles, is clean, keeps what it showed, and risks what it may."""

import itertools
import math
import random
import statistics
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pinebench.authoring.building import MODULES, PRESETS, build, modules, plan_of
from pinebench.authoring.building.parts import KINDS
from pinebench.backtesting.backtest import BacktestRun, backtest
from pinebench.checker import open_program
from pinebench.errors import UsageError
from pinebench.linter.engine import lint_text
from pinebench.linter.findings import FindingFilter
from pinebench.market.bar_loader import load_named
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.repaint.repaint import check_repainting
from tests.tables import each

NAMES = {kind: [each.name for each in modules(kind)] for kind in KINDS}
Choice = dict[str, Any]


def findings(source: str, *select: str) -> list[str]:
    """What the checker says, and the rules of `select`, or those that are on by default."""
    return [f"{each.line} {each.code} {each.message}" for each in lint_text(source, "built", FindingFilter(select))]


def covering() -> list[Choice]:
    """Few plans in which any two modules stand together once."""
    plans: list[Choice] = []
    open_pairs = {frozenset(pair) for pair in itertools.combinations(MODULES, 2) if _fit_together(*pair)}
    random_ = random.Random(3)
    while open_pairs:
        first, second = sorted(next(iter(sorted(map(sorted, open_pairs)))))
        chosen = {kind: [name for name in (first, second) if MODULES[name].kind == kind] for kind in KINDS}
        for name in random_.sample(list(MODULES), len(MODULES)):
            kind = MODULES[name].kind
            if name not in chosen[kind] and (kind in ("entry", "filter") or not chosen[kind]):
                together = {frozenset((name, one)) for each in chosen.values() for one in each}
                if together & open_pairs or not chosen[kind]:
                    chosen[kind].append(name)
        names = [name for each in chosen.values() for name in each]
        open_pairs -= {frozenset(pair) for pair in itertools.combinations(names, 2)}
        plans.append(_plan(chosen["entry"], chosen["filter"], chosen["exit"][0], chosen["sizing"][0]))
    return plans


def _fit_together(first: str, second: str) -> bool:
    kinds = {MODULES[first].kind, MODULES[second].kind}
    return kinds not in ({"exit"}, {"sizing"})


def _plan(entries: list[str], filters: list[str], exit: str, sizing: str) -> Choice:
    return {"entries": entries, "filters": filters, "exit": exit, "sizing": sizing}


def every() -> Iterator[Choice]:
    """Every combination of an entry, any filters, an exit, a size and a direction."""
    filters = [list(some) for n in range(6) for some in itertools.combinations(NAMES["filter"], n)]
    for entry, some, exit, sizing in itertools.product(NAMES["entry"], filters, NAMES["exit"], NAMES["sizing"]):
        for direction in ("both", "long", "short"):
            yield {**_plan([entry], some, exit, sizing), "direction": direction}


@each("choice", covering())
def test_any_two_modules_go_together_without_a_finding(choice: Choice) -> None:
    assert findings(build(plan_of(**choice)).source, "ALL") == []


@pytest.mark.soak
def test_every_combination_is_without_a_finding() -> None:
    for choice in every():
        assert findings(build(plan_of(**choice)).source, "ALL") == [], choice
    assert len(list(every())) == 9 * 32 * 5 * 4 * 3


def test_presets_and_titles_of_all_kinds_are_without_a_finding() -> None:
    titles = [None, 'Say "buy" \\ sell', "two\nlines", "Ünïcödé 🚀 {0}", "//@version=5", "x" * 200]
    for preset, title in itertools.zip_longest(PRESETS, titles, fillvalue=None):
        source = build(plan_of(title, preset=preset or "trend_following")).source
        assert findings(source) == [], title
        assert source.startswith("//@version=6\n//@description ")


def market(timeframe: str, count: int) -> tuple[Bars, SymbolInfo]:
    data = load_named("sample:AAPL", wanted=timeframe, count=count)
    return data.bars, data.symbol


def played(choice: Choice, timeframe: str = "60", count: int = 1200) -> BacktestRun:
    bars, info = market(timeframe, count)
    done = backtest(open_program(build(plan_of(**choice)).source, ()), bars, info)
    assert done.result.error is None
    return done


@pytest.mark.parametrize(("entry", "exit"), list(zip(NAMES["entry"], NAMES["exit"] * 2, strict=False)))
def test_every_entry_trades_and_what_it_showed_stays(entry: str, exit: str) -> None:
    choice = _plan([entry], [], exit, "fixed_risk")
    assert played(choice).trades
    bars, info = market("60", 120)
    judged = check_repainting(open_program(build(plan_of(**choice)).source, ()), bars, info)
    assert judged.findings == []


@each("timeframe", ["60", "1D"])
def test_the_yearly_volatility_counts_the_bars_that_a_year_has(timeframe: str) -> None:
    settings = {"volatility_adjusted.target": 1.0}
    done = played(
        {**_plan(["ema_cross"], [], "percent_stop", "volatility_adjusted"), "settings": settings}, timeframe, 1200
    )
    bars, times = done.bars, {time: at for at, time in enumerate(done.bars.time)}
    assert len(done.trades) > 10
    for trade in done.trades:
        at = times[trade.entry_time] - 1
        moves = [math.log(bars.close[k] / bars.close[k - 1]) for k in range(at - 19, at + 1)]
        a_year = at / ((bars.time[at] - bars.time[0]) / (365 * 86_400_000))
        volatility = statistics.pstdev(moves) * math.sqrt(a_year)
        assert trade.quantity == math.floor(done.curve.equity[at] * 0.01 / volatility / bars.close[at])


def test_each_day_has_an_opening_range_of_its_own() -> None:
    """Also for a stock, which has no bar outside of the session."""
    done = played(_plan(["opening_range_breakout"], [], "atr_stop", "fixed_risk"), "15", 400)
    bars, zone = done.bars, ZoneInfo("America/New_York")
    days: dict[object, list[int]] = defaultdict(list)
    for at, time in enumerate(bars.time):
        days[datetime.fromtimestamp(time / 1000, zone).date()].append(at)
    top, bottom = done.result.plot("Opening range high"), done.result.plot("Opening range low")
    whole = [held for held in days.values() if len(held) == 26]
    assert len(whole) > 12
    for held in whole:
        assert top[held[-1]] == max(bars.high[at] for at in held[:2])
        assert bottom[held[-1]] == min(bars.low[at] for at in held[:2])


@each("sizing", NAMES["sizing"])
@each("exit", NAMES["exit"])
def test_no_stop_risks_more_than_is_accepted(exit: str, sizing: str) -> None:
    settings = {"time_exit.stop": 1.0} if exit == "time_exit" else {}
    done = played({**_plan(["rsi_reversal", "macd_signal"], [], exit, sizing), "settings": settings})
    times = {time: at for at, time in enumerate(done.bars.time)}
    (stops,) = [plot.values for plot in done.result.plots if plot.title == "Stop"]
    equity, checked = 10_000.0, 0
    for trade in sorted(done.trades, key=lambda each: each.exit_time):
        signal = times[trade.entry_time] - 1
        stop = stops[signal + 1]
        if stop is not None and stop == stop:  # one that ends on its first bar shows none
            distance = abs(done.bars.close[signal] - stop)
            assert trade.quantity * distance <= equity * 0.01 * (1 + 1e-9)
            checked += 1
        equity += trade.profit
    assert checked > 5


def test_a_day_ends_flat_where_that_is_asked_for() -> None:
    choice = {**_plan(["ema_cross"], [], "time_exit", "fixed_risk"), "settings": {"time_exit.end_of_day": True}}
    done = played(choice)
    assert any(trade.exit_comment == "End of day" for trade in done.trades)
    assert all(trade.exit_time - trade.entry_time < 86_400_000 / 2 for trade in done.trades)


@pytest.mark.parametrize(("direction", "sides"), [("both", {1, -1}), ("long", {1}), ("short", {-1})])
def test_a_direction_is_kept(direction: str, sides: set[int]) -> None:
    done = played({**_plan(["macd_signal"], [], "atr_stop", "fixed_risk"), "direction": direction})
    assert {trade.side for trade in done.trades} == sides


def test_settings_are_the_defaults_of_inputs() -> None:
    source = build(plan_of(preset="intraday_orb", settings={"time_session.session": "1000-1500:23456"})).source
    assert 'hoursInput = input.session("1000-1500:23456"' in source
    assert 'dayEndInput = input.bool(true, "Close at the end of the day"' in source
    assert plan_of(preset="intraday_orb", exit="atr_stop").values == {}, "what the preset says of another exit"


@each(
    ("choice", "words"),
    [
        ({}, "a strategy needs an entry"),
        ({"preset": "nothing"}, "there is no preset 'nothing'"),
        ({"entries": ["ema_cros"]}, "there is no entry 'ema_cros'"),
        ({"entries": ["volume"]}, "there is no entry 'volume'"),
        ({"entries": ["ema_cross", "ema_cross"]}, "ema_cross is named twice"),
        ({"entries": ["ema_cross"], "exit": "kelly"}, "there is no exit 'kelly'"),
        ({"entries": ["ema_cross"], "settings": {"ema_cross.fats": 5}}, "there is no setting 'ema_cross.fats'"),
        ({"entries": ["ema_cross"], "settings": {"rsi_reversal.length": 5}}, "there is no setting 'rsi_reversal.len"),
        ({"entries": ["ema_cross"], "settings": {"ema_cross.fast": 0}}, "ema_cross.fast must be from 1 to 500, got: 0"),
        ({"entries": ["ema_cross"], "settings": {"ema_cross.fast": 5.5}}, "ema_cross.fast must be a whole number"),
        (
            {"entries": ["ema_cross"], "settings": {"ema_cross.fast": True}},
            "ema_cross.fast must be a finite number, got: true",
        ),
        (
            {"entries": ["ema_cross"], "settings": {"ema_cross.fast": 30}},
            "ema_cross.fast must be less than ema_cross.slow, got: 30 and 21",
        ),
        (
            {"entries": ["opening_range_breakout"], "settings": {"opening_range_breakout.session": "9-5"}},
            "must be a range of hours",
        ),
        ({"preset": "intraday_orb", "settings": {"time_exit.end_of_day": 1}}, "must be true or false, got: 1"),
    ],
)
def test_what_cannot_be_built_is_refused(choice: Choice, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        plan_of(**choice)
