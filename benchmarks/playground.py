"""Time the playground in a real Chromium: the first verdict with empty caches, and later verdicts on 200 lines.

    python benchmarks/playground.py [SITE] [ROUNDS]

SITE is a built site (default: build/site, see `make docs`). The limits are 6 seconds and 300 milliseconds. The first
verdict is timed from the opening of the page. Later ones are timed from the request to the displayed answer, after the
0.12 seconds in which the page waits for the next key. The machine's load is printed, because the times grow with it.
"""

import os
import statistics
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.docs.browsing import Reader, served, write  # noqa: E402 - of this checkout
from tests.tradingview.support import patience, start_browser  # noqa: E402 - of this checkout

LINES = 200
CHANGES = 6
COLD, LATER = 6000, 300
"""Limits of the medians in milliseconds."""
ENDED = (
    "window.pineVerdicts.runs > {runs} || document.querySelector('[data-id=output]').textContent.includes('Stopped')"
)


def script(number: int) -> str:
    """Return a script of 200 lines that differs by `number`."""
    head = ["//@version=6", f'indicator("Two hundred lines {number}", overlay = true)', f"int base = {10 + number}"]
    parts: list[str] = []
    for i in range((LINES - len(head)) // 5 + 1):
        parts += [
            f"float mean{i} = ta.sma(close, base + {i})",
            f"float spread{i} = close - mean{i}",
            f"bool above{i} = spread{i} > 0 and close > open",
            f"if above{i} and bar_index % {i + 2} == 0",
            f'    log.info("mean {{0}}", mean{i})',
        ]
    return "\n".join([*[*head, *parts][: LINES - 1], "plot(mean0)"]) + "\n"


class Times(NamedTuple):
    """The measured times in milliseconds: a value for each browser, and for `checks` one for each text."""

    ready: list[float]
    first: list[float]
    checks: list[float]


def measure(folder: Path, rounds: int) -> Times:
    """Open the playground in `rounds` new browsers, and change the script in each of them."""
    times = Times([], [], [])
    with patience(), served(folder) as site:
        for number in range(rounds):
            with tempfile.TemporaryDirectory() as profile:  # empty caches
                launched = start_browser(Path(profile))
                try:
                    reader = Reader(launched)
                    reader.open(f"{site.address}playground/")
                    times.first.append(reader.until("window.pineVerdicts && window.pineVerdicts.first"))
                    times.ready.append(reader.js("window.pineVerdicts.ready"))
                    checks = changed(reader)
                finally:
                    launched.stop()
            times.checks.extend(checks)
            print(f"browser {number + 1}: first {times.first[-1]:.0f} ms, then {[round(one) for one in checks]}")
    return times


def changed(reader: Reader) -> list[float]:
    """Replace the script CHANGES times, and return the milliseconds of each check.

    The page has one Python interpreter, so each text waits until the run of the last one has ended; on a busy machine
    the page may have stopped that run.
    """
    checks: list[float] = []
    reader.until(ENDED.format(runs=0))
    for number in range(CHANGES):
        runs, done = reader.js("window.pineVerdicts.runs"), reader.js("window.pineVerdicts.checks.length")
        write(reader, script(number))
        reader.until(f"window.pineVerdicts.checks.length > {done}")
        checks.append(reader.js("window.pineVerdicts.checks.at(-1)"))
        reader.until(ENDED.format(runs=runs))
    return checks


def main(folder: Path, rounds: int) -> int:
    """Measure and print. Return 1 if a median exceeds its limit."""
    print(f"load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, before")
    times = measure(folder, rounds)
    print(f"load of the machine {os.getloadavg()[0]:.1f}, after")
    cold, later = statistics.median(times.first), statistics.median(times.checks)
    ready = statistics.median(times.ready)
    print(
        f"first verdict, cold: median {cold:.0f} ms, best {min(times.first):.0f} ms (limit {COLD}); Python {ready:.0f}"
    )
    print(f"verdict on {LINES} lines: median {later:.0f} ms, best {min(times.checks):.0f} ms (limit {LATER})")
    return int(cold > COLD or later > LATER)


if __name__ == "__main__":
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "site"
    sys.exit(main(place, int(sys.argv[2]) if len(sys.argv) > 2 else 3))
