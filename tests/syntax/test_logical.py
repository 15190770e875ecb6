"""Columns and brackets of a logical line whose strings are open, nested or never closed."""

import pytest

from pinebench.syntax.lines import LineIndex
from pinebench.syntax.logical import LogicalLine


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("a\n  b", {0: 1, 4: 3}),
        ("a // c\n  b", {9: 4}),
        ("'x\n  y' + b", {6: 5, 9: 8}),
        ("'x // y' + b", {11: 12}),
        ('"x // y', {3: 4, 6: 4}),
    ],
)
def test_columns(text: str, columns: dict[int, int]) -> None:
    line = LogicalLine(text, LineIndex(text), 0, len(text))
    assert {offset: line.column(offset) for offset in columns} == columns


def test_brackets_in_strings_do_not_count() -> None:
    text = "f(')' + \"(\" + a"
    assert LogicalLine(text, LineIndex(text), 0, len(text)).depth(len(text)) == 1


@pytest.mark.soak
def test_many_quotes_without_an_end_are_no_trap() -> None:
    # Looking for the end of each anew would not come back from this.
    text = "\"'\\" * 300_000
    assert LogicalLine(text, LineIndex(text), 0, len(text)).depth(len(text)) == 0
