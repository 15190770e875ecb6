"""Types of operators, and the operand that is blamed with the type that is asked of it."""

from __future__ import annotations

import pytest

from pinebench.checker import open_program
from tests.checker.support import codes, messages, spans, type_of
from tests.tables import each

ENUM = "enum E\n    a\nenum F\n    b\n"


@each(
    ("expression", "expected"),
    [
        ("1 + 2", "const int"),
        ("1 + 2.0", "const float"),
        ("5 / 2", "const int"),
        ("close + 1", "series float"),
        ("bar_index % 2", "series int"),
        ("-1", "const int"),
        ("-bar_index", "series int"),
        ("na + 1", "simple int"),
        ('"a" + "b"', "const string"),
        ('"a" + syminfo.ticker', "simple string"),
        ("display.pane + display.data_window", "const plot_display"),
        ("text.format_bold + text.format_italic", "const text_format"),
        ("1 < 2", "const bool"),
        ("close < 2", "series bool"),
        ("1 == 1.0", "const bool"),
        ("color.red == color.blue", "series bool"),
        ("not true", "const bool"),
        ("close > 1 and true", "series bool"),
        ("true ? 1 : 2", "const int"),
        ("true ? 1 : 2.0", "const float"),
        ("close > 1 ? 1 : 2", "series int"),
        ("timeframe.isdaily ? 1 : 2", "simple int"),
        ("true ? na : 1.0", "simple float"),
        ("1 + 2 + 3 + close", "series float"),
        ("(1 + 2) * 3.0", "const float"),
    ],
)
def test_the_type_of_an_expression(expression: str, expected: str) -> None:
    assert codes(f"x = {expression}") == ""
    assert type_of(f"x = {expression}", "x") == expected


@each(
    ("expression", "operand", "number", "given", "expected"),
    [
        ("true + 1", "true", 0, "literal bool", "const int"),
        ("1.5 - false", "false", 1, "literal bool", "const float"),
        ("color.red * 2", "color.red", 0, "const color", "const int"),
        ('"a" + 1', "1", 1, "literal int", "const string"),
        ('close + "a"', "close", 0, "series float", "const string"),
        ('-"a"', '"a"', 0, "literal string", "simple int"),
        ('scale.left + "a"', "scale.left", 0, "const scale_type", "const string"),
        ("not 5", "5", 0, "literal int", "simple bool"),
        ("5 and true", "5", 0, "literal int", "const bool"),
        ("close > 1 or 5", "5", 1, "literal int", "series bool"),
        ("close > 1 or na", "na", 1, "simple na", "series bool"),
        ('close > "a"', '"a"', 1, "literal string", "const float"),
        ('close == "a"', '"a"', 1, "literal string", "const float"),
        ("1 == true", "1", 0, "literal int", "const bool"),
        ("color.red == 1", "color.red", 0, "const color", "const float"),
        ("E.a == 1", "1", 1, "literal int", "const enum"),
        ("E.a == F.b", "F.b", 1, "const F", "const enum"),
        ("5 ? 1 : 2", "5", 0, "literal int", "const bool"),
        ("close ? close : 2", "close", 0, "series float", "series bool"),
        ('close > 1 ? 1 : "a"', '"a"', 2, "literal string", "simple int"),
        ('close > 1 ? "a" : false', '"a"', 1, "literal string", "simple bool"),
        ("close > 1 ? true : 1", "1", 2, "literal int", "simple bool"),
        ("close > 1 ? 1.5 : true", "1.5", 1, "literal float", "simple bool"),
        ("close > 1 ? color.red : 2", "2", 2, "literal int", "simple color"),
        ('close > 1 ? close : "a"', '"a"', 2, "literal string", "series float"),
    ],
)
def test_the_operand_to_blame(expression: str, operand: str, number: int, given: str, expected: str) -> None:
    script = f"{ENUM}x = {expression}"
    assert spans(script) == [f"CE10123 {operand}"]
    message = messages(script)[0]
    assert f'argument "expr{number}"=' in message
    assert f'of "{given}" type was used but a "{expected}"  is expected' in message


def test_a_literal_beside_a_special_constant_is_none_of_its_kind() -> None:
    script = 'x = text.format_bold + ","'
    assert spans(script) == ['CE10068 ","']
    assert messages(script)[0].startswith('Invalid argument "expr1" in "operator +" call. Possible values: [text.')


@pytest.mark.parametrize("expression", ["color.red > color.blue", '"a" - "b"', "1 and 2", "true > false"])
def test_both_operands_may_be_wrong(expression: str) -> None:
    assert codes(f"x = {expression}") == "CE10123 CE10123"


@pytest.mark.parametrize("expression", ["close == na", "na != close", "na == na"])
def test_na_is_not_compared(expression: str) -> None:
    assert codes(f"x = {expression}") == "CE10187"


def test_a_tuple_is_no_branch() -> None:
    assert spans("x = close > 1 ? [1, 2] : [3, 4]") == ["CE10163 [1, 2]"]


@each("expression", ["B.f() + true", '"a" - B.f()', "B.f() == true", "B.f() and true", "-B.f()"])
def test_an_unknown_operand_is_never_wrong(expression: str) -> None:
    assert codes(f"import A/B/1\nx = {expression}") == ""


def test_one_wrong_operand_does_not_echo_through_a_chain() -> None:
    assert codes('x = 1 + "a" + 2 + 3') == "CE10123"


@each("operator", ["==", "!=", "<", ">", "<=", ">="])
def test_not_before_a_comparison_says_that_it_takes_only_what_follows_it(operator: str) -> None:
    value = '"y"' if operator in ("==", "!=") else "2"
    first = f"x = {value}\n"
    program = open_program(f'//@version=6\nindicator("t")\n{first}y = not x {operator} {value}\nplot(y ? 1 : 0)\n')
    (error,) = [found for found in program.diagnostics if found.code == "CE10123"]
    assert error.hint is not None
    assert f"`not (a {operator} b)`" in error.hint
    repaired = open_program(f'//@version=6\nindicator("t")\n{first}y = not (x {operator} {value})\nplot(y ? 1 : 0)\n')
    assert repaired.diagnostics == []
