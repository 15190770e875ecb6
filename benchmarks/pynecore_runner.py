"""Run one script with PyneCore; the interpreter must have `pynesys-pynecore` and `opencode-pine2pyne`.

usage: PYTHON pynecore_runner.py SCRIPT BARS.csv TIMEFRAME [LOWER.csv TIMEFRAME]

It prints JSON: `plots` by title, closed `trades`, `seconds` of CPU time. LOWER.csv has the bars of a shorter timeframe
for the bar magnifier.
"""

import csv
import json
import subprocess
import sys
import tempfile
import time
from datetime import time as clock
from pathlib import Path
from typing import Any


def main() -> int:
    script, bars, timeframe, *lower = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "script.py"
        done = subprocess.run(
            [sys.executable, "-m", "pine2pyne", script, "-o", str(made)], capture_output=True, text=True, check=False
        )
        if not made.exists():
            print(json.dumps({"error": f"not translated: {done.stderr[-300:]}"}))
            return 1
        print(json.dumps(_run(made, bars, timeframe, lower)))
    return 0


def _run(script: Path, bars: str, timeframe: str, lower: list[str]) -> dict[str, Any]:
    from pynecore.core.script_runner import ScriptRunner  # pyright: ignore[reportMissingImports]
    from pynecore.core.syminfo import SymInfo, SymInfoInterval  # pyright: ignore[reportMissingImports]
    from pynecore.types.ohlcv import OHLCV  # pyright: ignore[reportMissingImports]

    def read(name: str) -> list[Any]:
        with open(name, encoding="utf8") as file:
            return [OHLCV(int(row[0]), *map(float, row[1:6])) for row in list(csv.reader(file))[1:]]

    hours = [SymInfoInterval(day=day, start=clock(0, 0), end=clock(23, 59, 59)) for day in range(7)]
    symbol = SymInfo(
        prefix="PINEBENCH",
        description="",
        ticker="SAMPLE",
        currency="USD",
        period=timeframe,
        type="crypto",
        mintick=0.01,
        pricescale=100,
        pointvalue=1.0,
        mincontract=1.0,
        opening_hours=hours,
        session_starts=[],
        session_ends=[],
        timezone="UTC",
    )
    magnified = {"magnifier_iter": iter(read(lower[0])), "magnifier_source_tf": lower[1]} if lower else {}
    runner = ScriptRunner(script, read(bars), symbol, **magnified)
    plots: dict[str, list[Any]] = {}
    trades: list[list[Any]] = []
    begin = time.process_time()
    for number, (_, values, *closed) in enumerate(runner.run_iter()):
        trades += [_trade(trade) for trade in (closed[0] if closed else ())]
        for title, value in values.items():
            column = plots.setdefault(title, [None] * number)
            column.append(float(value) if isinstance(value, int | float) and value == value else None)
    return {"plots": plots, "trades": trades, "seconds": time.process_time() - begin}


def _trade(trade: Any) -> list[Any]:
    """Return side, entry time, entry price, exit time, exit price and quantity of a trade."""
    side = "long" if trade.sign > 0 else "short"
    return [side, trade.entry_time, trade.entry_price, trade.exit_time, trade.exit_price, abs(trade.size)]


if __name__ == "__main__":
    raise SystemExit(main())
