"""Keeps quiet about the echoes of a syntax error: what its line holds, and the names that line declares."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pinebench.codes import message
from pinebench.diagnostics import Diagnostic, Severity
from pinebench.syntax import Document

_WORD = re.compile(r"[A-Za-z_]\w*")
_BROKEN_OFF = message("CE10156", value='"end of line without line continuation"')
_ABOUT_NAMES = frozenset(("CE10272", "CE10271", "CE10149", "CE10074"))


def without_echoes(document: Document, findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """`findings` of the checker without those that a syntax error of `document` brings about."""
    broken = [finding for finding in document.diagnostics if finding.severity is Severity.ERROR]
    if not broken:
        return list(findings)
    position = document.lines.position
    lines = {
        line
        for finding in broken
        for line in range(position(finding.span.start).line, position(finding.span.end).line + 1)
    }
    words = {word for line in lines for word in _WORD.findall(document.lines.line_text(line))}
    # Behind a line that breaks off, the parser joins the next one to it.
    lines |= {position(finding.span.start).line + 1 for finding in broken if finding.message == _BROKEN_OFF}
    # A wrapped statement is one line to TradingView, and so are all its parts to us.
    wrapped = {document.tradingview_position(finding.span.start).line for finding in broken}
    return [finding for finding in findings if not _is_echo(document, finding, lines, wrapped, words)]


def _is_echo(document: Document, finding: Diagnostic, lines: set[int], wrapped: set[int], words: set[str]) -> bool:
    start = finding.span.start
    if document.lines.position(start).line in lines or document.tradingview_position(start).line in wrapped:
        return True
    if finding.code not in _ABOUT_NAMES:
        return False
    text = document.text[finding.span.start : finding.span.end]
    return any(word in words for word in _WORD.findall(text))
