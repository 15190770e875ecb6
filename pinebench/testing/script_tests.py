"""Runs the tests of scripts and returns their outcomes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from pinebench import config, files
from pinebench.calendars.dates import iso_text
from pinebench.checker import Program, open_program
from pinebench.diagnostics import Severity
from pinebench.errors import PinebenchError, UsageError, fault
from pinebench.market import (
    SAMPLE,
    Data,
    Description,
    in_another,
    load,
    load_all,
    load_named,
    samples,
    symbol_fields,
    with_properties,
)
from pinebench.near import hint_of_names, near_names
from pinebench.repaint.repaint import RepaintVerdict
from pinebench.runtime import RequestSource, Result, library_notes, shown
from pinebench.testing import plot_snapshots
from pinebench.testing.goals import Goals
from pinebench.testing.testfile import ExpectedError, ExpectedValue, TestCase
from pinebench.why.near_misses import nearest_in_worker, why_plotted
from pinebench.workers.dispatch import execute
from pinebench.workers.jobs import RunResult, request_of
from pinebench.workers.request import Request

Look = Callable[[Request], RepaintVerdict]
"""Searches for repainting."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class TestOutcome:
    """The outcome of a test.

    `failures` are differences from what was expected. `problem` is an error that prevented the test from running. The
    test passed if there is neither. `notes` name the files that were written and the libraries that were replaced by
    pinebench's own versions, and say if a test expects nothing. `data` holds the bars that the test read, or None.
    """

    __test__ = False  # pytest takes a class with this name for tests otherwise

    file: Path
    name: str
    failures: list[str] = field(default_factory=list)
    problem: PinebenchError | None = None
    notes: list[str] = field(default_factory=list)
    data: Data | None = None

    @property
    def passed(self) -> bool:
        """Whether the test passed."""
        return not self.failures and self.problem is None


def run_case(case: TestCase, look: Look, *, update: bool = False, as_of: date | None = None) -> TestOutcome:
    """Run one test. With `update`, replace a snapshot that differs, and add a note about it.

    `look` searches for repainting, and is only called if the test forbids repainting. Commands pass
    `linter.repainting.look_for_repainting`. `as_of` is the date whose TradingView defaults apply to a strategy
    (default: `LANGUAGE_DATE`).
    """
    notes: list[str] = []
    data: Data | None = None
    try:
        program = _opened(case)
        wrong = _compile_errors(program)
        if wrong:
            return TestOutcome(case.file, case.name, _compiled(case.error, wrong))
        data = _data(case)
        failures = _failures(case, program, data, look, update, notes, as_of)
    except PinebenchError as error:
        return TestOutcome(case.file, case.name, problem=error, data=data)
    except Exception as error:  # a fault on one script must not end the other tests
        _log.debug("%s: internal error", case.file, exc_info=error)
        return TestOutcome(case.file, case.name, problem=fault(error), data=data)
    return TestOutcome(case.file, case.name, failures, None, notes, data)


def _opened(case: TestCase) -> Program:
    script = case.folder / case.script
    return open_program(files.read(script).text, config.library_folders(str(script)))


def _failures(
    case: TestCase, program: Program, data: Data, look: Look, update: bool, notes: list[str], as_of: date | None
) -> list[str]:
    others = {name: RequestSource(each.bars, each.symbol) for name, each in load_all(_paths(case)).items()}
    request = request_of(program, data.bars, data.symbol, inputs=case.inputs, others=others, as_of=as_of)
    ran = execute(request)
    notes += library_notes(program)
    if not case.expects_something:
        notes.append(f"{case.file}: {case.name} has no expectations: it passes if the script runs")
    return [*_stopped(case.error, ran.result), *_judged(case, request, ran, look), *_kept(case, ran, update, notes)]


def _compile_errors(program: Program) -> list[tuple[str, int, str]]:
    """The code, the line and the message of each error."""
    place = program.document.lines.position
    return [
        (each.code, place(each.span.start).line, each.message)
        for each in program.diagnostics
        if each.severity is Severity.ERROR
    ]


def _compiled(expected: ExpectedError | None, wrong: list[tuple[str, int, str]]) -> list[str]:
    said = [f"does not compile: line {line}: {code}: {words}" for code, line, words in wrong[:5]]
    if expected is None:
        return said
    if any(code == expected.code and expected.line in (None, line) for code, line, _ in wrong):
        return []
    return [f"expected the error {_fault(expected)}", *said]


def _stopped(expected: ExpectedError | None, result: Result) -> list[str]:
    found = result.error
    if found is None:
        return [] if expected is None else [f"expected the error {_fault(expected)}: the script ran to its end"]
    bar = f" on bar {found.bar}," if found.bar is not None else " in"
    said = f"stopped{bar}{f' line {found.line}' if found.line else ''}: {found.code}: {found.message}"
    if expected is None:
        return [said]
    as_said = found.code == expected.code and expected.line in (None, found.line) and expected.bar in (None, found.bar)
    return [] if as_said else [f"expected the error {_fault(expected)}", said]


def _fault(expected: ExpectedError) -> str:
    line = f" on line {expected.line}" if expected.line is not None else ""
    return f"{expected.code}{line}{f' on bar {expected.bar}' if expected.bar is not None else ''}"


def _judged(case: TestCase, request: Request, ran: RunResult, look: Look) -> list[str]:
    if ran.result.error is not None:
        return []
    goals = Goals(case.expectations, case.no_repaint)
    judged = goals.judge(ran.result, ran.figures, lambda: look(request), nearest=partial(nearest_in_worker, request))
    return [*judged.failures(), *(words for each in case.values if (words := _value(each, ran.result, request)))]


def _value(expected: ExpectedValue, result: Result, request: Request) -> str | None:
    """A sentence about a value that is not as expected, and why it is what it is; None if it is as expected. Raises
    UsageError for an unknown plot or bar."""
    titles = shown.titles_of(result)
    if expected.plot not in titles:
        near = near_names(expected.plot, titles, 1)
        hint = f"did you mean '{near[0]}'?" if near else hint_of_names("plots", titles)
        raise UsageError(f"no plot is called '{expected.plot}'", hint)
    bar = _bar(expected, result.times)
    found = result.plots[titles.index(expected.plot)].exported[bar]
    value = None if found is None or found != found else found
    if value == expected.value or (value is None and expected.value is None):
        return None
    if value is not None and expected.value is not None and abs(value - expected.value) <= expected.within:
        return None
    near = f" within {expected.within:g}" if expected.within else ""
    said = f"on bar {bar} {expected.plot} is {_shown(value)}, expected {_shown(expected.value)}{near}"
    reasons = execute(request, partial(why_plotted, plot=expected.plot, bar=bar), seconds=request.budget.seconds)
    return f"{said}: {'; '.join(reasons)}" if reasons else said


def _bar(expected: ExpectedValue, times: Sequence[int]) -> int:
    count = len(times)
    if expected.time is not None:
        if expected.time in times:
            return times.index(expected.time)
        raise UsageError(
            f"no bar opens at {iso_text(expected.time)}",
            f"the bars open from {iso_text(times[0])} to {iso_text(times[-1])}",
        )
    bar = expected.bar or 0
    if not -count <= bar < count:
        raise UsageError(f"there is no bar {bar}", f"the bars are 0 to {count - 1}, and -1 is the last one")
    return bar % count


def _shown(value: Any) -> str:
    if value is None:
        return "na"
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _kept(case: TestCase, ran: RunResult, update: bool, notes: list[str]) -> list[str]:
    """Compare the plots with the snapshot, and return the differences. With `update`, write the snapshot instead."""
    if case.snapshot is None or ran.result.error is not None:
        return []
    now = plot_snapshots.rows_of(ran.result)
    kept = plot_snapshots.read(case.snapshot)
    wrong = ["there is no valid snapshot yet"] if kept is None else plot_snapshots.differences(kept, now)
    if not wrong:
        return []
    if not update:
        advice = "write it with --update" if kept is None else "if this is intended, write it with --update"
        return [f"{case.snapshot.name}: {words}; {advice}" for words in wrong]
    plot_snapshots.write(case.snapshot, now)
    notes += [f"{case.snapshot}: {'written' if kept is None else f'written again: {words}'}" for words in wrong]
    return []


# bars


def _paths(case: TestCase) -> dict[str, Path]:
    return {name: case.folder / path for name, path in case.others.items()}


def _data(case: TestCase) -> Data:
    path = case.folder / case.bars
    sample = None if path.exists() else samples.find(case.bars)
    if sample is not None:
        return _of_symbol(case, load_named(f"{SAMPLE}{sample.ticker}", None, case.timeframe, case.count or 500))
    try:
        data = load(path)
    except files.MissingFile as error:
        names = ", ".join(symbol.ticker for symbol in samples.SAMPLES)
        raise UsageError(error.message, f"expected a CSV file, or a symbol of the sample market: {names}") from None
    if case.count is not None:
        raise UsageError(
            f"count = {case.count} has no effect on bars from files: all bars of a file are used", "leave count out"
        )
    return in_another(_of_symbol(case, data), None, case.timeframe)


def _of_symbol(case: TestCase, data: Data) -> Data:
    """The same bars, with the symbol's data that the test gives."""
    return with_properties(data, Description(case.file, symbol_fields(case.file, case.symbol)))
