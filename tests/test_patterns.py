"""Regular expressions that are compiled when they are first used, and that none of ours takes long on any text."""

import re
from math import inf
from pathlib import Path

import pytest

import pinebench
from pinebench.patterns import lazy_pattern
from tests.ambiguity import patterns, ways


def test_a_lazy_pattern_is_used_like_a_compiled_one() -> None:
    words = r"(?P<digits>\d+)|(x)"
    lazy, compiled = lazy_pattern(words, re.IGNORECASE), re.compile(words, re.IGNORECASE)
    text = "ab12X7"
    for _ in range(2):
        assert lazy.sub("-", text) == compiled.sub("-", text)
        assert [found.span() for found in lazy.finditer(text)] == [found.span() for found in compiled.finditer(text)]
        found = lazy.match(text, 2, 3)
        assert found is not None
        assert found[0] == "1"
    assert (lazy.pattern, lazy.flags, lazy.groups) == (compiled.pattern, compiled.flags, compiled.groups)


def test_a_wrong_expression_is_told_at_its_first_use() -> None:
    wrong = lazy_pattern("(")
    with pytest.raises(re.error):
        wrong.search("")


SLOW = {
    r"\{\{\s*([^{}]+?)\s*\}\}": 3,
    r"([ \t]*)/\*+[ \t]*(.*?)[ \t]*\*/[ \t]*": 3,
    r"\s*\w*\s*\d*\s*": 3,
    r"(a+)+$": inf,
    r"(x+x+)+y": inf,
    r"(?:\s*\w*)*;": inf,
    r"^(([a-z])+.)+[A-Z]([a-z])+$": inf,
    r"(\w+\s?)*$": inf,
}
"""Patterns that try a text in many ways, with the number of repeats among which it can be shared."""
QUICK = (
    *(r"\{\{([^{}]{1,200})\}\}", r"\s*a\s*b\s*", r"(\w+,)*x", r"(?:\w+[ \t]+)*\w+", r"[a-z0-9]+(?:-[a-z0-9]+)*"),
    *(r'"(?:[^"\\]|\\.)*"', r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", r"\s*+\w++\s*+x", r"(?>a+)+b"),
)


def test_the_ways_in_which_a_text_can_be_shared_are_counted() -> None:
    assert {text: ways(text) for text in SLOW} == SLOW
    assert [text for text in QUICK if ways(text) > 2] == []


def test_no_pattern_takes_more_than_the_square_of_the_length_of_a_text() -> None:
    """They are used on texts of users. Where three repeats can share a run of blanks, 4,000 blanks take minutes."""
    found = list(patterns(Path(pinebench.__file__).parent))
    assert len(found) > 350
    assert [(place, text) for place, text, flags in found if ways(text, flags) > 2] == []
