"""Pictures of the reference: every function that draws has one, and it shows more than the bars."""

import re
from pathlib import Path

import pytest

from pinebench import reference
from scripts.docs.reference_pictures import illustrated, picture, shown_scripts
from scripts.docs.site_pages import Page
from tests.tables import each

SPACES = ("box", "label", "line", "linefill", "polyline", "table")
OUTPUTS = (
    "barcolor",
    "bgcolor",
    "fill",
    "hline",
    "plot",
    "plotarrow",
    "plotbar",
    "plotcandle",
    "plotchar",
    "plotshape",
)
EMPTY = {"box.delete", "label.delete", "line.delete", "linefill.delete", "polyline.delete", "table.delete"}
"""Their examples may leave nothing on the chart."""
DRAWING = [
    name for name in reference.functions() if (name.partition(".")[0] in SPACES and "." in name) or name in OUTPUTS
]


def shapes(drawn: str) -> int:
    return len(re.findall(r"<(?:polyline|polygon|text|rect)\b", drawn))


def bars_only(name: str) -> str:
    """The picture of the example's bars, with the plots of an empty script."""
    (script, *_) = shown_scripts(name)
    declared = 'indicator("Example", overlay = true)' if ("overlay", "true") in script.options else 'indicator("x")'
    empty = script._replace(text=f"{declared}\nplot(na)\nbgcolor(na)")
    return picture(name, empty)


def check(name: str) -> None:
    drawn = picture(name, shown_scripts(name)[0])
    assert drawn or name in EMPTY, name
    assert not drawn or shapes(drawn) > shapes(bars_only(name)) or name == "barcolor", name


@each("name", [*OUTPUTS, *(f"{space}.new" for space in SPACES)])
def test_what_draws_has_a_picture_with_more_than_bars(name: str) -> None:
    check(name)


@pytest.mark.soak
@pytest.mark.parametrize("name", DRAWING)
def test_every_function_of_drawings_has_a_picture(name: str) -> None:
    check(name)


def test_colours_of_bars_are_in_the_picture() -> None:
    assert picture("barcolor", shown_scripts("barcolor")[0]) != bars_only("barcolor")


def test_values_and_errors_have_no_picture() -> None:
    for name in ("str.contains", "math.abs", "array.abs"):
        assert picture(name, shown_scripts(name)[0]) == ""
    assert picture("hline", shown_scripts("hline")[1]) == ""  # the compiler refuses it


def test_a_picture_stands_below_the_values_of_its_example(tmp_path: Path) -> None:
    name = "box.new"
    first, second = (script.text for script in shown_scripts(name)[:2])
    text = f"# x\n\n### {name}\n\n- one\n\n```pine\n{first}\n```\n\n```text\nvalues\n```\n\n"
    text += (
        f"**Watch out.** So.\n\n```pine\n{second}\n```\n\n### math.abs\n\n```pine\nplot(math.abs(close - open))\n```\n"
    )
    made = illustrated(Page("", "reference/x.md", text), tmp_path)
    places = re.findall(r"!\[What the example of ([\w.]+) draws\]\((pictures/[\w.-]+\.svg)\)", made.text)
    assert [place[0] for place in places] == [name, name]
    assert all((tmp_path / place).read_text("utf-8").startswith("<?xml") for _, place in places)
    order = [
        made.text.index(part) for part in ("values", places[0][1], "**Watch out.**", second, places[1][1], "math.abs")
    ]
    assert order == sorted(order)


def test_files_have_names_that_every_system_takes(tmp_path: Path) -> None:
    (script, *_) = shown_scripts(">=")
    illustrated(Page("", "reference/x.md", f"### `>=`\n\n```pine\n{script.text}\n```\n"), tmp_path)
    assert [path.name for path in tmp_path.rglob("*.svg")] == ["x3ex3d.svg"]
