"""The state of a run: everything that the loop's decisions need. It follows from the run's events alone, so replaying a
journal restores it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pinebench.authoring.author import Limit, Usage
from pinebench.authoring.dialogue import Dialogue
from pinebench.authoring.events import (
    ApproachChangedEvent,
    CompiledEvent,
    DraftedEvent,
    Event,
    ExchangedEvent,
    FinishedEvent,
    MendedEvent,
    MigratedEvent,
    RevisedEvent,
    StartedEvent,
    TriedEvent,
    UnansweredEvent,
)
from pinebench.compilers import Verdict

Step = Literal[
    "draft",
    "compile",
    "mend",
    "revise",
    "restart",
    "change-approach",
    "advise",
    "try",
    "pursue",
    "unmet",
    "succeed",
    "stuck",
    "declined",
    "answered",
    "no-script",
    "exhausted",
]
"""The next step of the loop."""

SILENT_ANSWERS = 3
"""The number of consecutive answers without a usable script that ends the run."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A script that was compiled, and the compiler's verdict."""

    source: str
    verdict: Verdict

    @property
    def rank(self) -> tuple[int, int]:
        """The number of errors, then of warnings; smaller is better."""
        return len(self.verdict.errors), len(self.verdict.warnings)


class AuthoringState:
    """The state of a run after the events so far."""

    def __init__(self, started: StartedEvent) -> None:
        self.started = started
        self.source = started.source
        self.verdict: Verdict | None = None
        self.best: Attempt | None = None
        self.words: tuple[str, ...] = ()
        """The author's remarks on the current script, one for each answer."""
        self.best_words: tuple[str, ...] = ()
        self.advised = started.model is None
        """Whether the author was told the remarks on a script that passes. It is told once, and only if it is a model.
        """
        self.baseline: Attempt | None = None
        """The verdict on the given script; None if the run began with a request."""
        self.usage = Usage()
        self.rounds = 0
        self.changed_approach = False
        self.failed: tuple[str, ...] = ()
        self.note = ""
        """The problem with the last answer; the author gets it once."""
        self.rejected: str | None = None
        """The last script that was never compiled, such as one of an older version; better than no script."""
        self.dialogue: Dialogue | None = None
        """The open dialogue of the current round; None between rounds."""
        self._silent = 0
        self._final = False
        self._answered_in_words = False
        self._exhausted = False
        self.limit: Limit = ""
        """The limit of the budget that left no room for the last answer."""
        self._restarting = False
        self._seen: set[frozenset[str]] = set()
        self._repeated = False
        self.tried: TriedEvent | None = None
        """The result of the current script's run on bars; None if there was no run."""
        self.met: Attempt | None = None
        """The script that meets all goals. Only another script that meets them replaces it as the best one."""
        self.best_tried: TriedEvent | None = None
        """The result of the best script's run on bars; None if it was not run."""
        self._unmet: set[tuple[str, ...]] = set()
        self._pursued_in_vain = False
        self.mended = started.model is None
        """Whether fixes have been tried on the script. Without a model this is the author's own work."""

    def apply(self, event: Event) -> None:
        """Update the state with `event`."""
        if not isinstance(event, FinishedEvent):
            # Every event other than Exchanged closes the open round.
            self.dialogue = event.dialogue if isinstance(event, ExchangedEvent) else None
        match event:
            case DraftedEvent() | RevisedEvent():
                self._drafted(event)
            case MigratedEvent():
                self.source, self.verdict, self.tried = event.source, None, None
                self.note = (
                    f"it was Pine v{event.version} and was converted to v6; continue from the script below, in v6"
                )
            case MendedEvent():
                self.source, self.verdict, self.mended, self.tried = event.source, None, True, None
            case ExchangedEvent():
                self._answered(event.round, event.usage)
            case UnansweredEvent():
                self._unanswered(event)
            case CompiledEvent():
                self._compiled(event.verdict)
            case TriedEvent():
                self._tried(event)
            case ApproachChangedEvent():
                self.changed_approach = self._restarting = True
                self.failed = event.failed
                self._repeated = False
                self._seen.clear()
            case FinishedEvent():
                # A run that goes on after its end makes a new attempt, perhaps with a higher budget.
                self._exhausted, self._answered_in_words, self._silent = False, False, 0
                self.advised = self.advised or event.success
            case StartedEvent():
                return  # It made this state.

    @property
    def is_run(self) -> bool:
        """Whether scripts that pass the compiler are then run on bars."""
        return bool(self.started.goals or self.started.data)

    def next_step(self) -> Step:
        """Return the loop's next step, regardless of the limits."""
        if self.source is not None and self.verdict is None:
            return "compile"
        if self._passes and self.is_run:
            return self._next_goal()
        if self._passes:
            return "succeed" if self.advised else "advise"
        if self.verdict is not None and not self.mended and not self._restarting:
            return "mend"
        if self.advised and self.passed and not self.is_run:
            # The change for the remarks did not succeed.
            return "succeed"
        if self._answered_in_words:
            return "answered"
        if self._final:
            return "declined"
        if self._exhausted:
            return "exhausted"
        if self._silent >= SILENT_ANSWERS:
            return "no-script"
        if self._restarting:
            return "restart"
        if self.source is None:
            return "draft"
        if self._repeated:
            return "stuck" if self.changed_approach else "change-approach"
        return "revise"

    def _next_goal(self) -> Step:
        """Return the next step for the goals of a script that passes."""
        if self.tried is None:
            return "try"
        if self.tried.met:
            return "succeed" if self.advised else "advise"
        if self.met is not None:
            # The change for the remarks broke a goal, so the script before it counts.
            return "succeed"
        if not self.tried.judged or self._pursued_in_vain:
            return "unmet"
        if self._answered_in_words:
            return "answered"
        if self._final:
            return "declined"
        if self._exhausted:
            return "exhausted"
        return "no-script" if self._silent >= SILENT_ANSWERS else "pursue"

    @property
    def reached(self) -> bool:
        """Whether a script that fulfils the entire request exists."""
        return self.met is not None if self.started.goals else self.passed

    @property
    def round(self) -> int:
        """The number of the round of the next answer: the open round if there is one, else the next round."""
        return self.rounds if self.dialogue else self.rounds + 1

    @property
    def passed(self) -> bool:
        """Whether the best script so far passes the compiler."""
        return self.best is not None and self.best.verdict.ok

    @property
    def _passes(self) -> bool:
        return self.verdict is not None and self.verdict.ok and not self._restarting

    def improves(self, verdict: Verdict) -> bool:
        """Return whether the current source, with `verdict`, is better than the best script so far."""
        assert self.source is not None
        if self.best is None:
            return True
        if self.met is not None or (verdict.ok and self._is_tried):
            return False
        rank = Attempt(self.source, verdict).rank
        # Of two scripts that pass, the later one is better, because it considers the remarks.
        return rank < self.best.rank or (self.passed and rank == self.best.rank)

    @property
    def _is_tried(self) -> bool:
        """Whether the best script was judged by its goals. Then a trial decides whether another one is better."""
        return bool(self.started.goals) and self.passed and self.best_tried is not None and self.best_tried.judged

    def comes_nearer(self, event: TriedEvent) -> bool:
        """Return whether the current script, with the trial `event`, replaces the best one: it meets all goals, or
        misses no more of them than the best one."""
        before = self.best_tried if self._is_tried and self.met is None else None
        if before is None or not event.judged:
            return event.met
        # A journal of an earlier version does not know the number: 0.
        return event.met or not before.missed or event.missed <= before.missed

    def has_seen(self, source: str, verdict: Verdict) -> bool:
        """Return whether the errors of `verdict` came up before in this approach."""
        return fingerprint(source, verdict) in self._seen

    def _answered(self, number: int, usage: Usage) -> None:
        self.rounds = number
        self.usage += usage

    def _drafted(self, event: DraftedEvent | RevisedEvent) -> None:
        """Record a new script of the author. The words about an earlier draft do not belong to a new one."""
        self.advised = self.advised or self._passes
        self._answered(event.round, event.usage)
        self.source, self.verdict, self.tried = event.source, None, None
        before = self.words if isinstance(event, RevisedEvent) else ()
        self.words = (*before, event.words) if event.words and event.words not in before else before
        self.note, self._silent, self._restarting = "", 0, False
        self.mended = self.started.model is None

    def _unanswered(self, event: UnansweredEvent) -> None:
        """Record an answer without a usable script."""
        self.advised = self.advised or self._passes
        self._answered(event.round, event.usage)
        self.note, self._final, self._exhausted = event.reason, event.final, event.exhausted
        self._answered_in_words, self.limit = event.answers, event.limit
        self.rejected = event.source or self.rejected
        self._silent += 1
        if event.words and event.words not in self.best_words:
            self.best_words = (*self.best_words, event.words)

    def _tried(self, event: TriedEvent) -> None:
        """Record a trial. A script that meets its goals, or misses no more of them than the best one, becomes the best
        one."""
        assert self.source is not None and self.verdict is not None
        self.tried = event
        if self.comes_nearer(event):
            self.best, self.best_words = Attempt(self.source, self.verdict), self.words
        if event.met:
            self.met = self.best
        if self.best is not None and self.best.source == self.source:
            self.best_tried = event
        # The same result twice, although the script was changed: more attempts cost money and do not help.
        self._pursued_in_vain = event.words in self._unmet
        self._unmet.add(event.words)

    def _compiled(self, verdict: Verdict) -> None:
        assert self.source is not None
        attempt = Attempt(self.source, verdict)
        if self.improves(verdict):
            self.best, self.best_words, self.best_tried = attempt, self.words, None
        if self.rounds == 0:
            self.baseline = attempt
        self.verdict = verdict
        self._repeated = self.has_seen(self.source, verdict)
        self._seen.add(fingerprint(self.source, verdict))


def fingerprint(source: str, verdict: Verdict) -> frozenset[str]:
    """Return the errors of `verdict` without their positions, so that an error on a moved line counts as equal."""
    return frozenset(
        f"{error.code}|{error.message}|{source[error.span.start : error.span.end].strip()}" for error in verdict.errors
    )
