"""Every numbered rule in unusual places: codes, lines and columns as `pinebench lint --tradingview` prints them."""

from __future__ import annotations

import pytest

from pinebench.check import check
from pinebench.diagnostics import Severity
from pinebench.syntax import parse
from tests.check.rule_probes import PROBES

_HEADS = {
    "indicator": '//@version=6\nindicator("t")\n',
    "strategy": '//@version=6\nstrategy("t")\n',
    "library": '//@version=6\nlibrary("t")\n',
    "whole": "",
}


def answer(script: str) -> list[str]:
    """The findings that TradingView would show: the first syntax error, else the errors, else its warnings."""
    program = check(parse(script))
    document = program.document
    broken = [finding for finding in document.diagnostics if finding.severity is Severity.ERROR]
    errors = [finding for finding in program.diagnostics if finding.severity is Severity.ERROR]
    warnings = [finding for finding in program.diagnostics if finding.severity is Severity.WARNING]
    shown = broken[:1] or errors or [finding for finding in warnings if finding.code.startswith("CW")]
    places = [finding.tv_position or document.lines.position(finding.span.start) for finding in shown]
    return [f"{finding.code}@{place.line}:{place.column}" for finding, place in zip(shown, places, strict=True)]


@pytest.mark.parametrize("rule", PROBES)
def test_rule(rule: str) -> None:
    for kind, body, expected in PROBES[rule]:
        assert answer(_HEADS[kind] + body) == expected.split(), body
