"""The reporter: each finding once per place, forgotten on rollback, placed where TradingView places it."""

import pytest

from pinebench.checker.report import Reporter
from pinebench.diagnostics import Severity, Span, TextPosition
from pinebench.syntax import parse

TEXT = "//@version=6\nx = aa +\n  bb + (cc +\n dd)\n"


def place(text: str) -> Span:
    start = TEXT.index(text)
    return Span(start, start + len(text))


def test_a_finding_is_reported_once_per_place_code_and_key() -> None:
    reporter = Reporter(parse(TEXT).snapshot)
    for key in ("", "", "other"):
        reporter.report("CE10272", place("aa"), identifier="aa", key=key)
    reporter.report("CE10272", place("bb"), identifier="bb")
    reporter.report("CE10074", place("aa"), name="aa")
    assert [finding.code for finding in reporter.errors] == ["CE10272", "CE10272", "CE10272", "CE10074"]


def test_errors_and_warnings_are_kept_apart() -> None:
    reporter = Reporter(parse(TEXT).snapshot)
    reporter.report("CW10011", place("aa"), variableName="aa")
    assert not reporter.errors
    assert [finding.severity for finding in reporter.warnings] == [Severity.WARNING]


def test_rollback_forgets_and_lets_report_again() -> None:
    reporter = Reporter(parse(TEXT).snapshot)
    reporter.report("CE10272", place("aa"), identifier="aa")
    mark = reporter.mark()
    reporter.report("CE10272", place("bb"), identifier="bb")
    reporter.rollback(mark)
    assert len(reporter.errors) == 1
    reporter.report("CE10272", place("bb"), identifier="bb")
    assert len(reporter.errors) == 2


@pytest.mark.parametrize(
    ("code", "at", "expected"),
    [
        ("CE10074", "aa", None),
        ("CE10074", "bb", TextPosition(2, 10)),
        ("CE10272", "bb", TextPosition(2, 10)),
        ("CE10272", "dd", None),
    ],
)
def test_places_on_the_logical_line(code: str, at: str, expected: TextPosition | None) -> None:
    reporter = Reporter(parse(TEXT).snapshot)
    reporter.report(code, place(at), identifier=at, name=at)
    assert reporter.errors[0].tv_position == expected
