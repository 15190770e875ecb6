"""Where strings end, and how far the search goes for the end of one that has none."""

import pytest

from pinebench.syntax.strings import broken_end, closed_end


@pytest.mark.parametrize(
    ("text", "delimiter", "rest"),
    [
        ("'a' + b", "'", " + b"),
        ("'a\\' b' + c", "'", " + c"),
        ("'a\n  b' + c", "'", " + c"),
        ('""" "a"\nb""" + c', '"""', " + c"),
    ],
)
def test_the_end_of_a_string(text: str, delimiter: str, rest: str) -> None:
    assert text[closed_end(text, delimiter, 0, {}) :] == rest


def test_a_string_ends_before_a_line_in_column_one() -> None:
    text = "'a\nb = 'c'\n"
    assert closed_end(text, "'", 0, {}) == -1
    assert text[broken_end(text, "'", 0) :] == "\nb = 'c'\n"


def test_a_search_that_failed_is_not_made_again() -> None:
    text = '"""a\n' * 2
    unclosed: dict[str, int] = {}
    assert closed_end(text + '"' * 3, '"""', 5, unclosed) > 0
    assert closed_end(text[:5], '"""', 0, unclosed) == -1
    assert closed_end('"""a"""', '"""', 0, unclosed) == -1


@pytest.mark.parametrize("text", ["'a\n'b'", "'a\\\n'b'", "'a\\\n  + 'b'"])
def test_a_search_that_failed_says_nothing_of_what_begins_behind_it(text: str) -> None:
    unclosed: dict[str, int] = {}
    assert closed_end(text, "'", 0, unclosed) == -1
    assert closed_end(text, "'", text.index("'", 1), unclosed) == len(text)
