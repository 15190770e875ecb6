"""Reports a run of the authoring loop: a few lines of text per event for people, or JSON lines for programs."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, TextIO

from pinebench.amounts import counted
from pinebench.cli.compiler_option import in_words
from pinebench.cli.console import print_report, style_for, terminal_width
from pinebench.printable import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pinebench.authoring.author import AuthorBudget
    from pinebench.authoring.events import CompiledEvent, Event, FinishedEvent, StartedEvent, TriedEvent
    from pinebench.compilers import Verdict

SHOWN_ERRORS = 5
SHOWN_ROWS = 400
"""The largest number of lines of a diff that are shown."""
SHOWN_TRIAL = 12
"""The largest number of lines about a run on bars that are shown."""
TAB = "\t"


def follow(
    events: Iterator[Event], form: str = "text", stream: TextIO | None = None
) -> tuple[StartedEvent, FinishedEvent]:
    """Report every event as it happens, and return the first and the last event.

    `form` is `text` (sentences, to `stream` or stderr) or `jsonl` (one JSON object per line, to stdout).
    """
    from pinebench.authoring.events import (
        DraftedEvent,
        FinishedEvent,
        MigratedEvent,
        RevisedEvent,
        StartedEvent,
        encode,
    )

    started: StartedEvent | None = None
    source = ""
    has_goals = False
    before: str | None = None
    for event in events:
        if isinstance(event, StartedEvent):
            started, source = event, event.source or ""
            before = _own_script(event)
            has_goals = bool(event.goals)
        source = getattr(event, "source", None) or source
        if form == "jsonl":
            print_report(json.dumps(encode(event)) + "\n")
        else:
            _tell(event, source, before, stream or sys.stderr, has_goals=has_goals)
        if isinstance(event, FinishedEvent):
            assert started is not None
            return started, event
        if before is not None and isinstance(event, DraftedEvent | RevisedEvent | MigratedEvent):
            before = event.source
    raise AssertionError("a run ends with Finished")


def progress_line() -> Callable[[str, float | None], None] | None:
    """Return a function that shows progress between events on one line of the terminal; None with `--quiet`, or if
    stderr is not a terminal."""
    from pinebench.cli.console import DISPLAY

    if DISPLAY.quiet or not sys.stderr.isatty():
        return None

    def show(text: str, fraction: float | None) -> None:  # noqa: ARG001  (a run does not know its end)
        print(f"\r{printable(text)[:78]:<78}\r", end="", file=sys.stderr, flush=True)

    return show


def exit_code(finished: FinishedEvent) -> int:
    """Return 0 if the run succeeded, 3 if the author or the compiler could not be reached, and 1 otherwise."""
    if finished.success:
        return 0
    return 3 if finished.outcome == "unavailable" else 1


def _own_script(event: StartedEvent) -> str | None:
    """The user's own script that a run changes, or None. Changes to it are shown as a diff, except mechanical fixes,
    which are listed."""
    is_listed = event.source is not None and event.model is None
    return None if is_listed or event.task.template is not None else event.task.base


def _tell(event: Event, source: str, before: str | None, stream: TextIO, *, has_goals: bool) -> None:
    from pinebench.authoring import events
    from pinebench.cli.console import DISPLAY

    if DISPLAY.quiet and not (isinstance(event, events.FinishedEvent) and not event.success):
        return
    paint = style_for(stream)
    match event:
        case events.StartedEvent():
            lines = _opening(event)
        case events.DraftedEvent():
            draft = f"{'a fresh draft' if event.fresh else 'a draft'} of {_lines(event.source)}"
            what = draft if before is None else "changed your script"
            lines = [f"{paint(f'round {event.round}', 'bold')}: {what}{_price(event.usage.dollars)}"]
            lines += _difference(before, event.source)
        case events.RevisedEvent():
            lines = [f"{paint(f'round {event.round}', 'bold')}: changed{_price(event.usage.dollars)}"]
            changes = [printable(f"  - {change}") for change in event.changes]
            lines += changes if before is None else _difference(before, event.source)
        case events.MigratedEvent():
            told = f"  it was Pine v{event.version}, and was converted to v6:"
            lines = [told, *(f"  - {printable(change)}" for change in event.changes)]
        case events.MendedEvent():
            lines = [
                "  repaired without a request to the model:",
                *(f"  - {printable(change)}" for change in event.changes),
            ]
        case events.ExchangedEvent():
            price = _price(event.usage.dollars)
            lines = [f"{paint(f'round {event.round}', 'bold')}: asks again: {printable(event.reason)}{price}"]
        case events.UnansweredEvent():
            what = printable(event.reason if event.words else f"no script: {event.reason}")
            lines = [] if event.final or event.answers else [f"{paint(f'round {event.round}', 'bold')}: {what}"]
        case events.CompiledEvent():
            lines = _verdict(event, source, stream)
        case events.TriedEvent():
            lines = _trial(event, has_goals=has_goals)
        case events.ApproachChangedEvent():
            lines = ["the same errors came back: starting again with another approach"]
        case events.FinishedEvent():
            lines = _ending(event)
    for line in lines:
        print(line, file=stream, flush=True)


def _opening(event: StartedEvent) -> list[str]:
    start = f", starting from the template {event.task.template}" if event.task.template else ""
    who = f"{event.author}{f' ({event.model})' if event.model else ''}"
    work = f"writes{start}" if event.source is None else f"repairs a script of {_lines(event.source)}"
    limits = _limits(event.budget, priced=event.model is not None)
    origin = [f"  key from {event.key_from}, model from {event.model_from}"] if event.key_from else []
    asked = [f"  run on {event.data}, with the goals {', '.join(event.goals)}"] if event.goals else []
    opening = (f"{who} {work}", f"  {_judge(event.compiler)}; at most {limits}", *asked, *origin)
    return [printable(line) for line in opening]


def _judge(compiler: str) -> str:
    return "checked by pinebench (local), not compiled" if compiler == "local" else f"compiled by {compiler}"


def _limits(budget: AuthorBudget, *, priced: bool) -> str:
    limits = f"{budget.rounds} rounds, {budget.seconds:g} s"
    return f"{limits}, {budget.tokens:,} tokens, about ${budget.dollars:g}" if priced else limits


def _verdict(event: CompiledEvent, source: str, stream: TextIO) -> list[str]:
    from pinebench.compilers import OURS
    from pinebench.syntax.lines import LineIndex

    paint = style_for(stream)
    verdict = event.verdict
    if verdict.ok:
        passed = in_words(verdict.origin, ok=True)
        passed = f"{passed} (it was not compiled)" if verdict.origin in OURS else passed
        shown = verdict.diagnostics
        counts = _severities(verdict)
        told = [f"  {printable(verdict.origin)}: {paint(passed, 'hint')}{f' with {counts}' if counts else ''}"]
    else:
        shown = verdict.errors[:SHOWN_ERRORS]
        told = [f"  {printable(verdict.origin)}: {paint(counted(len(verdict.errors), 'error'), 'error')}"]
    lines = LineIndex(source)
    for finding in shown:
        line, column = lines.position(finding.span.start)
        kind = "" if finding in verdict.errors else f"{finding.severity.label} "
        message = finding.message.replace("\n", " ")
        told += _wrapped(printable(f"{line}:{column} {kind}{finding.code} {message}"))
    if len(verdict.errors) > SHOWN_ERRORS:
        told.append(f"    and {len(verdict.errors) - SHOWN_ERRORS} more")
    return told


def _trial(event: TriedEvent, *, has_goals: bool) -> list[str]:
    """The lines that tell how a run of the script on bars met the goals, or only that it ran."""
    if event.met:
        return [f"  on the bars: {'all goals are met' if has_goals else 'it ran without an error; no goal was given'}"]
    places = (*event.places, *(0 for _ in event.words))
    rows = [
        row
        for words, line in zip(event.words, places, strict=False)
        for row in (f"line {line}: {words}" if line else words).split("\n")
    ]
    left = len(rows) - SHOWN_TRIAL
    more = [f"    and {left} more lines"] if left > 0 else []
    what = "goals not met" if has_goals else "the run failed"
    what = what if event.judged else "the script could not be run"
    return [f"  on the bars: {what}", *(f"    {printable(row)}" for row in rows[:SHOWN_TRIAL]), *more]


def _wrapped(text: str) -> list[str]:
    """An error message wrapped to the terminal's width, with the following lines indented."""
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


def _ending(event: FinishedEvent) -> list[str]:
    from pinebench.compilers import OURS
    from pinebench.linter.report.text import not_checked

    rounds = counted(event.attempts, "round")
    spent = f", {event.usage.tokens:,} tokens, about ${event.usage.dollars:.3f}" if event.usage.tokens else ""
    if event.success:
        warned = f" with {counted(event.warnings, 'warning')}" if event.warnings else ""
        what = f"{event.origin}: pinebench's check, not a compilation" if event.origin in OURS else event.origin
        words = [f"done: {in_words(event.origin or 'local', ok=True)}{warned} ({what}), {rounds}{spent}"]
    elif event.source is None:
        words = [f"stopped without a script: {event.message} ({rounds}{spent})"]
    else:
        left = (
            f"the best script has {counted(event.errors, 'error')}" if event.origin else "the script was not compiled"
        )
        words = [f"stopped: {event.message}; {left} ({rounds}{spent})"]
    if event.not_checked:
        words.append(f"  {not_checked(event.not_checked)}")
    if event.output:
        words.append(f"  the script is in {event.output}")
    if event.hint:
        words.append(f"  {event.hint}")
    if event.screenshot:
        words.append(f"  screenshot: {event.screenshot}")
    did = ["results on the bars:", *(f"  {line}" for line in event.account)] if event.account else []
    said = [*did, "the author's summary:", *(f"  {line}" for line in event.words.split("\n"))] if event.words else did
    return [printable(line) for line in (*said, *words)]


def _difference(before: str | None, after: str) -> list[str]:
    """The changes in the user's own script, as the lines of a diff; empty if there is no such script."""
    if before is None:
        return []
    from difflib import unified_diff

    rows = list(unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=2))[2:]
    left = len(rows) - SHOWN_ROWS
    more = [f"  ... and {left} more lines"] if left > 0 else []
    return [f"  {printable(row, keep=TAB)}" for row in rows[:SHOWN_ROWS]] + more


def _severities(verdict: Verdict) -> str:
    """The number of findings of each severity except errors, in words."""
    kinds = ("warning", "info", "hint")
    numbers = [(kind, sum(each.severity.label == kind for each in verdict.diagnostics)) for kind in kinds]
    return " and ".join(counted(number, kind) for kind, number in numbers if number)


def _price(dollars: float) -> str:
    return f" (about ${dollars:.3f})" if dollars else ""


def _lines(source: str) -> str:
    return counted(source.count("\n"), "line")
