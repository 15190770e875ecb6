"""Converts findings to the protocol's diagnostics."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from pinebench.codes import opinion_codes
from pinebench.codes.pages import help_page
from pinebench.diagnostics import Diagnostic, Fix, Severity
from pinebench.lsp.positions import Positions
from pinebench.services import ScriptView

SOURCE = "pinebench"
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}
_FADED = ("unused-", "unreachable-")


def as_protocol(
    found: list[Diagnostic], positions: Positions, view: ScriptView | None = None, version: int = 0
) -> list[types.Diagnostic]:
    """Convert `found` to diagnostics.

    With `view`, the state that has these findings, each diagnostic carries its known fixes, and the `version` of the
    text that the fixes apply to.
    """
    made = [_one(each, positions) for each in found]
    if view is None:
        return made
    for finding, told in zip(found, made, strict=True):
        known = view.fixes.get((finding.code, finding.span, finding.message))
        if known:
            told.data = {"version": version, "fixes": [_carried(fix, positions) for fix in known]}
    return made


def _carried(fix: Fix, positions: Positions) -> dict[str, Any]:
    """Return a fix as plain data for the editor to send back."""

    def place(offset: int) -> dict[str, int]:
        position = positions.position(offset)
        return {"line": position.line, "character": position.character}

    edits = [
        {"range": {"start": place(each.span.start), "end": place(each.span.end)}, "newText": each.text}
        for each in fix.edits
    ]
    return {"title": fix.title, "preferred": fix.safe, "edits": edits}


def _one(found: Diagnostic, positions: Positions) -> types.Diagnostic:
    known = opinion_codes().get(found.code)
    page = help_page(found.code)
    is_faded = known is not None and (known.alias or "").startswith(_FADED)
    return types.Diagnostic(
        range=positions.range(found.span),
        message=f"{found.message}\n{found.hint}" if found.hint else found.message,
        severity=_SEVERITIES[found.severity],
        code=found.code,
        code_description=types.CodeDescription(page) if page is not None else None,
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if is_faded else None,
    )
