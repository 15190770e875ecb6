"""Offsets to lines and columns and back."""

from hypothesis import given
from hypothesis import strategies as st

from pinebench.diagnostics import TextPosition
from pinebench.syntax.lines import LineIndex
from tests.call_counts import Calls


def test_every_kind_of_line_break_counts_once() -> None:
    lines = LineIndex("a\r\nb\rc\n\r\nd")
    assert [lines.position(offset).line for offset in range(10)] == [1, 1, 1, 2, 2, 3, 3, 4, 4, 5]
    assert [lines.line_text(line) for line in range(7)] == ["", "a", "b", "c", "", "d", ""]
    assert len(lines) == 5


def test_a_carriage_return_before_a_full_break_counts_twice() -> None:
    assert LineIndex("a\r\r\nb").position(4) == TextPosition(3, 1)


def test_columns_are_utf16_units() -> None:
    lines = LineIndex("é😀x\n")
    assert [lines.position(offset).column for offset in range(4)] == [1, 2, 4, 5]
    assert [lines.offset(1, column) for column in range(1, 6)] == [0, 1, 2, 2, 3]


def test_places_outside_the_text_count_as_its_ends() -> None:
    lines = LineIndex("ab\ncd")
    assert lines.position(-1) == TextPosition(1, 1)
    assert lines.position(99) == TextPosition(2, 3)
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


@given(st.text(st.sampled_from("ab\r\né😀漢"), max_size=40))
def test_columns_count_the_units_of_what_stands_before(text: str) -> None:
    lines = LineIndex(text)
    for offset in range(len(text) + 1):
        line, column = lines.position(offset)
        start = lines.line_start(line)
        assert column == len(text[start:offset].encode("utf-16-le")) // 2 + 1
    for line in range(1, len(lines) + 1):
        content, start = lines.line_text(line), lines.line_start(line)
        units = [len(content[:index].encode("utf-16-le")) // 2 for index in range(len(content) + 1)]
        for column in range(1, units[-1] + 3):
            wanted = next((index for index, unit in enumerate(units) if unit >= column - 1), len(content))
            assert lines.offset(line, column) == start + wanted


def _steps(length: int) -> int:
    """How many functions and rounds of generators 500 places on one long line cost."""
    lines = LineIndex("x😀" * length)
    with Calls() as steps:
        for number in range(500):
            lines.offset(*lines.position(2 * length * number // 500))
    return steps.count


def test_a_place_costs_the_same_on_a_longer_line() -> None:
    assert _steps(64_000) <= 1.6 * _steps(1_000)
