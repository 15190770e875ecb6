"""Every report that is a page: axe-core finds nothing at the width of a phone, a tablet and a desk, in both themes.

The keyboard alone reaches everything that can be used, and leaves it again.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from pinebench.tradingview import browser
from tests.cli.support import pinebench
from tests.docs.browsing import Reader, served
from tests.tradingview.support import patience, start_browser

WIDTHS = ((390, 844), (1024, 768), (1440, 900))
STRATEGY = """//@version=6
strategy("Cross", overlay = true)
length = input.int(10, "Length", minval = 5, maxval = 8)
plot(ta.sma(close, length), "Mean")
if ta.crossover(close, ta.sma(close, length))
    strategy.entry("In", strategy.long)
if ta.crossunder(close, ta.sma(close, length))
    strategy.close("In")
"""
REPORTS = {
    "backtest": "backtest s.pine --data sample:AAPL --format html -o backtest.html",
    "chart": "chart sample:AAPL -p s.pine -o chart.html",
    "plot": "run s.pine --data sample:AAPL --plot plot.html",
    "optimize": "optimize s.pine --data sample:AAPL --page optimize.html",
    "profile": "profile s.pine --data sample:AAPL --format html -o profile.html",
}
TABBED = """(() => [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
  .filter((node) => !node.disabled && node.tabIndex >= 0 && node.checkVisibility({visibilityProperty: true})
    && node.getClientRects().length > 0))()"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one report of each kind."""
    folder = tmp_path_factory.mktemp("reports")
    (folder / "s.pine").write_text(STRATEGY)
    for name, command in REPORTS.items():
        outcome = pinebench(*command.split(), folder=folder)
        assert outcome.code in (0, 1) and (folder / f"{name}.html").exists(), (name, outcome)
    return folder


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with patience():
        launched: browser.RunningBrowser = start_browser(tmp_path_factory.mktemp("profile"))
        found = Reader(launched)
        yield found
        found.close()
        launched.stop()


@pytest.mark.soak
def test_reports_have_no_fault_at_any_width_in_either_theme(folder: Path, reader: Reader) -> None:
    with served(folder) as site:
        for name in REPORTS:
            for scheme in ("light", "dark"):
                reader.prefer(scheme)
                for width, height in WIDTHS:
                    reader.resize(width, height)
                    reader.open(f"{site.address}{name}.html")
                    assert reader.violations() == [], (name, scheme, width)
                    assert reader.js("document.documentElement.scrollWidth") <= width, (name, scheme, width)
            assert reader.faults == [], name


@pytest.mark.soak
def test_the_keyboard_reaches_all_of_a_report(folder: Path, reader: Reader) -> None:
    reader.resize(1440, 900)
    with served(folder) as site:
        for name in REPORTS:
            reader.open(f"{site.address}{name}.html")
            count = reader.js(f"({TABBED}).forEach((node, i) => {{ node.dataset.stop = i; }}), {TABBED}.length")
            reached: list[str | None] = []
            for _ in range(min(count, 60) + 1):
                for kind in ("rawKeyDown", "keyUp"):
                    told = {"type": kind, "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9}
                    reader.tab.request("Input.dispatchKeyEvent", told, 60)
                reached.append(reader.js("document.activeElement.dataset.stop ?? null"))
            stops = [one for one in reached if one is not None]
            assert len(set(stops)) >= min(count, 60), (name, count, reached)
            assert all(one != other for one, other in pairwise(stops)), (name, "the focus stays")
