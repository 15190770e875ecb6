"""The bad script of every code is reported with it, and the good one is free of it and of every error."""

import re
from pathlib import Path

from pinebench.codes import Code, all_codes
from pinebench.codes.code_entry import TRADINGVIEW, UNSEEN
from pinebench.diagnostics import Severity
from pinebench.linter import EVERYTHING, Finding, check_text
from pinebench.linter.suppress import split_hidden
from tests.tables import each

CODES = list(all_codes().values())
LIBRARIES = (str(Path(__file__).parent / "libraries"),)


def findings(script: str) -> list[Finding]:
    return split_hidden(script, "", check_text(script, libraries=LIBRARIES), EVERYTHING).findings


@each("code", CODES)
def test_bad_script_is_reported(code: Code) -> None:
    assert code.name in {finding.code for finding in findings(code.bad)}


@each("code", CODES)
def test_good_script_is_free_of_errors(code: Code) -> None:
    found = findings(code.good)
    assert code.name not in {finding.code for finding in found}
    assert not [finding for finding in found if finding.severity is Severity.ERROR]


REFUSALS_WITHOUT_WORDS = {
    *("enum-name-taken", "type-name-taken", "map-key-type", "method-receiver", "history-of-constant"),
    *("history-of-history", "export-uses-global", "export-uses-input", "export-of-private-type"),
}
"""Errors without a code of TradingView that its compiler was recorded to report; the words were not kept."""


def test_an_error_without_a_code_of_tradingview_s_was_seen_from_its_compiler() -> None:
    """What only the manual says is a warning. The page about differences names all of both kinds."""
    page = (Path(__file__).parents[2] / "docs" / "known-differences.md").read_text(encoding="utf-8")
    own = [code for code in CODES if not re.match(r"(CE|CW|PB|RE)\d", code.name)]
    errors = [code for code in own if code.severity is Severity.ERROR]
    assert {code.name for code in errors if code.text != TRADINGVIEW} == REFUSALS_WITHOUT_WORDS
    softer = {code.name for code in own if code.severity is not Severity.ERROR}
    told = {name for name in {*softer, *REFUSALS_WITHOUT_WORDS} if f"`{name}`" in page}
    assert {*softer, *REFUSALS_WITHOUT_WORDS} - told == set()
    unseen = {code.name for code in CODES if code.why.endswith(UNSEEN)}
    assert unseen <= softer
    assert all(code.severity is Severity.WARNING for code in CODES if code.name in unseen)
