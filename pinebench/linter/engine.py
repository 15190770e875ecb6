"""The findings of one script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.garbage import CollectionPaused, CollectionRare
from pinebench.linter.findings import EVERYTHING, Finding, FindingFilter, located
from pinebench.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from pinebench.checker import Program
    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.findings import Lines
    from pinebench.linter.suggest import TrialBudget


def lint_text(text: str, path: str = "<text>", view: FindingFilter = EVERYTHING) -> list[Finding]:
    """Return the findings about `text` that `view` shows and that no comment hides, in report order.

    `path` is the path in the findings. Never raises.
    """
    from pinebench.linter.suppress import split_hidden

    return split_hidden(text, path, check_text(text, path, opinions=view.opinions), view).findings


def check_text(
    text: str, path: str = "<text>", libraries: tuple[str, ...] = (), opinions: Collection[str] = ()
) -> list[Finding]:
    """Return every finding about the script `text`, in report order.

    `libraries` lists folders with the source of imported libraries. `opinions` holds the codes of the rules to run.
    """
    return check_script(text, path, libraries, opinions).findings


class LintedScript(NamedTuple):
    """The findings about a script, the text of each library that it imports, by path, and the paths of the libraries
    whose uses were not checked. The text is None if the library was not found or cannot be read."""

    findings: list[Finding]
    libraries: Mapping[str, str | None] = {}
    unread: Sequence[str] = ()


def check_script(text: str, path: str, libraries: tuple[str, ...] = (), opinions: Collection[str] = ()) -> LintedScript:
    """Return the same findings as `check_text`, and the libraries on which the result depends."""
    from pinebench.checker import open_program  # here, because a run from the cache does not need the checker

    # A check creates more garbage than collecting during the check would free. A very long script would create too
    # much.
    with CollectionPaused() if len(text) <= _COLLECTED_AT_THE_END else CollectionRare():
        program = open_program(text, libraries)
        linted = LintedScript(findings_of(program, path, opinions), program.libraries_read, program.unread_paths)
        program.release()
        return linted


_COLLECTED_AT_THE_END = 2_000_000
"""The number of characters of a script up to which garbage is collected only after the check."""


def bare_findings(text: str, path: str = "<text>", libraries: tuple[str, ...] = ()) -> list[Finding]:
    """Return the findings of the checker in `text`, without fixes and without the findings of rules. It is used if
    linting fails. `libraries` is as in `check_text`."""
    from pinebench.checker import open_program

    program = open_program(text, libraries)
    document = program.document
    return locate(program.diagnostics, document.lines, path, syntax=document.diagnostics)


def diagnostics_of(program: Program, budget: TrialBudget | None = None) -> list[Diagnostic]:
    """Return the diagnostics of `program`, each with its best known fix. `budget` limits the search for fixes."""
    if not program.diagnostics:
        return []
    from pinebench.linter.suggest import with_fixes  # here, because a script without findings does not need it

    return with_fixes(program, budget)


def findings_of(program: Program, path: str, opinions: Collection[str] = ()) -> list[Finding]:
    """Return every finding about `program`, in report order, including those from the rules with the codes in
    `opinions`."""
    document = program.document
    found = diagnostics_of(program)
    if opinions:
        from pinebench.linter.rules import opinions_on  # here, because most runs do not use it

        found = [*found, *opinions_on(program, opinions)]
    return locate(found, document.lines, path, syntax=document.diagnostics)


def locate(
    diagnostics: Iterable[Diagnostic], lines: Lines, path: str, *, syntax: Iterable[Diagnostic] = ()
) -> list[Finding]:
    """Return findings for `diagnostics` in report order, with positions from `lines`.

    A finding counts as a syntax error if its diagnostic is in `syntax`.
    """
    of_form = {(diagnostic.code, diagnostic.span) for diagnostic in syntax}
    findings = [
        located(diagnostic, lines, path, syntax=(diagnostic.code, diagnostic.span) in of_form)
        for diagnostic in diagnostics
    ]
    return sorted(findings, key=lambda finding: finding.order)
