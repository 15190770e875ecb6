"""The keywords that are explained are those that the scanner knows."""

from pinebench import reference
from pinebench.syntax.words import RESERVED, WORDS

WITHOUT_MEANING = {
    "do",
    "return",
    "catch",
    "class",
    "ellipse",
    "is",
    "polygon",
    "range",
    "struct",
    "text",
    "throw",
    "try",
}


def test_every_keyword_with_a_meaning_is_described() -> None:
    assert reference.keywords() == (set(WORDS) | RESERVED) - WITHOUT_MEANING - {"input"}


def test_a_description_is_whole_sentences() -> None:
    for name in reference.keywords():
        keyword = reference.keyword(name)
        assert keyword is not None
        assert name in keyword.form
        assert keyword.description.endswith(".")


def test_another_word_is_no_keyword() -> None:
    assert reference.keyword("close") is None
