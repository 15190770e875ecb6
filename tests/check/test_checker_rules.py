"""The rules that the parser leaves to the checker, each with an accepted and a refused script."""

from __future__ import annotations

import pytest

from pinebench.check import check
from pinebench.diagnostics import Severity
from pinebench.syntax import parse
from tests.syntax.checker_rules import ACCEPTED, HEAD, REFUSED, WARNED, WHOLE_REFUSED
from tests.syntax.rules import Refused

Reports = list[tuple[str, int]]


def reports(script: str, least: Severity) -> Reports:
    """The code and line of each finding of at least that severity."""
    program = check(parse(script))
    position = program.document.lines.position
    return [(f.code, position(f.span.start).line) for f in program.diagnostics if f.severity <= least]


def cases(table: dict[str, list[Refused]]) -> list[tuple[str, Refused]]:
    return [(rule, case) for rule, listed in table.items() for case in listed]


@pytest.mark.parametrize(("rule", "body"), [(rule, body) for rule, bodies in ACCEPTED.items() for body in bodies])
def test_accepted(rule: str, body: str) -> None:
    assert reports(HEAD + body, Severity.ERROR) == [], rule


@pytest.mark.parametrize(("rule", "case"), cases(REFUSED))
def test_refused(rule: str, case: Refused) -> None:
    assert reports(HEAD + case.body, Severity.ERROR)[:1] == [(case.code, case.line)], rule


@pytest.mark.parametrize(("rule", "case"), cases(WHOLE_REFUSED))
def test_whole_script_refused(rule: str, case: Refused) -> None:
    assert reports(case.body, Severity.WARNING)[:1] == [(case.code, case.line)], rule


@pytest.mark.parametrize(("rule", "case"), cases(WARNED))
def test_warned(rule: str, case: Refused) -> None:
    assert (case.code, case.line) in reports(HEAD + case.body, Severity.WARNING), rule
