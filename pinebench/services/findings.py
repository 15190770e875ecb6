"""The findings of a script as its configuration selects them."""

from __future__ import annotations

from pinebench.diagnostics import Diagnostic, Severity
from pinebench.errors import UsageError
from pinebench.linter.engine import locate
from pinebench.linter.rules import opinions_on
from pinebench.linter.settings import FileSettings, file_settings
from pinebench.linter.suppress import split_hidden
from pinebench.services.script import View


def findings(view: View, path: str) -> tuple[list[Diagnostic], str]:
    """The findings to show for a script, and the problem with its configuration (empty if there is none).

    The findings include the linter's rules. They are selected as the configuration says, without those that a comment
    hides. An error is shown even then, because TradingView refuses the script anyway.
    """
    asked, trouble = _asked(path)
    program = view.program
    found = [*program.diagnostics, *(opinions_on(program, asked.opinions) if asked is not None else ())]
    if asked is None:
        return found, trouble
    snapshot = view.snapshot
    located = locate(found, snapshot.lines, path, syntax=snapshot.diagnostics)
    split = split_hidden(view.text, path, located, asked.view)
    refused = [_visible(each.finding.diagnostic) for each in split.hidden if each.finding.severity is Severity.ERROR]
    return [*(finding.diagnostic for finding in split.findings), *refused], trouble


def _visible(error: Diagnostic) -> Diagnostic:
    """A hidden error as the editor shows it."""
    why = "A comment hides this error in reports, but TradingView refuses the script."
    return error._replace(hint=f"{error.hint} {why}" if error.hint else why)


def _asked(path: str) -> tuple[FileSettings | None, str]:
    try:
        return file_settings(path), ""
    except UsageError as error:
        return None, f"{error.message}{f' ({error.hint})' if error.hint else ''}"
