"""Measure the cost of profiling: how much slower a profiled run is, and how far the sum of its parts is from the total.

    python benchmarks/profiling.py [--scripts N] [--bars N]

The scripts are our templates and samples, and N scripts from the folder that PINEBENCH_CORPUS names.
"""

import argparse
import os
import statistics
import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pinebench.errors import PinebenchError
from pinebench.profiling.measurement import profile
from tests.inspecting.checked import request_of

_AIM = 2
ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scripts", type=int, default=50)
    parser.add_argument("--bars", type=int, default=2000)
    args = parser.parse_args()
    slower: list[float] = []
    apart: list[float] = []
    for path in scripts(args.scripts):
        try:
            told = profile(request_of(path.read_text("utf-8"), args.bars))
        except PinebenchError:  # it does not compile, or needs something that is not computed
            continue
        if told.error is not None or not told.whole:
            continue
        slower.append(told.slowed / told.whole)
        apart.append(abs(told.added / told.whole - 1))
        print(
            f"{path.name[:40]:40} {1000 * told.whole:8.1f} ms, measured {1000 * told.slowed:8.1f} ms",
            f"x{slower[-1]:.2f}, parts {100 * (told.added / told.whole - 1):+.2f} %",
            flush=True,
        )
    print(
        f"{len(slower)} scripts on {args.bars} bars: x{statistics.median(slower):.2f} median, x{max(slower):.2f} most, "
        f"{sum(one > _AIM for one in slower)} above x{_AIM};"
    )
    print(
        f"parts are {100 * statistics.median(apart):.2f} % from the whole in the median, {100 * max(apart):.2f} % most"
    )


def scripts(count: int) -> list[Path]:
    """Return our templates and samples, and `count` scripts of the corpus."""
    folder = os.environ.get("PINEBENCH_CORPUS")
    found = sorted(Path(folder).rglob("*.pine")) if folder else []
    Random(3).shuffle(found)
    own = [path for name in ("templates", "samples") for path in sorted((ROOT / "pine" / name).rglob("*.pine"))]
    return own + found[:count]


if __name__ == "__main__":
    main()
