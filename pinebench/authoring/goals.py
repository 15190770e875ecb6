"""Goals for a script besides compiling: they are judged by a run on bars, and told to the author."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from pinebench.checker import Program
from pinebench.context import CancelledError, Context, DeadlineError
from pinebench.diagnostics import Diagnostic, Severity, Span
from pinebench.errors import PinebenchError, UsageError
from pinebench.syntax.lines import LineIndex

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pinebench.authoring.events import Tried
    from pinebench.execution.goals import Goals
    from pinebench.market import Data
    from pinebench.runtime import Source

GOAL = "goal"
"""The code of a finding that says which goal is not met."""
NO_REPAINT = "no-repaint"
"""The text of the goal that nothing repaints, among expectations."""
NOWHERE = Span(0, 0)
"""The span of a finding that is not about a line of the script."""
ACCOUNT = "run"
"""The code of the finding that tells what the run did."""


class Seen(NamedTuple):
    """The result of a trial: whether all goals are met, the goals that are not met in words, and an account of the run.

    `places` has the line of the script for each of `words` (0 for none).
    """

    met: bool
    words: tuple[str, ...]
    places: tuple[int, ...] = ()
    account: tuple[str, ...] = ()


class Trial(Protocol):
    """Runs a script and judges it by its goals.

    Raises PinebenchError if the script cannot be run, and whatever the context raises.
    """

    @property
    def about(self) -> str:
        """A description of the bars on which scripts are run, and of the requests that they can serve."""
        ...

    def __call__(self, program: Program, context: Context, /) -> Seen: ...


def tried(trial: Trial, program: Program, context: Context) -> tuple[Seen, bool]:
    """The result of a trial of `program`, and whether the trial was possible at all. Raises what the context raises."""
    try:
        return trial(program, context), True
    except (CancelledError, DeadlineError):
        raise
    except PinebenchError as error:
        hint = f" {error.hint[:1].upper()}{error.hint[1:]}" if error.hint else ""
        # A UsageError is about the script (such as a missing plot); other errors mean that the trial is not possible.
        return Seen(False, (f"{error.message}.{hint}",)), isinstance(error, UsageError)


def told(seen: Tried, source: str) -> tuple[Diagnostic, ...]:
    """The results of a trial as findings for the author, each on the line that it is about."""
    lines = LineIndex(source)
    places = (*seen.places, *(0 for _ in seen.words))
    found = [
        Diagnostic(GOAL, Severity.WARNING, words, _span(lines, source, line))
        for words, line in zip(seen.words, places, strict=False)
    ]
    if seen.account:
        found.append(Diagnostic(ACCOUNT, Severity.INFO, "\n".join(seen.account), NOWHERE))
    return tuple(found)


def _span(lines: LineIndex, source: str, line: int) -> Span:
    """The span of a line without its indentation; NOWHERE if there is no such line."""
    if not 0 < line <= len(lines):
        return NOWHERE
    start = lines.line_start(line)
    text = source[start:].split("\n", 1)[0].rstrip()
    indent = len(text) - len(text.lstrip())
    return Span(start + indent, start + max(len(text), indent))


def trial(asked: tuple[str, ...], chart: Data, others: Mapping[str, Source] | None = None) -> Trial:
    """A trial that runs scripts on `chart` for the goals `asked`.

    `others` are the bars of other symbols under the names that requests use. Raises UsageError for an unknown goal.
    """
    from pinebench.execution.goals import goals

    wanted = goals([each for each in asked if each != NO_REPAINT], no_repaint=NO_REPAINT in asked)
    return _OnBars(wanted, chart, others or {})


class _OnBars:
    """A trial on the bars of a chart."""

    def __init__(self, wanted: Goals, chart: Data, others: Mapping[str, Source]) -> None:
        from pinebench.execution.account import bars_in_words

        self._wanted = wanted
        self._chart = chart
        self._others = others
        self.about = "\n".join(bars_in_words(chart.bars, chart.symbol, others))

    def __call__(self, program: Program, context: Context, /) -> Seen:
        from functools import partial

        from pinebench.execution.executing import execute, explain, look_for_repainting
        from pinebench.execution.nearest import nearest_in_worker
        from pinebench.execution.performing import request_of

        request = request_of(program, self._chart.bars, self._chart.symbol, others=self._others)
        ran = execute(request, context=context)
        account = explain(request, context)
        judged = self._wanted.judge(
            ran.result,
            ran.figures,
            lambda: look_for_repainting(request, context),
            lambda: account,
            partial(nearest_in_worker, request),
        )
        found = judged.findings()
        places = tuple(line for line, _ in found)
        return Seen(judged.ok, tuple(words for _, words in found), places, tuple(account.lines))
