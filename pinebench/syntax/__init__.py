"""Text to tree: an exact, incremental parser for Pine Script with error recovery and TradingView's syntax errors."""

from __future__ import annotations

from pinebench.syntax.document import Chunk, Document, parse

__all__ = ["Chunk", "Document", "parse"]
