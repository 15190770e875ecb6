"""Constructors of user-defined types take fields by place or name, and all of them may be left out."""

from __future__ import annotations

from tests.checker.support import messages, spans, type_of
from tests.tables import each

POINT = "type Point\n    float x = 0\n    string name\n    Point next\n"


@each("arguments", ["", "1", '1.5, "a"', 'name = "a"', "1, next = Point.new()", "na, na, na", "close, next = na"])
def test_accepted(arguments: str) -> None:
    script = f"{POINT}p = Point.new({arguments})"
    assert spans(script) == []
    assert type_of(script, "p") == "Point"


@each(
    ("arguments", "expected"),
    [
        ('"a"', ['CE10123 "a"']),
        ("1, 2, 3", ["CE10123 2", "CE10123 3"]),
        ('1, "a", na, 4, 5', ["CE10115 4, 5"]),
        ("y = 1", ["CE10120 y"]),
        ("1, x = 2", ["CE10072 x = 2"]),
        ("x = 1, 2", ["CE10157 2"]),
    ],
)
def test_refused(arguments: str, expected: list[str]) -> None:
    assert spans(f"{POINT}p = Point.new({arguments})") == expected


def test_the_message_names_the_fields_type() -> None:
    assert messages(f"{POINT}p = Point.new(next = 5)") == [
        'Cannot call "Point.new" with argument "next"="5". An argument of "literal int" type was used but a "Point"'
        "  is expected."
    ]


def test_an_unknown_argument_switches_off_the_types() -> None:
    assert spans(f'import A/B/1\n{POINT}p = Point.new("a", B.f())') == []
