"""Walk-forward tests: windows, that no train sees its test, and that the stitched equity is the one of back-tests."""

import datetime
import zoneinfo
from dataclasses import replace
from itertools import pairwise

import pytest

from pinebench.backtesting.backtest import OrderNote, backtest
from pinebench.checker import open_program
from pinebench.errors import UsageError
from pinebench.market import Bars
from pinebench.sweeps.combination_runs import FullRun, plain_figures
from pinebench.sweeps.executors import own
from pinebench.sweeps.optimization import OptimizationPlan
from pinebench.sweeps.space import space_of
from pinebench.sweeps.walk_forward_runs import WalkForwardResult, WalkStep, as_text, profit, report, summary, walk
from pinebench.sweeps.windows import Window, cut, windows_of
from tests.sweeps.support import CROSS, HOUR, SYMBOL, request
from tests.sweeps.support import walk as random_walk

DAY = 86_400_000


def day(text: str) -> int:
    return int(datetime.datetime.fromisoformat(f"{text}T00:00+00:00").timestamp() * 1000)


def test_windows_follow_the_calendar() -> None:
    times = [day("2023-01-31") + k * DAY for k in range(151)]
    found = cut(times, windows_of("train=2M test=1M"), times[-1] + 1).windows
    assert found == [
        Window(day("2023-01-31"), day("2023-03-31"), day("2023-04-30")),
        Window(day("2023-02-28"), day("2023-04-30"), day("2023-05-31")),
        Window(day("2023-03-31"), day("2023-05-31"), day("2023-06-30")),
        Window(day("2023-04-30"), day("2023-06-30"), day("2023-06-30") + 1),
    ]


@pytest.mark.parametrize("first", [28, 29, 30, 31])
@pytest.mark.parametrize(
    "text", ["train=6M test=1M", "train=1M test=1M anchored", "train=5W test=1M", "train=1M test=1W"]
)
def test_no_bar_is_traded_in_two_tests_or_in_none(text: str, first: int) -> None:
    """Also if months have no such day."""
    begin = round(datetime.datetime(2023, 8, first, tzinfo=datetime.UTC).timestamp() * 1000)
    times = [begin + k * DAY // 4 for k in range(4 * 800)]
    found = cut(times, windows_of(text), times[-1] + 1).windows
    assert len(found) > 10
    assert all(one.end == other.cut for one, other in pairwise(found))
    assert all(each.begin < each.cut < each.end for each in found)
    assert found[-1].end == times[-1] + 1


def test_windows_of_days_tile_the_tests() -> None:
    times = [k * DAY for k in range(100)]
    found = cut(times, windows_of("train=30D test=1W"), times[-1] + 1).windows
    assert all(one.end == other.cut for one, other in pairwise(found))
    assert (found[0].cut, found[-1].end) == (30 * DAY, 99 * DAY + 1)
    anchored = cut(times, windows_of("test=1W train=30D anchored"), times[-1] + 1).windows
    assert [window.begin for window in anchored] == [0] * len(found)
    assert [window[1:] for window in anchored] == [window[1:] for window in found]


@pytest.mark.parametrize(
    "text", ["", "train=6M", "train=6M test=0M", "train=6 test=1M", "train=6M test=1M anchor", "x"]
)
def test_wrong_windows_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="the windows '"):
        windows_of(text)


def test_bars_that_are_too_short_are_refused() -> None:
    with pytest.raises(UsageError, match="too few bars"):
        cut([k * DAY for k in range(20)], windows_of("train=30D test=1D"), 20 * DAY)


def test_a_hole_leaves_no_anchored_window_out_and_a_skipped_one_is_named() -> None:
    times = [k * DAY for k in range(200) if not 60 <= k < 130]
    anchored = cut(times, windows_of("train=20D test=10D anchored"), times[-1] + 1)
    assert anchored.skipped == []
    traded = [time for each in anchored.windows for time in times if each.cut <= time < each.end]
    assert traded == [time for time in times if time >= 20 * DAY]
    moving = cut(times, windows_of("train=20D test=10D"), times[-1] + 1)
    assert [(each.cut, each.end) for each in moving.skipped] == [(130 * DAY, 140 * DAY)]


def walked(bars: Bars, text: str = "train=8D test=3D") -> WalkForwardResult:
    program = open_program(CROSS)
    plan = OptimizationPlan.of(space_of(program, ["Fast=4:12:4", "Slow=20,40"]))
    with own() as hands:
        return walk(program, request(CROSS, bars), plan, windows_of(text), hands)


def test_each_test_is_a_back_test_with_the_inputs_of_its_train() -> None:
    bars = random_walk(5, 24 * 17)
    program = open_program(CROSS)
    found = walked(bars)
    assert len(found.steps) == 3
    capital = None
    for step in found.steps:
        assert step.inputs is not None and step.tested is not None
        train = [
            backtest(
                program,
                bars,
                SYMBOL,
                inputs={"Fast": fast, "Slow": slow},
                first=step.window.begin,
                last=step.window.cut,
            ).figures()["net_profit"]
            for fast in (4, 8, 12)
            for slow in (20, 40)
        ]
        assert step.trained["net_profit"] == max(train)
        properties = {} if capital is None else {"initial_capital": capital}
        tested = backtest(
            program,
            bars,
            SYMBOL,
            inputs=step.inputs,
            first=step.window.cut,
            last=step.window.end,
            properties=properties,
        )
        assert dict(step.tested.figures) == plain_figures(tested.figures())
        capital = tested.curve.equity[-1]
    assert found.equity[-1] == capital
    assert found.times == [time for time in bars.time if time >= 8 * DAY]
    assert len(found.equity) == len(found.times)
    assert [trade["number"] for trade in found.trades] == list(range(1, len(found.trades) + 1))
    assert found.trades[-1]["cumulative_profit"] == pytest.approx(found.net_profit)
    told = report(found)
    assert told["net_profit"] == pytest.approx(found.equity[-1] - 100_000)
    assert sum(count for _, count in told["stability"]["Fast"]["chosen"]) == 3
    assert "Net profit of all tests" in as_text(found, str)
    # Trains and tests are compared with open positions at their last closes.
    trained = sum((step.trained["net_profit"] or 0) + (step.trained["open_profit"] or 0) for step in found.steps)
    inside = trained / 100_000 / sum(step.window.cut - step.window.begin for step in found.steps)
    returns = [profit(step) / step.tested.initial_capital for step in found.steps if step.tested is not None]
    outside = sum(returns) / sum(step.window.end - step.window.cut for step in found.steps)
    assert any(step.trained["open_profit"] for step in found.steps)
    assert inside > 0 and found.efficiency() == pytest.approx(outside / inside)


HOLD = """//@version=6
strategy("Hold", default_qty_type = strategy.percent_of_equity, default_qty_value = 100)
bars = input.int(1, "Bars", minval = 1, maxval = 2)
if strategy.position_size == 0 and bar_index % bars == 0
    strategy.entry("Long", strategy.long)
"""


def test_an_account_that_grows_makes_no_test_look_better_than_its_train() -> None:
    """The same profit in percent is the same profit, though the account of the last test is many times the first."""
    bars = Bars()
    for number in range(24 * 20):
        price = 100 * 1.01**number
        bars.append(number * HOUR, price, price * 1.01, price, price * 1.01, 1.0)
    program = open_program(HOLD)
    with own() as hands:
        plan = OptimizationPlan.of(space_of(program, ["Bars=1,2"]))
        found = walk(program, request(HOLD, bars), plan, windows_of("train=4D test=4D"), hands)
    capitals = [step.tested.initial_capital for step in found.steps if step.tested is not None]
    assert len(capitals) == 4 and capitals[-1] > 10 * capitals[0]
    assert found.efficiency() == pytest.approx(1, abs=0.05)


def test_tests_after_the_capital_is_used_up_are_named() -> None:
    short = """//@version=6
strategy("Short", initial_capital = 1000, default_qty_type = strategy.fixed, default_qty_value = 1000, margin_short = 0)
bars = input.int(1, "Bars")
if strategy.position_size == 0 and bar_index % bars == 0
    strategy.entry("Short", strategy.short)
"""
    bars = Bars()
    for number in range(24 * 12):
        price = 100.0 + max(0, number - 24 * 5)
        bars.append(number * HOUR, price, price + 1, price, price + 1, 1.0)
    program = open_program(short)
    with own() as hands:
        plan = OptimizationPlan.of(space_of(program, ["Bars=1,2"]))
        found = walk(program, request(short, bars), plan, windows_of("train=4D test=2D"), hands)
    assert found.equity[-1] <= 0 and len(found.steps) + len(found.not_run) == 4 and found.not_run
    assert [each["test_begins"] for each in report(found)["not_run"]] == [each.cut for each in found.not_run]
    assert f"Not run: {len(found.not_run)} later test" in as_text(found, str)


def test_a_last_test_of_one_bar_is_as_long_as_its_bar() -> None:
    """A rise of 1 % in every bar earns the same a day in the train and in the test."""
    bars = Bars()
    for number in range(24 * 8 + 1):
        price = 100 * 1.001**number
        bars.append(number * HOUR, price, price * 1.001, price, price * 1.001, 1.0)
    program = open_program(HOLD)
    with own() as hands:
        plan = OptimizationPlan.of(space_of(program, ["Bars=1,2"]))
        found = walk(program, request(HOLD, bars), plan, windows_of("train=8D test=8D"), hands)
    assert [step.window.end - step.window.cut for step in found.steps] == [HOUR]


def months(count: int) -> list[int]:
    return [day(f"{2015 + k // 12}-{k % 12 + 1:02}-01") for k in range(count)]


def days_in_new_york(count: int) -> list[int]:
    """Midnights of New York; its 10 March 2024 has 23 hours."""
    first = datetime.datetime(2023, 1, 1, tzinfo=zoneinfo.ZoneInfo("America/New_York"))
    return [round((first + datetime.timedelta(days=k)).timestamp() * 1000) for k in range(count)]


@pytest.mark.parametrize("has_next", [False, True])
@pytest.mark.parametrize(
    ("timeframe", "times", "windows", "last"),
    [
        ("M", months(60), "train=2Y test=1Y", day("2019-03-01")),
        ("M", months(60), "train=2Y test=1Y", day("2019-02-15")),
        ("D", days_in_new_york(600), "train=6M test=3M", day("2024-03-11") + 4 * HOUR),
    ],
)
def test_no_test_reaches_past_the_end_of_the_request(
    timeframe: str, times: list[int], windows: str, last: int, has_next: bool
) -> None:
    """A jump of the bar that opens at the end or later is in no figure, also if the last bar is shorter than its
    timeframe usually is."""
    bars = Bars()
    for number, time in enumerate(times if has_next else [time for time in times if time < last]):
        price = 100.0 + number if time < last else 10_000.0
        bars.append(time, price, price + 1, price - 1, price, 1.0)
    program = open_program(HOLD)
    given = replace(request(HOLD, bars), symbol=replace(SYMBOL, timeframe=timeframe), last=last)
    with own() as hands:
        plan = OptimizationPlan.of(space_of(program, ["Bars=1,2"]))
        found = walk(program, given, plan, windows_of(windows), hands)
    assert found.steps[-1].window.end <= last
    assert found.times[-1] == max(time for time in times if time < last)
    assert found.buy_and_hold_percent is not None and found.buy_and_hold_percent < 200


def test_without_an_end_the_last_test_has_the_last_bar() -> None:
    times = months(50)
    bars = Bars()
    for number, time in enumerate(times):
        bars.append(time, 100.0 + number, 101.0 + number, 99.0 + number, 100.0 + number, 1.0)
    program = open_program(HOLD)
    with own() as hands:
        plan = OptimizationPlan.of(space_of(program, ["Bars=1,2"]))
        given = replace(request(HOLD, bars), symbol=replace(SYMBOL, timeframe="M"))
        found = walk(program, given, plan, windows_of("train=2Y test=1Y"), hands)
    assert found.times[-1] == times[-1]


def test_a_test_that_stops_with_an_error_has_no_return_and_notes_are_told() -> None:
    stops = HOLD + 'if bar_index == 24 * 9\n    runtime.error("stop here")\n'
    program = open_program(stops)
    bars = random_walk(5, 24 * 12)
    coarse = replace(request(stops, bars), symbol=replace(SYMBOL, mincontract=600.0))
    with own() as hands:
        plan = OptimizationPlan.of(space_of(program, ["Bars=1,2"]))
        found = walk(program, coarse, plan, windows_of("train=4D test=4D anchored"), hands)
    told = report(found)["windows"]
    assert told[0]["error"] is None and "stop here" in told[1]["error"]
    assert told[0]["tested_return_percent"] is not None and told[1]["tested_return_percent"] is None
    assert any("smallest quantity, 600" in words for words in told[0]["notes"])
    words = as_text(found, str)
    assert f"the test from {datetime.date(1970, 1, 5)}: " in words and "smallest quantity, 600" in words


def test_a_note_of_several_tests_is_one_line_with_the_orders_of_all() -> None:
    def step(day: int, *notes: str | OrderNote) -> WalkStep:
        orders = [each for each in notes if isinstance(each, OrderNote)]
        words = [each.words if isinstance(each, OrderNote) else each for each in notes]
        run = FullRun({}, {}, [], [], [], 0, 100.0, 1.0, 0.01, False, notes=words, order_notes=orders)
        return WalkStep(Window(0, day * DAY, (day + 1) * DAY), {"Bars": 1}, tested=run)

    steps = [
        step(1, OrderNote(1_999, "not placed: too small"), "no rates are given"),
        step(2, OrderNote(1, "not placed: too small"), "no rates are given", OrderNote(1, "filled smaller")),
        WalkStep(Window(0, 3 * DAY, 4 * DAY), None),
        step(4, "no rates are given", "the rates end on 2020-01-01"),
    ]
    found = WalkForwardResult(space_of(open_program(HOLD), ["Bars=1,2"]), "net_profit", steps, [], [], [], 100.0)
    assert summary(found, str)[-4:] == [
        "in 2 of 3 tests, first from 1970-01-02: 2,000 orders were not placed: too small",
        "no rates are given",
        "the test from 1970-01-03: 1 order was filled smaller",
        "the test from 1970-01-05: the rates end on 2020-01-01",
    ]


def test_notes_that_each_test_has_with_other_counts_are_one_line() -> None:
    coarse = replace(request(CROSS, random_walk(1, 24 * 20)), symbol=replace(SYMBOL, mincontract=300.0))
    program = open_program(CROSS)
    with own() as hands:
        plan = OptimizationPlan.of(space_of(program, ["Fast=4", "Slow=20"]))
        found = walk(program, coarse, plan, windows_of("train=3D test=1D"), hands)
    small = [words for words in summary(found, str) if "smallest quantity" in words]
    assert len(found.steps) > 15 and 1 <= len(small) <= 2


def test_no_train_sees_its_test() -> None:
    """Other bars from the third window's test on change no choice before them."""
    bars = random_walk(5, 24 * 17)
    other = random_walk(77, 24 * 17, trend=1.0)
    place = 14 * 24
    columns = zip(bars.columns()[1:], other.columns()[1:], strict=True)
    changed = Bars([k * HOUR for k in range(len(bars))], *(one[:place] + two[place:] for one, two in columns))
    one, two = walked(bars), walked(changed)
    assert [(step.inputs, step.trained) for step in one.steps] == [(step.inputs, step.trained) for step in two.steps]
    assert one.equity[: place - 8 * 24] == two.equity[: place - 8 * 24]
    assert one.equity[-1] != two.equity[-1]
