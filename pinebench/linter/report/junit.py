"""JUnit XML, which most CI servers can show: each script is a test suite, each finding a test case."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from pinebench.linter.report.text import not_checked
from pinebench.printable import in_xml, printable

if TYPE_CHECKING:
    from pinebench.linter.findings import Finding
    from pinebench.linter.project import FileProblem, ScriptFindings
    from pinebench.linter.report import LintRun
    from pinebench.linter.suppress import HiddenFinding


def render(run: LintRun) -> str:
    """Return the run as a JUnit document.

    A finding that fails the run is a failure, and a file that could not be checked is an error. A hidden finding is
    skipped unless it fails the run. The output of a suite names the libraries that were not read.
    """
    suites = "".join([*map(_unchecked, run.problems), *(_suite(result, run) for result in run.results)])
    failures = sum(1 for finding in run.findings if run.fails(finding)) + len(run.hidden_failures)
    errors = len(run.problems)
    tests = sum(map(_tests, run.results)) + errors
    skipped = len(run.hidden) - len(run.hidden_failures)
    counts = f'tests="{tests}" failures="{failures}" errors="{errors}" skipped="{skipped}"'
    head = f'<testsuites name="pinebench" {counts}>'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}\n{suites}</testsuites>\n'


def _unchecked(problem: FileProblem) -> str:
    name = _attribute(printable(problem.path))
    words = f"{problem.message}\n{problem.hint}" if problem.hint else problem.message
    kind = f"message={_attribute(problem.message)} type={_attribute(problem.code)}"
    return (
        f'  <testsuite name={name} tests="1" failures="0" errors="1">\n'
        f"    <testcase name={_attribute(problem.code)} classname={name}>"
        f"<error {kind}>{_content(in_xml(words))}</error></testcase>\n"
        "  </testsuite>\n"
    )


def _tests(result: ScriptFindings) -> int:
    return max(1, len(result.findings) + len(result.hidden))


def _suite(result: ScriptFindings, run: LintRun) -> str:
    name = _attribute(printable(result.script.path))
    failing = [each for each in result.hidden if each.finding in run.hidden_failures]
    skipped = [each for each in result.hidden if each not in failing]
    shown = [_case(finding, fails=run.fails(finding)) for finding in result.findings]
    hidden = [_case(each.finding, fails=True, note=f" ({_why(each)}, but still fails the run)") for each in failing]
    cases = "".join([*shown, *hidden, *map(_skipped, skipped)])
    is_clean = result.is_checked and not result.unread
    cases = cases or f'    <testcase name="{"clean" if is_clean else "no findings"}" classname={name}/>\n'
    if result.unread:
        cases += f"    <system-out>{_content(in_xml(not_checked(result.unread)))}</system-out>\n"
    failures = sum(1 for finding in result.findings if run.fails(finding)) + len(failing)
    counts = f'tests="{_tests(result)}" failures="{failures}" errors="0" skipped="{len(skipped)}"'
    return f"  <testsuite name={name} {counts}>\n{cases}  </testsuite>\n"


def _head(finding: Finding) -> str:
    name = _attribute(f"{finding.code} at {finding.line}:{finding.column}")
    return f"    <testcase name={name} classname={_attribute(printable(finding.path))}"


def _why(hidden: HiddenFinding) -> str:
    by = "a comment" if hidden.by_comment else "settings"
    return f"hidden by {by}{f': {hidden.reason}' if hidden.reason else ''}"


def _skipped(hidden: HiddenFinding) -> str:
    words = f"{_why(hidden)}: {hidden.finding.message}"
    return f"{_head(hidden.finding)}><skipped message={_attribute(words)}/></testcase>\n"


def _case(finding: Finding, *, fails: bool, note: str = "") -> str:
    head = _head(finding)
    place = printable(f"{finding.path}:{finding.line}:{finding.column}")
    words = in_xml(f"{place}: {finding.message}{note}" + (f"\n{finding.hint}" if finding.hint else ""))
    if not fails:
        return f"{head}><system-out>{_content(words)}</system-out></testcase>\n"
    kind = f"message={_attribute(finding.message)} type={_attribute(finding.severity.label)}"
    return f"{head}><failure {kind}>{_content(words)}</failure></testcase>\n"


def _attribute(text: str) -> str:
    return quoteattr(in_xml(text))


def _content(text: str) -> str:
    # Line ends are written as numbers, so that text of a script or file name cannot begin a line of a log with the
    # report.
    return escape(text).replace("\n", "&#10;")
