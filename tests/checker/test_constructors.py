"""Constructors of user-defined types take fields by place or name, and all of them may be left out."""

from __future__ import annotations

from tests.checker.support import messages

POINT = "type Point\n    float x = 0\n    string name\n    Point next\n"


def test_the_message_names_the_fields_type() -> None:
    assert messages(f"{POINT}p = Point.new(next = 5)") == [
        'Cannot call "Point.new" with argument "next"="5". An argument of "literal int" type was used but a "Point"'
        "  is expected."
    ]
