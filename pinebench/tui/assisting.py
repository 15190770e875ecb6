"""Asking Claude about the script in front: the loop of `authoring` in a thread, and what came of it so far.

Nothing that is proposed reaches a text by itself: a person looks at it (`dialogs.Proposed`) and takes what they like.
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
    """What a person asks for: the request, what the script must be like on which bars, the most that it may cost in
    dollars, and who compiles: local, online or chart."""

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
        """The most that it may cost, in dollars. Raises UsageError for what is no amount."""
        try:
            amount = float(self.dollars.strip().removeprefix("$"))
        except ValueError:
            amount = 0.0
        if not 0 < amount < float("inf"):
            raise UsageError(f"'{self.dollars}' is not an amount of dollars", "write for example 0.5")
        return amount


@dataclass(eq=False)
class Talk:
    """A run of the loop about one script: all that happened, and what is known of how it stands."""

    events: list[Event] = field(default_factory=list[Event])
    is_running: bool = False
    said: str = ""
    """What has arrived of the answer under way."""
    trouble: str = ""
    """Why it ended where that is no event; empty where it did not."""
    taken: dict[str, str] = field(default_factory=dict[str, str])
    """What was done with proposals, by their scripts."""
    about: str = ""
    """What it is kept by: the path of its script when it began."""
    began: float = 0.0
    """When it was last heard of, in seconds since 1970, where that was in another session; else 0."""

    @property
    def started(self) -> Started | None:
        """How it began."""
        return self.events[0] if self.events and isinstance(self.events[0], Started) else None

    @property
    def before(self) -> str:
        """The text that the proposals change: the script as it was sent, nothing where none was."""
        task = self.started.task if self.started is not None else None
        return task.base or "" if task is not None and task.template is None else ""

    @property
    def usage(self) -> Usage:
        """What it cost so far."""
        found = Usage()
        for event in self.events:
            if not isinstance(event, Finished):
                found += getattr(event, "usage", Usage())
        return found

    @property
    def rounds(self) -> int:
        """How many requests there were."""
        return max((getattr(event, "round", 0) for event in self.events), default=0)

    @property
    def ending(self) -> Finished | None:
        """How it ended; None where it did not, or goes on."""
        last = self.events[-1] if self.events else None
        return last if isinstance(last, Finished) else None

    @property
    def can_go_on(self) -> bool:
        """Whether something is left to be done."""
        ending = self.ending
        return bool(self.events) and not self.is_running and (ending is None or not ending.success)

    @property
    def proposal(self) -> str | None:
        """The script that it proposes in the end, or so far; None where there is none."""
        ending = self.ending
        if ending is not None and ending.source is not None:
            return ending.source
        return next((event_source for event in reversed(self.events) if (event_source := source_of(event))), None)

    def verdict(self, source: str) -> Compiled | None:
        """What was found when `source` was compiled; None where it was not."""
        current: str | None = None
        found: Compiled | None = None
        for event in self.events:
            current = source_of(event) or current
            if isinstance(event, Compiled) and current == source:
                found = event
        return found


def source_of(event: Event) -> str | None:
    """The script that an event proposes; None where it proposes none."""
    return None if isinstance(event, Started) else getattr(event, "source", None)


def name_of(opened: Opened | None) -> str:
    """What the runs about a script are kept by."""
    if opened is None:
        return str(Path.cwd() / "untitled.pine")
    return opened.buffer.path or str(Path.cwd() / opened.buffer.name)


def last(about: str) -> Talk | None:
    """The newest run about a script, as its journal has it; None where there is none that can be read."""
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
    """Claude, who tells `heard` what arrives. Raises AuthorUnavailable where it cannot be asked."""
    from pinebench.authoring.claude import Claude

    return Claude(model, libraries=libraries, heard=heard)


def ask(
    bench: Workbench, wish: Wish, opened: Opened | None, about: str, heard: Callable[[str], None]
) -> Callable[[Context], Iterator[Event]]:
    """What asks for `wish`, given a context, in a thread: for a new script where none is in front or that is blank,
    else for a change of the one in front; the run is kept by `about`. Raises UsageError for what cannot be asked."""
    budget = Budget(dollars=wish.most)
    if not wish.request.strip():
        raise UsageError("nothing was asked", "say what the script is to do, or how it is to change")
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
    """What goes on with the newest run that is kept by `about`, given a context: as it began, with as much time and as
    many rounds again as a new one has, and with the dollars of `wish` for all of it."""
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
    """Who compiles, closed in the end."""
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
    """`error` in words, with what to do about it where that is no option of the command line."""
    hint = error.hint if error.hint and not _OPTION.search(error.hint) else ""
    return f"{error.message}{f' ({hint})' if hint else ''}"
