"""A search finds names, sentences and what to watch out for."""

from __future__ import annotations

from pinebench.services.searching import search
from tests.tables import each


@each(
    ("words", "first"),
    [
        ("moving average", {"ta.sma", "ta.ema"}),
        ("rsi", {"ta.rsi"}),
        ("trailing stop", {"strategy.exit"}),
        ("standard deviation", {"ta.stdev", "array.stdev"}),
        ("remainder", {"%", "%="}),
        ("keeps between bars", {"var"}),
        ("CE10156", {"CE10156"}),
    ],
)
def test_the_best_come_first(words: str, first: set[str]) -> None:
    assert first & {hit.name for hit in search(words, 3)}


def test_words_are_found_by_their_beginnings_and_all_are_needed() -> None:
    assert {hit.name for hit in search("aver moving")} == {hit.name for hit in search("moving aver")}
    assert search("moving zebra") == []
    assert search("") == search("?!") == []


def test_traps_are_searched_too() -> None:
    assert "request.security" in {hit.name for hit in search("future lookahead", 20)}


def test_there_are_not_too_many() -> None:
    assert len(search("a", 20)) == 20
