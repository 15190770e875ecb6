"""Any text gets a tree and a report in bounded time, never an exception."""

import random

import pytest
from hypothesis import given, settings

from pinebench.syntax import parse
from pinebench.syntax.nesting import LIMIT
from pinebench.syntax.walk import depth, walk
from tests.syntax.generator import texts
from tests.syntax.support import samples

HEAD = "//@version=6\n"
SAMPLES = samples()

MANY = 5000
MONSTERS = {
    "brackets": "x = " + "(" * MANY + "1" + ")" * MANY,
    "open brackets": "x = " + "(" * MANY,
    "closing brackets": "x = 1" + ")" * MANY,
    "square brackets": "x = " + "[" * MANY,
    "calls": "x = " + "f(" * MANY + ")" * MANY,
    "sum": "x = " + "a + " * MANY + "1",
    "powers of nothing": "x = " + "a * b + " * MANY + "1",
    "signs": "x = " + "-" * MANY + "1",
    "nots": "x = " + "not " * MANY + "a",
    "ternaries": "x = " + "a ? b : " * MANY + "c",
    "ternaries inside": "x = " + "a ? " * MANY + "b" + " : c" * MANY,
    "members": "x = a" + ".b" * MANY,
    "method calls": "x = a" + ".b()" * MANY,
    "history": "x = a" + "[1]" * MANY,
    "else ifs": "if a\n    b = 1\n" + "else if c\n    b = 2\n" * MANY,
    "ifs": "".join("    " * level + "if a\n" for level in range(400)) + "    " * 400 + "b = 1\n",
    "templates": "x = " + "array<" * MANY + "int" + ">" * MANY + " y = 1",
    "triple quotes": '\\"""\n' * MANY,
    "open strings": '\\"x\n' * MANY,
    "quotes": "\"'" * MANY,
    "semicolons": ";" * MANY,
    "broken lines": "a b c d\n" * MANY,
    "broken block": "f() =>\n" + "    a b c d\n" * MANY,
    "indents": "".join(" " * 4 * (level % 50) + "a\n" for level in range(MANY)),
    "headers": "if a\n" * MANY,
    "elses": "else\n" * MANY,
    "commas": "a = 1, " * MANY,
    "wraps": "a = 1\n  + 2\n" * MANY,
    "wrapped operators": "a = b\n" + "    ? c\n" * MANY,
    "comments": "// @\n" * MANY,
    "blank lines": "\n" * MANY,
    "carriage returns": "\r" * MANY,
    "NUL": "\x00" * MANY,
    "surrogates": "\ud800\udfff" * MANY,
    "byte order marks": "\ufeff" * MANY,
}


@pytest.mark.parametrize("name", MONSTERS)
def test_monsters(name: str) -> None:
    document = parse(HEAD + MONSTERS[name])
    assert all(found.message for found in document.diagnostics)
    for chunk in document.chunks:
        assert len(repr(chunk.body[0])) > 0 if chunk.body and depth(chunk.body) < LIMIT else True
        assert sum(1 for _ in walk(chunk.body)) >= len(chunk.body)


@pytest.mark.soak
def test_a_line_of_a_million_characters() -> None:
    text = HEAD + "x = array.from(" + "1, " * 333_000 + "1)\n"
    assert parse(text).diagnostics == []
    assert [found.code for found in parse(HEAD + "x = 'a" + "b" * 1_000_000).diagnostics] == ["CE10004"]


@pytest.mark.soak
def test_a_hundred_thousand_lines() -> None:
    text = HEAD + "x := close > open ? x + 1 : 0\n" * 100_000
    document = parse(text)
    assert document.diagnostics == []
    assert len(document.chunks) == 100_000


@pytest.mark.parametrize("line_break", ["\r\n", "\r"])
def test_line_breaks_change_nothing_but_places(line_break: str) -> None:
    text = SAMPLES["language_tour.pine"].replace("\r\n", "\n")
    plain, other = parse(text), parse(text.replace("\n", line_break))
    assert other.diagnostics == []
    assert len(other.chunks) == len(plain.chunks)
    assert [type(node) for chunk in plain.chunks for node in walk(chunk.body)] == [
        type(node) for chunk in other.chunks for node in walk(chunk.body)
    ]


def test_byte_order_mark() -> None:
    assert parse("\ufeff" + HEAD + "plot(close)\n").diagnostics == []


@settings(max_examples=300, deadline=None)
@given(texts())
def test_any_text(text: str) -> None:
    document = parse(text)
    for found in document.diagnostics:
        assert 0 <= found.span.start <= found.span.end <= len(text) + 1
        assert found.message


@pytest.mark.parametrize("seed", range(100))
def test_mutated_samples(seed: int) -> None:
    text = mutated(random.Random(seed), SAMPLES)
    document = parse(text)
    assert "".join(chunk.text for chunk in document.chunks) == text
    assert all(found.message for found in document.diagnostics)


def mutated(source: random.Random, scripts: dict[str, str]) -> str:
    """A script with a few random deletions, doublings, swaps and strange characters."""
    text = scripts[source.choice(sorted(scripts))]
    for _ in range(source.randrange(1, 6)):
        start = source.randrange(len(text) + 1)
        end = min(len(text), start + source.randrange(1, 30))
        choice = source.randrange(4)
        piece = text[start:end]
        if choice == 0:
            text = text[:start] + text[end:]
        elif choice == 1:
            text = text[:end] + piece + text[end:]
        elif choice == 2:
            text = text[:start] + piece[::-1] + text[end:]
        else:
            text = text[:start] + source.choice("()[]\"'\n\t ,=>\\\x00é\ud800") + text[start:]
    return text
