"""Habits of other languages: the hint says what Pine has, and no line that is only wrapped wrongly is taken for one."""

import pytest

from pinebench.syntax import parse

HEAD = '//@version=6\nindicator("x")\n'


def hint(body: str) -> str:
    found = [finding for finding in parse(f"{HEAD}{body}\n").diagnostics if finding.severity == 0]
    return found[0].hint or ""


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("def f(x):\n    return x + 1", "name(parameters) =>"),
        ("function f(x)\n    x + 1", "name(parameters) =>"),
        ("f(x) =>\n    return x + 1", "no `return`"),
        ('if close > open\n    alert("a")\nelif close < open\n    alert("b")', "else if"),
        ('if close > open:\n    alert("a")', "no `:`"),
        ('if close > open\n    alert("a")\nelse:\n    alert("b")', "no `:`"),
        ('while true do\n    alert("a")', "`then` or `do`"),
        ("x = switch close\n    case 1: 2\n    => 3", "value => result"),
        ("for (i = 0, i < 5, i += 1)\n    x = 1", "for i = 0 to 4"),
        ("var x = 0\nx++", "x += 1"),
        ("x = close ?? 1", "nz(x, y)"),
        ("x = #GG0000", "six or eight digits"),
        ("plot(close, color = #ZZ)", "six or eight digits"),
        ("plot(close, color=#FFF)", "six or eight digits"),
        ("x = close > open ? #12345 : color.red", "six or eight digits"),
        ("# a comment", "comments begin with"),
        ("x = close # a comment", "comments begin with"),
        ("x = 5 ** 2", "math.pow"),
        ('label.new(1, 1, f"x {close}")', "str.format()"),
        ("f = x => x + 1", "by name"),
        ("a = array.from(1, 2)\na[0] := 3", "array.set"),
        ('t = table.new(position.top_right, 1, 1)\nt[0, 0] = "x"', "table.cell"),
        ("m = matrix.new<float>(1, 1)\nm[0, 0] := 3", "matrix.set"),
        ("import math", "import User/Library/1"),
        ('if close = open\n    alert("a")', "`==`"),
        ("f(x)\n    x + 1", "`=>` after its parameters"),
    ],
)
def test_the_hint_names_what_pine_has(body: str, words: str) -> None:
    assert words in hint(body)


@pytest.mark.parametrize(
    "body",
    [
        "x = close +\n    open",
        "x = close > open ?\n    1 : 2",
        "y = math.max(1, 2) +\n    // default: case\n    3",
        "x = 'def f(x):' +\n    'b'",
    ],
)
def test_a_wrapped_line_is_none(body: str) -> None:
    assert "indent a continued line" in hint(body)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("x = 0\nfor i in range(5):\n    x += i", "for i = 0 to 4"),
        ('a = array.from(1, 2)\nfor x of a\n    log.info("a")', "for value in array"),
        ('if close > open and not na(close) && high > low\n    alert("x")', "`and`"),
        ('if close > open or not na(close) || high > low\n    alert("x")', "`or`"),
        ('x = 1\nif x in [1, 2]\n    alert("a")', "array.includes"),
        ("a = new array<float>()", "array.new<float>()"),
        ("assert close > 0", "runtime.error()"),
        ("x = 1\ndel x", "no `del`"),
        ("f() =>\n    global x\n    1", "no `global`"),
        ("x = [0] * 5", "array.new<float>(5, 0.0)"),
        ("plot(close) if close > open", "the condition comes first"),
    ],
)
def test_the_hint_names_what_pine_has_for_habits_of_python_and_javascript(body: str, words: str) -> None:
    assert words in hint(body)
