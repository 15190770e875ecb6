"""Typed events of a run. The loop yields them, user interfaces show them, and the journal stores them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, cast, get_args

from pinebench import decoding, diagnostics
from pinebench.authoring.author import AuthorBudget, AuthoringTask, Limit, Usage
from pinebench.authoring.dialogue import Dialogue
from pinebench.compilers import Verdict
from pinebench.diagnostics import Diagnostic

Outcome = Literal["compiled", "unmet", "answered", "stuck", "budget", "declined", "no-script", "unavailable"]
"""How a run ended.

`compiled`: the script compiles and meets its goals. `unmet`: it compiles, but does not meet its goals. `answered`: the
author answered in words, with a reason or a question. `stuck`: the same errors kept coming back. `budget`: a limit was
reached. `declined`: the author refused to continue. `no-script`: no answer held a script. `unavailable`: author or
compiler could not be reached.
"""


@dataclass(frozen=True, slots=True)
class StartedEvent:
    """A run begins. This event precedes the first request, so every limit is known before it can cost anything.

    `source` is a script to compile before the first request (`fix`), or None (`write`). `output_hash` is the
    hexadecimal SHA-256 of the content of `output`, which may be replaced; None if it was empty. `key_from` and
    `model_from` describe the origin of the key and the model. `goals` are expectations and other goals, such as
    `no-repaint`, for a run on the bars `data`. `others` names the bars of other symbols that the script may request, as
    SYMBOL=BARS. `bars` describes all bars.
    """

    task: AuthoringTask
    author: str
    compiler: str
    budget: AuthorBudget
    source: str | None = None
    output: str | None = None
    model: str | None = None
    output_hash: str | None = None
    key_from: str | None = None
    model_from: str | None = None
    goals: tuple[str, ...] = ()
    data: str | None = None
    bars: str = ""
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DraftedEvent:
    """The author wrote a script. `fresh` marks a draft that takes a new approach. `words` is the author's comment."""

    round: int
    source: str
    usage: Usage
    fresh: bool = False
    words: str = ""


@dataclass(frozen=True, slots=True)
class RevisedEvent:
    """The author changed the script. `changes` has one line for each change. `words` is the author's comment."""

    round: int
    source: str
    usage: Usage
    changes: tuple[str, ...] = ()
    words: str = ""


@dataclass(frozen=True, slots=True)
class MendedEvent:
    """Safe fixes were applied without a request to the author. `changes` has one line for each fix."""

    round: int
    source: str
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MigratedEvent:
    """The author's script was in an earlier `version` of Pine and was converted to v6. `changes` has one line for each
    change."""

    round: int
    source: str
    version: int
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExchangedEvent:
    """A paid answer has arrived, but `reason` requires another request in the same round. `dialogue` is the dialogue to
    continue, and `usage` is the cost of this answer."""

    round: int
    reason: str
    usage: Usage
    dialogue: Dialogue


@dataclass(frozen=True, slots=True)
class UnansweredEvent:
    """The author's answer contained nothing usable.

    `final` means that another request is pointless. `exhausted` means that the budget allows none, because of `limit`.
    `source` is an unusable script from the answer, such as one in an older version. `words` is the author's comment.
    `answers` means that the comment itself is the answer: a question, or the reason why the request cannot be
    fulfilled.
    """

    round: int
    reason: str
    usage: Usage
    final: bool = False
    exhausted: bool = False
    source: str | None = None
    words: str = ""
    answers: bool = False
    limit: Limit = ""


@dataclass(frozen=True, slots=True)
class CompiledEvent:
    """The current script was compiled. `best` means that it is the best script so far."""

    round: int
    verdict: Verdict
    best: bool


@dataclass(frozen=True, slots=True)
class TriedEvent:
    """The current script compiles and was run on bars. `met` means that all goals are met. `words` has a sentence for
    each unmet goal, and `places` the line of the script that each concerns (0 for none). `judged` is false if the run
    was not possible. `account` describes the run. `differences` lists the differences from the run of the given script
    that no goal forbids. `missed` is the number of goals that are not met."""

    round: int
    met: bool
    words: tuple[str, ...]
    judged: bool = True
    places: tuple[int, ...] = ()
    account: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()
    missed: int = 0


@dataclass(frozen=True, slots=True)
class ApproachChangedEvent:
    """The same errors came back, so the next request is for a new draft. `failed` has one line for each error."""

    round: int
    failed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FinishedEvent:
    """The run is over. `source` is the best script, and `origin` tells which compiler gave its verdict (both may be
    None).

    `attempts` counts the requests to the author. `screenshot` is a path, if the compiler had a page to capture.
    `output` is the file that holds `source`; None if no file does. `words` is the author's comment, and `account`
    describes the run of `source` on bars. `unmet` are the goals that `source` does not meet, and why. `not_checked`
    names the libraries whose source is missing, so that their uses could not be checked. `limit` is the limit of the
    budget that ended the run.
    """

    outcome: Outcome
    success: bool
    message: str
    source: str | None
    errors: int
    warnings: int
    origin: str | None
    attempts: int
    usage: Usage
    hint: str | None = None
    screenshot: str | None = None
    output: str | None = None
    words: str = ""
    account: tuple[str, ...] = ()
    not_checked: tuple[str, ...] = ()
    limit: Limit = ""
    unmet: tuple[str, ...] = ()


Event = (
    StartedEvent
    | DraftedEvent
    | RevisedEvent
    | MigratedEvent
    | MendedEvent
    | ExchangedEvent
    | UnansweredEvent
    | CompiledEvent
    | TriedEvent
    | ApproachChangedEvent
    | FinishedEvent
)


def name_of(kind: type[Event]) -> str:
    """Return the name of a kind of event in records, such as `Drafted`. Stored journals use these names."""
    return kind.__name__.removesuffix("Event")


_KINDS: dict[str, type[Event]] = {name_of(kind): kind for kind in cast("tuple[type[Event], ...]", get_args(Event))}


def encode(event: Event) -> dict[str, Any]:
    """Return `event` as JSON values, with the name of its kind under `event`."""
    values = {field.name: getattr(event, field.name) for field in dataclasses.fields(event)}
    return {"event": name_of(type(event)), **{name: _plain(value) for name, value in values.items()}}


def decode(record: dict[str, Any]) -> Event:
    """Return the event in a record that `encode` made. Raises KeyError, TypeError or ValueError if the record is not an
    event."""
    kind = _KINDS[record["event"]]
    decoding.check(record, _shape(kind))
    values = {field.name: record[field.name] for field in dataclasses.fields(kind) if field.name in record}
    readers = {"task": _task, "budget": lambda value: AuthorBudget(**value), "usage": lambda value: Usage(**value)}
    readers |= {"dialogue": lambda value: Dialogue(**value), "verdict": _verdict, "changes": tuple, "failed": tuple}
    readers |= {"not_checked": tuple}
    readers |= {
        "goals": tuple,
        "others": tuple,
        "places": tuple,
        "account": tuple,
        "differences": tuple,
        "unmet": tuple,
    }
    readers |= {"words": lambda value: value if isinstance(value, str) else tuple(value)}
    for name, reader in readers.items():
        if name in values:
            values[name] = reader(values[name])
    return kind(**values)


@cache
def _shape(kind: type[Event]) -> Any:
    return decoding.shape_of(kind)


def _plain(value: object) -> Any:
    if isinstance(value, Diagnostic):
        return diagnostics.encode(value)
    if isinstance(value, AuthoringTask | AuthorBudget | Usage | Dialogue | Verdict):
        kept = (field.name for field in dataclasses.fields(value) if field.compare)
        return {name: _plain(getattr(value, name)) for name in kept}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in cast("tuple[object, ...]", value)]
    if isinstance(value, dict):
        return {str(name): _plain(item) for name, item in cast("dict[object, object]", value).items()}
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _task(value: dict[str, Any]) -> AuthoringTask:
    return AuthoringTask(**value)


def _verdict(value: dict[str, Any]) -> Verdict:
    found = tuple(map(diagnostics.decode, value["diagnostics"]))
    return Verdict(**{**value, "diagnostics": found, "program": None})
