"""JUnit XML, which most CI servers can show: a test suite a script, a failed test case a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from pinebench.diagnostics import Severity
from pinebench.printable import printable

if TYPE_CHECKING:
    from pinebench.lint.findings import Finding
    from pinebench.lint.project import Result
    from pinebench.lint.report import Run

_NOT_IN_XML = {0xFFFE: "\\ufffe", 0xFFFF: "\\uffff"}


def render(run: Run) -> str:
    """The run as a JUnit document; only errors and warnings count as failures."""
    suites = "".join(_suite(result) for result in run.results)
    failures = run.counts[Severity.ERROR] + run.counts[Severity.WARNING]
    tests = sum(max(1, len(result.findings)) for result in run.results)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuites name="pinebench" tests="{tests}" failures="{failures}">\n{suites}</testsuites>\n'
    )


def _suite(result: Result) -> str:
    name = _attribute(printable(result.script.path))
    cases = "".join(_case(finding) for finding in result.findings) or f'    <testcase name="clean" classname={name}/>\n'
    failures = sum(1 for finding in result.findings if _fails(finding))
    tests = max(1, len(result.findings))
    return f'  <testsuite name={name} tests="{tests}" failures="{failures}">\n{cases}  </testsuite>\n'


def _case(finding: Finding) -> str:
    name = _attribute(f"{finding.code} at {finding.line}:{finding.column}")
    head = f"    <testcase name={name} classname={_attribute(printable(finding.path))}"
    place = printable(f"{finding.path}:{finding.line}:{finding.column}")
    words = _clean(f"{place}: {finding.message}" + (f"\n{finding.hint}" if finding.hint else ""))
    if not _fails(finding):
        return f"{head}><system-out>{_content(words)}</system-out></testcase>\n"
    kind = f"message={_attribute(finding.message)} type={_attribute(finding.severity.label)}"
    return f"{head}><failure {kind}>{_content(words)}</failure></testcase>\n"


def _fails(finding: Finding) -> bool:
    return finding.severity <= Severity.WARNING


def _attribute(text: str) -> str:
    return quoteattr(_clean(text))


def _content(text: str) -> str:
    # A line end by its number: what a name or a script brings must not begin a line of a log that shows the report.
    return escape(text).replace("\n", "&#10;")


def _clean(text: str) -> str:
    """`text` without the characters that XML cannot hold, or that could steer a terminal."""
    return printable(text, keep="\n").translate(_NOT_IN_XML)
