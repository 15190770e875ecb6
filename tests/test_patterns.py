"""Regular expressions that are compiled when they are first used."""

from __future__ import annotations

import re

import pytest

from pinebench.patterns import lazy_pattern


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
