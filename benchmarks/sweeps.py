"""Many runs: what a run costs within a sweep, how much two workers gain, and what screening symbols costs.

    python benchmarks/sweeps.py             # all
    python benchmarks/sweeps.py screen 1000 # only the screen, on 1,000 symbols of 2,000 bars
    python benchmarks/sweeps.py jobs        # only one and two workers

Processor time counts this process and its workers; the gain of two workers is of elapsed time, so the machine should be
idle.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pinebench.checker import open_program
from pinebench.execution.workers import shared
from pinebench.sweeps import cluster, screening
from pinebench.sweeps.optimizing import Optimizer, Plan
from pinebench.sweeps.space import space_of
from tests.sweeps.support import CROSS, request, walk

RSI = '//@version=6\nindicator("")\nplot(ta.rsi(close, 14), "RSI")\nplot(ta.sma(close, 50), "SMA")\n'
START = 1_577_836_800_000


def spent() -> float:
    """The processor time of this process and of its children that have ended, in seconds."""
    return sum(
        one.ru_utime + one.ru_stime for one in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def screen(count: int) -> None:
    """Screen `count` symbols of 2,000 bars each."""
    with tempfile.TemporaryDirectory() as folder:
        texts = []
        for seed in range(20):
            rows = zip(*walk(seed, 2000).columns(), strict=True)
            texts.append("\n".join(f"{START + row[0]}," + ",".join(f"{one:.4f}" for one in row[1:]) for row in rows))
        for number in range(count):
            name = Path(folder, f"EX_S{number:04d}_60.csv")
            name.write_text("time,open,high,low,close,volume\n" + texts[number % 20] + "\n")
        places = screening.places(folder, None, [])
        where = screening.condition_of("last(RSI) < 50 and last(close) > last(SMA)")
        begin, before = time.monotonic(), spent()
        rows = list(screening.screen(open_program(RSI), places, where, count=2000))
        shared.close()
        seconds, wall = spent() - before, time.monotonic() - begin
        most = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024
        fine = sum(row.error is None for row in rows)
        print(f"screen: {fine} of {count} symbols in {seconds:.1f} s of processor time ({wall:.1f} s), {most:.0f} MB")
        print(f"        {1000 * seconds / count:.1f} s for 1,000 symbols (limit 60)")


def jobs() -> None:
    """The elapsed time of a sweep with one worker of Dask and with two."""
    program, bars = open_program(CROSS), walk(1, 10_000)
    space = space_of(program, ("Fast=2:21:1", "Slow=25:125:5"))
    times: dict[int, float] = {}
    for number in (1, 2):
        context = cluster.local_hands(number)
        with context as hands, Optimizer(program, request(CROSS, bars), Plan.of(space, holdout=0)) as optimizer:
            begin = time.monotonic()
            found = optimizer.run(hands, judged=False)
            times[number] = time.monotonic() - begin
        print(f"jobs {number}: {len(found.ranked)} runs of {len(bars)} bars in {times[number]:.1f} s")
    print(f"        two workers: {times[1] / times[2]:.2f} times one (at least 1.8)")


if __name__ == "__main__":
    os.environ["PINEBENCH_STATE_DIR"] = tempfile.mkdtemp()
    wanted = sys.argv[1] if len(sys.argv) > 1 else "all"
    if wanted in ("all", "screen"):
        screen(int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
    if wanted in ("all", "jobs"):
        jobs()
