"""Built-ins and templates on both tiers, in this tree and in an earlier commit, measured by turns in one run.

    python benchmarks/trees.py COMMIT [ROUNDS]

The earlier tree is read from git into a temporary folder. Both run with this Python, in processes that take turns, so
that a change of the machine's load changes both. The times are the best of all rounds, in ns of processor time for each
bar (and call, for a built-in); the last number of a tier is the time before divided by the time now.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from typing import Any

CALLS = 8
"""A script calls a built-in this many times, with different arguments."""
BUILTINS = {
    "cci": "ta.cci(close, {})",
    "mfi": "ta.mfi(hlc3, {})",
    "rsi": "ta.rsi(close, {})",
    "atr": "ta.atr({})",
    "change": "ta.change(close, {})",
    "highest": "ta.highest(high, {})",
    "stdev": "ta.stdev(close, {})",
    "ema": "ta.ema(close, {})",
    "sma": "ta.sma(close, {})",
    "wma": "ta.wma(close, {})",
    "linreg": "ta.linreg(close, {}, 0)",
    "valuewhen": "ta.valuewhen(close > open, close, {} - 12)",
    "barssince": "ta.barssince(close > open + {})",
}
TEMPLATES = ("ema_cross_strategy", "supertrend_strategy", "ladder_strategy", "vwap_bands", "rsi_divergence")
BARS = 5000
SWEEP = 20
Times = dict[str, tuple[float, float | None]]


def scripts(root: Path) -> dict[str, tuple[str, int]]:
    """The scripts by their names, and the number of calls that each is measured by."""
    found = {
        name: (
            "//@version=6\nindicator('x')\n" + "".join(f"plot({call.format(12 + k)})\n" for k in range(CALLS)),
            CALLS,
        )
        for name, call in BUILTINS.items()
    }
    for name in TEMPLATES:
        path = root / "templates" / f"{name}.pine"
        if path.exists():
            found[name] = path.read_text(encoding="utf-8"), 1
    return found


def measure(root: Path, only: list[str]) -> Times:
    """The best times of this process, in ns a bar and call: of the Python tier, and of the compiled tier if it runs the
    script."""
    sys.path[:0] = [str(root), str(root / "benchmarks")]
    import compiled as bench

    bars, symbol = bench.sample(BARS)
    found: Times = {}
    for name, (source, calls) in scripts(root).items():
        if only and name not in only:
            continue
        program = bench.open_program(source)
        request = bench.request_of(program, bars, symbol)
        unit = 1e9 / BARS / calls
        python = min(bench.timed(bench.perform, request)[0] for _ in range(5)) * unit
        compiled = bench.compile_script(program, request)
        fast = None
        if not isinstance(compiled, bench.NotCompilable):
            bench.swept(compiled, bars, [{}] * 2)
            fast = min(bench.timed(bench.swept, compiled, bars, [{}] * SWEEP)[0] for _ in range(25)) / SWEEP * unit
        found[name] = python, fast
    return found


def run(root: Path, only: list[str]) -> Times:
    """The times of a tree, in a process of its own."""
    code = f"import runpy; runpy.run_path({__file__!r})['measured']({str(root)!r}, {only!r})"
    environment = {**os.environ, "PYTHONPATH": str(root)}
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=root, env=environment, capture_output=True, text=True, check=True
    )
    return json.loads(told.stdout)


def measured(root: str, only: list[str]) -> None:
    """Print the times of a tree as JSON."""
    print(json.dumps(measure(Path(root), only)))


def best(before: Times, now: Times) -> Times:
    """The shorter of two times of each script and tier."""

    def shorter(one: Any, other: Any) -> Any:
        return one if other is None else other if one is None else min(one, other)

    return (
        {name: (shorter(before[name][0], now[name][0]), shorter(before[name][1], now[name][1])) for name in now}
        if before
        else now
    )


def tree_of(commit: str, folder: str) -> Path:
    """Write the files of a commit to a folder."""
    here = Path(__file__).parents[1]
    packed = subprocess.run(["git", "archive", commit], cwd=here, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return Path(folder)


def shown(before: float | None, now: float | None) -> str:
    """Two times, and how many times as fast it is now."""
    if before is None or now is None:
        return f"{'-' if before is None else f'{before:.1f}':>10} {'-' if now is None else f'{now:.1f}':>10} {'':>6}"
    return f"{before:>10.1f} {now:>10.1f} {before / now:>6.2f}"


def main(arguments: list[str]) -> None:
    """Compare this tree with a commit."""
    if not arguments:
        print(__doc__)
        return
    commit, *rest = arguments
    rounds = int(rest[0]) if rest else 3
    only = rest[1:]
    start = time.monotonic()
    before: Times = {}
    now: Times = {}
    with tempfile.TemporaryDirectory() as folder:
        trees = tree_of(commit, folder), Path(__file__).parents[1]
        for _ in range(rounds):
            before, now = best(before, run(trees[0], only)), best(now, run(trees[1], only))
    print(f"{'':<22}{'Python':>10} {'now':>10} {'x':>6}{'compiled':>11} {'now':>10} {'x':>6}")
    for name, (python, fast) in now.items():
        if name in before:
            print(f"{name:<22}{shown(before[name][0], python)} {shown(before[name][1], fast)}")
    print(f"{rounds} rounds in {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main(sys.argv[1:])
