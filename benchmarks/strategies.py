"""Compare the speed of back-tests with another engine and with PyneCore, in CPU time of one run with its report.

usage: python benchmarks/strategies.py CASES [--beside FILE] [--pynecore PYTHON] [--rounds N] [--part K/N]

CASES has `bars.csv` (15 minutes) and the strategies `trades/*.pine`. FILE is a Python file that defines
`prepare(source, columns, timeframe, mintick, mincontract)`. It returns a function that runs a strategy on the columns
time, open, high, low, close and volume; only that function is timed. PYTHON is an interpreter that has
`pynesys-pynecore` and `opencode-pine2pyne`. The engines run each script by turns; the quickest of N rounds counts.
"""

import argparse
import csv
import gc
import importlib.util
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from against_pynecore import their_seconds as pynecore_seconds  # the benchmark beside this one

from pinebench.backtesting.backtest import backtest
from pinebench.backtesting.trade_list import rows
from pinebench.checker import open_program
from pinebench.market.bars import Bars, SymbolInfo

SYMBOL = SymbolInfo(symbol="ETHUSDT.P", type="swap", currency="USDT", mintick=0.01, mincontract=0.0001, timeframe="15")
START = 1_743_379_200_000
"""The time of the first bar of the charts from which the lists of trades were exported, in milliseconds."""

Columns = list[list[Any]]


def chart(folder: Path) -> Columns:
    """Return the columns of `bars.csv`, from `START` on."""
    with open(folder / "bars.csv", newline="", encoding="utf8") as file:
        told = [row for row in list(csv.reader(file))[1:] if int(row[0]) >= START]
    return [[int(row[0]) for row in told], *([float(row[k]) for row in told] for k in range(1, 6))]


def their_seconds(python: str, script: Path, columns: Columns) -> float | None:
    """Return the CPU seconds of PyneCore on the same bars; None if it does not run the script."""
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "bars.csv"
        rows = (",".join(map(repr, row)) for row in zip(*columns, strict=True))
        table.write_text("time,open,high,low,close,volume\n" + "\n".join(rows), encoding="utf8")
        return pynecore_seconds(python, script, table)


def seconds(run: Callable[[], object]) -> float:
    """Return the CPU seconds of one call."""
    gc.collect()
    begin = time.process_time()
    run()
    return time.process_time() - begin


def ours(source: str, columns: Columns) -> Callable[[], object]:
    """Return a function that back-tests a checked script with everything for a report: figures, trades, curve."""
    program, bars = open_program(source), Bars(*columns)

    def run() -> object:
        tested = backtest(program, bars, SYMBOL)
        return tested.figures(), rows(tested), tested.curve

    return run


def module_of(file: Path) -> Any:
    """Load the module of the other engine from `file`."""
    spec = importlib.util.spec_from_file_location("beside", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def told(name: str, own: list[float], theirs: list[float]) -> None:
    """Print the comparison of the fastest runs of all scripts."""
    if not theirs:
        return
    ratios = [other / mine for mine, other in zip(own, theirs, strict=True)]
    low, high = min(ratios), max(ratios)
    print(
        f"{len(ratios)} scripts: {statistics.median(ratios):.2f} times the speed of {name} in the median "
        f"({low:.2f} to {high:.2f}), {sum(theirs) / sum(own):.2f} in all ({sum(own):.2f} s against {sum(theirs):.2f})"
    )


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("cases", type=Path)
    options.add_argument("--beside", type=Path)
    options.add_argument("--pynecore")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--part", default="0/1", help="the scripts whose number leaves K when divided by N: K/N")
    given = options.parse_args()
    remainder, parts = map(int, given.part.split("/"))
    columns = chart(given.cases)
    beside = module_of(given.beside) if given.beside is not None else None
    both: tuple[list[float], list[float]] = ([], [])
    pynecore: tuple[list[float], list[float]] = ([], [])
    for number, path in enumerate(sorted((given.cases / "trades").glob("*.pine"))):
        if number % parts != remainder:
            continue
        source = path.read_text(encoding="utf8")
        own, other = ours(source, columns), None
        if beside is not None:
            other = beside.prepare(source, columns, SYMBOL.timeframe, SYMBOL.mintick, SYMBOL.mincontract)
        mine, theirs = float("inf"), float("inf")
        for _ in range(given.rounds):
            mine = min(mine, seconds(own))
            theirs = min(theirs, seconds(other)) if other is not None else theirs
        line = f"{path.stem}: {1000 * mine:.1f} ms, {len(columns[0]) / mine:,.0f} bars/s"
        if other is not None:
            both[0].append(mine)
            both[1].append(theirs)
            line += f", {theirs / mine:.2f} beside"
        if given.pynecore:
            far = their_seconds(given.pynecore, path, columns)
            line += ", not run by PyneCore" if far is None else f", {far / mine:.1f} PyneCore"
            if far is not None:
                pynecore[0].append(mine)
                pynecore[1].append(far)
        print(line, flush=True)
    told("the other", *both)
    told("PyneCore", *pynecore)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
