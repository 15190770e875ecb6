"""Codes, words and places of syntax errors, as TradingView's compiler gave them for scripts of the same shapes."""

import pytest

from pinebench import codes
from pinebench.codes.families import family
from pinebench.diagnostics import Severity, Span, TextPosition
from pinebench.syntax import parse

HEAD = '//@version=6\nindicator("x")\n'
EOL = '"end of line without line continuation"'

ANSWERS = [
    ("v = math.abs(close)\n    .round()\n", 4, 5, "CE10013", f'Mismatched input "." expecting set {EOL}'),
    ("v = close > open ?\n    1 : 2\n", 3, 19, "CE10156", f"Syntax error at input {EOL}"),
    ("v = close > open ?\n1 : 2\n", 3, 19, "CE10156", f"Syntax error at input {EOL}"),
    ("v = close > open\n    ? 1 : 2\n", 4, 5, "CE10013", f'Mismatched input "?" expecting set {EOL}'),
    ("/* note */\nv = 2\n", 3, 1, "CE10156", 'Syntax error at input "new line"'),
    ("v = 2 /* note */\n", 3, 8, "CE10156", 'Syntax error at input "*"'),
    ("list = [4, 5]\n", 3, 8, "CE10156", 'Syntax error at input "["'),
    ("var v = 1\nv := [4, 5]\n", 4, 6, "CE10156", 'Syntax error at input "["'),
    ("[p, q] = [close, true]\n", 3, 10, "CE10156", 'Syntax error at input "["'),
    (
        "if close > open\n    v = ta.ema(close, 9\n    plot(v)\n",
        4,
        1,
        "CE10015",
        "Syntax error: Missing closing parenthesis",
    ),
    ("v = (close * 2\n", 3, 1, "CE10015", "Syntax error: Missing closing parenthesis"),
    ("v = (close * 2))\n", 3, 16, "CE10016", "Syntax error: Extra closing parenthesis"),
    ("plot(close))\n", 3, 12, "CE10016", "Syntax error: Extra closing parenthesis"),
    ("plot(close + )\n", 3, 14, "CE10156", 'Syntax error at input ")"'),
    ("if close > open\nplot(close)\n", 4, 1, "CE10144", "The structure is missing a local code block. Functions,"),
    ("if close > open\n    // later\nplot(close)\n", 5, 1, "CE10144", "The structure is missing a local code block."),
    ("f() =>\nplot(close)\n", 4, 1, "CE10144", "The structure is missing a local code block."),
    (
        "if close > open\n    v = 1\nelse\nplot(close)\n",
        6,
        1,
        "CE10144",
        "The structure is missing a local code block.",
    ),
    ("type T\nplot(close)\n", 4, 1, "CE10013", 'Mismatched input "plot" expecting set "indent"'),
    ("see https://example.com\n", 3, 10, "CE10156", 'Syntax error at input ":"'),
    ("see this\n", 3, 9, "CE10156", f"Syntax error at input {EOL}"),
    ("v = close\n? high : low\n", 4, 1, "CE10156", 'Syntax error at input "new line"'),
    ("f() =>\n    and high\n", 4, 1, "CE10156", 'Syntax error at input "new line"'),
    ("if close > open\n    and high > low\n    v = 1\n", 4, 1, "CE10156", 'Syntax error at input "new line"'),
    ("for n = 1 to 7\n     v = n\n", 3, 1, "CE10161", 'Incorrect "for" statement. Expecting "to <expression>".'),
    ("for n = 0\n    v = n\n", 3, 1, "CE10161", 'Incorrect "for" statement. Expecting "to <expression>".'),
    ("t = 'one\ntwo'\n", 3, 1, "CE10017", "Missing enclosing character in the literal string."),
    ('t = "one\nplot(close)\n', 3, 9, "CE10004", 'mismatched character "\\n" expecting "'),
    ("v =\u00a0close\n", 3, 4, "CE10005", 'no viable alternative at character "\u00a0"'),
    ("label.new(bar index, high)\n", 3, 15, "CE10156", 'Syntax error at input "index"'),
    ("f() =>\n    g(v) =>\n        1\n    g(1)\n", 4, 10, "CE10156", 'Syntax error at input "=>"'),
    ("if close > open\n    [a, b] := f()\n", 4, 12, "CE10156", 'Syntax error at input ":="'),
    ("[a, b] := f()\n", 3, 8, "CE10013", 'Mismatched input ":=" expecting set'),
    ("else\n    v = 1\n", 3, 1, "CE10156", 'Syntax error at input "else"'),
    ("to = 2\n", 3, 1, "CE10150", '"to" cannot be used as a variable or function name.'),
    ("f(int a, float to) => 2\n", 3, 7, "CE10156", 'Syntax error at input "a"'),
    ("f(int a, int range) => 2\n", 3, 14, "CE10150", '""range"" cannot be used as a variable or function name.'),
    ("f(a, to) => 2\n", 3, 6, "CE10150", '""to"" cannot be used as a variable or function name.'),
    ("f(to) => 2\n", 3, 3, "CE10150", '""to"" cannot be used as a variable or function name.'),
    ("var [a, b] = f()\n", 3, 1, "CE10150", '""var"" cannot be used as a variable or function name.'),
]


@pytest.mark.parametrize(("body", "line", "column", "code", "message"), ANSWERS)
def test_first_error(body: str, line: int, column: int, code: str, message: str) -> None:
    document = parse(HEAD + body)
    found = next(found for found in document.diagnostics if found.severity is Severity.ERROR)
    place = found.tv_position or document.lines.position(found.span.start)
    assert (place, found.code) == (TextPosition(line, column), code)
    assert found.message.startswith(message)


def test_places_differ_only_where_tradingview_names_another() -> None:
    document = parse(HEAD + "if close > open\n    v = (close\n    a b c\n")
    unclosed, other = document.diagnostics
    assert document.lines.position(unclosed.span.start) == TextPosition(4, 9)
    assert unclosed.tv_position == TextPosition(4, 1)
    assert other.tv_position is None


def test_an_error_on_a_wrapped_line_is_placed_on_the_joined_line() -> None:
    text = HEAD + "v = close +\n  open open\n"
    (found,) = parse(text).diagnostics
    assert found.span == Span(text.rindex("open"), text.rindex("open") + 4)
    assert found.tv_position == TextPosition(3, 18)


def test_a_wrapped_string_is_a_warning_and_not_an_error() -> None:
    (found,) = parse(HEAD + 'v = "one\n  two"\n').diagnostics
    assert (found.code, found.severity, found.tv_position) == ("CW10001", Severity.WARNING, TextPosition(3, 1))


def test_deep_nesting_is_told_once_and_is_no_error() -> None:
    (found,) = parse(HEAD + "v = " + "(" * 500 + "1" + ")" * 500 + "\nw = v\n").diagnostics
    assert (found.code, found.severity) == ("PB0003", Severity.WARNING)


@pytest.mark.parametrize(
    ("body", "mended"),
    [
        ("v = close > open ?\n    1 :\n    2\n", "v = close > open ?\n     1 :\n     2\n"),
        ("v = close > open\n    ? 1\n    : 2\n", "v = close > open\n     ? 1\n     : 2\n"),
        ("v = close;\n", "v = close\n"),
        ("v =\u00a0close\n", "v = close\n"),
        ("v = \u201ctext\u201d\n", 'v = "text"\n'),
    ],
)
def test_repairs_mend(body: str, mended: str) -> None:
    document = parse(body)
    for _ in range(3):
        fixes = [found.fix for found in document.diagnostics if found.fix]
        for edit in reversed([edit for fix in fixes for edit in fix.edits]):
            document.edit(edit.span.start, edit.span.end, edit.text)
    assert document.text == mended
    assert document.diagnostics == []


@pytest.mark.parametrize("code", family("syntax"), ids=lambda code: code.name)
def test_examples_of_the_catalogue(code: codes.Code) -> None:
    assert code.name in {found.code for found in parse(code.bad).diagnostics}
    assert parse(code.good).diagnostics == []
