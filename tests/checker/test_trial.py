"""A change that somebody tries: what is told of it is what a whole check tells."""

import os
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from pinebench.checker import check, findings_after, open_program, trial
from pinebench.checker.checker import Checker
from pinebench.checker.one_check import LibrarySource
from pinebench.checker.trial import BriefFinding
from pinebench.diagnostics import Diagnostic
from pinebench.files.resources import folder
from pinebench.syntax import Document, Snapshot, nodes, parse
from pinebench.syntax.walk import walk
from tests.checker.test_recheck import edited, scripts
from tests.tables import each

HEAD = '//@version=6\nindicator("Example", shorttitle = "A title that is long")\n'


def after(text: str, old: str, new: str) -> tuple[list[BriefFinding], list[BriefFinding]]:
    """The findings once `old` became `new`, as the trial tells them and as a whole check does."""
    program = open_program(text)
    document = Document(program.document)
    place = text.index(old)
    document.edit(place, place + len(old), new)
    whole = [
        BriefFinding(found.code, found.severity, found.span.start) for found in check(parse(document.text)).diagnostics
    ]
    return findings_after(program, document.snapshot), whole


def wholly_checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of the scripts that the trial checks as a whole, as it goes on."""
    texts: list[str] = []
    true = trial.run

    def watched(
        snapshot: Snapshot, libraries: LibrarySource | None, *, on_trial: bool
    ) -> tuple[Checker, list[Diagnostic]]:
        texts.append(snapshot.text)
        return true(snapshot, libraries, on_trial=on_trial)

    monkeypatch.setattr(trial, "run", watched)
    return texts


SINCE = "bars = ta.barssince(close > open)\nif close > open\n    count := int(bars)"
CROSSED = "    crossed = ta.cross(close, limit)\n    found = pair.first > limit and crossed"
REST = "".join(f"unused{number} = ta.sma(close, {number + 2})\n" for number in range(12)) + "plot(close)\n"
LOGICAL = (
    HEAD + "length = 5\nup = close > open and ta.crossover(close, ta.sma(close, length))\nplot(up ? 1 : 0)\n" + REST
)
BLOCK = HEAD + "count = 0\nif close > open\n    count := int(ta.barssince(close > open))\nplot(count)\n" + REST
FUNCTION = (
    HEAD
    + "type Pair\n    float first\n    float second\n"
    + "f(Pair pair, float limit) =>\n"
    + "    found = pair.first > limit and ta.cross(close, limit)\n    found ? pair.first : pair.second\n"
    + "pair = Pair.new(close, open)\nplot(f(pair, 1))\n"
    + REST
)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (HEAD + REST, "A title that is long", "Short"),
        (HEAD + REST, "A title that is long", "Another that is too long"),
        (HEAD + "plot(nope)\nx = close\nplot(x[0.5] + true)\ny = x\nz = y\n" + REST, "A title that is long", "Short"),
        (HEAD + 'alertcondition(close > open, "a", "b")\n' + REST, '"a"', '"another title"'),
        (
            LOGICAL,
            "up = close > open and ta.crossover(",
            "above = ta.crossover(close, open)\nup = close > open and above and ta.crossover(",
        ),
        (LOGICAL, "close > open and", "close > open or"),
        (BLOCK, "if close > open\n    count := int(ta.barssince(close > open))", SINCE),
        (FUNCTION, "    found = pair.first > limit and ta.cross(close, limit)", CROSSED),
        (FUNCTION, "pair.first > limit", "pair.second > limit"),
    ],
)
def test_the_statements_that_change_are_checked_by_themselves(
    text: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked = wholly_checked(monkeypatch)
    told, whole = after(text, old, new)
    assert Counter(told) == Counter(whole)
    assert checked == []


@each(
    ("text", "old", "new"),
    [
        # a variable becomes another one for those who use it
        (LOGICAL, "up = close > open and ta.crossover(close, ta.sma(close, length))", 'up = "a"'),
        (HEAD + "width = 1\nplot(close, linewidth = width)\n" + REST, "width = 1\n", "width = 0\n"),
        (HEAD + "var x = 0\nx := 1\nplot(close, linewidth = x)\n" + REST, "x := 1", "x := bar_index"),
        (HEAD + "x = 0\nx := 1\nplot(close, linewidth = x)\n" + REST, "x := 1", "if close > open\n    x := 1"),
        (HEAD + "x = close\nplot(x[1])\n" + REST, "x = close", "const float x = 1"),
        # a name means something further down
        (HEAD + "x = 1\nif x > 0\n    above = 1\nplot(x)\n" + REST, "x = 1", "above = 2\nx = 1"),
        (HEAD + "x = 1\nhigh = 2\nplot(high)\n" + REST, "x = 1", "x = high"),
        (HEAD + "x = 1\nf() => 1\nplot(f())\n" + REST, "x = 1", "x = f()"),
        # a function becomes another one for those who call it
        (FUNCTION, "found ? pair.first : pair.second", "found"),
        (FUNCTION, "float limit", "int limit"),
        (
            HEAD + "f(x) =>\n    x + 1\ny = 0.0\nif close > open\n    y := f(close)\nplot(y)\n" + REST,
            "    x + 1",
            "    x[1] + 1",
        ),
        (
            HEAD + "f(x) =>\n    math.abs(x)\nif close > open\n    f(close)\nplot(f(open))\n" + REST,
            "math.abs(x)",
            "ta.sma(x, 9)",
        ),
        (HEAD + "method f(float x) =>\n    x + 1\nplot(close.f())\n" + REST, "    x + 1", "    1.0"),
        (HEAD + "f(x) =>\n    x + 1\nplot(f(close))\ny = 1\n" + REST, "y = 1", 'y = f("a")'),
        # the script as a whole is asked for something
        (HEAD + "plot(close)\nx = 1\ny = 1\n", "plot(close)", "z = close"),
        (HEAD + "plot(close)\n" * 63 + "x = 1\n", "x = 1", "x = 1\nplot(close, color = close > open ? color.red : na)"),
        ('//@version=6\nindicator("A", timeframe = "D")\nx = 1\n' + REST, "x = 1", 'x = 1\nalert("a")'),
        (HEAD + "plot(close)\nx = 1\n" + REST, "x = 1", "type T\n    int a"),
        (
            '//@version=6\nindicator("A", dynamic_requests = true)\n'
            + 'if close > open\n    x = request.security("A", "D", close)\n'
            + REST,
            "dynamic_requests = true",
            "dynamic_requests = false",
        ),
    ],
)
def test_what_others_know_of_a_statement_is_not_left_out(text: str, old: str, new: str) -> None:
    told, whole = after(text, old, new)
    assert Counter(told) == Counter(whole)


@each(
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


def trials(texts: list[str], edits: int, seed: int) -> Iterator[tuple[str, str]]:
    """Edits of each of `texts`; where the trial finds something else than a check of the whole, both texts."""
    for number, text in enumerate(texts):
        choose = random.Random(seed * 100_003 + number)
        program = check(parse(text))
        for _ in range(edits):
            document = Document(program.document)
            for _ in range(choose.choice((1, 1, 2))):
                document.edit(*edited(document.text, choose))
            whole = [BriefFinding(f.code, f.severity, f.span.start) for f in check(parse(document.text)).diagnostics]
            if Counter(findings_after(program, document.snapshot)) != Counter(whole):
                yield text, document.text


def test_whatever_is_tried_on_the_samples_is_told_as_by_a_whole_check() -> None:
    assert list(trials(scripts()[::3], 10, 1)) == []


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_tried_on_real_scripts_is_told_as_by_a_whole_check(seed: int) -> None:
    """20 edits in each of the corpus's scripts, in the folder that PINEBENCH_CORPUS names, or of the samples."""
    corpus = os.environ.get("PINEBENCH_CORPUS")
    paths = sorted(Path(corpus).rglob("*.pine"))[seed::4] if corpus else []
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in paths] or scripts()
    assert next(trials(texts, 20, seed), None) is None


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
            document = Document(program.document)
            document.edit(start, end, choose.choice(['""', '"A very long text"', '"D"', "'{0} {1}'", '"2024-01-01Z"']))
            whole = [BriefFinding(f.code, f.severity, f.span.start) for f in check(parse(document.text)).diagnostics]
            assert Counter(findings_after(program, document.snapshot)) == Counter(whole)
