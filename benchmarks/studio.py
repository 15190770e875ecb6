"""Time the studio's page in a real Chromium: loading, adding a script on 20,000 bars, twenty studies, its memory.

    python benchmarks/studio.py [ROUNDS]

It prints medians with their limits, and the load of the machine, because the times depend on it.
"""

from __future__ import annotations

import csv
import math
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from pinebench.studio.session import Session  # noqa: E402 - of this checkout
from tests.studio.support import BARS, CHART, Driver, Tabs  # noqa: E402 - of this checkout
from tests.tradingview.support import patience, start_browser  # noqa: E402 - of this checkout

COUNT = 20_000
STUDIES = 20
SCRIPT = """//@version=6
indicator("Bands {number}", overlay = true)
mean = ta.sma(close, {length})
spread = ta.stdev(close, {length})
plot(mean)
plot(mean + 2 * spread)
plot(mean - 2 * spread)
"""
_SOURCES = f"{CHART}._chartWidget.model().model().dataSources()"
_FRAME = "await new Promise((done) => requestAnimationFrame(done));"


def write_bars(folder: Path) -> None:
    """Write a CSV file with 20,000 bars of one hour."""
    random, close = Random("studio"), 100.0
    with (folder / "XETR_DEEP_60.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["time", "open", "high", "low", "close", "volume"])
        for number in range(COUNT):
            start, close = close, round(max(5.0, close * math.exp(random.gauss(0, 0.004))), 2)
            high, low = max(start, close) + 0.1, min(start, close) - 0.1
            rows.writerow([1_640_995_200 + 3600 * number, start, round(high, 2), round(low, 2), close, 100])


def median(measure: Callable[[], float], rounds: int) -> float:
    """The median of several measurements."""
    return statistics.median(measure() for _ in range(rounds))


def ready(page: Driver) -> float:
    """Milliseconds from the start of the page until it reported to its server that chart and editor answer."""
    entry = "performance.getEntriesByType('resource').find((one) => one.name.endsWith('/api/ready'))"
    return page.until(f"{entry}?.startTime")


def load(tabs: Tabs, session: Session) -> tuple[float, float, float]:
    """Milliseconds of a first visit and of a reload, and the kilobytes that the reload fetched."""
    page = tabs()
    page.connection.command("Network.enable")
    page.connection.command("Network.clearBrowserCache")
    _reload(page, session)
    cold = ready(page)
    _reload(page, session)
    warm = ready(page)
    fetched = "performance.getEntriesByType('resource').reduce((sum, one) => sum + one.transferSize, 0)"
    first = "performance.getEntriesByType('navigation')[0].transferSize"
    return cold, warm, page.js(f"{fetched} + {first}") / 1000


def _reload(page: Driver, session: Session) -> None:
    session.studio.ready.clear()
    page.connection.command("Page.reload")
    session.wait_until_ready(60)
    page.until("document.readyState === 'complete'")
    time.sleep(1)  # wait until all work has ended, so that the next measurement begins on an idle page


def added(page: Driver, number: int) -> float:
    """Milliseconds from the click until the script's lines are drawn."""
    page.editor.write(SCRIPT.format(number=number, length=10 + number))
    page.until("!document.querySelector('[data-name=\"add-script-to-chart\"]').disabled")
    return page.js(
        f"(async () => {{ const before = {_SOURCES}.length, start = performance.now();"
        " document.querySelector('[data-name=\"add-script-to-chart\"]').click();"
        f" while (!({_SOURCES}.length > before && {_SOURCES}.at(-1).data().size() > 0)) {{ {_FRAME} }}"
        f" {_FRAME} {_FRAME} return performance.now() - start; }})()"
    )


def frames(page: Driver) -> float:
    """Frames per second while each frame moves the chart by one bar."""
    page.page.bring_to_front()
    return page.js(
        f"(async () => {{ const scale = {CHART}._chartWidget.model().timeScale(), start = performance.now();"
        f" let count = 0; while (performance.now() - start < 3000) {{"
        f" scale.zoomToBarsRange(200 - count % 100, 340 - count % 100); {_FRAME} count++; }}"
        " return count / (performance.now() - start) * 1000; })()"
    )


def heap(page: Driver) -> float:
    """Megabytes of objects that are still needed."""
    page.connection.command("HeapProfiler.collectGarbage")
    return page.connection.command("Runtime.getHeapUsage")["usedSize"] / 1e6


def main(rounds: int) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder, patience():
        os.environ["PINEBENCH_STATE_DIR"] = folder
        data = Path(folder) / "bars"
        data.mkdir()
        write_bars(data)
        browser = start_browser(Path(folder) / "profile")
        try:
            with Session(bars=data) as session:
                tabs = Tabs(browser.port, session)
                loads = [load(tabs, session) for _ in range(rounds)]
                page = tabs()
                page.js(f"new Promise((d) => {{ {CHART}.setSymbol('XETR:DEEP'); {CHART}.setResolution('60', d); }})")
                page.until(f"{BARS}.size() > 0 && {CHART}.dataReady()")
                adds = [_alone(page, number) for number in range(rounds + 1)][1:]
                for number in range(STUDIES):
                    page.js(f"{CHART}.createStudy('Bollinger Bands', false, false, {{in_0: {10 + number}}})")
                page.until(f"{_SOURCES}.every((one) => !one.isLoading())")
                speed = median(lambda: frames(page), 3)
                used = heap(page)
                tabs.close()
        finally:
            browser.stop()
    cold, warm, fetched = (statistics.median(column) for column in zip(*loads, strict=True))
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors, medians of {rounds}")
    print(f"first visit            {cold:7.0f} ms   limit 1500")
    print(f"reload                 {warm:7.0f} ms   limit  600")
    print(f"fetched by a reload    {fetched:7.0f} kB   limit   50")
    print(f"add to chart, 20,000   {statistics.median(adds):7.0f} ms   limit  150")
    print(f"20 studies moved       {speed:7.0f} fps  limit   50")
    print(f"heap with 20 studies   {used:7.0f} MB   limit  120")


def _alone(page: Driver, number: int) -> float:
    page.js(f"{CHART}.removeAllStudies()")
    return added(page, number)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
