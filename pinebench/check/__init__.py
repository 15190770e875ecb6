"""Tree to `Program`: every name resolved, every expression typed, TradingView's errors and warnings."""

from __future__ import annotations

from pinebench.check.folders import LibraryFolders
from pinebench.check.program import BoundArgument, BoundCall, NamedCall, Program, check

__all__ = ["BoundArgument", "BoundCall", "LibraryFolders", "NamedCall", "Program", "check"]
