"""Findings and runs made by hand, so that reports can be tested apart from the checker."""

from typing import Any

from pinebench.diagnostics import Diagnostic, Fix, Severity, Span
from pinebench.files import DecodedText
from pinebench.linter.findings import Finding
from pinebench.linter.project import LintedFile, ScriptFindings
from pinebench.linter.report import LintRun


def finding(line: int, column: int, end_column: int, **values: Any) -> Finding:
    """An error on one line of `script.pine`; `values` replace the other fields, the diagnostic's among them."""
    about = {name: values.pop(name) for name in Diagnostic._fields if name in values}
    diagnostic = Diagnostic("CE10272", Severity.ERROR, "A message.", Span(0, 0))._replace(**about)
    return Finding("script.pine", line, column, line, end_column, diagnostic)._replace(**values)


def run(text: str, *findings: Finding, path: str = "script.pine") -> LintRun:
    """A run over one script."""
    return LintRun([ScriptFindings(LintedFile(path, DecodedText(text)), list(findings))])


MIXED = LintRun(
    [
        ScriptFindings(
            LintedFile("a/first.pine", DecodedText("plot(clsoe)\nplot(open)\n")),
            [
                finding(1, 6, 11, path="a/first.pine", message='Undeclared identifier "clsoe"', hint="close?"),
                finding(2, 1, 5, path="a/first.pine", severity=Severity.WARNING, code="CW10003", message="100% <odd>"),
            ],
        ),
        ScriptFindings(LintedFile("b, c/clean.pine", DecodedText("plot(close)\n")), []),
        ScriptFindings(
            LintedFile("b, c/last.pine", DecodedText("x = 1\ny = [\n  2]\n")),
            [
                finding(
                    1, 1, 2, path="b, c/last.pine", severity=Severity.HINT, code="PB001", fix=Fix("mend", (), safe=True)
                ),
                finding(2, 5, 5, path="b, c/last.pine", end_line=3, severity=Severity.INFO, code="PB002"),
            ],
        ),
    ]
)
"""Three scripts and a finding of every severity."""
