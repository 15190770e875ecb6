"""Inputs take values by title, else by variable; what is ambiguous or does not fit is refused."""

from typing import Any

import pytest

from pinebench import reference
from pinebench.errors import UsageError
from pinebench.linter.rules.settings import INPUTS
from pinebench.runtime.inputs import KINDS
from tests.runtime.running import run, runtime_of, values
from tests.tables import each

SCRIPT = """
enum Side
    up = "Long"
    down
n = input.int(14, "Length", minval = 2, maxval = 50)
f = input.float(0.5, "Factor")
b = input.bool(true, "Flag")
s = input.string("a", "Mode", options = ["a", "b"])
c = input.color(color.red, "Colour")
q = input.source(close, "Source")
e = input.enum(Side.up, "Side")
t = input.time(timestamp("2024-01-01"), "From")
plain = input(3, "Plain")
plot(n)
plot(f)
plot(b ? 1 : 0)
plot(s == "b" ? 1 : 0)
plot(c == #00FF00 ? 1 : 0)
plot(q)
plot(e == Side.down ? 1 : 0)
plot(plain)
"""


def shown(**given: Any) -> list[Any]:
    source = SCRIPT.replace('t = input.time(timestamp("2024-01-01"), "From")\n', "")
    return [output.values[-1] for output in run(source, [1.0, 2.0], inputs=given).plots]


def test_defaults() -> None:
    assert shown() == [14, 0.5, 1, 0, 0, 2, 0, 3]


def test_values_by_title_and_by_variable_also_as_text() -> None:
    given = {"Length": "20", "f": 2, "Flag": "false", "Mode": "b", "c": "#00FF00", "Source": "open", "Side": "down"}
    assert shown(**given, plain=7) == [20, 2, 0, 1, 1, 1, 1, 7]
    assert shown(Side="Long")[6] == 0


@each(
    ("given", "message"),
    [
        ({"Nothing": 1}, 'there is no input called "Nothing"'),
        ({"Length": 1}, 'the input "Length" takes at least 2, not 1'),
        ({"Length": 51}, 'the input "Length" takes at most 50, not 51'),
        ({"Length": 2.5}, 'the input "Length" takes a whole number, not 2.5'),
        ({"Mode": "z"}, "the input \"Mode\" takes one of a, b, not 'z'"),
        (
            {"Source": "time"},
            "the input \"Source\" takes one of open, high, low, close, hl2, hlc3, hlcc4, ohlc4, volume, not 'time'",
        ),
        ({"Factor": "nan"}, "the input \"Factor\" takes a number, not 'nan'"),
    ],
)
def test_what_does_not_fit_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        shown(**given)
    assert caught.value.message == message


def test_two_different_values_of_one_input_are_refused() -> None:
    for twice in ({"Flag": "false", "flag": "true"}, {"flag": True, "in_0": False}):
        with pytest.raises(UsageError, match='the input "Flag" is given twice, with different values'):
            runtime_of('flag = input.bool(true, "Flag")\nplot(flag ? 1 : 0)', [1.0], inputs=twice)
    assert values('flag = input.bool(true, "Flag")\nplot(flag ? 1 : 0)', [1.0], inputs={"Flag": "false", "flag": 0})


def test_a_title_that_two_inputs_have_is_refused() -> None:
    source = 'a = input.int(1, "Length")\nb = input.int(2, "Length")\nplot(a + b * 10)'
    with pytest.raises(UsageError, match='several inputs are called "Length"'):
        runtime_of(source, [1.0], inputs={"Length": 3})
    assert values(source, [1.0], inputs={"b": 3}) == [31]


def test_every_function_of_inputs_has_its_kind() -> None:
    names = {name for name in reference.functions() if name.startswith("input")}
    assert names == {"input", *(f"input.{kind}" for kind in KINDS)} == set(INPUTS)


def test_an_enum_is_known_by_its_default_wherever_that_stands_and_takes_only_what_is_offered() -> None:
    source = """
enum Side
    up = "Long"
    down
    flat
e = input.enum(title = "Side", defval = Side.up, options = [Side.up, Side.down])
plot(e == Side.down ? 1 : 0)
"""
    assert values(source, [1.0], inputs={"Side": "down"}) == [1]
    with pytest.raises(UsageError, match="takes a member of its enum, not 'flat'"):
        runtime_of(source, [1.0], inputs={"Side": "flat"})
