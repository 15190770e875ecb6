"""Time the playground in a real Chromium: the first verdict with empty caches, and verdicts on 200 lines afterwards.

    python benchmarks/playground.py [SITE] [ROUNDS]

SITE is a built site (default: build/site, see `make docs`). The limits are 6 seconds and 300 milliseconds.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.docs.browsing import Reader, served, write  # noqa: E402 - of this checkout
from tests.tradingview.support import patience, start_browser  # noqa: E402 - of this checkout

LINES = 200


def script(number: int) -> str:
    """A script of 200 lines that differs by its number."""
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


def main(folder: Path, rounds: int) -> int:
    """Measure and print; return 1 if a limit is missed."""
    first: list[float] = []
    checks: list[float] = []
    with patience(), served(folder) as site:
        for _ in range(rounds):
            with tempfile.TemporaryDirectory() as profile:  # empty caches
                launched = start_browser(Path(profile))
                try:
                    reader = Reader(launched)
                    reader.open(f"{site.address}playground/")
                    first.append(reader.until("window.pineVerdicts && window.pineVerdicts.first"))
                    reader.until("window.pineVerdicts.runs > 0")
                    for number in range(6):
                        done = reader.js("window.pineVerdicts.checks.length")
                        write(reader, script(number))
                        reader.until(f"window.pineVerdicts.checks.length > {done}")
                        checks.append(reader.js("window.pineVerdicts.checks.at(-1)"))
                        reader.until(f"window.pineVerdicts.runs > {number + 1}")
                finally:
                    launched.stop()
    cold, later = statistics.median(first), statistics.median(checks)
    print(f"load of the machine {os.getloadavg()[0]:.1f}")
    print(f"first verdict, cold: {cold:.0f} ms (limit 6000), all: {[round(one) for one in first]}")
    print(f"verdict on {LINES} lines: {later:.0f} ms (limit 300), all: {[round(one) for one in checks]}")
    return int(cold > 6000 or later > 300)


if __name__ == "__main__":
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "site"
    sys.exit(main(place, int(sys.argv[2]) if len(sys.argv) > 2 else 3))
