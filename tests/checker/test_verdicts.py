"""Recorded answers of TradingView's compiler, against ours under `--tradingview`.

Compared are the codes, the lines where they were recorded, and warnings where both warnings and places were.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pinebench.diagnostics import Severity
from pinebench.linter import View, lint_text
from tests.recorded import records

CHECKOUT = Path(__file__).resolve().parents[2]
DIFFERENCES = CHECKOUT / "docs" / "known-differences.md"
UNCODED = "uncoded"

Place = tuple[str, int | None]


class Answer(NamedTuple):
    """What was recorded for a script, and what we say."""

    id: str
    recorded: list[Place]
    ours: list[Place]

    @property
    def agrees(self) -> bool:
        """Whether both name the same codes on the same lines."""
        return set(self.recorded) == set(self.ours)


@functools.cache
def answers() -> list[Answer]:
    """Every record with our answer."""
    return [_answer(row) for row in records()]


def group(name: str) -> list[Answer]:
    """The zero-argument probes (`required`), the constant-argument probes (`const`) or all `other` records."""
    return [answer for answer in answers() if _group_of(answer.id) == name]


def _group_of(id: str) -> str:
    prefix = id.partition(":")[0]
    return prefix if prefix in ("required", "const") else "other"


def _answer(row: dict[str, Any]) -> Answer:
    with_lines = row["positions"] and all(error["line"] is not None for error in row["errors"])
    with_warnings = row["positions"] and row["warnings"] is not None
    recorded = [(_recorded_code(error), error["line"] if with_lines else None) for error in row["errors"]]
    if with_warnings:
        warnings: list[dict[str, Any]] = row["warnings"] or []
        recorded += [(_recorded_code(warning), warning["line"] if with_lines else None) for warning in warnings]
    ours: list[Place] = []
    for finding in lint_text(row["source"], view=View(tradingview=True)):
        if finding.severity is Severity.ERROR or (with_warnings and finding.severity is Severity.WARNING):
            code = finding.code if finding.code[:2] in ("CE", "CW") else UNCODED
            ours.append((code, finding.line if with_lines else None))
    return Answer(row["id"], recorded, ours)


def _recorded_code(error: dict[str, Any]) -> str:
    if error["code"] is not None:
        return error["code"]
    # A few records kept only the values of the message; those of CE10123 cannot be mistaken.
    return "CE10123" if "argUserFriendlyRepresentation" in (error["ctx"] or {}) else UNCODED


@pytest.mark.parametrize(("name", "least"), [("required", 0.99), ("const", 0.97), ("other", 0.93)])
def test_agrees_with_the_recorded_verdicts(name: str, least: float) -> None:
    chosen = group(name)
    different = [answer for answer in chosen if not answer.agrees]
    share = 1 - len(different) / len(chosen)
    print(f"{name}: {len(chosen) - len(different)} of {len(chosen)} ({share:.1%})")
    assert share >= least, "\n".join(map(str, different))


def test_each_difference_has_its_reason() -> None:
    different = {answer.id for answer in answers() if not answer.agrees}
    explained = {answer.id for answer in answers() if f"`{answer.id}`" in DIFFERENCES.read_text(encoding="utf-8")}
    assert different == explained
