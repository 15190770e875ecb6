"""Mechanical fixes as an author: they repair a script without a model, a key or a network.

Each round applies every safe fix. If none is left and guesses are allowed, a round applies the guesses. If there are no
guesses either, it applies the best of the alternative fixes. The loop compiles the script after each round, so each
step is verified.
"""

from __future__ import annotations

from collections import Counter

from pinebench.authoring.author import AuthorBudget, AuthoringTask, Proposal
from pinebench.checker import Program, open_program
from pinebench.compilers import Verdict
from pinebench.context import Context
from pinebench.diagnostics import Diagnostic
from pinebench.linter import suggest
from pinebench.linter.engine import diagnostics_of
from pinebench.linter.fixes import CHARACTERS_TRIED, FixResult, Guess, changed, fix_program, score

NOTHING_LEFT = "no mechanical fix helps any further"
NOTHING_SURE = "no safe mechanical fix helps any further"


class QuickFix:
    """An Author that can only repair scripts; it writes no drafts."""

    name = "quickfix"

    def __init__(self, libraries: tuple[str, ...] = (), *, unsafe: bool = False) -> None:
        """`libraries` are the folders that may hold the source of imported libraries.

        `unsafe` allows guesses, which may change the meaning of the script. Each guess is reported as one, with its
        line.
        """
        self._libraries = libraries
        self._unsafe = unsafe
        self.guessed = False
        """Whether one of the fixes so far was a guess."""

    def draft(self, *_: object) -> Proposal:
        """Return a proposal without a script, because fixes need a script to work on."""
        return Proposal(None, "quick fixes cannot write a script", final=True)

    def restart(self, *_: object) -> Proposal:
        """Return a proposal without a script, because there is only one approach."""
        return Proposal(None, NOTHING_LEFT, final=True)

    def revise(
        self, _task: AuthoringTask, source: str, verdict: Verdict, _note: str, _left: AuthorBudget, context: Context, /
    ) -> Proposal:
        """Propose `source` with all safe fixes. If there are none and guesses are allowed, apply all guesses. If there
        are no guesses either, apply the alternative fix that removes the most errors."""
        # The findings of our own checker carry the fixes, so they are used for every compiler.
        program = verdict.program or open_program(source, self._libraries)
        found = diagnostics_of(program, suggest.TrialBudget(CHARACTERS_TRIED))
        for unsafe in (False, True) if self._unsafe else (False,):
            context.check()
            fixed = fix_program(program, _is_error, unsafe=unsafe, diagnostics=found)
            if fixed.text != source:
                return self._told(fixed)
        if not self._unsafe:
            return Proposal(None, NOTHING_SURE, final=True)
        other = _other_way(program, context)
        if other is None:
            return Proposal(None, NOTHING_LEFT, final=True)
        return self._told(other)

    def _told(self, fixed: FixResult) -> Proposal:
        """Return a proposal with the text of `fixed` and its changes; guesses are listed with their lines."""
        self.guessed = self.guessed or bool(fixed.guesses)
        sure = fixed.applied - Counter(guess.title for guess in fixed.guesses)
        told = [_counted(*item) for item in sure.items()]
        told += [f"guess in line {line}: {title}" for line, title in fixed.guesses]
        return Proposal(fixed.text, changes=tuple(told))


def _other_way(program: Program, context: Context) -> FixResult | None:
    """Return the fix that removes most errors among all fixes that are offered for an error; None if none helps."""
    least, best = score(program), None
    budget = suggest.TrialBudget(CHARACTERS_TRIED)
    for diagnostic in filter(_is_error, program.diagnostics):
        for fix in suggest.fixes_for(program, diagnostic, budget):
            context.check()
            if not budget.take(len(program.document.text)):
                break
            after = changed(program, fix.edits)
            if score(after) < least:
                line = program.document.lines.position(fix.edits[0].span.start).line
                least = score(after)
                best = FixResult(after.document.text, Counter([fix.title]), (Guess(line, fix.title),))
    return best


def _is_error(diagnostic: Diagnostic) -> bool:
    return diagnostic.severity == 0


def _counted(title: str, count: int) -> str:
    return f"{title} ({count} times)" if count > 1 else title
