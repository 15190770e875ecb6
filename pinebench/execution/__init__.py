"""Scripts on bars as a whole: run from Python, with a broker that trades, and whether what they showed stays."""

from __future__ import annotations

from pinebench.execution.columns import Result, run

__all__ = ["Result", "run"]
