"""Scripts run bar by bar as Pine's execution model says: variables, history, state per call site, blocks and loops."""

import math

import pytest

from pinebench.checker import open_program
from pinebench.errors import UnavailableError, UsageError
from pinebench.market.bars import SymbolInfo
from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.refusals import NotComputed
from pinebench.runtime.runtime import Runtime, executable
from tests.runtime.laws import Law, assert_holds, laws
from tests.runtime.running import HEAD, bars_of, run, runtime_of, values
from tests.tables import each


@each("law", laws("execution.txt"))
def test_a_script_gives_its_values(law: Law) -> None:
    assert_holds(law)


def test_nested_call_sites_keep_their_own_state() -> None:
    source = """
inner(step) =>
    var total = 0
    total += step
    total
outer(step) => inner(step) + 100 * inner(step * 2)
plot(outer(1) * 10000 + outer(2))
"""
    assert values(source)[:2] == [201 * 10000 + 402, 402 * 10000 + 804]


def test_what_is_not_computed_is_refused_by_name() -> None:
    with pytest.raises(NotComputed, match=r"ticker\.renko is not computed by pinebench \(line 3\)"):
        runtime_of('plot(request.security(ticker.renko(syminfo.tickerid, "ATR", 10), "D", close))', [1.0])


def test_a_script_that_does_not_compile_is_not_run() -> None:
    with pytest.raises(UsageError, match="does not compile"):
        runtime_of("plot(nothing)", [1.0])


def test_a_plot_has_a_value_for_each_bar() -> None:
    result = run("plot(close)\nplot(close > 2 ? open : na)", [1.0, 2.0, 3.0])
    assert [len(output.values) for output in result.plots] == [3, 3]


# history


@each(("offset", "expected"), [("1", 4), ("1.9", 4), ("0.5", 5), ("-0.5", 5), ("na", 5), ("0", 5)])
def test_an_offset_is_cut_to_a_whole_number(offset: str, expected: float) -> None:
    assert values(f"float k = bar_index < 0 ? 0 : {offset}\nplot(close[int(k)])")[-1] == expected
    assert values(f"x = close + 0\nfloat k = bar_index < 0 ? 0 : {offset}\nplot(x[k])")[-1] == expected


def test_an_offset_out_of_range_stops_the_script() -> None:
    with pytest.raises(RuntimeFault) as caught:
        run("k = bar_index < 0 ? 0 : -1\nplot(close[k])")
    assert caught.value.message == (
        "Error on bar 0: The script attempts to reference historical data that is too far from the current bar (-1 bars"
        " back). The history-referencing length for the expression must be a value between 0 and 10000."
    )
    assert caught.value.line == 4


# numbers


def test_a_remainder_has_the_sign_of_the_dividend() -> None:
    assert values("plot(-7 % 3 + (bar_index - 7) % 3 * 10)", [1.0]) == [-11]
    for left, right in (("-5.0", "3.0"), ("-5.5", "3"), ("7.5", "-2"), ("-7", "2.0")):
        series = f"a = bar_index == 0 ? {left} : 1.0\nplot(a % {right})"
        assert values(f"plot({left} % {right})", [1.0]) == values(series, [1.0])
    assert values("plot(-5.0 % 3.0)\n", [1.0]) == [-2]


def test_whole_numbers_do_not_wrap_and_do_not_grow_without_end() -> None:
    assert values("x = bar_index + 400\nplot(x * 7200000)", [1.0]) == [2880000000]
    source = "var x = 3\nx := x * x\nplot(x)"
    assert values(source, [1.0] * 9)[-1] == 3.0**512
    assert values(source, [1.0] * 20)[-1] == math.inf


# blocks and loops


def test_a_step_of_zero_stops_the_script() -> None:
    with pytest.raises(RuntimeFault) as caught:
        run("k = bar_index * 0\ns = 0\nfor i = 0 to 3 by k\n    s += i\nplot(s)")
    assert (caught.value.code, caught.value.line) == ("RE10021", 5)


def test_long_chains_are_no_nesting() -> None:
    total = " + ".join(["close"] * 3000)
    assert values(f"plot({total})", [1.0]) == [3000]
    choice = " : ".join(f"bar_index == {k} ? {k}" for k in range(1, 600))
    assert values(f"plot({choice} : -1)", [1.0, 1.0, 1.0]) == [-1, 1, 2]
    branches = "".join(f"else if bar_index == {k}\n    x := {k}\n" for k in range(1, 300))
    assert values(f"x = -1\nif bar_index == 0\n    x := 0\n{branches}plot(x)", [1.0, 1.0]) == [0, 1]


# user types


def test_a_field_of_na_stops_the_script_with_its_line() -> None:
    with pytest.raises(RuntimeFault) as caught:
        run("type Cell\n    float v\nf(Cell c) =>\n    c.v\nCell c = na\nplot(f(c))")
    assert caught.value.message == (
        "Error on bar 0: Cannot access the 'Cell.v' field of an undefined object. The object is 'na'."
    )
    assert [(call.function, call.line) for call in caught.value.stack] == [("f", 6), ("#main", 8)]


def test_a_fault_leaves_nothing_of_earlier_bars() -> None:
    result = runtime_of('plot(close)\nif bar_index == 3\n    runtime.error("enough")', [1.0] * 5).run()
    assert result.error is not None
    assert result.error.message == "Error on bar 3: enough"
    assert result.plots[0].values == []


def test_no_bars_give_no_values() -> None:
    assert run("plot(close)", bars_of([])).plots[0].values == []


def test_the_same_twice() -> None:
    source = HEAD + "var a = 0.0\na += ta.rma(close, 3)\nplot(a)"
    assert str(run(source).plots[0].values) == str(run(source).plots[0].values)


def test_na_has_the_form_of_what_takes_it() -> None:
    source = """
a = array.new<line>(1)
a.set(0, line(na))
a.push(na)
f(line x) => na(x)
b = array.new<float>(1)
b.push(na)
string s = na
plot((na(a.get(0)) ? 1 : 0) + (na(a.get(1)) ? 10 : 0) + (f(na) ? 100 : 0) + (na(b.get(1)) ? 1000 : 0))
plot(s == "" ? 1 : 0)
a.get(0).set_x1(1)
"""
    result = run(source, [1.0])
    assert [output.values for output in result.plots] == [[1111], [1]]


def test_a_declaration_that_asks_for_fewer_bars_is_refused() -> None:
    with pytest.raises(NotComputed) as caught:
        runtime_of('//@version=6\nindicator("x", calc_bars_count = 2)\nplot(close)', [1.0] * 5)
    assert caught.value.name == "calc_bars_count = 2 on 5 bars"


def test_another_version_is_refused() -> None:
    with pytest.raises(UnavailableError, match="Pine v5, and only v6 runs here"):
        runtime_of('//@version=5\nindicator("x")\nplot(close)', [1.0])
    with pytest.raises(UnavailableError, match="has no //@version= line") as refused:
        Runtime(open_program("plot(close)"), bars_of([1.0]), SymbolInfo())
    assert refused.value.hint == "begin it with the line //@version=6"


def test_history_of_what_never_changes_counts_bars_wherever_it_is_asked_for() -> None:
    source = "var float v = 8\nfloat x = na\nif bar_index == 3\n    x := v[2]\nplot(x)\nplot(v[1])"
    result = run(source)
    assert [[None if value != value else value for value in plot.values] for plot in result.plots] == [
        [None, None, None, 8, None],
        [None, 8, 8, 8, 8],
    ]


@each(
    ("timeframe", "kinds"),
    [
        ("30S", {"isintraday", "isseconds"}),
        ("15", {"isintraday", "isminutes"}),
        ("240", {"isintraday", "isminutes"}),
        ("1D", {"isdwm", "isdaily"}),
        ("1W", {"isdwm", "isweekly"}),
        ("3M", {"isdwm", "ismonthly"}),
    ],
)
def test_a_timeframe_is_either_intraday_or_of_days_and_more(timeframe: str, kinds: set[str]) -> None:
    names = ["isintraday", "isdwm", "isticks", "isseconds", "isminutes", "isdaily", "isweekly", "ismonthly"]
    source = '//@version=6\nindicator("x")\n' + "".join(f'plot(timeframe.{n} ? 1 : 0, "{n}")\n' for n in names)
    result = Runtime(open_program(source), bars_of([1.0, 2.0]), SymbolInfo(timeframe=timeframe)).run()
    assert {name for name in names if result.plot(name)[-1]} == kinds


def test_the_end_of_a_loop_is_asked_for_again_also_after_continue() -> None:
    source = """
steps = array.new<int>()
for [i, step] in array.from(1, 2)
    last = 6
    for k = 0 to last by step
        if k == 2
            last := 4
            continue
        array.push(steps, k)
plot(steps.size() * 100 + steps.get(steps.size() - 1))
items = array.from(5, 6, 7, 8)
seen = 0
for k = 0 to array.size(items) - 1
    if array.get(items, k) == 6
        array.pop(items)
        continue
    seen += array.get(items, k)
plot(seen, "seen")
down = 0
for k = 3 to array.size(items)
    down := down * 10 + k
plot(down, "down")
"""
    result = run(source, [1.0])
    assert [each.values for each in result.plots] == [[604.0], [12], [3]]


def test_code_is_kept_for_the_same_script_and_inputs_only() -> None:
    source = HEAD + "length = input.float(2.0)\nplot(ta.sma(close, int(length)))\nplot(1 / length)"
    program = open_program(source)
    first = executable(program, {"length": 2.0})
    assert executable(program, {"length": 2.0}) is first
    assert executable(program, {"length": 3.0}) is not first
    assert executable(program, {"length": 0.0}) is not executable(program, {"length": -0.0})
    assert executable(open_program(source, fresh=True), {"length": 2.0}) is not first


def test_a_second_run_with_kept_code_begins_anew() -> None:
    source = "var total = 0.0\ntotal += close\nx = array.from(total)\nplot(total + x.get(0))\nplot(ta.ema(close, 2))"
    program = open_program(HEAD + source)
    runs = [Runtime(program, bars_of(closes), SymbolInfo(timeframe="15")).run() for closes in ([1.0, 2.0], [3.0, 4.0])]
    assert [run.plots[0].values for run in runs] == [[2, 6], [6, 14]]
