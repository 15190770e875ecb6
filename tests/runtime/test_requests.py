"""Requests: code run on other bars, what of it a bar may see, and state for each request on its own."""

import pytest

from pinebench.market.bars import SymbolInfo
from pinebench.runtime.refusals import NotComputed
from pinebench.runtime.requests import RequestSource
from tests.runtime.laws import Law, assert_holds, laws
from tests.runtime.running import MINUTE, START, bars_of, run, runtime_of, values
from tests.tables import each


@each("law", laws("requests.txt"))
def test_a_script_gives_its_values(law: Law) -> None:
    assert_holds(law)


TWO_HOURS = [float(number) for number in range(1, 9)]


def test_with_gaps_it_is_seen_once() -> None:
    source = 'plot(request.security("", "60", close, barmerge.gaps_on))'
    assert values(source, TWO_HOURS) == [None, None, None, 4, None, None, None, 8]


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
    other = RequestSource(bars_of([value * 10 for value in TWO_HOURS]), SymbolInfo("OTHER", timeframe="15"))
    source = 'plot(request.security("ANY:OTHER", "", close))'
    assert values(source, TWO_HOURS, others={"OTHER": other}) == [value * 10 for value in TWO_HOURS]


def test_a_symbol_without_bars_is_refused_by_name() -> None:
    with pytest.raises(NotComputed, match="a request for NYSE:NONE"):
        runtime_of('plot(request.security("NYSE:NONE", "", close))', [1.0]).run()
    source = 'plot(request.security("NYSE:NONE", "", close, ignore_invalid_symbol = true))'
    result = run(source, [1.0])
    assert result.plots[0].values[0] != result.plots[0].values[0]
    assert result.notes == ["NYSE:NONE, for which there are no bars, is not available here and is na"]


def of(name: str, closes: list[float], minutes: int = 15) -> RequestSource:
    return RequestSource(bars_of(closes, minutes), SymbolInfo(name, "NYSE", timeframe=str(minutes)))


def test_a_spread_is_computed_from_the_bars_of_its_symbols() -> None:
    others = {"A": of("A", [v * 10 for v in TWO_HOURS]), "NYSE:B": of("B", [2.0] * 8), "C-D": of("C-D", [4.0] * 8)}
    for ticker, wanted in (
        ("A/NYSE:B", [v * 5 for v in TWO_HOURS]),
        ("A - NYSE:B", [v * 10 - 2 for v in TWO_HOURS]),
        ("1/C-D", [0.25] * 8),
        ("(A + SAMPLE) * 2", [v * 22 for v in TWO_HOURS]),
    ):
        assert values(f'plot(request.security("{ticker}", "", close))', TWO_HOURS, others=others) == wanted, ticker
        longer = values(f'plot(request.security("{ticker}", "60", close))', TWO_HOURS, others=others)
        assert longer == [None] * 3 + [wanted[3]] * 4 + [wanted[7]], ticker
    kinds = 'plot(request.security("A/NYSE:B", "", syminfo.type == "spread" and na(volume) ? 1 : 0))'
    assert values(kinds, TWO_HOURS, others=others) == [1] * 8


def test_the_bars_of_a_spread_are_joined_after_it_was_computed() -> None:
    """TradingView computes each minute first, and then makes longer bars: the high of a ratio is not the ratio of
    highs."""
    minutes = [2.0, 9.0, 3.0, 4.0, 5.0, 8.0]
    others = {"A": of("A", minutes, 1), "B": of("B", [4.0, 6.0, 4.0, 5.0, 4.0, 7.0], 1)}
    asked = 'plot(request.security("A/B", "{}", high))'
    single = values(asked.format("1"), bars_of([0.0] * 6, 1), timeframe="1", others=others)
    assert values(asked.format("3"), bars_of([0.0, 0.0], 3), timeframe="3", others=others) == [
        max(single[:3]),
        max(single[3:]),
    ]


def test_a_spread_has_only_the_bars_that_all_its_symbols_have() -> None:
    closes = [value + 4 for value in TWO_HOURS]
    some = bars_of(closes).at((0, 1, 4, 7))
    others = {"A": of("A", closes), "B": RequestSource(some, SymbolInfo("B", timeframe="15"))}
    asked = 'plot(request.security("A/B", "", time, gaps = barmerge.gaps_on))'
    times = bars_of(TWO_HOURS).time
    assert values(asked, TWO_HOURS, others=others) == [times[k] if k in (0, 1, 4, 7) else None for k in range(8)]


def test_a_spread_with_a_symbol_without_bars_is_refused_and_never_the_other_symbol() -> None:
    others = {"B": of("B", TWO_HOURS)}
    for ticker in ("NYSE:NONE/NYSE:B", "1/NYSE:NONE", "NONE-B"):
        with pytest.raises(NotComputed, match="a request for"):
            runtime_of(f'plot(request.security("{ticker}", "", close))', TWO_HOURS, others=others).run()
    assert values('plot(request.security("1/NYSE:B", "", close))', TWO_HOURS, others=others)[3] == 0.25


def test_a_spread_with_the_chart_s_symbol_goes_on_live() -> None:
    runtime = runtime_of('plot(request.security("SAMPLE*2", "30", close))', TWO_HOURS)
    runtime.run()
    time = START + 8 * 15 * MINUTE
    for price, closed in ((20.0, False), (30.0, True)):
        result = runtime.update(time, (price, price, price, price, 1.0), closed=closed)
        assert result.plots[0].values[-2:] == [16, price * 2]


def test_the_symbol_may_change_from_bar_to_bar() -> None:
    others = {
        name: RequestSource(bars_of([value * by for value in TWO_HOURS]), SymbolInfo(name, timeframe="15"))
        for name, by in (("A", 10), ("B", 100))
    }
    source = 'plot(request.security(close > 4 ? "B" : "A", "", close))'
    assert values(source, TWO_HOURS, others=others) == [10, 20, 30, 40, 500, 600, 700, 800]


def test_shorter_bars_within_a_bar() -> None:
    shorter = RequestSource(bars_of([float(n) for n in range(1, 31)], minutes=1), SymbolInfo(timeframe="1"))
    chart = bars_of([15.0, 30.0])
    source = 'a = request.security_lower_tf("", "5", close)\nfloat s = 0\nfor x in a\n    s := s * 100 + x\nplot(s)'
    assert values(source, chart, others={"SAMPLE": shorter}) == [51015, 202530]


def test_financial_data_is_na_with_one_note() -> None:
    result = run('plot(request.financial("NASDAQ:AAPL", "TOTAL_REVENUE", "FQ"))', [1.0, 2.0])
    assert result.notes == ["request.financial is not available here and is na"]


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


@each(
    ("count", "indexes"),
    [
        (1, [None] * 7 + [0]),
        (2, [None] * 5 + [0, 0, 1]),
        (3, [None] * 3 + [0, 0, 1, 1, 2]),
        (4, [None, 0, 0, 1, 1, 2, 2, 3]),
        (9, [None, 0, 0, 1, 1, 2, 2, 3]),
        (0, [None, 0, 0, 1, 1, 2, 2, 3]),
    ],
)
def test_a_request_for_the_last_bars_takes_them_for_all_there_are(count: int, indexes: list[float | None]) -> None:
    """Reference manual: those bars are treated "as the only available data"."""
    source = f'plot(request.security("", "30", bar_index, calc_bars_count = {count}))'
    assert values(source, TWO_HOURS) == indexes


def test_the_last_bars_have_no_history_before_them_and_another_request_has_all() -> None:
    source = """
few = request.security("", "30", ta.cum(close), calc_bars_count = 2)
all = request.security("", "30", ta.cum(close))
ahead = request.security("", "30", ta.cum(close), lookahead = barmerge.lookahead_on, calc_bars_count = 2)
own = request.security("", timeframe.period, ta.cum(close), calc_bars_count = 3)
plot(few), plot(all), plot(ahead), plot(own)
"""
    few, all_, ahead, own = ([None if v != v else v for v in plot.values] for plot in run(source, TWO_HOURS).plots)
    assert few == [None] * 5 + [6, 6, 14]
    assert all_ == [None, 2, 2, 6, 6, 12, 12, 20]
    assert ahead == [None] * 4 + [6, 6, 14, 14]
    assert own == [None] * 5 + [6, 13, 21]


def test_the_last_bars_go_on_with_those_that_come() -> None:
    source = 'plot(request.security("", "30", ta.cum(close), calc_bars_count = 2))'
    runtime = runtime_of(source, TWO_HOURS)
    runtime.run()
    time = runtime.chart.bars.time[-1]
    seen: list[float] = []
    for step, closed in ((1, False), (1, True), (2, False), (2, True)):
        result = runtime.update(time + step * 900_000, (9.0, 9.0, 9.0, 9.0 + step, 1.0), closed=closed)
        seen.append(result.plots[0].values[-1])
    assert seen == [14 + 10, 14 + 10, 14 + 11, 14 + 11]


# requests of functions that are called inside blocks


@pytest.mark.parametrize("call", ['ask("30", s)', 'further("30", s)', 'request.security("", "30", s)'])
def test_a_request_of_a_function_takes_what_the_block_around_its_call_declares(call: str) -> None:
    source = f"""
ask(tf, source) => request.security("", tf, source)
further(tf, source) => ask(tf, source)
float x = na
if close > 2
    if open > 2
        s = close * 2
        x := {call}
plot(x)
"""
    assert values(source, TWO_HOURS) == [None, None, None, 8, 8, 12, 12, 16]


@pytest.mark.parametrize(
    ("block", "words"),
    [
        ("x := ask(x + close)", "its own result"),
        ("y = ask(kept.size())\n    if y > 0\n        kept.push(y)", "its own result"),
        ("for i = 1 to 2\n        x := ask(close * i)", "the loop variable i"),
    ],
)
def test_what_such_a_call_cannot_have_is_refused_by_its_name(block: str, words: str) -> None:
    start = 'ask(source) => request.security("", "30", source)\nfloat x = 0\nvar kept = array.new<float>()\n'
    source = f"{start}if close > 2\n    {block}\nplot(x)"
    with pytest.raises(NotComputed, match=words):
        run(source, TWO_HOURS)


def test_a_ticker_that_inherits_heikin_ashi_twice_has_heikin_ashi_bars() -> None:
    source = 'own = ticker.heikinashi(syminfo.tickerid)\nplot(request.security({}, "", open))'
    once = values(source.format("own"), TWO_HOURS)
    assert once != values("plot(open)", TWO_HOURS)
    assert values(source.format("ticker.inherit(own, own)"), TWO_HOURS) == once


def test_the_extended_session_is_refused_because_only_the_given_bars_are_known() -> None:
    for made in ("ticker.new(syminfo.prefix, syminfo.ticker, {})", "ticker.modify(syminfo.tickerid, {})"):
        source = f'plot(request.security({made}, "30", close))'
        assert values(source.format("session.regular"), TWO_HOURS)[-1] is not None
        with pytest.raises(NotComputed, match="with the extended session"):
            run(source.format("session.extended"), TWO_HOURS)


def test_shorter_bars_in_a_currency_without_a_rate_are_noted() -> None:
    source = 'plot(request.security_lower_tf(syminfo.tickerid, "15", close, currency = "EUR").size())'
    result = run(source, TWO_HOURS)
    assert set(result.plots[0].values) == {0}
    assert any("the rate of USD in EUR" in note for note in result.notes)
