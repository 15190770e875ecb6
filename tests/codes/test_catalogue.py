"""The bad script of every code is reported with it, and the good one is free of it and of every error."""

from __future__ import annotations

from pathlib import Path

import pytest

from pinebench.codes import Code, all_codes
from pinebench.diagnostics import Severity
from pinebench.linter import EVERYTHING, Finding, check_text
from pinebench.linter.suppress import split_hidden

CODES = list(all_codes().values())
LIBRARIES = (str(Path(__file__).parent / "libraries"),)


def findings(script: str) -> list[Finding]:
    return split_hidden(script, "", check_text(script, libraries=LIBRARIES), EVERYTHING).findings


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.name)
def test_bad_script_is_reported(code: Code) -> None:
    assert code.name in {finding.code for finding in findings(code.bad)}


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.name)
def test_good_script_is_free_of_errors(code: Code) -> None:
    found = findings(code.good)
    assert code.name not in {finding.code for finding in found}
    assert not [finding for finding in found if finding.severity is Severity.ERROR]
