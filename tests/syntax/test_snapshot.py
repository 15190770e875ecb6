"""Snapshots: what was read once stays true, whatever is edited later."""

import random

from pinebench.checker import check
from pinebench.syntax import Snapshot, parse
from pinebench.syntax.walk import walk
from tests.syntax.support import samples

SCRIPT = samples()["language_tour.pine"]


def seen(snapshot: Snapshot) -> list[object]:
    """All that a snapshot says."""
    nodes = [
        (type(node).__name__, snapshot.text[chunk.start + node.start : chunk.start + node.end])
        for chunk in snapshot.chunks
        for node in walk(chunk.body)
    ]
    chunks = [(chunk.start, chunk.end, chunk.text) for chunk in snapshot.chunks]
    return [snapshot.revision, snapshot.version, snapshot.comments, snapshot.diagnostics, chunks, nodes]


def test_no_edit_changes_a_snapshot() -> None:
    source = random.Random(4)
    document = parse(SCRIPT)
    kept: list[tuple[Snapshot, list[object]]] = []
    for _ in range(25):
        kept.append((document.snapshot, seen(document.snapshot)))
        place = source.randrange(len(document.text))
        document.edit(
            place, place + source.randrange(4), source.choice(["", "x", "\n", "(", " = 1\n", "//@version=5\n"])
        )
    assert [snapshot.revision for snapshot, _ in kept] == list(range(25))
    for snapshot, before in kept:
        assert seen(snapshot) == before


def test_a_document_speaks_of_its_latest_snapshot() -> None:
    document = parse("a = 1\n")
    before = document.snapshot
    document.edit(4, 5, "2")
    assert (before.text, before.revision) == ("a = 1\n", 0)
    assert (document.text, document.revision) == ("a = 2\n", 1)
    assert document.snapshot.chunks == document.chunks


def test_a_program_answers_for_the_text_that_it_was_made_of() -> None:
    text = '//@version=6\nindicator("x")\nlength = 3\nplot(ta.sma(close, length))\n'
    document = parse(text)
    program = check(document)
    symbol = program.symbol_at(text.index("length"))
    document.edit(13, 13, "// a line before everything\n")
    assert program.document.text == text and program.document.revision == 0
    assert symbol is not None and program.symbol_at(text.index("length)")) is symbol
    assert [text[span.start : span.end] for span in program.references(symbol)] == ["length", "length"]
    after = check(document)
    assert after.document.revision == 1 and after.document.text == document.text
