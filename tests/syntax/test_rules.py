"""Every rule that the parser decides, by the scripts in `rules.py`."""

from __future__ import annotations

import pytest

from pinebench.diagnostics import Severity
from pinebench.syntax import Document, parse
from tests.syntax import rules

ACCEPTED = [(rule, rules.HEAD + body) for rule, bodies in rules.ACCEPTED.items() for body in bodies]
ACCEPTED += [(rule, script) for rule, scripts in rules.WHOLE_ACCEPTED.items() for script in scripts]
REFUSED = [
    (rule, rules.HEAD + case.body, case.code, case.line) for rule, cases in rules.REFUSED.items() for case in cases
]
REFUSED += [(rule, case.body, case.code, case.line) for rule, cases in rules.WHOLE_REFUSED.items() for case in cases]


def _errors(document: Document) -> list[tuple[str, int]]:
    return [
        (found.code, (found.tv_position or document.lines.position(found.span.start)).line)
        for found in document.diagnostics
        if found.severity is Severity.ERROR
    ]


@pytest.mark.parametrize(("rule", "script"), ACCEPTED)
def test_accepted(rule: str, script: str) -> None:
    assert _errors(parse(script)) == [], rule


@pytest.mark.parametrize(("rule", "script", "code", "line"), REFUSED)
def test_refused(rule: str, script: str, code: str, line: int) -> None:
    assert _errors(parse(script))[:1] == [(code, line)], rule


@pytest.mark.parametrize(("rule", "script", "code", "line"), REFUSED)
def test_one_report_for_one_fault(rule: str, script: str, code: str, line: int) -> None:
    assert len(_errors(parse(script))) == 1, rule
