"""Goals for a script besides compiling. A run on bars judges them, and the author receives the result."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

from pinebench.checker import Program
from pinebench.context import CancelledError, Context, DeadlineError
from pinebench.diagnostics import Diagnostic, Severity, Span
from pinebench.errors import PinebenchError, UsageError
from pinebench.syntax.lines import LineIndex

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pinebench.authoring.events import TriedEvent
    from pinebench.market import Data
    from pinebench.runtime import Alert, RequestSource
    from pinebench.testing.goals import Goals
    from pinebench.workers.jobs import RunResult

GOAL = "goal"
"""The code of a finding about a goal that is not met."""
NO_REPAINT = "no-repaint"
"""The name of the goal that nothing repaints."""
ROBUST = "robust"
"""The name of the goal that a strategy's inputs also work on unseen bars."""
SAME = "same"
"""The name of the goal that a changed script shows, alerts and trades exactly what the given one does."""
UNCHANGED = "unchanged"
"""The name of the goal that a changed script keeps everything that the given one shows, alerts and trades."""
OF_BASE = (SAME, UNCHANGED)
"""The goals that compare a script with the one that it was made from."""
NAMED = (NO_REPAINT, ROBUST, *OF_BASE)
"""The goals that have a name instead of an expected figure."""
_HELD_BACK = 0.3
"""The share of the bars that the goal of robustness holds back from the author and from the search."""
_TRIALS = 200
"""The largest number of combinations of inputs that the goal of robustness tries."""
NOWHERE = Span(0, 0)
"""The span of a finding that is not about a line of the script."""
ACCOUNT = "run"
"""The code of the finding that describes what the run did."""


class TrialResult(NamedTuple):
    """The result of a trial. `met` tells whether all goals are met. `words` has a sentence for each unmet goal, and
    `places` the line of the script that each concerns (0 for none). `account` describes the run. `differences` lists
    the differences from the run of the given script that no goal forbids. `missed` is the number of goals that are not
    met; None means all of them."""

    met: bool
    words: tuple[str, ...]
    places: tuple[int, ...] = ()
    account: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()
    missed: int | None = None


class Trial(Protocol):
    """Runs a script on bars and judges it by its goals.

    Raises PinebenchError if the script cannot be run, and the errors of the context.
    """

    @property
    def about(self) -> str:
        """A description of the bars for the runs, and of the requests that these bars can serve."""
        ...

    def __call__(self, program: Program, context: Context, /) -> TrialResult: ...


def tried(trial: Trial, program: Program, context: Context) -> tuple[TrialResult, bool]:
    """Run a trial of `program`. Return its result, and whether it was possible. Raises the errors of the context."""
    try:
        return trial(program, context), True
    except (CancelledError, DeadlineError):
        raise
    except PinebenchError as error:
        hint = f" {error.hint[:1].upper()}{error.hint[1:]}" if error.hint else ""
        # A UsageError is about the script (such as a missing plot); other errors mean that the trial is not possible.
        return TrialResult(False, (f"{error.message}.{hint}",)), isinstance(error, UsageError)


def told(trial: TriedEvent, source: str) -> tuple[Diagnostic, ...]:
    """Return the results of a trial as findings for the author, each at the line that it concerns."""
    lines = LineIndex(source)
    places = (*trial.places, *(0 for _ in trial.words))
    found = [
        Diagnostic(GOAL, Severity.WARNING, words, _span(lines, source, line))
        for words, line in zip(trial.words, places, strict=False)
    ]
    if trial.account:
        found.append(Diagnostic(ACCOUNT, Severity.INFO, "\n".join(trial.account), NOWHERE))
    return tuple(found)


def _span(lines: LineIndex, source: str, line: int) -> Span:
    """Return the span of a line without its indentation; NOWHERE if there is no such line."""
    if not 0 < line <= len(lines):
        return NOWHERE
    start = lines.line_start(line)
    text = source[start:].split("\n", 1)[0].rstrip()
    indent = len(text) - len(text.lstrip())
    return Span(start + indent, start + max(len(text), indent))


def trial(
    asked: tuple[str, ...], chart: Data, others: Mapping[str, RequestSource] | None = None, base: str | None = None
) -> Trial:
    """Return a trial that runs scripts on `chart` for the goals `asked`. The goal `ROBUST` holds back the last 30 % of
    the bars for a final test.

    `others` has the bars of other symbols, by the names in the script's requests. `base` is the original script, in v6;
    each script is compared with it. Raises UsageError for an unknown goal, for a goal that needs `base` without one,
    and for the goal `ROBUST` on a single bar.
    """
    from pinebench.testing.goals import goals

    others = others or {}
    wanted = goals([each for each in asked if each not in NAMED], no_repaint=NO_REPAINT in asked)
    of_base = [each for each in asked if each in OF_BASE]
    if of_base and base is None:
        raise UsageError(f"the goal '{of_base[0]}' needs a script to compare with", "name it: --from FILE")
    counts_alerts = any(_ALERTS.match(each) for each in asked)
    if ROBUST not in asked:
        return _OnBars(wanted, chart, others, base, of_base, counts_alerts=counts_alerts)
    from pinebench.runtime import RequestSource
    from pinebench.sweeps.combination_runs import cut_before

    held_back = round(len(chart.bars) * _HELD_BACK)
    if not held_back:
        raise UsageError(f"the goal '{ROBUST}' holds back bars, and there is only one", "give data with more bars")
    last = chart.bars.time[-held_back]
    earlier = {name: RequestSource(cut_before(one.bars, last), one.symbol) for name, one in others.items()}
    seen = chart._replace(bars=cut_before(chart.bars, last))
    on_seen = _OnBars(wanted, seen, earlier, base, of_base, counts_alerts=counts_alerts)
    return _Robust(on_seen, chart, others)


_ALERTS = re.compile(r"\s*alerts\b")
"""The beginning of a goal that counts alerts."""


def _late_alerts(alerts: Sequence[Alert], last: int) -> str | None:
    """Return why alerts that are all on the last bar do not count; None if they count. On each longer chart they are on
    another bar, so their number says nothing about the condition to alert on."""
    if not alerts or any(alert.bar != last for alert in alerts):
        return None
    all_of = "the only alert is" if len(alerts) == 1 else f"all {len(alerts)} alerts are"
    return f"alerts: {all_of} on the last bar, which moves with each new bar; alert when the condition is true"


class _OnBars:
    """A trial on the bars of a chart."""

    def __init__(
        self,
        goals: Goals,
        chart: Data,
        sources: Mapping[str, RequestSource],
        base: str | None = None,
        of_base: Sequence[str] = (),
        *,
        counts_alerts: bool = False,
    ) -> None:
        """`base` is the script that scripts are compared with, and `of_base` the goals about it. `counts_alerts` says
        that a goal counts alerts."""
        from pinebench.repaint.run_summary import bars_in_words

        self._base = base
        self._of_base = of_base
        self._counts_alerts = counts_alerts
        self._before: RunResult | None = None
        self._wanted = goals
        self._chart = chart
        self._others = sources
        self.about = "\n".join(bars_in_words(chart.bars, chart.symbol, sources))

    def __call__(self, program: Program, context: Context, /) -> TrialResult:
        from pinebench.linter.repainting import look_for_repainting
        from pinebench.why.near_misses import nearest_in_worker
        from pinebench.workers.dispatch import execute, explain
        from pinebench.workers.jobs import request_of

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
        words = tuple(words for _, words in found)
        differ = self._differences(ran, program, context)
        told = (*account.lines, *(f"differs from the given script: {each}" for each in differ))
        late = _late_alerts(ran.result.alerts, len(ran.result.times) - 1) if self._counts_alerts else None
        unmet = (late,) if late is not None else ()
        missed = sum(not each.holds for each in judged.held) + len(unmet) + (len(self._of_base) if differ else 0)
        missed += self._wanted.no_repaint and (judged.repainting is None or not judged.repainting.ok)
        if self._of_base and differ:
            unmet = (*unmet, *(f"{self._of_base[0]}: {each}" for each in differ))
            differ = ()
        met = judged.ok and not unmet
        return TrialResult(met, (*words, *unmet), (*places, *(0 for _ in unmet)), told, differ, missed)

    def _differences(self, ran: RunResult, program: Program, context: Context) -> tuple[str, ...]:
        """Return the differences between a run and the run of the given script; empty if no script was given."""
        from pinebench.checker import open_program
        from pinebench.testing.run_differences import declared_differences, differences
        from pinebench.workers.dispatch import execute
        from pinebench.workers.jobs import request_of

        if self._base is None:
            return ()
        if self._before is None:
            request = request_of(program, self._chart.bars, self._chart.symbol, others=self._others)
            try:
                self._before = execute(replace(request, source=self._base), context=context)
            except (CancelledError, DeadlineError):
                raise
            except PinebenchError as error:
                return (f"nothing was compared, because the given script cannot be run: {error.message}",)
        if SAME not in self._of_base:
            return tuple(differences(self._before, ran))
        declared = declared_differences(open_program(self._base), program)
        return (*differences(self._before, ran, additions=False), *declared)


class _Robust:
    """A trial whose strategy must also hold on bars that neither the author nor the search for inputs has seen."""

    def __init__(self, seen: _OnBars, chart: Data, sources: Mapping[str, RequestSource]) -> None:
        """`seen` is the trial on the bars that are not held back."""
        self._seen = seen
        self._chart = chart
        self._others = sources
        self.about = seen.about

    def __call__(self, program: Program, context: Context, /) -> TrialResult:
        seen = self._seen(program, context)
        if not seen.met:
            return seen._replace(missed=1 + (seen.missed or 0))
        words = self._doubts(program, context)
        places = (*seen.places, *(0 for _ in words))
        return seen._replace(met=not words, words=(*seen.words, *words), places=places, missed=int(bool(words)))

    def _doubts(self, program: Program, context: Context) -> tuple[str, ...]:
        """Return the reasons why the strategy is not robust. About the held-back bars, they only say that it fails on
        them."""
        from pinebench.sweeps.executors import own
        from pinebench.sweeps.optimization import OptimizationPlan, Optimizer
        from pinebench.sweeps.overfitting import EDGE
        from pinebench.sweeps.space import space_of
        from pinebench.workers.jobs import request_of

        request = request_of(program, self._chart.bars, self._chart.symbol, others=self._others)
        space = space_of(program, ())
        plan = OptimizationPlan.of(space, search="random", trials=_TRIALS, holdout=_HELD_BACK)
        with Optimizer(program, request, plan, resume=True) as optimizer, own(context) as hands:
            judgement = optimizer.run(hands).judgement
        if judgement is None:
            return ("robust: no combination of the inputs has a result",)
        if judgement.verdict == EDGE:
            return ()
        on_seen = [f"robust: {each}" for each in judgement.seen_reasons]
        return tuple(on_seen) or ("robust: the best inputs do not work on bars that were held back",)
