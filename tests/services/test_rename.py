"""Renaming, and refusing to."""

from __future__ import annotations

import random

import pytest

from pinebench.errors import UsageError
from pinebench.resources import folder
from pinebench.services import OpenScript, View
from pinebench.services.rename import renamable, rename
from pinebench.syntax.edits import apply_edits
from tests.services.support import FILLED, opened


def renamed(marked: str, name: str) -> str:
    """The script behind FILLED after the name at the bar was renamed."""
    view, place = opened(marked)
    return apply_edits(view.text, rename(view, place, name))


@pytest.mark.parametrize(
    ("marked", "after"),
    [
        ("v|al = 1\nw = val + val[1]\n", "new = 1\nw = new + new[1]\n"),
        ("f(v|al) =>\n    val + 1\nx = f(val = 2)\n", "f(new) =>\n    new + 1\nx = f(new = 2)\n"),
        (
            "type T\n    int v|al\nt = T.new(val = 1)\nx = t.val\n",
            "type T\n    int new\nt = T.new(new = 1)\nx = t.new\n",
        ),
        (
            "g(int a) => a\ng(string a) => a\nx = g|(1)\ny = g('s')\n",
            "new(int a) => a\nnew(string a) => a\nx = new(1)\ny = new('s')\n",
        ),
        ("import a/B/1\nx = B|.f()\n", "import a/B/1 as new\nx = new.f()\n"),
        ("import a/B/1 as b\nx = b|.f()\n", "import a/B/1 as new\nx = new.f()\n"),
        ("v = 1\nif true\n    v = 2\n    x = v|\n", "v = 1\nif true\n    new = 2\n    x = new\n"),
        ("e|num Z\n    a\n", None),
    ],
)
def test_a_name_changes_wherever_it_stands_and_nowhere_else(marked: str, after: str | None) -> None:
    if after is None:
        with pytest.raises(UsageError):
            renamed(marked, "new")
    else:
        assert renamed(marked, "new") == FILLED + after


def test_types_enums_and_methods_are_renamed_too() -> None:
    view, place = opened("x = level.dist|ance(1)\n")
    after = apply_edits(view.text, rename(view, place, "away"))
    assert "method away(Level this" in after and "level.away(1)" in after and "distance" not in after
    view, place = opened("x = Si|de.long\n")
    after = apply_edits(view.text, rename(view, place, "Way"))
    assert "enum Way" in after and "Way side = Way.long" in after and "x = Way.long" in after


@pytest.mark.parametrize(
    ("marked", "name", "why"),
    [
        ("v|al = 1\nother = 2\n", "other", "other"),
        ("v|al = 1\nif true\n    other = 2\n    x = val\n", "other", "mean something else"),
        ("v|al = 1\nx = close\n", "close", "close"),
        ("v|al = 1\n", "for", "word of the language"),
        ("v|al = 1\n", "2x", "is not a valid name"),
        ("v|al = 1\n", "a b", "is not a valid name"),
        ("x = clo|se\n", "shut", "built in"),
        ("x = unkn|own\n", "known", "no name here"),
        ("f() => 1\ng|() => 2\nx = f()\n", "f", "f"),
    ],
)
def test_what_would_capture_or_break_is_refused(marked: str, name: str, why: str) -> None:
    with pytest.raises(UsageError) as refused:
        renamed(marked, name)
    assert why in refused.value.message


def test_the_place_of_a_name_is_told_before() -> None:
    view, place = opened("val|ue = 1\n")
    assert view.text[slice(*renamable(view, place))] == "value"


def test_names_of_the_samples_are_renamed_and_back() -> None:
    """The findings stay the same but for the name, and back again nothing has changed."""
    choose = random.Random(5)
    paths = sorted(folder("samples").rglob("*.pine"))
    for path in choose.sample(paths, 4):
        text = path.read_bytes().decode("utf-8")
        view = OpenScript(text).view
        variables = [each for each in view.program.variables if each.name != "_"]
        for variable in choose.sample(variables, min(3, len(variables))):
            place = variable.offset + variable.name_node.start
            there = apply_edits(text, rename(view, place, "renamed_by_test"))
            after = OpenScript(there).view
            assert [each.code for each in after.program.diagnostics] == [each.code for each in view.program.diagnostics]
            back = rename(after, there.index("renamed_by_test"), variable.name)
            assert apply_edits(there, back) == text


def test_a_broken_script_can_be_renamed_in() -> None:
    view, place = opened("v|al = 1\nx = val +\ny = val\n")
    assert isinstance(view, View)
    assert "new = 1\nx = new +\ny = new\n" in apply_edits(view.text, rename(view, place, "new"))
