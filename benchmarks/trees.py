"""Measure built-ins and templates on both tiers, in this tree and in an earlier commit, alternately in one run.

    python benchmarks/trees.py COMMIT [ROUNDS [SCRIPT ...]]

The earlier tree is read from git into a temporary folder. Both run the templates of this tree with this Python, in
processes that alternate for each script, so that a change of the machine's load changes both. The times are the best of
all rounds, in ns of processor time for each bar (and call, for a built-in); the last number of a tier is the time
before divided by the time now. The last lines have the geometric means of these numbers for the Python tier: for a
script that has already run in its process, and for a first run, which also writes the script's code.
"""

import io
import json
import os
import statistics
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
TEMPLATES = sorted(Path(__file__).parents[1].joinpath("pine", "templates").glob("*.pine"))
BARS = 5000
SWEEP = 20
Times = tuple[float, float | None, float]


def scripts() -> dict[str, tuple[str, int]]:
    """Return the scripts by name, each with the number of calls over which its time is averaged."""
    found = {
        name: (
            "//@version=6\nindicator('x')\n" + "".join(f"plot({call.format(12 + k)})\n" for k in range(CALLS)),
            CALLS,
        )
        for name, call in BUILTINS.items()
    }
    return found | {path.stem: (path.read_text(encoding="utf-8"), 1) for path in TEMPLATES}


def serve(root: str) -> None:
    """Measure the scripts of a tree whose names arrive on standard input, and print one answer for each.

    An answer has the best times, in ns for each bar and call: of the Python tier, of the compiled tier if it runs the
    script, and of first runs on the Python tier. It is null for a script that needs bars of other symbols.
    """
    sys.path[:0] = [root, str(Path(root, "benchmarks"))]
    import compiled as bench

    bars, symbol = bench.sample(BARS)
    known = scripts()
    ready: dict[str, Any] = {}
    for name in map(str.strip, sys.stdin):
        source, calls = known[name]
        if name not in ready:
            request = bench.request_of(bench.open_program(source), bars, symbol)
            try:
                bench.perform(request)
            except bench.PinebenchError:
                print("null", flush=True)
                continue
            compiled = bench.compile_script(bench.open_program(source), request)
            ready[name] = request, compiled if hasattr(compiled, "sweep") else None
        request, compiled = ready[name]
        unit = 1e9 / BARS / calls
        python = min(bench.timed(bench.perform, request)[0] for _ in range(3)) * unit
        fast = None
        if compiled is not None:
            bench.swept(compiled, bars, [{}] * 2)
            fast = min(bench.timed(bench.swept, compiled, bars, [{}] * SWEEP)[0] for _ in range(5)) / SWEEP * unit
        first = min(bench.timed(bench.perform, afresh(request, number))[0] for number in range(2)) * unit
        print(json.dumps((python, fast, first)), flush=True)


def afresh(request: Any, number: int) -> Any:
    """Return a request for the same script, with a comment added so that no earlier run's result or code is reused."""
    import compiled as bench

    source = f"{request.source}\n// {time.perf_counter_ns()} {number}\n"
    changed = bench.replace(request, source=source)
    sys.modules[bench.perform.__module__].opened(source, ())  # the check of the script is not measured
    return changed


class Tree:
    """A process that measures the scripts of one tree."""

    def __init__(self, root: Path) -> None:
        code = f"import runpy; runpy.run_path({__file__!r})['serve']({str(root)!r})"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(root)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.best: dict[str, Times] = {}

    def measure(self, name: str) -> None:
        """Measure a script once more, and store the shorter times."""
        assert self.process.stdin is not None and self.process.stdout is not None
        print(name, file=self.process.stdin, flush=True)
        found = json.loads(self.process.stdout.readline())
        if found is not None:
            python, fast, first = found
            before, fast_before, first_before = self.best.get(name, (python, fast, first))
            fast = None if fast is None else min(fast_before or fast, fast)
            self.best[name] = min(before, python), fast, min(first_before, first)

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def tree_of(commit: str, folder: str) -> Path:
    """Write the files of a commit to a folder."""
    here = Path(__file__).parents[1]
    packed = subprocess.run(["git", "archive", commit], cwd=here, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return Path(folder)


def shown(before: float | None, now: float | None) -> str:
    """Format two times, and how many times faster the new one is."""
    if before is None or now is None:
        return f"{'-' if before is None else f'{before:.1f}':>10} {'-' if now is None else f'{now:.1f}':>10} {'':>6}"
    return f"{before:>10.1f} {now:>10.1f} {before / now:>6.2f}"


def kind_of(name: str) -> str:
    """Return the plural of a script's kind: built-ins, indicators or strategies."""
    if name in BUILTINS:
        return "built-ins"
    return "strategies" if "\nstrategy(" in scripts()[name][0] else "indicators and libraries"


def main(arguments: list[str]) -> None:
    """Compare this tree with a commit."""
    if not arguments:
        print(__doc__)
        return
    commit, *rest = arguments
    rounds = int(rest[0]) if rest else 3
    start = time.monotonic()
    gains: dict[str, list[tuple[float, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        before, now = Tree(tree_of(commit, folder)), Tree(Path(__file__).parents[1])
        print(f"{'':<26}{'Python':>10} {'now':>10} {'x':>6}{'compiled':>11} {'now':>10} {'x':>6}")
        for name in rest[1:] or list(scripts()):
            for _ in range(rounds):
                before.measure(name)
                now.measure(name)
            if name in before.best and name in now.best:
                (python, fast, first), (python_now, fast_now, first_now) = before.best[name], now.best[name]
                print(f"{name:<26}{shown(python, python_now)} {shown(fast, fast_now)}", flush=True)
                gains.setdefault(kind_of(name), []).append((python / python_now, first / first_now))
        for kind, pairs in gains.items():
            again, first = (statistics.geometric_mean(column) for column in zip(*pairs, strict=True))
            print(f"{len(pairs)} {kind}: {again:.2f} x as fast, {first:.2f} x in a first run")
        before.close()
        now.close()
    print(f"{rounds} rounds in {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main(sys.argv[1:])
