"""Measure the judge of `pinebench eval`: `python benchmarks/judging.py [GLOB]...`.

It judges our own solutions in this process, and prints the CPU time of the slowest tasks beside the limit. The exit
code is 1 if a task takes longer than the limit.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pinebench.evals import task_judge
from pinebench.evals.task_judge import Judge
from pinebench.evals.tasks import tasks
from pinebench.workers.jobs import load, repainting
from pinebench.workers.request import Request

LIMIT = 3.0
"""The seconds of CPU that one task may take, with all its runs."""
_SHOWN = 5


def main() -> int:
    """Judge the tasks and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tasks", nargs="*", metavar="GLOB", help="only these tasks (default: all)")
    chosen = tasks(patterns=parser.parse_args().tasks)
    # The time of a worker cannot be seen from here, so the scripts run in this process.
    task_judge.execute = _here  # type: ignore[assignment]
    task_judge.look_for_repainting = lambda request, _context, seconds: repainting(request, seconds)  # type: ignore[assignment]
    load()
    taken: list[tuple[float, str]] = []
    for task in chosen:
        began = time.process_time()
        if not Judge(task).judge(task.solution).passed:
            print(f"{task.id}: our solution fails")
            return 1
        taken.append((time.process_time() - began, task.id))
    taken.sort(reverse=True)
    print(f"{'figure':<52}{'CPU':>10}{'limit':>8}")
    for seconds, name in taken[:_SHOWN]:
        print(f"{f'judge {name}':<52}{seconds:>10.2f}{LIMIT:>8.2f} s")
    print(f"{f'judge all {len(taken)} tasks':<52}{sum(seconds for seconds, _ in taken):>10.2f}{'':>8} s")
    return int(taken[0][0] > LIMIT)


def _here(request: Request, wanted: Callable[[Request], Any], _context: object) -> Any:
    return wanted(request)


if __name__ == "__main__":
    sys.exit(main())
