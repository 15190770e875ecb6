"""Every report that is a page, and the chart server's `/app`: axe-core finds nothing at three widths in both themes.

The keyboard alone reaches everything that can be used, and leaves it again.
"""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from pinebench.evals.tasks import tasks
from tests.cli.support import pinebench
from tests.docs.browsing import Reader, served
from tests.docs.test_playground_page import reader
from tests.evals.pupil import ENVIRONMENT, MODEL, Pupil, solved, wrong
from tests.mcp.web.support import Server

__all__ = ["reader"]

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
EXAM = "explain-trap-?"
CUT_OFF = """[...document.querySelectorAll('.tables .wide')].filter((node) => node.scrollWidth > node.clientWidth)
  .map((node) => node.getAttribute('aria-label'))"""
TABBED = """(() => [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
  .filter((node) => !node.disabled && node.tabIndex >= 0 && node.checkVisibility({visibilityProperty: true})
    && node.getClientRects().length > 0))()"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, tuple[str, str]]]:
    """The addresses of a report of each kind, of the board of models, and of the chart server's page with and without a
    log-in; each with a condition that holds once the page shows its content."""
    folder = tmp_path_factory.mktemp("reports")
    (folder / "s.pine").write_text(STRATEGY)
    for name, command in REPORTS.items():
        outcome = pinebench(*command.split(), folder=folder)
        assert outcome.code in (0, 1) and (folder / f"{name}.html").exists(), (name, outcome)
    with Pupil(tasks(1, [EXAM]), lambda task: wrong(task) if task.id.endswith("-2") else solved(task)) as pupil:
        outcome = pinebench(
            *("eval", "--model", MODEL, "--tasks", EXAM, "-o", "eval"),
            folder=folder,
            environment=ENVIRONMENT | {"ANTHROPIC_BASE_URL": pupil.url},
        )
    assert outcome.code == 0, outcome
    with (
        served(folder) as site,
        Server(tmp_path_factory.mktemp("open"), auth=False) as everybody,
        Server(tmp_path_factory.mktemp("closed")) as owners,
    ):
        yield {
            **{name: (f"{site.address}{name}.html", "true") for name in REPORTS},
            "eval": (f"{site.address}eval/report.html", "true"),
            "app": (f"{everybody.url}/app", "document.querySelector('.market__status')?.dataset.kind === 'ready'"),
            "log-in": (f"{owners.url}/app", "document.querySelector('[data-name=\"log-in\"]') !== null"),
        }


@pytest.mark.soak
def test_pages_have_no_fault_at_any_width_in_either_theme(pages: dict[str, tuple[str, str]], reader: Reader) -> None:
    found: list[tuple[object, ...]] = []
    for name, (address, is_shown) in pages.items():
        for scheme in ("light", "dark"):
            reader.prefer(scheme)
            for width, height in WIDTHS:
                reader.resize(width, height)
                reader.open(address)
                reader.until(is_shown)
                found += [(name, scheme, width, each) for each in reader.violations()]
                if reader.js("document.documentElement.scrollWidth") > width:
                    found.append((name, scheme, width, "is wider than the screen"))
                if width > WIDTHS[0][0]:
                    found += [(name, scheme, width, "cut off", each) for each in reader.js(CUT_OFF)]
    assert found == []
    assert reader.faults == []


@pytest.mark.soak
def test_the_keyboard_reaches_all_of_a_page(pages: dict[str, tuple[str, str]], reader: Reader) -> None:
    reader.resize(1440, 900)
    for name, (address, is_shown) in pages.items():
        reader.open(address)
        reader.until(is_shown)
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
