"""Compare the cost of linting and checking, and measure what the cache saves: `python benchmarks/lint.py [FOLDER]`.

Without a folder of real scripts it measures the samples and templates. It prints CPU time: for parse and check alone;
for `lint --no-cache --jobs 1 --format json` over the same scripts in the same process; and the ratio. Then the time for
a file of 20,000 lines, as a multiple of the time for one of 10,000. Then it makes 2,000 scripts from these and prints
the first and the second run of the command, without and with `library-paths`, and how many times faster the second run
is. Short measurements are the best of three.
"""

import contextlib
import gc
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pinebench import cli
from pinebench.checker import open_program
from pinebench.linter.engine import lint_text

CHECKOUT = Path(__file__).resolve().parents[1]
RUNS = 3
SCRIPTS = 2000
LONG = 10_000
"""The lines of the shorter of the two long files."""
LIBRARY = '//@version=6\nlibrary("Lib")\nexport twice(float x) =>\n    x * 2\n'
LINT = ("lint", "--format", "json")


def main() -> None:
    """Print every figure."""
    named = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    paths = sorted(
        named.rglob("*.pine") if named else (*CHECKOUT.glob("pine/samples/*.pine"), *CHECKOUT.glob("pine/templates/*"))
    )
    texts = [path.read_bytes().decode("utf-8", errors="replace") for path in paths]
    if not texts:
        sys.exit("lint: there is no .pine file in that folder")
    print(f"{len(texts)} scripts, {sum(text.count(chr(10)) + 1 for text in texts)} lines")
    with tempfile.TemporaryDirectory() as folder:
        report_ratio(Path(folder), texts)
    report_growth(texts)
    for with_libraries in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            report_cache(Path(folder), texts, with_libraries=with_libraries)


def report_ratio(folder: Path, texts: list[str]) -> None:
    """Print the CPU time of parse and check for `texts`, of a lint run over them, and the ratio."""
    write(folder, texts)
    lint = [*LINT, "--no-cache", "--jobs", "1", str(folder)]
    checking: list[float] = []
    linting: list[float] = []
    for _ in range(1 + RUNS):  # by turns, so that other work on the machine slows both; the first round warms up
        checking.append(seconds(lambda: [open_program(text).diagnostics for text in texts]))
        linting.append(seconds(lambda: quietly(lint)))
    least, most = min(checking[1:]), min(linting[1:])
    print(f"parse and check   {least:8.2f} s CPU")
    print(f"lint --no-cache   {most:8.2f} s CPU, {most / least:.2f} times as much")


def report_growth(texts: list[str]) -> None:
    """Print the CPU time for lines of `texts`, joined to a file of 10,000 and one of 20,000 lines."""
    import check as checking

    checking.JOINED_LINES, checking.JOINED_SCRIPTS = LONG, 1
    (once,) = checking.joined(texts)
    checking.JOINED_LINES = 2 * LONG
    (twice,) = checking.joined(texts)
    less, more = (
        min(seconds(lambda: lint_text(text)) for _ in range(RUNS))  # noqa: B023  (called at once)
        for text in (once, twice)
    )
    print(f"{LONG} lines {less:.2f} s CPU, {2 * LONG} lines {more:.2f} s, {more / less:.2f} times as much")


def report_cache(folder: Path, texts: list[str], *, with_libraries: bool) -> None:
    """Print the CPU time of the first and the second run over many scripts."""
    rounds = range(-(-SCRIPTS // len(texts)))
    imported = "import Me/Lib/1 as lib_of_the_benchmark\n" if with_libraries else ""
    made = [f"{text}\n{imported}// {number}\n" for number in rounds for text in texts][:SCRIPTS]
    write(folder / "scripts", made)
    (folder / "libraries").mkdir()
    (folder / "libraries" / "Lib.pine").write_text(LIBRARY)
    paths = '[check]\nlibrary-paths = ["libraries"]\n' if with_libraries else ""
    (folder / "pinebench.toml").write_text(paths)
    first = in_process(folder)
    again = min(in_process(folder) for _ in range(RUNS))
    what = "with library-paths" if with_libraries else "no libraries"
    print(
        f"{len(made)} scripts, {what}: first run {first:.2f} s CPU, second {again:.2f} s, {first / again:.0f} x faster"
    )


def write(folder: Path, texts: list[str]) -> None:
    """Write each of `texts` to a separate script file."""
    folder.mkdir(exist_ok=True)
    for number, text in enumerate(texts):
        (folder / f"{number:05}.pine").write_bytes(text.encode("utf-8", "replace"))


def quietly(arguments: list[str]) -> None:
    """Run a command in this process without printing its report."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
        cli.main(arguments)


def in_process(folder: Path) -> float:
    """Return the CPU seconds of a lint run over `folder` in a separate process, including its start."""
    environment = {**os.environ, "PINEBENCH_CACHE_DIR": str(folder / ".cache")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "pinebench", *LINT, "--jobs", "1", "scripts"]
    subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def seconds(action: Callable[[], object]) -> float:
    """Return the CPU seconds of `action`, after collecting the garbage of earlier actions."""
    gc.collect()
    started = time.process_time()
    action()
    return time.process_time() - started


if __name__ == "__main__":
    main()
