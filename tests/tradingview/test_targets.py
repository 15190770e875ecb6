"""Which pages may be driven."""

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pinebench.errors import UsageError
from pinebench.tradingview import targets
from pinebench.tradingview.errors import NoChart
from pinebench.tradingview.targets import PageKind, Target, candidates, classify
from tests import hostile
from tests.tables import each
from tests.tradingview.support import CHART, Stage, until


@each(
    "url",
    [
        "https://www.tradingview.com/chart/",
        "https://www.tradingview.com/chart",
        "https://www.tradingview.com/chart/abc123/?symbol=NASDAQ%3AAAPL",
        "https://tradingview.com/chart/",
        "https://de.tradingview.com/chart/xyz/",
        "https://kr.tradingview.com/chart/",
        "https://www.tradingview.com:443/chart/",
        "HTTPS://WWW.TRADINGVIEW.COM/chart/",
    ],
)
def test_charts_are_recognised(url: str) -> None:
    assert classify(url) is PageKind.CHART


@each(
    ("url", "kind"),
    [
        ("http://www.tradingview.com/chart/", PageKind.LOOK_ALIKE),
        ("https://www.tradingview.com.evil.test/chart/", PageKind.LOOK_ALIKE),
        ("https://evil-tradingview.com/chart/", PageKind.LOOK_ALIKE),
        ("https://tradingview.com.evil.test/chart/", PageKind.LOOK_ALIKE),
        ("https://evil.test/?u=https://www.tradingview.com/chart/", PageKind.LOOK_ALIKE),
        ("https://www.tradingview.com@evil.test/chart/", PageKind.LOOK_ALIKE),
        ("https://evil.test@www.tradingview.com/chart/", PageKind.LOOK_ALIKE),
        ("https://www.tradingview.com:8443/chart/", PageKind.LOOK_ALIKE),
        ("https://a.b.tradingview.com/chart/", PageKind.LOOK_ALIKE),
        ("https://www.tradingview.com./chart/", PageKind.LOOK_ALIKE),
        ("https://www.tradingvіew.com/chart/", PageKind.OTHER),
        ("https://www.tradingview.com/charts/", PageKind.SITE),
        ("https://www.tradingview.com/news/chart/", PageKind.SITE),
        ("https://www.tradingview.com/", PageKind.SITE),
        ("file:///Applications/TradingView.app/Contents/Resources/app.asar/app/window/index.html", PageKind.SHELL),
        ("file:///C:/x/app/window/index.html?tabbed-window", PageKind.SHELL),
        ("http://127.0.0.1:8000/chart/", PageKind.LOOPBACK),
        ("http://localhost:8000/", PageKind.LOOPBACK),
        ("http://[::1]:8000/", PageKind.LOOPBACK),
        ("http://127.0.0.1.evil.test/", PageKind.OTHER),
        ("http://192.168.1.5/chart/", PageKind.OTHER),
        ("about:blank", PageKind.OTHER),
        ("", PageKind.OTHER),
        ("https://[bad", PageKind.OTHER),
    ],
)
def test_everything_else_is_refused(url: str, kind: PageKind) -> None:
    assert classify(url) is kind


def pages(*urls: str) -> list[Target]:
    return [Target(f"ID{number}AB", "page", f"title {number}", url) for number, url in enumerate(urls)]


def test_charts_come_before_local_pages() -> None:
    found = candidates(pages("http://127.0.0.1:1/", CHART, "about:blank"), None)
    assert [target.url for target in found] == [CHART, "http://127.0.0.1:1/"]


def test_no_chart_says_what_is_open() -> None:
    with pytest.raises(NoChart, match="reachable, but no chart is open") as caught:
        candidates(pages("https://www.tradingview.com/news/"), None)
    assert "without a chart" in caught.value.message
    assert caught.value.hint is not None


def test_a_target_is_named_by_id_its_start_address_or_title() -> None:
    listed = pages(CHART, "https://www.tradingview.com/chart/other/")
    for wanted in ("ID1AB", "id1", "/other/", "title 1"):
        assert candidates(listed, wanted)[0].id == "ID1AB"


@pytest.mark.parametrize(
    ("wanted", "reason"), [("tradingview", "matches several"), ("nothing", "is not open"), ("about", "is another page")]
)
def test_a_name_that_does_not_settle_it_is_refused(wanted: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        candidates(pages(CHART, "https://www.tradingview.com/chart/other/", "about:blank"), wanted)


def test_the_saved_layout_is_read_from_the_address() -> None:
    assert Target("i", "page", "", "https://www.tradingview.com/chart/aBc/?x=1").chart_id == "aBc"
    assert Target("i", "page", "", "https://www.tradingview.com/chart/").chart_id is None


def test_a_real_browser_is_listed(stage: Stage) -> None:
    tab = stage.open()
    found = until(lambda: [t for t in stage.pages() if t.id == tab.target.id and t.kind is PageKind.CHART])
    assert found[0].url == CHART
    assert "Chrome" in targets.version("127.0.0.1", stage.port)["Browser"]


@contextmanager
def answering(body: bytes) -> Iterator[int]:
    """The port of a program that answers every question with `body`."""

    class Other(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with http.server.HTTPServer(("127.0.0.1", 0), Other) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server.server_port
        server.shutdown()


def test_another_program_on_the_port_is_named() -> None:
    with answering(b"hello") as port:
        for ask in (targets.version, targets.list_targets):
            with pytest.raises(ValueError, match="not a browser"):
                ask("127.0.0.1", port)


@each("name", [*hostile.DOCUMENTS, "a number that is none", "deep in an entry"])
def test_a_list_of_pages_that_no_browser_writes_is_refused(name: str) -> None:
    """One decoder reads what a browser answers, too: no number that is none, no depth, no digits without end."""
    entry = b'[{"id": "1", "type": "page", "title": "x", "url": "https://www.tradingview.com/chart/", "more": %s}]'
    deep = b"[" * 900 + b"]" * 900
    more = {"a number that is none": entry % b"NaN", "deep in an entry": entry % deep}
    body = {**hostile.DOCUMENTS, **more}[name]
    with answering(body) as port, pytest.raises(ValueError, match="not a browser"):
        targets.list_targets("127.0.0.1", port)
