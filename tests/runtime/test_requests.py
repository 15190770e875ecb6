"""Requests: code run on other bars, what of it a bar may see, and state for each request on its own."""

from __future__ import annotations

import pytest

from pinebench.market.bars import SymbolInfo
from pinebench.runtime.refusals import NotComputed
from pinebench.runtime.requests import Source
from tests.runtime.running import bars_of, run, runtime_of, values

TWO_HOURS = [float(number) for number in range(1, 9)]


def test_a_longer_bar_is_seen_when_it_has_closed() -> None:
    source = 'plot(request.security(syminfo.tickerid, "60", close))'
    assert values(source, TWO_HOURS) == [None, None, None, 4, 4, 4, 4, 8]


def test_with_lookahead_its_end_is_seen_from_its_start() -> None:
    source = 'plot(request.security("", "60", close, lookahead = barmerge.lookahead_on))'
    assert values(source, TWO_HOURS) == [4, 4, 4, 4, 8, 8, 8, 8]


def test_with_gaps_it_is_seen_once() -> None:
    source = 'plot(request.security("", "60", close, barmerge.gaps_on))'
    assert values(source, TWO_HOURS) == [None, None, None, 4, None, None, None, 8]


def test_the_expression_is_computed_on_the_requested_bars_with_what_it_needs() -> None:
    source = """
var n = 0
n += 1
twice(x) =>
    var calls = 0
    calls += 1
    x * 2 + calls * 1000
half = close / 2
if close > 5
    half := 0
plot(request.security("", "60", twice(half) + n * 100))
"""
    assert values(source, TWO_HOURS) == [None, None, None, 1104, 1104, 1104, 1104, 2200]


def test_a_request_in_a_function_follows_each_call_path() -> None:
    source = """
ask(tf, e) => request.security("", tf, e[1])
both(x) => ask("30", x) * 1000 + ask("60", x * 10)
plot(both(close))
"""
    assert values(source, TWO_HOURS)[-1] == 6 * 1000 + 40


def test_tuples() -> None:
    source = '[o, c] = request.security("", "60", [open, close])\nplot(o * 100 + c)'
    assert values(source, TWO_HOURS)[3:5] == [104, 104]


def test_another_symbol() -> None:
    other = Source(bars_of([value * 10 for value in TWO_HOURS]), SymbolInfo("OTHER", timeframe="15"))
    source = 'plot(request.security("ANY:OTHER", "", close))'
    assert values(source, TWO_HOURS, others={"OTHER": other}) == [value * 10 for value in TWO_HOURS]


def test_a_symbol_without_bars_is_refused_by_name() -> None:
    with pytest.raises(NotComputed, match="a request for NYSE:NONE"):
        runtime_of('plot(request.security("NYSE:NONE", "", close))', [1.0]).run()
    source = 'plot(request.security("NYSE:NONE", "", close, ignore_invalid_symbol = true))'
    result = run(source, [1.0])
    assert result.plots[0].values[0] != result.plots[0].values[0]
    assert result.notes == ["NYSE:NONE, for which there are no bars, cannot be had here and is na"]


def test_the_symbol_may_change_from_bar_to_bar() -> None:
    others = {
        name: Source(bars_of([value * by for value in TWO_HOURS]), SymbolInfo(name, timeframe="15"))
        for name, by in (("A", 10), ("B", 100))
    }
    source = 'plot(request.security(close > 4 ? "B" : "A", "", close))'
    assert values(source, TWO_HOURS, others=others) == [10, 20, 30, 40, 500, 600, 700, 800]


def test_shorter_bars_within_a_bar() -> None:
    shorter = Source(bars_of([float(n) for n in range(1, 31)], minutes=1), SymbolInfo(timeframe="1"))
    chart = bars_of([15.0, 30.0])
    source = 'a = request.security_lower_tf("", "5", close)\nfloat s = 0\nfor x in a\n    s := s * 100 + x\nplot(s)'
    assert values(source, chart, others={"SAMPLE": shorter}) == [51015, 202530]


def test_financial_data_is_na_with_one_note() -> None:
    result = run('plot(request.financial("NASDAQ:AAPL", "TOTAL_REVENUE", "FQ"))', [1.0, 2.0])
    assert result.notes == ["request.financial cannot be had here and is na"]


def test_a_request_that_needs_its_own_result_is_refused() -> None:
    with pytest.raises(NotComputed, match="its own result"):
        runtime_of('var x = 1.0\nx := nz(request.security("", "60", x + close))\nplot(x)', [1.0])


def test_heikin_ashi() -> None:
    source = "[o, c] = request.security(ticker.heikinashi(syminfo.tickerid), timeframe.period, [open, close])\nplot(o)"
    bars = bars_of([2.0, 4.0])
    first = (bars.open[0] + bars.close[0]) / 2
    close = (bars.open[0] + bars.high[0] + bars.low[0] + bars.close[0]) / 4
    assert values(source, bars) == [first, (first + close) / 2]


def test_what_a_needed_statement_writes_beside_is_there() -> None:
    source = """
var seen = 0.0
var other = 0.0
if close > 2
    seen := close
    other := open
plot(request.security("", "30", seen))
"""
    assert values(source, TWO_HOURS)[-1] == 8


def test_a_request_for_fewer_bars_than_there_are_is_refused() -> None:
    source = 'plot(request.security("", "30", close, calc_bars_count = {}))'
    with pytest.raises(NotComputed, match="calc_bars_count = 2 on 4 bars"):
        run(source.format(2), TWO_HOURS)
    assert values(source.format(9), TWO_HOURS)[-1] == 8
