"""Renaming, and refusing to."""

from __future__ import annotations

import random

import pytest

from pinebench.checker import ImportSymbol, Symbol, TypeSymbol
from pinebench.diagnostics import Span
from pinebench.errors import UsageError
from pinebench.resources import folder
from pinebench.services import OpenScript, View
from pinebench.services.names import declaration_of, name_of
from pinebench.services.rename import renamable, rename
from pinebench.syntax.edits import apply_edits
from tests.services.support import FILLED, opened

PLAIN = '//@version=6\nindicator("t")\n'
LONG = '//@version=6\nindicator("t", shorttitle = "A rather long one")\n'


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
        ("v|al = 1\nif true\n    other = 2\n    x = val\n", "other", "would change its meaning"),
        ("v|al = 1\nx = close\n", "close", "close"),
        ("v|al = 1\n", "for", "keyword of Pine"),
        ("v|al = 1\n", "2x", "is not a valid name"),
        ("v|al = 1\n", "a b", "is not a valid name"),
        ("x = clo|se\n", "shut", "built in"),
        ("x = unkn|own\n", "known", "no known name here"),
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


def _own_names(view: View) -> list[tuple[Span, Symbol]]:
    """The names that a script declares, types first, each with the span of its declaration."""
    places = ((declaration_of(view.program, symbol), symbol) for symbol in view.program.named)
    found = [(place[1], symbol) for place, symbol in places if place is not None and place[0] is view.program]
    return sorted(found, key=lambda each: (not isinstance(each[1], TypeSymbol), each[0]))


def test_names_of_real_scripts_are_renamed_and_back() -> None:
    """No fresh name is refused; the findings stay the same, and back again nothing has changed."""
    choose = random.Random(5)
    paths = sorted(path for each in ("samples", "templates") for path in folder(each).rglob("*.pine"))
    for path in choose.sample(paths, 24):
        text = path.read_bytes().decode("utf-8")
        view = OpenScript(text).view
        names = [] if view.snapshot.diagnostics else _own_names(view)
        for span, symbol in names[:1] + choose.sample(names, min(2, len(names))):
            there = apply_edits(text, rename(view, span.start, "renamed_by_test"))
            after = OpenScript(there).view
            assert [each.code for each in after.program.diagnostics] == [each.code for each in view.program.diagnostics]
            back = rename(after, there.index("renamed_by_test"), name_of(symbol))
            assert apply_edits(there, back) == text or isinstance(symbol, ImportSymbol)


def test_a_broken_script_can_be_renamed_in() -> None:
    view, place = opened("v|al = 1\nx = val +\ny = val\n")
    assert isinstance(view, View)
    assert "new = 1\nx = new +\ny = new\n" in apply_edits(view.text, rename(view, place, "new"))


@pytest.mark.parametrize(
    ("script", "old", "new"),
    [
        (f'{PLAIN}type P\n    float price\nvar P p = P.new()\nq = p.copy()\nplot(p.price)\n', "P p", "Zzq"),
        (f'{PLAIN}var table = table.new(position.top_right, 2, 2)\ntable.cell(table, 0, 0, "x")\n', "table =", "board"),
        (f'{LONG}long = 1\nplot(long)\n', "long =", "zq"),
        (f'{LONG}characters = 1\nplot(characters)\n', "characters =", "zq"),
        (f'{PLAIN}color = color.red\nplot(close, color = color)\n', "color =", "ink"),
    ],
)  # fmt: skip
def test_a_name_that_stands_in_messages_or_in_built_ins_is_renamed(script: str, old: str, new: str) -> None:
    """The findings have the same codes, and all that reads the name reads the new one."""
    view = OpenScript(script).view
    after = apply_edits(script, rename(view, script.index(old), new))
    again = OpenScript(after).view
    assert [each.code for each in again.program.diagnostics] == [each.code for each in view.program.diagnostics]
    back = rename(again, again.text.index(new), old.split()[0])
    assert apply_edits(after, back) == script


def test_new_and_copy_are_not_the_name_of_their_type() -> None:
    view, place = opened("x = Level.ne|w(1)\n")
    with pytest.raises(UsageError, match="not its name"):
        renamable(view, place)
