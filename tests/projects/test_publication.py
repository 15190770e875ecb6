"""The description of a library, and what a new version of it breaks."""

from pathlib import Path

import pytest

from pinebench.checker import open_program
from pinebench.cli import main as pinebench
from pinebench.projects.exports import Library, library_of
from pinebench.projects.publication import changes, description, page

TEXT = """//@version=6

// © me
// @description Points on a chart,
//   and what one can do with them.
library("Points")

// A comment of the code.
// @variable The scale.
export const float SCALE = 2.5

// @type A place.
// @field price The price | level.
// @field bar The bar.
export type Point
    float price
    int   bar = 0
// @enum A side.
// @field up Above.
export enum Side
    up = "Up"
    down
// @function Moves a point.
// @param this The point.
// @param step The distance,
//   in units of the price.
// @returns The moved point.
export method move(Point this, simple float step = 1.0) => Point.new(this.price + step, this.bar)
// @function The larger one.
export larger(float a, float b) => math.max(a, b)
hidden(float x) => x
"""
TOLD = """Library "Points"
Points on a chart, and what one can do with them.

Point
  A place.
  Fields:
     price (float) : The price | level.
     bar (int) : The bar.

method move(this, step)
  Moves a point.
  Namespace types: Point
  Parameters:
     this (Point) : The point.
     step (simple float) : The distance, in units of the price.
  Returns: The moved point.

larger(a, b)
  The larger one.
  Parameters:
     a (float)
     b (float)
"""


def read(text: str) -> Library:
    """The library of a text."""
    found = library_of(open_program(text))
    assert found is not None
    return found


def test_the_description_has_the_form_that_tradingview_gives_it() -> None:
    assert description(read(TEXT)) == TOLD


def test_the_page_shows_every_export_and_escapes_texts() -> None:
    text = page(read(TEXT), "me/Points/1")
    for part in ("# Points\n", "import me/Points/1", "const float SCALE = 2.5", '| up |  | "Up" | Above. |'):
        assert part in text
    assert "| price | float |  | The price \\| level. |" in text
    assert "method move(Point this, simple float step = 1.0)" in text
    assert "hidden" not in text


CHANGES = {
    "nothing": (lambda text: text.replace("A comment", "Another comment"), []),
    "an export was removed": (lambda text: text.replace("export larger", "larger"), [(True, "larger was removed")]),
    "an export is new": (lambda text: text.replace("hidden(", "export hidden("), [(False, "hidden(float x) is new")]),
    "a constant is another": (
        lambda text: text.replace("= 2.5", "= 3.5"),
        [(True, "SCALE: the value was 2.5 and is now 3.5")],
    ),
    "a field is new at the end": (
        lambda text: text.replace("bar = 0\n", "bar = 0\n    int more = 1\n"),
        [(False, "Point: the field more is new")],
    ),
    "a field is new before others": (
        lambda text: text.replace("    float price\n", "    int more = 1\n    float price\n"),
        [(True, "Point: the field more is new, and precedes existing ones")],
    ),
    "a member was removed": (
        lambda text: text.replace("    down\n", ""),
        [(True, "Side: the member down was removed")],
    ),
    "a parameter must be given": (
        lambda text: text.replace("float b)", "float b, float c)"),
        [(True, "larger: the parameter c is new and required")],
    ),
    "a parameter may be given": (
        lambda text: text.replace("float b)", "float b, float c = 1)"),
        [(False, "larger: the parameter c is new")],
    ),
    "a parameter has another type": (
        lambda text: text.replace("simple float step", "float step"),
        [(True, "move: the parameter step was simple float and is now float")],
    ),
    "a default is another": (
        lambda text: text.replace("step = 1.0", "step = 2.0"),
        [(True, "move: the parameter step was 1.0 and is now 2.0")],
    ),
    "the order is another": (
        lambda text: text.replace("float a, float b", "float b, float a"),
        [(True, "larger: the order of its parameters has changed")],
    ),
    "an overload is new": (
        lambda text: text + "export larger(int a, int b, int c) => a\n",
        [(False, "larger(int a, int b, int c) is new")],
    ),
}


def test_changes_of_exports_are_told_with_what_they_break() -> None:
    for name, (change, expected) in CHANGES.items():
        assert changes(read(TEXT), read(change(TEXT))) == expected, name


def test_the_command_tells_the_description_and_fails_if_something_breaks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "me" / "Points").mkdir(parents=True)
    old, new, script = tmp_path / "me/Points/2.pine", tmp_path / "Points.pine", tmp_path / "main.pine"
    old.write_text(TEXT, encoding="utf-8")
    new.write_text(TEXT.replace("export larger", "larger"), encoding="utf-8")
    script.write_text('//@version=6\nindicator("x")\nplot(close)\n', encoding="utf-8")
    assert pinebench(["doc", str(old)]) == 0
    assert capsys.readouterr().out == TOLD
    assert pinebench(["doc", str(old), "--format", "markdown"]) == 0
    assert "import me/Points/2" in capsys.readouterr().out
    assert pinebench(["doc", str(new), "--against", str(old)]) == 1
    told = capsys.readouterr()
    assert told.out == "breaks: larger was removed\n"
    assert "the next one is me/Points/3" in told.err
    assert pinebench(["doc", str(old), "--against", str(new)]) == 0
    assert pinebench(["doc", str(script)]) == 2


def test_another_result_of_a_function_is_not_told_as_no_change(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, code in (("old", "x * 2"), ("new", "str.tostring(x)")):
        text = f'//@version=6\nlibrary("Tools")\nexport f(float x) => {code}\n'
        (tmp_path / f"{name}.pine").write_text(text, encoding="utf-8")
    assert pinebench(["doc", str(tmp_path / "new.pine"), "--against", str(tmp_path / "old.pine")]) == 0
    told = capsys.readouterr()
    assert told.out == "no export has another name, parameter, field or value\n"
    assert "the code of functions was not compared" in told.err
