"""One script in, its findings out."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, NamedTuple

from pinebench.linter.findings import EVERYTHING, Finding, View, located

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from pinebench.checker import Program
    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.findings import Lines
    from pinebench.linter.suggest import Budget


def lint_text(text: str, path: str = "<text>", view: View = EVERYTHING) -> list[Finding]:
    """The findings about `text` that `view` shows and no comment hides, in report order; `path` is the name they carry.
    Never raises."""
    from pinebench.linter.suppress import told

    return told(text, path, check_text(text, path, opinions=view.opinions), view).findings


def check_text(
    text: str, path: str = "<text>", libraries: tuple[str, ...] = (), opinions: Collection[str] = ()
) -> list[Finding]:
    """Every finding about the script `text`, in report order; `libraries` are folders with the source of imports,
    `opinions` the codes of the rules that are asked too."""
    return check_script(text, path, libraries, opinions).findings


class Checked(NamedTuple):
    """Every finding about a script, and the text of each library that was looked for, by its path; None where there was
    none."""

    findings: list[Finding]
    libraries: Mapping[str, str | None] = {}


def check_script(text: str, path: str, libraries: tuple[str, ...] = (), opinions: Collection[str] = ()) -> Checked:
    """What `check_text` finds, with all that it depends on."""
    from pinebench.checker import open_program  # here, because a run answered from the cache needs no checker
    from pinebench.syntax.garbage import CollectionPaused

    # Each check of a script leaves more behind than collecting on the way would free, but of a very long one too much.
    with CollectionPaused() if len(text) <= _COLLECTED_AT_THE_END else nullcontext():
        program = open_program(text, libraries)
        return Checked(findings_of(program, path, opinions), program.libraries_read)


_COLLECTED_AT_THE_END = 500_000
"""Characters of a script up to which its garbage is collected when all is found."""


def bare_findings(text: str, path: str = "<text>", libraries: tuple[str, ...] = ()) -> list[Finding]:
    """What the checker alone finds in `text`, without fixes and opinions: all that is left where looking for these
    fails."""
    from pinebench.checker import open_program

    program = open_program(text, libraries)
    document = program.document
    return locate(program.diagnostics, document.lines, path, syntax=document.diagnostics)


def diagnostics_of(program: Program, budget: Budget | None = None) -> list[Diagnostic]:
    """The findings of `program`, each with the best fix that is known for it; finding them spends `budget`."""
    if not program.diagnostics:
        return []
    from pinebench.linter.suggest import with_fixes  # here, because a clean script needs no advice

    return with_fixes(program, budget)


def findings_of(program: Program, path: str, opinions: Collection[str] = ()) -> list[Finding]:
    """Every finding about `program`, in report order; those of the rules with the codes `opinions` too."""
    document = program.document
    found = diagnostics_of(program)
    if opinions:
        from pinebench.linter.rules import opinions_on  # here, because most runs ask for none

        found = [*found, *opinions_on(program, opinions)]
    return locate(found, document.lines, path, syntax=document.diagnostics)


def locate(
    diagnostics: Iterable[Diagnostic], lines: Lines, path: str, *, syntax: Iterable[Diagnostic] = ()
) -> list[Finding]:
    """Findings for `diagnostics`, placed by `lines`, in report order; those in `syntax` count as errors of form."""
    of_form = {(diagnostic.code, diagnostic.span) for diagnostic in syntax}
    findings = [
        located(diagnostic, lines, path, syntax=(diagnostic.code, diagnostic.span) in of_form)
        for diagnostic in diagnostics
    ]
    return sorted(findings, key=lambda finding: finding.order)
