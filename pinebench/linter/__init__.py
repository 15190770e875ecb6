"""Findings about scripts, and what people and CI need around them: selection, fixes, baseline, cache, reports."""

from __future__ import annotations

from pinebench.linter.engine import check_text, lint_text, locate
from pinebench.linter.findings import EVERYTHING, Finding, View

__all__ = ["EVERYTHING", "Finding", "View", "check_text", "lint_text", "locate"]
