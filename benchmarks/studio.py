"""Time the studio's page in a real Chromium: loading, adding a script on 20,000 bars, a drag, error marks, its memory.

    python benchmarks/studio.py [ROUNDS]

It prints medians with their limits, and the load of the machine, because the times depend on it. The browser draws
without a graphics card.
"""

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

from pinebench.studio.session import StudioSession  # noqa: E402 - of this checkout
from tests.studio.support import BARS, CHART, CTRL, Driver, Tabs  # noqa: E402 - of this checkout
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
HEAVY = """//@version=6
indicator("Heavy", overlay = true, max_labels_count = 500, max_boxes_count = 500)
bgcolor(bar_index % 7 == 0 ? color.new(color.blue, 85) : na)
shade = color.new(close > open ? color.green : color.red, 80)
fill(plot(ta.sma(close, 20)), plot(ta.sma(close, 50)), shade)
if bar_index % {every} == 0
    label.new(bar_index, high, str.tostring(bar_index), color = color.blue, textcolor = color.white)
    box.new(bar_index - 3, high, bar_index + 3, low, border_color = color.orange, bgcolor = color.new(color.orange, 80))
"""
"""500 labels and 500 boxes: on each 40th of all bars, or on each of the last 500."""
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
    """Return the median of several measurements."""
    return statistics.median(measure() for _ in range(rounds))


def ready(page: Driver) -> float:
    """Return the milliseconds from the start of the page until it reports that chart and editor respond."""
    entry = "performance.getEntriesByType('resource').find((one) => one.name.endsWith('/api/ready'))"
    return page.until(f"{entry}?.startTime")


def load(tabs: Tabs, session: StudioSession) -> tuple[float, float, float]:
    """Return the milliseconds of a first visit and of a reload, and the kilobytes that the reload fetched."""
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


def _reload(page: Driver, session: StudioSession) -> None:
    session.studio.ready.clear()
    page.connection.command("Page.reload")
    session.wait_until_ready(60)
    page.until("document.readyState === 'complete'")
    time.sleep(1)  # wait until all work has ended, so that the next measurement begins on an idle page


def added(page: Driver, number: int) -> float:
    """Return the milliseconds from the click until the script's lines are drawn."""
    page.editor.write(SCRIPT.format(number=number, length=10 + number))
    page.until("!document.querySelector('[data-name=\"add-script-to-chart\"]').disabled")
    return page.js(
        f"(async () => {{ const before = {_SOURCES}.length, start = performance.now();"
        " document.querySelector('[data-name=\"add-script-to-chart\"]').click();"
        f" while (!({_SOURCES}.length > before && {_SOURCES}.at(-1).data().size() > 0)) {{ {_FRAME} }}"
        f" {_FRAME} {_FRAME} return performance.now() - start; }})()"
    )


def frames(page: Driver) -> float:
    """Return the frames per second while each frame moves the chart by one bar."""
    page.page.bring_to_front()
    return page.js(
        f"(async () => {{ const scale = {CHART}._chartWidget.model().timeScale(), start = performance.now();"
        f" let count = 0; while (performance.now() - start < 3000) {{"
        f" scale.zoomToBarsRange(200 - count % 100, 340 - count % 100); {_FRAME} count++; }}"
        " return count / (performance.now() - start) * 1000; })()"
    )


def drag(page: Driver) -> float:
    """Return the 95th percentile of the frame time, in milliseconds, while the mouse drags the chart."""
    page.page.bring_to_front()
    left, top = page.js(
        "(({x, y, width, height}) => [x + width / 2, y + height / 3])"
        "(document.querySelector('[data-name=\"pane-canvas\"]').getBoundingClientRect())"
    )

    def mouse(kind: str, x: float) -> None:
        pressed = {"button": "left", "buttons": 0 if kind == "mouseReleased" else 1, "clickCount": 1}
        page.connection.command("Input.dispatchMouseEvent", type=kind, x=x, y=top, **pressed)

    page.js(
        "window.__frames = []; window.__dragging = true; (function next(before) { requestAnimationFrame((now) => {"
        " if (before !== undefined) window.__frames.push(now - before);"
        " if (window.__dragging) next(now); }); })(), 1"
    )
    mouse("mousePressed", left)
    for step in range(120):
        mouse("mouseMoved", left + 3 * (step if step < 60 else 120 - step))
    mouse("mouseReleased", left)
    times = page.js("(window.__dragging = false, window.__frames)")
    return statistics.quantiles(times, n=20)[-1]


def squiggle(page: Driver) -> float:
    """Return the milliseconds from a typed key that causes an error until the editor marks it."""
    page.editor.write(SCRIPT.format(number=0, length=10))
    page.js(
        "(() => { const editor = document.querySelector('.pine-editor-monaco');"
        " editor.querySelector('textarea, .native-edit-context').focus(); })()"
    )
    page.until("document.querySelectorAll('.squiggly-error').length === 0")
    page.press("End", "End", 35, CTRL)
    page.js(
        "addEventListener('keydown', () => { const start = performance.now(); (function look() {"
        " if (document.querySelector('.squiggly-error') === null) requestAnimationFrame(look);"
        " else window.__squiggle = performance.now() - start; })(); }, {capture: true, once: true}),"
        " window.__squiggle = 0"
    )
    page.connection.command("Input.dispatchKeyEvent", type="keyDown", key="(", text="(")
    page.connection.command("Input.dispatchKeyEvent", type="keyUp", key="(")
    return page.until("window.__squiggle")


def heap(page: Driver) -> float:
    """Return the megabytes of reachable objects on the page's heap."""
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
            with StudioSession(bars=data) as session:
                tabs = Tabs(browser.port, session)
                loads = [load(tabs, session) for _ in range(rounds)]
                page = tabs()
                page.connection.command(
                    "Emulation.setDeviceMetricsOverride", width=1440, height=900, deviceScaleFactor=1, mobile=False
                )
                page.js(f"new Promise((d) => {{ {CHART}.setSymbol('XETR:DEEP'); {CHART}.setResolution('60', d); }})")
                page.until(f"{BARS}.size() > 0 && {CHART}.dataReady()")
                adds = [_alone(page, number) for number in range(rounds + 1)][1:]
                marked = median(lambda: squiggle(page), rounds)
                drags = {name: _dragged(page, HEAVY.format(every=every), *bars) for name, every, *bars in DRAGS}
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
    print(f"key to squiggle        {marked:7.0f} ms   limit  250")
    for name, times in drags.items():
        print(f"drag, {name:<16} {times:7.0f} ms   limit   50   (95th percentile of a frame)")
    print(f"20 studies moved       {speed:7.0f} fps  limit   50")
    print(f"heap with 20 studies   {used:7.0f} MB   limit  120")


DRAGS = (("last 140 bars", 1, COUNT - 140, COUNT), ("last 500 bars", 1, COUNT - 500, COUNT), ("all bars", 40, 0, COUNT))
"""The drags: a name, the bars from one label to the next, and the first and the last visible bar."""


def _dragged(page: Driver, source: str, first: int, last: int) -> float:
    """Return the milliseconds of a frame in a drag from bar `first` to `last` with 500 labels and 500 boxes."""
    page.js(f"{CHART}.removeAllStudies()")
    page.js("TradingView.bottomWidgetBar.hideWidget('pine-editor')")
    scale = f"{CHART}._chartWidget.model().timeScale()"
    for _ in range(COUNT // 1000):  # older bars are loaded as they are looked at
        page.js(f"{scale}.zoomToBarsRange(0, 100)")
        page.until(f"{CHART}.dataReady()")
        if page.js(f"{BARS}.size()") >= COUNT:
            break
        page.until("new Promise((done) => setTimeout(() => done(true), 200))")
    page.editor.write(source)
    page.editor.compile()
    page.until(f"{_SOURCES}.length > 0 && {_SOURCES}.every((one) => !one.isLoading())")
    page.js("TradingView.bottomWidgetBar.hideWidget('pine-editor')")
    page.js(f"{scale}.zoomToBarsRange({first}, {last})")
    time.sleep(1)
    return drag(page)


def _alone(page: Driver, number: int) -> float:
    page.js(f"{CHART}.removeAllStudies()")
    return added(page, number)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
