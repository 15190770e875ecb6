"""Checks after an edit: what is recalled of the check before gives what a check from the beginning gives."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pinebench import resources
from pinebench.check import Program, check
from pinebench.check.types import display
from pinebench.syntax import Document, nodes, parse
from pinebench.syntax.walk import walk

SCRIPTS = sorted(
    path
    for folder in (resources.folder("samples"), resources.folder("templates"), Path(__file__).parent / "valid")
    for path in folder.glob("*.pine")
)
PIECES = (
    "x",
    "(",
    ")",
    " + close[1]",
    "\n",
    "    ",
    "1",
    ".5",
    '"a"',
    "na",
    " := 2",
    "var ",
    "series ",
    "if true\n    ",
)
HEAD = '//@version=6\nindicator("x")\n'


def told(program: Program) -> list[object]:
    """The findings of a program, and the type of every expression that has one."""
    types: list[object] = []
    for chunk in program.document.chunks:
        for node in walk(chunk.body):
            type_ = program.frame.types.get(node)
            types.append((type(node).__name__, chunk.start + node.start, display(type_) if type_ else None))
    calls = [program.call(node) for node in program.frame.calls if isinstance(node, nodes.Call)]
    return [program.diagnostics, types, sorted(call.site.number for call in calls if call is not None)]


def edited(text: str, source: random.Random) -> tuple[int, int, str]:
    """A small change of `text`: something typed, taken away, or a word put in the place of another."""
    place = source.randrange(len(text) + 1)
    if source.random() < 0.3:
        return place, min(len(text), place + source.randrange(1, 12)), ""
    if source.random() < 0.4:
        words = text.split()
        return place, place, f" {source.choice(words)} "
    return place, place, source.choice(PIECES)


@pytest.mark.parametrize("number", range(6))
def test_a_check_after_edits_says_what_a_fresh_one_says(number: int) -> None:
    source = random.Random(number)
    for path in source.sample(SCRIPTS, 8):
        document = parse(path.read_text(encoding="utf-8"))
        for _ in range(10):
            start, end, text = edited(document.text, source)
            before = document.text[start:end]
            document.edit(start, end, text)
            assert told(check(document)) == told(check(parse(document.text))), (path, document.revision)
            if source.random() < 0.6:
                document.edit(start, start + len(text), before)
                assert told(check(document)) == told(check(parse(document.text))), (path, document.revision)


@pytest.mark.parametrize(
    ("before", "old", "new", "codes"),
    [
        ("w = 1\nplot(close, linewidth = w)", "w = 1", "w = 0", ["linewidth-too-small"]),
        ("n = 3\nx = ta.ema(close, n)\nplot(x)", "n = 3", "n = bar_index", ["CE10123"]),
        ('s = "a"\nx = s + "b"\nplot(close)', 's = "a"', "s = 1", ["CE10123"]),
        ("a = close\nplot(a)", "a = close", "b = close", ["CE10272"]),
        ("x = math.abs(close)\nplot(x)", "x = math", "f(v) => v\nx = math", []),
        ("x = close\ny = x\nplot(y)", "x = close", "x = close > open", ["CE10123"]),
        ("int x = bar_index\nplot(x[1])", "int x = bar_index", "const int x = 1", ["history-of-constant"]),
        ("x = nz(close)\nplot(x)", "x = nz", "nz(v) => 1 > 2\nx = nz", ["CE10123"]),
    ],
)
def test_what_depends_on_an_edit_is_typed_again(before: str, old: str, new: str, codes: list[str]) -> None:
    document = parse(HEAD + before + "\n")
    document.edit(0, 0, "")
    assert not check(document).diagnostics
    start = document.text.index(old)
    document.edit(start, start + len(old), new)
    program = check(document)
    assert told(program) == told(check(parse(document.text)))
    assert [finding.code for finding in program.diagnostics] == codes


def recalled(document: Document) -> dict[str, object]:
    """What is remembered of each chunk, by its first word."""
    return {chunk.text.split()[0]: chunk.notes.get("recalled") for chunk in document.chunks}


def test_only_what_an_edit_touches_is_typed_again() -> None:
    lines = [f"v{number} = ta.sma(close, {number + 1}) + {number}" for number in range(200)]
    document = parse(HEAD + "\n".join([*lines, "w = v100 + 1", "plot(w)"]) + "\n")
    document.edit(0, 0, "")
    check(document)
    first = recalled(document)
    assert sum(note is not None for note in first.values()) == 202
    place = document.text.index("v100 =") + len("v100 = ")
    document.edit(place, place, "1 + ")
    check(document)
    second = recalled(document)
    assert [word for word in second if second[word] is not first[word]] == ["v100"]
    document.edit(place, place + len("1 + "), "bar_index - bar_index + ")
    document.edit(document.text.index(" + 1\nplot"), document.text.index("\nplot"), "")
    check(document)
    third = recalled(document)
    assert [word for word in third if third[word] is not second[word]] == ["v100", "w"]


def test_a_script_that_is_checked_once_keeps_nothing() -> None:
    document = parse(HEAD + "x = close\nplot(x)\n")
    check(document)
    assert not any("recalled" in chunk.notes for chunk in document.chunks)
