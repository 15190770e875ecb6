"""Measure `pinebench lint` on one script in a new process: its CPU time, and the modules that it imports.

Run `python benchmarks/cold_start.py`. It only prints; it does not fail. CPU time is user plus system time of the child
process. It is longer on a busy machine, so compare the best of many runs.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

RUNS = 15
LINES = 200
"""The sample with the number of lines nearest to this one is linted. It has no errors, so that advice about errors is
not measured."""
SHOWN = 15

ROOT = Path(__file__).resolve().parent.parent
LINT = ["-m", "pinebench", "lint"]


def main() -> int:
    """Print the tables."""
    # Bytecode is kept, as for an installed package, but not beside the sources.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PYTHONPYCACHEPREFIX"] = folder
        _measure()
    return 0


def _measure() -> None:
    script = chosen_script()
    _print_times(script)
    _print_imports(script)


def chosen_script() -> Path:
    """Return the sample to lint."""
    return min((ROOT / "pine" / "samples").glob("*.pine"), key=lambda path: abs(_lines(path) - LINES))


def lint_times(script: Path) -> list[float]:
    """Return the CPU milliseconds of some cold runs of `pinebench lint`, after one that fills the bytecode cache."""
    _cpu_ms([*LINT, str(script)])
    return [_cpu_ms([*LINT, str(script)]) for _ in range(RUNS)]


def _lines(script: Path) -> int:
    return script.read_text(encoding="utf-8").count("\n")


def _print_times(script: Path) -> None:
    print(f"{'cold process':<28}{'best':>8}{'median':>8}  CPU ms of {RUNS} runs")
    for title, arguments in (
        ("python -c pass", ["-c", "pass"]),
        ("pinebench --version", ["-m", "pinebench", "--version"]),
        (f"pinebench lint, {_lines(script)} lines", [*LINT, str(script)]),
    ):
        _cpu_ms(arguments)
        times = [_cpu_ms(arguments) for _ in range(RUNS)]
        print(f"{title:<28}{min(times):>8.1f}{statistics.median(times):>8.1f}")


def _cpu_ms(arguments: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


def _print_imports(script: Path) -> None:
    """Print the modules with the longest import times (`-X importtime`), each without the modules that it imports."""
    process = subprocess.run(
        [sys.executable, "-X", "importtime", *LINT, str(script)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    rows = [
        line.split("|")
        for line in process.stderr.splitlines()
        if line.startswith("import time:") and "[us]" not in line
    ]
    costs = sorted(((int(row[0].split(":")[1]), row[2].strip()) for row in rows), reverse=True)
    print(f"\n{len(costs)} modules imported, {sum(cost for cost, _ in costs) / 1000:.1f} ms; the dearest:")
    for cost, name in costs[:SHOWN]:
        print(f"{cost / 1000:>8.2f} ms  {name}")


if __name__ == "__main__":
    sys.exit(main())
