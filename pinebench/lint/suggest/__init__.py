"""Fixes for findings: what could be changed so that a finding goes away, judged by checking the changed script.

Each family of codes has a module that proposes candidates; here they are tried, those that do not help are dropped,
and the rest are put in order. A fix is offered as safe only where the language leaves no choice: nothing else helps as
much, the statement it mends is sound afterwards, and no syntax error is left that may hide what a name stands for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.diagnostics import Severity
from pinebench.lint.suggest import calls, form, names, scope, types
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
    **scope.BY_CODE,
}


def with_fixes(program: Program) -> list[Diagnostic]:
    """The findings of `program`, each with its best fix where one is known; the one it has already is a candidate."""
    judge = _Judge(program)
    # Syntax errors first: while one is left that no fix settles, what names stand for is a guess.
    fixes = {place: judge.best(found) for place, found in enumerate(program.diagnostics) if judge.is_syntax(found)}
    settled = all(fix is not None and fix.safe for fix in fixes.values())
    found: list[Diagnostic] = []
    for place, diagnostic in enumerate(program.diagnostics):
        fix = fixes[place] if place in fixes else judge.best(diagnostic)
        if fix is not None and not settled and place not in fixes:
            fix = fix._replace(safe=False)
        found.append(diagnostic._replace(fix=fix))
    return found


def fixes_for(program: Program, diagnostic: Diagnostic) -> list[Fix]:
    """Every fix for `diagnostic` that makes the script better, best first."""
    return _Judge(program).fixes(diagnostic)


class _Judge:
    """Tries candidates on one script, within CHARACTERS_CHECKED."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._text = program.document.text
        self._before = _score(program)
        self._syntax = frozenset(program.document.diagnostics)
        self._checks = 0
        # A document of its own, edited and restored for each candidate: only what an edit touches is parsed again.
        self._scratch: Document | None = None

    @property
    def _exhausted(self) -> bool:
        return self._checks >= CHECKS or self._checks * len(self._text) >= CHARACTERS_CHECKED

    def is_syntax(self, diagnostic: Diagnostic) -> bool:
        """Whether `diagnostic` is a syntax error."""
        return diagnostic in self._syntax

    def best(self, diagnostic: Diagnostic) -> Fix | None:
        """The best fix for `diagnostic`, if one is known."""
        if diagnostic.code not in _BY_CODE:
            return diagnostic.fix
        fixes = self.fixes(diagnostic)
        # What was not judged is not known to be safe.
        return fixes[0] if fixes else diagnostic.fix and diagnostic.fix._replace(safe=False)

    def fixes(self, diagnostic: Diagnostic) -> list[Fix]:
        """The candidates for `diagnostic` that help, best first."""
        if diagnostic.code not in _BY_CODE:
            return [diagnostic.fix] if diagnostic.fix else []
        if self._exhausted:
            return []
        candidates = list(dict.fromkeys(_BY_CODE[diagnostic.code](self._program, diagnostic)))[:CANDIDATES]
        if diagnostic.fix is not None:
            candidates.append(Candidate(*diagnostic.fix))
        syntax = self.is_syntax(diagnostic)
        scored: list[tuple[tuple[int, int, int], int, Candidate]] = []
        for order, candidate in enumerate(candidates):
            tried = self._try(candidate)
            if tried is None:
                break
            after, sound = tried
            if after < self._before:
                scored.append((after, order, candidate if sound or not syntax else candidate._replace(safe=False)))
        scored.sort(key=lambda entry: entry[:2])
        # Two that are equally good and equally sure leave a choice to make, which is a person's.
        rivals = [candidate for after, _, candidate in scored if candidate.safe and after == scored[0][0]]
        alone = len(rivals) == 1
        return [candidate.fix(safe=candidate.safe and (alone or candidate.certain)) for _, _, candidate in scored]

    def _try(self, candidate: Candidate) -> tuple[tuple[int, int, int], bool] | None:
        """The score of the script with `candidate` applied and whether the statements that it changes are sound then,
        or None when enough was checked already."""
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
        program = check(self._scratch)
        last = edits[-1].span.start + sum(len(text) - (end - start) for (start, end), text in edits[:-1])
        begin, end = self._scratch.chunk_at(edits[0].span.start).start, self._scratch.chunk_at(last).end
        sound = not any(
            begin <= error.span.start < end for error in program.diagnostics if error.severity == Severity.ERROR
        )
        after = _score(program)
        for (start, end), text in edits:
            self._scratch.edit(start, start + len(text), self._text[start:end])
        return after, sound


def _score(program: Program) -> tuple[int, int, int]:
    """Syntax errors, all errors, warnings; smaller is better."""
    severities = [diagnostic.severity for diagnostic in program.diagnostics]
    return (
        len(program.document.diagnostics),
        severities.count(Severity.ERROR),
        severities.count(Severity.WARNING),
    )
