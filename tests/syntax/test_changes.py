"""A script after many edits at once: as if it were parsed anew, and only what stands near the edits is parsed."""

import random

import pytest

from pinebench.diagnostics import Edit, Span
from pinebench.syntax import parse
from pinebench.syntax.changes import document_after
from pinebench.syntax.edits import apply_edits
from tests.syntax.support import picture, samples

LONG = "//@version=6\n" + "".join(f"a{number} = close[{number}]\n" for number in range(60))


def some_edits(text: str, choose: random.Random) -> list[Edit]:
    """Edits that do not overlap, in any order; many of them break what they touch."""
    places = sorted(choose.sample(range(len(text)), 2 * choose.randrange(1, 13)))
    words = ("", "\n", "(", '"', "x", "if a\n    b\n", "//@version=5\n", " = 1\n")
    edits = [
        Edit(Span(start, min(end, start + choose.randrange(5))), choose.choice(words))
        for start, end in zip(places[::2], places[1::2], strict=True)
    ]
    choose.shuffle(edits)
    return edits


@pytest.mark.parametrize("seed", range(40))
def test_many_edits_at_once_give_what_parsing_anew_gives(seed: int) -> None:
    choose = random.Random(seed)
    text = choose.choice([LONG, *samples().values()])
    snapshot = parse(text).snapshot
    edits = some_edits(text, choose)
    changed = document_after(snapshot, edits)
    assert changed.text == apply_edits(text, edits)
    assert picture(changed) == picture(parse(changed.text))
    assert snapshot.text == text


def test_statements_between_edits_are_not_parsed_again() -> None:
    snapshot = parse(LONG).snapshot
    edits = [Edit(Span(place, place + 1), "b") for place in (LONG.index("a1 "), LONG.index("a30 "), LONG.index("a58 "))]
    before = {id(chunk.body) for chunk in snapshot.chunks}
    again = [chunk for chunk in document_after(snapshot, edits).chunks if id(chunk.body) not in before]
    assert [chunk.text.partition(" ")[0] for chunk in again] == ["b1", "b30", "b58"]
