"""Every rule of the language, in plain and unusual places: codes, lines and columns as TradingView has them."""

from pathlib import Path

import pytest

from pinebench.checker import check
from pinebench.diagnostics import Diagnostic, Severity
from pinebench.syntax import Document, parse
from tests.rule_scripts import Place, RuleScript, reported, rule_scripts
from tests.tables import each

SCRIPTS = rule_scripts(Path(__file__).parent / "rules")


def answer(text: str) -> list[Place]:
    """What TradingView would show, the first syntax error or all errors and warnings of meaning, and what its manual
    forbids."""
    document = parse(text)
    return reported(_shown(document), document)


def _shown(document: Document) -> list[Diagnostic]:
    program = check(document)
    broken = [finding for finding in document.diagnostics if finding.severity is Severity.ERROR]
    return broken[:1] or [
        finding
        for finding in program.diagnostics
        if finding.severity is Severity.ERROR
        or (finding.severity is Severity.WARNING and (finding.code.startswith("CW") or finding.code[0].islower()))
    ]


@each("script", SCRIPTS)
def test_rule(script: RuleScript) -> None:
    assert answer(script.text) == script.expected, script.text


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("a = 1\rb = a2\nplot(a)\n", [("CE10272", 4, 5)]),
        ("a = 1\r\r\nb = a2\nplot(a)\n", [("CE10272", 5, 5)]),
        ("a = 1\r\nb = 2\rplot(a+b)\r\n", []),
        ("f(x) =>\r    x + 1\r\rplot(f(1))\n", []),
    ],
)
def test_each_line_end_is_one_break(body: str, expected: list[Place]) -> None:
    assert answer('//@version=6\nindicator("t")\n' + body) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("//@version=6\n// nothing\n", [("CE10250", 1, 1)]),
        ("indicator('a')\nplot(close)\n", [("version-missing", 1, 1)]),
    ],
)
def test_scripts_that_lack_a_part(text: str, expected: list[Place]) -> None:
    assert answer(text) == expected
