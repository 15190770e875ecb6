"""Fixes for findings: what could be changed so that a finding goes away, judged by checking the changed script.

Each family of codes has a module that proposes candidates; here they are tried, those that do not help are dropped,
and the rest are put in order. A fix is offered as safe only where the language leaves no choice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.diagnostics import Severity
from pinebench.lint.suggest import calls, form, names, types
from pinebench.lint.suggest.candidate import Candidate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pinebench.check import Program
    from pinebench.diagnostics import Diagnostic, Fix
    from pinebench.syntax import Document

__all__ = ["fixes_for", "with_fixes"]

CHARACTERS_CHECKED = 80_000
"""How much text is checked at most to judge the candidates of one script, some tenths of a second; findings beyond
that get theirs once the earlier ones are mended."""
CHECKS = 16
"""So often is one script checked at most to judge its candidates."""
CANDIDATES = 12
"""So many candidates are tried for one finding."""

_BY_CODE: dict[str, Callable[[Program, Diagnostic], Iterable[Candidate]]] = {
    **form.BY_CODE,
    **names.BY_CODE,
    **calls.BY_CODE,
    **types.BY_CODE,
}


def with_fixes(program: Program) -> list[Diagnostic]:
    """The findings of `program`, each with its best fix where one is known; the one it has already is a candidate."""
    judge = _Judge(program)
    found: list[Diagnostic] = []
    for diagnostic in program.diagnostics:
        if diagnostic.code in _BY_CODE:
            fixes = judge.fixes(diagnostic)
            diagnostic = diagnostic._replace(fix=fixes[0]) if fixes else diagnostic
        found.append(diagnostic)
    return found


def fixes_for(program: Program, diagnostic: Diagnostic) -> list[Fix]:
    """Every fix for `diagnostic` that makes the script better, best first."""
    if diagnostic.code not in _BY_CODE:
        return [diagnostic.fix] if diagnostic.fix else []
    return _Judge(program).fixes(diagnostic)


class _Judge:
    """Tries candidates on one script, within CHARACTERS_CHECKED."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._text = program.document.text
        self._before = _score(program)
        self._checks = 0
        # A document of its own, edited and restored for each candidate: only what an edit touches is parsed again.
        self._scratch: Document | None = None

    @property
    def _exhausted(self) -> bool:
        return self._checks >= CHECKS or self._checks * len(self._text) >= CHARACTERS_CHECKED

    def fixes(self, diagnostic: Diagnostic) -> list[Fix]:
        """The candidates for `diagnostic` that help, best first."""
        if self._exhausted:
            return []
        candidates = list(dict.fromkeys(_BY_CODE[diagnostic.code](self._program, diagnostic)))[:CANDIDATES]
        if diagnostic.fix is not None:
            candidates.append(Candidate(*diagnostic.fix))
        scored: list[tuple[tuple[int, int, int], int, Candidate]] = []
        for order, candidate in enumerate(candidates):
            after = self._try(candidate)
            if after is None:
                break
            if after < self._before:
                scored.append((after, order, candidate))
        scored.sort(key=lambda entry: entry[:2])
        # Two that are equally good and equally sure leave a choice to make, which is a person's.
        rivals = [candidate for after, _, candidate in scored if candidate.safe and after == scored[0][0]]
        alone = len(rivals) == 1
        return [candidate.fix(safe=candidate.safe and (alone or candidate.certain)) for _, _, candidate in scored]

    def _try(self, candidate: Candidate) -> tuple[int, int, int] | None:
        """The score of the script with `candidate` applied, or None when enough was checked already."""
        from pinebench.check import check
        from pinebench.syntax import parse

        if self._exhausted:
            return None
        self._checks += 1
        if self._scratch is None:
            self._scratch = parse(self._text)
        edits = sorted(candidate.edits)
        for (start, end), text in reversed(edits):
            self._scratch.edit(start, end, text)
        after = _score(check(self._scratch))
        for (start, end), text in edits:
            self._scratch.edit(start, start + len(text), self._text[start:end])
        return after


def _score(program: Program) -> tuple[int, int, int]:
    """Syntax errors, all errors, warnings; smaller is better."""
    severities = [diagnostic.severity for diagnostic in program.diagnostics]
    return (
        len(program.document.diagnostics),
        severities.count(Severity.ERROR),
        severities.count(Severity.WARNING),
    )
