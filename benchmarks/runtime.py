"""Run every indicator of a corpus on sample bars: count which run and which are refused, and measure the speed.

usage: python benchmarks/runtime.py CORPUS [--bars N] [--seconds S] [--all] [--verbose]

CORPUS holds `index.jsonl` and `files/`. The scripts of grade A are run (they are published, so they surely compile);
with `--all`, the scripts of every grade. A script may take S seconds.
"""

import argparse
import json
import math
import random
import signal
import statistics
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

from pinebench.checker import open_program
from pinebench.diagnostics import Severity
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.runtime.refusals import NotComputed
from pinebench.runtime.runtime import Runtime

START = 1_704_067_200_000


def sample_bars(count: int, minutes: int = 60) -> Bars:
    """Return bars of a random walk that is the same each time."""
    wander = random.Random(16)
    bars = Bars()
    price = 100.0
    for number in range(count):
        price_open = price
        price = max(1.0, price * math.exp(wander.gauss(0, 0.004)))
        reach = abs(wander.gauss(0, 0.003)) * price
        bars.time.append(START + number * minutes * 60_000)
        bars.open.append(round(price_open, 2))
        bars.close.append(round(price, 2))
        bars.high.append(round(max(price_open, price) + reach, 2))
        bars.low.append(round(min(price_open, price) - reach, 2))
        bars.volume.append(float(wander.randrange(100, 10_000)))
    return bars


class TooLong(Exception):
    """An error for a script that took longer than allowed."""


def _stop(*_: Any) -> None:
    raise TooLong


def measure(text: str, bars: Bars, seconds: float) -> tuple[str, str, float]:
    """Return the outcome of a script (`ran`, `refused`, `stopped`, `invalid`, `slow`, `fault`), the reason, and its
    CPU seconds."""
    signal.signal(signal.SIGALRM, _stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        program = open_program(text)
        if any(finding.severity is Severity.ERROR for finding in program.diagnostics):
            return "invalid", "", 0
        runtime = Runtime(program, bars, SymbolInfo(timeframe="60"))
        begin = time.process_time()
        result = runtime.run()
        took = time.process_time() - begin
        return ("stopped", result.error.message, took) if result.error is not None else ("ran", "", took)
    except NotComputed as refusal:
        return "refused", refusal.name, 0
    except TooLong:
        return "slow", "", 0
    except Exception as error:  # the benchmark counts such internal errors
        where = traceback.extract_tb(error.__traceback__)[-1]
        return "fault", f"{type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})", 0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("corpus", type=Path)
    options.add_argument("--bars", type=int, default=3000)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--all", action="store_true")
    options.add_argument("--verbose", action="store_true")
    options.add_argument("--kinds", nargs="+", default=["indicator"], choices=["indicator", "strategy", "library"])
    options.add_argument("--part", default="0/1", help="the scripts whose number leaves K when divided by N: K/N")
    given = options.parse_args()
    remainder, parts = map(int, given.part.split("/"))
    bars = sample_bars(given.bars)
    entries = [json.loads(line) for line in (given.corpus / "index.jsonl").read_text(encoding="utf8").splitlines()]
    chosen = [e for e in entries if e["kind"] in given.kinds and (given.all or e["grade"] == "A")]
    ends: Counter[str] = Counter()
    reasons: dict[str, Counter[str]] = {"refused": Counter(), "stopped": Counter(), "fault": Counter()}
    speeds: list[float] = []
    for number, entry in enumerate(chosen):
        if number % parts != remainder:
            continue
        text = (given.corpus / "files" / f"{entry['sha256'][:16]}.pine").read_text(encoding="utf8")
        end, reason, took = measure(text, bars, given.seconds)
        ends[end] += 1
        if end in reasons:
            reasons[end][reason] += 1
        if end == "ran":
            speeds.append(given.bars / max(took, 1e-6))
        if given.verbose and end in ("fault", "slow", "stopped"):
            print(f"{end}: {entry['sha256'][:16]} {entry['path']}: {reason}", file=sys.stderr)
    valid = sum(ends.values()) - ends["invalid"]
    print(f"{valid} scripts on {given.bars} bars: {dict(ends)}")
    print(f"without internal fault: {(valid - ends['fault'] - ends['slow']) / max(valid, 1):.1%}, ran: {ends['ran']}")
    for end, counted in reasons.items():
        print(f"{end}:")
        for reason, count in counted.most_common(40):
            print(f"  {count:4} {reason[:150]}")
    if speeds:
        speeds.sort()
        share = sum(speed > 1_000_000 for speed in speeds) / len(speeds)
        tenth = speeds[len(speeds) // 10]
        print(
            f"bars per CPU second: median {statistics.median(speeds):,.0f}, a tenth below {tenth:,.0f}, "
            f"slowest {speeds[0]:,.0f}; above 1,000,000: {share:.0%}"
        )
    return 0 if not ends["fault"] else 1


if __name__ == "__main__":
    raise SystemExit(main())
