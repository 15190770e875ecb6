"""Time the bridge to a studio: start a browser, write 1,000 lines, compile, and read three markers back.

    python benchmarks/bridge.py [RUNS]
    python benchmarks/bridge.py --against COMMIT [ROUNDS]

The first form prints milliseconds for each step. The second one compares the tools of this tree with the tools of an
earlier commit, on one page of this tree's studio. Both drive the same page by turns, each in processes of its own, so
that a change of the machine's load changes both. It prints milliseconds for each call, and the time
before divided by the time now. Both need a browser and the built studio page.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

LINES = 1000
BUDGET_TOTAL_MS = 4000
BUDGET_PAGE_MS = 250


def script(lines: int) -> str:
    """Return a script of `lines` lines with three errors at its end."""
    body = [f"x{number} = ta.sma(close, {number + 2}) // 😀 `line`" for number in range(lines - 5)]
    return "\n".join(["//@version=6", 'indicator("Bench")', *body, "plot(uno)", "plot(dos)", "plot(tres)"])


def once() -> dict[str, float]:
    """Measure one run with a new studio and a new browser. Return milliseconds by step."""
    started = time.perf_counter()
    marks: dict[str, float] = {}

    def mark(name: str, since: float) -> None:
        marks[name] = (time.perf_counter() - since) * 1000

    from pinebench.studio.session import StudioSession
    from pinebench.tradingview import browser
    from pinebench.tradingview.connection import Connection
    from pinebench.tradingview.editor import PageEditor
    from pinebench.tradingview.page import Page

    text = script(LINES)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile, StudioSession() as studio:
        launched = browser.launch(port=0, profile=profile, url=studio.url, headless=True)
        try:
            mark("browser", started)
            if not studio.wait_until_ready(30):
                raise SystemExit("the studio's page did not come up")
            mark("page is up", started)
            up = time.perf_counter()
            with Connection("127.0.0.1", launched.port) as connection:
                editor = PageEditor(Page(connection))
                since = time.perf_counter()
                connection.tab()
                mark("connect", since)
                since = time.perf_counter()
                editor.write(text)
                mark("find, write, read back", since)
                since = time.perf_counter()
                compiled = editor.compile()
                mark("compile and markers", since)
                if len(compiled.errors) != 3:
                    raise SystemExit(f"expected 3 markers, read {compiled.markers}")
                mark("after the page is up", up)
                mark("total", started)
        finally:
            launched.stop()
    return marks


CALLS = 8
"""How often a process makes each call, after one that is not timed."""

SYMBOLS = ("NASDAQ:MSFT", "NASDAQ:AAPL")


def calls(number: int, study: str) -> dict[str, list[tuple[str, dict[str, Any]]]]:
    """Return the calls of tools by the name of their figure. `number` makes each call change something."""
    text = f'//@version=6\nindicator("Bench", overlay = true)\nplot(ta.sma(close, {5 + number}))\n'
    return {
        "set source, compile": [("pine_set_source", {"source": text}), ("pine_smart_compile", {})],
        "write an input": [("indicator_set_inputs", {"entity_id": study, "inputs": {"length": 5 + number}})],
        "change the symbol": [("chart_set_symbol", {"symbol": SYMBOLS[number % 2]})],
        "read 500 bars": [("data_get_ohlcv", {"count": 500})],
    }


def timed_calls(root: str, port: int, tab: str) -> None:
    """Time the tool calls of the tree at `root` on an open page, and print the milliseconds of each as JSON."""
    sys.path.insert(0, root)
    from pinebench.tools.chart_browser import ChartBrowser
    from pinebench.tools.tool_calls import call

    chart = ChartBrowser(port=port, target=tab)

    def use(name: str, given: dict[str, Any]) -> dict[str, Any]:
        result = call(chart, name, given)
        if not result["success"]:
            raise SystemExit(f"{name}: {result['error']}")
        return result

    study = use("chart_manage_indicator", {"action": "add", "indicator": "Relative Strength Index"})["entity_id"]
    found: dict[str, list[float]] = {}
    for number in range(CALLS + 1):
        for name, work in calls(number, study).items():
            since = time.perf_counter()
            for tool, given in work:
                use(tool, given)
            if number:
                found.setdefault(name, []).append((time.perf_counter() - since) * 1000)
    use("chart_manage_indicator", {"action": "remove", "entity_id": study})
    chart.close()
    print(json.dumps(found))


def turn(root: Path, port: int, tab: str) -> dict[str, list[float]]:
    """Return the call times of the tree at `root`, measured in a process of its own."""
    code = f"import runpy; runpy.run_path({__file__!r})['timed_calls']({str(root)!r}, {port}, {tab!r})"
    environment = {**os.environ, "PYTHONPATH": str(root)}
    with tempfile.TemporaryDirectory() as state:
        environment["PINEBENCH_STATE_DIR"] = state
        told = subprocess.run([sys.executable, "-c", code], cwd=state, env=environment, capture_output=True, text=True)
    if told.returncode != 0:
        raise SystemExit(f"{root}: {told.stderr.strip()[-800:]}")
    return json.loads(told.stdout)


def against(commit: str, rounds: int) -> int:
    """Compare the tools of this tree with the tools of a commit, alternately on one page."""
    from trees import tree_of

    from pinebench.studio.session import StudioSession
    from pinebench.tradingview import browser, targets

    here = Path(__file__).resolve().parents[1]
    before: dict[str, list[float]] = {}
    now: dict[str, list[float]] = {}
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile,
        tempfile.TemporaryDirectory() as folder,
        StudioSession() as studio,
    ):
        tree = tree_of(commit, folder)
        launched = browser.launch(port=0, profile=profile, url=studio.url, headless=True)
        try:
            if not studio.wait_until_ready(60):
                raise SystemExit("the studio's page did not come up")
            tab = next(one.id for one in targets.list_targets("127.0.0.1", launched.port) if "/chart/" in one.url)
            for number in range(rounds):
                order = ((tree, before), (here, now)) if number % 2 == 0 else ((here, now), (tree, before))
                for root, found in order:
                    for name, times in turn(root, launched.port, tab).items():
                        found.setdefault(name, []).extend(times)
        finally:
            launched.stop()
    print(f"{'ms: median (best)':<22}{'before':>16}{'now':>16}{'x median':>10}{'x best':>8}")
    for name, times in now.items():
        old = before[name]
        shown = [f"{median(each):.0f} ({min(each):.0f})" for each in (old, times)]
        ratios = f"{median(old) / median(times):>10.2f}{min(old) / min(times):>8.2f}"
        print(f"{name:<22}{shown[0]:>16}{shown[1]:>16}{ratios}")
    return 0


def main() -> int:
    """Run, print the medians, and return 1 if a budget is exceeded."""
    if sys.argv[1:2] == ["--against"]:
        return against(sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 4)
    runs = [once() for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 3)]
    for name in runs[0]:
        values = [run[name] for run in runs]
        print(f"{name:<22} median {median(values):7.0f} ms   best {min(values):7.0f} ms")
    total, after = (median(run[name] for run in runs) for name in ("total", "after the page is up"))
    return 0 if total < BUDGET_TOTAL_MS and after <= BUDGET_PAGE_MS else 1


if __name__ == "__main__":
    sys.exit(main())
