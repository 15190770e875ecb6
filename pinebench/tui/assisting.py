"""Asks Claude about the script in front: runs the loop of `authoring` in a thread, and keeps its events.

A proposal never changes a text by itself. A person looks at it (`proposed.Proposed`) and accepts what they like.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pinebench import config
from pinebench.authoring import goals, session
from pinebench.authoring.author import Budget, Usage
from pinebench.authoring.events import Compiled, Event, Finished, Started
from pinebench.context import Context
from pinebench.errors import PinebenchError, UsageError
from pinebench.migration import migrate_draft
from pinebench.tui import compiling
from pinebench.tui.child import bars_of

if TYPE_CHECKING:
    from pinebench.authoring.author import Author
    from pinebench.authoring.goals import Trial
    from pinebench.authoring.journal import Journal
    from pinebench.compilers import Compiler
    from pinebench.tui.app import Workbench
    from pinebench.tui.opened import Opened

_BETWEEN_GOALS = re.compile(r",(?![^()]*\))")
_OPTION = re.compile(r"(?<!\S)--?\w")


@dataclass(frozen=True)
class Wish:
    """The request that a person makes, with its settings.

    `goals` says what the script must be like when it runs on `bars`. `dollars` is the most that the run may cost.
    `compiler` is local, online or chart.
    """

    request: str
    goals: str
    bars: str
    dollars: str
    compiler: str

    @property
    def asked(self) -> tuple[str, ...]:
        """The goals, one by one."""
        return tuple(goal for each in _BETWEEN_GOALS.split(self.goals) if (goal := each.strip()))

    @property
    def most(self) -> float:
        """The most that the run may cost, in dollars. Raises UsageError if `dollars` is not an amount above 0."""
        try:
            amount = float(self.dollars.strip().removeprefix("$"))
        except ValueError:
            amount = 0.0
        if not 0 < amount < float("inf"):
            raise UsageError(f"'{self.dollars}' is not an amount of dollars", "write for example 0.5")
        return amount


@dataclass(eq=False)
class Talk:
    """One run of the loop about one script, with its events and its state."""

    events: list[Event] = field(default_factory=list[Event])
    is_running: bool = False
    said: str = ""
    """The part of the current answer that has arrived."""
    trouble: str = ""
    """Why the run ended, if there is no event that says so; otherwise empty."""
    taken: dict[str, str] = field(default_factory=dict[str, str])
    """The decision of the person about each proposal; the keys are the proposed scripts."""
    about: str = ""
    """The name under which the run is kept: the path of its script when the run began."""
    began: float = 0.0
    """When another session last wrote to the run's journal, in seconds since 1970; 0 for a run of this session."""

    @property
    def started(self) -> Started | None:
        """The event with which the run began; None if it has no events yet."""
        return self.events[0] if self.events and isinstance(self.events[0], Started) else None

    @property
    def before(self) -> str:
        """The text that the proposals change: the script that was sent. It is empty if no script was sent, or a
        template."""
        task = self.started.task if self.started is not None else None
        return task.base or "" if task is not None and task.template is None else ""

    @property
    def usage(self) -> Usage:
        """The usage of all rounds so far."""
        found = Usage()
        for event in self.events:
            if not isinstance(event, Finished):
                found += getattr(event, "usage", Usage())
        return found

    @property
    def rounds(self) -> int:
        """The number of the last round; 0 before the first one."""
        return max((getattr(event, "round", 0) for event in self.events), default=0)

    @property
    def ending(self) -> Finished | None:
        """The event with which the run ended; None if there is no such event."""
        last = self.events[-1] if self.events else None
        return last if isinstance(last, Finished) else None

    @property
    def can_go_on(self) -> bool:
        """Whether the run can be continued: it has begun, it is not running, and it did not end with success."""
        ending = self.ending
        return bool(self.events) and not self.is_running and (ending is None or not ending.success)

    @property
    def proposal(self) -> str | None:
        """The script that the run proposes at its end, or the last one so far; None if there is none."""
        ending = self.ending
        if ending is not None and ending.source is not None:
            return ending.source
        return next((event_source for event in reversed(self.events) if (event_source := source_of(event))), None)

    def verdict(self, source: str) -> Compiled | None:
        """The result of compiling `source`; None if it was not compiled."""
        current: str | None = None
        found: Compiled | None = None
        for event in self.events:
            current = source_of(event) or current
            if isinstance(event, Compiled) and current == source:
                found = event
        return found


def source_of(event: Event) -> str | None:
    """The script that an event proposes; None if it proposes none."""
    return None if isinstance(event, Started) else getattr(event, "source", None)


def name_of(opened: Opened | None) -> str:
    """The name under which the runs about a script are kept."""
    if opened is None:
        return str(Path.cwd() / "untitled.pine")
    return opened.buffer.path or str(Path.cwd() / opened.buffer.name)


def last(about: str) -> Talk | None:
    """The newest run about a script, read from its journal; None if there is none that can be read."""
    found = session.last(about)
    try:
        return (
            Talk([event for event, _ in found.read()], about=about, began=_time_of(found))
            if found is not None
            else None
        )
    except PinebenchError:
        return None


def _time_of(journal: Journal) -> float:
    try:
        return journal.path.stat().st_mtime
    except OSError:
        return 0.0


def author_of(model: str | None, libraries: tuple[str, ...], heard: Callable[[str], None]) -> Author:
    """Return the author that asks Claude, and calls `heard` with the part of the answer that has arrived. Raises
    AuthorUnavailable if Claude cannot be asked."""
    from pinebench.authoring.claude import Claude

    return Claude(model, libraries=libraries, heard=heard)


def ask(
    bench: Workbench, wish: Wish, opened: Opened | None, about: str, heard: Callable[[str], None]
) -> Callable[[Context], Iterator[Event]]:
    """Return a function that runs the loop for `wish`. The function takes a context and is called in a thread.

    The loop changes the script in front, or writes a new one if no script is in front or it is blank. The run is kept
    under the name `about`. Raises UsageError if the request is empty, or the most that it may cost is not an amount.
    """
    budget = Budget(dollars=wish.most)
    if not wish.request.strip():
        raise UsageError("nothing was asked", "say what the script should do, or how it should change")
    text = opened.editor.text if opened is not None else ""
    place = _place(opened)

    def work(context: Context) -> Iterator[Event]:
        author = author_of(None, config.library_folders(place), heard)
        with _compiler(bench, wish.compiler, place) as compiler:
            yield from session.write(
                wish.request,
                author,
                compiler,
                budget,
                context,
                text=text if text.strip() else None,
                about=about,
                model=getattr(author, "model", None),
                key_from=getattr(author, "key_from", None),
                model_from=getattr(author, "model_from", None),
                goals=wish.asked,
                data=wish.bars if wish.asked else None,
                trial=_trial(wish.asked, wish.bars),
                migrate=migrate_draft,
            )

    return work


def go_on(
    bench: Workbench, wish: Wish, opened: Opened | None, about: str, heard: Callable[[str], None]
) -> Callable[[Context], Iterator[Event]]:
    """Return a function that continues the newest run kept under `about`. It takes a context and is called in a thread.

    The run keeps the settings with which it began. It gets as many more seconds, rounds and tokens as a new run has;
    the dollars of `wish` are for the whole run. Raises UsageError if they are not an amount.
    """
    dollars, place = wish.most, _place(opened)

    def work(context: Context) -> Iterator[Event]:
        found = session.last(about)
        recorded = found.read() if found is not None else []
        known, fresh = Talk([event for event, _ in recorded]), Budget()
        spent = recorded[-1][1] if recorded else 0.0
        budget = Budget(known.rounds + fresh.rounds, spent + fresh.seconds, known.usage.tokens + fresh.tokens, dollars)
        with contextlib.ExitStack() as opened_ones:

            def choose(started: Started) -> tuple[Started, Author, Compiler]:
                author = author_of(started.model, config.library_folders(place), heard)
                compiler = opened_ones.enter_context(_compiler(bench, started.compiler, place))
                return replace(started, budget=budget), author, compiler

            yield from session.resume(
                None,
                choose,
                context,
                lambda begun: _trial(begun.goals, begun.data),
                about=about,
                migrate=migrate_draft,
            )

    return work


def _place(opened: Opened | None) -> str:
    return opened.buffer.place if opened is not None else name_of(None)


@contextlib.contextmanager
def _compiler(bench: Workbench, who: str, place: str) -> Generator[Compiler]:
    """Yield the compiler called `who`, and close it at the end."""
    found = compiling.compiler(bench, who, place)
    try:
        yield found
    finally:
        close = getattr(found, "close", None)
        if close is not None:
            close()


def _trial(asked: tuple[str, ...], bars: str | None) -> Trial | None:
    return goals.trial(asked, bars_of(bars)) if asked and bars else None


def advice(error: PinebenchError) -> str:
    """The message of `error` with its hint. A hint that names an option of the command line is left out."""
    hint = error.hint if error.hint and not _OPTION.search(error.hint) else ""
    return f"{error.message}{f' ({hint})' if hint else ''}"
