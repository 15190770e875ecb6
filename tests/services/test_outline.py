"""The shape of a script, the meaning of its words, hints, colours and layout."""

import pytest

from pinebench.diagnostics import Span
from pinebench.formatting import FormatStyle
from pinebench.services.colors import colors, written
from pinebench.services.format_edits import layout, layout_finished_line, why_unchanged
from pinebench.services.inlay import hints
from pinebench.services.outline import folds, outline, selections
from pinebench.services.tokens import KINDS, MODIFIERS, tokens
from pinebench.syntax.edits import apply_edits
from tests.services.support import HEAD, opened


def test_the_outline_has_every_declaration_with_its_parts() -> None:
    view, _ = opened("const int LIMIT = 3\n[a, b] = ta.supertrend(3, 10)\nif true\n    inner = 1\n|")
    found = {entry.name: entry for entry in outline(view)}
    kinds = {name: entry.kind for name, entry in found.items()}
    assert kinds == {
        "thing": "library",
        "Side": "enum",
        "Level": "type",
        "distance": "method",
        "twice": "function",
        "length": "input",
        "level": "variable",
        "doubled": "variable",
        "LIMIT": "constant",
        "a": "variable",
        "b": "variable",
    }
    assert [child.name for child in found["Level"].children] == ["price", "touches", "side"]
    for entry in found.values():
        assert entry.whole.start <= entry.span.start <= entry.span.end <= entry.whole.end
        assert view.text[entry.span.start : entry.span.end] == entry.name
    assert found["length"].detail == "input int"


def test_the_outline_stands_while_something_is_broken() -> None:
    view, _ = opened("x = 1 +\nafter = 2\n|")
    assert {"Level", "twice", "after"} <= {entry.name for entry in outline(view)}


def test_blocks_comments_imports_and_regions_fold() -> None:
    text = (
        "import a/b/1\nimport c/d/2\n// one\n// two\n//#region R\nif true\n    x = 1\nelse\n    y = 2\n//#endregion\n"
    )
    text += "plot(close,\n     title = 'x')\n|"
    view, _ = opened(text, HEAD)
    assert {(fold.first, fold.last, fold.kind) for fold in folds(view)} == {
        (3, 4, "imports"),
        (5, 6, "comment"),
        (7, 12, "region"),
        (8, 9, "code"),
        (10, 11, "code"),
        (13, 14, "code"),
    }
    nested = (
        "if true\n    x = 1\nelse if false\n    y = 2\n    if true\n        1\n    else // last\n        2\n"
        "else\n    z = 3\n|"
    )
    view, _ = opened(nested, "//@version=6\n")
    assert [(fold.first, fold.last) for fold in folds(view)] == [(2, 3), (4, 9), (6, 7), (8, 9), (10, 11)]


def test_a_growing_selection_takes_in_more_each_time() -> None:
    view, place = opened("if true\n    x = ta.sma(clo|se, 3) + 1\n")
    found = [view.text[span.start : span.end] for span in selections(view, place)]
    assert found[:5] == ["close", "ta.sma(close, 3)", "ta.sma(close, 3) + 1", "x = ta.sma(close, 3) + 1", found[4]]
    assert found[4].startswith("if true") and found[-1] == view.text


def test_words_are_told_by_what_they_mean() -> None:
    view, _ = opened("x = level.price + ta.sma(close, length)\nx := color.red == na ? 1 : 2\nfloat z = 3|")
    found = {view.text[t.start : t.start + t.length]: t for t in tokens(view)}
    assert (found["price"].kind, found["ta"].kind, found["sma"].kind) == ("property", "namespace", "function")
    assert found["Level"].kind == found["float"].kind == "type"
    assert found["long"].kind == "enumMember" and found["distance"].kind == "method"
    assert "readonly" in found["red"].modifiers and "defaultLibrary" in found["close"].modifiers
    assert {t.kind for t in found.values()} <= set(KINDS)
    assert {modifier for t in found.values() for modifier in t.modifiers} <= set(MODIFIERS)
    starts = [t.start for t in tokens(view)]
    assert starts == sorted(set(starts))


def test_hints_name_parameters_and_types() -> None:
    view, place = opened("x = ta.sma(close, 14)\nfloat y = 2.0\nz = twice(1, times = 2)\nlog.info('a')|")
    found = [(view.text[hint.offset : hint.offset + 2], hint.text) for hint in hints(view, Span(place - 78, place))]
    assert ("14", "length:") in found and ("x ", "series float") in found and ("1,", "x:") in found
    assert not any(text == "y " or text == "2)" for text, _ in found)
    assert hints(view, Span(0, len(view.text)), parameters=False, types=False) == []


def test_colours_are_found_and_written() -> None:
    view, _ = opened(
        "a = #FF8000\nb = color.red\nc = color.rgb(1, 2, 3, 50)\nd = color.rgb(length, 2, 3)\ne = #00000080|"
    )
    found = {view.text[color.span.start : color.span.end]: color for color in colors(view)}
    assert set(found) == {"#FF8000", "color.red", "color.rgb(1, 2, 3, 50)", "#00000080"}
    assert found["#FF8000"][1:] == (255, 128, 0, 255) and found["#00000080"].alpha == 128
    assert found["color.rgb(1, 2, 3, 50)"][1:] == (1, 2, 3, 128)
    assert written(found["#FF8000"]).text == "#FF8000"
    assert written(found["#00000080"]._replace(alpha=64)).text == "#00000040"


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_layout_changes_the_lines_that_were_asked_for(newline: str) -> None:
    view, _ = opened(f"a=1{newline}b=2{newline}c=3{newline}|", HEAD.replace("\n", newline))
    place = view.text.index("b=2")
    assert f"a=1{newline}b = 2{newline}c=3" in apply_edits(
        view.text, layout(view, FormatStyle(), Span(place, place + 1))
    )
    assert f"a = 1{newline}b = 2{newline}c = 3" in apply_edits(view.text, layout(view, FormatStyle()))


def test_what_is_not_laid_out_has_its_reason() -> None:
    """A script that is formatted and a script that cannot be formatted both have no edits."""
    for text, part, words in (
        ("a = 1\n|", "", ""),
        ("a = 1\n|", "a = 1", ""),
        ("a = 1\nb=2\n|", "a = 1", ""),
        ("a = 1\nb = (\n|", "", "it has syntax errors"),
        ("a = 1\nb = (\n|", "a = 1", ""),
        ("a = 1\nb = (\n|", "b = (", "it has syntax errors"),
        ("a = 1\nb = (\n|", "a = 1\nb = (", "it has syntax errors"),
        ("f(x) =>\n        y=x\n        y\n|", "        y=x", "only these lines could change the script's meaning"),
    ):
        view, _ = opened(text, HEAD)
        start = view.text.index(part) if part else 0
        span = Span(start, start + len(part)) if part else None
        assert layout(view, FormatStyle(), span) == [], (text, part)
        said = why_unchanged(view, FormatStyle(), span)
        assert words in said and bool(words) == bool(said), (text, part, said)
    view, _ = opened("|a = 1\n", "//@version=5\n")
    assert "this script is v5" in why_unchanged(view, FormatStyle())


def test_the_parts_of_a_broken_script_that_parse_are_laid_out() -> None:
    """And the others keep every character."""
    for broken in ("c=(1\n", "if close>open\n\n", "x=$+1\n  // a remark\n\n\n\n", "f(x)=>\n", 'y="a\n'):
        view, _ = opened(f"a=1\n{broken}|b=2  +3\n", HEAD)
        made = apply_edits(view.text, layout(view, FormatStyle()))
        assert made.startswith(f"{HEAD}a = 1\n"), broken
        assert broken.rstrip("\n") in made, broken
    view, _ = opened("a=1\nif close>open\n|b=2  +3\n", HEAD)
    assert apply_edits(view.text, layout(view, FormatStyle())) == f"{HEAD}a = 1\nif close>open\nb = 2 + 3\n"


ENTERED = {
    "if close>open\n|": "if close > open\n    ",
    "if close>open\n  |\nplot(close)\n": "if close > open\n    \nplot(close)\n",
    "f(x)=>\n|": "f(x) =>\n    ",
    "x=if close>open\n|\n": "x = if close > open\n    \n",
    "for i=0 to 9\n|\nplot( close )\n": "for i = 0 to 9\n    \nplot( close )\n",
    "while close>open\n|": "while close > open\n    ",
    "switch close>open\n|": "switch close > open\n    ",
    "type  T\n|": "type T\n    ",
    "if close>open\n    a=1\nelse\n|": "if close>open\n    a=1\nelse\n    ",
    "if close>open\n    if high>low\n    |": "if close>open\n    if high > low\n        ",
    "if close>open\n|    a=1\n": "if close > open\n    a=1\n",
    "a=1\n|": "a = 1\n",
    "a=1\n|b = (\n": "a = 1\nb = (\n",
    "// if close>open\n|": "// if close>open\n",
    "plot(close,\n|": "plot(close,\n",
    'x = "if a"\n|': 'x = "if a"\n',
}
"""What is written when Enter was pressed before the bar, and what it becomes."""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_enter_formats_its_line_and_indents_the_body_of_a_block(newline: str) -> None:
    for marked, wanted in ENTERED.items():
        view, place = opened(marked.replace("\n", newline), HEAD.replace("\n", newline))
        made = apply_edits(view.text, layout_finished_line(view, FormatStyle(), place))
        assert made == (HEAD + wanted).replace("\n", newline), marked
