"""Findings about scripts, with the selection, fixes, baseline, cache and reports that people and CI need."""

from typing import TYPE_CHECKING

from pinebench.faces import face

if TYPE_CHECKING:
    from pinebench.linter.engine import check_text, lint_text, locate
    from pinebench.linter.findings import EVERYTHING, Finding, FindingFilter

__all__ = ["EVERYTHING", "Finding", "FindingFilter", "check_text", "lint_text", "locate"]

__getattr__ = face(__name__, {"engine": "check_text lint_text locate", "findings": "EVERYTHING Finding FindingFilter"})
