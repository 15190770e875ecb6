"""Measure the cost of checking and linting as ratios: `python benchmarks/cost.py FOLDER [COMMIT]`.

FOLDER contains real scripts. The program prints the CPU time of `lint` divided by the CPU time of parse and check,
without the rules and with the default rules. With a commit of this repository, it also compares this checkout with that
commit: the time to parse and check the scripts, and the time to check 3,000 lines again after a keystroke (medians).
Both checkouts work alternately in separate processes and do each job three times. The shortest time counts, so that
other work on the machine slows both equally.
"""

from __future__ import annotations

import gc
import io
import json
import os
import random
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parents[1]
WITHOUT_RULES = ("lint", "--format", "json", "--ignore", "PB")
TOGETHER = 20
"""The number of scripts that are measured together, because most scripts take less time than the clock can measure."""


def main(arguments: list[str]) -> int:
    """Print the ratios."""
    if not arguments:
        sys.exit("cost: name a folder with real scripts")
    import lint as linting
    import recheck

    folder = Path(arguments[0])
    texts = [path.read_bytes().decode("utf-8", "replace") for path in sorted(folder.rglob("*.pine"))]
    if not texts:
        sys.exit("cost: there is no .pine file in that folder")
    for name, command in (("without rules", WITHOUT_RULES), ("with the default rules", linting.LINT)):
        linting.LINT = command
        print(f"lint beside parse and check, {name}:")
        with tempfile.TemporaryDirectory() as scratch:
            linting.report_ratio(Path(scratch), texts)
    if len(arguments) > 1:
        with tempfile.TemporaryDirectory() as before:
            command = ["git", "archive", arguments[1]]
            archive = subprocess.run(command, cwd=CHECKOUT, capture_output=True, check=True).stdout
            with tarfile.open(fileobj=io.BytesIO(archive)) as files:
                files.extractall(before, filter="data")
            compare(Path(before), texts, recheck.long_scripts(folder)[: recheck.SCRIPTS])
    return 0


def compare(before: Path, texts: list[str], scripts: list[str]) -> None:
    """Print the time of this checkout divided by the time of the checkout `before`."""
    import recheck

    workers = [_Worker(before), _Worker(CHECKOUT)]
    whole = [_least(workers, {"texts": texts[at : at + TOGETHER]}) for at in range(0, len(texts), TOGETHER)]
    print(f"parse and check: {sum(now for _, now in whole) / sum(then for then, _ in whole):.3f} of the time before")
    choose = random.Random(1)
    harmless: list[tuple[float, float]] = []
    anywhere: list[tuple[float, float]] = []
    for text in scripts:
        for worker in workers:
            worker.ask({"open": text})
        places = [match.end() for match in recheck.HARMLESS.finditer(text)]
        for _ in range(recheck.KEYSTROKES):
            harmless.append(_least(workers, {"place": choose.choice(places), "key": "1"}))
            anywhere.append(_least(workers, {"place": choose.randrange(100, len(text)), "key": "x"}))
    for name, times in (("harmless keystroke", harmless), ("keystroke anywhere", anywhere)):
        then, now = (1000 * statistics.median(column) for column in zip(*times, strict=True))
        print(f"{name}: {now:.1f} ms, {now / then:.2f} of the time before, medians")
    for worker in workers:
        worker.close()


def _least(workers: list[_Worker], job: dict[str, Any]) -> tuple[float, float]:
    """Return the shortest CPU seconds of each of two workers for the same job."""
    rounds = [[worker.ask(job) for worker in workers] for _ in range(3)]
    then, now = (min(column) for column in zip(*rounds, strict=True))
    return then, now


class _Worker:
    """A process that uses the package of one checkout."""

    def __init__(self, checkout: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": str(checkout), "PYTHONHASHSEED": "0"}
        command = [sys.executable, __file__, "--worker"]
        self._process = subprocess.Popen(
            command, cwd=checkout, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, job: dict[str, Any]) -> float:
        """Run `job` in the process, and return its CPU seconds."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def work() -> None:
    """Do the jobs from standard input. Use only functions that every commit of the package has."""
    from pinebench.checker import check
    from pinebench.syntax import parse

    document = parse("")
    for line in sys.stdin:
        job = json.loads(line)
        started = time.process_time()
        if "texts" in job:
            for text in job["texts"]:
                check(parse(text))
        elif "open" in job:
            document = parse(job["open"])
            check(document)
            check(document)
        else:
            place, key = job["place"], job["key"]
            document.edit(place, place, key)
            found = check(document).diagnostics
            took = time.process_time() - started
            document.edit(place, place + len(key), "")
            check(document)
            del found
            started = time.process_time() - took
        print(json.dumps(time.process_time() - started), flush=True)
        gc.collect()


if __name__ == "__main__":
    sys.exit(work() if sys.argv[1:] == ["--worker"] else main(sys.argv[1:]))
