"""The interface between the loop and an author: tasks, proposals, budgets and costs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

from pinebench.authoring.dialogue import Dialogue
from pinebench.compilers import Verdict
from pinebench.context import Context
from pinebench.errors import UnavailableError

LANGUAGE_VERSION = 6
"""The version of Pine in which scripts are written; scripts of older versions are converted."""

Limit = Literal["", "rounds", "seconds", "tokens", "dollars"]
"""The limit of a budget that ended a run; empty if none did."""


@dataclass(frozen=True, slots=True)
class Usage:
    """The resources that requests used: input and output tokens, tokens read from and written to the prompt cache, and
    estimated dollars."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    dollars: float = 0.0

    @property
    def tokens(self) -> int:
        """The sum of all kinds of tokens."""
        return self.input_tokens + self.output_tokens + self.cache_read_tokens + self.cache_write_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
            self.dollars + other.dollars,
        )


@dataclass(frozen=True, slots=True)
class AuthorBudget:
    """The limits of a run: `rounds` of requests, `seconds` of wall time, `tokens` of all kinds, estimated `dollars`."""

    rounds: int = 8
    seconds: float = 600.0
    tokens: int = 300_000
    dollars: float = 2.0

    def exhausted(self, rounds: int, seconds: float, usage: Usage) -> tuple[Limit, str] | None:
        """Return the limit that has been reached, with a sentence about it; None if no limit has been reached."""
        if rounds >= self.rounds:
            return "rounds", f"all {self.rounds} rounds are used"
        if seconds >= self.seconds:
            return "seconds", f"{self.seconds:g} seconds have passed"
        if usage.tokens >= self.tokens:
            return "tokens", f"{self.tokens:,} tokens are used"
        if usage.dollars >= self.dollars:
            return "dollars", f"about ${self.dollars:g} is spent"
        return None

    def left(self, rounds: int, seconds: float, usage: Usage) -> AuthorBudget:
        """Return what remains of each limit, never below 0."""
        return AuthorBudget(
            max(0, self.rounds - rounds),
            max(0.0, self.seconds - seconds),
            max(0, self.tokens - usage.tokens),
            max(0.0, self.dollars - usage.dollars),
        )


@dataclass(frozen=True, slots=True)
class AuthoringTask:
    """A task for an author: the user's request, and optionally the script to begin with.

    `template` is the name of the template in `base`, or None if `base` is the user's own script. `goals` are the user's
    goals for a run of the script.
    """

    request: str
    base: str | None = None
    template: str | None = None
    goals: tuple[str, ...] = field(default=(), compare=False)
    """The goals of the run, as the user wrote them. Tasks that differ only in their goals are equal."""
    bars: str = field(default="", compare=False)
    """A description of the bars on which the script will run. Tasks that differ only in it are equal."""
    converted: str = field(default="", compare=False)
    """The report of our converter that made `base` from a script of an earlier version, for the author; else empty."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """An author's answer.

    `source` is a complete script. If it is None, `reason` tells why. `changes` has one line for each change. `words` is
    the author's comment. `final` means that another request is pointless. `exhausted` means that the budget allows
    none, because of `limit`. `answers` means that the comment itself is the answer: a question, or the reason why the
    request cannot be fulfilled. With a `dialogue`, the proposal is not final: a ConversationalAuthor wants to continue
    the dialogue, for the given `reason`.
    """

    source: str | None
    reason: str = ""
    changes: tuple[str, ...] = ()
    usage: Usage = Usage()
    final: bool = False
    exhausted: bool = False
    words: str = ""
    dialogue: Dialogue | None = None
    answers: bool = False
    limit: Limit = ""


def proposal_of(dialogue: Dialogue, usage: Usage) -> Proposal:
    """Return a proposal with the current script of `dialogue`."""
    assert dialogue.text is not None
    text = dialogue.text.replace("\n", "\r\n") if dialogue.windows else dialogue.text
    return Proposal(text, "", tuple(dialogue.changes), usage, words=dialogue.words)


def changed_proposal(dialogue: Dialogue, usage: Usage) -> Proposal | None:
    """Return a proposal with the edited script of `dialogue`; None if the edits changed nothing."""
    if dialogue.text is None or dialogue.text == dialogue.begun:
        return None
    return proposal_of(dialogue, usage)


class AuthorUnavailable(UnavailableError):
    """The author cannot be reached: there is no key or no network, the extra 'ai' is not installed, or the service does
    not answer. `usage` is the cost of the attempts."""

    def __init__(self, message: str, hint: str | None = None, usage: Usage | None = None) -> None:
        super().__init__(message, hint)
        self.usage = usage or Usage()


class Author(Protocol):
    """An author of scripts: a model, or a set of mechanical fixes. Each method may take a long time, watches `context`,
    stays within `budget`, and raises AuthorUnavailable if the author cannot be reached. `note` describes what was wrong
    with the last answer; it is empty if nothing was wrong."""

    name: str

    def draft(self, task: AuthoringTask, note: str, budget: AuthorBudget, context: Context, /) -> Proposal:
        """Propose a first script for `task`."""
        ...

    def revise(
        self, task: AuthoringTask, source: str, verdict: Verdict, note: str, budget: AuthorBudget, context: Context, /
    ) -> Proposal:
        """Propose a new version of `source` without the errors of `verdict`."""
        ...

    def restart(
        self, task: AuthoringTask, failed: tuple[str, ...], note: str, budget: AuthorBudget, context: Context, /
    ) -> Proposal:
        """Propose a new script for `task` with a different approach. `failed` lists the errors that the first approach
        did not remove."""
        ...


@runtime_checkable
class ConversationalAuthor(Author, Protocol):
    """An author that may need several exchanges for one proposal, and returns the dialogue after each. If an exchange
    was cancelled, `interrupted` is a proposal with its cost and the dialogue as it was before; otherwise it is None."""

    interrupted: Proposal | None

    def go_on(self, dialogue: Dialogue, budget: AuthorBudget, context: Context, /) -> Proposal:
        """Propose the result of the next exchange in `dialogue`. `dialogue` itself is not changed."""
        ...
