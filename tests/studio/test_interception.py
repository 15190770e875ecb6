"""The studio served as TradingView's own page: every request is answered in process, and none leaves the machine."""

import base64
import http.client
import json
from collections.abc import Iterator
from functools import partial
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

import pytest

from pinebench.studio.app import Studio
from pinebench.studio.session import StudioSession
from pinebench.studio.web import Response, StudioRequest
from pinebench.tradingview import browser, targets
from pinebench.tradingview.tab import Tab
from pinebench.tradingview.targets import Target
from tests.studio.support import CHART, CLEAN, LIMIT, WRONG, Driver


def ask_server(session: StudioSession, request: StudioRequest) -> Response:
    """What the server of `session` answers its owner, under its own name."""
    connection = http.client.HTTPConnection("127.0.0.1", session.port, timeout=LIMIT)
    address = f"{quote(request.path)}?{urlencode({**request.query, 'token': session.token})}"
    if request.path.startswith("/chart"):  # there the token would lead on to the address without it
        first = http.client.HTTPConnection("127.0.0.1", session.port, timeout=LIMIT)
        first.request("GET", address)
        cookie = first.getresponse().headers["Set-Cookie"].partition(";")[0]
        connection.request("GET", quote(request.path), headers={"Cookie": cookie})
    else:
        kind = {"Content-Type": request.headers.get("content-type", "text/plain")}
        connection.request(request.method, address, request.body or None, kind)
    answer = connection.getresponse()
    headers = dict(answer.getheaders())
    headers.pop("Content-Length")
    return Response(answer.status, answer.read(), headers.pop("Content-Type"), headers)


ADDRESS = "https://www.tradingview.com/chart/Zp7wLc2r/"
FONT = (".woff2", ".ttf")


class Staged:
    """A tab at TradingView's address whose requests a studio answers, whichever of TradingView's hosts they go to."""

    def __init__(
        self, port: int, address: str = ADDRESS, fonts: str = "", session: StudioSession | None = None
    ) -> None:
        """Open `address`; files of fonts wait where `fonts` is "late", and fail with it as a reason otherwise.

        The answers are a studio's of its own, or those that the server of `session` sends.
        """
        self.studio = session.studio if session is not None else Studio()
        self._handle = self.studio.handle if session is None else partial(ask_server, session)
        self.asked: list[str] = []
        self.foreign: list[str] = []
        self._fonts = fonts
        self._held: list[tuple[str, dict[str, Any]]] = []
        entry = targets.ask_browser("127.0.0.1", port, "/json/new?about:blank", "PUT")
        self._port, self._tab = port, Tab("127.0.0.1", port, Target(entry["id"], "page", "", "about:blank"))
        self._tab.start()
        self._tab.event_handlers["Fetch.requestPaused"] = self._answer
        self._tab.request("Fetch.enable", {"patterns": [{"urlPattern": "*"}]}, LIMIT)
        self._tab.request("Network.enable", {}, LIMIT)
        self._tab.request("Network.setCacheDisabled", {"cacheDisabled": True}, LIMIT)
        self._tab.request("Page.navigate", {"url": address}, LIMIT)
        assert self.studio.ready.wait(LIMIT), "chart and editor did not come up"
        self.driver = Driver(port, entry["id"])

    def _answer(self, requestId: str, request: dict[str, Any], **_: Any) -> None:
        self.asked.append(request["url"])
        address = urlsplit(request["url"])
        host = address.hostname or ""
        if not host.endswith(".tradingview.com"):
            self.foreign.append(request["url"])
            self._tab.post("Fetch.failRequest", requestId=requestId, errorReason="BlockedByClient")
            return
        if self._fonts and address.path.endswith(FONT):
            if self._fonts == "late":
                self._held.append((requestId, request))
            else:
                self._tab.post("Fetch.failRequest", requestId=requestId, errorReason=self._fonts)
            return
        entries = request.get("postDataEntries", [])
        answer = self._handle(
            StudioRequest(
                request["method"],
                unquote(address.path),
                dict(parse_qsl(address.query, keep_blank_values=True)),
                {name.lower(): value for name, value in request["headers"].items()},
                b"".join(base64.b64decode(entry["bytes"]) for entry in entries),
            )
        )
        headers = {"Content-Type": answer.content_type, **answer.headers}
        if host != "www.tradingview.com":  # as these services answer TradingView's page
            headers["Access-Control-Allow-Origin"] = "https://www.tradingview.com"
            headers["Access-Control-Allow-Credentials"] = "true"
        self._tab.post(
            "Fetch.fulfillRequest",
            requestId=requestId,
            responseCode=answer.status,
            responseHeaders=[{"name": name, "value": value} for name, value in headers.items()],
            body=base64.b64encode(answer.body).decode(),
        )

    def let_fonts_come(self) -> None:
        """Answer the requests for fonts that were held back."""
        self._fonts = ""
        for number, request in self._held:
            self._answer(number, request)

    def close(self) -> None:
        """Close the tab."""
        self.driver.connection.close()
        self._tab.stop()
        targets.ask_browser("127.0.0.1", self._port, f"/json/close/{self.driver.tab}", "GET")


@pytest.fixture(scope="module")
def staged(chromium: browser.RunningBrowser) -> Iterator[Staged]:
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
    assert [marker["line"] for marker in editor.compile().errors] == [3, 4, 5]
    editor.write(CLEAN)
    assert editor.compile().outcome == "added"
    assert [script.name for script in staged.driver.scripts.listed()] == ["Trend ribbon"]


def test_the_source_arrives_unharmed(staged: Staged) -> None:
    source = '//@version=6\nindicator("😀 \u2028 `${x}` \\\\ é")\nplot(close)\n'
    assert staged.driver.scripts.open("Trend ribbon", discard=True).bound
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


def test_the_address_without_a_layout_opens_the_page_too(chromium: browser.RunningBrowser) -> None:
    page = Staged(chromium.port, "https://www.tradingview.com/chart/")
    try:
        assert page.driver.js("location.href") == "https://www.tradingview.com/chart/"
        assert page.driver.js(f"{CHART}.symbol()") == "NASDAQ:AAPL"
    finally:
        page.close()


def test_axes_are_as_wide_as_their_letters_whenever_those_come(chromium: browser.RunningBrowser) -> None:
    width = "document.querySelector('.chart-markup-table td:nth-child(3)').getBoundingClientRect().width"
    come = "document.fonts.check('11px \"Inter Variable\"')"
    widths = []
    for fonts in ("", "late"):
        page = Staged(chromium.port, fonts=fonts)
        try:
            assert page.driver.js(come) is (fonts == "")
            page.let_fonts_come()
            page.driver.until(come)
            # Twice the same width, once from letters that were there and once from letters that came.
            page.driver.until(f"{width} > 0" if not widths else f"{width} === {widths[0]}")
            widths.append(page.driver.js(width))
        finally:
            page.close()


@pytest.mark.parametrize("fonts", ["late", "Failed", "AccessDenied"])
def test_fonts_that_do_not_come_keep_no_page_from_starting(chromium: browser.RunningBrowser, fonts: str) -> None:
    page = Staged(chromium.port, fonts=fonts)  # waits until chart and editor answer
    try:
        assert any(url.endswith(FONT) for url in page.asked)
        assert page.driver.editor.write(WRONG).verified
        assert [marker["line"] for marker in page.driver.editor.compile().errors] == [3, 4, 5]
    finally:
        page.close()


def test_the_server_may_be_asked_in_its_place(chromium: browser.RunningBrowser, session: StudioSession) -> None:
    page = Staged(chromium.port, "https://www.tradingview.com/chart/", session=session)
    try:
        editor = page.driver.editor
        assert editor.write(WRONG).verified
        assert [marker["line"] for marker in editor.compile().errors] == [3, 4, 5]
        editor.write(CLEAN)
        assert editor.compile().outcome == "added"
        page.driver.until(f"{CHART}.getAllStudies().length === 1")
        assert (
            page.driver.js("fetch('https://pricealerts.tradingview.com/list_alerts').then((a) => a.json())")["s"]
            == "ok"
        )
        assert page.foreign == []
    finally:
        page.close()


SERVICES = [
    ("GET", "https://symbol-search.tradingview.com/symbol_search/v3/?text=AAPL&hl=1&exchange=&lang=en", None),
    ("GET", "https://symbol-search.tradingview.com/symbol_search/?text=AAPL", None),
    ("GET", "https://pine-facade.tradingview.com/pine-facade/list/?filter=saved", None),
    ("POST", "https://pine-facade.tradingview.com/pine-facade/translate_light?user_name=Guest", "source=plot(close)"),
    ("POST", "https://pine-facade.tradingview.com/pine-facade/parse_title", "source=indicator('A')"),
    ("POST", "https://pine-facade.tradingview.com/pine-facade/save/new?name=Sent&allow_overwrite=true", "source=1"),
    ("GET", "https://pricealerts.tradingview.com/list_alerts", None),
    ("POST", "https://pricealerts.tradingview.com/create_alert", '{"payload": {}}'),
    ("POST", "https://pricealerts.tradingview.com/delete_alerts", '{"payload": {"alert_ids": []}}'),
]


@pytest.mark.parametrize(("method", "url", "body"), SERVICES, ids=[url.split("?")[0] for _, url, _ in SERVICES])
@pytest.mark.parametrize("by", ["page", "other"])
def test_services_of_tradingview_are_answered_at_their_own_paths(
    staged: Staged, method: str, url: str, body: str | None, by: str
) -> None:
    """By the page's own `fetch`, which keeps requests at home, and by one that knows nothing of it."""
    kind = "text/plain" if body is not None and body.startswith("{") else "application/x-www-form-urlencoded"
    options = {"method": method, "credentials": "include"}
    options |= {} if body is None else {"body": body, "headers": {"Content-Type": kind}}
    window = "window" if by == "page" else "document.body.appendChild(document.createElement('iframe')).contentWindow"
    before = len(staged.asked)
    answer = staged.driver.js(
        f"{window}.fetch({json.dumps(url)}, {json.dumps(options)})"
        ".then(async (answer) => ({status: answer.status, body: await answer.json()}))"
    )
    assert answer["status"] in (200, 400), answer
    assert "no such address" not in json.dumps(answer)
    assert (url in staged.asked[before:]) is (by == "other")
