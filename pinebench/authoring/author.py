"""What the loop asks of whoever writes the script, and what it gets back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from pinebench.compilers import Verdict
from pinebench.context import Context
from pinebench.errors import UnavailableError

if TYPE_CHECKING:
    from pinebench.authoring.dialogue import Dialogue

LANGUAGE_VERSION = 6
"""The version of Pine that scripts are written in; an older one is converted."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What asking cost: tokens in, out, read from and written to the prompt cache, and an estimate in dollars."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    dollars: float = 0.0

    @property
    def tokens(self) -> int:
        """All tokens together."""
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
class Budget:
    """How much a run may take: `rounds` are requests for a script, `seconds` wall time, `tokens` of all kinds,
    `dollars` estimated."""

    rounds: int = 8
    seconds: float = 600.0
    tokens: int = 300_000
    dollars: float = 2.0

    def exhausted(self, rounds: int, seconds: float, usage: Usage) -> str | None:
        """Which limit has been reached, in words, or None."""
        if rounds >= self.rounds:
            return f"all {self.rounds} rounds are used"
        if seconds >= self.seconds:
            return f"{self.seconds:g} seconds are over"
        if usage.tokens >= self.tokens:
            return f"{self.tokens:,} tokens are used"
        if usage.dollars >= self.dollars:
            return f"about ${self.dollars:g} is spent"
        return None

    def left(self, rounds: int, seconds: float, usage: Usage) -> Budget:
        """What remains of each limit, never below 0."""
        return Budget(
            max(0, self.rounds - rounds),
            max(0.0, self.seconds - seconds),
            max(0, self.tokens - usage.tokens),
            max(0.0, self.dollars - usage.dollars),
        )


@dataclass(frozen=True, slots=True)
class Task:
    """What is wanted: the request in the user's words, and the source to begin with, if any.

    `template` is the name of the template that `base` is, or None when `base` is the user's own script. `goals` are
    what the script must be like when it runs, as the user wrote them.
    """

    request: str
    base: str | None = None
    template: str | None = None
    goals: tuple[str, ...] = field(default=(), compare=False)
    """They are kept with the run that has them, not with its task."""
    bars: str = field(default="", compare=False)
    """The bars that the script will be run on, in words; kept with the run too."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """An author's answer.

    `source` is a whole script, or None with `reason` saying why there is none; `changes` names what was changed, one
    line each; `words` is what the author says about it; `final` means that asking again is pointless, `exhausted` that
    the budget has no room for it. `answers` says that the words are the answer: why it cannot be done, or a question.
    With a `dialogue` it is not the answer yet: a Conversing author wants to go on with
    that, and `reason` says why.
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


class AuthorUnavailable(UnavailableError):
    """The author cannot be asked: no key, no network, no extra, or a service that does not answer; `usage` is what
    trying cost."""

    def __init__(self, message: str, hint: str | None = None, usage: Usage | None = None) -> None:
        super().__init__(message, hint)
        self.usage = usage or Usage()


class Author(Protocol):
    """Whoever writes scripts: a model, or a set of mechanical fixes.

    Each method may take long, watches `context`, keeps within `left`, and raises AuthorUnavailable when the author
    cannot be asked. `note` tells what was wrong with the last answer, and is empty when nothing was.
    """

    name: str

    def draft(self, task: Task, note: str, left: Budget, context: Context, /) -> Proposal:
        """A first script for `task`."""
        ...

    def revise(
        self, task: Task, source: str, verdict: Verdict, note: str, left: Budget, context: Context, /
    ) -> Proposal:
        """`source` changed so that the errors of `verdict` go away."""
        ...

    def restart(self, task: Task, failed: tuple[str, ...], note: str, left: Budget, context: Context, /) -> Proposal:
        """A fresh script for `task` by another approach; `failed` are the errors that the first approach did not get
        rid of."""
        ...


@runtime_checkable
class Conversing(Author, Protocol):
    """An author that may need several exchanges for one proposal, and hands out the dialogue after each of them."""

    def go_on(self, dialogue: Dialogue, left: Budget, context: Context, /) -> Proposal:
        """What comes of the next exchange in `dialogue`, which stays as it is."""
        ...
