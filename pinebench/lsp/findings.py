"""Findings as the protocol tells them."""

from __future__ import annotations

from lsprotocol import types

from pinebench.codes import opinion_codes
from pinebench.diagnostics import Diagnostic, Severity
from pinebench.lsp.positions import Positions

SOURCE = "pinebench"
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}
_FADED = ("unused-", "unreachable-")


def as_protocol(found: list[Diagnostic], positions: Positions) -> list[types.Diagnostic]:
    """`found` as the protocol has them."""
    return [_one(each, positions) for each in found]


def _one(found: Diagnostic, positions: Positions) -> types.Diagnostic:
    known = opinion_codes().get(found.code)
    is_faded = known is not None and (known.alias or "").startswith(_FADED)
    return types.Diagnostic(
        range=positions.range(found.span),
        message=f"{found.message}\n{found.hint}" if found.hint else found.message,
        severity=_SEVERITIES[found.severity],
        code=found.code,
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if is_faded else None,
    )
