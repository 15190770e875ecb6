"""Faults to diagnostics: TradingView's words and places, our spans and hints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench import codes
from pinebench.diagnostics import Diagnostic, Position, Span

if TYPE_CHECKING:
    from pinebench.syntax.document import Document


def diagnostics(document: Document) -> list[Diagnostic]:
    """The diagnostics of all chunks, sorted by place."""
    found: list[Diagnostic] = []
    for chunk in document.chunks:
        for fault in chunk.faults:
            start, end = chunk.start + fault.start, chunk.start + fault.end
            tv = document.tradingview_position(start)
            if fault.at_line_start:
                tv = Position(tv.line, 1)
            where = tv if tv != document.lines.position(start) else None
            found.append(
                Diagnostic(
                    fault.code,
                    codes.severity(fault.code),
                    codes.message(fault.code, **fault.values),
                    Span(start, end),
                    where,
                )
            )
    found.sort(key=lambda diagnostic: (diagnostic.span, diagnostic.code))
    return found
