"""Runs a script that nobody vouches for in a process of its own, which can hold and spend only so much.

What crosses the border is JSON in both directions, so that nothing the script makes is taken for more than data.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from pinebench.check import open_program
from pinebench.errors import PinebenchError, UsageError
from pinebench.runtime.aggregation import Columns
from pinebench.runtime.chart import BarColumns, Symbol
from pinebench.runtime.guard import Budget
from pinebench.runtime.refusals import NotComputed
from pinebench.runtime.report import report
from pinebench.runtime.runtime import Runtime

_GRACE = 10
"""Seconds that starting, reading and writing may take beside the run."""
_COLUMNS = ("time", "open", "high", "low", "close", "volume")
_FACTS = (
    "symbol prefix description type currency basecurrency mintick pointvalue mincontract timezone session timeframe "
    "volumetype"
).split()


@dataclass(frozen=True)
class _Facts:
    """What is known about a symbol, as it came over the border."""

    symbol: str
    prefix: str
    description: str
    type: str
    currency: str
    basecurrency: str
    mintick: float
    pointvalue: float
    mincontract: float
    timezone: str
    session: str
    timeframe: str
    volumetype: str


def run_isolated(
    text: str,
    bars: BarColumns,
    symbol: Symbol,
    *,
    inputs: Mapping[str, Any] | None = None,
    libraries: tuple[str, ...] = (),
    budget: Budget | None = None,
) -> dict[str, Any]:
    """What `report` says of a run of the script `text` on `bars`.

    `budget` holds for the run; the process may hold twice the memory. Raises what `Runtime` raises, and UsageError for
    a process that had to be ended.
    """
    given = budget or Budget()
    asked = {
        "text": text,
        "bars": {name: [None if value != value else value for value in getattr(bars, name)] for name in _COLUMNS},
        "symbol": {name: getattr(symbol, name) for name in _FACTS},
        "inputs": dict(inputs or {}),
        "libraries": list(libraries),
        "budget": asdict(given),
    }
    try:
        ended = subprocess.run(
            [sys.executable, "-I", "-m", "pinebench.runtime.isolated"],
            input=json.dumps(asked).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=given.seconds + _GRACE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise UsageError(f"the script did not end within {given.seconds:g} seconds and was stopped") from None
    try:
        answer = json.loads(ended.stdout)
    except ValueError:
        raise UsageError("the script used more than it may, and its process was ended") from None
    if "refused" in answer:
        raise NotComputed(str(answer["refused"]), answer.get("line"), answer.get("hint"))
    if "usage" in answer:
        raise UsageError(str(answer["usage"]), answer.get("hint"))
    return answer["report"]


def limit(memory: int, seconds: int | None = None) -> None:
    """Let this process write no file, and hold and spend little beyond what runs may: `memory` bytes, `seconds`."""
    try:
        import resource
    except ImportError:  # Windows has none; the guard of the run holds there.
        return
    limits = [(resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_AS, 2 * memory + (1 << 30))]
    if seconds is not None:
        limits.append((resource.RLIMIT_CPU, seconds))
    for kind, most in limits:
        # Some systems refuse a limit that others take; the guard of the run holds everywhere.
        try:
            resource.setrlimit(kind, (most, most))
        except (ValueError, OSError):
            continue


def _answer(asked: dict[str, Any]) -> dict[str, Any]:
    budget = Budget(**asked["budget"])
    limit(budget.memory, int(budget.seconds) + _GRACE)
    nan = float("nan")
    given = asked["bars"]
    prices = [[nan if value is None else value for value in given[name]] for name in _COLUMNS[1:]]
    bars = Columns(given["time"], *prices)
    try:
        program = open_program(asked["text"], tuple(asked["libraries"]))
        runtime = Runtime(program, bars, _Facts(**asked["symbol"]), inputs=asked["inputs"], budget=budget)
        return {"report": report(runtime.run())}
    except NotComputed as refusal:
        return {"refused": refusal.name, "line": refusal.line, "hint": refusal.hint}
    except PinebenchError as error:
        return {"usage": error.message, "hint": error.hint}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_answer(json.load(sys.stdin))))
