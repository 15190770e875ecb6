"""The findings of a script as its configuration selects them."""

from __future__ import annotations

from pinebench.diagnostics import Diagnostic
from pinebench.errors import UsageError
from pinebench.linter.engine import locate
from pinebench.linter.rules import opinions_on
from pinebench.linter.settings import FileSettings, file_settings
from pinebench.linter.suppress import split_hidden
from pinebench.services.script import View


def findings(view: View, path: str) -> tuple[list[Diagnostic], str]:
    """The findings to show for a script, and the problem with its configuration (empty if there is none).

    The findings include the linter's rules. They are selected as the configuration says, without those that a comment
    hides.
    """
    asked, trouble = _asked(path)
    program = view.program
    found = [*program.diagnostics, *(opinions_on(program, asked.opinions) if asked is not None else ())]
    if asked is None:
        return found, trouble
    snapshot = view.snapshot
    located = locate(found, snapshot.lines, path, syntax=snapshot.diagnostics)
    return [finding.diagnostic for finding in split_hidden(view.text, path, located, asked.view).findings], trouble


def _asked(path: str) -> tuple[FileSettings | None, str]:
    try:
        return file_settings(path), ""
    except UsageError as error:
        return None, f"{error.message}{f' ({error.hint})' if error.hint else ''}"
