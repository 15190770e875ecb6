"""`pinebench.check`: the errors and warnings of TradingView's compiler and of pinebench's rules for a script."""

from __future__ import annotations

from pinebench.api.sources import Source, read
from pinebench.diagnostics import Severity
from pinebench.files import DecodedText
from pinebench.linter import Finding
from pinebench.linter.engine import check_script
from pinebench.linter.project import LintedFile, ScriptFindings, fix_result
from pinebench.linter.settings import FileSettings, default_settings, file_settings
from pinebench.printable import printable


class Report:
    """The findings in a script, as `check` returns them. A report is truthy if the script was checked and has no
    errors."""

    def __init__(self, result: ScriptFindings, settings: FileSettings) -> None:
        self._result = result
        self._settings = settings
        self._shown = result.as_shown(settings.view)

    @property
    def text(self) -> str:
        """The script that was checked."""
        return self._result.script.text

    @property
    def path(self) -> str:
        """The path of the script's file; `<text>` if the script was passed as a string."""
        return self._result.script.path

    @property
    def findings(self) -> list[Finding]:
        """All findings, in the order of their position in the script."""
        return self._shown.findings

    @property
    def ok(self) -> bool | None:
        """Whether the check found no errors; None if it found none in a script of an older version of Pine, because
        only the syntax of such scripts is checked. Errors that a comment in the script hides count too."""
        if self.errors or self._shown.hidden_errors:
            return False
        return True if self._shown.is_checked else None

    @property
    def errors(self) -> list[Finding]:
        """The errors. Each has `code`, `line`, `column` (both from 1), `message` and `hint`."""
        return self._of(Severity.ERROR)

    @property
    def warnings(self) -> list[Finding]:
        """The warnings of TradingView and of pinebench's rules."""
        return self._of(Severity.WARNING)

    @property
    def not_checked(self) -> list[str]:
        """The imported libraries whose source is unknown. Their uses were not checked."""
        return list(self._result.unread)

    def fixed(self, *, unsafe: bool = False) -> str:
        """Return the script with all safe fixes applied, or with `unsafe` all fixes. The file is not changed."""
        return fix_result(self._result, self._settings.view, unsafe=unsafe).after.text

    def __bool__(self) -> bool:
        return self.ok is True

    def __str__(self) -> str:
        rows = [
            printable(f"{self.path}:{each.line}:{each.column}: {each.severity.label} {each.code}: {each.message}")
            for each in self.findings
        ]
        return "\n".join([*rows, *self._remarks()])

    def _repr_html_(self) -> str:
        from pinebench.api.pages import findings_page

        return findings_page(self.path, self.text, self.findings, self._remarks())

    def _remarks(self) -> list[str]:
        """Sentences about what the findings do not show: hidden errors, and what was not checked."""
        from pinebench.linter.report.text import not_checked

        hidden = ", ".join(f"line {each.line}: {each.code}" for each in self._shown.hidden_errors)
        told = [f"ignored by a comment, but TradingView refuses such a script: {hidden}"] if hidden else []
        if not self._shown.is_checked and not self.findings:
            told.append("the script was not checked: only scripts in v6 are checked")
        return [*told, not_checked(self.not_checked)] if self.not_checked else told

    def _of(self, severity: Severity) -> list[Finding]:
        return [each for each in self.findings if each.severity is severity]


def check(source: Source, *, libraries: tuple[str, ...] | None = None) -> Report:
    """Check a script without running it.

    `source` is a script as a string, or a file. The `pinebench.toml` nearest to the file selects the findings, as for
    `pinebench lint`. Comments in the script can hide findings. `libraries` are folders with the source of imported
    libraries. Raises UsageError if the file cannot be read.

    >>> import pinebench as pb
    >>> report = pb.check('//@version=6\\nindicator("Mean")\\nplot(ta.sma(close, lenght))')
    >>> report.ok
    False
    >>> report.errors[0].code, report.errors[0].line, report.errors[0].column
    ('CE10272', 3, 20)
    """
    script = read(source, libraries)
    settings = default_settings() if script.path is None else file_settings(script.path)
    file = LintedFile(script.name, DecodedText(script.text), script.libraries, settings.opinions)
    found = check_script(file.text, file.path, file.libraries, file.opinions)
    return Report(ScriptFindings(file, found.findings, unread=found.unread), settings)
