"""Which values the history-referencing operator reads: in functions, in local blocks, of built-in variables.

The numbers of the recorded probes (README function_global_history) are bar index differences with calls 8 bars apart.
The user manual's "Time series in scopes" says the same of all local variables: a read gives the last committed value
as of the bar at the offset.
"""

from typing import Any

import pytest

from tests.runtime.running import runtime_of, values
from tests.tables import each

BARS = [float(number) for number in range(20)]


def at(source: str, bar: int) -> Any:
    """The first plot's value on one of twenty bars."""
    return values(source, BARS)[bar]


GLOBALS = """
var float gv = 0.0
gv := bar_index
gn = bar_index
"""


@pytest.mark.parametrize("read", ["gv[1]", "gn[1]", "bar_index[1]"])
def test_a_function_reads_what_its_last_call_saw(read: str) -> None:
    source = (
        f"{GLOBALS}f() => {read}\nfloat d = na\nif bar_index == 8 or bar_index == 16\n    d := f() - bar_index\nplot(d)"
    )
    assert at(source, 8) is None
    assert at(source, 16) == -8


@each("name", ["open", "high", "low", "close", "volume", "time", "hl2"])
def test_a_function_reads_the_chart_s_prices(name: str) -> None:
    source = f"f() => {name}[1]\np = {name}[1]\nfloat d = na\nif bar_index % 8 == 0\n    d := f() - p\nplot(d)"
    assert at(source, 16) == 0


def test_one_slot_for_each_bar_of_the_chart_holds_the_last_call() -> None:
    # Calls on bars 8, 9 and 16: two bars before 16 the last call was that of bar 9.
    source = f"""{GLOBALS}
f() => gv[2]
float d = na
if bar_index == 8 or bar_index == 9 or bar_index == 16
    d := f() - bar_index
plot(d)
"""
    assert [at(source, bar) for bar in (8, 9, 16)] == [None, None, -7]


@pytest.mark.parametrize(("offset", "seen"), [(1, 9), (6, 9), (7, 9), (8, 8), (9, None)])
def test_other_offsets_read_the_call_at_or_before_that_bar(offset: int, seen: int | None) -> None:
    source = f"""{GLOBALS}
f(k) => gv[k]
g() => gv[{offset}]
float d = na
float e = na
if bar_index == 8 or bar_index == 9 or bar_index == 16
    d := f({offset})
    e := g()
plot(d)
plot(e)
"""
    result = runtime_of(source, BARS).run()
    for plot in result.plots:
        value = plot.values[16]
        assert (None if value != value else value) == seen


def test_each_call_site_has_a_history_of_its_own() -> None:
    source = f"""{GLOBALS}
f() => gv[1]
float a = na
float b = na
if bar_index == 8 or bar_index == 16
    a := f() - bar_index
if bar_index == 12 or bar_index == 16
    b := f() - bar_index
plot(a)
plot(b)
"""
    first, second = runtime_of(source, BARS).run().plots
    assert (first.values[16], second.values[16]) == (-8, -4)


def test_a_nested_call_has_a_history_of_its_own() -> None:
    source = f"""{GLOBALS}
inner() => gv[1]
outer() => inner()
always = inner()
float d = na
if bar_index == 8 or bar_index == 16
    d := outer() - bar_index
plot(d)
plot(always)
"""
    nested, plain = runtime_of(source, BARS).run().plots
    assert (nested.values[16], plain.values[16]) == (-8, 15)


def test_an_inner_call_that_is_skipped_keeps_its_older_value() -> None:
    # The outer function runs on every bar, the inner call on every fourth: 12 saw 8.
    source = f"""{GLOBALS}
inner() => gv[1]
outer(bool on) => on ? inner() : -1.0
plot(outer(bar_index % 4 == 0))
"""
    assert values(source, BARS)[4:13] == [0, -1, -1, -1, 4, -1, -1, -1, 8]


def test_the_last_call_of_a_loop_is_kept() -> None:
    source = """
var float g = 0.0
f() => g[1]
float d = na
if bar_index == 8 or bar_index == 16
    for i = 0 to 2
        g := bar_index * 10 + i
        l = f()
        if i == 1
            d := l - bar_index * 10
plot(d)
"""
    assert at(source, 16) == -78


@pytest.mark.parametrize(("condition", "expected"), [("bar_index == 8 or bar_index == 16", -8), ("true", -1)])
def test_a_history_holds_what_the_call_saw_and_not_what_came_after(condition: str, expected: int) -> None:
    source = f"""
var float g = 0.0
g := bar_index
f() => g[1]
float d = na
if {condition}
    d := f() - bar_index
g := bar_index + 1000
plot(d)
"""
    assert at(source, 16) == expected


def test_a_global_that_changes_after_a_call_on_every_bar_without_a_block() -> None:
    source = "var float g = 0.0\ng := bar_index\nf() => g[1]\nd = f() - bar_index\ng := bar_index + 1000\nplot(d)"
    assert at(source, 16) == -1


@pytest.mark.parametrize(
    "body",
    ["f(bool on) => on ? gv[1] : -1.0", "f(bool on) =>\n    float r = -1.0\n    if on\n        r := gv[1]\n    r"],
)
def test_a_call_that_skips_the_read_is_recorded(body: str) -> None:
    # Calls on 8 (which skips the read), 12 and 16.
    source = f"""{GLOBALS}
{body}
float d = na
if bar_index == 8 or bar_index == 12 or bar_index == 16
    d := f(bar_index != 8) - bar_index
plot(d)
"""
    assert (at(source, 12), at(source, 16)) == (-4, -4)


def test_a_parameter_keeps_the_last_call_too() -> None:
    source = """
f(x, k) => x[k]
float d = na
if bar_index == 8 or bar_index == 9 or bar_index == 16
    d := f(bar_index, 2)
plot(d)
"""
    assert at(source, 16) == 9


@pytest.mark.parametrize(("offset", "seen"), [(1, 9), (7, 9), (8, 8), (9, None)])
def test_a_local_of_a_block_reads_its_last_value_as_of_the_bar(offset: int, seen: int | None) -> None:
    source = f"""
float d = na
float e = na
if bar_index == 8 or bar_index == 9 or bar_index == 16
    x = bar_index + 0.0
    d := x[{offset}]
    e := (bar_index + x)[{offset}] / 2
plot(d)
plot(e)
"""
    for plot in runtime_of(source, BARS).run().plots:
        value = plot.values[16]
        assert (None if value != value else value) == seen


def test_a_global_of_the_script_keeps_the_chart_s_history_in_a_block() -> None:
    source = f"{GLOBALS}float d = na\nif bar_index % 8 == 0\n    d := gv[3] - bar_index\nplot(d)"
    assert at(source, 16) == -3


@each(
    ("read", "expected"),
    [
        ("bar_index[1]", 15),
        ("bar_index[bar_index / 4]", 12),
        ("last_bar_index[1]", 19),
        ("(barstate.isfirst[16] ? 1 : 0)", 1),
        ("str.length(timeframe.period[16])", 2),
        ("timeframe.multiplier[17]", None),
    ],
)
def test_built_in_variables_keep_the_chart_s_history_in_a_block(read: str, expected: float | None) -> None:
    for head in ("if bar_index % 8 == 0\n    d := {}", "for i = 0 to bar_index % 8 == 0 ? 0 : na\n    d := {}"):
        source = f"float d = na\n{head.format(read)}\nplot(d)"
        assert at(source, 16) == expected


def test_a_history_of_another_function_s_block() -> None:
    # The call runs on bars 8 and 16; the block inside it reads what the call saw, whichever block it is.
    source = """
f() =>
    float r = na
    if bar_index > 3
        for i = 0 to 1
            r := bar_index[1]
    r
float d = na
if bar_index % 8 == 0
    d := f()
plot(d)
"""
    assert at(source, 16) == 8
