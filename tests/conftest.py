"""Leaves out the tests against recorded answers where there are none, and says so."""

from __future__ import annotations

from tests import recorded

collect_ignore_glob = [] if recorded.there() else ["*/test_verdicts.py"]


def pytest_report_header() -> str:
    """One line about the recorded answers."""
    if recorded.there():
        return f"recorded answers: {recorded.VERDICTS}"
    return "recorded answers: none, so that test_verdicts.py is left out (PINEBENCH_VERDICTS names their file)"
