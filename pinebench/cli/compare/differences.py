"""Compares two verdicts on one script: findings of only one compiler, and findings whose line or message differs."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from pinebench.compilers import CompilerUnavailable, Verdict
from pinebench.diagnostics import Severity
from pinebench.linter import Finding, FindingFilter, locate
from pinebench.linter.findings import UNCHECKED_SCRIPT

OURS, THEIRS = "ours", "theirs"

VERDICT, FINDING, PLACE, WORDS = "verdict", "finding", "place", "words"
"""The kinds of differences, worst first: whether the script compiles, a finding, the line of a finding, its message."""

_UNCODED = "uncoded"
_NAMES = re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`|\d+")


class Side(NamedTuple):
    """The verdict of one compiler: whether it accepts the script, and its errors and warnings, at the positions that
    TradingView's editor shows."""

    ok: bool
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> frozenset[str]:
        """The names of the errors, as returned by `name_of`."""
        return frozenset(name_of(finding) for finding in self.findings if finding.severity is Severity.ERROR)

    def says(self, name: str) -> bool:
        """Return whether this compiler has a finding with this name (see `name_of`)."""
        return any(name_of(finding) == name for finding in self.findings)


class VerdictDifference(NamedTuple):
    """A difference between two verdicts: its kind (VERDICT, FINDING, PLACE or WORDS), the side (OURS or THEIRS), and
    the finding of that side.

    `other` is the matching finding of the other side if only the line or the message differs.
    """

    kind: str
    side: str
    finding: Finding
    other: Finding | None = None

    @property
    def name(self) -> tuple[str, str, str]:
        """An identifier of the difference that does not depend on its position in the script."""
        return self.kind, self.side, name_of(self.finding)


class VerdictComparison(NamedTuple):
    """Two verdicts on the same script, and their differences."""

    ours: Side
    theirs: Side
    differences: tuple[VerdictDifference, ...]

    @property
    def kind(self) -> str | None:
        """The worst kind of difference; None if the verdicts agree."""
        if self.ours.ok != self.theirs.ok:
            return VERDICT
        kinds = {difference.kind for difference in self.differences}
        return next((kind for kind in (FINDING, PLACE, WORDS) if kind in kinds), None)


def name_of(finding: Finding) -> str:
    """Return the name of a finding: its code, or its message without names and numbers if it has no code."""
    return _NAMES.sub("…", finding.message) if finding.code == _UNCODED else finding.code


def ours(text: str, libraries: tuple[str, ...] = ()) -> Side:
    """Return our checker's verdict on the script `text`, as TradingView's editor would show it. `libraries` are the
    folders with imported libraries.

    Raises CompilerUnavailable for a script in an older version of Pine, because only its syntax is checked.
    """
    from pinebench.checker import open_program

    program = open_program(text, libraries)
    if any(each.code == UNCHECKED_SCRIPT for each in program.diagnostics):
        raise CompilerUnavailable("pinebench checks v6 only, so there is nothing to compare", "see 'pinebench migrate'")
    found = locate(program.diagnostics, program.document.lines, "", syntax=program.document.diagnostics)
    return _side(all(each.severity is not Severity.ERROR for each in program.diagnostics), found)


def theirs(verdict: Verdict, text: str) -> Side:
    """Return another compiler's verdict on the script `text`. Only its first syntax error counts, as in `ours`."""
    from pinebench.codes.families import family
    from pinebench.syntax.lines import LineIndex

    of_form = {code.name for code in family("syntax")}
    broken = [each for each in verdict.diagnostics if each.code in of_form]
    return _side(verdict.ok, locate(verdict.diagnostics, LineIndex(text), "", syntax=broken))


def compare(one: Side, other: Side) -> VerdictComparison:
    """Compare our verdict `one` with another compiler's verdict `other`."""
    left, right = list(one.findings), list(other.findings)
    found: list[VerdictDifference] = []
    rounds: tuple[tuple[str | None, Callable[[Finding], object]], ...] = (
        (None, lambda each: (name_of(each), each.line, each.message)),
        (WORDS, lambda each: (name_of(each), each.line)),
        (PLACE, name_of),
    )
    for kind, key in rounds:
        for finding in list(left):
            match = next((each for each in right if key(each) == key(finding)), None)
            if match is None:
                continue
            left.remove(finding)
            right.remove(match)
            if kind is not None:
                found.append(VerdictDifference(kind, OURS, finding, match))
    verdict = VERDICT if one.ok != other.ok else FINDING
    for side, rest in ((THEIRS, right), (OURS, left)):
        for finding in rest:
            kind = verdict if finding.severity is Severity.ERROR else FINDING
            found.append(VerdictDifference(kind, side, finding))
    order = (VERDICT, FINDING, PLACE, WORDS)
    found.sort(key=lambda each: (order.index(each.kind), each.side != THEIRS, each.finding.order))
    return VerdictComparison(one, other, tuple(found))


def _side(ok: bool, found: list[Finding]) -> Side:
    told = FindingFilter(tradingview=True).of(found)
    return Side(ok, tuple(finding for finding in told if finding.severity <= Severity.WARNING))
