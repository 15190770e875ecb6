"""Inputs of scripts as the page's dialog asks for them, and as a run takes them."""

import pytest

from pinebench.checker import open_program
from pinebench.errors import UsageError
from pinebench.runtime.inputs import settings_of
from pinebench.studio.inputs import definitions

SOURCE = """//@version=6
indicator("x")
enum Side
    up = "Upwards"
    down
int length = input.int(14, "Length", minval = 2, maxval = 50, step = 2, tooltip = "Bars", group = "G", inline = "i")
float src = input.source(hl2, "Source")
Side side = input.enum(Side.up, "Side")
color ink = input.color(color.red, "Ink")
color pale = input.color(color.new(#102030, 50), "Pale")
string mode = input.string("a", "Mode", options = ["a", "b"])
bool show = input.bool(true, "Show")
string frame = input.timeframe("D", "Frame")
int since = input.time(timestamp("2024-01-01"), "Since")
plot(length)
"""


def test_each_input_has_its_type_its_default_and_what_it_may_be() -> None:
    found = {one["name"]: one for one in definitions(open_program(SOURCE, ()))}
    assert [one["id"] for one in found.values()] == [f"in_{number}" for number in range(9)]
    assert found["Length"] == {
        "id": "in_0",
        "name": "Length",
        "type": "integer",
        "field": "number",
        "form": "whole",
        "takes": "a whole number",
        "defval": 14,
        "display": 31,
        "min": 2,
        "max": 50,
        "step": 2,
        "group": "G",
        "inline": "i",
        "tooltip": "Bars",
    }
    assert (found["Source"]["type"], found["Source"]["defval"]) == ("source", "hl2")
    assert "ohlc4" in found["Source"]["options"]
    assert (found["Side"]["defval"], found["Side"]["options"]) == ("Upwards", ["Upwards", "down"])
    assert (found["Ink"]["defval"], found["Pale"]["defval"]) == ("#F23645FF", "#10203080")
    assert (found["Mode"]["options"], found["Show"]["defval"]) == (["a", "b"], True)
    assert (found["Frame"]["type"], found["Frame"]["defval"]) == ("resolution", "D")
    assert found["Since"]["defval"] == 1_704_067_200_000


def test_an_input_may_be_called_by_its_variable() -> None:
    assert definitions(open_program(SOURCE, ()), by_variable=True)[0]["id"] == "length"


def test_a_run_takes_inputs_by_their_number_also_where_two_have_the_same_title() -> None:
    text = '//@version=6\nindicator("x")\na = input.int(1, "N")\nb = input.int(2, "N")\nplot(a + b)\n'
    program = open_program(text, ())
    assert list(settings_of(program, {"in_0": 5, "in_1": 7}).values()) == [5, 7]
    with pytest.raises(UsageError, match='there is no input called "in_2"'):
        settings_of(program, {"in_2": 1})


def test_the_places_of_an_input_are_its_display_else_those_of_its_kind() -> None:
    calls = {
        "input(1)": 31,
        "input(close)": 31,
        'input("a")': 31,
        "input(true)": 0,
        "input(color.red)": 0,
        "input.bool(true)": 0,
        "input.color(color.red)": 0,
        "input.time(0)": 0,
        'input.text_area("")': 0,
        "input.int(1)": 31,
        "input.float(1)": 31,
        'input.string("a")': 31,
        'input.symbol("")': 31,
        'input.session("0930-1600")': 31,
        'input.timeframe("60")': 31,
        "input.source(close)": 31,
        "input.price(1)": 31,
        "input.int(1, display = display.none)": 0,
        "input.int(1, display = display.status_line)": 8,
        "input.bool(true, display = display.data_window)": 1,
        "input.int(1, display = display.all - display.status_line)": 23,
        "input.bool(true, display = (display.data_window + display.status_line))": 9,
    }
    lines = [f"v{number} = {call}" for number, call in enumerate(calls)]
    script = "\n".join(["//@version=6", 'indicator("x")', *lines, "plot(close)"])
    found = [one["display"] for one in definitions(open_program(script, ()))]
    assert found == list(calls.values())


def test_a_date_that_tradingview_reads_as_na_is_no_default() -> None:
    """JSON has no NaN."""
    call = 'input.time(timestamp("01 Jan 2022 GMT+3"), "Since")'
    (told,) = definitions(open_program(f'//@version=6\nindicator("x")\nsince = {call}\nplot(since)', ()))
    assert told["defval"] is None
