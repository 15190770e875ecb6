"""Measure the cost of recording every value of a run: processor time and memory, compared with plain runs.

    python benchmarks/inspecting.py [--scripts N] [--bars N]

The scripts are our templates and samples, and N scripts from the folder that PINEBENCH_CORPUS names.
"""

import argparse
import gc
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.profiling import scripts
from pinebench.errors import PinebenchError
from pinebench.inspecting.recorded_run import record
from pinebench.workers.jobs import perform
from tests.inspecting.checked import request_of

_TIMES = 3
_AIM = 3
ResultT = TypeVar("ResultT")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scripts", type=int, default=40)
    parser.add_argument("--bars", type=int, default=5000)
    args = parser.parse_args()
    plain_sum = kept_sum = 0.0
    ratios: list[float] = []
    memory: list[int] = []
    for path in scripts(args.scripts):
        try:
            request = request_of(path.read_text("utf-8"), args.bars)
            plain, ran = fastest(partial(perform, request))
            if ran.result.error is not None:
                continue
            kept, (_, recording) = fastest(partial(record, request))
        except PinebenchError:  # it does not compile, or needs something that is not computed
            continue
        plain_sum, kept_sum = plain_sum + plain, kept_sum + kept
        ratios.append(kept / plain)
        memory.append(recording.size)
        print(
            f"{path.name:40} {plain * 1000:8.0f} ms {kept * 1000:8.0f} ms  x{kept / plain:.1f}",
            f"{recording.size >> 20} MiB",
            flush=True,
        )
    print(f"{len(ratios)} scripts on {args.bars} bars: x{kept_sum / plain_sum:.2f} in all, ", end="")
    print(f"x{statistics.median(ratios):.2f} median, x{max(ratios):.1f} most, {max(memory) >> 20} MiB most,", end=" ")
    print(f"{sum(ratio > _AIM for ratio in ratios)} above x{_AIM}")


def fastest(run: Callable[[], ResultT]) -> tuple[float, ResultT]:
    """Return the shortest processor time of some runs, and the result of the last one."""
    found: list[tuple[float, ResultT]] = []
    for _ in range(_TIMES):
        gc.unfreeze()
        gc.collect()
        gc.freeze()  # as in a worker, whose old objects are not looked at again
        begin = time.process_time()
        made = run()
        found.append((time.process_time() - begin, made))
    return min(found, key=lambda one: one[0])


if __name__ == "__main__":
    main()
