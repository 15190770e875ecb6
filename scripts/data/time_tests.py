"""Measure the tests of `make quick`, and write the functions to leave out to `tests/slow_tests.txt`.

Run `.venv/bin/python scripts/data/time_tests.py` when `make quick` has become slow. A function is left out if its tests
in `make quick` take more than LIMIT seconds of CPU time together. A function that is not in the list counts as fast.
"""

import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.selection import QUICK, SLOW_LIST  # noqa: E402 - of this checkout
from tests.timing import WHERE  # noqa: E402 - of this checkout

LIMIT = 0.5
"""Seconds of CPU time."""
HEAD = "# Written by scripts/data/time_tests.py: CPU seconds, and the function.\n"


def main() -> int:
    """Run the tests and write the list."""
    SLOW_LIST.write_text(HEAD, encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        times = Path(folder) / "times"
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "-p", "tests.timing", "-m", "quick", *QUICK]
        subprocess.run(command, cwd=ROOT, env={**os.environ, WHERE: str(times)}, check=True)
        spent = read(times.read_text(encoding="utf-8"))
    SLOW_LIST.write_text(listed(spent), encoding="utf-8")
    return 0


def read(text: str) -> dict[str, float]:
    """Return the CPU seconds of each function, from the lines that the plugin wrote."""
    spent: dict[str, float] = defaultdict(float)
    for line in text.splitlines():
        seconds, _, function = line.partition(" ")
        spent[function] += float(seconds)
    return spent


def listed(spent: dict[str, float]) -> str:
    """Return the text of the list: the functions that are too slow, slowest first."""
    slowest = sorted(spent.items(), key=lambda each: -each[1])
    slow = [f"{seconds:7.1f} {function}\n" for function, seconds in slowest if seconds > LIMIT]
    return "".join([HEAD, *slow])


if __name__ == "__main__":
    sys.exit(main())
