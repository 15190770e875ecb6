"""Renaming, and refusing to."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pinebench.checker import ImportSymbol, Symbol, TypeSymbol
from pinebench.diagnostics import Span
from pinebench.errors import UsageError
from pinebench.files.resources import folder
from pinebench.services import OpenScript, ScriptView
from pinebench.services.names import declaration_of, name_of
from pinebench.services.rename import renamable, rename
from pinebench.syntax.edits import apply_edits
from tests.script_files import ScriptCase, script_cases
from tests.services.support import opened
from tests.soak.test_parser import real_scripts
from tests.tables import each

PLAIN = '//@version=6\nindicator("t")\n'
LONG = '//@version=6\nindicator("t", shorttitle = "A rather long one")\n'


def renamed(marked: str, name: str) -> str:
    """The script behind FILLED after the name at the bar was renamed."""
    view, place = opened(marked)
    return apply_edits(view.text, rename(view, place, name))


def test_types_enums_and_methods_are_renamed_too() -> None:
    view, place = opened("x = level.dist|ance(1)\n")
    after = apply_edits(view.text, rename(view, place, "away"))
    assert "method away(Level this" in after and "level.away(1)" in after and "distance" not in after
    view, place = opened("x = Si|de.long\n")
    after = apply_edits(view.text, rename(view, place, "Way"))
    assert "enum Way" in after and "Way side = Way.long" in after and "x = Way.long" in after


@each(
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


def _own_names(view: ScriptView) -> list[tuple[Span, Symbol]]:
    """The names that a script declares, types first, each with the span of its declaration."""
    places = ((declaration_of(view.program, symbol), symbol) for symbol in view.program.named)
    found = [(place[1], symbol) for place, symbol in places if place is not None and place[0] is view.program]
    return sorted(found, key=lambda each: (not isinstance(each[1], TypeSymbol), each[0]))


@pytest.mark.parametrize("count", [8, pytest.param(24, marks=pytest.mark.soak)])
def test_names_of_real_scripts_are_renamed_and_back(count: int) -> None:
    """No fresh name is refused; the findings stay the same, and back again nothing has changed."""
    choose = random.Random(5)
    paths = sorted(path for each in ("samples", "templates") for path in folder(each).rglob("*.pine"))
    for path in choose.sample(paths, count):
        text = path.read_bytes().decode("utf-8")
        view = OpenScript(text).view
        names = [] if view.snapshot.diagnostics else _own_names(view)
        for span, symbol in names[:1] + choose.sample(names, min(2, len(names))):
            edits = rename(view, span.start, "renamed_by_test")
            there = apply_edits(text, edits)
            after = OpenScript(there).view
            assert [each.code for each in after.program.diagnostics] == [each.code for each in view.program.diagnostics]
            place = span.start + sum(
                len(edit.text) - (edit.span.end - edit.span.start) for edit in edits if edit.span.start < span.start
            )
            back = rename(after, place, name_of(symbol))
            assert apply_edits(there, back) == text or isinstance(symbol, ImportSymbol)


@pytest.mark.soak
def test_no_fresh_name_is_refused_in_real_scripts() -> None:
    """Four names of each real script, or of our samples without the folder in PINEBENCH_CORPUS."""
    choose, refused, asked = random.Random(60), [], 0
    for name, text in sorted(real_scripts().items()):
        view = OpenScript(text).view
        if view.snapshot.diagnostics:
            continue
        names = [each for each in _own_names(view) if not isinstance(each[1], ImportSymbol)]
        for span, symbol in choose.sample(names, min(4, len(names))):
            asked += 1
            try:
                rename(view, span.start, "renamed_by_test")
            except UsageError as error:
                refused.append(f"{name}: {name_of(symbol)}: {error.message}")
    assert asked > 100 and not refused, (asked, refused[:5])


def test_a_broken_script_can_be_renamed_in() -> None:
    view, place = opened("v|al = 1\nx = val +\ny = val\n")
    assert isinstance(view, ScriptView)
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


@each("case", script_cases(Path(__file__).with_name("renamed.txt")))
def test_a_name_changes_wherever_it_stands_and_nowhere_else(case: ScriptCase) -> None:
    view, place = opened(f"{case.script}\n", PLAIN)
    if "refused" in case.below:
        with pytest.raises(UsageError):
            rename(view, place, "new")
    else:
        assert apply_edits(view.text, rename(view, place, "new")) == f"{PLAIN}{case.below['becomes']}\n"
