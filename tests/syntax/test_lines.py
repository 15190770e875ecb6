"""Offsets to lines and columns and back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pinebench.diagnostics import Position
from pinebench.syntax.lines import LineIndex


def test_every_kind_of_line_break_counts_once() -> None:
    lines = LineIndex("a\r\nb\rc\n\r\nd")
    assert [lines.position(offset).line for offset in range(10)] == [1, 1, 1, 2, 2, 3, 3, 4, 4, 5]
    assert [lines.line_text(line) for line in range(7)] == ["", "a", "b", "c", "", "d", ""]
    assert len(lines) == 5


def test_a_carriage_return_before_a_full_break_counts_twice() -> None:
    assert LineIndex("a\r\r\nb").position(4) == Position(3, 1)


def test_columns_are_utf16_units() -> None:
    lines = LineIndex("é😀x\n")
    assert [lines.position(offset).column for offset in range(4)] == [1, 2, 4, 5]
    assert [lines.offset(1, column) for column in range(1, 6)] == [0, 1, 2, 2, 3]


def test_places_outside_the_text_count_as_its_ends() -> None:
    lines = LineIndex("ab\ncd")
    assert lines.position(-1) == Position(1, 1)
    assert lines.position(99) == Position(2, 3)
    assert lines.offset(0, 5) == 0
    assert lines.offset(1, 99) == 2
    assert lines.offset(9, 1) == 5


@given(st.text(st.sampled_from("ab\r\né😀"), max_size=40))
def test_positions_and_offsets_are_inverse(text: str) -> None:
    lines = LineIndex(text)
    for offset in range(len(text) + 1):
        line, column = lines.position(offset)
        back = lines.offset(line, column)
        assert back == offset or text[back:offset].strip("\r\n") == ""
