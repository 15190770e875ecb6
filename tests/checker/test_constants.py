"""Values of constant expressions, folded without running the script."""

from __future__ import annotations

import pytest

from pinebench.checker.constants import Value, string_value
from pinebench.syntax import nodes
from tests.checker.support import checked
from tests.tables import each


def value(script: str) -> tuple[bool, Value]:
    """Whether the value of the last declaration is known, and that value."""
    program = checked(script)
    last = program.document.chunks[-1].body[-1]
    assert isinstance(last, nodes.VariableDeclaration)
    return program.value_of(last.value)


@each(
    ("expression", "expected"),
    [
        ("5", 5),
        ("-5", -5),
        ("2.5", 2.5),
        ("(1 + 2) * 3", 9),
        ("7 / 2", 3.5),
        ("7 % 4", 3),
        ("-7 % 4", -3),
        ("7 % -4", 3),
        ("-7.5 % 2", -1.5),
        ("7.5 % -2", 1.5),
        ('"a" + "b"', "ab"),
        ("not true", False),
        ("1 < 2 and 2 < 1", False),
        ("1 < 2 ? 10 : 20", 10),
        ("color.red", "color.red"),
        ("math.pi", 3.141592653589793),
        ("math.e * 2", 5.43656365691809),
        ("#ff0000", "#ff0000"),
        ("na", None),
        ("-na", None),
        ("int(7.9) + 1", 8),
        ("float(2)", 2.0),
        ("bool(0)", False),
        ('string("a") + "b"', "ab"),
        ("int(na)", None),
        ("color.red == color.red", True),
    ],
)
def test_known(expression: str, expected: Value) -> None:
    assert value(f"x = {expression}") == (True, expected)


@each(
    "expression",
    [
        "close",
        "input.int(5)",
        "1 / 0",
        "5 % 0",
        "na + 1",
        '"a" < 1',
        "bar_index + 1",
        "-color.red",
        'size.small + "a"',
        "display.pane + display.data_window",
        'size.small == "small"',
        "9" * 5000,
        "int(close)",
        "math.abs(-1)",
        "color.red == color.blue",
    ],
)
def test_not_known(expression: str) -> None:
    assert value(f"x = {expression}") == (False, None)


def test_user_constants_and_enum_fields_are_followed() -> None:
    assert value("a = 2\nb = a * 3\nx = b + 1") == (True, 7)
    assert value("enum E\n    a\nx = E.a") == (True, "E.a")
    assert value("a = 2\na := 3\nx = a") == (False, None)
    assert value("a = input.int(2)\nx = a") == (False, None)


def test_a_chain_of_any_length_is_bounded() -> None:
    chain = "".join(f"v{n} = v{n - 1} + 1\n" for n in range(1, 300))
    assert value(f"v0 = 0\n{chain}x = v299") == (False, None)


@pytest.mark.parametrize(
    ("first", "step", "expected"),
    [
        ("1", "v{0} + v{0}", (True, 1 << 60)),
        ("2", "v{0} * v{0}", (False, None)),
        ('"abc"', "v{0} + v{0}", (False, None)),
        ("close", "v{0} + v{0}", (False, None)),
    ],
)
def test_constants_that_double_take_no_time(first: str, step: str, expected: tuple[bool, Value]) -> None:
    chain = "".join(f"v{n} = {step.format(n - 1)}\n" for n in range(1, 61))
    assert value(f"v0 = {first}\n{chain}x = v60") == expected


@each(
    ("text", "expected"),
    [
        ('"a"', "a"),
        ('""', ""),
        (r'"a\nb\t\"\\\q"', 'a\nb\t"\\q'),
        ("'it\"s'", 'it"s'),
        ('"""a"b\n  c"""', 'a"b\n  c'),
        ('"one\n   two"', "one two"),
    ],
)
def test_string_literals(text: str, expected: str) -> None:
    assert string_value(text) == expected
