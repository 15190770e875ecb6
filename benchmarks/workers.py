"""Measure the cost of running scripts in workers, and how soon workers end after their parent was killed (Linux).

Usage: python benchmarks/workers.py [--rounds N]

Processor time is the time that the system counts for all participating processes, minus the time of the run itself in
this process. A process without other threads forks its workers itself. A process with threads has a preloaded helper
process that forks them.
"""

import argparse
import os
import signal
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pinebench.calendars.timeframes import timeframe
from pinebench.market.sample import sample_bars
from pinebench.market.samples import SAMPLES
from pinebench.workers import worker_pool
from pinebench.workers.dispatch import execute
from pinebench.workers.jobs import perform
from pinebench.workers.request import Request

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = '//@version=6\nindicator("S")\nplot(ta.sma(close, 10))'
MOST_START = 60.0
"""Milliseconds of processor time that the start of a worker may take, without the run."""
MOST_END = 2.0
"""Seconds within which workers must end after their parent was killed."""

PARENT = """
import sys, threading, time
sys.path.insert(0, {root!r})
from benchmarks.workers import execute, request, worker_pool
if {threads}:
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
execute(request())
print(*[each.number for each in worker_pool.shared._free], flush=True)
if {busy}:
    execute(request('//@version=6\\nindicator("S")\\nwhile close > 0\\n    x = 1\\nplot(close)'))
time.sleep(60)
"""


def request(source: str = SCRIPT) -> Request:
    """Return a request for a run on a thousand bars."""
    return Request(source, sample_bars(SAMPLES[0], timeframe("1D"), 1000), SAMPLES[0].info("1D"))


def main() -> int:
    """Print the figures with their limits. Return 1 if a limit is exceeded."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=20)
    rounds: int = parser.parse_args().rounds
    held = [_forked(rounds), _bred(rounds)]
    held += [_ends(threads, busy, max(rounds // 4, 1)) for threads in (False, True) for busy in (False, True)]
    return 0 if all(held) else 1


def _forked(rounds: int) -> bool:
    """Measure the start of a worker if this process forks its workers itself."""
    asked = request()
    inside = _inside(asked, rounds)
    pool = worker_pool.Pool()
    cold = _cold(asked, inside, pool, rounds)
    warm = [_cost(asked, inside, pool) for _ in range(rounds)]
    pool.close()
    _tell("a worker that this process forks", cold, MOST_START)
    return _tell("the same worker again", warm) and statistics.median(cold) <= MOST_START


def _bred(rounds: int) -> bool:
    """Measure the start of a worker if a preloaded helper process forks the workers."""
    stop = threading.Event()
    threading.Thread(target=stop.wait, daemon=True).start()
    asked = request()
    inside = _inside(asked, rounds)
    pool = worker_pool.Pool()
    first = [_cost(asked, inside, pool)]
    cold = _cold(asked, inside, pool, rounds)
    warm = [_cost(asked, inside, pool) for _ in range(rounds)]
    pool.close()
    stop.set()
    _tell("the process that forks them, once a program", first)
    _tell("a worker that it forks", cold, MOST_START)
    return _tell("the same worker again", warm) and statistics.median(cold) <= MOST_START


def _cold(asked: Request, inside: float, pool: worker_pool.Pool, rounds: int) -> list[float]:
    cold: list[float] = []
    for _ in range(rounds):
        while pool._free:
            pool._free.pop().end()
        cold.append(_cost(asked, inside, pool))
    return cold


def _inside(asked: Request, rounds: int) -> float:
    perform(asked)
    spent: list[float] = []
    for _ in range(rounds):
        begin = time.process_time()
        perform(asked)
        spent.append(1000 * (time.process_time() - begin))
    return statistics.median(spent)


def _cost(asked: Request, inside: float, pool: worker_pool.Pool) -> float:
    """Return the milliseconds of all processes for one run in a worker, minus `inside`, the time of the run itself."""
    from pinebench.workers import dispatch

    dispatch.shared = pool
    before, begin = {each: _spent(each) for each in _family(pool)}, time.process_time()
    execute(asked)
    own = time.process_time() - begin
    others = sum(_spent(each) - before.get(each, 0.0) for each in _family(pool))
    return 1000 * (own + others) - inside


def _family(pool: worker_pool.Pool) -> list[int]:
    breeder: Any = pool._nursery._breeder
    return [each.number for each in pool._free] + ([] if breeder is None else [breeder[0].pid])


def _spent(number: int) -> float:
    """Return the seconds of processor time that all threads of a process have used."""
    tasks = Path(f"/proc/{number}/task").iterdir()
    return sum(int((task / "schedstat").read_text(encoding="ascii").split()[0]) for task in tasks) / 1e9


def _ends(threads: bool, busy: bool, rounds: int) -> bool:
    """Measure how long workers still run after `kill -9` of their parent."""
    took: list[float] = []
    for _ in range(rounds):
        source = PARENT.format(root=str(ROOT), threads=threads, busy=busy)
        process = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        number = int(process.stdout.readline())
        time.sleep(0.3)
        process.send_signal(signal.SIGKILL)
        begin = time.monotonic()
        while _lives(number):
            time.sleep(0.002)
        took.append(time.monotonic() - begin)
        process.wait()
        process.stdout.close()
    how = f"{'busy' if busy else 'idle'}, {'bred' if threads else 'forked'}"
    most = max(took)
    print(f"{'end after kill -9 (' + how + ')':<48} {1000 * most:7.1f} ms at most   (limit {MOST_END:g} s)")
    return most <= MOST_END


def _lives(number: int) -> bool:
    try:
        told = Path(f"/proc/{number}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
    return told.rpartition(")")[2].split()[0] != "Z"


def _tell(what: str, spent: list[float], limit: float | None = None) -> bool:
    beside = "" if limit is None else f"   (limit {limit:g} ms)"
    print(f"{what:<48} {statistics.median(spent):7.1f} ms of the processor{beside}")
    return True


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
