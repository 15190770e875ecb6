"""People read plain English: `scripts/check_english.py` finds no phrase that it refuses, and finds what it should."""

from pathlib import Path

import pytest

from scripts import check_english
from scripts.check_english import Phrase

EXAMPLES = [
    *((phrase, phrase.example) for phrase in check_english.phrases()),
    *((None, text) for text in ("Applied. Where a script is old it has errors.", "lay it out anew")),
]
ALLOWED = [(phrase, text) for phrase in check_english.phrases() for text in phrase.allowed]


@pytest.mark.parametrize(("phrase", "text"), EXAMPLES, ids=[text for _, text in EXAMPLES])
def test_the_search_finds_an_example_of_each_phrase(phrase: Phrase | None, text: str) -> None:
    found = [each for each, _ in check_english.faults(text)]
    assert phrase in found if phrase else found


@pytest.mark.parametrize(("phrase", "text"), ALLOWED, ids=[text for _, text in ALLOWED])
def test_the_search_leaves_plain_words_alone(phrase: Phrase, text: str) -> None:
    assert phrase not in [each for each, _ in check_english.faults(text)]


def test_code_is_not_searched() -> None:
    assert check_english.faults("the message `nothing is called 'x'`") == []


def test_docstrings_comments_and_messages_are_told_apart(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('"""First."""\n# Second\n# third.\nname = f"four {1} five"\n"""Sixth."""\n', encoding="utf-8")
    found = {(text.kind, text.line, text.words) for text in check_english.texts(module)}
    assert found == {
        ("docstring", 1, "First."),
        ("comment", 2, "Second third."),
        ("message", 4, "four X five"),
        ("docstring", 5, "Sixth."),
    }
