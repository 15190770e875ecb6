"""Asks a model for the answer to a task: once, with the loop that writes and repairs, or as an agent with tools."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from pinebench.authoring import loop
from pinebench.authoring.author import AuthorBudget, AuthorUnavailable, Limit, Usage
from pinebench.authoring.author import AuthoringTask as Work
from pinebench.authoring.claude import BACK_OFF_SECONDS, Claude
from pinebench.authoring.events import FinishedEvent, StartedEvent
from pinebench.authoring.journal import Journal
from pinebench.authoring.service import Service
from pinebench.authoring.state import AuthoringState
from pinebench.compilers.local import LocalCompiler
from pinebench.context import CANCELLED, CancelledError, Context, DeadlineError
from pinebench.evals.model_agent import Talk, kept
from pinebench.evals.tasks import Task
from pinebench.migration import migrate_draft

Mode = Literal["answer", "loop", "agent"]
LIMITS = AuthorBudget(rounds=6, seconds=600.0, tokens=200_000, dollars=1.0)
"""The limits of one task."""
RULES = (
    "You are an expert in Pine Script v6 for TradingView. Answer the request completely and exactly. Your answer is "
    "judged by running it, so a script must be whole, with nothing left out."
)
"""The beginning of a request for a single answer. It does not teach Pine."""


@dataclass(frozen=True)
class Answer:
    """An answer to a task: its text, which the judge reads, and its cost.

    `note` says why the text is empty or not complete. `seconds` is the elapsed time.
    """

    text: str
    rounds: int
    usage: Usage
    seconds: float
    note: str = ""


class OutOfBudget(Exception):
    """The budget of the run has no room for an answer. `usage` was spent on the attempt."""

    def __init__(self, usage: Usage) -> None:
        super().__init__("the budget is used up")
        self.usage = usage


class AnswerCancelled(CancelledError):
    """The run was cancelled during an answer. `usage` was spent on that answer."""

    def __init__(self, usage: Usage) -> None:
        super().__init__(CANCELLED)
        self.usage = usage


class Asker:
    """Requests answers from one model in one mode. It must not be shared between threads."""

    def __init__(self, model: str | None, mode: Mode, back_off: tuple[float, ...] = BACK_OFF_SECONDS) -> None:
        """Connect to the model. `back_off` has the waits in seconds between attempts. Raises AuthorUnavailable without
        a key or the SDK."""
        self._plain = Claude(model, rules=RULES, back_off=back_off)
        self._author = Claude(model, back_off=back_off) if mode == "loop" else None
        self._agent = Service(model) if mode == "agent" else None
        self._back_off = back_off
        self.model = self._plain.model

    def ask(self, task: Task, left: AuthorBudget, context: Context, journal: Path) -> Answer:
        """Return the answer to a task within the limits `left`.

        The loop stores its events in the file `journal`, and an agent stores its conversation beside it. Both continue
        from these files. A task to find a fault gets a single answer, without the loop. Raises AuthorUnavailable if the
        model cannot be reached, OutOfBudget, and CancelledError.
        """
        began = time.monotonic()
        if self._agent is not None:
            found = self._talk(self._agent, task, left, context, conversation_of(journal))
        elif self._author is None or task.instance.fault is not None:
            found = self._once(task, left, context)
        else:
            found = self._loop(self._author, task, left, context, journal)
        return replace(found, seconds=round(found.seconds + time.monotonic() - began, 3))

    def _once(self, task: Task, left: AuthorBudget, context: Context) -> Answer:
        try:
            said = self._plain.reply(task.prompt, left, context.narrowed(left.seconds))
        except CancelledError:
            paid = self._plain.interrupted
            raise AnswerCancelled(paid.usage if paid is not None else Usage()) from None
        if _is_of_run(said.limit, left):
            raise OutOfBudget(said.usage)
        return Answer(said.words, 1, said.usage, 0.0, said.reason)

    def _talk(self, service: Service, task: Task, left: AuthorBudget, context: Context, record: Path) -> Answer:
        with tempfile.TemporaryDirectory(prefix="pinebench-eval-") as folder:
            talk = Talk(service, folder, left.dollars, self._back_off, record)
            try:
                talk.run(task.prompt, context.narrowed(max(0.0, left.seconds - talk.seconds)))
            except DeadlineError:
                late = "the time limit was reached before the answer was complete"
                return Answer(talk.text, talk.rounds, talk.spent, talk.seconds, late)
            except CancelledError:
                raise AnswerCancelled(talk.spent) from None
            except AuthorUnavailable as error:
                raise AuthorUnavailable(error.message, error.hint, talk.spent) from None
        if talk.stop == "budget" and _is_of_run("dollars", left):
            raise OutOfBudget(talk.spent)
        return Answer(talk.text, talk.rounds, talk.spent, talk.seconds, talk.words)

    def _loop(self, author: Claude, task: Task, left: AuthorBudget, context: Context, journal: Path) -> Answer:
        compiler, record = LocalCompiler(), Journal(journal)
        work = Work(task.request, task.instance.given or None)
        started = StartedEvent(work, author.name, compiler.name, left, model=author.model)
        going = record.start is not None
        events = (
            loop.resume(record, author, compiler, context, started=started, migrate=migrate_draft)
            if going
            else loop.run(started, author, compiler, context, record, migrate=migrate_draft)
        )
        ended = list(events)[-1]
        assert isinstance(ended, FinishedEvent)
        if ended.outcome == "unavailable":
            raise AuthorUnavailable(ended.message, ended.hint, ended.usage)
        if _is_of_run(ended.limit, left):
            raise OutOfBudget(ended.usage)
        text = f"```pine\n{ended.source}\n```\n" if ended.source else ended.words
        return Answer(text, ended.attempts, ended.usage, 0.0, "" if ended.success else ended.message)


def _is_of_run(limit: Limit, left: AuthorBudget) -> bool:
    """Whether a task ended because the dollars left for the whole run were used up, and not by the task's own limit."""
    return limit == "dollars" and left.dollars < LIMITS.dollars


def conversation_of(journal: Path) -> Path:
    """Return the file for an agent's conversation, which is beside the journal of a loop."""
    return journal.with_suffix(".json")


def spent_in(journal: Path) -> Usage:
    """Return the cost recorded in the file of a loop or of an agent's conversation, or no cost if there is no file."""
    if conversation_of(journal).exists():
        return kept(conversation_of(journal)).usage
    recorded = Journal(journal).read()
    if not recorded or not isinstance(recorded[0][0], StartedEvent):
        return Usage()
    state = AuthoringState(recorded[0][0])
    for event, _ in recorded[1:]:
        state.apply(event)
    return state.usage
