"""Tree to `Program`: every name resolved, every expression typed, TradingView's errors and warnings."""

from __future__ import annotations

from pinebench.check.program import Program, check

__all__ = ["Program", "check"]
