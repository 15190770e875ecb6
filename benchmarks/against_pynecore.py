"""Compare the speed of scripts in pinebench and in PyneCore on the same bars, in CPU time; pinebench also runs ten
times the bars.

usage: python benchmarks/against_pynecore.py PYTHON [SCRIPT…] [--bars N]

PYTHON is an interpreter that has `pynesys-pynecore` and `opencode-pine2pyne`. Without scripts, the templates are run.
"""

import argparse
import json
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from pinebench.checker import open_program
from pinebench.diagnostics import Severity
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.runtime.refusals import NotComputed
from pinebench.runtime.runtime import Runtime

RUNNER = Path(__file__).with_name("pynecore_runner.py")
TEMPLATES = Path(__file__).parents[1] / "pine" / "templates"
SECONDS = 300
SIMPLE = (
    '//@version=6\nindicator("Simple")\nvar n = 0.0\nn += ta.ema(close, 20) > close ? 1 : 0\nplot(n + ta.highest(50))\n'
)


def own_seconds(text: str, bars: Bars) -> float | None:
    """Return the CPU seconds of a run in pinebench; None for a script that does not run."""
    program = open_program(text)
    if any(finding.severity is Severity.ERROR for finding in program.diagnostics):
        return None
    try:
        runtime = Runtime(program, bars, SymbolInfo(timeframe="15"))
        begin = time.process_time()
        result = runtime.run()
    except NotComputed:
        return None
    return time.process_time() - begin if result.error is None else None


def their_seconds(python: str, script: Path, table: Path) -> float | None:
    """Return the CPU seconds of the same run in PyneCore; None if PyneCore does not run the script."""
    try:
        done = subprocess.run(
            [python, str(RUNNER), str(script), str(table), "15"], capture_output=True, timeout=SECONDS, check=False
        )
        return json.loads(done.stdout.splitlines()[-1]).get("seconds")
    except (subprocess.TimeoutExpired, IndexError, ValueError):
        return None


def main() -> int:
    from runtime import sample_bars  # the benchmark beside this one

    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("python")
    options.add_argument("scripts", nargs="*", type=Path)
    options.add_argument("--bars", type=int, default=10_000)
    given = options.parse_args()
    costs = [min(own_seconds(SIMPLE, sample_bars(count, 15)) or 0 for _ in range(3)) for count in (10_000, 100_000)]
    print(f"100,000 bars against 10,000: {costs[1] / costs[0]:.1f} times the CPU")
    bars = sample_bars(given.bars, 15)
    ratios: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "bars.csv"
        rows = (",".join(map(repr, row)) for row in zip(*bars.columns(), strict=True))
        table.write_text("time,open,high,low,close,volume\n" + "\n".join(rows), encoding="utf8")
        for script in given.scripts or sorted(TEMPLATES.glob("*.pine")):
            own = own_seconds(script.read_text(encoding="utf8"), bars)
            theirs = their_seconds(given.python, script, table)
            if own is None or theirs is None:
                print(f"{script.name}: {'refused here' if own is None else 'not run by PyneCore'}")
                continue
            ratios.append(theirs / own)
            speeds = f"{given.bars / own:,.0f} bars/s here, {given.bars / theirs:,.0f} there"
            print(f"{script.name}: {speeds}: {ratios[-1]:.1f}")
    if ratios:
        print(f"{len(ratios)} scripts, median {statistics.median(ratios):.1f} times as fast")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
