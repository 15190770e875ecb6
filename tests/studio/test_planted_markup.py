"""Markup in scripts, names, messages and answers of the assistant stays text on every page that pinebench shows: in a
real Chromium no planted script runs, and nothing is asked for from elsewhere."""

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import pytest

from pinebench.cli import main
from pinebench.studio.session import StudioSession
from pinebench.tradingview import browser
from tests.agent.support import calls, service
from tests.api.test_foreign_words import html_of, results
from tests.authoring.fake_anthropic import text
from tests.authoring.support import isolate
from tests.docs.browsing import Reader
from tests.mcp.web.support import HERE, PASSPHRASE, Server, pkce
from tests.planted import HIDDEN, MARKUP, traces
from tests.studio.market_page import HISTORY, Market, play, trading
from tests.studio.support import CHART
from tests.tradingview.support import LIMIT

pytestmark = pytest.mark.live

STRATEGY = f"""//@version=6
strategy("Title {MARKUP}", "Short {MARKUP}", overlay = true, max_labels_count = 50)
length = input.int(3, "Input {MARKUP}", minval = 2, maxval = 4, tooltip = "Tooltip {MARKUP}", group = "Group {MARKUP}")
kind = input.string("Option {MARKUP}", "Kind", options = ["Option {MARKUP}", "Other"])
plot(ta.sma(close, length), "Plot {MARKUP}")
plotshape(bar_index % 50 == 0, "Shape {MARKUP}", text = "Mark {MARKUP}")
if bar_index % 40 == 10
    strategy.entry("Entry {MARKUP}", strategy.long, comment = "Comment {MARKUP}", alert_message = "Message {MARKUP}")
if bar_index % 40 == 30
    strategy.close_all(comment = "Exit {MARKUP}")
if barstate.islast
    label.new(bar_index, high, "Label {MARKUP}", tooltip = "Hint {MARKUP}")
    box.new(bar_index - 5, high, bar_index, low, text = "Box {MARKUP}")
    cells = table.new(position.top_right, 1, 1)
    cells.cell(0, 0, "Cell {MARKUP}", tooltip = "Hint {MARKUP}")
    log.error("Log {MARKUP}")
    alert("Alert {MARKUP}")
alertcondition(close > 0, "Condition {MARKUP}", "Message {MARKUP}")
"""
_FRAME = re.compile(r'<iframe style="[^"]*" sandbox="allow-scripts" srcdoc="([^"]*)"></iframe>')
"""A frame of ours, and its page."""
FILE = MARKUP.replace("/", "")[:200] + HIDDEN + ".pine"
"""A name that a file can have."""


@pytest.fixture
def reader(chromium: browser.RunningBrowser) -> Iterator[Reader]:
    opened = Reader(chromium)
    opened.tab.request("Emulation.setFocusEmulationEnabled", {"enabled": True}, LIMIT)
    yield opened
    opened.close()


def shown(reader: Reader) -> str:
    """All words of the page."""
    return str(reader.js("document.body.innerText"))


def _holds(reader: Reader, where: str) -> None:
    assert traces(reader) == [], where
    assert reader.faults == [], where


def _say(page: Market, words: str) -> None:
    page.until("[...document.querySelectorAll('.assistant__quick button')].some((one) => !one.disabled)")
    page.fill('[data-name="assistant-input"]', words)
    page.click('[data-name="assistant-send"]')


def _chart(page: Market) -> None:
    """Add the strategy to the chart by the editor."""
    page.js("TradingView.bottomWidgetBar.showWidget('pine-editor')")
    page.until("!!document.querySelector('[data-name=\"add-script-to-chart\"]:not(:disabled)')")
    page.js(f"TradingViewApi.pineEditorTestApi().setEditorText({json.dumps(STRATEGY)})")
    page.js("void TradingViewApi.pineEditorTestApi().addScriptOnChart()")
    page.until(f"{CHART}.getAllStudies().length === 1")


def test_files_that_commands_write(
    reader: Reader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / FILE).write_text(STRATEGY, "utf-8")
    bars = ("--data", "sample:AAPL@60x400")
    written = {
        "run.html": ("run", FILE, *bars, "--plot", "run.html"),
        "run.svg": ("run", FILE, *bars, "--plot", "run.svg"),
        "backtest.html": ("backtest", FILE, *bars, "--format", "html", "-o", "backtest.html"),
        "flame.html": ("profile", FILE, *bars, "--no-advice", "--format", "html", "-o", "flame.html"),
        "sweep.html": ("optimize", FILE, *bars, "--input", "length=2:4:1", "--page", "sweep.html"),
    }
    for name, arguments in written.items():
        assert main(list(arguments)) == 0, capsys.readouterr()
        page = (tmp_path / name).read_text("utf-8")
        assert not set(HIDDEN) & set(page), name
        assert "onerror" in page, name
        reader.open((tmp_path / name).as_uri())
        reader.js("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        assert traces(reader) == [], name
        assert reader.faults == [], name


def test_what_a_notebook_shows(reader: Reader, tmp_path: Path) -> None:
    """Jupyter puts the HTML of a result into its own page. A chart is in a frame that cannot reach that page."""
    for name, result in results(MARKUP).items():
        shown = html_of(result)
        assert "onerror" in shown or name in ("bars", "repaint check"), name
        framed = [unescape(page) for page in _FRAME.findall(shown)]
        for page in (_FRAME.sub("", shown), *framed):
            (tmp_path / "shown.html").write_text(f"<!doctype html><meta charset=utf-8><body>{page}", "utf-8")
            reader.open((tmp_path / "shown.html").as_uri())
            reader.js("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
            _holds(reader, name)


def test_the_studio(reader: Reader, session: StudioSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path)
    store, now = session.studio.store, "2026-01-01T00:00:00Z"
    store.create(f"Name {MARKUP}", STRATEGY, f"Title {MARKUP}", "strategy")
    alert = {"alert_id": 1, "symbol": "NASDAQ:AAPL", "message": f"Waiting {MARKUP}", "resolution": "60"}
    condition = {"type": "cross", "series": [{"type": "barset"}, {"type": "value", "value": 1e9}]}
    fire = {"fire_id": 1, "alert_id": 1, "symbol": "NASDAQ:AAPL", "message": f"Fired {MARKUP}", "fire_time": now}
    layouts = json.loads(str(store.document("layouts")))
    layouts[0]["name"] = f"Layout {MARKUP}"
    documents = {
        "layouts": layouts,
        "alerts": [{**alert, "create_time": now, "condition": condition}],
        "fires": [fire],
        "watchlist": [f"###{MARKUP[:150]}", "NASDAQ:AAPL"],
    }
    for name, document in documents.items():
        store.put_document(name, json.dumps(document))
    looked = calls((f"no {MARKUP[:40]}", {"x": MARKUP}), ("pine_run", {"source": STRATEGY}), said=f"Said {MARKUP}")
    with service(monkeypatch, looked, text(f"Answer {MARKUP}\n```html\nCode {MARKUP}\n```\n")):
        reader.tab.request("Page.navigate", {"url": session.address()}, LIMIT)
        assert session.wait_until_ready(LIMIT), "chart and editor did not come up"
        page = Market(reader.tab)
        words = {
            "assistant": f"Code {MARKUP}",
            "alerts": "Waiting </script>",
            "object-tree": "",
            "trading": "",
            "inspector": "",
            "base-watchlist-widget": "</script>",
        }
        for name, word in words.items():
            page.click(f'[data-name="{name}-button"]')
            if name == "assistant":
                _say(page, f"Look {MARKUP}")
            page.says(word, '[data-name="widgetbar-wrap"]')
            _holds(reader, f"the panel {name}")
        _chart(page)
        parts = {
            "pine-logs": "Log </script>",
            "data-window": "Plot </script>",
            "backtesting-dialog": "Comment </script>",
            "pine-dialog": "",
        }
        for name, word in parts.items():
            page.click(f'[data-name="{name}-button"]')
            if name == "backtesting-dialog":
                for at in (0, 1, 2):
                    page.until("document.querySelectorAll('[data-name=backtesting] [role=tab]').length > 2")
                    page.js(f"document.querySelectorAll('[data-name=backtesting] [role=tab]')[{at}].click()")
                    _holds(reader, f"tab {at} of the tester")
            page.says(word, "body")
            _holds(reader, f"the part {name}")
        page.click('[data-name="legend-source-item"] [title="Settings"]')
        page.says("Group </script>", "[role=dialog]")
        _holds(reader, "the settings of a script")


def test_the_market_page_and_the_consent_page(reader: Reader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "served").mkdir()
    with trading(tmp_path, monkeypatch) as (engine, exchange), Server(tmp_path / "served", engine=engine) as server:
        client = str(server.register(HERE, client_name=f"Client {MARKUP}"[:200]).told["client_id"])
        asked = {
            "client_id": client,
            "redirect_uri": HERE,
            "response_type": "code",
            "code_challenge": pkce().challenge,
            "code_challenge_method": "S256",
            "state": MARKUP[:200],
        }
        reader.open(f"{server.url}/authorize?{urlencode(asked)}")
        page = Market(reader.tab)
        page.says("Client </script>", "body")
        _holds(reader, "the consent page")

        for number in range(2):
            engine.set_alert("owner", "BTCUSDT", {"price_above": 100 + number}, message=f"Told {MARKUP}"[:900])
        reader.open(f"{server.url}/app")
        page.click('[data-name="log-in"]')
        page.until("document.querySelector('input[name=passphrase]') !== null")
        page.fill("input[name=passphrase]", PASSPHRASE)
        page.click("button[value=allow]")
        page.until("document.querySelector('.market') !== null")
        page.fill(".market__bar input", MARKUP[:60])
        page.click(".market__bar .button--accent")
        page.tab("alerts")
        page.says("Told </script>", '[data-name="alerts"]')
        page.says("alerts: live", '[data-name="stream"]')
        play(engine, exchange, HISTORY)
        page.says("Told </script>", ".market__toasts")
        page.says("Told </script>", '[data-name="history"]')
        page.tab("paper")
        _holds(reader, "the market page")


def test_what_is_looked_for_would_be_found(reader: Reader, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(f"<!doctype html><title>x</title><body><p>{MARKUP}", "utf-8")
    reader.open(path.as_uri())
    reader.until("window.__pwned !== undefined")
    found = " ".join(traces(reader))
    for word in ("a script ran", "IMG has onerror", "A has href", "asked for http://outside.invalid/b.png"):
        assert word in found, found
