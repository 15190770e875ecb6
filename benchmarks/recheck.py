"""Measure the check after a keystroke in scripts of 3,000 lines: `python benchmarks/recheck.py FOLDER`.

The scripts are joined from the real scripts in the folder, without their plots, because too many plots are an error. It
prints medians of CPU milliseconds from the edit to the findings: after a keystroke anywhere, after a keystroke that
breaks nothing (in a comment, a string or a number), and for parsing and checking the whole text again.
"""

import gc
import random
import re
import statistics
import sys
import time
from pathlib import Path

import check as checking

from pinebench.checker import check
from pinebench.diagnostics import Severity
from pinebench.syntax import Document, parse

SCRIPTS = 8
KEYSTROKES = 10
_PLOTS = re.compile(r"\s*(?:\w+\s*=\s*)?(?:plot\w*|hline|fill|bgcolor|barcolor|alertcondition)\s*\(")
HARMLESS = re.compile(r"(?m)(?<=//) |(?<= \")[A-Z]|(?<=[ (]1)0?(?=[,)])")


def main() -> int:
    """Print the medians."""
    if len(sys.argv) < 2:
        sys.exit("recheck: name a folder with real scripts")
    scripts = long_scripts(Path(sys.argv[1]))[:SCRIPTS]
    choose = random.Random(1)
    anywhere: list[float] = []
    harmless: list[float] = []
    fresh: list[float] = []
    for text in scripts:
        check(parse(text))
        document = parse(text)
        check(document)
        gc.collect()
        gc.freeze()
        places = [match.end() for match in HARMLESS.finditer(text)]
        for _ in range(KEYSTROKES):
            anywhere.append(keystroke(document, choose.randrange(100, len(text)), "x"))
            harmless.append(keystroke(document, choose.choice(places), "1"))
        fresh.append(checking.measure([text]))
        gc.unfreeze()
    for name, times in (
        ("keystroke anywhere", anywhere),
        ("harmless keystroke", harmless),
        ("checked from nothing", fresh),
    ):
        print(f"{name:<20}{1000 * statistics.median(times):7.1f} ms median, {1000 * min(times):.1f} ms best")
    return 0


def keystroke(document: Document, place: int, character: str) -> float:
    """Return the CPU seconds from typing `character` at the offset `place` to the findings, and remove it again."""
    started = time.process_time()
    document.edit(place, place, character)
    found = check(document).diagnostics
    took = time.process_time() - started
    document.edit(place, place + 1, "")
    check(document)
    del found
    return took


def long_scripts(folder: Path) -> list[str]:
    """Return strategies of about 3,000 lines without plots and without errors."""
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(folder.rglob("*.pine"))]
    return checking.joined([thin for text in texts if (thin := without_plots(text)) is not None])


def without_plots(text: str) -> str | None:
    """Return `text` without its plot statements; None if it has errors then."""
    kept = "".join(chunk.text for chunk in parse(text).chunks if not _PLOTS.match(chunk.text))
    return None if any(found.severity is Severity.ERROR for found in check(parse(kept)).diagnostics) else kept


if __name__ == "__main__":
    sys.exit(main())
