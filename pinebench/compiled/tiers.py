"""Chooses the tier for one run, and says why the compiled tier did not run it.

The rule of `auto`: the compiled tier runs a script that it covers on at least `MANY_BARS` bars, or on at least
`SOME_BARS` bars if its machine code is kept already. On fewer bars the Python tier is ready earlier. Both tiers give
the same result.
"""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pinebench.checker import Program
from pinebench.compiled import machine, sources
from pinebench.compiled.compiling import Compiled, compile_script, is_kept, prepared
from pinebench.compiled.generating import NotCovered
from pinebench.compiled.outcomes import Outcome, Refused
from pinebench.errors import UsageError
from pinebench.execution.backtest import NO_STRATEGY
from pinebench.execution.performing import Ran, opened, perform
from pinebench.execution.request import Request
from pinebench.market import Bars
from pinebench.runtime import refuse

TIERS = ("auto", "python", "compiled")
Tier = Literal["auto", "python", "compiled"]
MANY_BARS = 100_000
SOME_BARS = 20_000
FEW = "the run has too few bars for the compiled tier"
MISSING = "the extra 'fast' is not installed"


@dataclass(frozen=True)
class Tiered:
    """A run, the tier that ran it, and the reason why the compiled tier did not (empty if it did, or was not asked)."""

    ran: Ran
    tier: Literal["python", "compiled"]
    reason: str = ""
    line: int | None = None

    def told(self) -> str:
        """A sentence about the tier for people; empty if there is nothing to say."""
        if not self.reason or self.reason in (FEW, MISSING):
            return ""
        place = f" (line {self.line})" if self.line else ""
        return f"the Python tier ran this script: {self.reason}{place}"


def keep_code(request: Request, tier: Tier, cache: str) -> None:
    """Compile the script of a request, if a run on `tier` needs it, and keep the machine code in the folder `cache`.

    A worker writes no files, so its parent calls this function before. No code of the script runs. Raises UsageError if
    others can use the folder, and UnavailableError for the tier `compiled` if its packages are not installed.
    """
    if tier == "python" or (tier == "auto" and (len(request.bars) < MANY_BARS or not machine.is_there())):
        return
    machine.check()
    program = opened(request.source, request.libraries)
    refuse(program, len(request.bars), request.symbol)
    made = prepared(program, request, cache=Path(cache))
    if isinstance(made, Compiled):
        with contextlib.suppress(NotCovered):
            made.keep(request.inputs)


def keep_forms(request: Request, combinations: Sequence[Mapping[str, Any]], cache: str) -> bool:
    """Whether machine code runs a strategy with these combinations of inputs. It is compiled and kept in `cache`.

    It does so if the combinations have many bars together, or some bars and the code is kept already. A worker writes
    no files, so its parent calls this function. Raises UsageError if others can use the folder, and the errors of
    `perform`.
    """
    bars = len(request.bars) * len(combinations)
    if bars < SOME_BARS or not machine.is_there():
        return False
    program = opened(request.source, request.libraries)
    refuse(program, len(request.bars), request.symbol)
    made = _swept(program, request, cache)
    if isinstance(made, Refused) or (bars < MANY_BARS and not is_kept(program, request, Path(cache))):
        return False
    return made.keep_forms(combinations)


def swept_on(request: Request, combinations: Sequence[Mapping[str, Any]], cache: str) -> Iterator[Outcome]:
    """Run a script with each combination of inputs on the compiled tier, after `keep_forms`. A worker calls this.

    Nothing is yielded if the script is not covered. Raises the errors of `perform`.
    """
    made = _swept(opened(request.source, request.libraries), request, cache)
    if isinstance(made, Compiled):
        yield from made.sweep(request.bars, combinations)


@dataclass(frozen=True)
class _Swept:
    """The script and the settings of the sweep before, and its machine code."""

    program: Program
    settings: bytes
    made: Compiled | Refused


_before: list[_Swept] = []
"""The last sweep in this process, so that the batches of one sweep load their machine code once."""


def _swept(program: Program, request: Request, cache: str) -> Compiled | Refused:
    """The script for runs with any bars and inputs. Raises the errors of `prepared`."""
    plain = replace(request, bars=Bars(), inputs={})
    settings = pickle.dumps((plain, cache))
    for each in _before:
        if each.program is program and each.settings == settings:
            return each.made
    made = prepared(program, plain, cache=Path(cache))
    _before[:] = [_Swept(program, settings, made)]
    return made


def load() -> None:
    """Load what machine code needs, so that the first run does not wait for it."""
    if machine.is_there():
        import numpy  # noqa: F401

        machine.identity()
        sources.identity()


def perform_on(request: Request, tier: Tier = "auto", cache: str | None = None) -> Tiered:
    """Run the script on a tier; `cache` is the private folder for machine code. A worker calls this function.

    A script that the compiled tier does not cover runs on the Python tier.

    Raises the errors of `perform`; UsageError if others
    can use the folder; and UnavailableError for the tier `compiled` if its packages are not installed.
    """
    if tier == "python" or request.stop is not None:
        return Tiered(perform(request), "python")
    if tier == "auto" and len(request.bars) < SOME_BARS:
        return Tiered(perform(request), "python", FEW)
    if tier == "auto" and not machine.is_there():
        return Tiered(perform(request), "python", MISSING)
    machine.check()
    program, folder = opened(request.source, request.libraries), None if cache is None else Path(cache)
    if tier == "auto" and len(request.bars) < MANY_BARS and not is_kept(program, request, folder):
        return Tiered(perform(request), "python", FEW)
    refuse(program, len(request.bars), request.symbol)
    made = compile_script(program, request, cache=folder)
    if isinstance(made, Refused):
        return Tiered(perform(request), "python", made.reason, made.line)
    return _ran(made, request)


def _ran(made: Compiled, request: Request) -> Tiered:
    left_out = made.form(request.inputs).generated.left_out
    if left_out:
        return Tiered(perform(request), "python", *left_out[0])
    ran = made.run_whole(request.bars, request.inputs)
    if ran is None:
        return Tiered(perform(request), "python", "machine code cannot finish this run")
    return Tiered(ran, "compiled")


def trade_on(request: Request, tier: Tier = "auto", cache: str | None = None) -> Tiered:
    """Run a strategy on a tier. Raises the errors of `perform_on`, and UsageError for other scripts."""
    program = opened(request.source, request.libraries)
    refuse(program, len(request.bars), request.symbol)
    if not program.is_strategy:
        raise UsageError(*NO_STRATEGY)
    return perform_on(replace(request), tier, cache)
