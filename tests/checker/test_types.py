"""Bases are interned, combine and assign by Pine's rules, and are named as TradingView names them."""

import gc

import pytest

from pinebench.checker import check
from pinebench.checker.symbols import TypeSymbol
from pinebench.checker.types import (
    BOOL,
    COLOR,
    CONST,
    FLOAT,
    INPUT,
    INT,
    NA,
    OBJECTS,
    SERIES,
    SIMPLE,
    SPECIALS,
    STRING,
    UNDETERMINED,
    UNKNOWN,
    UNKNOWN_BASE,
    VOID_TYPE,
    Base,
    Type,
    array_of,
    assignable,
    display,
    map_of,
    matrix_of,
    parse_type,
    tuple_of,
    unify,
    union_of,
)
from pinebench.syntax import parse
from tests.tables import each

LINE, LABEL = OBJECTS["line"], OBJECTS["label"]
DISPLAY, STYLE = SPECIALS["plot_display"], SPECIALS["plot_style"]


def test_composed_types_are_interned() -> None:
    assert array_of(INT) is array_of(INT) is not array_of(FLOAT)
    assert matrix_of(INT) is matrix_of(INT)
    assert map_of(STRING, INT) is map_of(STRING, INT) is not map_of(INT, STRING)
    assert union_of((INT, FLOAT)) is union_of((INT, FLOAT))
    assert tuple_of((INT.at(SIMPLE),)) is tuple_of((INT.at(CONST),))


def test_a_union_of_one_is_that_one() -> None:
    assert union_of((INT,)) is INT


def test_qualifiers_are_ordered_from_weak_to_strong() -> None:
    assert CONST < INPUT < SIMPLE < UNDETERMINED < SERIES


@pytest.mark.parametrize(
    ("qualifiers", "shared"), [((CONST, CONST), SIMPLE), ((CONST, INPUT), SIMPLE), ((CONST, SERIES), SERIES)]
)
def test_items_of_a_tuple_share_the_strongest_qualifier(qualifiers: tuple[int, ...], shared: int) -> None:
    type_ = tuple_of(tuple(INT.at(qualifier) for qualifier in qualifiers))
    assert type_.qualifier == shared
    assert {item.qualifier for item in type_.base.items} == {shared}


@each(
    ("target", "value", "expected"),
    [
        (INT, INT, True),
        (FLOAT, INT, True),
        (INT, FLOAT, False),
        (BOOL, INT, False),
        (STRING, INT, False),
        (INT, NA, True),
        (LINE, NA, True),
        (BOOL, NA, False),
        (STYLE, NA, False),
        (LINE, LABEL, False),
        (DISPLAY, INT, True),
        (STYLE, INT, False),
        (DISPLAY, SPECIALS["plot_simple_display"], True),
        (UNKNOWN_BASE, COLOR, True),
        (COLOR, UNKNOWN_BASE, True),
        (array_of(FLOAT), array_of(INT), True),
        (array_of(INT), array_of(FLOAT), False),
        (array_of(INT), matrix_of(INT), False),
        (map_of(STRING, FLOAT), map_of(STRING, INT), True),
        (map_of(STRING, INT), map_of(INT, INT), False),
        (array_of(UNKNOWN_BASE), array_of(INT), True),
    ],
)
def test_assignable(target: Base, value: Base, expected: bool) -> None:
    assert assignable(target, value) is expected


@each(
    ("first", "second", "expected"),
    [
        (INT, INT, INT),
        (INT, FLOAT, FLOAT),
        (FLOAT, NA, FLOAT),
        (NA, LINE, LINE),
        (NA, NA, NA),
        (BOOL, NA, None),
        (INT, STRING, None),
        (LINE, LABEL, None),
        (UNKNOWN_BASE, STRING, UNKNOWN_BASE),
        (array_of(INT), array_of(FLOAT), array_of(FLOAT)),
    ],
)
def test_unify_either_way(first: Base, second: Base, expected: Base | None) -> None:
    assert unify(first, second) is expected
    assert unify(second, first) is expected


@each(
    ("type_", "expected"),
    [
        (INT.literal, "literal int"),
        (INT.at(CONST), "const int"),
        (STRING.at(SERIES), "series string"),
        (FLOAT.at(UNDETERMINED), "float"),
        (NA.at(SIMPLE), "simple na"),
        (LINE.at(SERIES), "series line"),
        (array_of(LINE).at(SERIES), "array<line>"),
        (map_of(STRING, INT).at(SERIES), "map<string, int>"),
        (UNKNOWN, "unknown"),
        (VOID_TYPE, "void"),
    ],
)
def test_display(type_: Type, expected: str) -> None:
    assert display(type_) == expected


@each(
    ("text", "qualifier", "base"),
    [
        ("series int", SERIES, INT),
        ("const string", CONST, STRING),
        ("int|float", SERIES, union_of((INT, FLOAT))),
        ("simple int|float", SIMPLE, union_of((INT, FLOAT))),
        ("array<int>", SERIES, array_of(INT)),
        ("array<(int|float)>", SERIES, array_of(union_of((INT, FLOAT)))),
        ("map<string, float>", SERIES, map_of(STRING, FLOAT)),
        ("input plot_style", INPUT, STYLE),
    ],
)
def test_the_references_type_texts_are_read(text: str, qualifier: int, base: Base) -> None:
    assert parse_type(text) == (qualifier, base)


def test_a_text_with_a_rest_is_no_type() -> None:
    with pytest.raises(ValueError, match="cannot read"):
        parse_type("int )")


@pytest.mark.parametrize("made", ["map.new<string, Brief>()", "map.new<E, float>()", "array.new<Brief>()", "f()"])
def test_types_made_of_a_scripts_own_go_with_the_script(made: str) -> None:
    script = (
        "//@version=6\nindicator('')\nenum E\n    a\ntype Brief\n    E e\nf() => [Brief.new(E.a), E.a]\nplot(close)\n"
    )
    assert check(parse(f"{script}{made}\n")).diagnostics == []
    # What is made of a type keeps it; so the one goes with the first collection and the other with the second.
    gc.collect()
    gc.collect()
    assert [kept for kept in gc.get_objects() if isinstance(kept, TypeSymbol) and kept.name == "Brief"] == []
