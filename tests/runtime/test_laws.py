"""Laws of execution that were recorded on TradingView, each by what it says."""

from __future__ import annotations

import pytest

from pinebench.runtime.faults import RuntimeFault
from tests.runtime.running import bars_of, run, runtime_of, values


def test_lines_are_compared_by_identity_na_included() -> None:
    source = """
l = line.new(bar_index, 1, bar_index, 2)
line a = na
line b = na
m = l
plot((a == b ? 1 : 0) + (l != l[1] ? 10 : 0) + (l == l[1] ? 100 : 0) + (m == l ? 1000 : 0))
"""
    assert values(source) == [1011] * 5


def test_whole_numbers_are_exact_far_beyond_32_bits() -> None:
    assert values("plot((bar_index * 1000000007) % 2147483647)")[-1] == 4 * 1000000007 % 2147483647
    steps = [16807, 282475249, 1622650073, 984943658, 1144108930]
    assert values("var s = 1\ns := s * 16807 % 2147483647\nplot(s)") == steps


def test_an_infinite_whole_number_orders_but_equals_nothing() -> None:
    source = """
i = math.floor(100 / (close - close))
plot((i > 5 ? 1 : 0) + (i >= 5 ? 10 : 0) + (i < 5 ? 100 : 0) + (i == 5 ? 1000 : 0) + (i != 5 ? 10000 : 0))
plot(na(i) ? 1 : 0)
plot(nz(i, -1))
"""
    assert [output.values for output in run(source, [1.0]).plots] == [[11], [1], [-1]]


def test_arguments_are_evaluated_once() -> None:
    source = """
var calls = array.new<int>(0)
f(float x) =>
    calls.push(1)
    x
y = nz(f(na), f(2)) + math.max(f(1), f(2)) + math.round(f(1.234), 2) + math.abs(f(-1)) + f(4) / f(2)
plot(calls.size())
"""
    assert values(source, [1.0]) == [8]


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


def test_arms_that_are_not_taken_are_not_evaluated() -> None:
    source = """
f() =>
    runtime.error("taken")
    1
x = switch
    close > 100 => f()
    => 0
y = close > 100 ? f() : 0
z = close > 100 and f() > 0
plot(x + y + (z ? 1 : 0))
"""
    assert values(source, [1.0]) == [0]


def test_a_text_that_is_na_in_one_arm_is_na_there() -> None:
    source = 's = close > 2 ? "BUY" : na\nplot(na(s) ? 1 : 0)\nplot(s == "" ? 1 : 0)'
    assert [output.values for output in run(source, [1.0, 3.0]).plots] == [[1, 0], [1, 0]]


def test_frequencies_of_alerts_are_texts() -> None:
    source = 'plot(alert.freq_all + alert.freq_once_per_bar == "allonce_per_bar" ? 1 : 0)'
    assert values(source, [1.0]) == [1]


def test_the_last_value_that_is_not_na_is_kept_at_each_call() -> None:
    source = "f(x) => fixnan(x)\nplot(nz(f(close > 2 ? na : close), -1) * 10 + nz(f(close > 2 ? close : na), -1))"
    assert values(source) == [9, 19, 23, 24, 25]


def test_a_fractional_offset_is_cut_on_expressions_and_calls() -> None:
    source = "k = close * 0 + 2.9\nplot(nz(ta.highest(high, 3)[k] - ta.highest(high, 3)[2], 0))\nplot((close + 1)[k])"
    result = run(source)
    assert result.plots[0].values == [0] * 5
    assert result.plots[1].values[2:] == [2, 3, 4]


def test_history_of_objects_counts_the_runs_of_a_function() -> None:
    source = """
type P
    float v
f(P x) => na(x[1]) ? -1 : (x[1]).v
float r = na
if bar_index % 2 == 0
    r := f(P.new(close))
plot(r)
"""
    assert values(source) == [-1, None, 1, None, 3]


def test_a_write_through_history_is_seen_a_bar_later() -> None:
    source = """
type P
    float v
p = P.new(close)
q = p[1]
if not na(q)
    q.v := 100
plot(na(p[2]) ? -1 : (p[2]).v)
"""
    assert values(source) == [-1, -1, 100, 100, 100]


def test_a_helper_counts_the_bars_that_are_requested() -> None:
    source = """
count() =>
    var n = 0
    n += 1
    n
plot(request.security("", "30", count()) * 100 + request.security("", "60", count() + count()) * 1)
"""
    assert values(source, [1.0] * 8)[-1] == 400 + 4


def test_globals_declared_after_a_helper_are_not_its_own() -> None:
    source = 'g = close * 2\nask(tf) => request.security("", tf, g + g[1])\nplot(ask("30"))'
    assert values(source, [1.0, 2.0, 3.0, 4.0])[-1] == 12


def test_lookahead_shows_a_longer_bar_on_its_first_bar() -> None:
    source = 'plot(request.security("", "30", high, lookahead = barmerge.lookahead_on))'
    bars = bars_of([1.0, 5.0, 2.0, 9.0])
    assert values(source, bars) == [6, 6, 10, 10]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("plot(ta.sma(close, bar_index * 0))", "It must be > 0."),
        ("plot(ta.hma(close, 1))", "Invalid value of the 'length' argument (0) in the 'wma' function. It must be > 0."),
        ("plot(close[10001 + bar_index])", "too far from the current bar (10001 bars back)"),
        ('plot(str.length(str.format("{0", close)))', "Unmatched braces in the pattern."),
        ("a = array.new<float>(2)\nplot(a.get(2))", "Index 2 is out of bounds, array size is 2."),
        ('plot(str.length(str.repeat("a", bar_index - 1)))', "parameter '-1' in the 'str.repeat' function."),
    ],
)
def test_run_time_errors_stop_the_script_on_its_first_bar(source: str, message: str) -> None:
    result = runtime_of(source, [1.0]).run()
    assert isinstance(result.error, RuntimeFault)
    assert result.error.message.startswith("Error on bar 0: ")
    assert message in result.error.message


def test_a_branch_that_is_not_taken_raises_nothing() -> None:
    assert values("a = array.new<float>(0)\nplot(close > 100 ? a.get(5) : 1)", [1.0]) == [1]
