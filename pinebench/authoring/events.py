"""What happens while a script is written, as typed events: the loop yields them, faces show them, the journal keeps
them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, cast, get_args

from pinebench import decoding, diagnostics
from pinebench.authoring.author import Budget, Task, Usage
from pinebench.authoring.dialogue import Dialogue
from pinebench.compilers import Verdict
from pinebench.diagnostics import Diagnostic

Outcome = Literal["compiled", "unmet", "answered", "stuck", "budget", "declined", "no-script", "unavailable"]
"""How a run ended: it compiles, and does what was asked of it on bars; it compiles and does not; the author answered in
words instead, with a reason or a question; the same errors kept coming; a limit was reached; the author will not go on;
no answer held a script; author or compiler could not be reached."""


@dataclass(frozen=True, slots=True)
class Started:
    """A run begins; shown before the first request, so that every limit is known before it can cost anything.

    `source` is a script to compile before anything is asked (`fix`), else None (`write`). `output_hash` is the SHA-256
    of what `output` held, in hexadecimal, None where it held nothing: that much may be replaced. `key_from` and
    `model_from` say in words where these came from, where there are any. `goals` are what the script must be like when
    it runs on the bars of `data`: expectations, and `no-repaint`. `others` name the bars of other symbols that it
    may request, as SYMBOL=BARS, and `bars` describes all of them.
    """

    task: Task
    author: str
    compiler: str
    budget: Budget
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
class Drafted:
    """The author wrote a script; `fresh` marks the one draft by another approach; `words` is what it says about it."""

    round: int
    source: str
    usage: Usage
    fresh: bool = False
    words: str = ""


@dataclass(frozen=True, slots=True)
class Revised:
    """The author changed the script; `changes` names what, one line each; `words` is what it says about it."""

    round: int
    source: str
    usage: Usage
    changes: tuple[str, ...] = ()
    words: str = ""


@dataclass(frozen=True, slots=True)
class Mended:
    """Fixes that cannot change what the script does were applied, so that nobody need be asked for them; `changes`
    names them, one line each."""

    round: int
    source: str
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Migrated:
    """The author's script was written in an earlier `version` of Pine and was brought to v6; `changes` names what is
    written otherwise now, one line each."""

    round: int
    source: str
    version: int
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Exchanged:
    """An answer was paid for, and for `reason` the author is asked again within the same round: `dialogue` is what goes
    on, `usage` what this answer cost."""

    round: int
    reason: str
    usage: Usage
    dialogue: Dialogue


@dataclass(frozen=True, slots=True)
class Unanswered:
    """The author's answer held nothing usable; `final` when asking again is pointless, `exhausted` when the budget has
    no room for it. `source` is a script that it held all the same, such as one of an older version; `words` are
    what the author says, and `answers` says that they are its answer: why it cannot be done, or a question."""

    round: int
    reason: str
    usage: Usage
    final: bool = False
    exhausted: bool = False
    source: str | None = None
    words: str = ""
    answers: bool = False


@dataclass(frozen=True, slots=True)
class Compiled:
    """The current script was compiled; `best` when it is the best one seen."""

    round: int
    verdict: Verdict
    best: bool


@dataclass(frozen=True, slots=True)
class Tried:
    """The current script, which compiles, was run on bars; `met` says that all goals are met, `words` what is not as
    asked, and `judged` whether the run could be made at all. `places` are the lines of the script that the words are
    about, 0 for none; `account` tells what the run did."""

    round: int
    met: bool
    words: tuple[str, ...]
    judged: bool = True
    places: tuple[int, ...] = ()
    account: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ApproachChanged:
    """The same errors came back, so the next request asks for a fresh draft; `failed` are those errors, one line
    each."""

    round: int
    failed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Finished:
    """The run is over; `source` is the best script seen, with the origin of its verdict, or None when there was none.

    `attempts` are the requests made of the author; `screenshot` is a path where the compiler had a page to take one of;
    `output` the file that holds `source`, None where none does; `words` what the author said about it, and
    `account` tells what the last run on bars did.
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


Event = (
    Started
    | Drafted
    | Revised
    | Migrated
    | Mended
    | Exchanged
    | Unanswered
    | Compiled
    | Tried
    | ApproachChanged
    | Finished
)

_KINDS: dict[str, type[Event]] = {kind.__name__: kind for kind in cast("tuple[type[Event], ...]", get_args(Event))}


def encode(event: Event) -> dict[str, Any]:
    """`event` as plain JSON values, with its class name under `event`."""
    values = {field.name: getattr(event, field.name) for field in dataclasses.fields(event)}
    return {"event": type(event).__name__, **{name: _plain(value) for name, value in values.items()}}


def decode(record: dict[str, Any]) -> Event:
    """The event that `encode` made `record` of; raises KeyError, TypeError or ValueError when it is none."""
    kind = _KINDS[record["event"]]
    decoding.check(record, _shape(kind))
    values = {field.name: record[field.name] for field in dataclasses.fields(kind) if field.name in record}
    readers = {"task": _task, "budget": lambda value: Budget(**value), "usage": lambda value: Usage(**value)}
    readers |= {"dialogue": lambda value: Dialogue(**value), "verdict": _verdict, "changes": tuple, "failed": tuple}
    readers |= {"goals": tuple, "others": tuple, "places": tuple, "account": tuple}
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
    if isinstance(value, Task | Budget | Usage | Dialogue | Verdict):
        kept = (field.name for field in dataclasses.fields(value) if field.compare)
        return {name: _plain(getattr(value, name)) for name in kept}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in cast("tuple[object, ...]", value)]
    if isinstance(value, dict):
        return {str(name): _plain(item) for name, item in cast("dict[object, object]", value).items()}
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _task(value: dict[str, Any]) -> Task:
    return Task(**value)


def _verdict(value: dict[str, Any]) -> Verdict:
    found = tuple(map(diagnostics.decode, value["diagnostics"]))
    return Verdict(**{**value, "diagnostics": found, "program": None})
