"""Codes, words and places of syntax errors, as TradingView's compiler gave them for scripts of the same shapes."""

from __future__ import annotations

from pathlib import Path

import pytest

from pinebench import codes
from pinebench.codes.families import family
from pinebench.diagnostics import Position, Severity, Span
from pinebench.syntax import parse
from tests.script_files import ScriptCase, script_cases
from tests.tables import each

HEAD = '//@version=6\nindicator("x")\n'


@each("case", script_cases(Path(__file__).with_name("messages.txt")))
def test_first_error(case: ScriptCase) -> None:
    document = parse(f"{HEAD}{case.script}\n")
    found = next(found for found in document.diagnostics if found.severity is Severity.ERROR)
    place = found.tv_position or document.lines.position(found.span.start)
    assert f"{found.code} {place.line}:{place.column}" == case.fields[0]
    assert found.message.startswith(case.below["begins"])


def test_places_differ_only_where_tradingview_names_another() -> None:
    document = parse(HEAD + "if close > open\n    v = (close\n    a b c\n")
    unclosed, other = document.diagnostics
    assert document.lines.position(unclosed.span.start) == Position(4, 9)
    assert unclosed.tv_position == Position(4, 1)
    assert other.tv_position is None


def test_an_error_on_a_wrapped_line_is_placed_on_the_joined_line() -> None:
    text = HEAD + "v = close +\n  open open\n"
    (found,) = parse(text).diagnostics
    assert found.span == Span(text.rindex("open"), text.rindex("open") + 4)
    assert found.tv_position == Position(3, 18)


def test_a_wrapped_string_is_a_warning_and_not_an_error() -> None:
    (found,) = parse(HEAD + 'v = "one\n  two"\n').diagnostics
    assert (found.code, found.severity, found.tv_position) == ("CW10001", Severity.WARNING, Position(3, 1))


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
