"""The report of a failed command: one line, or a script's errors, for people; a JSON object for programs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from pinebench.cli.console import print_report, style_for, tell_error
from pinebench.errors import DoesNotCompile, PinebenchError, UnavailableError
from pinebench.printable import json_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pinebench.checker import Program
    from pinebench.linter import Finding
    from pinebench.syntax.lines import LineIndex


class FaultyScript(DoesNotCompile):
    """The error for a script that does not compile. `findings` are its errors, and `lines` converts offsets to lines
    and columns."""

    def __init__(self, path: str, findings: Sequence[Finding], lines: LineIndex) -> None:
        from pinebench.amounts import counted

        super().__init__(f"{path}: the script does not compile: {counted(len(findings), 'error')}")
        self.findings = findings
        self.lines = lines


def refuse_faulty(program: Program, path: str) -> None:
    """Raise FaultyScript if the script has errors, and UnavailableError if its Pine version is older than v6."""
    from pinebench.diagnostics import Severity
    from pinebench.linter import locate

    document = program.document
    errors = [each for each in program.diagnostics if each.severity is Severity.ERROR]
    if errors:
        raise FaultyScript(path, locate(errors, document.lines, path, syntax=document.diagnostics), document.lines)
    if document.version is not None and document.version < 6:
        raise UnavailableError(
            f"{path}: the script is Pine v{document.version}, and only v6 runs here",
            f"convert it with 'pinebench migrate {path}{'' if path == '<stdin>' else ' --write'}'",
        )


def tell(error: PinebenchError, *, as_json: bool) -> None:
    """Report an error as a message on stderr, and with `as_json` also as one JSON object on standard output."""
    if isinstance(error, FaultyScript):
        _show_findings(error)
    tell_error(error.message, error.hint)
    if as_json:
        print_failure(error)


def print_failure(error: PinebenchError) -> None:
    """Print `envelope(error)` as one line of JSON."""
    print_report(json_text(envelope(error)) + "\n")


def envelope(error: PinebenchError) -> dict[str, Any]:
    """Return the failure as a JSON object with `success`, `error` and `hint`. For a script with errors, it also has
    `diagnostics`, as in `lint --format json`."""
    told: dict[str, Any] = {"success": False, "error": error.message, "hint": error.hint}
    if isinstance(error, FaultyScript):
        from pinebench.linter.report.json import diagnostic

        told["diagnostics"] = [diagnostic(finding, None) for finding in error.findings]
    return told


def _show_findings(error: FaultyScript) -> None:
    from pinebench.linter.report.text import finding_block

    for finding in error.findings:
        print(finding_block(finding, error.lines, style_for(sys.stderr)), file=sys.stderr)
