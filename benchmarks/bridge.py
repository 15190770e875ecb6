"""Time the bridge to a studio: start a browser, write 1,000 lines, compile, and read three markers back.

Run: python benchmarks/bridge.py [RUNS]. It prints milliseconds for each step; it needs a browser and the built studio
page.
"""

from __future__ import annotations

import sys
import tempfile
import time
from statistics import median

LINES = 1000
BUDGET_TOTAL_MS = 4000
BUDGET_PAGE_MS = 250


def script(lines: int) -> str:
    """A script of `lines` lines with three errors at its end."""
    body = [f"x{number} = ta.sma(close, {number + 2}) // 😀 `line`" for number in range(lines - 5)]
    return "\n".join(["//@version=6", 'indicator("Bench")', *body, "plot(uno)", "plot(dos)", "plot(tres)"])


def once() -> dict[str, float]:
    """One run with a new studio and a new browser; milliseconds by step."""
    started = time.perf_counter()
    marks: dict[str, float] = {}

    def mark(name: str, since: float) -> None:
        marks[name] = (time.perf_counter() - since) * 1000

    from pinebench.studio.session import Session
    from pinebench.tradingview import browser
    from pinebench.tradingview.connection import Connection
    from pinebench.tradingview.editor import Editor
    from pinebench.tradingview.page import Page

    text = script(LINES)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile, Session() as studio:
        launched = browser.launch(port=0, profile=profile, url=studio.url, headless=True)
        try:
            mark("browser", started)
            if not studio.wait_until_ready(30):
                raise SystemExit("the studio's page did not come up")
            mark("page is up", started)
            up = time.perf_counter()
            with Connection("127.0.0.1", launched.port) as connection:
                editor = Editor(Page(connection))
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


def main() -> int:
    """Run, print the medians, and return 1 if a budget is exceeded."""
    runs = [once() for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 3)]
    for name in runs[0]:
        values = [run[name] for run in runs]
        print(f"{name:<22} median {median(values):7.0f} ms   best {min(values):7.0f} ms")
    total, after = (median(run[name] for run in runs) for name in ("total", "after the page is up"))
    return 0 if total < BUDGET_TOTAL_MS and after <= BUDGET_PAGE_MS else 1


if __name__ == "__main__":
    sys.exit(main())
