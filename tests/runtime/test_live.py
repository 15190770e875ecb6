"""A bar that is updated before it closes: what is rolled back, what stays, and what each update sees."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pinebench.checker import open_program
from pinebench.errors import UsageError
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.runtime import aggregation
from pinebench.runtime.requests import RequestSource
from pinebench.runtime.runtime import Runtime
from tests.runtime.running import MINUTE, START, bars_of, runtime_of
from tests.script_files import ScriptCase, script_cases
from tests.tables import each

HISTORY = (1.0, 2.0, 3.0)


def started(source: str, history: Sequence[float] = HISTORY, **options: Any) -> Runtime:
    runtime = runtime_of(source, bars_of(history), **options)
    runtime.run()
    return runtime


def update(runtime: Runtime, number: int, close: float, *, closed: bool = False) -> list[Any]:
    """One update of bar `number`; the values that the script's plots have on it."""
    time = START + number * 15 * MINUTE
    result = runtime.update(time, (close, close + 1, close - 1, close, 100.0), closed=closed)
    if result.error is not None:
        raise result.error
    return [None if output.values[-1] != output.values[-1] else output.values[-1] for output in result.plots]


def test_history_and_kernels_see_each_bar_once() -> None:
    source = "x = close * 10\nplot(ta.sma(close, 2))\nplot(x[1])\nplot(ta.cum(close))\nplot((close + 1)[1])"
    runtime = started(source)
    assert update(runtime, 3, 9.0) == [6, 30, 15, 4]
    assert update(runtime, 3, 5.0) == [4, 30, 11, 4]
    assert update(runtime, 3, 5.0, closed=True) == [4, 30, 11, 4]
    assert update(runtime, 4, 7.0) == [6, 50, 18, 6]
    assert [len(output.values) for output in runtime.result().plots] == [5] * 4


@each("case", script_cases(Path(__file__).parent / "live.txt"))
def test_an_update_gives_its_values(case: ScriptCase) -> None:
    """The bars before close at HISTORY or at what stands behind the name; an update is `BAR CLOSE: VALUES`."""
    history = [float(word) for field in case.fields[1:] for word in field.split(", ")]
    runtime = started(case.script, history or HISTORY)
    for line in case.below["live"].split("\n"):
        bar, _, expected = line.partition(": ")
        number, close, *closed = bar.split()
        assert update(runtime, int(number), float(close), closed=bool(closed)) == list(
            map(float, expected.split(", "))
        ), line


def test_drawings_are_rolled_back() -> None:
    source = """
var l = line.new(0, 0, 1, 1)
l.set_x2(bar_index)
label.new(bar_index, close)
if close > 8
    l.delete()
plot(label.all.size())
"""
    runtime = started(source)
    assert update(runtime, 3, 9.0) == [4]
    assert runtime.result().drawings["line"] == []
    assert update(runtime, 3, 5.0) == [4]
    assert [line.state()["x2"] for line in runtime.result().drawings["line"]] == [3]
    assert len(runtime.result().drawings["label"]) == 4


def test_the_states_of_a_bar() -> None:
    source = """
plot(barstate.ishistory ? 1 : 0)
plot(barstate.isrealtime ? 1 : 0)
plot(barstate.isnew ? 1 : 0)
plot(barstate.isconfirmed ? 1 : 0)
plot(barstate.islast ? 1 : 0)
plot(barstate.islastconfirmedhistory ? 1 : 0)
"""
    runtime = started(source)
    assert [output.values for output in runtime.result().plots] == [
        [1, 1, 1],
        [0, 0, 0],
        [1, 1, 1],
        [1, 1, 1],
        [0, 0, 1],
        [0, 0, 1],
    ]
    assert update(runtime, 3, 4.0) == [0, 1, 1, 0, 1, 0]
    assert update(runtime, 3, 5.0) == [0, 1, 0, 0, 1, 0]
    assert update(runtime, 3, 5.0, closed=True) == [0, 1, 0, 1, 1, 0]


def test_a_request_for_shorter_bars_sees_the_last_that_has_come() -> None:
    lower = bars_of([float(number) for number in range(60)], minutes=5)
    others = {"PINEBENCH:SAMPLE": RequestSource(lower, SymbolInfo(timeframe="5"))}
    runtime = started('plot(request.security("", "5", close))', (1.0, 2.0), others=others)
    assert runtime.result().plots[0].values == [2, 5]
    assert update(runtime, 2, 5.0, closed=True) == [8]


def test_live_and_history_agree_when_bars_are_closed() -> None:
    source = """
f(x) =>
    var s = 0.0
    s := nz(s[1]) * 0.5 + x
    s
plot(f(close) + ta.ema(close, 3) + nz(ta.valuewhen(close > open, close, 1)))
plot(ta.rsi(close, 3))
plot(ta.highest(close, 4) - ta.lowest(low, 3))
"""
    closes = [3.0, 5.0, 4.0, 6.0, 2.0, 7.0, 8.0, 1.0, 4.0, 5.0]
    whole = started(source, closes).result()
    runtime = started(source, closes[:3])
    bars = bars_of(closes)
    for number in range(3, len(closes)):
        time, prices = bars.time[number], (bars.open[number], bars.high[number], bars.low[number])
        runtime.update(time, (*prices, bars.close[number] + 3, 1.0))
        runtime.update(time, (*prices, bars.close[number] - 2, 2.0))
        runtime.update(time, (*prices, bars.close[number], bars.volume[number]), closed=True)
    assert [str(o.values) for o in runtime.result().plots] == [str(o.values) for o in whole.plots]


def test_series_of_the_chart_agree_with_history_when_bars_are_closed() -> None:
    source = "".join(f"plot({name})\n" for name in "ta.obv ta.accdist ta.pvt ta.nvi ta.wad ta.vwap hl2 ohlc4".split())
    closes = [3.0, 5.0, 4.0, 6.0, 2.0, 7.0, 8.0, 1.0, 4.0, 5.0]
    whole = started(source, closes).result()
    runtime = started(source, closes[:4])
    bars = bars_of(closes)
    for number in range(4, len(closes)):
        prices = (bars.open[number], bars.high[number], bars.low[number])
        runtime.update(bars.time[number], (*prices, bars.close[number] + 1, 50.0))
        runtime.update(bars.time[number], (*prices, bars.close[number], bars.volume[number]), closed=True)
    assert [str(o.values) for o in runtime.result().plots] == [str(o.values) for o in whole.plots]


def test_an_update_of_a_bar_that_is_over_is_refused() -> None:
    runtime = started("plot(close)")
    with pytest.raises(UsageError, match="last bar or to a later bar"):
        update(runtime, 2, 5.0)


def test_the_clock_is_given() -> None:
    assert started("plot(timenow)", clock=42).result().plots[0].values == [42, 42, 42]
    assert started("plot(timenow)").result().plots[0].values == [START + 45 * MINUTE] * 3


def test_a_request_costs_an_update_no_more_when_there_are_more_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    join = aggregation.join

    def counted(bars: Any, grid: Any, into: Any, first: int, stop: int, end: int) -> int:
        taken.append(stop - first)
        return join(bars, grid, into, first, stop, end)

    whole = bars_of([100.0 + number % 7 for number in range(120)])
    part = Bars(*([*column[:100]] for column in whole.columns()))  # type: ignore[arg-type]
    source = (
        'plot(request.security("", "60", ta.cum(volume)))\nplot(request.security("", "45", close, barmerge.gaps_on))'
    )
    runtime = runtime_of(source, part)
    runtime.run()
    monkeypatch.setattr(aggregation, "join", counted)
    for time, first, high, low, close, volume in list(zip(*whole.columns(), strict=True))[100:]:
        runtime.advance(int(time), (first, high + 3, low, close + 2, volume), closed=False)
        runtime.advance(int(time), (first, high, low, close, volume), closed=True)
    assert max(taken) == 1 and sum(taken) == 20 * 2 * (1 + 2)
    again = runtime_of(source, whole)
    again.run()
    for grown, made in zip(runtime.host.sources._made, again.host.sources._made, strict=True):
        assert len(made.bars.time) > 20
        assert repr(grown.bars) == repr(made.bars)


def test_a_requested_bar_that_opens_after_the_chart_s_last_stays_when_that_changes() -> None:
    """Bars after the end of a session belong to the next day's: none of theirs opens when it does, or later."""
    symbol = SymbolInfo(timeframe="30", timezone="America/New_York", session="0930-1600:23456")
    evening = 1_709_672_400_000  # 5 March 2024, 21:00 UTC, 16:00 in New York
    bars = bars_of([100.0 + number for number in range(4)])
    bars.time = [evening - 60 * MINUTE + number * 30 * MINUTE for number in range(4)]
    source = '//@version=6\nindicator("")\nplot(request.security("", "D", ta.ema(close, 1)))'
    runtime = Runtime(open_program(source), bars, symbol)
    assert runtime.run().error is None
    for close in (104.0, 105.0):
        result = runtime.update(evening + 60 * MINUTE, (104.0, 106.0, 103.0, close, 1.0))
        assert result.error is None
        assert result.plots[0].values[-1] == 101.0  # that of the day that is over


def test_a_request_for_a_spread_without_common_bars_stays_na_while_bars_come() -> None:
    early, late = bars_of([1.0, 2.0]), bars_of([5.0, 6.0])
    late.time = [time + 100 * 15 * MINUTE for time in late.time]
    others = {name: RequestSource(bars, SymbolInfo(name, timeframe="15")) for name, bars in (("A", early), ("B", late))}
    runtime = started('plot(request.security("A/B", "", close))', others=others)
    assert [update(runtime, 3, 9.0), update(runtime, 3, 8.0, closed=True), update(runtime, 4, 7.0)] == [[None]] * 3
