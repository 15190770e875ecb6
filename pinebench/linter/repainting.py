"""Judges whether a script repaints, for every command and tool, from a comparison of runs and the findings of rules.

A run on some bars cannot show everything. If nothing changed on these bars, but a rule says that a signal can change
later, it is not proved that the script does not repaint.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pinebench.context import Context
    from pinebench.repaint.repaint import RepaintVerdict
    from pinebench.workers.jobs import Request

RULES = ("PB2001", "PB2002", "PB2006", "PB2007", "PB2008", "PB2010")
"""The rules whose findings say that a value or a signal can change later."""


def look_for_repainting(request: Request, context: Context | None = None, seconds: float = 60) -> RepaintVerdict:
    """Compare runs of the script in a worker, and run the rules about repainting. No new run begins after `seconds`.

    Raises the errors of `workers.dispatch.look_for_repainting`.
    """
    from pinebench.workers.dispatch import look_for_repainting as compare

    return with_rules(compare(request, context, seconds), request.source)


def with_rules(found: RepaintVerdict, source: str) -> RepaintVerdict:
    """Add the findings of the rules about repainting in the script `source` to `found`, a comparison of runs."""
    from pinebench.linter.engine import lint_text
    from pinebench.linter.findings import FindingFilter

    if found.error is not None:
        return found
    said = [
        f"line {each.line}: {each.message} ({each.code})"
        for each in lint_text(source, "script", FindingFilter(RULES))
        if each.code in RULES and _applies(each.code, each.line, found)
    ]
    return replace(found, against=(*found.against, *said))


def _applies(code: str, line: int, found: RepaintVerdict) -> bool:
    """Whether a rule's finding concerns the run: those about longer bars only count if longer bars were requested."""
    if code == "PB2006":
        return line in found.longer
    return code != "PB2010" or bool(found.longer)
