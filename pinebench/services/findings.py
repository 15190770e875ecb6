"""What is wrong with a script as its configuration wants it told."""

from __future__ import annotations

from pinebench.diagnostics import Diagnostic
from pinebench.errors import UsageError
from pinebench.linter.engine import locate
from pinebench.linter.rules import opinions_on
from pinebench.linter.settings import FileSettings, file_settings
from pinebench.linter.suppress import told
from pinebench.services.script import View


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


def _asked(path: str) -> tuple[FileSettings | None, str]:
    try:
        return file_settings(path), ""
    except UsageError as error:
        return None, f"{error.message}{f' ({error.hint})' if error.hint else ''}"
