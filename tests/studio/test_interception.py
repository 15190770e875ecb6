"""The studio served as TradingView's own page: every request is answered in process, and none leaves the machine."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest

from pinebench.studio.app import Studio
from pinebench.studio.web import Request
from pinebench.tradingview import browser, targets
from pinebench.tradingview.tab import Tab
from pinebench.tradingview.targets import Target
from tests.studio.support import CHART, CLEAN, LIMIT, WRONG, Driver

ADDRESS = "https://www.tradingview.com/chart/Zp7wLc2r/"


class Staged:
    """A tab at TradingView's address whose requests a studio answers."""

    def __init__(self, port: int) -> None:
        self.studio = Studio()
        self.foreign: list[str] = []
        entry = targets.ask_browser("127.0.0.1", port, "/json/new?about:blank", "PUT")
        self._port, self._tab = port, Tab("127.0.0.1", port, Target(entry["id"], "page", "", "about:blank"))
        self._tab.start()
        self._tab.event_handlers["Fetch.requestPaused"] = self._answer
        self._tab.request("Fetch.enable", {"patterns": [{"urlPattern": "*"}]}, LIMIT)
        self._tab.request("Page.navigate", {"url": ADDRESS}, LIMIT)
        assert self.studio.ready.wait(LIMIT), "chart and editor did not come up"
        self.driver = Driver(port, entry["id"])

    def _answer(self, requestId: str, request: dict[str, Any], **_: Any) -> None:
        address = urlsplit(request["url"])
        if address.hostname != "www.tradingview.com":
            self.foreign.append(request["url"])
            self._tab.post("Fetch.failRequest", requestId=requestId, errorReason="BlockedByClient")
            return
        entries = request.get("postDataEntries", [])
        answer = self.studio.handle(
            Request(
                request["method"],
                unquote(address.path),
                dict(parse_qsl(address.query, keep_blank_values=True)),
                {name.lower(): value for name, value in request["headers"].items()},
                b"".join(base64.b64decode(entry["bytes"]) for entry in entries),
            )
        )
        headers = {"Content-Type": answer.content_type, **answer.headers}
        self._tab.post(
            "Fetch.fulfillRequest",
            requestId=requestId,
            responseCode=answer.status,
            responseHeaders=[{"name": name, "value": value} for name, value in headers.items()],
            body=base64.b64encode(answer.body).decode(),
        )

    def close(self) -> None:
        """Close the tab."""
        self.driver.connection.close()
        self._tab.stop()
        targets.ask_browser("127.0.0.1", self._port, f"/json/close/{self.driver.tab}", "GET")


@pytest.fixture(scope="module")
def staged(chromium: browser.Launched) -> Iterator[Staged]:
    page = Staged(chromium.port)
    yield page
    page.close()


def test_the_page_is_at_tradingviews_address(staged: Staged) -> None:
    assert staged.driver.js("[location.origin, location.pathname]") == [
        "https://www.tradingview.com",
        "/chart/Zp7wLc2r/",
    ]
    assert staged.driver.js(f"{CHART}.symbol()") == "BINANCE:BTCUSDT"


def test_it_is_driven_like_tradingviews_page(staged: Staged) -> None:
    editor = staged.driver.editor
    assert editor.write(WRONG).verified
    assert [marker.line for marker in editor.compile().errors] == [3, 4, 5]
    editor.write(CLEAN)
    assert editor.compile().outcome == "added"
    assert [script.name for script in editor.scripts()] == ["Trend ribbon"]


def test_the_source_arrives_unharmed(staged: Staged) -> None:
    source = '//@version=6\nindicator("😀 \u2028 `${x}` \\\\ é")\nplot(close)\n'
    staged.driver.editor.write(source)
    assert staged.driver.js("TradingViewApi.pineEditorTestApi().saveScript() && 1") == 1
    saved = staged.studio.store.scripts()[0]
    staged.driver.until(
        "[...document.querySelectorAll('.consoleRow')].some((row) => row.textContent.includes('Saved'))"
    )
    assert staged.studio.store.source(saved.id) == source


def test_nothing_is_asked_of_anybody_else(staged: Staged) -> None:
    staged.driver.js(
        "fetch('https://pine-facade.tradingview.com/pine-facade/list/?filter=saved').then((a) => a.json())"
    )
    assert staged.foreign == []
