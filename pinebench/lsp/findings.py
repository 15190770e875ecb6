"""What is wrong with an open script, as the protocol tells it."""

from __future__ import annotations

from lsprotocol import types

from pinebench.codes import opinion_codes
from pinebench.diagnostics import Diagnostic, Severity
from pinebench.errors import UsageError
from pinebench.lint.engine import locate
from pinebench.lint.rules import opinions_on
from pinebench.lint.settings import Asked, asked_of
from pinebench.lint.suppress import told
from pinebench.lsp.positions import Positions
from pinebench.services import View

SOURCE = "pinebench"
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}
_FADED = ("unused-", "unreachable-")


def findings(view: View, path: str) -> tuple[list[Diagnostic], str]:
    """The findings to show for a script, with its rules' and without those that a comment hides, as its configuration
    wants; and what is wrong with that configuration, empty where nothing is."""
    asked, trouble = _asked(path)
    program = view.program
    found = [*program.diagnostics, *(opinions_on(program, asked.opinions) if asked is not None else ())]
    if asked is None:
        return found, trouble
    snapshot = view.snapshot
    located = locate(found, snapshot.lines, path, syntax=snapshot.diagnostics)
    return [finding.diagnostic for finding in told(view.text, path, located, asked.view).findings], trouble


def _asked(path: str) -> tuple[Asked | None, str]:
    try:
        return asked_of(path), ""
    except UsageError as error:
        return None, f"{error.message}{f' ({error.hint})' if error.hint else ''}"


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
