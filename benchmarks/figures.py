"""Print every figure of speed and memory in one table with its limit: `python benchmarks/figures.py [FOLDER]`.

Without a folder of real scripts, the samples are measured. All times are CPU time. It only prints; it does not fail.
"""

import gc
import os
import statistics
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import check as checking
import cold_start
import parse as parsing

from pinebench.checker import check
from pinebench.files.resources import folder
from pinebench.syntax import parse

MEMORY_SCRIPTS = 40


class Figure(NamedTuple):
    """A measured value and its limit, in the same unit."""

    name: str
    value: float
    limit: float
    unit: str


def main(arguments: list[str]) -> int:
    """Measure everything and print the table."""
    root = Path(arguments[0]) if arguments else folder("samples")
    scripts = parsing.read_scripts(root)
    if not scripts:
        print(f"no *.pine below {root}", file=sys.stderr)
        return 2
    lines = sum(map(parsing.line_count, scripts))
    print(f"{len(scripts)} scripts, {lines} lines, from {root}\n")
    print(f"{'figure':<52}{'measured':>10}{'limit':>8}")
    for measure in (parse_figures, keystroke_figures, check_figures, memory_figures, cold_figures):
        for figure in measure(scripts):
            print(f"{figure.name:<52}{figure.value:>10.2f}{figure.limit:>8g} {figure.unit}")
    return 0


def parse_figures(scripts: list[str]) -> list[Figure]:
    """Return the time to parse a script into a tree with positions, for scripts of some length, one by one."""
    long = [text for text in scripts if parsing.line_count(text) >= parsing.SCRIPT_LINES] or scripts
    parse(long[0])
    times = parsing.parse_time(long)
    return [Figure("parse, 1000 lines, median script", statistics.median(times), 25, "ms")]


def keystroke_figures(scripts: list[str]) -> list[Figure]:
    """Return the time for one typed character in a long file."""
    gc.collect()
    gc.freeze()
    times = parsing.keystroke_times(parsing.joined(scripts))
    gc.unfreeze()
    return [
        Figure(f"keystroke in {parsing.LARGE_FILE_LINES} lines, median", statistics.median(times), 2, "ms"),
        Figure(f"keystroke in {parsing.LARGE_FILE_LINES} lines, p95", times[len(times) * 95 // 100], 25, "ms"),
    ]


def check_figures(scripts: list[str]) -> list[Figure]:
    """Return the time for parse and check together, for all scripts and for long ones."""
    lines = sum(map(parsing.line_count, scripts))
    checking.measure(scripts)
    best = min(checking.measure(scripts) for _ in range(checking.RUNS))
    times = sorted(
        1000 * min(checking.measure([text]) for _ in range(checking.RUNS)) for text in checking.joined(scripts)
    )
    p95 = times[min(len(times) - 1, round(0.95 * len(times)))]
    return [
        Figure("parse and check, 1000 lines, all scripts", 1e6 * best / lines, 70, "ms"),
        Figure(
            f"parse and check from nothing, {checking.JOINED_LINES} lines, median", statistics.median(times), 150, "ms"
        ),
        Figure(f"parse and check from nothing, {checking.JOINED_LINES} lines, p95", p95, 150, "ms"),
    ]


def memory_figures(scripts: list[str]) -> list[Figure]:
    """Return the memory that trees and checked programs use."""
    some = scripts[:MEMORY_SCRIPTS]
    checked = checking.memory_kept(some, lambda text: check(parse(text)))
    return [
        Figure("memory of trees, 1000 lines", parsing.memory_kept(some), 1.5, "MiB"),
        Figure("memory of checked programs, 1000 lines", checked, 6, "MiB"),
    ]


def cold_figures(_scripts: list[str]) -> list[Figure]:
    """Return the time to lint one script in a new process, the best of many runs."""
    script = cold_start.chosen_script()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as cache:
        os.environ["PYTHONPYCACHEPREFIX"] = cache
        times = cold_start.lint_times(script)
    return [Figure(f"lint of {cold_start.LINES} lines, cold process", min(times), 120, "ms")]


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
