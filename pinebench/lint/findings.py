"""A diagnostic with its place worked out, and which of a script's findings somebody wants to see."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pinebench.diagnostics import Position, Severity
from pinebench.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable


FAMILIES = ("CE", "CW", "RE", "PB")
"""The beginnings of numbered codes: TradingView's errors, its warnings, and our own findings."""


OPINIONS = "PB1"
"""The beginning of the codes of opinions."""


class Finding(NamedTuple):
    """A diagnostic as reports print it: 1-based lines, 1-based columns in UTF-16 units, end exclusive.

    `fix` is `safe`, `unsafe` or None; `tv` is where TradingView reports it when that is another place; `syntax` tells
    errors of form from errors of meaning.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    severity: Severity
    code: str
    message: str
    hint: str | None = None
    fix: str | None = None
    tv: Position | None = None
    syntax: bool = False

    @property
    def order(self) -> tuple[str, int, int, str]:
        """The key that puts findings in report order."""
        return (self.path, self.line, self.column, self.code)


class View(NamedTuple):
    """Which findings to show: `select` and `ignore` hold codes, prefixes of codes, or ALL; an empty `select` means all
    but opinions.

    `tradingview` shows what TradingView's editor would, where it would: the first syntax error alone, nothing that only
    we say.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    tradingview: bool = False

    def of(self, findings: list[Finding]) -> list[Finding]:
        """The findings to show, in report order."""
        shown = [finding for finding in findings if self.wants(finding.code)]
        if self.tradingview:
            shown = _as_tradingview(shown)
        return sorted(shown, key=lambda finding: finding.order)

    def wants(self, code: str) -> bool:
        """Whether findings with `code` are selected and not ignored."""
        if any(matches(code, pattern) for pattern in self.ignore):
            return False
        if not self.select:
            return not is_opinion(code)
        return any(matches(code, pattern) for pattern in self.select)

    @property
    def wants_opinions(self) -> bool:
        """Whether any opinion is selected."""
        from pinebench.codes import opinion_codes

        return bool(self.select) and any(map(self.wants, opinion_codes()))


def check_patterns(patterns: Iterable[str]) -> None:
    """Raise UsageError when a pattern in `patterns` matches no code of the catalogue."""
    from pinebench.codes import all_codes, opinion_codes

    known = [*all_codes(), *opinion_codes()]
    for pattern in patterns:
        if not pattern:
            raise UsageError("an empty text names no code", "codes look like CE10156, CW, PB0001")
        if pattern.upper() not in FAMILIES and not any(matches(code, pattern) for code in known):
            raise UsageError(f"no code is called '{pattern}' or begins with it", "codes look like CE10156, CW, PB0001")


EVERYTHING = View()
"""The view that hides nothing."""


def is_opinion(code: str) -> bool:
    """Whether `code` is a rule's, of which nothing is told unless it is selected."""
    return code.startswith(OPINIONS)


def matches(code: str, pattern: str) -> bool:
    """Whether `pattern` names `code`: its whole name, the beginning of a numbered code such as `CW` or `CE101`,
    or ALL."""
    code, pattern = code.lower(), pattern.lower()
    if pattern == "all":
        return True
    return code == pattern or (code[:2].upper() in FAMILIES and code.startswith(pattern))


def _as_tradingview(findings: list[Finding]) -> list[Finding]:
    moved = [_in_its_words(finding) for finding in findings if _is_its(finding)]
    syntax_errors = [finding for finding in moved if finding.syntax and finding.severity is Severity.ERROR]
    if syntax_errors:
        return [min(syntax_errors, key=lambda finding: finding.order)]
    return moved


def _is_its(finding: Finding) -> bool:
    """Whether TradingView would say it: nothing of ours, and of remarks those that are recorded in its words."""
    from pinebench.codes import TRADINGVIEW, find

    if finding.code.startswith("PB"):
        return False
    if finding.severity <= Severity.WARNING:
        return True
    known = find(finding.code)
    return known is not None and known.text == TRADINGVIEW


def _in_its_words(finding: Finding) -> Finding:
    finding = finding._replace(hint=None, fix=None)
    if finding.tv is None:
        return finding
    # Where TradingView's range ends is not known, so the range is left empty.
    line, column = finding.tv
    return finding._replace(line=line, column=column, end_line=line, end_column=column)
