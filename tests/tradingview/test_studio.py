"""The bridge on real React and Monaco: the studio with each of its faults, also under TradingView's address."""

import base64
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest

from pinebench.studio.session import StudioSession
from pinebench.studio.web import StudioRequest
from pinebench.tradingview import browser
from pinebench.tradingview.editor import PageEditor
from pinebench.tradingview.errors import CallTimeout, EditorNotFound, EditorRefused, PageError
from pinebench.tradingview.page import Page
from pinebench.tradingview.saved_scripts import SavedScripts
from tests.studio.support import Tabs, studio_session
from tests.tradingview.chart_waiting import wait_for_chart_ready
from tests.tradingview.support import LIMIT, Stage, until

LIMIT_MS = int(LIMIT * 1000)

GOOD = '//@version=6\nindicator("Good")\nplot(close)\n'
BAD = '//@version=6\nindicator("Bad")\nplot(uno)\nplot(dos)\nplot(tres)\n'
CHART = "TradingViewApi._activeChartWidgetWV.value()"


@pytest.fixture(scope="module")
def chromium(shared_chromium: browser.RunningBrowser) -> browser.RunningBrowser:
    """The browser for the studio's pages, which have one renderer."""
    return shared_chromium


@pytest.fixture(scope="module")
def session() -> Iterator[StudioSession]:
    """One studio with scripts in memory for the whole module."""
    with studio_session() as running:
        yield running


@pytest.fixture
def studio(chromium: browser.RunningBrowser, session: StudioSession) -> Iterator[Tabs]:
    """Opens the studio's page with faults."""
    tabs = Tabs(chromium.port, session)
    yield tabs
    tabs.close()


RIGHT_RESULT: list[Any] = [
    {},
    {"staleNode": True},
    {"zeroSizeNode": True},
    {"severalEditors": True},
    {"staleNode": True, "zeroSizeNode": True, "severalEditors": True},
    {"lateMount": 1500},
    {"selfClosingPanel": 1},
    {"renamedWidget": True},
    {"iconOnly": True},
    {"doubledLabels": True},
    {"buttonCopies": True},
    {"lateMarkers": 1500},
    {"parents": 0, "depth": 0},
    {"parents": 19, "depth": 14},
    {"parents": 25, "depth": 40},
    {"oldFiberKey": True},
    {"context": "property"},
    {"globalMonaco": True},
    {"noTestApi": True},
    {"loggedOut": True},
    {"cookieBanner": True},
    {"sessionDisconnected": True},
    *({"locale": language, "iconOnly": language in ("ja", "de")} for language in ("de", "ja", "ru")),
    *(pytest.param({"locale": language}, marks=pytest.mark.soak) for language in ("es", "fr", "ko", "pt", "zh")),
]


@pytest.mark.parametrize("faults", RIGHT_RESULT, ids=str)
def test_a_fault_that_can_be_overcome(studio: Tabs, faults: dict[str, Any]) -> None:
    editor = studio(**faults).editor
    editor.write(BAD)
    bad = editor.compile()
    assert [(marker["line"], marker["code"]) for marker in bad.errors] == [
        (3, "CE10272"),
        (4, "CE10272"),
        (5, "CE10272"),
    ]
    editor.write(GOOD)
    good = editor.compile()
    assert good.ok and good.study and not good.markers
    assert editor.read() == GOOD


def test_only_an_editor_reference_still_writes_and_reads(studio: Tabs) -> None:
    editor = studio(context="editorRef").editor
    editor.write(GOOD)
    found = editor.find()
    assert found is not None and found.strategy == "_editorRef"
    assert editor.read() == GOOD


@pytest.mark.parametrize(
    ("faults", "hint"),
    [({"pendingDialog": True}, "browser"), ({"studyLimit": 1}, "plan allows no further indicator")],
    ids=str,
)
def test_a_dialog_in_the_way_is_named(studio: Tabs, faults: dict[str, Any], hint: str) -> None:
    driver = studio(**faults)
    if "studyLimit" in faults:
        driver.js(f"{CHART}.createStudy('SMA', false, false).then(() => 1)")
    driver.editor.write(GOOD)
    with pytest.raises(EditorRefused, match="asked a question instead of compiling") as caught:
        driver.editor.compile()
    assert hint in str(caught.value.hint)


def test_a_shell_without_editor_is_named(studio: Tabs) -> None:
    driver = studio(ready=False, shellOnly=True)
    until(lambda: driver.js("document.readyState === 'complete'"))
    with pytest.raises(EditorNotFound):
        driver.editor.open(timeout=0.7)


def test_a_slow_change_is_waited_for(studio: Tabs) -> None:
    driver = studio(slowSymbol=900)
    driver.js(f"void {CHART}.setSymbol('NASDAQ:MSFT', {{}})")
    assert wait_for_chart_ready(driver.page, "NASDAQ:MSFT", timeout_ms=LIMIT_MS)
    driver.js(f"void {CHART}.setResolution('5', {{}})")
    assert wait_for_chart_ready(driver.page, "NASDAQ:MSFT", "5", timeout_ms=LIMIT_MS)


@pytest.mark.parametrize("fault", ["wrongSpacing", "stuckSymbol", "restlessBars", "endlessLoading"])
def test_a_chart_that_is_not_ready_is_never_called_so(studio: Tabs, fault: str) -> None:
    faults: dict[str, Any] = {fault: True}
    driver = studio(**faults)
    driver.js(f"void {CHART}.setSymbol('NASDAQ:MSFT', {{}})")
    driver.js(f"void {CHART}.setResolution('5', {{}})")
    assert not wait_for_chart_ready(driver.page, "NASDAQ:MSFT", "5", timeout_ms=1500)


@pytest.mark.parametrize("mishap", ["busy", "never", "throw", "alert", "reload", "undefined"])
def test_a_function_of_the_page_that_misbehaves(studio: Tabs, mishap: str) -> None:
    driver = studio()
    driver.set(at={"chart.symbol": mishap})
    if mishap == "busy":
        with pytest.raises(CallTimeout, match="was stopped"):
            driver.page.call("chart_summary", timeout=1)
    elif mishap == "throw":
        with pytest.raises(PageError, match="failed on purpose"):
            driver.page.call("chart_summary")
    else:
        driver.page.call("chart_summary", read=True)
    if mishap != "reload":
        driver.set(at={})
    until(lambda: driver.page.call("chart_summary", read=True)["symbol"] == "NASDAQ:AAPL")


def test_a_script_is_made_saved_changed_and_opened(studio: Tabs) -> None:
    scripts = studio().scripts
    assert scripts.new("strategy", "Bridge", discard=True).bound
    assert scripts.save().verified
    scripts.editor.write(GOOD)
    saved = scripts.save()
    assert (saved.name, saved.created, saved.verified) == ("Bridge", False, True)
    assert scripts.open("Trend ribbon", discard=True).bound
    opened = scripts.open("bridge", discard=True)
    assert opened.bound and opened.source == GOOD


def test_one_undo_brings_the_old_text_back(studio: Tabs) -> None:
    driver = studio()
    before = driver.editor.read()
    driver.editor.write(GOOD)
    driver.editor.page.call("compile_start")  # puts nothing into the undo stack
    driver.page.call("press_save", {"name": driver.scripts.shown_name(), "names": []}, read=True)
    driver.js(
        "document.querySelector('.pine-editor-monaco textarea, .pine-editor-monaco .native-edit-context').focus()"
    )
    driver.press("z", "KeyZ", 90, 2)
    until(lambda: driver.editor.read() == before)


def under_tradingviews_address(stage: Stage, session: StudioSession, path: str) -> Any:
    """The studio's page, served by interception as if it were TradingView's; everything else is blocked."""
    tab = stage.open("https://www.tradingview.com/chart/blank/", body="<title>blank</title>")

    def answer(requestId: str, request: dict[str, Any], **_: Any) -> None:
        address = urlsplit(request["url"])
        if address.netloc != "www.tradingview.com":
            stage.blocked.append(request["url"])
            tab.post("Fetch.failRequest", requestId=requestId, errorReason="BlockedByClient")
            return
        parts = [base64.b64decode(part.get("bytes", "")) for part in request.get("postDataEntries", [])]
        given = StudioRequest(
            method=request["method"],
            path=unquote(address.path),
            query=dict(parse_qsl(address.query, keep_blank_values=True)),
            headers={name.lower(): value for name, value in request["headers"].items()},
            body=b"".join(parts),
        )
        response = session.studio.handle(given)
        headers = {**response.headers, "Content-Type": response.content_type}
        tab.post(
            "Fetch.fulfillRequest",
            requestId=requestId,
            responseCode=response.status,
            responseHeaders=[{"name": name, "value": value} for name, value in headers.items()],
            body=base64.b64encode(response.body).decode(),
        )

    tab.event_handlers["Fetch.requestPaused"] = answer
    session.studio.ready.clear()
    tab.request("Page.navigate", {"url": f"https://www.tradingview.com{path}"}, LIMIT)
    assert session.wait_until_ready(LIMIT)
    return tab


def test_the_whole_way_under_tradingviews_address(stage: Stage, session: StudioSession) -> None:
    tab = under_tradingviews_address(stage, session, "/chart/")
    connection = stage.connect(tab)
    editor = PageEditor(Page(connection))
    assert connection.origin() == "tradingview"
    assert connection.evaluate("location.origin") == "https://www.tradingview.com"
    text = "".join(f"x{n} = close[{n % 50}] // 😀 `${{n}}` \u2028\n" for n in range(5000))
    editor.write(text)
    assert editor.read() == text
    editor.write(BAD)
    assert len(editor.compile().errors) == 3
    editor.write(GOOD)
    assert editor.compile().ok
    assert wait_for_chart_ready(editor.page, "NASDAQ:AAPL", timeout_ms=LIMIT_MS)
    assert "Trend ribbon" in [script.name for script in SavedScripts(editor).listed()]
    assert editor.page.screenshot().startswith(b"\x89PNG")
    assert all("favicon" in url for url in stage.blocked), stage.blocked
