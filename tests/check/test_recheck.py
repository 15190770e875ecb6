"""What a check keeps with the trees: the next check of an edited script finds what a fresh one finds."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pinebench.check import Program, check
from pinebench.check.types import display
from pinebench.resources import folder
from pinebench.syntax import parse
from pinebench.syntax.walk import walk

WORDS = (
    *("close", "color", "ta", "array", "label", "math", "na", "true", "1", "0", "-5", "2.5", '"a"', "#ff0000", "input"),
    *("ta.sma(close, 14)", "color.new(color.red, 200)", "close[1]", "array.new<float>()", "str.format('{0}', 1, 2)"),
    *("array.new<label>()", "map.new<color, int>()", "ta.macd(close, 12, 26, 9)", "[close, 1]"),
    *("var", "varip", "const", "int", "float", "string", "series", "simple", ":=", "=", "+", "and", "==", "bar_index"),
)
LINES = (
    *("close = 5", "ta = 1", "color = color.red", "length = 0", "length = 20", 'length = "x"', "const int length = 2"),
    *("plot(x) => x", "sma(x, y) => x", "max(float a, float b) => a", "method push(array<float> a, float b) => a"),
    *("type label\n    int a", "type color\n    int b", "enum ta\n    sma", "enum display\n    all", "lost :="),
    *("import A/B/1 as ta", "import A/B/1", "import TradingView/ta/7 as math", 'strategy("again")', "if close > open"),
    *(
        "for i = 0 to 10",
        "var length = 1",
        "length := close",
        "src = close",
        "width = 0",
        "plot(close, linewidth = width)",
    ),
)


def scripts() -> list[str]:
    """The samples and templates, or real scripts from the folder in PINEBENCH_CORPUS for the soak."""
    paths = sorted([*folder("samples").glob("*.pine"), *folder("templates").glob("*.pine")])
    return [path.read_text(encoding="utf-8") for path in paths]


def told(program: Program) -> list[object]:
    """Everything that was found out: findings, the type of each node in each frame, what each call means."""
    found: list[object] = [(d.span, d.severity, d.code, d.message, d.hint, d.tv_position) for d in program.diagnostics]
    for frame in program.frames:
        statements = (
            frame.function.node.body
            if frame.function is not None
            else [s for c in program.document.chunks for s in c.body]
        )
        for node in walk(statements):
            type_ = frame.types.get(node)
            call = frame.calls.get(node)
            if type_ is not None or call is not None:
                target = call and (
                    type(call.target).__name__,
                    getattr(call.target, "name", None),
                    sorted(call.arguments),
                )
                found.append((node.start, node.end, type_ and display(type_), type_ and type_.literal, target))
    return found


def edited(text: str, choose: random.Random) -> tuple[int, int, str]:
    """A change of a line, a word or a character, as people and fixes make them."""
    lines = text.splitlines(keepends=True)
    number = choose.randrange(len(lines))
    start = sum(map(len, lines[:number]))
    line = lines[number]
    kind = choose.randrange(7)
    if kind == 0:
        return start, start, choose.choice(LINES) + "\n"
    if kind == 1:
        return start, start + len(line), ""
    if kind == 2:
        return start, start, choose.choice(lines)
    words = [(match.start(), match.end()) for match in re.finditer(r"\w[\w.]*|\S", line)]
    if not words:
        return start, start, " "
    first, last = choose.choice(words)
    if kind == 3:
        return start + first, start + last, ""
    if kind == 4:
        return start + last, start + last, choose.choice("x1. ,()")
    if kind == 5:
        other = choose.choice(lines)
        found = [match.group() for match in re.finditer(r"\w[\w.]*", other)] or ["x"]
        return start + first, start + last, choose.choice(found)
    return start + first, start + last, choose.choice(WORDS)


def histories(texts: list[str], edits: int, seed: int) -> Iterator[tuple[str, str]]:
    """Edits one after another in each of `texts`; where a fresh check of the text differs, the texts before and now."""
    for number, text in enumerate(texts):
        choose = random.Random(seed * 100_003 + number)
        document = parse(text)
        check(document)
        for _ in range(edits):
            before = document.text
            start, end, replacement = edited(before, choose)
            document.edit(start, end, replacement)
            if told(check(document)) != told(check(parse(document.text))):
                yield before, document.text
            if choose.random() < 0.7:
                document.edit(start, start + len(replacement), before[start:end])
                check(document)


@pytest.mark.parametrize("seed", range(2))
def test_an_edited_script_is_checked_as_if_it_were_new(seed: int) -> None:
    assert list(histories(scripts()[seed::4], 12, seed)) == []


def test_a_function_that_comes_to_depend_on_history_is_warned_of_where_its_calls_stay_as_they_are() -> None:
    text = """//@version=6
indicator("a")
f(float x) =>
    x + 1
value = 0.0
if close > open
    value := f(close)
plot(value)
"""
    document = parse(text)
    assert [found.code for found in check(document).diagnostics] == []
    place = document.text.index("x + 1")
    document.edit(place, place + 5, "x[1]!")
    document.edit(place + 4, place + 5, "")
    assert [found.code for found in check(document).diagnostics] == ["CW10003"]
    document.edit(place, place + 4, "x + 1")
    assert [found.code for found in check(document).diagnostics] == []


def test_a_type_that_is_declared_for_a_template_counts_from_then_on() -> None:
    document = parse('//@version=6\nindicator("a")\nfound = array.new<label>()\nplot(found.get(0).x)\n')
    for _ in range(3):
        assert [found.code for found in check(document).diagnostics] == ["CE10198"]
    place = document.text.index("found")
    document.edit(place, place, "type label\n    int x\n")
    assert [found.code for found in check(document).diagnostics] == []


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
def test_an_edited_real_script_is_checked_as_if_it_were_new(seed: int) -> None:
    """20 edits in each of the corpus's scripts."""
    corpus = os.environ.get("PINEBENCH_CORPUS")
    texts = (
        [path.read_text(encoding="utf-8", errors="replace") for path in sorted(Path(corpus).rglob("*.pine"))]
        if corpus
        else scripts()
    )
    assert next(histories(texts[seed::4], 20, seed), None) is None
