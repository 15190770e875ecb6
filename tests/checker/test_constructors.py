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


@each("call", ["Point.copy(p)", "Point.copy(id = p)", "Point.copy(na)", "p.copy()", "p.copy().copy()"])
def test_an_object_is_copied(call: str) -> None:
    script = f"{POINT}p = Point.new(1)\nq = {call}"
    assert spans(script) == []
    assert type_of(script, "q") == "Point"


@each(
    ("call", "expected"),
    [
        ("Point.copy()", ["CE10165 Point.copy"]),
        ("Point.copy(5)", ["CE10123 5"]),
        ("Point.copy(line.new(1, 2, 3, 4))", ["CE10123 line.new(1, 2, 3, 4)"]),
        ("Point.copy(p, 1)", ["CE10115 1"]),
        ("Point.copy(object = p)", ["CE10120 object"]),
        ("Point.copy(x = 1)", ["CE10120 x"]),
        ("p.copy(1, 2)", ["CE10115 1, 2"]),
    ],
)
def test_a_copy_takes_one_object_of_the_type(call: str, expected: list[str]) -> None:
    assert spans(f"{POINT}p = Point.new(1)\nq = {call}") == expected


def test_an_unknown_argument_switches_off_the_types() -> None:
    assert spans(f'import A/B/1\n{POINT}p = Point.new("a", B.f())') == []
