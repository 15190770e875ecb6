"""Compare recorded answers of TradingView's compiler and editor with `pinebench lint --tradingview`.

The tests and the parity board use these functions. A file of answers has one JSON object per line.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

from pinebench.diagnostics import Severity
from pinebench.linter import FindingFilter, lint_text

UNCODED = "uncoded"

Place = tuple[str, int | None]


class Answer(NamedTuple):
    """The recorded answer for a script, and ours."""

    id: str
    recorded: list[Place]
    ours: list[Place]

    @property
    def agrees(self) -> bool:
        """Whether both name the same codes on the same lines."""
        return set(self.recorded) == set(self.ours)


def rows(path: Path) -> list[dict[str, Any]]:
    """Return the recorded answers in a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def answer(row: dict[str, Any]) -> Answer:
    """Return a recorded verdict of the compiler, and ours in the same form: codes, lines if they were recorded, and
    warnings if both have them."""
    with_lines = row["positions"] and all(error["line"] is not None for error in row["errors"])
    with_warnings = row["positions"] and row["warnings"] is not None
    recorded = [(_recorded_code(error), error["line"] if with_lines else None) for error in row["errors"]]
    if with_warnings:
        warnings: list[dict[str, Any]] = row["warnings"] or []
        recorded += [(_recorded_code(warning), warning["line"] if with_lines else None) for warning in warnings]
    ours: list[Place] = []
    for finding in lint_text(row["source"], view=FindingFilter(tradingview=True)):
        if finding.severity is Severity.ERROR or (with_warnings and finding.severity is Severity.WARNING):
            code = finding.code if finding.code[:2] in ("CE", "CW") else UNCODED
            ours.append((code, finding.line if with_lines else None))
    return Answer(row["id"], recorded, ours)


def _recorded_code(error: dict[str, Any]) -> str:
    if error["code"] is not None:
        return error["code"]
    # A few records kept only the values of the message; the values of CE10123 cannot be mistaken.
    return "CE10123" if "argUserFriendlyRepresentation" in (error["ctx"] or {}) else UNCODED


def editor_agrees(record: dict[str, Any]) -> bool:
    """Return whether our answer has everything that was recorded from the editor: code, words and line.

    A recorded error agrees if one of our errors has all of it, a recorded warning if we have it and no error, and a
    script that compiled if we have no error.
    """
    found = lint_text(record["snippet"], view=FindingFilter(tradingview=True))
    errors = [finding for finding in found if finding.severity is Severity.ERROR]
    if record["verdict"] == "clean":
        return not errors
    if record["verdict"] == "warning" and errors:
        return False
    severity = Severity.ERROR if record["verdict"] == "error" else Severity.WARNING
    return any(
        finding.severity is severity
        and record["code"] in (None, finding.code)
        and record["message"] in (None, finding.message)
        and record["line"] in (None, finding.line)
        for finding in found
    )
