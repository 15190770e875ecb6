"""Indicators as machine code: the same bits as on the Python tier, na included."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pinebench.errors import UsageError
from pinebench.workers.jobs import perform
from tests.compiled.random_arrays import array_script
from tests.compiled.random_language import language_script
from tests.compiled.same import bars, both, compare, compiled, refusal, request
from tests.script_files import script_cases

HOLED = "source = bar_index % 7 == 3 or bar_index < 2 ? na : close\n"
COMPILED, _ = script_cases(Path(__file__).parents[1] / "stateful_calls.txt")
CALLS = tuple(COMPILED.script.split("\n"))


def script(calls: tuple[str, ...], *, with_tuples: bool = False) -> str:
    """A script with stateful built-ins, called on all bars, or without the input "Always" on two of three."""
    lines = [HOLED.rstrip(), 'n = input.int(5, "N")', 'runs = input.bool(true, "Always") or bar_index % 3 != 1']
    for number, call in enumerate(calls):
        lines += [f"float v{number} = na", "if runs", f"    v{number} := {call}", f"plot(v{number})"]
    tuples = {"macd(source, n, 9, 4)": 3, "bb(source, n, 2)": 3, "kc(source, n, 1.5)": 3, "dmi(n, 5)": 3}
    tuples["vwap(source, bar_index % 7 == 0, 2)"] = 3
    for name, count in ({**tuples, "supertrend(2, n)": 2} if with_tuples else {}).items():
        names = [f"t{len(lines)}_{k}" for k in range(count)]
        lines += [f"[{', '.join(names)}] = ta.{name}", *(f"plot({each})" for each in names)]
    return 'indicator("All")\n' + "\n".join(lines)


def test_every_stateful_built_in_has_the_bits_of_the_python_tier() -> None:
    """Where it is called on all bars, and where it is called on some."""
    both(script(CALLS[:26]), {"N": 5}, {"N": 4, "Always": False})
    both(script(CALLS[26:], with_tuples=True), {"N": 5}, {"N": 4, "Always": False})


OF_SERIES = (
    *("math.sum", "ta.sma", "ta.wma", "ta.vwma", "ta.change", "ta.mom", "ta.roc", "ta.cmo"),
    *("ta.mfi", "ta.variance", "ta.stdev", "ta.bbw", "ta.dev", "ta.cci", "ta.correlation", "ta.highest", "ta.lowest"),
    *("ta.highestbars", "ta.lowestbars", "ta.stoch", "ta.wpr", "ta.linreg", "ta.percentrank", "ta.cog"),
)
"""The functions whose length may change from bar to bar."""


def test_lengths_that_change_from_bar_to_bar_have_the_bits_of_the_python_tier() -> None:
    """The windows then keep their history, also on bars on which the call does not run."""
    calls = tuple(call for call in CALLS if call.partition("(")[0] in OF_SERIES)
    assert len(calls) >= len(OF_SERIES)
    both(script(calls).replace('n = input.int(5, "N")', "n = 2 + bar_index % 5"), {}, {"Always": False})


LANGUAGE = """indicator("Language")
len = input.int(3, "Len", minval = 0)
mode = input.string("b", "Mode", options = ["a", "b"])
use = input.bool(true, "Use")
src = input.source(close, "Source")
mean(float x, int k) =>
    var int calls = 0
    calls += 1
    s = 0.0
    for j = 0 to k - 1
        s += nz(x[j])
    [s / k, calls]
once(float x) =>
    float worst = x
    i = 0
    while i < 3
        i += 1
        if x[i] < worst
            worst := x[i]
            continue
        if i == 2
            break
    worst
[m, c] = mean(src, len + 1)
float up = na
if use and close > close[len]
    [m2, c2] = mean(high - low, 2)
    up := m2 + c2 + (m2[1] > 0 ? 1 : 0)
var float total = 0.0
var int seen = na
total += mode == "a" ? 1 : mode == "b" ? m : -1
seen := na(seen) ? 1 : seen + 1
part = seen % 5 / 3
power = math.pow(math.abs(close - open), 1.7) + math.exp(-close / 100) + math.log(volume) + math.sin(close)
rounded = math.round(close * 1.005, 2) + math.round_to_mintick(hl2 / 3) + math.round(-close) + int(open / 7)
kind = switch
    close > open => 1
    close < open => -1
    => 0
plot(m, "M")
plot(c, "C")
plot(up, "Up")
plot(total, "Total")
plot(seen, "Seen")
plot(part)
plot(power)
plot(rounded)
plot(kind)
plot(once(close))
plot(math.max(open, close, na(up) ? 0 : up), color = close > open ? color.new(color.green, kind * 10 + 20) : na)
plot((close - close[1])[2] / (kind == 0 ? 0 : 1))
plot(time("D") % 1000 + hour + (timeframe.change("D") ? 1 : 0))
plotshape(kind == 1 and close[1] < open[1], location = location.abovebar)
bgcolor(color.from_gradient(close, ta.lowest(9), ta.highest(9), color.red, color.green))
"""


def test_the_language_has_the_bits_of_the_python_tier() -> None:
    both(LANGUAGE, {}, {"Len": 5, "Use": False}, {"Mode": "a", "Source": "hlc3", "Len": 0})


@pytest.mark.parametrize(("seed", "size"), [(1, 6), (2, 3)])
def test_random_scripts_with_arrays_have_the_bits_of_the_python_tier(seed: int, size: int) -> None:
    both(array_script(seed), {"N": size})


ZEROS = """indicator("Zeros")
var sums = array.new<float>()
if bar_index % 3 == 1
    sums.push(bar_index % 2)
[trend, direction] = ta.supertrend(3, 10)
f(float x = 0) => x
plot(nz(sums.sum()))
plot(nz(close[1]))
plot(nz(fixnan(close[1])))
plot(nz(ta.pivothigh(2, 2)))
plot(direction)
plot(nz(direction))
plot(fixnan(direction))
plot(direction < 0 ? direction : 0)
plot(sums.size() > 0 ? sums.last() : 0)
plot(f())
plot(math.max(0, close - close))
float whole = switch bar_index % 3
    0 => 0
    1 => bar_index
plot(whole)
"""


def test_a_zero_has_the_type_of_its_overload_on_both_tiers() -> None:
    """A float is a float, also where it is a default of a built-in or a direction."""
    for output in both(ZEROS).result.outputs:
        values = output.columns["series"]
        assert {type(value) for value in values} == {float}, output
        assert 0.0 in values or -1.0 in values, output


GLOBALS = """indicator("Globals")
var float total = 0.0
var int seen = na
var kept = array.new_float()
total += close
seen := bar_index
twice = total * 2
read(float x) =>
    kept.push(x)
    x * total + nz(seen) + twice + nz(total[1])
plot(read(2) + kept.size() + (close > open ? read(high) : kept.size()))
plot(na(kept) ? 1 : kept.sum())
"""


def test_functions_read_global_variables() -> None:
    both(GLOBALS)


ARRAYS = """indicator("Arrays")
n = input.int(3, "N")
float[] none = na
var a = array.from(1.0, 2.0, 3.0)
x = a.get(bar_index < 20 ? 0 : n)
plot(nz(x) + (na(none) ? 1 : 0))
"""


NA_INDICES = """indicator("Na indices")
var colors = array.new<color>(2, color.red)
var flags = array.new<bool>(2, true)
var texts = array.from("a", "b")
var lines = array.new<line>(2, line.new(0, 0, 1, 1))
var none = array.new<color>()
int k = bar_index % 2 == 0 ? na : bar_index % 2
mixed = matrix.new<color>(1, 1, color.red)
plot(close, color = colors.get(k))
plot(na(none.get(int(na))) ? 1 : 0)
plot(na(mixed.get(0, bar_index % 2 == 0 ? na : 0)) ? 1 : 0)
plot(flags.get(k) ? 1 : 0)
plot(texts.get(k) == "b" ? 1 : 0)
plot(na(texts.get(k)) ? 1 : 0)
plot(na(lines.get(k)) ? 1 : 0)
plot(flags.copy().remove(k) ? 1 : 0)
plot(color.t(colors.copy().remove(k)))
"""


def test_an_element_with_an_na_index_is_that_of_the_python_tier() -> None:
    both(NA_INDICES)


def test_an_index_outside_of_an_array_has_the_error_of_the_python_tier() -> None:
    given = request(ARRAYS)
    made = compiled(given)
    [stopped, fine] = made.sweep(given.bars, [{"N": 3}, {"N": -3}])
    expected = perform(given).result.error
    assert expected is not None
    assert (expected.code, stopped.tier, fine.tier) == ("RE10045", "python", "compiled")
    assert repr(stopped.error) == repr(expected)
    compare(fine.ran, perform(replace(given, inputs={"N": -3})))


def test_one_compilation_serves_all_values_of_number_inputs() -> None:
    given = request(LANGUAGE)
    made = compiled(given)
    combinations = [{"Len": length, "Use": use} for length in (1, 2, 7) for use in (True, False)]
    forms = {id(made.form(inputs)) for inputs in combinations}
    outcomes = list(made.sweep(given.bars, combinations))
    assert len(forms) == 1
    for inputs, outcome in zip(combinations, outcomes, strict=True):
        assert outcome.tier == "compiled"
        compare(outcome.ran, perform(replace(given, inputs=inputs)))
        assert outcome.series("Total") == outcome.ran.result.plot("Total")


def test_a_run_that_stops_has_the_error_of_the_python_tier() -> None:
    given = request('indicator("")\nn = input.int(5, "N")\nplot(ta.sma(close, n))')
    [stopped, fine] = compiled(given).sweep(given.bars, [{"N": 0}, {"N": 3}])
    assert stopped.error is not None
    assert stopped.error.code == "RE10001"
    assert stopped.tier == "python"
    assert fine.error is None
    assert fine.tier == "compiled"


def test_a_loop_without_an_end_stops() -> None:
    from pinebench.runtime import RunBudget

    given = request(
        'indicator("")\nx = 0\nwhile x >= 0\n    x := 1\nplot(x)', budget=RunBudget(seconds=0.3, bar_seconds=0.2)
    )
    made = compiled(given)
    assert made.run_whole(given.bars, {}) is None
    assert made.run(given.bars, {}).result.error is not None


@pytest.mark.parametrize(
    ("source", "words", "line"),
    [
        ('indicator("")\nplot(close)\nfor row in matrix.new<float>()\n    row.clear()', "a loop over a matrix", 4),
        ('indicator("")\na = array.from(1, 2)\nplot(a.slice(0, 1).sum())', "array.slice()", 4),
        ('indicator("")\nplot(close)\na = polyline.new(na)', "polyline.new", 4),
    ],
)
def test_a_refusal_names_the_reason_and_the_line(source: str, words: str, line: int) -> None:
    refused = refusal(source)
    assert words in refused.reason
    assert refused.line == line


def test_an_unknown_input_is_an_error_on_both_tiers() -> None:
    given = request('indicator("")\nplot(close)')
    with pytest.raises(UsageError, match="there is no input called"):
        list(compiled(given).sweep(given.bars, [{"Nothing": 1}]))


def test_drawings_are_made_again_after_a_sweep() -> None:
    source = 'indicator("")\nif close > open\n    label.new(bar_index, high, "up")\nplot(ta.ema(close, 9), "E")'
    given = request(source)
    made = compiled(given)
    [outcome] = made.sweep(given.bars, [{}])
    assert outcome.tier == "compiled"
    compare(outcome.ran, perform(given))


def test_a_text_of_a_script_never_becomes_code() -> None:
    source = 'indicator("")\nm = input.string("\'); import os #", "M")\nplot(m == "\\"\\n def x" ? 1 : close)'
    given = request(source)
    made = compiled(given)
    assert "import os" not in made.form({}).generated.text
    both(source)


DRAWS = """indicator("Draws")
n = input.int(0, "N")
which = input.int(0, "Which")
var calls = array.new_int()
called(int x) =>
    calls.push(x)
    x
stopped(int x) =>
    if x > 3
        runtime.error("three")
    x
var table t = table.new(position.top_right, 2, 3)
var label l = label.new(bar_index, high)
var line timed = line.new(time, 1, time + 1, 2, xloc.bar_time)
var box b = na
{}
plot(calls.size())
plot(calls.size() > 0 ? calls.last() : -1)
"""
"""Drawings in a script that is stopped with other values of `N` than 0."""
STOPS = [
    ("label.new(bar_index + n, high)", 501),
    ("line.new(bar_index - n, low, bar_index, high)", -501),
    ("box.new(bar_index, high, bar_index + n, low)", 501),
    ("l.set_x(bar_index + n)", 501),
    ("label.set_xy(l, bar_index + n, high)", 501),
    ("b := box.new(bar_index, high, bar_index, low)\nb.set_right(bar_index + n)", 501),
    ("line.set_xloc(timed, bar_index, bar_index + n, xloc.bar_index)", 501),
    ("x = label.new(bar_index + n, high, xloc = n > 600 ? xloc.bar_time : xloc.bar_index)", 501),
    ("label.set_size(l, -n)", 1),
    ("label.new(chart.point.from_index(bar_index + n, high))", 501),
    ("label.set_point(l, chart.point.from_index(bar_index + n, high))", 501),
    ("a = table.new(position.top_left, 2, -n)", 1),
    ('t.cell(n, 0, "x")', 2),
    ('t.cell(0, bar_index == 5 ? n : 0, "x")', 3),
    ('table.cell_set_text(t, n, 0, "x")', -1),
    ("table.merge_cells(t, 0, n, 1, 1)", 2),
    ("table.clear(t, 0, 0, 1, n)", 3),
    ('if bar_index > 9\n    a = table.new(position.top_left, 9 - n, 9)\n    a.cell(4, 0, "x")', 5),
    ('a = table.new(position.top_left, 9 - n, 9)\nother = a\nother.cell(1, 0, "x")', 8),
    ('t := table.new(position.top_left, 9 - n, 9)\nt.cell(4, 0, "x")', 5),
    ("label.new(bar_index, array.get(array.from(1.0, 2.0), n))", 2),
    ("label.new(bar_index, high, str.tostring(array.get(array.from(1.0, 2.0), n)))", 2),
    ("label.new(bar_index, high, str.tostring(stopped(n)))", 4),
    ('label.new(bar_index, high, "a", color = color.new(color.red, stopped(n)))', 4),
    ('log.info("{0}", stopped(n))', 4),
    ('alert("a" + str.tostring(stopped(n)))', 4),
]


def chosen(drawings: list[str]) -> str:
    """A script that makes the drawing with the number of the input `Which`, from 1."""
    blocks = (f"if which == {k}\n    " + each.replace("\n", "\n    ") for k, each in enumerate(drawings, 1))
    return DRAWS.format("\n".join(blocks))


def test_a_drawing_that_stops_the_script_is_not_left_out_of_a_sweep() -> None:
    """On machine code only the values are asked for; a run that stops as Python is no result there either."""
    given = replace(request(chosen([drawing for drawing, _ in STOPS])), bars=bars(60))
    made = compiled(given)
    for k, (drawing, number) in enumerate(STOPS, 1):
        fine, stopped = made.sweep(given.bars, [{"Which": k, "N": 0}, {"Which": k, "N": number}])
        expected = perform(replace(given, inputs={"Which": k, "N": number})).result.error
        assert expected is not None, drawing
        assert perform(replace(given, inputs={"Which": k})).result.error is None, drawing
        assert (fine.tier, fine.error) == ("compiled", None), drawing
        assert stopped.tier == "python", drawing
        assert repr(stopped.error) == repr(expected), drawing


ODD_FORMS = [
    'label.new(bar_index, high, str.format("{0", close))',
    'label.new(bar_index, high, str.format("{0,number}", close > open))',
    'label.new(bar_index, high, str.format("{0,date}", close))',
    'label.new(bar_index, high, str.format_time(time, "bogus"))',
    'label.new(bar_index, high, str.format_time(time, "HH", "Mars"))',
    "label.new(bar_index, high, str.tostring(calls))",
]


@pytest.mark.parametrize("drawing", ODD_FORMS)
def test_a_text_that_may_stop_the_script_is_put_together_at_once(drawing: str) -> None:
    given = request(DRAWS.format(drawing))
    expected = perform(given)
    ran = compiled(given).run_whole(given.bars, {})
    assert (ran is None) is (expected.result.error is not None)
    compare(ran or compiled(given).run(given.bars, {}), expected)


UNUSED = [
    'str.substring("abc", bar_index)',
    'str.substring("abc" + str.tostring(close), 9, 10)',
    'str.format("{0", close)',
    'str.length(str.repeat("a", -1))',
    'str.format_time(time, "bogus")',
    'timeframe.in_seconds("abc")',
    'hour(time, "Mars")',
    "array.from(1).get(1) > 1 and true",
    'close > 0 ? hour(time, "Mars") : 1',
]


@pytest.mark.parametrize("statement", UNUSED)
def test_a_statement_whose_value_is_not_used_still_stops_the_script(statement: str) -> None:
    source = f'indicator("")\n{statement}\nplot(close)'
    assert perform(request(source)).result.error is not None
    given = request(source)
    assert compiled(given).columns(given.bars, {}) is None


EFFECTS = [
    "label.new(called(bar_index), high)",
    "var label once = label.new(called(bar_index), high)",
    "if bar_index > 3\n    var line once = line.new(called(bar_index), high, called(7), low)",
    "t.cell(0, called(1), str.tostring(called(2)))",
    'log.info("{0} {1}", called(1), called(2))',
    "label.set_text(l, str.tostring(called(bar_index)))",
    "l.set_y(called(1))\nlabel.delete(l)\nl.set_x(bar_index + called(400))",
    'label.new(bar_index, high, "a" + str.tostring(called(2), "#.#") + str.format("{0,number,#.#}", called(3)))',
    'label.new(bar_index, high, str.format_time(time, "yyyy-MM-dd", syminfo.timezone))',
    "timed.set_x2(time + called(3600000))",
]


def test_what_the_arguments_of_a_drawing_do_is_not_left_out_of_a_sweep() -> None:
    given = replace(request(chosen(EFFECTS)), bars=bars(60))
    made = compiled(given)
    for k, drawing in enumerate(EFFECTS, 1):
        python = perform(replace(given, inputs={"Which": k})).result
        assert python.error is None, drawing
        columns = made.columns(given.bars, {"Which": k})
        assert columns is not None, drawing
        expected = [list(map(repr, output.columns["series"])) for output in python.outputs]
        assert [list(map(repr, column)) for column in columns] == expected, drawing
        assert expected[0][-1] != "0.0" or "called" not in drawing, drawing


def test_a_whole_number_of_an_input_where_a_float_is_shown() -> None:
    source = """indicator("Zone")
level = input.int(70, "Level")
rsi = ta.rsi(close, 14)
red = rsi > level ? color.red : na
fill(plot(rsi), plot(level), top_value = 100, bottom_value = level, top_color = red, bottom_color = color.blue)
"""
    both(source)
    both(source, {"Level": 60})


def test_a_tuple_of_one_value() -> None:
    both(
        'indicator("")\nf(float source, simple int n) =>\n    mean = ta.rma(source, n)\n    [mean + 1]\n'
        "[one] = f(close, 5)\nplot(one)\nfloat total = 0\nfor i = 0 to 2\n    [two] = f(high, 3)\n"
        "    total += two\nplot(total)"
    )


def test_a_member_of_an_enum_is_compared_before_the_run() -> None:
    source = """indicator("Enum")
enum Kind
    fast = "Fast one"
    slow
kind = input.enum(Kind.slow, "Kind")
is_slow = kind == Kind.slow and kind != Kind.fast
plot(is_slow ? ta.sma(close, 9) : close)
"""
    assert refusal(source + "log.info(str.tostring(kind))").reason == "str.tostring() of an object is not compiled"
    both(source)
    both(source, {"Kind": "Fast one"})


TUPLES = """indicator("")
pair(x) =>
    [x, bar_index]
whole() =>
    [1, 2]
part() =>
    if close > open
        [1, 2]
    else if bar_index % 2 == 0
        whole()
    else
        switch
            bar_index % 3 == 0 => [3, bar_index]
            bar_index % 5 == 0 => pair(4)
            => [1.5, na]
[a, b] = switch
    close > open => [1, 2]
    => [1, 2.5]
[c, d] = part()
[e, f] = for i = 0 to 3
    if i > bar_index
        [i, color.red]
    else
        [i / 2.0, na]
[g, h] = if close > open
    [bar_index, "a"]
plot(a)
plot(b)
plot(c)
plot(d)
plot(e, color = f)
plot(g)
plot(str.length(h))
"""


def test_the_items_of_a_tuple_that_blocks_choose_have_the_types_of_the_tuple() -> None:
    for output in both(TUPLES).result.outputs:
        assert all(isinstance(value, float) for value in output.columns["series"]), output.title


@pytest.mark.parametrize(
    "source",
    [
        "plot(whole - bar_index)",
        "x = 9007199254740992 + 1\nplot(x - 9007199254740992)",
        "x = (bar_index + 94906267) * 94906269\nplot(x % 10)",
        "n = input.int(94906269)\nplot((bar_index + 94906267) * 3 * 3000017 * 3000017)",
    ],
)
def test_a_whole_number_that_is_too_large_to_be_exact_is_left_to_python(source: str) -> None:
    given = request(f'indicator("")\nwhole = input.int(1, "Whole")\n{source}', inputs={"Whole": 9007199254740993})
    made = compiled(given)
    assert made.run_whole(given.bars, given.inputs) is None
    compare(made.run(given.bars, given.inputs), perform(given))


def test_a_whole_number_in_a_script_that_is_too_large_to_be_exact_is_refused() -> None:
    source = 'indicator("")\nx = bar_index % 2 == 0 ? 9007199254740993 : 3\nplot(x - 9007199254740992)'
    assert refusal(source).reason == "a whole number that is too large to be exact is not compiled"


def test_a_whole_number_has_no_zero_with_a_sign() -> None:
    ran = both('indicator("")\nx = array.new<int>(3, 4).stdev()\nlog.info(str.tostring(-x))')
    assert ran.result.logs[0].message == "0"


@pytest.mark.parametrize("seed", [2, 3, 4, 11, 16])
def test_random_scripts_with_the_whole_language_have_the_bits_of_the_python_tier(seed: int) -> None:
    both(language_script(seed))
