"""Measure other programs on the same trade lists: PineForge's published lists, and runs of PyneCore."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from datetime import timedelta
from functools import cache, partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from scripts.data import parity_charts  # noqa: E402
from scripts.data.parity_mirrors import LISTS, git_of, names, show, trades_of  # noqa: E402

_RUNNER = ROOT / "benchmarks" / "pynecore_runner.py"
_SECONDS = 120
_NOT_COMPARED = ("does not run", "is not translated")

Row = dict[str, Any]


def row_of(results: Iterable[tuple[str, str | None]]) -> Row:
    """Count results. Each has the name of a case, and the reason why it differs or None."""
    every = list(results)
    different = {name: reason for name, reason in every if reason is not None}
    return {"of": len(every), "agree": len(every) - len(different), "different": dict(sorted(different.items()))}


@cache
def exports_of(folder: Path) -> parity_charts.Exports:
    """Return the exports of a folder, which each process reads once."""
    return parity_charts.Exports(folder)


def published(mirrors: Path) -> Row:
    """Compare the lists that PineForge published with TradingView's, in the same way as ours."""
    if not git_of(mirrors, LISTS).is_dir():
        return row_of([])
    results: list[tuple[str, str | None]] = []
    for name in names(mirrors, LISTS, "validation/"):
        theirs = show(mirrors, LISTS, f"validation/{name}/engine_trades.csv")
        exported = show(mirrors, LISTS, f"validation/{name}/tv_trades.csv")
        if theirs and exported:
            wanted = trades_of(exported)
            own = _within([_cells(trade) for trade in trades_of(theirs, timedelta())], wanted)
            is_same, _ = parity_charts.same_trades(own, wanted)
            results.append((name, None if is_same else "the trades differ"))
    return row_of(results)


def _within(own: list[tuple[Any, ...]], wanted: list[Row]) -> list[tuple[Any, ...]]:
    """Return the trades from the first entry to the last exit in TradingView's export."""
    first, last = min(each["entry_time"] for each in wanted), max(each["exit_time"] for each in wanted)
    return [row for row in own if row[1] >= first and row[2] <= last]


def _cells(trade: Row) -> tuple[Any, ...]:
    return tuple(trade[name] for name in ("side", "entry_time", "exit_time", "entry_price", "exit_price", "qty"))


def pynecore(python: str, folder: Path, every: int, pool: ProcessPoolExecutor) -> Row:
    """Count how many trade lists PyneCore reproduces; every N-th list is run."""
    names = parity_charts.Exports(folder).lists()[::every]
    every_result = list(zip(names, pool.map(partial(_pynecore_of, python, folder), names), strict=True))
    # A run that did not end, or wanted bars that the runner does not give, says nothing about the trades.
    compared = [(name, reason) for name, reason in every_result if reason not in _NOT_COMPARED]
    found = {**row_of(compared), "not_run": len(every_result) - len(compared)}
    versions = subprocess.run(
        [python, "-c", "from importlib.metadata import version as v; print(v('pynesys-pynecore'))"],
        capture_output=True,
        text=True,
        check=True,
    )
    return {**found, "version": versions.stdout.strip(), "every": every}


def _pynecore_of(python: str, folder: Path, name: str) -> str | None:
    """Return why PyneCore's trades differ in sides, times or prices; None if they agree."""
    exports = exports_of(folder)
    _, wanted = exports.trade_list(name)
    reasons = [_pynecore_run(python, exports, name, start, wanted) for start in parity_charts.STARTS]
    return None if None in reasons else reasons[0]


def _pynecore_run(python: str, exports: parity_charts.Exports, name: str, start: int, wanted: list[Row]) -> str | None:
    with tempfile.TemporaryDirectory() as work:
        table = Path(work) / "bars.csv"
        rows = zip(*exports.bars_from(start).columns(), strict=True)
        lines = (",".join(map(repr, row)) for row in rows)
        table.write_text("time,open,high,low,close,volume\n" + "\n".join(lines), encoding="utf8")
        script = exports.folder / "trades" / f"{name}.pine"
        command = [python, str(_RUNNER), str(script), str(table), "15"]
        try:
            done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
            told = json.loads(done.stdout.splitlines()[-1])
        except (subprocess.TimeoutExpired, IndexError, ValueError):
            return "does not run"
    if "trades" not in told:
        return "is not translated"
    own = _within([_pynecore_cells(row) for row in told["trades"]], wanted)
    return None if parity_charts.same_trades(own, wanted)[0] else "the trades differ"


def _pynecore_cells(row: list[Any]) -> tuple[Any, ...]:
    side, entered, entry, left, price, quantity = row
    return side, int(entered), int(left), entry, price, quantity
