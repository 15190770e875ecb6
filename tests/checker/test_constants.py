"""Values of constant expressions, folded without running the script."""

import pytest

from pinebench.checker.constants import Value, string_value
from tests.checker.support import value
from tests.tables import each


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
