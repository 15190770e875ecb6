"""What is known about a checked script, for every other room."""

from __future__ import annotations

import sys

from pinebench.check.binder import Bindings, bind
from pinebench.check.consistency import warn
from pinebench.check.evaluator import Evaluator
from pinebench.check.functions import check_uncalled
from pinebench.check.report import Reporter
from pinebench.check.script import check_script, version_finding
from pinebench.check.statements import evaluate_block
from pinebench.diagnostics import Diagnostic, Severity
from pinebench.syntax import Document

_RECURSION = 20_000
"""Deepest Python recursion a check may need: nesting is bounded by the parser, calls by the evaluator."""


class Program:
    """A checked script: its document and every finding, sorted by place."""

    def __init__(self, evaluator: Evaluator, diagnostics: list[Diagnostic]) -> None:
        self.document = evaluator.document
        self.diagnostics = diagnostics
        self.evaluator = evaluator


def check(document: Document) -> Program:
    """Check `document` as TradingView's compiler would; never raises."""
    if sys.getrecursionlimit() < _RECURSION:
        sys.setrecursionlimit(_RECURSION)
    reporter = Reporter(document)
    version = version_finding(document)
    if version is not None and version.code != "PB0002":
        syntax = [] if version.severity is Severity.ERROR else document.diagnostics
        return Program(Evaluator(document, reporter, Bindings()), [version, *syntax])
    evaluator = Evaluator(document, reporter, bind(document, reporter))
    for chunk in document.chunks:
        reporter.base = chunk.start
        evaluate_block(evaluator, chunk.body)
    check_uncalled(evaluator)
    check_script(evaluator)
    if not reporter.errors and not any(finding.severity is Severity.ERROR for finding in document.diagnostics):
        warn(evaluator)
    findings = [*document.diagnostics, *reporter.errors, *reporter.warnings]
    if version is not None:
        findings.append(version)
    findings.sort(key=_by_place)
    return Program(evaluator, findings)


def _by_place(finding: Diagnostic) -> tuple[int, Severity, str]:
    return finding.span.start, finding.severity, finding.code
