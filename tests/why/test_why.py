"""Why a value is what it is: the parts of an expression on one bar, taken from the run itself."""

import os
from functools import partial
from pathlib import Path
from random import Random

import pytest

from pinebench.checker import FLOAT, INT, open_program
from pinebench.errors import DoesNotCompile, UnavailableError, UsageError
from pinebench.market import SymbolInfo
from pinebench.runtime import Look, report
from pinebench.why.why import Why, own_lines, why
from pinebench.workers.dispatch import execute
from pinebench.workers.jobs import perform
from pinebench.workers.request import Request
from tests.runtime.running import HEAD, bars_of
from tests.tables import each
from tests.why.support import parts

BARS = bars_of([10.0, 11.0, 12.0, 11.0, 10.0, 9.0, 12.0, 13.0], minutes=60)
SYMBOL = SymbolInfo(timeframe="60")


def ask(body: str, expression: str, bar: int, head: str = HEAD) -> Why:
    return execute(Request(head + body, BARS, SYMBOL), partial(why, expression=expression, bar=bar))


RULES = """length = input.int(3, "Length")
mean = ta.sma(close, length)
var count = 0
if close > mean
    count += 1
else
    count := 0
signal = close > mean and count > 1
plot(mean)
"""


@pytest.mark.parametrize(
    ("source", "count"), [("a = 1", 1), ("a = 1\n", 1), ("a = 1\r\nb = 2\r\n", 2), ("// a\fb\u2028c\nd = 1\n", 2)]
)
def test_the_expression_of_a_question_is_on_the_line_after_the_script(source: str, count: int) -> None:
    """A form feed in a comment begins no line."""
    assert own_lines(source) == count


def test_a_colour_is_written_as_in_a_script() -> None:
    told = ask(
        "tone = close > 11 ? color.red : color.blue\nall = array.from(tone)\nplot(close, color = tone)\n", "all", 2
    )
    assert told.value == "array of 1: [#F23645]"
    tone = "tone = close > 11 ? color.red : color.blue"
    assert parts(told)[tone] == parts(told)["tone"] == "#F23645"


def test_the_parts_have_their_values_on_the_bar() -> None:
    told = ask(RULES, "signal", 3)
    assert told.value is False and told.bar == 3 and told.time == BARS.time[3]
    assert told.reasons == ["close > mean is false: close is 11, mean is 11.33333333"]
    assert parts(told) == {
        "signal = close > mean and count > 1": False,
        "close > mean and count > 1": False,
        "close > mean": False,
        "count > 1": ...,
        "close": 11,
        "mean": pytest.approx(34 / 3),
        "mean = ta.sma(close, length)": pytest.approx(34 / 3),
        "ta.sma(close, length)": pytest.approx(34 / 3),
        "length": 3,
        'length = input.int(3, "Length")': 3,
        'input.int(3, "Length")': 3,
        "count": ...,
        "var count = 0": ...,
        "count += 1": ...,
        "count := 0": 0,
    }


def test_the_assignment_that_ran_is_the_one_with_a_value() -> None:
    assert parts(ask(RULES, "count", 7)) == {"var count = 0": ..., "count += 1": 2, "count := 0": ...}
    assert parts(ask(RULES, "count", 0))["var count = 0"] == 0


@each(
    ("expression", "bar", "reasons"),
    [
        ("ta.sma(close, 3)", 1, ["ta.sma(close, 3) is na until bar 2: it needs earlier bars"]),
        (
            "mean > 1",
            0,
            ["mean > 1 is false because mean is na", "ta.sma(close, length) is na until bar 2: it needs earlier bars"],
        ),
        ("close[5]", 2, ["close[5] is na: its first value is on bar 5"]),
        ("close / (open - open)", 2, ["close / (open - open) is na: open - open is 0"]),
        ("1 + nothing", 2, ["1 + nothing is na because nothing is na"]),
        ("close > 0", 2, []),
    ],
)
def test_why_a_value_is_na_or_false(expression: str, bar: int, reasons: list[str]) -> None:
    assert ask(RULES + "float nothing = na\n", expression, bar).reasons == reasons


def test_a_part_is_evaluated_as_often_as_in_the_run() -> None:
    body = "total = 0.0\nfor k = 0 to 3\n    total += close\nplot(total)\n"
    told = ask(body, "total", 2)
    assert [(part.text, part.evaluated, part.value) for part in told.parts] == [
        ("total = 0.0", 1, 0),
        ("total += close", 4, 48),
    ]


@each(
    ("expression", "words"),
    [
        ("clos", "not an expression of the script's global scope: Undeclared identifier"),
        ("", "an expression on one line"),
        ("close\nopen", "an expression on one line"),
        ("array.pop(numbers)", "has side effects"),
        ("ask(close)", "has side effects"),
        ("if true", "global scope"),
        ("x => x", "global scope"),
    ],
)
def test_what_cannot_be_asked_is_told(expression: str, words: str) -> None:
    body = "var numbers = array.from(1, 2, 3)\nask(x) =>\n    array.push(numbers, 1)\n    x\nplot(close)\n"
    with pytest.raises(UsageError, match=words):
        ask(body, expression, 0)


def test_a_faulty_script_and_one_that_stops() -> None:
    with pytest.raises(DoesNotCompile, match="the script does not compile: Undeclared"):
        ask("plot(clos)\n", "close", 0)
    told = ask('x = close\nif bar_index == 4\n    runtime.error("enough")\nplot(x)\n', "x", 6)
    assert told.error == "Error on bar 4: enough" and told.value is None and told.reasons == []


def test_an_expression_that_stops_the_run_is_not_an_error_of_the_script() -> None:
    body = "var xs = array.new<float>()\nxs.push(close)\nlast(k) =>\n    xs.get(k)\nplot(xs.size())\n"
    for asked in ("xs.get(2)", "last(2)"):
        with pytest.raises(UsageError) as raised:
            ask(body, asked, 4)
        assert raised.value.message == (
            f"'{asked}' stops with an error: Error on bar 0: In 'array.get()' function. "
            "Index 2 is out of bounds, array size is 1."
        )
        assert raised.value.hint is not None and f"bar_index == 4 ? {asked} : na" in raised.value.hint
        assert ask(body, f"bar_index == 4 ? {asked} : na", 4).value == 12
    with pytest.raises(UsageError) as raised:
        ask(body, "xs.get(2) > 3", 4)
    assert raised.value.hint is not None and "bar_index == 4 and xs.get(2) > 3 " in raised.value.hint


def test_the_names_that_a_script_has_are_left_alone() -> None:
    told = ask("pinebench_asked = 1\nplot(close)", "pinebench_asked + 1", 0)
    assert told.value == 2


LATER = """var bool armed = true
first = armed and close > 0
armed := close > open
plot(first ? 1 : 0)
"""


def test_an_assignment_after_the_read_is_not_told_as_its_cause() -> None:
    told = ask(LATER, "first", 3)
    assert told.value is True and parts(told)["armed"] is True
    assert parts(told)["armed := close > open"] is ..., "it is false, but ran after the read"
    assert [(each.text, each.is_other) for part in told.parts for each in part.parts[0].parts[0].parts] == [
        ("var bool armed = true", False),
        ("armed := close > open", True),
    ]
    told = ask(LATER, "first", 4)
    assert told.reasons == ["armed is false"], "it was set on bar 3, where other prices counted"
    assert parts(told)["close > open"] is ...
    told = ask(LATER, "armed", 4)
    assert told.reasons == ["close > open is false: close is 10, open is 11"]


def test_an_assignment_before_the_last_declaration_is_not_told() -> None:
    body = "var k = 0\nfor i = 0 to 1\n    n = 0.0\n    if i == 0\n        n := 5\n    k := n > 3 ? 1 : 2\nplot(k)\n"
    told = parts(ask(body, "k", 2))
    assert (told["n > 3"], told["n"], told["n = 0.0"], told["n := 5"]) == (False, 0, 0, ...)


def test_of_assignments_the_last_one_that_ran_gives_the_reason() -> None:
    body = "x = true\nfor i = 0 to 1\n    if i == 1\n        x := close > 100\n    else\n        x := close > 5\n"
    assert ask(f"{body}plot(x ? 1 : 0)\n", "x", 2).reasons == ["close > 100 is false: close is 12"]


def test_orders_of_a_strategy_are_filled() -> None:
    body = 'if bar_index == 1\n    strategy.entry("L", strategy.long, 2)\nplot(close)\n'
    assert ask(body, "strategy.position_size", 3, '//@version=6\nstrategy("x")\n').value == 2


def test_a_watched_run_is_the_same_as_one_that_is_not() -> None:
    for name in ("trend_structure", "breakout_strategy"):
        source = (SAMPLES / f"{name}.pine").read_text(encoding="utf-8")
        assert compare(source, Random(name))


@pytest.mark.soak
def test_values_are_those_of_a_plot_on_real_scripts() -> None:
    folder = Path(os.environ.get("PINEBENCH_CORPUS") or SAMPLES)
    files = sorted(folder.rglob("*.pine"))
    compared = sum(compare(file.read_text(encoding="utf-8", errors="replace"), Random(file.name)) for file in files)
    assert compared > len(files) / 2


SAMPLES = Path(__file__).parents[2] / "pine" / "samples"
LONG = bars_of([100 + 10 * ((k * 7) % 13) / 13 + k / 50 for k in range(300)], minutes=60)


def compare(source: str, random: Random) -> int:
    """Ask for some global numbers of a script, each in a place that the script has reached, and compare each with a
    plot of it. Returns how many were compared; none of a script that does not run here."""
    program = open_program(source)
    known = {name: symbol.type for name, symbol in program.globals.items() if symbol.type is not None}
    names = [name for name, type_ in known.items() if type_.base in (FLOAT, INT)]
    count = 0
    for name in random.sample(names, min(3, len(names))):
        bar = random.randrange(len(LONG))
        try:
            ran = perform(Request(f'{source.rstrip()}\nplot({name}, "why")\n', LONG, SYMBOL)).result
        except (UsageError, UnavailableError):  # not computed here, or a plot too many
            continue
        if ran.error is not None:
            continue
        told = why(Request(source, LONG, SYMBOL), name, bar)
        expected = report.report(ran)["plots"][-1]["values"][bar]
        # A plot shows numbers of 1e100 and more as na; they are none.
        value = None if isinstance(told.value, float) and abs(told.value) >= 1e100 else told.value
        assert told.error is None and value == expected, (name, bar, told.value, expected)
        count += 1
    return count


def test_orders_are_filled_on_the_markets_bars_of_a_heikin_ashi_chart_as_in_the_run() -> None:
    script = """//@version=6
strategy("Fills", fill_orders_on_standard_ohlc = true)
if bar_index == 1
    strategy.entry("L", strategy.long)
plot(strategy.position_avg_price)
"""
    market = bars_of([20.0, 21.0, 22.0, 21.0, 20.0, 19.0, 22.0, 23.0], minutes=60)
    request = Request(script, BARS, SYMBOL, look=Look(standard=market))
    told = execute(request, partial(why, expression="strategy.position_avg_price", bar=4))
    assert told.value == execute(request, perform).result.plots[0].values[4] == market.open[2]
