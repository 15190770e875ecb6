"""Writes outcomes of tests as JUnit XML, which most CI servers can show. Each file is a test suite."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from pinebench.printable import in_xml
from pinebench.testing.script_tests import TestOutcome


def render(outcomes: Sequence[TestOutcome]) -> str:
    """Return the outcomes as a JUnit document. Outcomes of one file must follow each other. A test that could not run
    is an error."""
    suites = [(file, list(group)) for file, group in groupby(outcomes, lambda each: str(each.file))]
    body = "".join(_suite(file, group) for file, group in suites)
    head = f'<testsuites name="pinebench test" {_counts(outcomes)}>'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}\n{body}</testsuites>\n'


def _suite(file: str, outcomes: Sequence[TestOutcome]) -> str:
    name = _attribute(file)
    cases = "".join(f"    {_case(name, each)}\n" for each in outcomes)
    return f"  <testsuite name={name} {_counts(outcomes)}>\n{cases}  </testsuite>\n"


def _counts(outcomes: Sequence[TestOutcome]) -> str:
    failures = sum(1 for each in outcomes if each.failures)
    errors = sum(1 for each in outcomes if each.problem is not None)
    return f'tests="{len(outcomes)}" failures="{failures}" errors="{errors}"'


def _case(file: str, outcome: TestOutcome) -> str:
    head = f"<testcase name={_attribute(outcome.name)} classname={file}"
    if outcome.problem is not None:
        words = [outcome.problem.message, outcome.problem.hint or ""]
        inside = f"<error message={_attribute(words[0])}>{_content(words)}</error>"
    elif outcome.failures:
        words = outcome.failures
        inside = f"<failure message={_attribute(words[0])}>{_content(words)}</failure>"
    else:
        inside = ""
    read = _bars(outcome)
    return f"{head}>{read}{inside}</testcase>" if read or inside else f"{head}/>"


def _bars(outcome: TestOutcome) -> str:
    """The bars that were read, as a property of a test."""
    if outcome.data is None:
        return ""
    return f'<properties><property name="bars" value={_attribute(outcome.data.line)}/></properties>'


def _attribute(text: str) -> str:
    return quoteattr(in_xml(text))


def _content(lines: Sequence[str]) -> str:
    # Line ends are escaped, so that a text of a script cannot begin a line in a log that shows the report.
    return escape(in_xml("\n".join(filter(None, lines)))).replace("\n", "&#10;")
