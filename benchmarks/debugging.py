"""Measure how fast a debug session responds in a script of 1,000 lines: from a step to the displayed values, and a step
back.

python benchmarks/debugging.py [--bars N] [--steps N]
"""

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.debugger.client import Client

_LINES = 1000


def script() -> str:
    """Return a script of 1,000 lines, with a function, branches and a line for a breakpoint near its end."""
    lines = [
        "//@version=6",
        'indicator("Long", max_labels_count = 50)',
        "scaled(x, n) =>",
        "    total = x * n",
        "    total + 1",
    ]
    number = 0
    while len(lines) < _LINES - 1:
        number += 1
        lines += [
            f"a{number} = close + {number}",
            f"b{number} = a{number} > open ? a{number} : scaled(open, {number})"
            if number % 20 == 0
            else f"b{number} = a{number} - open",
            f"if b{number} > a{number}",
            f"    log_{number} = b{number} * 2",
        ]
    return "\n".join([*lines[: _LINES - 1], "plot(close)", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bars", type=int, default=20_000)
    parser.add_argument("--steps", type=int, default=40)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.pine"
        path.write_text(script(), "utf-8")
        client = Client()
        try:
            measure(client, path, args.bars, args.steps)
        finally:
            client.close()


def measure(client: Client, path: Path, bars: int, steps: int) -> None:
    """Run to the second-to-last bar, and measure steps there."""
    begin = time.perf_counter()
    client.launch(path, [{"line": _LINES}], data=f"sample:AAPL@5x{bars}", stopOnEntry=True)
    client.stopped()
    print(f"launched after {time.perf_counter() - begin:.1f} s")
    client.set_breakpoints(path, [])
    begin = time.perf_counter()
    client.evaluate(f":bar {bars - 2}", context="repl")
    client.stopped()
    print(f"bar {bars - 2} after {time.perf_counter() - begin:.1f} s")
    for name, ways in (("step, then stack, scopes, variables", ["next", "stepIn"]), ("step back", ["stepBack"])):
        times = [timed(client, way, shows=name != "step back") for _ in range(steps) for way in ways]
        print(f"{name}: median {statistics.median(times) * 1000:.0f} ms, most {max(times) * 1000:.0f} ms")


def timed(client: Client, way: str, *, shows: bool) -> float:
    """Return the seconds until a step has stopped, and with `shows` until its values are displayed."""
    begin = time.perf_counter()
    client.go(way)
    if shows:
        frame = client.frames()[0]["id"]
        client.variables(client.scopes(frame)["Globals"])
    return time.perf_counter() - begin


if __name__ == "__main__":
    main()
