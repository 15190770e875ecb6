"""Types of operators, and the operand that is blamed with the type that is asked of it."""

from pinebench.checker import open_program
from tests.tables import each


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
