"""Measure how fast scripts are parsed: CPU time for 1000 lines, time for a keystroke, memory of the results.

Usage: python benchmarks/parse.py [FOLDER]. Without a folder, the samples are measured. It only prints; it does not
fail.
"""

import gc
import random
import statistics
import sys
import time
import tracemalloc
from pathlib import Path

from pinebench import files
from pinebench.files.resources import folder
from pinebench.syntax import parse

SCRIPT_LINES = 200
"""Scripts with fewer lines are not timed, because one clock tick would be too large a part of their time."""
LARGE_FILE_LINES = 3000
KEYSTROKES = 600


def read_scripts(root: Path) -> list[str]:
    """Return the texts of all scripts below `root`, sorted by path."""
    return [files.read(str(path)).text for path in sorted(root.rglob("*.pine"))]


def line_count(text: str) -> int:
    return text.count("\n") + 1


def parse_time(scripts: list[str]) -> list[float]:
    """Return milliseconds of CPU time for 1000 lines of each script, the best of five runs."""
    results: list[float] = []
    for text in scripts:
        best = min(_cpu_milliseconds(text) for _ in range(5))
        results.append(best * 1000 / line_count(text))
    return results


def _cpu_milliseconds(text: str) -> float:
    start = time.process_time()
    parse(text)
    return (time.process_time() - start) * 1000


def joined(scripts: list[str]) -> str:
    """Join scripts to one file of LARGE_FILE_LINES lines or a little more."""
    pieces: list[str] = []
    lines = 0
    for text in scripts:
        pieces.append(text if text.endswith("\n") else text + "\n")
        lines += line_count(text)
        if lines >= LARGE_FILE_LINES:
            break
    return "".join(pieces)


def keystroke_times(text: str) -> list[float]:
    """Return the CPU milliseconds for each of many characters typed at random line ends."""
    source = random.Random(6)
    document = parse(text)
    times: list[float] = []
    while len(times) < KEYSTROKES:
        place = document.lines.offset(source.randrange(1, len(document.lines)), 1 << 20)
        for character in " + close[1]":
            start = time.process_time()
            document.edit(place, place, character)
            times.append((time.process_time() - start) * 1000)
            place += 1
        document.edit(place - 11, place, "")
    return sorted(times)


def memory_kept(scripts: list[str]) -> float:
    """Return the MiB of memory per 1000 lines that the documents of `scripts` use."""
    parse(scripts[0])
    gc.collect()
    tracemalloc.start()
    documents = [parse(text) for text in scripts]
    gc.collect()
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    lines = sum(line_count(document.text) for document in documents)
    return kept / lines * 1000 / 2**20


def main(arguments: list[str]) -> int:
    root = Path(arguments[0]) if arguments else folder("samples")
    everything = read_scripts(root)
    scripts = [text for text in everything if line_count(text) >= SCRIPT_LINES] or everything
    if not scripts:
        print(f"no *.pine below {root}", file=sys.stderr)
        return 2
    parse(scripts[0])
    gc.collect()
    gc.freeze()
    times = parse_time(scripts)
    large = joined(scripts)
    keystrokes = keystroke_times(large)
    print(f"scripts            {len(scripts)}, {sum(map(line_count, scripts))} lines, from {root}")
    print(f"parse              {statistics.median(times):.1f} ms CPU per 1000 lines, {max(times):.1f} worst script")
    print(
        f"keystroke          {statistics.median(keystrokes):.2f} ms median, "
        f"{keystrokes[len(keystrokes) * 95 // 100]:.2f} ms p95, {keystrokes[-1]:.2f} ms worst, "
        f"in a file of {line_count(large)} lines"
    )
    print(f"memory             {memory_kept(scripts[:40]):.2f} MiB kept per 1000 lines")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
