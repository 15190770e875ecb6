"""Removes cascading errors after a syntax error: findings on the broken line and about the names that it declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pinebench.diagnostics import Diagnostic, Severity, Span
from pinebench.patterns import lazy_pattern
from pinebench.syntax import Snapshot
from pinebench.syntax.faults import NOT_INDENTED

_WORD = lazy_pattern(r"[A-Za-z_]\w*")
_BROKEN_OFF = '"end of line without line continuation"'
_ABOUT_NAMES = frozenset(("CE10272", "CE10271", "CE10149", "CE10074"))
_COMMENT = lazy_pattern(r"//[^\r\n]*")


def without_echoes(document: Snapshot, findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the checker's `findings`, except those that only follow from a syntax error in `document`."""
    broken = [finding for finding in document.diagnostics if finding.severity is Severity.ERROR]
    if not broken:
        return list(findings)
    lines = {line for finding in broken for line in _broken_lines(document, finding)}
    words = {word for line in lines for word in _WORD.findall(_COMMENT.sub("", document.text[line.start : line.end]))}
    return [finding for finding in findings if not _is_echo(document, finding, lines, words)]


def _broken_lines(document: Snapshot, finding: Diagnostic) -> Iterator[Span]:
    """Yield the logical lines that a syntax error affects: its own, and the lines that it splits off or joins."""
    line = document.logical_line(finding.span.start)
    yield line
    yield document.logical_line(finding.span.end)
    if finding.code in NOT_INDENTED and finding.span.start == line.start:
        yield document.logical_line(max(line.start - 1, 0))  # a header or another line that should continue
    elif (finding.code, finding.value("value")) == ("CE10156", _BROKEN_OFF):
        yield document.logical_line(line.end)


def _is_echo(document: Snapshot, finding: Diagnostic, lines: set[Span], words: set[str]) -> bool:
    if document.logical_line(finding.span.start) in lines:
        return True
    if finding.code not in _ABOUT_NAMES:
        return False
    text = document.text[finding.span.start : finding.span.end]
    return any(word in words for word in _WORD.findall(text))
