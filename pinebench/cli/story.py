"""A run of the authoring loop as it is told to people, or written for programs: one line or a few an event."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, TextIO

from pinebench.cli.console import style_for, terminal_width
from pinebench.printable import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pinebench.authoring.author import Budget
    from pinebench.authoring.events import Compiled, Event, Finished, Started

SHOWN_ERRORS = 5


def follow(events: Iterator[Event], form: str = "text", stream: TextIO | None = None) -> tuple[Started, Finished]:
    """Tell every event as it happens and return the first and the last.

    `form` is `text` (words, to `stream` or stderr) or `jsonl` (one JSON object a line, to stdout).
    """
    from pinebench.authoring.events import Finished, Started, encode

    started: Started | None = None
    source = ""
    for event in events:
        if isinstance(event, Started):
            started, source = event, event.source or ""
        source = getattr(event, "source", None) or source
        if form == "jsonl":
            print(json.dumps(encode(event)), flush=True)
        else:
            _tell(event, source, stream or sys.stderr)
        if isinstance(event, Finished):
            assert started is not None
            return started, event
    raise AssertionError("a run ends with Finished")


def progress_line() -> Callable[[str, float | None], None] | None:
    """What shows progress between events on one line of the terminal; None where stderr is none."""
    if not sys.stderr.isatty():
        return None

    def show(text: str, fraction: float | None) -> None:  # noqa: ARG001  (a run does not know its end)
        print(f"\r{printable(text)[:78]:<78}\r", end="", file=sys.stderr, flush=True)

    return show


def exit_code(finished: Finished) -> int:
    """0 when the script compiles, 3 when author or compiler could not be reached, else 1."""
    if finished.success:
        return 0
    return 3 if finished.outcome == "unavailable" else 1


def _tell(event: Event, source: str, stream: TextIO) -> None:
    from pinebench.authoring import events

    paint = style_for(stream)
    match event:
        case events.Started():
            lines = _opening(event)
        case events.Drafted():
            draft = f"{'a fresh draft' if event.fresh else 'a draft'} of {_lines(event.source)}"
            lines = [f"{paint(f'round {event.round}', 'bold')}: {draft}{_price(event.usage.dollars)}"]
        case events.Revised():
            lines = [f"{paint(f'round {event.round}', 'bold')}: changed{_price(event.usage.dollars)}"]
            lines += [printable(f"  - {change}") for change in event.changes]
        case events.Mended():
            lines = ["  mended without asking:", *(f"  - {printable(change)}" for change in event.changes)]
        case events.Unanswered():
            lines = (
                []
                if event.final
                else [f"{paint(f'round {event.round}', 'bold')}: no script: {printable(event.reason)}"]
            )
        case events.Compiled():
            lines = _verdict(event, source, stream)
        case events.ApproachChanged():
            lines = ["the same errors came back: starting afresh, another way"]
        case events.Finished():
            lines = _ending(event)
    for line in lines:
        print(line, file=stream, flush=True)


def _opening(event: Started) -> list[str]:
    start = f", starting from the template {event.task.template}" if event.task.template else ""
    who = f"{event.author}{f' ({event.model})' if event.model else ''}"
    work = f"writes{start}" if event.source is None else f"repairs a script of {_lines(event.source)}"
    limits = _limits(event.budget, priced=event.model is not None)
    origin = [f"  key from {event.key_from}, model from {event.model_from}"] if event.key_from else []
    return [printable(line) for line in (f"{who} {work}", f"  compiled by {event.compiler}; at most {limits}", *origin)]


def _limits(budget: Budget, *, priced: bool) -> str:
    limits = f"{budget.rounds} rounds, {budget.seconds:g} s"
    return f"{limits}, {budget.tokens:,} tokens, about ${budget.dollars:g}" if priced else limits


def _verdict(event: Compiled, source: str, stream: TextIO) -> list[str]:
    from pinebench.syntax.lines import LineIndex

    paint = style_for(stream)
    verdict = event.verdict
    if verdict.ok:
        warned = f" with {_count(len(verdict.warnings), 'warning')}" if verdict.warnings else ""
        return [f"  {printable(verdict.origin)}: {paint('compiles', 'hint')}{warned}"]
    lines = LineIndex(source)
    told = [f"  {printable(verdict.origin)}: {paint(_count(len(verdict.errors), 'error'), 'error')}"]
    for error in verdict.errors[:SHOWN_ERRORS]:
        line, column = lines.position(error.span.start)
        message = error.message.replace("\n", " ")
        told += _wrapped(printable(f"{line}:{column} {error.code} {message}"))
    if len(verdict.errors) > SHOWN_ERRORS:
        told.append(f"    and {len(verdict.errors) - SHOWN_ERRORS} more")
    return told


def _wrapped(text: str) -> list[str]:
    """An error within the terminal's width, its further lines set in."""
    from textwrap import wrap

    width = max(60, min(terminal_width(), 120)) - 1
    return wrap(
        text,
        width,
        initial_indent="    ",
        subsequent_indent="      ",
        max_lines=3,
        placeholder=" ...",
        break_on_hyphens=False,
    )


def _ending(event: Finished) -> list[str]:
    rounds = _count(event.attempts, "round")
    spent = f", {event.usage.tokens:,} tokens, about ${event.usage.dollars:.3f}" if event.usage.tokens else ""
    if event.success:
        warned = f" with {_count(event.warnings, 'warning')}" if event.warnings else ""
        words = [f"done: compiles{warned} ({event.origin}), {rounds}{spent}"]
    elif event.source is None:
        words = [f"stopped without a script: {event.message} ({rounds}{spent})"]
    else:
        left = f"the best script has {_count(event.errors, 'error')}" if event.origin else "the script was not compiled"
        words = [f"stopped: {event.message}; {left} ({rounds}{spent})"]
    if event.hint:
        words.append(f"  {event.hint}")
    if event.screenshot:
        words.append(f"  screenshot: {event.screenshot}")
    return [printable(line) for line in words]


def _price(dollars: float) -> str:
    return f" (about ${dollars:.3f})" if dollars else ""


def _lines(source: str) -> str:
    return _count(source.count("\n"), "line")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
