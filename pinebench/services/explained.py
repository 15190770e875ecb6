"""Explains a code to people who ask in their editor."""

from __future__ import annotations

from pinebench.codes import find, opinion_codes
from pinebench.errors import UsageError


def explained(code: str) -> str:
    """Explain a code in Markdown. Raises UsageError if there is no such code."""
    known = find(code)
    if known is None:
        raise UsageError(f"there is no code '{code}'", "'pinebench explain' lists similar codes")
    if known.name in opinion_codes():
        from inspect import getdoc

        from pinebench.linter.rules import rule

        return f"## {known.name}: {known.alias}\n\n{getdoc(rule(known.name)) or known.why}"
    example = f"Reported here:\n\n```pine\n{known.bad.strip()}\n```\n\nRight:\n\n```pine\n{known.good.strip()}\n```"
    return f"## {known.name}\n\n{known.template}\n\n{known.why}\n\n{example}"
