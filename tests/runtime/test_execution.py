"""Scripts run bar by bar as Pine's execution model says: variables, history, state per call site, blocks and loops."""

from __future__ import annotations

import math

import pytest

from pinebench.checker import open_program
from pinebench.errors import UnavailableError, UsageError
from pinebench.market.bars import SymbolInfo
from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.refusals import NotComputed
from pinebench.runtime.runtime import Runtime, executable
from tests.runtime.running import HEAD, bars_of, run, runtime_of, values
from tests.tables import each

# what must never happen


def test_two_call_sites_keep_their_own_state() -> None:
    source = """
count(step) =>
    var total = 0
    total += step
    total
a = count(1)
b = count(10)
plot(b * 1000 + a)
"""
    assert values(source) == [10001, 20002, 30003, 40004, 50005]


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


def test_a_loop_shares_the_state_of_its_one_call_site() -> None:
    source = """
count() =>
    var total = 0
    total += 1
    total
last = 0
for i = 1 to 3
    last := count()
plot(last)
"""
    assert values(source) == [3, 6, 9, 12, 15]


def test_what_is_not_computed_is_refused_by_name() -> None:
    with pytest.raises(NotComputed, match=r"ticker\.renko is not computed here \(line 3\)"):
        runtime_of('plot(request.security(ticker.renko(syminfo.tickerid, "ATR", 10), "D", close))', [1.0])


def test_a_bool_parameter_is_never_na() -> None:
    source = "told(bool now, int back) => na(now) ? 1 : na(back) ? 2 : 3\nplot(told(na(close[1]), bar_index[1]))"
    assert values(source) == [2, 3, 3, 3, 3]


def test_a_script_that_does_not_compile_is_not_run() -> None:
    with pytest.raises(UsageError, match="does not compile"):
        runtime_of("plot(nothing)", [1.0])


def test_a_plot_has_a_value_for_each_bar() -> None:
    result = run("plot(close)\nplot(close > 2 ? open : na)", [1.0, 2.0, 3.0])
    assert [len(output.values) for output in result.plots] == [3, 3]


# variables


def test_var_lives_on_and_others_do_not() -> None:
    assert values("var a = 0\na += 1\nb = 0\nb += 1\nplot(a * 10 + b)") == [11, 21, 31, 41, 51]


def test_var_is_initialised_when_its_block_first_runs() -> None:
    source = """
r = 0.0
if close > 2
    var first = close
    first += 1
    r := first
plot(r)
"""
    assert values(source) == [0, 0, 4, 5, 6]


def test_compound_assignment_takes_its_right_side_whole() -> None:
    source = "a = 10.0\na -= 4 - 1\nb = 6.0\nb /= 2 * 3\nc = 2.0\nc *= 5 - 2\nplot(a * 100 + b * 10 + c)"
    assert values(source, [1.0]) == [716]


def test_names_of_a_block_hide_those_outside() -> None:
    assert values("x = 1\nif true\n    x = 5\n    x += 1\nplot(x)", [1.0]) == [1]


# history


def test_history_before_the_first_bar_is_empty_and_false_for_bools() -> None:
    assert values("plot(close[2])") == [None, None, 1, 2, 3]
    assert values("up = close > 0\nplot(up[1] ? 1 : 0)") == [0, 1, 1, 1, 1]


def test_history_of_a_variable_is_what_it_was_when_the_bar_ended() -> None:
    assert values("a = 0.0\nb = a[1]\na := close * 10\nplot(b)") == [None, 10, 20, 30, 40]


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


def test_history_of_an_expression() -> None:
    assert values("plot((close * 2)[1])") == [None, 2, 4, 6, 8]
    assert values("plot(close > 3 ? (close + open)[1] : 0)") == [0, 0, 0, 5, 7]


def test_history_of_a_parameter_counts_the_calls() -> None:
    source = "f(x) => x[1]\nfloat r = na\nif bar_index % 2 == 0\n    r := f(close)\nplot(r)"
    assert values(source) == [None, None, 1, None, 3]


def test_history_of_a_local_counts_the_runs_of_its_block() -> None:
    source = "float r = na\nif bar_index % 2 == 0\n    y = close * 10\n    r := y[1]\nplot(r)"
    assert values(source) == [None, None, 10, None, 30]


def test_history_of_a_global_within_a_function_is_what_its_last_call_saw() -> None:
    source = "g = close * 10\nf() => g[1]\nfloat r = na\nif bar_index % 2 == 0\n    r := f()\nplot(r)"
    assert values(source) == [None, None, 10, None, 30]


def test_history_of_a_call() -> None:
    assert values("plot(ta.sma(close, 2)[1])") == [None, None, 1.5, 2.5, 3.5]


# numbers


def test_comparisons_tolerate_what_is_below_1e_10() -> None:
    head = "a = close + 0.00000000001\n"
    assert values(head + "plot(a == close ? 1 : 0)", [1.0]) == [1]
    assert values(head + "plot(a > close ? 1 : 0)", [1.0]) == [0]
    assert values("a = close + 0.000000001\nplot(a > close and a != close ? 1 : 0)", [1.0]) == [1]


def test_nothing_compares_with_na() -> None:
    tests = " ".join(f"+ (x {sign} close ? 1 : 0)" for sign in ("==", "!=", "<", ">", "<=", ">="))
    assert values(f"float x = na\nplot(0 {tests})", [1.0]) == [0]


def test_an_infinite_number_is_na_and_still_ordered() -> None:
    source = "x = 5 / (close - close)\nplot((na(x) ? 1 : 0) + (x > 5 ? 10 : 0) + (x == 5 ? 100 : 0) + nz(x, 1000))"
    assert values(source, [1.0]) == [1011]


def test_division_never_stops_the_script() -> None:
    assert values("plot(close / (close - 3))") == [-0.5, -2, math.inf, 4, 2.5]
    assert values("plot((close - 3) / (close - close))") == [-math.inf, -math.inf, None, math.inf, math.inf]


def test_a_remainder_has_the_sign_of_the_dividend() -> None:
    assert values("plot(-7 % 3 + (bar_index - 7) % 3 * 10)", [1.0]) == [-11]
    for left, right in (("-5.0", "3.0"), ("-5.5", "3"), ("7.5", "-2"), ("-7", "2.0")):
        series = f"a = bar_index == 0 ? {left} : 1.0\nplot(a % {right})"
        assert values(f"plot({left} % {right})", [1.0]) == values(series, [1.0])
    assert values("plot(-5.0 % 3.0)\n", [1.0]) == [-2]


def test_a_constant_reaches_the_run_with_16_decimals() -> None:
    assert values("plot(2 / 15)", [1.0]) == [0.1333333333333333]
    assert values("x = close + 1\nplot(x / 15)", [1.0]) == [2 / 15]


def test_whole_numbers_do_not_wrap_and_do_not_grow_without_end() -> None:
    assert values("x = bar_index + 400\nplot(x * 7200000)", [1.0]) == [2880000000]
    source = "var x = 3\nx := x * x\nplot(x)"
    assert values(source, [1.0] * 9)[-1] == 3.0**512
    assert values(source, [1.0] * 20)[-1] == math.inf


def test_the_right_side_of_and_is_not_evaluated() -> None:
    source = """
count() =>
    var total = 0
    total += 1
    total
seen = close > 2 and count() > 0
plot(count() + (seen ? 10 : 0))
"""
    assert values(source) == [1, 2, 13, 14, 15]


# blocks and loops


def test_a_structure_has_the_value_of_the_block_that_ran() -> None:
    source = """
x = if close > 3
    1
else if close > 1
    a = 2
    a + 0
y = switch close
    1 => 10
    5 => 50
    => 30
z = for i = 0 to 3
    i * 100
w = switch
    close > 4 => 1000
plot(nz(x) + y + z + nz(w))
"""
    assert values(source) == [310, 332, 332, 331, 1351]


def test_a_counter_runs_down_where_the_end_is_below() -> None:
    assert values("s = 0\nfor i = 3 to 1\n    s := s * 10 + i\nplot(s)", [1.0]) == [321]
    assert values("s = 0.0\nfor i = 0 to 1 by 0.5\n    s += i\nplot(s)", [1.0]) == [1.5]


def test_the_end_of_a_loop_is_asked_for_again() -> None:
    assert values("n = 3\ns = 0\nfor i = 1 to n\n    s += 1\n    if n < 6\n        n += 1\nplot(s)", [1.0]) == [6]


def test_break_and_continue() -> None:
    source = """
s = 0
for i = 1 to 10
    if i % 2 == 0
        continue
    if i > 7
        break
    s += i
plot(s)
"""
    assert values(source, [1.0]) == [16]


def test_a_step_of_zero_stops_the_script() -> None:
    with pytest.raises(RuntimeFault) as caught:
        run("k = bar_index * 0\ns = 0\nfor i = 0 to 3 by k\n    s += i\nplot(s)")
    assert (caught.value.code, caught.value.line) == ("RE10021", 5)


def test_while_and_once() -> None:
    source = "var n = 0\nonce\n    n += 100\nonce close > 2\n    n += 1000\nk = 0\nwhile k < 3\n    k += 1\nplot(n + k)"
    assert values(source) == [103, 103, 1103, 1103, 1103]


def test_tuples() -> None:
    source = (
        "f(x) =>\n    [x, x * 2]\n[a, b] = f(close)\n[_, c] = if close > 2\n    [1, 5]\nplot(a + b * 10 + nz(c) * 1000)"
    )
    assert values(source) == [21, 42, 5063, 5084, 5105]


def test_long_chains_are_no_nesting() -> None:
    total = " + ".join(["close"] * 3000)
    assert values(f"plot({total})", [1.0]) == [3000]
    choice = " : ".join(f"bar_index == {k} ? {k}" for k in range(1, 600))
    assert values(f"plot({choice} : -1)", [1.0, 1.0, 1.0]) == [-1, 1, 2]
    branches = "".join(f"else if bar_index == {k}\n    x := {k}\n" for k in range(1, 300))
    assert values(f"x = -1\nif bar_index == 0\n    x := 0\n{branches}plot(x)", [1.0, 1.0]) == [0, 1]


# user types


def test_objects_are_references_and_so_is_their_history() -> None:
    source = """
type P
    float total = 0
    string name = "x"
var p = P.new()
p.total += close
q = p[1]
plot(na(q) ? -1 : q.total - p.total)
"""
    assert values(source) == [-1, 0, 0, 0, 0]


def test_a_fresh_object_per_bar_has_history() -> None:
    source = "type P\n    float v\np = P.new(close)\nplot(na(p[1]) ? na : (p[1]).v)"
    assert values(source) == [None, 1, 2, 3, 4]


def test_a_field_of_na_stops_the_script_with_its_line() -> None:
    with pytest.raises(RuntimeFault) as caught:
        run("type Cell\n    float v\nf(Cell c) =>\n    c.v\nCell c = na\nplot(f(c))")
    assert caught.value.message == (
        "Error on bar 0: Cannot access the 'Cell.v' field of an undefined object. The object is 'na'."
    )
    assert [(call.function, call.line) for call in caught.value.stack] == [("f", 6), ("#main", 8)]


def test_methods_and_copies() -> None:
    source = """
type P
    float v = 1
method add(P this, float x) =>
    this.v += x
    this
a = P.new().add(1).add(2)
b = a.copy()
b.v := 100
plot(a.v + b.v)
"""
    assert values(source, [1.0]) == [104]


def test_enums_are_told_apart() -> None:
    source = """
enum Side
    buy = "Buy"
    sell
s = close > 2 ? Side.buy : Side.sell
plot(s == Side.buy ? 1 : s != Side.sell ? 2 : 3)
"""
    assert values(source) == [3, 3, 1, 1, 1]


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


def test_fields_of_a_point() -> None:
    assert values("p = chart.point.new(time, bar_index, close)\np.price += 1\nplot(p.price + p.index)") == [
        2,
        4,
        6,
        8,
        10,
    ]


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
