"""The loop that writes, checks, compiles and revises a script, as a generator of typed events. It prints nothing.

Each event is in the journal before it is yielded, and the best script is on the disk before its event. So the loop can
stop at any point, as after Ctrl-C or a power failure, and loses only the current request. The cost of a cancelled
request is recorded.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from pinebench.authoring.author import (
    LANGUAGE_VERSION,
    Author,
    AuthoringTask,
    AuthorUnavailable,
    ConversationalAuthor,
    Limit,
    Proposal,
)
from pinebench.authoring.events import (
    ApproachChangedEvent,
    CompiledEvent,
    DraftedEvent,
    Event,
    ExchangedEvent,
    FinishedEvent,
    MendedEvent,
    MigratedEvent,
    Outcome,
    RevisedEvent,
    StartedEvent,
    TriedEvent,
    UnansweredEvent,
)
from pinebench.authoring.feedback import advice
from pinebench.authoring.goals import NOWHERE, Trial, told, tried
from pinebench.authoring.journal import Journal, JournalFailed
from pinebench.authoring.older import ConvertedDraft, Migrate
from pinebench.authoring.shortfalls import REQUEST, dropped, shortfalls
from pinebench.authoring.state import Attempt, AuthoringState, Step
from pinebench.checker import Program, open_program
from pinebench.compilers import OURS, Compiler, CompilerUnavailable, Verdict
from pinebench.compilers.local import LocalCompiler, check_locally
from pinebench.context import CancelledError, Context, DeadlineError
from pinebench.diagnostics import Diagnostic, Severity
from pinebench.errors import PinebenchError
from pinebench.linter.fixes import fix_program
from pinebench.linter.rules import on_by_default, opinions_on, traps
from pinebench.syntax.document import find_version

Save = Callable[[Attempt, AuthoringState], bool]
"""Writes a new best script to the disk if requested, and returns whether the file then holds it."""


def run(
    started: StartedEvent,
    author: Author,
    compiler: Compiler,
    context: Context,
    journal: Journal | None = None,
    save: Save | None = None,
    *,
    libraries: tuple[str, ...] = (),
    trial: Trial | None = None,
    migrate: Migrate | None = None,
) -> Iterator[Event]:
    """Work on `started.task` until the script compiles, a limit is reached, or nothing more can be done.

    pinebench's checker judges each script before another compiler does, and finds imported libraries in the folders
    `libraries`. `trial` runs a script that compiles, if `started` has goals. `migrate` converts drafts in earlier
    versions to v6; without it, the author must write them again.

    Yields every event; the first is `started` and the last is a FinishedEvent. `save` is called with each new best
    script before its event is yielded. Raises CancelledError if `context` is cancelled. Raises CompilerUnavailable,
    before the first request to the author, if the compiler cannot be reached. Raises AuthorUnavailable or
    CompilerUnavailable if there is no script yet for a FinishedEvent.
    """
    compiler.reach(context)
    loop = _Loop(AuthoringState(started), author, compiler, context, journal, save, 0.0, libraries, trial, migrate)
    yield loop.record(started)
    yield from loop.events()


def resume(
    journal: Journal,
    author: Author,
    compiler: Compiler,
    context: Context,
    save: Save | None = None,
    started: StartedEvent | None = None,
    *,
    libraries: tuple[str, ...] = (),
    trial: Trial | None = None,
    migrate: Migrate | None = None,
) -> Iterator[Event]:
    """Continue the run in `journal`. Yields its StartedEvent, then only new events.

    `started` replaces the recorded limits and choices, for example to raise the budget. `libraries`, `trial` and
    `migrate` are as for `run`. Raises PinebenchError if the journal is empty.
    """
    recorded = journal.read()
    if not recorded:
        raise PinebenchError(f"{journal.path} does not contain a run that can be resumed", "start one without --resume")
    first = recorded[0][0]
    assert isinstance(first, StartedEvent)
    state = AuthoringState(started or first)
    for event, _ in recorded[1:]:
        state.apply(event)
    state.dialogue = state.dialogue.rested if state.dialogue else None
    loop = _Loop(state, author, compiler, context, journal, save, recorded[-1][1], libraries, trial, migrate)
    loop.restore()
    compiler.reach(context)
    yield state.started
    yield from loop.events()


def _outdated(source: str, task: AuthoringTask) -> int | None:
    """Return the version of `source` if it is an old one and the script that it began with is not; otherwise None."""
    version = _old_version(source)
    return None if _old_version(task.base or "") is not None else version


def _old_version(source: str) -> int | None:
    version, _ = find_version(source)
    return None if version is None or version >= LANGUAGE_VERSION else version


def _times(title: str, count: int) -> str:
    return f"{title} ({count} times)" if count > 1 else title


ASKS = "the author asks a question"
"""The note of a run that ends with a question from the author."""


class _Loop:
    """One run in progress."""

    def __init__(
        self,
        state: AuthoringState,
        author: Author,
        compiler: Compiler,
        context: Context,
        journal: Journal | None,
        save: Save | None,
        elapsed: float,
        libraries: tuple[str, ...],
        trial: Trial | None,
        migrate: Migrate | None,
    ) -> None:
        self.trial = trial
        self.migrate = migrate
        self.state = state
        self.author = author
        self.compiler = compiler
        self._libraries = compiler.libraries if isinstance(compiler, LocalCompiler) else libraries
        self.journal = journal
        self.save = save
        self.saved = False
        """Whether the best script so far is on the disk."""
        self._began = time.monotonic() - elapsed
        self.context = context
        self.limited = context.narrowed(state.started.budget.seconds - elapsed)

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self._began

    @property
    def _has_script(self) -> bool:
        return bool(self.state.best or self.state.source or self.state.rejected)

    def restore(self) -> None:
        """Write the best script to the disk again, because its file may not have a script that the journal has."""
        if self.state.best is not None:
            self._keep(self.state.best)

    def record(self, event: Event) -> Event:
        """Write `event` to the journal and update the state, even if writing fails, because the event was paid for."""
        try:
            if self.journal is not None:
                self.journal.append(event, self.elapsed)
        finally:
            self.state.apply(event)
        return event

    def events(self) -> Iterator[Event]:
        """Yield the events until the end of the run. If writing to the journal fails, finish with the script so far."""
        try:
            yield from self._steps()
        except JournalFailed as error:
            if not self._has_script:
                raise
            yield self._finish("unavailable", error.message, error.hint)

    def _steps(self) -> Iterator[Event]:
        while True:
            self.context.check()
            event: Event | None
            try:
                event = self._perform(self.state.next_step())
            except CancelledError:
                paid = self._interrupted()
                if paid is not None:
                    yield self.record(paid)
                raise
            except KeyboardInterrupt:
                paid = self._interrupted()
                if paid is not None:
                    self.record(paid)
                raise
            except DeadlineError:
                self.context.check()
                over = f"{self.state.started.budget.seconds:g} seconds have passed"
                event = self._succeed() if self.state.reached else self._exhausted("seconds", over)
            except (AuthorUnavailable, CompilerUnavailable) as error:
                if isinstance(error, AuthorUnavailable) and error.usage.tokens:
                    yield self.record(UnansweredEvent(self.state.round, error.message, error.usage))
                if not self._has_script:
                    raise
                unreached = self._finish("unavailable", error.message, error.hint)
                event = self._succeed() if self.state.reached else unreached
            if event is None:
                continue
            yield self.record(event)
            if isinstance(event, FinishedEvent):
                return

    def _interrupted(self) -> ExchangedEvent | None:
        """Return the event for an exchange that was cancelled after it had cost something; None if there is none."""
        if not isinstance(self.author, ConversationalAuthor) or self.author.interrupted is None:
            return None
        paid, self.author.interrupted = self.author.interrupted, None
        assert paid.dialogue is not None
        return ExchangedEvent(self.state.round, paid.reason, paid.usage, paid.dialogue)

    def _perform(self, step: Step) -> Event | None:
        match step:
            case "compile":
                return self._migrated() or self._compile()
            case "mend":
                return self._mend()
            case "change-approach":
                return ApproachChangedEvent(self.state.rounds, self._complaints())
            case "draft" | "revise" | "restart":
                return self._ask(step)
            case "advise":
                return self._advise()
            case "try":
                return self._try()
            case "pursue":
                return self._pursue()
            case "unmet":
                return self._unmet()
            case "succeed":
                return self._succeed()
            case "stuck":
                return self._finish("stuck", "the same errors keep coming back, also after a fresh start")
            case "declined":
                return self._finish("declined", self.state.note)
            case "answered":
                asks = self.state.note == ASKS
                hint = "answer the question in the request" if asks else "change the request, or its goals"
                return self._finish("answered", self.state.note, f"{hint}, and run it again")
            case "no-script":
                return self._finish("no-script", f"no usable answer: {self.state.note}")
            case "exhausted":
                return self._exhausted(self.state.limit, self.state.note)

    def _ask(self, step: Step) -> Event:
        state, budget = self.state, self.state.started.budget
        answer = self._go_on()
        if answer is not None:
            return self._answer(step, answer)
        reached = budget.exhausted(state.rounds, self.elapsed, state.usage)
        if reached:
            return self._exhausted(*reached)
        task = self._task
        left = budget.left(state.rounds, self.elapsed, state.usage)
        if step == "draft":
            answer = self.author.draft(task, state.note, left, self.limited)
        elif step == "restart":
            answer = self.author.restart(task, state.failed, state.note, left, self.limited)
        else:
            assert state.source is not None and state.verdict is not None
            answer = self.author.revise(task, state.source, state.verdict, state.note, left, self.limited)
        return self._answer(step, answer)

    def _go_on(self) -> Proposal | None:
        """Continue the current round; None if no round is open, or if the author cannot continue a dialogue."""
        state = self.state
        if state.dialogue is None or not isinstance(self.author, ConversationalAuthor):
            state.dialogue = None
            return None
        left = state.started.budget.left(state.rounds, self.elapsed, state.usage)
        return self.author.go_on(state.dialogue, left, self.limited)

    def _answer(self, step: Step, answer: Proposal) -> Event:
        number = self.state.round
        if answer.dialogue is not None:
            return ExchangedEvent(number, answer.reason, answer.usage, answer.dialogue)
        if answer.exhausted and not answer.usage.tokens:
            # Nothing was asked.
            return self._exhausted(answer.limit, answer.reason)
        if answer.source is None or not answer.source.strip():
            return self._unanswered(answer)
        outdated = _outdated(answer.source, self.state.started.task)
        brought = self._brought(answer.source)
        if outdated is not None and (brought is None or brought.refused):
            why = f" and cannot be converted to v6: {brought.refused}" if brought is not None else ""
            reason = f"it is Pine v{outdated}{why}; the script must be v6"
            return UnansweredEvent(number, reason, answer.usage, source=answer.source)
        if step == "revise":
            return RevisedEvent(number, answer.source, answer.usage, answer.changes, answer.words)
        return DraftedEvent(number, answer.source, answer.usage, step == "restart", answer.words)

    def _brought(self, source: str) -> ConvertedDraft | None:
        return self.migrate(source) if self.migrate is not None else None

    def _migrated(self) -> MigratedEvent | None:
        """Return the author's script converted to v6; None if it is in v6 already, or if it cannot be converted."""
        source = self.state.source
        assert source is not None
        brought = self._brought(source) if self.state.rounds else None
        if brought is None or brought.refused or brought.version is None or brought.text == source:
            return None
        changes = tuple(f"line {each.line}: {each.text}" for each in brought.remarks)
        return MigratedEvent(self.state.rounds, brought.text, brought.version, changes)

    def _compile(self) -> CompiledEvent:
        source = self.state.source
        assert source is not None
        verdict = self._advised(self._verdict(source))
        best = self.state.improves(verdict)
        if best:
            self._keep(Attempt(source, verdict))
        return CompiledEvent(self.state.rounds, verdict, best)

    def _advised(self, verdict: Verdict) -> Verdict:
        """Return `verdict` with our hint on each finding that has none, so that the events show what the author
        gets."""
        found = (each._replace(hint=each.hint or advice(each) or None) for each in verdict.diagnostics)
        return replace(verdict, diagnostics=tuple(found))

    def _succeed(self) -> FinishedEvent:
        met = " and meets its goals on the bars" if self.state.met is not None and self.state.started.goals else ""
        return self._finish("compiled", f"the script {self._passed}{met}")

    @property
    def _passed(self) -> str:
        """The words for the best script, which has no errors. Only TradingView's own compilers "compile"."""
        best = self.state.best
        return "passes pinebench's check" if best is None or best.verdict.origin in OURS else "compiles"

    def _advise(self) -> Event | None:
        """Send the author the remarks on a script that passes, once; None if there are no remarks, or no budget."""
        state, budget = self.state, self.state.started.budget
        assert state.source is not None and state.verdict is not None
        task = self._task
        remarks = self._remarks()
        answer = self._go_on()
        if answer is None:
            if not remarks or budget.exhausted(state.rounds, self.elapsed, state.usage):
                state.advised = True
                return None
            seen = told(state.tried, state.source) if state.tried is not None else ()
            verdict = replace(state.verdict, diagnostics=(*remarks, *seen))
            left = budget.left(state.rounds, self.elapsed, state.usage)
            answer = self.author.revise(task, state.source, verdict, state.note, left, self.limited)
        if answer.source is None and answer.dialogue is None:
            return UnansweredEvent(state.round, "the script stays as it is", answer.usage, words=answer.words)
        return self._answer("revise", answer)

    @property
    def _task(self) -> AuthoringTask:
        started = self.state.started
        return replace(started.task, goals=started.goals, bars=started.bars)

    def _remarks(self) -> list[Diagnostic]:
        """Return the remarks on a script that passes."""
        state = self.state
        assert state.source is not None and state.verdict is not None
        program = self._program(state.source, state.verdict)
        if state.started.source is not None:
            # A repair is told only what it dropped.
            return dropped(state.started.source, program.document)
        found = [finding for finding in state.verdict.diagnostics if finding.severity <= Severity.INFO]
        lacking = shortfalls(state.started.task, program.document)
        return [*found, *self._opinions(program), *lacking, *self._unasked()]

    def _opinions(self, program: Program) -> list[Diagnostic]:
        """Return the findings of the linter about a script, and the traps in it.

        A change keeps everything that the request does not ask to change. So a finding that the given script had
        already is left out, unless it is a trap.
        """
        base, always = self.state.started.task.base, traps()
        found = opinions_on(program, {*on_by_default(), *always})
        given = opinions_on(open_program(base, self._libraries)) if base is not None and found else []
        known = {(each.code, each.message) for each in given if each.code not in always}
        return [each for each in found if (each.code, each.message) not in known]

    def _unasked(self) -> list[Diagnostic]:
        """Return a remark with the differences from the given script, which the request may not have asked for."""
        differ = self.state.tried.differences if self.state.tried is not None else ()
        if not differ:
            return []
        words = "On the bars it differs from the script given: " + "; ".join(differ)
        return [Diagnostic(REQUEST, Severity.INFO, f"{words}. Keep what the request did not ask to change.", NOWHERE)]

    def _unanswered(self, answer: Proposal) -> UnansweredEvent:
        """Return the event for an answer without a script. Its text counts as an answer if it gives a reason or asks
        back."""
        number, is_about_goals = self.state.round, self._is_pursuing
        # An author who was told about unmet goals may say in any words why a goal cannot be reached.
        answers = bool(answer.words) and (answer.answers or is_about_goals)
        reason = answer.reason or "the answer held no script"
        if answers:
            asks = answer.words.rstrip(")*_ ").endswith("?")
            reason = ASKS if asks else "the author says why it cannot be done"
        return UnansweredEvent(
            number,
            reason,
            answer.usage,
            answer.final,
            answer.exhausted,
            words=answer.words,
            answers=answers,
            limit=answer.limit,
        )

    @property
    def _is_pursuing(self) -> bool:
        """Whether the author was told which goals a script that passes does not meet."""
        tried = self.state.tried
        return tried is not None and not tried.met

    def _try(self) -> TriedEvent:
        """Run a script that passes on bars, and judge it by its goals."""
        state = self.state
        assert state.source is not None and state.verdict is not None and self.trial is not None
        self.limited.check()
        self.context.progress("running the script on bars")
        seen, judged = tried(self.trial, self._program(state.source, state.verdict), self.limited)
        missed = len(state.started.goals) if seen.missed is None else seen.missed
        event = TriedEvent(
            state.rounds, seen.met, seen.words, judged, seen.places, seen.account, seen.differences, missed
        )
        if state.comes_nearer(event):
            self._keep(Attempt(state.source, state.verdict))
        return event

    def _pursue(self) -> Event:
        """Tell the author which goals are not met, in a normal round."""
        state, budget = self.state, self.state.started.budget
        answer = self._go_on()
        if answer is None:
            reached = budget.exhausted(state.rounds, self.elapsed, state.usage)
            if reached:
                return self._exhausted(*reached)
            assert state.source is not None and state.verdict is not None and state.tried is not None
            remarks = [] if state.advised else self._remarks()
            verdict = replace(state.verdict, diagnostics=(*told(state.tried, state.source), *remarks))
            left = budget.left(state.rounds, self.elapsed, state.usage)
            answer = self.author.revise(self._task, state.source, verdict, state.note, left, self.limited)
        return self._answer("revise", answer)

    def _unmet(self) -> FinishedEvent:
        tried = self.state.best_tried or self.state.tried
        assert tried is not None
        first = " ".join(tried.words[0].split()) if tried.words else "no reason was given"
        what = "does not meet its goals on the bars" if tried.judged else "could not be run on the bars"
        return self._finish("unmet", f"the script {self._passed}, and {what}: {first}")

    def _mend(self) -> MendedEvent | None:
        """Return the script after its safe fixes, which need no paid request; None if there are none. If there are
        none, nothing is recorded; a resumed run tries again, with the same result."""
        source, verdict = self.state.source, self.state.verdict
        assert source is not None and verdict is not None
        self.state.mended = True
        fixed = fix_program(self._program(source, verdict), lambda finding: finding.severity == Severity.ERROR)
        return (
            MendedEvent(self.state.rounds, fixed.text, tuple(_times(*item) for item in fixed.applied.items()))
            if fixed.text != source
            else None
        )

    def _program(self, source: str, verdict: Verdict) -> Program:
        """Return the program that our own checker made for `verdict`; it is made again if the verdict comes from a
        journal."""
        return verdict.program or open_program(source, self._libraries, fresh=True)

    def _verdict(self, source: str) -> Verdict:
        """Return the verdict of the chosen compiler, or of our own checker if that finds new errors. New errors of our
        checker need no request and no page. Errors that it has reported before go to the chosen compiler, because its
        verdict is decisive."""
        if self.compiler.name == "local":
            # This takes milliseconds, so the last script is judged even when the time is over.
            return self.compiler.compile(source, self.context)
        local = check_locally(source, self._libraries)
        if local.errors and not self.state.has_seen(source, local):
            return local
        return replace(self.compiler.compile(source, self.limited), program=local.program)

    def _complaints(self) -> tuple[str, ...]:
        assert self.state.verdict is not None
        return tuple(dict.fromkeys(f"{error.code}: {error.message}" for error in self.state.verdict.errors))[:10]

    def _best(self) -> Attempt | None:
        """Return the best script so far. A script that the chosen compiler has not seen counts with our own checker's
        verdict, if it is better than the others."""
        state = self.state
        if state.source is None or state.verdict is not None or state.rounds == 0:
            return state.best
        attempt = Attempt(state.source, check_locally(state.source, self._libraries))
        if state.best is not None and (state.reached or attempt.rank >= state.best.rank):
            return state.best
        self._keep(attempt)
        return attempt

    def _rejected(self) -> str | None:
        """Return the script to return if nothing was compiled: a rejected script, which was paid for, or the run's
        first script."""
        if self.state.source is None and self.state.rejected is not None:
            self._keep(Attempt(self.state.rejected, check_locally(self.state.rejected, self._libraries)))
            return self.state.rejected
        return self.state.source

    def _keep(self, attempt: Attempt) -> None:
        if self.save is not None:
            self.saved = self.save(attempt, self.state)

    def _exhausted(self, limit: Limit, words: str) -> FinishedEvent:
        hint = "allow more, and continue with --resume" if self.journal else None
        return replace(self._finish("budget", words, hint), limit=limit)

    def _finish(self, outcome: Outcome, message: str, hint: str | None = None) -> FinishedEvent:
        state = self.state
        best = self._best()
        source = best.source if best else self._rejected()
        verdict = best.verdict if best else None
        run = state.best_tried if best is state.best else None
        screenshot = verdict.evidence.get("screenshot") if verdict else None
        return FinishedEvent(
            outcome,
            outcome == "compiled",
            message,
            source,
            len(verdict.errors) if verdict else 0,
            len(verdict.warnings) if verdict else 0,
            verdict.origin if verdict else None,
            state.rounds,
            state.usage,
            hint,
            str(screenshot) if screenshot else None,
            state.started.output if self.saved else None,
            "\n\n".join(state.best_words if best is state.best else state.words),
            run.account if run is not None else (),
            self._not_checked(best) if best is not None else (),
            unmet=self._not_met(run),
        )

    def _not_met(self, run: TriedEvent | None) -> tuple[str, ...]:
        """Return the goals that a script does not meet, and why. `run` is its run on bars; None if it was not run."""
        if run is None:
            return tuple(f"{goal}: the script was not run" for goal in self.state.started.goals)
        return () if run.met else run.words

    def _not_checked(self, attempt: Attempt) -> tuple[str, ...]:
        """Return the libraries whose uses our check could not judge; empty if another compiler judged."""
        if attempt.verdict.origin not in OURS:
            return ()
        return tuple(each.path for each in self._program(attempt.source, attempt.verdict).unread_imports)
