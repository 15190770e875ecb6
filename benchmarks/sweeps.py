"""Measure many runs: the gain of two workers, and the cost of screening symbols. Needs the extra `cluster`.

    python benchmarks/sweeps.py               # all
    python benchmarks/sweeps.py screen 1000   # only the screen, on 1,000 symbols of 2,000 bars
    python benchmarks/sweeps.py screen 1000 2 # the same with two workers
    python benchmarks/sweeps.py jobs 3 1600   # only one and two workers: the best of 3 rounds, 1,600 runs each
    python benchmarks/sweeps.py python 2 200  # the same with a script that runs as Python

The gain of two workers is measured in elapsed time, from the best round of each, so the machine should be idle. The
second gain is the one that processor time allows on two idle cores: the processor time of one worker divided by the
larger of two values, the busiest worker's time and half of the total with two workers (workers, client and scheduler).
The third gain is the machine's own: two independent processes, each with half of the runs.
"""

import math
import multiprocessing
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import psutil

from pinebench.checker import open_program
from pinebench.sweeps import cluster, screening
from pinebench.sweeps.combination_runs import run_many
from pinebench.sweeps.optimization import OptimizationPlan, Optimizer
from pinebench.sweeps.space import space_of
from pinebench.workers.worker_pool import shared
from tests.sweeps.support import CROSS, request, walk

RSI = '//@version=6\nindicator("")\nplot(ta.rsi(close, 14), "RSI")\nplot(ta.sma(close, 50), "SMA")\n'
MAP = "var seen = map.new<int, float>()\nseen.put(0, close)\n"
"""Lines with which a script runs as Python, because maps are not compiled."""
BATCH = 50
START = 1_577_836_800_000


def screen(count: int, workers: int = 1) -> tuple[float, float]:
    """Screen `count` symbols of 2,000 bars each. Return the seconds of processor time and the peak memory in MB."""
    with tempfile.TemporaryDirectory() as folder:
        texts: list[str] = []
        for seed in range(20):
            rows = zip(*walk(seed, 2000).columns(), strict=True)
            texts.append("\n".join(f"{START + row[0]}," + ",".join(f"{one:.4f}" for one in row[1:]) for row in rows))
        for number in range(count):
            name = Path(folder, f"EX_S{number:04d}_60.csv")
            name.write_text("time,open,high,low,close,volume\n" + texts[number % 20] + "\n")
        places = screening.places(folder, None, [])
        where = screening.condition_of("last(RSI) < 50 and last(close) > last(SMA)")
        begin, before, most, fine = time.monotonic(), used(), 0.0, 0
        with cluster.hands(workers) as hands:
            for number, row in enumerate(screening.screen(open_program(RSI), places, where, count=2000, hands=hands)):
                fine += row.error is None
                if number % 50 == 0:
                    most = max(most, memory())
                    if number in (50, count // 50 // 2 * 50):
                        print(f"        after {number} symbols: {memory():.0f} MB in all processes", flush=True)
            seconds = math.fsum(used().values()) - before[0]
        shared.close()
        print(
            f"screen: {fine} of {count} symbols with {workers} in {seconds:.1f} s of processor time "
            f"({time.monotonic() - begin:.1f} s elapsed), at most {most:.0f} MB in all processes"
        )
        print(f"        {1000 * seconds / count:.1f} s for 1,000 symbols (at most 60)")
        return seconds, most


def memory() -> float:
    """Return the memory of this process and all its descendants, in MB (shared memory counts once in each)."""
    me = psutil.Process()
    return math.fsum(each.memory_info().rss for each in [me, *me.children(recursive=True)]) / 2**20


def used() -> dict[int, float]:
    """Return the processor seconds of this process (key 0), and of each worker with its children, by process id."""
    me = psutil.Process()
    found = {0: sum(me.cpu_times()[:4])}
    for worker in me.children():
        below = [worker, *worker.children(recursive=True)]
        found[worker.pid] = sum(sum(each.cpu_times()[:4]) for each in below)
    return found


def jobs(rounds: int, runs: int, source: str = CROSS) -> None:
    """Measure the elapsed time and the processor time of a sweep with one worker of Dask and with two."""
    program, bars = open_program(source), walk(1, 20_000)
    space = space_of(program, ("Fast=2:40:1", "Slow=50:200:1"))
    best: dict[int, float] = {}
    least: dict[int, tuple[float, float, float]] = {}
    for number in [1, 2] * rounds:
        plan = OptimizationPlan.of(space, search="random", trials=runs, holdout=0)
        begin = time.monotonic()
        with cluster.local_hands(number) as hands, Optimizer(program, request(source, bars), plan) as optimizer:
            started, before = time.monotonic(), used()
            found = optimizer.run(hands, judged=False)
            elapsed, after = time.monotonic() - started, used()
        spent = {key: value - before.get(key, 0.0) for key, value in after.items()}
        here = spent.pop(0)
        times = here, math.fsum(spent.values()), max(spent.values())
        best[number] = min(best.get(number, math.inf), elapsed)
        least[number] = min(least.get(number, times), times, key=lambda each: each[0] + each[1])
        print(
            f"jobs {number}: {len(found.ranked)} runs of {len(bars)} bars in {elapsed:.1f} s after "
            f"{started - begin:.1f} s of start; processor time: workers {times[1]:.1f} s, busiest {times[2]:.1f} s, "
            f"client and scheduler {here:.1f} s",
            flush=True,
        )
    allowed = max((least[2][0] + least[2][1]) / 2, least[2][2])
    print(f"        two workers: {best[1] / best[2]:.2f} times one (at least 1.8)")
    print(f"        by processor time on two idle cores: {least[1][1] / allowed:.2f} times one")
    apart = {number: min(without_cluster(source, runs // number, number) for _ in range(rounds)) for number in (1, 2)}
    print(f"        two processes that share nothing: {apart[1] / apart[2]:.2f} times one", flush=True)


def without_cluster(source: str, runs: int, number: int) -> float:
    """Return the seconds of the slowest of `number` processes that run the script `runs` times each, all at once."""
    spawned = multiprocessing.get_context("spawn")
    barrier, seconds = spawned.Barrier(number), spawned.SimpleQueue()
    processes = [spawned.Process(target=repeat, args=(source, runs, barrier, seconds)) for _ in range(number)]
    for process in processes:
        process.start()
    times = [seconds.get() for _ in processes]
    for process in processes:
        process.join()
    return max(times)


def repeat(source: str, runs: int, barrier: Any, seconds: Any) -> None:
    """Wait for the other processes, run a script `runs` times, and put the seconds into a queue."""
    asked = request(source, walk(1, 20_000))
    run_many(asked, [{}])
    barrier.wait()
    begin = time.monotonic()
    for done in range(0, runs, BATCH):
        run_many(asked, [{}] * min(BATCH, runs - done))
    seconds.put(time.monotonic() - begin)
    shared.close()


if __name__ == "__main__":
    os.environ["PINEBENCH_STATE_DIR"] = tempfile.mkdtemp()
    wanted, numbers = sys.argv[1] if len(sys.argv) > 1 else "all", [int(each) for each in sys.argv[2:]]
    if wanted in ("all", "screen"):
        screen(*(numbers if wanted == "screen" and numbers else [1000]))
    if wanted in ("all", "jobs"):
        rounds, runs = numbers if wanted == "jobs" and numbers else (3, 1600)
        jobs(rounds, runs)
    if wanted in ("all", "python"):
        rounds, runs = numbers if wanted == "python" and numbers else (2, 200)
        jobs(rounds, runs, CROSS + MAP)
