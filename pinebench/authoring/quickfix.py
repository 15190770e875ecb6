"""Mechanical fixes as an author: repairs a broken script without a model, a key or a network.

A round applies every fix that cannot change what a script does; when there is none, the others; when those do no good
either, the best of the second choices. The loop compiles after each, so that every step is seen and judged.
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
    from pinebench.diagnostics import Diagnostic

NOTHING_LEFT = "no mechanical fix helps any further"


class QuickFix:
    """An Author that only repairs; asked for a draft, it says that it has none."""

    name = "quickfix"

    def draft(self, *_: object) -> Proposal:
        """No script: fixes need one to work on."""
        return Proposal(None, "quick fixes cannot write a script", final=True)

    def restart(self, *_: object) -> Proposal:
        """No script: there is one way only."""
        return Proposal(None, NOTHING_LEFT, final=True)

    def revise(
        self, _task: Task, source: str, _verdict: Verdict, _note: str, _left: Budget, context: Context, /
    ) -> Proposal:
        """`source` after the safe fixes, else after one step of the others."""
        # Our own checker's findings carry the fixes, whoever compiled.
        for unsafe in (False, True):
            context.check()
            fixed = fix_text(source, _is_error, unsafe=unsafe)
            if fixed.text != source:
                return Proposal(fixed.text, changes=tuple(_counted(*item) for item in fixed.applied.items()))
        return _other_way(source, context) or Proposal(None, NOTHING_LEFT, final=True)


def _other_way(source: str, context: Context) -> Proposal | None:
    """The fix that helps most among those that are nobody's first choice; None when none helps."""
    program = program_of(source)
    best: tuple[Program, str] | None = None
    for diagnostic in filter(_is_error, program.diagnostics):
        for fix in suggest.fixes_for(program, diagnostic):
            context.check()
            after = program_of(apply_edits(source, fix.edits))
            if score(after) < score(best[0] if best else program):
                best = after, fix.title
    return Proposal(best[0].document.text, changes=(best[1],)) if best else None


def _is_error(diagnostic: Diagnostic) -> bool:
    return diagnostic.severity == 0


def _counted(title: str, count: int) -> str:
    return f"{title} ({count} times)" if count > 1 else title
