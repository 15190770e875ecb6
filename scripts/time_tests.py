"""Measure the tests of `make quick`, and write the functions that it leaves out to `tests/slow_tests.txt`.

Run `.venv/bin/python scripts/time_tests.py` when `make quick` has become slow. A function is left out if its tests take
more than LIMIT seconds of CPU time together. A function that is not in the list counts as fast.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.selection import QUICK, SLOW_LIST  # noqa: E402 - of this checkout
from tests.timing import WHERE  # noqa: E402

LIMIT = 1.0
"""Seconds of CPU time."""


def main() -> int:
    """Run the tests and write the list."""
    with tempfile.TemporaryDirectory() as folder:
        times = Path(folder) / "times"
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "-p", "tests.timing", "-m", "not soak and not slow"]
        subprocess.run([*command, *QUICK], cwd=ROOT, env={**os.environ, WHERE: str(times)}, check=True)
        spent = read(times.read_text(encoding="utf-8"))
    SLOW_LIST.write_text(listed(spent), encoding="utf-8")
    return 0


def read(text: str) -> Counter[str]:
    """The CPU seconds of each function, from the lines that the plugin wrote.

    The tests that were not measured count as much as the median of those that were: one of them may have made a fixture
    that all share.
    """
    measured: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for line in text.splitlines():
        seconds, weight, function = line.split(" ", 2)
        measured[function].append((float(seconds), float(weight)))
    return Counter({function: _estimate(found) for function, found in measured.items()})


def _estimate(measured: list[tuple[float, float]]) -> float:
    others = sum(weight for _, weight in measured) - len(measured)
    return sum(seconds for seconds, _ in measured) + others * median(seconds for seconds, _ in measured)


def listed(spent: Counter[str]) -> str:
    """The text of the list: the functions that are too slow, the slowest first."""
    slow = [f"{seconds:7.1f} {function}\n" for function, seconds in spent.most_common() if seconds > LIMIT]
    return "".join(["# Written by scripts/time_tests.py: CPU seconds, and the function.\n", *slow])


if __name__ == "__main__":
    sys.exit(main())
