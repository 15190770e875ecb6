"""Indicators with a timeframe of their own: they run on bars of it, and their outputs are shown on the chart's bars."""

import random
from typing import Any

import pytest

from pinebench.calendars.timeframes import timeframe
from pinebench.checker import open_program
from pinebench.compiled import NotCompilable, compile_script
from pinebench.inspecting import run_queries
from pinebench.market import sample_bars, samples
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.repaint.repaint import check_repainting
from pinebench.runtime import NotComputed, RequestSource
from pinebench.workers.jobs import request_of
from tests.runtime.running import MINUTE, START, bars_of, run, runtime_of

HOURS = [1.0, 2.0, 3.0, 4.0, 8.0, 7.0, 6.0, 5.0, 9.0, 10.0]
"""The closes of two and a half hours in bars of 15 minutes."""
GAPS = (True, False)
BLANK = float("nan")


def script(body: str, length: str = "60", gaps: bool = True) -> str:
    said = "true" if gaps else "false"
    return f'//@version=6\nindicator("Own", timeframe = "{length}", timeframe_gaps = {said})\n{body}\n'


def plotted(source: str, bars: Any = HOURS, **options: Any) -> list[Any]:
    return [None if value != value else value for value in run(source, bars, **options).plots[0].values]


def test_with_gaps_only_the_bar_that_closes_a_longer_bar_has_a_value() -> None:
    assert plotted(script("plot(close)")) == [*[None] * 3, 4, *[None] * 3, 5, None, None]
    assert plotted(script("plot(open[1])")) == [*[None] * 7, 1, None, None]
    assert plotted(script("plot(bar_index)")) == [*[None] * 3, 0, *[None] * 3, 1, None, None]
    assert plotted(script("plot(timeframe.in_seconds())"))[3] == 3600
    declared = '//@version=6\nindicator("Own", timeframe = "60")\nplot(high - low)'
    assert plotted(declared) == [*[None] * 3, 5, *[None] * 3, 6, None, None]


def test_without_gaps_each_bar_keeps_the_value_of_the_last_longer_bar_that_has_closed() -> None:
    assert plotted(script("plot(close)", gaps=False)) == [*[None] * 3, *[4] * 4, *[5] * 3]


def test_the_values_are_the_ones_of_a_request_for_the_timeframe() -> None:
    """The manual says so: the script as a whole runs on the other timeframe."""
    symbol = samples.SAMPLES[0]
    bars = sample_bars(symbol, timeframe("15"), 400)
    for length in ("45", "60", "240", "1D", "1W"):
        for gaps in GAPS:
            value = "ta.ema(close, 5) + bar_index + ta.vwap(hlc3)"
            said = "barmerge.gaps_on" if gaps else "barmerge.gaps_off"
            asked = f'plot(request.security(syminfo.tickerid, "{length}", {value}, gaps = {said}))'
            head = '//@version=6\nindicator("Asked")\n'
            own = runtime_of(script(f"plot({value})", length, gaps), _copied(bars)).run()
            other = runtime_of(head + asked, _copied(bars)).run()
            assert repr(own.plots[0].values) == repr(other.plots[0].values), (length, gaps)
            assert own.times == bars.time


def _copied(bars: Bars) -> Bars:
    return bars.at(range(len(bars)))


def test_a_timeframe_of_the_chart_changes_nothing() -> None:
    for length in ("", "15"):
        assert plotted(script("plot(close)", length)) == HOURS


def test_of_several_shorter_bars_the_last_one_is_shown() -> None:
    minutes = RequestSource(bars_of([float(n) for n in range(1, 151)], minutes=1), SymbolInfo(timeframe="1"))
    source = script("plot(close)", "5")
    assert plotted(source, others={"SAMPLE": minutes}) == [15.0 * n for n in range(1, 11)]
    with pytest.raises(NotComputed, match=r'indicator\(timeframe = "5"\)') as refused:
        runtime_of(source, HOURS)
    assert "shorter ones" in (refused.value.hint or "")


def test_colours_shapes_conditions_and_logs_are_on_the_chart_s_bars() -> None:
    body = """plot(close, color = close > 4 ? color.red : color.blue)
plotshape(close > 4, title = "S")
bgcolor(close > 4 ? color.red : na)
alertcondition(close > 4, message = "at {{close}} {{plot_0}}")
log.info("closed {0}", close)"""
    result = run(script(body), HOURS)
    plot, shape, ground, _ = result.outputs
    assert [color is None for color in plot.columns["color"]] == [value != value for value in plot.values]
    assert shape.values == [False] * 7 + [True, False, False]
    assert [color is not None for color in ground.columns["color"]] == [False] * 7 + [True, False, False]
    assert [(alert.bar, alert.time, alert.message) for alert in result.alerts] == [
        (7, START + 7 * 15 * MINUTE, "at 5 5")
    ]
    assert [log.bar for log in result.logs] == [3, 7, 9]
    assert all(len(values) == len(HOURS) for output in result.outputs for values in output.columns.values())


def test_an_error_is_on_the_chart_s_bar_with_which_the_longer_bar_closes() -> None:
    result = runtime_of(script('if bar_index == 1\n    runtime.error("no")\nplot(close)'), HOURS).run()
    assert result.error is not None and result.error.bar == 7
    assert result.plots == []


def live(gaps: bool) -> list[list[Any]]:
    """The plot after each of three live bars, each with an update inside of it and its close: they close an hour."""
    made = runtime_of(script("plot(close)\nvarip runs = 0\nruns += 1\nplot(runs)", gaps=gaps), HOURS[:5])
    made.run()
    seen: list[list[Any]] = []
    for number in (5, 6, 7, 8):
        time = START + number * 15 * MINUTE
        for price, closed in ((20.0 + number, False), (HOURS[number], True)):
            result = made.update(time, (price, price + 1, price - 1, price, 1.0), closed=closed)
            seen.append([None if value != value else value for value in result.plots[0].values[4:]])
    return seen


def test_a_live_bar_without_gaps_shows_the_longer_bar_that_is_still_open() -> None:
    assert live(False) == [
        [4, 25],
        [4, 7],
        [4, 7, 26],
        [4, 7, 6],
        [4, 7, 6, 27],
        [4, 7, 6, 5],
        [4, 7, 6, 5, 28],
        [4, 7, 6, 5, 9],
    ]


def test_a_live_bar_with_gaps_has_a_value_only_when_the_longer_bar_closes() -> None:
    seen = live(True)
    assert seen[:5] == [[None] * 2] * 2 + [[None] * 3] * 2 + [[None] * 4]
    assert seen[5:] == [[None, None, None, 5], [None, None, None, 5, None], [None, None, None, 5, None]]


def test_live_closes_with_gaps_are_the_values_of_history() -> None:
    chance = random.Random(4)
    closes = [100 + chance.gauss(0, 3) for _ in range(90)]
    bars = bars_of(closes)
    whole = run(script("plot(ta.ema(close, 3))", "240"), _copied(bars)).plots[0].values
    for first in (1, 16, 37):
        made = runtime_of(script("plot(ta.ema(close, 3))", "240"), bars.at(range(first)))
        made.run()
        for number in range(first, len(bars)):
            _, *prices = (column[number] for column in bars.columns())
            made.advance(bars.time[number], (prices[3], prices[3], prices[3], prices[3], 1.0))
            made.advance(bars.time[number], tuple(prices), closed=True)  # type: ignore[arg-type]
        assert repr(made.result().plots[0].values) == repr(whole), first


def test_shorter_bars_get_no_updates_so_a_live_bar_shows_none_of_them() -> None:
    minutes = RequestSource(bars_of([float(n) for n in range(1, 151)], minutes=1), SymbolInfo(timeframe="1"))
    made = runtime_of(script("plot(close)", "5", gaps=False), HOURS, others={"SAMPLE": minutes})
    made.run()
    result = made.update(START + 10 * 15 * MINUTE, (1, 2, 1, 2, 1.0), closed=True)
    assert result.plots[0].values[-1] != result.plots[0].values[-1]


def test_what_looks_into_a_script_and_machine_code_refuse_it_by_name() -> None:
    program = open_program(script("plot(close)"))
    request = request_of(program, bars_of(HOURS), SymbolInfo(timeframe="15"))
    refused = compile_script(program, request)
    assert isinstance(refused, NotCompilable) and refused.reason == 'indicator(timeframe = "60") is not compiled'
    with pytest.raises(NotComputed, match="the value of an expression with indicator"):
        run_queries.inspect(request)


def test_bars_that_are_counted_are_refused() -> None:
    source = '//@version=6\nindicator("Own", timeframe = "60", calc_bars_count = 5)\nplot(close)'
    with pytest.raises(NotComputed, match="calc_bars_count = 5 with indicator"):
        runtime_of(source, HOURS)


def test_values_that_grow_while_the_longer_bar_is_open_repaint_and_others_do_not() -> None:
    bars = sample_bars(samples.SAMPLES[5], timeframe("15"), 300)
    symbol = samples.SAMPLES[5].info("15")
    grows, waits = (
        check_repainting(open_program(script("plot(close)", "60", gaps)), bars, symbol) for gaps in (False, True)
    )
    assert [found.kind for found in grows.findings] == ["reloaded"]
    (cause,) = grows.findings[0].causes
    assert (cause.name, cause.line, cause.instead) == ("indicator", 2, "use `timeframe_gaps = true`")
    assert waits.findings == []
    with pytest.raises(NotComputed, match="shorter than the chart's"):
        check_repainting(open_program(script("plot(close)", "5")), bars, symbol)
