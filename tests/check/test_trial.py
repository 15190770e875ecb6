"""A change that somebody tries: what is told of it is what a whole check tells."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from pinebench.check import Program, check, findings_after, open_program, trial
from pinebench.check.checking import LibrarySource
from pinebench.check.trial import Told
from pinebench.resources import folder
from pinebench.syntax import Document, Snapshot, nodes, parse
from pinebench.syntax.walk import walk

HEAD = '//@version=6\nindicator("Example", shorttitle = "A title that is long")\n'


def after(text: str, old: str, new: str) -> tuple[list[Told], list[Told]]:
    """The findings once `old` became `new`, as the trial tells them and as a whole check does."""
    program = open_program(text)
    document = Document.of(program.document)
    place = text.index(old)
    document.edit(place, place + len(old), new)
    whole = [Told(found.code, found.severity, found.span.start) for found in check(parse(document.text)).diagnostics]
    return findings_after(program, document.snapshot), whole


def watching(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of the scripts that the trial checks, as it goes on."""
    texts: list[str] = []
    true = trial.check

    def watched(document: Document | Snapshot, libraries: LibrarySource | None = None) -> Program:
        texts.append(document.text)
        return true(document, libraries)

    monkeypatch.setattr(trial, "check", watched)
    return texts


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (HEAD + "plot(close)\nx = 1\ny = 2\n", "A title that is long", "Short"),
        (HEAD + "plot(close)\n", "A title that is long", "Another that is too long"),
        (HEAD + "plot(nope)\nx = close\nplot(x[0.5] + true)\ny = x\nz = y\n", "A title that is long", "Short"),
        (HEAD + 'alertcondition(close > open, "a", "b")\nplot(close)\n', '"a"', '"another title"'),
    ],
)
def test_a_statement_apart_is_checked_alone(text: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    checked = watching(monkeypatch)
    told, whole = after(text, old, new)
    assert Counter(told) == Counter(whole)
    assert len(checked) == 2
    assert text.replace(old, new, 1) not in checked


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (HEAD + "x = 1\n", "A title that is long", "Short"),
        (HEAD + 'strategy.entry("a", strategy.long)\n', '"a"', '"b"'),
        (HEAD + "length = 5\nplot(ta.sma(close, length))\n", "length = 5", 'length = "5"'),
        (HEAD + 'x = "a"\nplot(close, x)\n', '"a"', '"b"'),
        (HEAD + "plot(close, linewidth = 1)\n", "linewidth = 1", "linewidth = 0"),
        (HEAD + 'bgcolor(timestamp("x") > time ? color.red : na)\n', '"x"', '"2024-01-01"'),
        (HEAD + 'bgcolor(timestamp("2024-01-01") > time ? color.red : na)\n', '"2024-01-01"', '"2024-13-01"'),
        ('//@version=6\nlibrary("A b")\n', "A b", "Ab"),
        ('//@version=6\nlibrary("Ab")\nexport f(float x) =>\n    x\n', "Ab", "A b"),
        (HEAD + "f(string a) => a\nplot(close, f('x'))\n", "'x'", "'y'"),
        (HEAD + "plot(close)\n", 'shorttitle = "A title that is long"', "overlay = true"),
        (HEAD + "plot(close)\n", "A title that is long", 'Short", timeframe = "D'),
        ('//@version=6\nindicator("A", "A title that is long", timeframe = "D")\nalert("x")\n', '"x"', "1"),
        (HEAD + "plot(close)\nif\n", "A title that is long", "Short"),
        (HEAD + "plot(close, 'a')\n", "'a'", "a'"),
        (HEAD + "plot(close)\n", "//@version=6", "//@version=5"),
        ('//@version=6\nindicator("a")\nplot(1)\n' * 2, '"a"', '"b"'),
        ('//@version=6\nstudy("a")\nplot(1)\n', '"a"', '"b"'),
    ],
)
def test_anything_else_is_checked_as_a_whole(text: str, old: str, new: str) -> None:
    told, whole = after(text, old, new)
    assert Counter(told) == Counter(whole)


def test_every_text_of_the_samples_may_become_another() -> None:
    choose = random.Random(3)
    for path in sorted([*folder("samples").glob("*.pine"), *folder("templates").glob("*.pine")]):
        program = open_program(path.read_text(encoding="utf-8"))
        texts = [
            (chunk.start + node.start, chunk.start + node.end)
            for chunk in program.document.chunks
            for node in walk(chunk.body)
            if isinstance(node, nodes.Literal) and node.kind == "string"
        ]
        for start, end in choose.sample(texts, min(4, len(texts))):
            document = Document.of(program.document)
            document.edit(start, end, choose.choice(['""', '"A very long text"', '"D"', "'{0} {1}'", '"2024-01-01Z"']))
            whole = [Told(f.code, f.severity, f.span.start) for f in check(parse(document.text)).diagnostics]
            assert Counter(findings_after(program, document.snapshot)) == Counter(whole)
