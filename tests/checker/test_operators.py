"""Types of operators, and the operand that is blamed with the type that is asked of it."""

from __future__ import annotations

from pinebench.checker import open_program
from tests.checker.support import messages, spans
from tests.tables import each

ENUM = "enum E\n    a\nenum F\n    b\n"


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
