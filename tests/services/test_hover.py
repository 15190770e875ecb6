"""What is shown of the place under the mouse, and of the call that is being written."""

import re

import pytest

from pinebench.services.hover import Help, hover, signature_help
from tests.services.support import opened
from tests.tables import each


def shown(marked: str) -> str:
    """What hovering at the bar shows; empty where nothing."""
    found = hover(*opened(marked))
    return found.text if found is not None else ""


@each(
    ("marked", "parts"),
    [
        ("x = le|ngth", ["input int length"]),
        ("fixed = 3 * 4\nx = fi|xed", ["const int fixed = 12"]),
        ("price = 64000.25\nx = pr|ice", ["const float price = 64000.25"]),
        ("tick = 0.00012345678\nx = ti|ck", ["const float tick = 0.00012345678"]),
        ("sum = 0.1 + 0.2\nx = s|um", ["const float sum = 0.3"]),
        ("huge = 1e308 * 10\nx = hu|ge", ["const float huge = inf"]),
        (
            "x = ta.s|ma(close, 3)",
            [
                "ta.sma(source",
                "simple moving average",
                "Example:",
                "plot(ta.sma(close, 20))",
                "// ta.sma(",
                "Watch out: ",
            ],
        ),
        ("flo|at x = 1", ["type float", "A number with a fraction"]),
        ("var int| x = 1", ["type int"]),
        ("lab|el x = na", ["type label"]),
        ("f(str|ing s) => s", ["type string"]),
        ("x = array.new<flo|at>()", ["type float"]),
        ("x = flo|at(na)", ["float(x: "]),
        ("x = col|or.red", ["color"]),
        ("x = clo|se", ["series float close", "Closing price"]),
        ("x = level.pr|ice", ["float price", "series float"]),
        ("x = level.dist|ance(close)", ["method distance(", "How far a price is from a level."]),
        ("x = Lev|el.new()", ["type Level", "A level with its touches."]),
        ("x = Side.sh|ort", ["Side.short"]),
        ("x = twice(1, ti|mes = 2)", ["times"]),
        ("plot(close, ti|tle = 'a')", ["const string title", "`plot`", "a name for the settings"]),
        ("plot(close, style = plot.style_li|ne)", ["plot.style_line"]),
        ("i|f close > open\n    x = 1", ["if CONDITION"]),
        ("on|ce\n    x = 1", ["once [CONDITION]"]),
        ("b = box.new(0, 1, 2, 0)\nb.set_right(ri|ght = 3)", ["series int right", "the right edge: a bar index"]),
        ("p = chart.point.now()\nx = p.pri|ce", ["price", "chart.point"]),
        ("x = (close |+ 1) * 2", ["series float"]),
        ("x = 2 *| 3.5", ["= 7"]),
        ("f(v) =>\n    v|\nx = f(close)", ["series float v"]),
        ("a = 1 // the first\nb = a|", ["the first"]),
        ("x = (1 +\n  len|gth", ["input int length"]),
    ],
)
def test_hover_shows_type_value_and_words(marked: str, parts: list[str]) -> None:
    text = shown(marked)
    assert all(part in text for part in parts), text


@pytest.mark.parametrize("marked", ["// leng|th", "x = 'leng|th'", "\n|\n", "x = unknown|()"])
def test_nothing_is_shown_where_nothing_is_known(marked: str) -> None:
    assert shown(marked) == ""


def helped(marked: str) -> Help:
    """The signature help at the bar."""
    found = signature_help(*opened(marked))
    assert found is not None
    return found


@each(
    ("marked", "name", "parameter"),
    [
        ("x = twice(|", "twice", "x"),
        ("x = twice(1, |", "twice", "times"),
        ("x = twice(times = |", "twice", "times"),
        ("x = level.distance(|)", "distance", "price"),
        ("l = Level.new(1.0, |", "Level.new", "touches"),
        ("plot(close, color = color.new(color.red, |", "color.new", "transp"),
        ("plot(ta.sma(close, 3), |)", "plot", "title"),
        ("x = array.from(1, 2, 3, |", "array.from", "arg0, arg1, ..."),
        ("level.touches.set(0, |", "array.set", "value"),
    ],
)
def test_signature_help_knows_the_call_and_the_parameter(marked: str, name: str, parameter: str) -> None:
    found = helped(marked)
    active = found.signatures[found.active]
    assert active.name == name
    assert active.shown[found.parameter].name == parameter


def test_signature_help_follows_the_overload_that_fits() -> None:
    by_point = helped("p = chart.point.now()\nl = line.new(p, |")
    by_number = helped("l = line.new(bar_index, |")
    assert len(by_point.signatures) == len(by_number.signatures) == 2
    assert by_point.signatures[by_point.active].shown[0].name == "first_point"
    assert by_number.signatures[by_number.active].shown[0].name == "x1"


def test_there_is_no_help_outside_of_calls() -> None:
    assert signature_help(*opened("x = 3 + |")) is None
    assert signature_help(*opened("x = unknown_thing(|")) is None


def test_a_comment_is_shown_as_it_stands_and_is_no_markup() -> None:
    """Who opens somebody else's script must not be shown pictures from elsewhere, nor links that run commands."""
    comment = "// ![x](http://a.b/c.png) <img src=x> `` ``` [go](command:x) *a* my_name a * b\n// =====\n// - one"
    text = shown(f"{comment}\nf() =>\n    1\nx = f|()")
    words = text.rpartition("```\n\n")[2]
    assert not re.search(r"(?<!\\)[`<>\[\]]", words)
    assert words.splitlines()[1:] == ["\\=====  ", "\\- one"]
    assert "my_name a * b" in words


def test_long_comments_are_cut() -> None:
    text = shown("// a\n" * 5000 + "f() =>\n    1\nx = f|()")
    assert text.count("\n") < 60 and text.endswith("…")


def test_no_value_ends_the_code_that_it_stands_in() -> None:
    text = shown("s = '````'\nx = s| + ''")
    fence = text[: len(text) - len(text.lstrip("`"))]
    assert len(fence) == 5 and text.count(fence) == 2


NOTED = """
//@function Mixes two values.
// The second counts twice.
//@param first The one that counts once.
//@param second The other one.
mixed(first, second) => (first + 2 * second) / 3
//@type A place.
//@field price Its height.
type Spot
    float price
"""


@pytest.mark.parametrize(
    ("call", "text", "notes"),
    [
        (
            "x = mixed(|",
            "Mixes two values.  \nThe second counts twice.",
            ["The one that counts once.", "The other one."],
        ),
        ("x = Spot.new(|", "A place.", ["Its height."]),
        ("x = twice(|", "", ["", ""]),
    ],
)
def test_a_signature_has_the_words_that_its_author_wrote(call: str, text: str, notes: list[str]) -> None:
    found = signature_help(*opened(NOTED + call))
    assert found is not None
    assert (found.text, found.notes) == (text, [notes])


def test_the_signature_of_a_built_in_has_its_sentence() -> None:
    found = signature_help(*opened("x = ta.sma(close, |"))
    assert found is not None and "moving average" in found.text and found.notes[0][1]
