"""Calls of the library while machine code runs: the same bits, what stops a run, and what stays in Python."""

from __future__ import annotations

import gc
import sys
from contextlib import nullcontext
from dataclasses import replace

import pytest

from pinebench.compiled import library_calls, perform_on
from pinebench.compiled.builtins import NOT_COMPILED
from pinebench.compiled.outcomes import TOO_MUCH
from pinebench.runtime import RunBudget, guard
from pinebench.runtime import builtins as library
from pinebench.workers.dispatch import execute
from pinebench.workers.jobs import perform
from tests.compiled.random_library import library_script
from tests.compiled.same import both, compare, compiled, refusal, request


@pytest.mark.parametrize("seed", range(6))
def test_random_scripts_with_calls_of_the_library_give_the_same_on_both_tiers(seed: int) -> None:
    both(library_script(seed))


KERNELS = {
    "math.random": "math.random(0, 9, 3)",
    "ta.median": "ta.median(close, 5)",
    "ta.range": "ta.range(close, 5)",
    "ta.mode": "ta.mode(math.round(close), 9)",
    "ta.percentile_linear_interpolation": "ta.percentile_linear_interpolation(close, 9, 30)",
    "ta.percentile_nearest_rank": "ta.percentile_nearest_rank(close, 9, 30)",
    "ta.pivot_point_levels": 'ta.pivot_point_levels("Traditional", timeframe.change("D")).get(bar_index % 7)',
}


def test_a_stateful_built_in_that_is_not_compiled_has_a_state_for_each_call() -> None:
    assert set(KERNELS) == set(NOT_COMPILED)
    head = 'indicator("")\nf(x) =>\n    bar_index % 3 == 1 ? ta.median(x, 4) : ta.mode(x, 3)\n'
    both(head + "plot(f(close) + f(open))\n" + "\n".join(f"plot({call})" for call in KERNELS.values()))


@pytest.mark.parametrize(
    "use",
    [
        'plot(all == "a" ? 1 : 0)',
        "part = str.upper(all)\nplot(na(part) ? 1 : 0)",
        'part = str.trim(all) + ""\nplot(part == "" ? 1 : 0)',
        "plot(str.length(all))",
        't = array.from(all, "b")\nplot(t.indexof("b") + t.lastindexof(all) + (t.includes(all) ? 1 : 0))',
        't = array.from(all, "b")\nplot(t.get(0) == "b" ? 1 : 0)',
        't = array.from(all, "b", na)\nt.sort()\nplot(t.get(0) == "b" ? 1 : 0)\nlog.info(t.join("|"))',
        '[x, y] = pair(all)\nplot(y == "b" ? 1 : 0)',
        'n = Named.new(all)\nplot(n.name == "b" ? 1 : 0)',
        'n = Named.new("a")\nn.name := all\nplot(n.name == "b" ? 1 : 0)',
        "plot(all[1] == all ? 1 : 0)",
        'var m = map.new<string, Named>()\nm.put(all, Named.new("x"))\nplot(m.get(all).name == "x" ? m.size() : 0)',
        'label.new(bar_index, high, str.substring(all, 1, 3) + str.tostring(close, bar_index % 2 == 0 ? "#" : "#.##"))',
        "label.new(bar_index, high, str.tostring(close, format.mintick) + str.tostring(array.from(1, 2, bar_index)))",
        'log.info(str.format_time(time, all == all ? "HH:mm" : all))',
        'log.info("{0} {1} {2}", all, array.from(1.5, bar_index), array.from(all, "b"))',
    ],
)
def test_the_letters_of_a_text_of_a_bar_are_known(use: str) -> None:
    head = (
        'indicator("")\ntype Named\n    string name\npair(string x) =>\n    [1, x]\nall = "a" + str.tostring(close)\n'
    )
    both(f"{head}{use}\nplot(close)")


def test_the_place_of_a_drawing_by_a_text_of_a_bar_is_refused() -> None:
    source = 'indicator("")\nx = str.lower("BAR_TIME" + (close > open ? "" : "x"))\nlabel.new(time, high, xloc = x)'
    assert "an xloc that is put together on a bar" in refusal(source + "\nplot(close)").reason


def test_orders_have_the_texts_of_their_bar() -> None:
    ran = both("""strategy("S")
if close > open
    message = "at " + str.tostring(open)
    strategy.entry("L" + str.tostring(bar_index % 3), strategy.long, comment = message + "!", alert_message = message)
if close < open
    strategy.close("L" + str.tostring(bar_index % 3), alert_message = str.tostring(high))
strategy.exit("X", "L1", profit = 40, comment_profit = str.tostring(bar_index))
""")
    assert ran.tested is not None and len(ran.tested.trades) > 10


STATE = """indicator("State")
type Pair
    float first
    float second
enum Side
    up
    down
n = input.int(2, "N")
var sides = map.new<Side, Pair>()
side = close > open ? Side.up : Side.down
sides.put(side, Pair.new(close, open))
sides.put(Side.up, Pair.new(high, low))
plot(sides.contains(Side.down) ? sides.get(side).first : sides.keys().first() == Side.up ? sides.size() : 0)
var m = matrix.new<float>(2, 2, 1)
m.set(bar_index % 2, 0, close)
var held = map.new<int, Pair>()
held.put(bar_index % n, Pair.new(close, open))
plot(m.det() + m.row(1).sum())
plot(held.get(0).second + held.size() + held.keys().last())
plot(na(held.get(77)) ? 1 : 0)
other = m.copy()
other.add_row(0, array.from(high, low))
plot(other.rows() * 10 + m.rows())
plot(other.submatrix(1).columns() + other.submatrix(0, 1).rows() + m.submatrix().get(0, 0))
"""


def test_collections_of_python_are_new_in_each_run_of_a_sweep() -> None:
    given = request(STATE)
    made = compiled(given)
    for n in (2, 5, 2):
        expected = perform(replace(given, inputs={"N": n})).result
        columns = [output.columns["series"] for output in expected.outputs]
        assert repr(made.columns(given.bars, {"N": n})) == repr(columns)
        compare(made.run(given.bars, {"N": n}), perform(replace(given, inputs={"N": n})))


@pytest.mark.parametrize(
    "use",
    [
        'str.repeat("a", -bar_index)',
        "matrix.new<float>(1, 1).get(bar_index, 0)",
        "str.substring(str.tostring(close), 9, 1)",
    ],
)
def test_an_error_of_the_library_stops_the_script(use: str) -> None:
    given = request(f'indicator("")\nx = {use}\nplot(close)')
    made = compiled(given)
    assert made.columns(given.bars, {}) is None
    expected = perform(given)
    assert expected.result.error is not None
    compare(made.run(given.bars, {}), expected)


@pytest.mark.parametrize("use", ['str.replace_all(s, "a", "aa")', 'str.format("{0}{0}", s)'])
def test_a_text_that_becomes_too_long_stops_the_script(use: str) -> None:
    given = request(f'indicator("")\nvar s = "a"\ns := {use}\nplot(close)')
    error = perform(given).result.error
    assert error is not None and error.code == "text-limit"
    assert compiled(given).run_whole(given.bars, {}) is None


def test_an_array_that_does_not_fit_makes_the_memory_larger() -> None:
    both('indicator("")\nx = str.split(str.repeat("a,", 400), ",")\nplot(x.size())\nplot(str.length(x.join("")))')


def test_a_run_whose_calls_take_too_much_memory_is_repeated_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    given = request(STATE)
    monkeypatch.setattr(library_calls, "_MOST_ELEMENTS", 100)
    made = compiled(given)
    assert made.run_whole(given.bars, {}) is None
    assert made.stopped == TOO_MUCH
    compare(made.run(given.bars, {}), perform(given))


@pytest.mark.parametrize(
    "use",
    [
        "matrix.new<float>(70, 70, 1.0 / 70).pow(1000000000).get(0, 0)",
        'request.security("", "", matrix.new<float>(70, 70, 1.0 / 70).pow(1000000000).get(0, 0))',
    ],
)
def test_the_budget_of_a_run_holds_inside_one_call_of_the_library(use: str) -> None:
    given = request(f'indicator("")\nvar x = {use}\nplot(x)', budget=RunBudget(seconds=0.4))
    made = compiled(given)
    assert made.run_whole(given.bars, {}) is None
    assert made.stopped == TOO_MUCH
    assert made.columns(given.bars, {}) is None
    [outcome] = made.sweep(given.bars, [{}])
    assert outcome.tier == "python" and outcome.reason == TOO_MUCH
    assert outcome.error is not None and outcome.error.code == "run-time-limit"


@pytest.mark.parametrize(
    ("use", "watches"),
    [
        ('request.security(syminfo.tickerid, "D", close)', 0),
        ("map.new<int, float>().size()", 0),
        ("matrix.new<float>(2, 2, close).pow(2).get(0, 0)", 3),
    ],
)
def test_runs_of_a_sweep_are_watched_only_where_one_call_may_be_long(
    use: str, watches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[object] = []
    monkeypatch.setattr(guard, "guarded", lambda *what: nullcontext(started.append(what)))
    given = request(f'indicator("")\nn = input.int(1, "N")\nplot({use} + n)')
    outcomes = list(compiled(given).sweep(given.bars, [{"N": n} for n in (1, 2, 3)]))
    assert {outcome.tier for outcome in outcomes} == {"compiled"}
    assert len(started) == watches


def test_a_run_with_many_short_calls_ends_with_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    given = request(STATE)
    monkeypatch.setattr(library_calls, "perf_counter", iter(range(10**9)).__next__)
    monkeypatch.setattr(library_calls, "thread_time", iter(range(10**9)).__next__)
    made = compiled(given)
    assert made.run_whole(given.bars, {}) is None
    assert made.stopped == TOO_MUCH


def test_trades_are_read_from_a_run_by_python_if_machine_code_does_not_finish_its_run_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given = request("""strategy("S")
var m = map.new<int, int>()
m.put(bar_index % input.int(7, "N"), 1)
strategy.entry("L", bar_index % 5 == 0 ? strategy.long : strategy.short)
plot(m.size())
""")
    first, last = compiled(given).sweep(given.bars, [{"N": 5}, {"N": 9}])
    monkeypatch.setattr(library_calls, "_MOST_ELEMENTS", 10)
    for outcome in (first, last):
        expected = perform(replace(given, inputs=outcome.inputs))
        assert expected.tested is not None and len(outcome.trades) > 50
        assert repr(outcome.trades) == repr(expected.tested.trades)
        assert repr(outcome.figures) == repr(expected.figures)
        assert list(outcome.equity) == expected.tested.curve.equity


def test_a_worker_answers_calls_of_the_library() -> None:
    given = request(STATE, tier="compiled")
    tiered = execute(given, perform_on)
    assert tiered.tier == "compiled"
    compare(tiered.ran, perform(given))


def test_an_interruption_of_a_call_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> float:
        raise KeyboardInterrupt

    given = request('indicator("")\nplot(str.length(str.tostring(close)))')
    monkeypatch.setitem(library.FUNCTIONS, "str.length", interrupted)
    with pytest.raises(KeyboardInterrupt):
        compiled(given).run_whole(given.bars, {})


@pytest.mark.parametrize("number", [3, 400])
def test_an_interruption_before_a_call_has_begun_leaves_the_run_to_python(
    monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    answer, calls = library_calls.LibraryCalls._answer, iter(range(1, 401))

    def interrupted(self: library_calls.LibraryCalls, place: int) -> float:
        if next(calls) == number:
            raise KeyboardInterrupt
        return answer(self, place)

    given = request('indicator("")\nplot(str.length(str.format_time(time, "yyyy") + str.repeat("a", bar_index % 3)))')
    monkeypatch.setattr(library_calls.LibraryCalls, "_answer", interrupted)
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)
    assert compiled(given).run_whole(given.bars, {}) is None


def test_a_map_that_grows_counts_as_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    given = request('indicator("")\nvar m = map.new<int, int>()\nm.put(bar_index, 1)\nplot(m.size())')
    monkeypatch.setattr(library_calls, "_MOST_ELEMENTS", 300)
    made = compiled(given)
    assert made.run_whole(given.bars, {}) is None
    assert made.stopped == TOO_MUCH


def test_the_memory_of_a_run_is_free_without_a_collection() -> None:
    given = request('indicator("")\nplot(str.length(str.repeat("x", bar_index % 7 + 1)))')
    made = compiled(given)
    gc.collect()
    gc.disable()
    try:
        before = sum(isinstance(each, memoryview) for each in gc.get_objects())
        for _ in range(4):
            made.run_whole(given.bars, {})
        after = sum(isinstance(each, memoryview) for each in gc.get_objects())
    finally:
        gc.enable()
    assert after <= before + 1
