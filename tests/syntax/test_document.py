"""Documents: chunks, versions, comments, edits."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinebench.diagnostics import TextPosition
from pinebench.syntax import Document, parse
from pinebench.syntax.document import form, is_same_form
from pinebench.syntax.walk import walk
from tests.syntax.generator import FRAGMENTS, scripts, texts
from tests.syntax.support import picture, samples

SCRIPT = "".join(samples()["language_tour.pine"].splitlines(keepends=True)[:120])


@given(st.one_of(texts(), scripts()))
@settings(deadline=None)
def test_chunks_make_up_the_text(text: str) -> None:
    document = parse(text)
    assert "".join(chunk.text for chunk in document.chunks) == text
    place = 0
    for chunk in document.chunks:
        assert chunk.start == place
        place = chunk.end


@given(st.one_of(texts(), scripts()))
@settings(deadline=None)
def test_nodes_lie_within_their_chunk_and_their_parent(text: str) -> None:
    for chunk in parse(text).chunks:
        for node in walk(chunk.body):
            assert 0 <= node.start <= node.end <= len(chunk.text) + 1


def test_equal_texts_share_no_nodes() -> None:
    document = parse("a = 1\na = 1\na = 1\n")
    document.edit(6, 6, "a = 1\n")
    nodes = [id(node) for chunk in document.chunks for node in walk(chunk.body)]
    assert len(nodes) == len(set(nodes)) == 12


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("//@version=6\n", 6),
        ("// @version = 5\n", 5),
        ("//@version=4\n//@version=6\n", 4),
        ("indicator('a')\n  //@version=3\n", 3),
        ("plot(close) // no\n", None),
        ("a = '//@version=5'\n//@version=6\n", 6),
        ("\ufeff//@version=6\n", 6),
        ("a = 1\r//@version=6\r", 6),
        ("//@version=12345\n", 12345),
        ("", None),
    ],
)
def test_version(text: str, version: int | None) -> None:
    document = parse(text)
    assert document.version == version
    if version is None:
        assert document.version_span is None
    else:
        assert document.version_span is not None
        assert text[document.version_span.start : document.version_span.end].replace(" ", "") == f"//@version={version}"


def test_comments() -> None:
    text = '//@version=6\n// first\na = f(1, // within\n  2) // behind\n\n  // last\nb = "// none"//x'
    assert [text[span.start : span.end] for span in parse(text).comments] == [
        "//@version=6",
        "// first",
        "// within",
        "// behind",
        "// last",
        "//x",
    ]


def test_tradingview_position_is_on_the_joined_line() -> None:
    text = "x = math.abs(close)\n  .round()\n"
    document = parse(text)
    assert document.tradingview_position(text.index(".round")) == TextPosition(1, 21)
    assert document.tradingview_position(0) == TextPosition(1, 1)


def test_tradingview_position_removes_comments_but_keeps_the_blanks_before_them() -> None:
    text = "if a\n    x = b +  // why\n\n  // more\n      c + d\n"
    document = parse(text)
    assert document.tradingview_position(text.index("c + d")) == TextPosition(2, 15)
    assert document.tradingview_position(text.index("d\n")) == TextPosition(2, 19)


def test_tradingview_position_flattens_strings_of_several_lines() -> None:
    text = 'x = f("""ab\n   c""", y)\n'
    assert parse(text).tradingview_position(text.index("y)")) == TextPosition(1, 19)


def test_tradingview_position_within_parentheses() -> None:
    text = "a = 1\nplot(\n    close,\n    b)\n"
    assert parse(text).tradingview_position(text.index("b)")) == TextPosition(2, 14)


def test_brackets_that_are_open_at_a_place() -> None:
    text = "a = 1\nb = f(')', // )\n  [c]) + d\n"
    document = parse(text)
    assert [document.is_in_brackets(text.index(word)) for word in ("a", "b", "f", "')'", "c", "d")] == [
        *(False, False, False),
        *(True, True, False),
    ]


def test_edit_that_changes_the_version_parses_all_again() -> None:
    text = "//@version=6\nplot(\n    close)\n"
    document = parse(text)
    assert document.diagnostics == []
    document.edit(11, 12, "5")
    assert picture(document) == picture(parse("//@version=5\nplot(\n    close)\n"))
    assert [found.code for found in document.diagnostics] == ["CE10156"]


def test_edit_that_closes_a_triple_quote_far_below() -> None:
    text = 'a = """x\nb = 1\nc = 2\nd = 3\ne = 4\n'
    document = parse(text)
    document.edit(len(text) - 1, len(text), '"""\n')
    assert picture(document) == picture(parse(text[:-1] + '"""\n'))
    assert len(document.chunks) == 1


def test_edit_outside_the_text_counts_as_its_end() -> None:
    document = parse("a = 1")
    document.edit(99, 120, "0\n")
    assert document.text == "a = 10\n"
    document.edit(-5, 1, "b")
    assert document.text == "b = 10\n"


def test_one_edit_parses_few_chunks() -> None:
    parsed: list[int] = []
    document = parse(SCRIPT)
    engine = document._engine
    document._engine = lambda scan: (parsed.append(scan.end), engine(scan))[1]
    document.edit(len(SCRIPT) // 2, len(SCRIPT) // 2, " ")
    assert len(parsed) <= 3 < len(document.chunks)


def _edits(source: random.Random, document: Document) -> tuple[int, int, str]:
    size = len(document.text)
    start = source.randrange(size + 1)
    end = min(size, start + source.choice([0, 0, 0, 1, 1, 2, 5, 40]))
    pieces = [
        "",
        "a",
        " ",
        "\n",
        "\n    ",
        "(",
        ")",
        "[",
        "]",
        '"',
        "'",
        '"""',
        "else",
        "\nelse\n",
        "// ",
        "=",
        "=>",
        ",",
    ]
    return start, end, source.choice([*pieces, " + close[1]", "if a\n    b = 1\n", "f(x) =>\n    x\n", "\r", "\t"])


@pytest.mark.parametrize("seed", range(4))
def test_edited_document_equals_a_fresh_one(seed: int) -> None:
    source = random.Random(seed)
    document = parse(SCRIPT)
    for _ in range(250):
        if len(document.text) < len(SCRIPT) // 2:
            document = parse(SCRIPT)
        document.edit(*_edits(source, document))
        assert picture(document) == picture(parse(document.text))


@given(texts(), st.lists(st.tuples(st.integers(0, 200), st.integers(0, 20), FRAGMENTS), max_size=6))
@settings(deadline=None)
def test_edited_text_equals_a_fresh_one(text: str, edits: list[tuple[int, int, str]]) -> None:
    document = parse(text)
    for start, length, replacement in edits:
        document.edit(start, start + length, replacement)
        fresh = parse(document.text)
        assert picture(document) == picture(fresh)
        assert document.diagnostics == fresh.diagnostics


@settings(max_examples=60, deadline=None)
@given(
    scripts(),
    st.lists(
        st.tuples(st.integers(0, 400), st.integers(0, 3), st.sampled_from(["", " ", "\n", "  // a", "x = 1\n", "1"]))
    ),
)
def test_the_forms_of_two_states_are_compared_without_what_they_share(
    text: str, edits: list[tuple[int, int, str]]
) -> None:
    document = parse(text)
    first = document.snapshot
    for start, length, replacement in edits:
        document.edit(start, start + length, replacement)
        assert is_same_form(document, first) == (form(document) == form(first))
        assert is_same_form(first, document.snapshot) == (form(document) == form(first))
