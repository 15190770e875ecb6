"""Tests that a message of a page is read back into its code and values, however long it is."""

import pytest

from pinebench.checker import check
from pinebench.codes import TRADINGVIEW, all_codes
from pinebench.codes.message_parser import read
from pinebench.syntax import parse
from tests.tables import each


@each("name", sorted(name for name, code in all_codes().items() if code.text == TRADINGVIEW))
def test_messages_of_the_checker_are_read_back(name: str) -> None:
    for diagnostic in check(parse(all_codes()[name].bad)).diagnostics:
        if all_codes()[diagnostic.code].text != TRADINGVIEW:
            continue
        found = read(diagnostic.message)
        assert found is not None
        code, values = found
        filled = all_codes()[code].template.format_map(values)
        assert filled == diagnostic.message


def test_values_stand_where_the_placeholders_are() -> None:
    assert read('Undeclared identifier "clsoe"') == ("CE10272", {"identifier": "clsoe"})


@each("text", ["", "no message", "Undeclared identifier", 'Undeclared identifier "', "{}", "\n"])
def test_other_words_are_not_taken_for_a_message(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize("piece", ['"', "' ", 'Cannot call "', '" with argument "', "argument of "])
def test_a_long_message_is_no_trap(piece: str) -> None:
    # A pattern that tries every way to part the text would not come back from this.
    assert read('Cannot call "' + piece * 100_000 + "x") is None
