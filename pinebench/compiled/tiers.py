"""Chooses the tier for a run or a sweep by the cost of the work, and explains the choice.

Compiling takes some processor time, and saves some on each bar. The rule of `auto`: work on at least `MANY_BARS` bars
is compiled. Work on at least `SOME_BARS` bars runs as machine code if the code is already stored. All other work begins
in Python, and its processor time is measured: if the remaining bars or runs would take longer than compiling, machine
code takes over. The wall clock is not used, so a busy machine makes the same choice. Both tiers give the same result.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pinebench.backtesting.backtest import NO_STRATEGY
from pinebench.checker import Program
from pinebench.compiled import machine, sources
from pinebench.compiled.compiled_script import CompiledScript, compile_script, is_kept, prepared
from pinebench.compiled.outcomes import NotCompilable, Outcome
from pinebench.compiled.script_code import NotCovered
from pinebench.config import cache_folder
from pinebench.context import Context
from pinebench.errors import UsageError
from pinebench.market import Bars
from pinebench.runtime import Result, Runtime, refuse
from pinebench.workers.dispatch import execute
from pinebench.workers.jobs import RunResult, opened, own_version_notes, perform
from pinebench.workers.request import Request, Tier

MANY_BARS = 100_000
SOME_BARS = 20_000
TRIAL_SECONDS = 0.4
"""The processor time after which the cost of a run on the Python tier is known well enough."""
COSTLY_SECONDS = 3.0
"""The processor time on the Python tier from which compiling pays: it takes 0.2 to 1.5 s."""
_LEAST_LOOKS = 16
"""The cost of a run is checked in at least this many parts, because its last bars may cost more than the first ones."""
ASKED = "the run requested this tier"
LARGE = "the work has many bars"
KEPT = "its machine code was already stored"
COSTLY = "Python would take longer than compiling"
SMALL = "the work is small"
MISSING = "the extra 'fast' is not installed"
_NO_NEWS = (ASKED, LARGE, KEPT, SMALL, MISSING)
"""The usual reasons, which are not reported."""


class TierChoice(NamedTuple):
    """A tier, the reason why it runs the work, and the line of the script that decided the choice, or None."""

    tier: Literal["python", "compiled"]
    reason: str
    line: int | None = None

    def words(self) -> str:
        """Return the reason, with the line of the script."""
        return f"{self.reason} (line {self.line})" if self.line else self.reason


@dataclass(frozen=True)
class TieredRun:
    """A run, and the tier that was chosen for it."""

    ran: RunResult
    choice: TierChoice

    @property
    def tier(self) -> Literal["python", "compiled"]:
        """The tier that ran the script."""
        return self.choice.tier

    @property
    def reason(self) -> str:
        """The reason why this tier ran the script."""
        return self.choice.reason

    def told(self) -> str:
        """Return a sentence about the tier for people; empty if there is nothing to report."""
        if self.reason in _NO_NEWS:
            return ""
        how = "in Python, not as machine code" if self.tier == "python" else "as machine code"
        return f"the script ran {how}: {self.choice.words()}"

    def report(self) -> dict[str, str]:
        """Return the tier and the reason as JSON values."""
        return {"name": self.tier, "reason": self.choice.words()}


class Work(NamedTuple):
    """The remaining work of a sweep: the number of runs, and the processor time of one run on the Python tier, in
    seconds; None if it has not been measured yet."""

    runs: int
    seconds: float | None = None


def naming_own_versions(choice: TierChoice, request: Request) -> TierChoice:
    """Return `choice` with a reason that also names the libraries that pinebench replaces with its own versions."""
    notes = own_version_notes(request.source, request.libraries)
    return choice._replace(reason="; ".join((choice.reason, *notes))) if notes else choice


def check_tier(tier: Tier) -> None:
    """Raise UnavailableError for the tier `compiled` if the required packages are not installed."""
    if tier == "compiled":
        machine.check()


def keep_code(request: Request, cache: str) -> None:
    """Compile the script of a request if its run uses machine code, and store the code in the folder `cache`.

    A worker writes no files, so its parent calls this function first. No code of the script runs. Raises UsageError if
    other users can access the folder, and UnavailableError for the tier `compiled` if the required packages are not
    installed.
    """
    tier = request.tier
    if tier == "python" or (tier == "auto" and (len(request.bars) < MANY_BARS or not machine.is_there())):
        return
    machine.check()
    program = opened(request.source, request.libraries)
    refuse(program, len(request.bars), request.symbol)
    made = prepared(program, request, cache=Path(cache))
    if isinstance(made, CompiledScript):
        with contextlib.suppress(NotCovered):
            made.keep(request.inputs)


def keep_forms(request: Request, combinations: Sequence[Mapping[str, Any]], cache: str, work: Work) -> TierChoice:
    """Choose the tier for some of a sweep's combinations of inputs, and store the machine code that they need.

    `work` is the remaining work of the sweep, and `cache` is the folder for code. A worker writes no files, so its
    parent calls this function. Raises UsageError if other users can access the folder, the errors of `perform`, and
    UnavailableError for the tier `compiled` if the required packages are not installed.
    """
    if request.tier == "python":
        return TierChoice("python", ASKED)
    if request.tier == "auto" and not machine.is_there():
        return TierChoice("python", MISSING)
    machine.check()
    bars = len(request.bars) * work.runs
    is_costly = work.seconds is not None and work.seconds * work.runs >= COSTLY_SECONDS
    reason = ASKED if request.tier == "compiled" else LARGE if bars >= MANY_BARS else COSTLY if is_costly else KEPT
    if reason == KEPT and bars < SOME_BARS:
        return TierChoice("python", SMALL)
    program = opened(request.source, request.libraries)
    refuse(program, len(request.bars), request.symbol)
    made = _swept(program, request, cache)
    if isinstance(made, NotCompilable):
        return TierChoice("python", made.reason, made.line)
    if reason == KEPT and not is_kept(program, replace(request, inputs=combinations[0]), Path(cache)):
        return TierChoice("python", SMALL)
    refused = made.keep_forms(combinations)
    return TierChoice("compiled", reason) if refused is None else TierChoice("python", refused.reason, refused.line)


def swept_on(request: Request, combinations: Sequence[Mapping[str, Any]], cache: str) -> Iterator[Outcome]:
    """Run a script with each combination of inputs on the compiled tier. A worker calls this after `keep_forms`. It
    yields nothing if machine code does not cover the script. Raises the errors of `perform`."""
    made = _swept(opened(request.source, request.libraries), request, cache)
    if isinstance(made, CompiledScript):
        yield from made.sweep(request.bars, combinations)


@dataclass(frozen=True)
class _LastSweep:
    """The script, the settings and the machine code of the last sweep."""

    program: Program
    settings: bytes
    made: CompiledScript | NotCompilable


_before: list[_LastSweep] = []
"""The last sweep in this process, so that the batches of one sweep load their machine code once."""


def _swept(program: Program, request: Request, cache: str) -> CompiledScript | NotCompilable:
    """Return the script for runs with any bars and inputs. Raises the errors of `prepared`."""
    plain = replace(request, bars=Bars(), inputs={})
    settings = pickle.dumps((plain, cache))
    for each in _before:
        if each.program is program and each.settings == settings:
            return each.made
    made = prepared(program, plain, cache=Path(cache))
    _before[:] = [_LastSweep(program, settings, made)]
    return made


def load() -> None:
    """Load the packages for machine code in advance, so that the first run does not wait for them."""
    if machine.is_there():
        import numpy  # noqa: F401

        machine.identity()
        sources.identity()


def perform_on(request: Request, cache: str | None = None) -> TieredRun:
    """Run the script on the request's tier. `cache` is the private folder for machine code. A worker calls this.

    A script that the compiled tier does not cover runs on the Python tier. Raises the errors of `perform`, UsageError
    if other users can access the folder, and UnavailableError for the tier `compiled` if the required packages are not
    installed.
    """
    tier, count = request.tier, len(request.bars)
    if tier == "python" or request.stop is not None:
        return TieredRun(perform(request), TierChoice("python", ASKED if tier == "python" else "the run was stopped"))
    if tier == "auto" and not machine.is_there():
        return TieredRun(perform(request), TierChoice("python", MISSING))
    machine.check()
    program, folder = opened(request.source, request.libraries), None if cache is None else Path(cache)
    reason = ASKED if tier == "compiled" else LARGE if count >= MANY_BARS else ""
    if not reason and count >= SOME_BARS and is_kept(program, request, folder):
        reason = KEPT
    if not reason:
        return _tried(program, request, folder)
    refuse(program, count, request.symbol)
    return _compiled(program, request, folder, reason)


def _compiled(program: Program, request: Request, folder: Path | None, reason: str) -> TieredRun:
    made = compile_script(program, request, cache=folder)
    if isinstance(made, NotCompilable):
        return TieredRun(perform(request), TierChoice("python", made.reason, made.line))
    ran = made.run_whole(request.bars, request.inputs)
    if ran is None:
        return TieredRun(perform(request), TierChoice("python", made.stopped))
    return TieredRun(ran, TierChoice("compiled", reason))


# a run whose cost is measured


class _TakenOver(BaseException):
    """Ends a run on the Python tier, because machine code takes over."""


class _Trial:
    """Measures a run on the Python tier, and ends it if compiling the script costs less than the rest of the run. The
    script is compiled later, because the time for that is not the script's, whose bars have a time limit."""

    def __init__(self, program: Program, request: Request) -> None:
        self._program = program
        self._request = request
        self._begin = 0.0
        self.refused: NotCovered | None = None
        """The reason why machine code cannot run the script; None if it can, or if the run is cheap."""

    def run(self, runtime: Runtime) -> Result:
        """Run all bars as Python. Raises _TakenOver if machine code shall do it."""
        return runtime.run(lambda i: self._look(i, len(runtime.chart)))

    def _look(self, i: int, count: int) -> int:
        """Check the cost after the bars before `i` have run, and return the bar before which to check again."""
        now = time.process_time()
        if not i:
            self._begin = now
            return 1
        spent = now - self._begin
        left = spent / i * (count - i)
        if spent < TRIAL_SECONDS:
            wanted = int((TRIAL_SECONDS - spent) / max(spent / i, 1e-9)) + 1
            return i + max(1, min(wanted, i, count // _LEAST_LOOKS))
        if left < COSTLY_SECONDS:
            return i + max(1, count // _LEAST_LOOKS)
        made = prepared(self._program, self._request)
        try:
            if isinstance(made, NotCompilable):
                raise NotCovered(made.reason, made.line)
            made.check(self._request.inputs)
        except NotCovered as reason:
            self.refused = reason
            return count
        raise _TakenOver


def _tried(program: Program, request: Request, folder: Path | None) -> TieredRun:
    """Begin a run as Python, and continue with machine code if the rest would take longer than compiling."""
    trial = _Trial(program, request)
    try:
        ran = perform(request, trial.run)
    except _TakenOver:
        return _compiled(program, request, folder, COSTLY)
    if trial.refused is not None:
        return TieredRun(ran, TierChoice("python", trial.refused.reason, trial.refused.line))
    return TieredRun(ran, TierChoice("python", SMALL))


def code_folder() -> str:
    """Return the private folder in which machine code is stored."""
    return os.path.join(cache_folder(), "compiled")


def run_on_tier(
    request: Request, context: Context | None = None, wanted: Callable[..., TieredRun] = perform_on
) -> TieredRun:
    """Run the script in a worker, on the request's tier. `wanted` is `perform_on` or `trade_on`. Raises the errors of
    `keep_code`, of `wanted` and of `context.check`."""
    folder = code_folder()
    keep_code(request, folder)
    return execute(request, partial(wanted, cache=folder), context)


def trade_on(request: Request, cache: str | None = None) -> TieredRun:
    """Run a strategy on the request's tier. Raises the errors of `perform_on`, and UsageError for other scripts."""
    program = opened(request.source, request.libraries)
    refuse(program, len(request.bars), request.symbol)
    if not program.is_strategy:
        raise UsageError(*NO_STRATEGY)
    return perform_on(request, cache)
