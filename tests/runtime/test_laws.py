"""Scripts keep the laws of execution that were recorded on TradingView, each by its number."""

import math

import pytest

from pinebench.market.bars import Bars, SymbolInfo
from pinebench.runtime.requests import RequestSource
from tests.runtime.laws import LAWS, Law, assert_holds
from tests.runtime.running import START, bars_of, run, runtime_of, values
from tests.tables import each


@each("law", LAWS)
def test_a_recorded_law_holds(law: Law) -> None:
    assert_holds(law)


def test_no_number_comes_twice() -> None:
    assert len({law.number for law in LAWS}) == len(LAWS)


# A40, B2, B3: how far back other timeframes reach


DEEP = bars_of([float(number) for number in range(200)], minutes=1)
SHORT = DEEP.last(110)  # from 01:30 on


def _requested(expression: str, timeframe: str, *, deep: bool = True, options: str = "") -> list[float]:
    others = {"SAMPLE": RequestSource(DEEP, SymbolInfo(timeframe="1"))} if deep else None
    source = f'plot(request.security("", "{timeframe}", {expression}{options}))'
    return run(source, SHORT, timeframe="1", others=others).plots[0].values


def test_law_a40_timeframes_with_a_feed_of_their_own_reach_back_further_than_the_chart() -> None:
    assert _requested("bar_index", "30")[0] == 2
    assert _requested("bar_index", "60", options=", lookahead = barmerge.lookahead_on")[0] == 1
    assert _requested("bar_index", "D", options=", lookahead = barmerge.lookahead_on")[0] == 0
    assert _requested("bar_index", "6")[5] == 0
    assert _requested("bar_index", "10")[9] == 0


def test_law_a40_without_such_a_feed_all_begin_with_the_chart() -> None:
    assert _requested("bar_index", "30", deep=False)[29] == 0


def test_law_b3_the_first_bar_sees_the_bar_that_ended_with_it() -> None:
    assert _requested("close", "30")[:2] == [89, 89]
    assert _requested("close", "30", options=", barmerge.gaps_on")[0] == 89
    assert math.isnan(_requested("close", "30", options=", barmerge.gaps_on")[1])
    assert math.isnan(_requested("close", "6")[0])
    assert _requested("close", "30", options=", lookahead = barmerge.lookahead_on")[0] == 119


def test_law_a40_the_bar_that_both_feeds_have_is_that_of_the_one_which_saw_all_of_it() -> None:
    assert _requested("volume", "60", options=", lookahead = barmerge.lookahead_on")[0] == sum(DEEP.volume[60:120])


def test_law_a41_shorter_bars_that_begin_later_are_none_before() -> None:
    others = {"SAMPLE": RequestSource(DEEP.last(170), SymbolInfo(timeframe="1"))}
    chart = bars_of([1.0] * 4, minutes=15)
    assert values('plot(request.security_lower_tf("", "1", close).size())', chart, others=others) == [0, 0, 15, 15]
    assert values('plot(request.security_lower_tf("", "15", close).size())', chart, others=others) == [1] * 4


# volume


def test_law_f_a_flat_bar_has_neither_index_nor_volume_accumulation() -> None:
    bars = Bars([START, START + 900_000], [1.0, 1.0], [1.0, 2.0], [1.0, 1.0], [1.0, 2.0], [5.0, 5.0])
    for name in ("ta.iii", "ta.wvad"):
        first, second = values(f"plot({name})", bars)
        assert first is None and second is not None


@each("name", ["ta.vwap", "ta.accdist", "ta.obv", "ta.pvt", "ta.iii", "ta.mfi(close, 1)", "ta.vwap(close)"])
def test_law_f_without_volume_what_weighs_by_it_is_na(name: str) -> None:
    bars = bars_of([1.0, 2.0, 2.0, 1.0])
    bars.volume = [math.nan] * 4
    assert values(f"plot({name})", bars) == [None] * 4
    assert values("plot(ta.wad)", bars) == [0, 2, 2, 0]


# RE10137


def test_law_re10137_the_41st_unique_request_stops_the_script() -> None:
    minutes = 'float s = 0\nfor i = 2 to {last}\n    s += nz(request.security("", str.tostring(i), close))\nplot(s)'
    run(minutes.format(last=41), DEEP, timeframe="1")
    stopped = runtime_of(minutes.format(last=42), DEEP, timeframe="1").run()
    assert stopped.error is not None
    assert stopped.error.message == (
        "The script executes too many unique `request.*()` function calls. The limit is 40. You can increase the "
        "limit by upgrading your plan."
    )


def test_law_re10137_requests_that_are_written_alike_are_one() -> None:
    run("".join('plot(request.security("",  "30", close))\n' for _ in range(50)), [1.0, 2.0])


def test_a_request_that_other_requests_need_counts_once() -> None:
    source = "source(timeframe, value) => request.security(syminfo.tickerid, timeframe, value)\n"
    for number in range(10):
        source += f'x{number} = source("30", close + {number})\nf{number}() => x{number}[1] + x{max(number - 1, 0)}\n'
        source += f'plot(request.security(syminfo.tickerid, "30", f{number}()))\n'
    run(source, [1.0, 2.0])


def test_law_re10001_a_declaration_without_lines_stops_before_the_first_bar() -> None:
    head = '//@version=6\nindicator("x", max_lines_count = 0, max_labels_count = 0)\n'
    assert runtime_of(f"{head}plot(close)", [1.0]).run().error is None
    result = runtime_of(f"{head}line.new(0, close, 1, close)", [1.0]).run()
    assert result.error is not None
    assert (result.error.message, result.error.bar, result.error.line) == (
        "Invalid value of the 'max_lines_count' argument (0) in the 'study' function. It must be > 0.",
        None,
        None,
    )


# history


@pytest.mark.parametrize(("call", "expected"), [("ta.cum(1)", 6), ("count()", 6), ("(bar_index + x)[3]", 2)])
def test_law_p18_the_replacement_of_nz_is_evaluated_on_every_bar(call: str, expected: float) -> None:
    source = f"""
count() =>
    var calls = 0
    calls += 1
    calls
varip x = 0
plot(nz(bar_index < 5 ? x + 9.5 : na, {call}))
"""
    assert values(source, [1.0] * 6) == [9.5] * 5 + [expected]


def test_law_p31_globals_declared_after_a_helper_belong_to_the_request() -> None:
    source = 'g = close * 2\nask(tf) => request.security("", tf, g + g[1])\nplot(ask("30"))'
    assert values(source, [1.0, 2.0, 3.0, 4.0])[-1] == 12


def test_functions_of_any_number_of_arguments_take_them_in_turn() -> None:
    source = """
plot(str.format("{0}-{1}", "a", close) == "a-1" ? 1 : 0)
plot(math.max(1, 5, close) + math.avg(1, 2, 3) * 10)
plot(array.from(4, 5.5).sum())
log.info("saw {0} and {1}", close, "b")
log.warning("plain")
"""
    result = run(source, [1.0])
    assert [output.values for output in result.plots] == [[1], [25], [9.5]]
    assert [(log.level, log.message) for log in result.logs] == [("info", "saw 1 and b"), ("warning", "plain")]
