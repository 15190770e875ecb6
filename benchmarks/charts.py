"""Measure how long charts take to draw: `python benchmarks/charts.py [--times N]`.

It prints medians of CPU time for PNG, SVG and HTML with three panels, beside their limits, and how long the HTML file
of 5,000 bars takes to open in Chromium, if that is installed. It only prints; it does not fail.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pinebench.charts import ChartDescription, as_html, as_png, as_svg
from pinebench.errors import UnavailableError
from pinebench.indicators import asked, compute, draw, load
from pinebench.tradingview import browser, targets
from pinebench.tradingview.tab import Tab
from pinebench.tradingview.targets import Target

INDICATORS = ("bbands", "rsi", "macd", "stoch")
LIMITS = {200: 350, 5000: 1500}
"""The milliseconds of CPU that a picture may take, by its number of bars."""
OPENED = 1000
_PAINTED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))"


def main() -> int:
    """Measure everything and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--times", type=int, default=7, help="how often each picture is drawn")
    times = parser.parse_args().times
    print(f"{'figure':<52}{'median':>10}{'limit':>8}")
    for bars, limit in LIMITS.items():
        made = described(bars)
        for renderer in (as_png, as_svg, as_html):
            took = [_cpu(renderer, made) for _ in range(times)]
            name = f"{renderer.__name__[3:].upper()}, {bars} bars, 3 panels, 1920 by 1080"
            print(f"{name:<52}{statistics.median(took):>10.0f}{limit:>8} ms CPU")
    try:
        opened = opening(described(5000)(), times)
        print(f"{'HTML of 5000 bars opens in Chromium':<52}{statistics.median(opened):>10.0f}{OPENED:>8} ms")
    except UnavailableError as error:
        print(f"the HTML file was not opened: {error.message}")
    return 0


def described(bars: int) -> Callable[[], ChartDescription]:
    """Return a function that describes the chart. The indicators are computed here, before the measurement."""
    loaded = load("sample:BTCUSDT", "4h", bars)
    runs = [compute(one, loaded.bars, loaded.symbol, loaded.shown, loaded.others) for one in asked(list(INDICATORS))]
    return lambda: draw(loaded, runs)


def opening(chart: ChartDescription, times: int) -> list[float]:
    """Return the milliseconds from the start of navigation to the frame after the page's first paint, for each try."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "chart.html")
        path.write_text(as_html(chart), encoding="utf-8")
        extra = ("--hide-scrollbars",)
        launched = browser.launch(port=0, profile=f"{folder}/profile", url="about:blank", headless=True, extra=extra)
        try:
            return [_open(launched.port, path) for _ in range(times)]
        finally:
            launched.stop()


def _open(port: int, path: Path) -> float:
    entry = targets.ask_browser("127.0.0.1", port, "/json/new?about:blank", "PUT")
    tab = Tab("127.0.0.1", port, Target(entry["id"], "page", "", "about:blank"))
    tab.start()
    try:
        tab.request("Emulation.setDeviceMetricsOverride", _SIZE, 30)
        tab.request("Page.navigate", {"url": path.as_uri()}, 30)
        asked_for = {"expression": _PAINTED, "returnByValue": True, "awaitPromise": True}
        found: dict[str, Any] = tab.request("Runtime.evaluate", asked_for, 30)
        return float(found["result"]["value"])
    finally:
        tab.stop()
        targets.ask_browser("127.0.0.1", port, f"/json/close/{tab.target.id}")


_SIZE = {"width": 1920, "height": 1080, "deviceScaleFactor": 1, "mobile": False}


def _cpu(renderer: Callable[[ChartDescription], object], made: Callable[[], ChartDescription]) -> float:
    begin = time.process_time()
    renderer(made())
    return (time.process_time() - begin) * 1000


if __name__ == "__main__":
    sys.exit(main())
