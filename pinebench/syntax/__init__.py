"""Parses Pine Script to a tree: exact positions, incremental edits, error recovery, and TradingView's syntax errors."""

from pinebench.syntax.document import Document, parse
from pinebench.syntax.snapshot import Snapshot
from pinebench.syntax.source import Chunk

__all__ = ["Chunk", "Document", "Snapshot", "parse"]
