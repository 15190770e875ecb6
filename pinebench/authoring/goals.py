"""What a script must be like when it runs, beside compiling: asked of whoever can run it, told to the author."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from pinebench.check import Program
from pinebench.diagnostics import Diagnostic, Severity, Span
from pinebench.errors import PinebenchError, UsageError

if TYPE_CHECKING:
    from pinebench.market.loading import Data

GOAL = "goal"
"""The code of a finding that says which goal is not met."""
NO_REPAINT = "no-repaint"
"""How the goal that nothing repaints is written among expectations."""
SHOWN = 12
"""So many lines of what was seen are told."""


class Seen(NamedTuple):
    """What a trial run showed: whether all goals are met, and in words what is not as asked."""

    met: bool
    words: tuple[str, ...]


Trial = Callable[[Program], Seen]
"""Runs a script and says how it stands with its goals; raises PinebenchError for one that cannot be run."""


def tried(trial: Trial, program: Program) -> tuple[Seen, bool]:
    """What a trial of `program` showed, and whether it could be held at all."""
    try:
        return trial(program), True
    except PinebenchError as error:
        hint = f" {error.hint}" if error.hint else ""
        # Wrong usage is of the script's making (a plot that is not called so); what cannot be done is not.
        return Seen(False, (f"{error.message}.{hint}",)), isinstance(error, UsageError)


def told(words: tuple[str, ...]) -> tuple[Diagnostic, ...]:
    """What was seen as one finding for the author."""
    left = len(words) - SHOWN
    lines = [*words[:SHOWN], *([f"and {left} lines more"] if left > 0 else [])]
    return (Diagnostic(GOAL, Severity.WARNING, "\n".join(lines), Span(0, 0)),)


def trial(asked: tuple[str, ...], chart: Data) -> Trial:
    """What runs a script on `chart` for the goals `asked`. Raises UsageError for what is no goal."""
    from pinebench.execution.given import Given
    from pinebench.execution.goals import goals

    wanted = goals([each for each in asked if each != NO_REPAINT], no_repaint=NO_REPAINT in asked)
    given = Given(chart.bars, chart.symbol)

    def run(program: Program) -> Seen:
        judged = given.judge(program, wanted)
        return Seen(judged.ok, tuple(judged.failures()))

    return run
