"""A search finds names, sentences and what to watch out for."""

from pinebench.services.explained import unknown
from pinebench.services.reference_search import nearest, search
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


@each(
    ("question", "name"),
    [
        ("why is my plot title not allowed to be series", "plot"),
        ("how do I make a trailing stop", "strategy.exit"),
        ("request data from a lower timeframe", "request.security_lower_tf"),
        ("alert message with a changing price", "alertcondition"),
    ],
)
def test_a_question_that_no_text_has_whole_finds_what_has_its_rarest_words(question: str, name: str) -> None:
    assert search(question) == []
    assert name in [hit.name for hit in nearest(question, 5)]
    assert f"'{name}'" in (unknown(question).hint or "")


def test_a_question_about_nothing_in_pine_finds_nothing() -> None:
    assert nearest("quantum entanglement", 5) == nearest("", 5) == nearest("how do I", 5) == []
    assert unknown("quantum entanglement").hint == "codes look like CE10156, names like ta.sma"
