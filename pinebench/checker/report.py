"""Collects findings while a script is checked. A finding is recorded only once for each position."""

from __future__ import annotations

from pinebench.codes import finding
from pinebench.diagnostics import Diagnostic, Severity, Span, TextPosition
from pinebench.syntax import Snapshot

_PHYSICAL_IN_BRACKETS = frozenset(("CE10272", "CE10157"))
"""Codes that TradingView reports at their physical position inside parentheses (recorded: CE10272 at 4:7, CE10157 at
6:1 of wrapped calls)."""


class Reporter:
    """Turns codes and spans into diagnostics. With `on_trial`, the diagnostics are only compared and never shown, so
    they have neither a TradingView position nor a hint, which would take time to find."""

    def __init__(self, document: Snapshot, *, on_trial: bool = False) -> None:
        self.document = document
        self.on_trial = on_trial
        self.errors: list[Diagnostic] = []
        self.warnings: list[Diagnostic] = []
        self.asked = 0
        """The number of calls of `report`, duplicates included."""
        self._seen: dict[tuple[str, int, int], None] = {}

    def report(self, code: str, span: Span, *, hint: str | None = None, key: str = "", **values: object) -> None:
        """Report `code` at `span` of the text, only once. `key` distinguishes findings with the same code and span."""
        self.asked += 1
        mark = (code + key, span.start, span.end)
        if mark in self._seen:
            return
        self._seen[mark] = None
        position = None if self.on_trial else self._tradingview_position(code, span.start)
        found = finding(code, span, values, tv_position=position, hint=hint)
        (self.errors if found.severity is Severity.ERROR else self.warnings).append(found)

    def _tradingview_position(self, code: str, offset: int) -> TextPosition | None:
        """Return the position that TradingView names, or None if it is the physical position. TradingView counts
        columns on the joined logical line, except for two codes inside brackets."""
        physical = self.document.lines.position(offset)
        position = self.document.tradingview_position(offset)
        if position == physical:
            return None
        if code in _PHYSICAL_IN_BRACKETS and self.document.is_in_brackets(offset):
            return None
        return position

    def mark(self) -> tuple[int, int, int]:
        """Return a marker of the current findings for `rollback` and similar methods."""
        return len(self.errors), len(self.warnings), len(self._seen)

    def has_errors_since(self, mark: tuple[int, int, int]) -> bool:
        """Return whether an error was reported since `mark`."""
        return len(self.errors) > mark[0]

    def is_within(self, mark: tuple[int, int, int], place: Span) -> bool:
        """Return whether the last error before `mark` lies within the span `place`."""
        if not mark[0]:
            return False
        span = self.errors[mark[0] - 1].span
        return place.start <= span.start and span.end <= place.end

    def rollback(self, mark: tuple[int, int, int]) -> None:
        """Remove every finding since `mark`."""
        del self.errors[mark[0] :]
        del self.warnings[mark[1] :]
        while len(self._seen) > mark[2]:
            self._seen.popitem()

    def qualifier_errors_since(self, mark: tuple[int, int, int]) -> bool:
        """Return whether an argument or value of the wrong type was reported since `mark`."""
        return any(finding.code in ("CE10123", "CE10173") for finding in self.errors[mark[0] :])
