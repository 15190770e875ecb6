"""Runs scripts on bars, with a broker for strategies, and checks whether scripts repaint."""

from __future__ import annotations

from pinebench.execution.columns import Result, run

__all__ = ["Result", "run"]
