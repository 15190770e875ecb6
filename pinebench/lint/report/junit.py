"""JUnit XML, which most CI servers can show: a test suite a script, a failed test case a finding."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from pinebench.diagnostics import Severity

if TYPE_CHECKING:
    from pinebench.lint.findings import Finding
    from pinebench.lint.project import Result
    from pinebench.lint.report import Run

_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


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
    name = _attribute(result.script.path)
    cases = "".join(_case(finding) for finding in result.findings) or f'    <testcase name="clean" classname={name}/>\n'
    failures = sum(1 for finding in result.findings if _fails(finding))
    tests = max(1, len(result.findings))
    return f'  <testsuite name={name} tests="{tests}" failures="{failures}">\n{cases}  </testsuite>\n'


def _case(finding: Finding) -> str:
    name = _attribute(f"{finding.code} at {finding.line}:{finding.column}")
    head = f"    <testcase name={name} classname={_attribute(finding.path)}"
    place = f"{finding.path}:{finding.line}:{finding.column}"
    words = _clean(f"{place}: {finding.message}" + (f"\n{finding.hint}" if finding.hint else ""))
    if not _fails(finding):
        return f"{head}><system-out>{escape(words)}</system-out></testcase>\n"
    kind = f"message={_attribute(finding.message)} type={_attribute(finding.severity.label)}"
    return f"{head}><failure {kind}>{escape(words)}</failure></testcase>\n"


def _fails(finding: Finding) -> bool:
    return finding.severity <= Severity.WARNING


def _attribute(text: str) -> str:
    return quoteattr(_clean(text))


def _clean(text: str) -> str:
    """`text` with the characters that XML cannot hold replaced."""
    return _NOT_IN_XML.sub("\ufffd", text)
