"""Runs a script on bars in a process of its own, so that it can be stopped and holds nothing up: JSON in, JSON out.

`python -m pinebench.tui.child` reads what `ask` writes, and writes what it gives.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

from pinebench.context import Context
from pinebench.errors import PinebenchError, UsageError

if TYPE_CHECKING:
    from pinebench.market.loading import Data

SECONDS = 120.0
"""Longest run."""
SAMPLE = "sample:"
"""What stands before the name of a sample symbol, where a file of bars could be named."""


def ask(text: str, libraries: tuple[str, ...], bars: str, context: Context) -> dict[str, Any]:
    """What came of the script `text` on `bars`: the path of a file, or `sample:SYMBOL[@TIMEFRAME[xCOUNT]]`.

    Raises UsageError for what cannot be run, and what `context` raises when the run is stopped.
    """
    asked = json.dumps({"text": text, "libraries": list(libraries), "bars": bars}).encode()
    process = subprocess.Popen(
        [sys.executable, "-I", "-m", "pinebench.tui.child"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    limit = context.narrowed(SECONDS)
    try:
        given: bytes | None = asked
        while True:
            limit.check()
            try:
                answer, _ = process.communicate(given, timeout=0.1)
                break
            except subprocess.TimeoutExpired:
                given = None
    finally:
        process.kill()
        process.wait()
    try:
        found = json.loads(answer)
    except ValueError:
        raise UsageError("the run ended without a result", "try fewer bars; 'pinebench run' shows more") from None
    if "failure" in found:
        raise UsageError(found["failure"], found["hint"])
    return found


def bars_of(name: str) -> Data:
    """The bars that `name` means. Raises UsageError where there are none."""
    from pathlib import Path

    from pinebench.market.loading import load_named

    return load_named(name if name.startswith(SAMPLE) else str(Path(name).expanduser()))


def _run(asked: dict[str, Any]) -> dict[str, Any]:
    from pinebench.check import open_program
    from pinebench.execution import testing_report
    from pinebench.execution.backtest import backtest
    from pinebench.printable import printable
    from pinebench.runtime.report import report
    from pinebench.runtime.runtime import Runtime

    data = bars_of(asked["bars"])
    program = open_program(asked["text"], tuple(asked["libraries"]))
    is_strategy = program.declaration is not None and program.declaration.name == "strategy"
    started = time.perf_counter()
    figures, trades = "", []
    if is_strategy:
        tested = backtest(program, data.bars, data.symbol)
        told = {**report(tested.result), "notes": list(tested.notes)}
        if tested.result.error is None:
            figures = testing_report.as_text(tested, printable)
            trades = [_trade(each) for each in tested.trades]
    else:
        told = report(Runtime(program, data.bars, data.symbol).run())
    bars = data.bars
    return {
        "symbol": data.symbol.symbol or "",
        "timeframe": data.symbol.timeframe,
        "candles": [list(each) for each in zip(bars.time, bars.open, bars.high, bars.low, bars.close, strict=True)],
        "plots": told["plots"],
        "alerts": len(told["alerts"]),
        "logs": [each["message"] for each in told["logs"]][-50:],
        "notes": told["notes"],
        "error": told["error"],
        "figures": figures,
        "trades": trades,
        "seconds": time.perf_counter() - started,
    }


def _trade(trade: Any) -> dict[str, Any]:
    return {name: getattr(trade, name) for name in ("entry_bar", "exit_bar", "profit", "side")}


def main() -> int:
    """Answer what is asked on standard input."""
    try:
        answer = _run(json.loads(sys.stdin.buffer.read()))
    except PinebenchError as error:
        answer = {"failure": error.message, "hint": error.hint}
    sys.stdout.write(json.dumps(answer))
    return 0


if __name__ == "__main__":
    sys.exit(main())
