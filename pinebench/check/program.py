"""What is known about a checked script, for every other room."""

from __future__ import annotations

from pinebench.diagnostics import Diagnostic
from pinebench.syntax import Document


class Program:
    """A checked script: its document and every finding, sorted by place."""

    def __init__(self, document: Document, diagnostics: list[Diagnostic]) -> None:
        self.document = document
        self.diagnostics = diagnostics


def check(document: Document) -> Program:
    """Check `document` as TradingView's compiler would; never raises."""
    return Program(document, list(document.diagnostics))
