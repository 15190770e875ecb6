"""Compare the speed of scripts here with the prototype with which the rules of execution were measured, in CPU time.

usage: python benchmarks/against_prototype.py PROTOTYPE CORPUS [--bars N] [--rounds N] [--part K/N] [--verbose]

PROTOTYPE is the folder that holds the prototype's `runtime` and `parser`. The scripts are the indicators of grade A in
CORPUS and the templates. Both run each script by turns, once in each round; the medians are compared. The prototype
does not evaluate the arguments of `plotshape`, `bgcolor`, tables and colours, so it has less to do.
"""

from __future__ import annotations

import argparse
import gc
import json
import signal
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pinebench.checker import open_program
from pinebench.diagnostics import Severity
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.runtime.refusals import NotComputed
from pinebench.runtime.runtime import Runtime

TEMPLATES = Path(__file__).parents[1] / "pine" / "templates"
SECONDS = 20
"""CPU seconds that a script has for one run."""
Run = Callable[[], float]
"""A function that runs a script and returns the CPU seconds that it took."""


class TooLong(Exception):
    """A script took more time than it may."""


def _stop(*_: Any) -> None:
    raise TooLong


def own(text: str, bars: Bars) -> Run | None:
    """Return a function that runs a script here, or None if the script does not compile.

    The function raises NotComputed for a script that needs something that is not computed here.
    """
    program = open_program(text)
    if any(finding.severity is Severity.ERROR for finding in program.diagnostics):
        return None

    def run() -> float:
        runtime = Runtime(program, bars, SymbolInfo(timeframe="15"))
        begin = time.process_time()
        result = runtime.run()
        took = time.process_time() - begin
        if result.error is not None:
            raise result.error
        return took

    return run


def prototype(text: str, bars: Bars) -> Run:
    """Return a function that runs a script with the prototype. Raises any error of the prototype."""
    import broker  # pyright: ignore[reportMissingImports]
    import emit  # pyright: ignore[reportMissingImports]
    import rt  # pyright: ignore[reportMissingImports]

    written = emit.Gen(emit.parse(text))
    code = written.module()

    def run() -> float:
        given = rt.Bars(*bars.columns(), "15")
        call, orders, shown = rt.load(code), broker.Broker(given, written.cfg), []
        begin = time.process_time()
        call(given, orders, shown)
        return time.process_time() - begin

    return run


def limited(run: Callable[[], Any]) -> Any:
    """Call `run` and return its result. Raises TooLong if it takes more than `SECONDS` of CPU time."""
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        return run()
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def medians(text: str, bars: Bars, rounds: int) -> tuple[float, float] | float | None:
    """The median CPU seconds of a script here and with the prototype.

    If the prototype cannot run it, only the seconds here; None if it does not run here.
    """
    try:
        here = limited(lambda: own(text, bars))
        if here is None:
            return None
        ours = [limited(here)]
    except (NotComputed, TooLong):
        return None
    except Exception as error:
        print(f"does not run: {type(error).__name__}: {error}"[:150], file=sys.stderr)
        return None
    try:
        there = limited(lambda: prototype(text, bars))
        theirs = [limited(there)]
    except Exception:  # any error of the prototype
        return ours[0]
    for _ in range(rounds - 1):
        gc.collect()
        ours.append(here())
        gc.collect()
        theirs.append(there())
    return statistics.median(ours), statistics.median(theirs)


def main() -> int:
    from runtime import sample_bars  # the benchmark beside this one

    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("prototype", type=Path)
    options.add_argument("corpus", type=Path)
    options.add_argument("--bars", type=int, default=10_000)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--part", default="0/1", help="the scripts whose number leaves K when divided by N: K/N")
    options.add_argument("--verbose", action="store_true")
    given = options.parse_args()
    remainder, parts = map(int, given.part.split("/"))
    bars = sample_bars(given.bars, 15)
    sys.path.insert(0, str(given.prototype / "runtime"))
    signal.signal(signal.SIGVTALRM, _stop)
    lines = (given.corpus / "index.jsonl").read_text(encoding="utf8").splitlines()
    entries = [entry for entry in map(json.loads, lines) if entry["kind"] == "indicator" and entry["grade"] == "A"]
    scripts = [given.corpus / "files" / f"{entry['sha256'][:16]}.pine" for entry in entries]
    scripts += sorted(TEMPLATES.glob("*.pine"))
    alone: list[float] = []
    both: list[tuple[float, float]] = []
    for script in scripts[remainder::parts]:
        found = medians(script.read_text(encoding="utf8"), bars, given.rounds)
        if isinstance(found, tuple):
            both.append(found)
            if given.verbose:
                speeds = [given.bars / max(seconds, 1e-9) for seconds in found]
                print(f"{speeds[0] / speeds[1]:6.2f} {speeds[0]:12,.0f} {speeds[1]:12,.0f} {script.name}", flush=True)
        elif found is not None:
            alone.append(found)
            if given.verbose:
                print(f"       {given.bars / found:12,.0f}            - {script.name}", flush=True)
    _tell(given.bars, both, alone)
    return 0


def _tell(bars: int, both: list[tuple[float, float]], alone: list[float]) -> None:
    ours, theirs = zip(*both, strict=True)
    every = [*ours, *alone]
    fast = sum(bars / seconds > 1_000_000 for seconds in every) / len(every)
    print(f"{len(every)} scripts on {bars:,} bars, {len(both)} of them with the prototype too")
    print(f"bars per CPU second, median of all: {bars / statistics.median(every):,.0f}; above 1,000,000: {fast:.0%}")
    speeds = [bars / statistics.median(side) for side in (ours, theirs)]
    print(f"of those with both: {speeds[0]:,.0f} here, {speeds[1]:,.0f} there: {speeds[0] / speeds[1]:.2f}")
    ratios = sorted(there / here for here, there in both)
    tenth = ratios[len(ratios) // 10]
    print(f"script by script: median {statistics.median(ratios):.2f}, a tenth below {tenth:.2f}")
    print(f"all together: {sum(theirs) / sum(ours):.2f}")


if __name__ == "__main__":
    raise SystemExit(main())
