"""Mechanical fixes as an author: repairs a broken script without a model, a key or a network.

A round either applies every fix that cannot change what a script does, or, when none of those helps, the one that may and helps most. The
loop compiles after each, so that every step is seen and judged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.authoring.author import Proposal
from pinebench.lint import suggest
from pinebench.lint.engine import program_of
from pinebench.lint.fixes import apply_edits, fix_text, score

if TYPE_CHECKING:
    from pinebench.authoring.author import Budget, Task
    from pinebench.check import Program
    from pinebench.compilers import Verdict
    from pinebench.context import Context
    from pinebench.diagnostics import Diagnostic, Fix

NOTHING_LEFT = "no mechanical fix helps any further"


class QuickFix:
    """An Author that only repairs; asked for a draft, it says that it has none."""

    name = "quickfix"

    def draft(self, task: Task, note: str, left: Budget, context: Context) -> Proposal:  # noqa: ARG002  (the protocol's)
        """No script: fixes need one to work on."""
        return Proposal(None, "quick fixes cannot write a script", final=True)

    def restart(
        self,
        task: Task,  # noqa: ARG002
        failed: tuple[str, ...],  # noqa: ARG002
        note: str,  # noqa: ARG002
        left: Budget,  # noqa: ARG002
        context: Context,  # noqa: ARG002
    ) -> Proposal:
        """No script: there is one way only."""
        return Proposal(None, NOTHING_LEFT, final=True)

    def revise(
        self,
        task: Task,  # noqa: ARG002
        source: str,
        verdict: Verdict,  # noqa: ARG002  (our own checker's findings carry the fixes)
        note: str,  # noqa: ARG002
        left: Budget,  # noqa: ARG002
        context: Context,
    ) -> Proposal:
        """`source` after the safe fixes, else after one step of the others."""
        context.check()
        safe = fix_text(source, _is_error)
        if safe.text != source:
            return Proposal(safe.text, changes=tuple(_counted(title, count) for title, count in safe.applied.items()))
        step = _bold_step(source, context)
        if step is None:
            return Proposal(None, NOTHING_LEFT, final=True)
        text, titles = step
        return Proposal(text, changes=tuple(titles))


def _bold_step(source: str, context: Context) -> tuple[str, list[str]] | None:
    """`source` after the best fix for every error that has one, each judged by itself; None when nothing gets better.

    An error may have several fixes (two names are alike): the one that leaves the best script is taken.
    """
    program = program_of(source)
    titles: list[str] = []
    # Each step changes the text and so the spans of what follows; going on from a fresh check keeps them right.
    for _ in range(len(program.diagnostics)):
        context.check()
        better = _best_fix(program)
        if better is None:
            break
        program, title = better
        titles.append(title)
        if titles:
            break
    return (program.document.text, titles) if titles else None


def _best_fix(program: Program) -> tuple[Program, str] | None:
    best: tuple[Program, str] | None = None
    for diagnostic in program.diagnostics:
        if not _is_error(diagnostic):
            continue
        for fix in suggest.fixes_for(program, diagnostic):
            after = _after(program, fix)
            if score(after) < score(best[0] if best else program):
                best = after, fix.title
        if best is not None:
            return best
    return None


def _after(program: Program, fix: Fix) -> Program:
    return program_of(apply_edits(program.document.text, fix.edits))


def _is_error(diagnostic: Diagnostic) -> bool:
    return diagnostic.severity == 0


def _counted(title: str, count: int) -> str:
    return f"{title} ({count} times)" if count > 1 else title
