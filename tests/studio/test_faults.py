"""Every fault switch: what the real page was seen to do, and that pinebench gets through it or names the cause."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pinebench.errors import PinebenchError
from pinebench.studio.session import StudioSession
from pinebench.tradingview import browser
from pinebench.tradingview.doctor import examine
from pinebench.tradingview.endpoint import Endpoint
from pinebench.tradingview.errors import EditorRefused, ServiceError
from tests.studio.support import BARS, CHART, CLEAN, LIMIT, WRONG, Driver, Tabs
from tests.tradingview.chart_waiting import wait_for_chart_ready
from tests.tradingview.support import patience, start_browser

SHOWN = "[...document.querySelectorAll('.monaco-editor .view-lines')].filter((node) => node.offsetParent !== null)"
EDITOR_CLOSED = "TradingView.bottomWidgetBar.hideWidget?.('pine-editor') ?? TradingView.bottomWidgetBar.hide()"


def remount(page: Driver) -> None:
    """Close the editor's panel and open it again, so that faults of the mounting take effect."""
    page.js(EDITOR_CLOSED)
    page.until(f"{SHOWN}.length === 0")
    page.js("void TradingViewApi.pineEditorTestApi().openEditor()")
    page.until(f"{SHOWN}.length > 0")


@pytest.fixture
def live(shared: Driver) -> Iterator[Driver]:
    """The module's page, with faults switched on while it runs and off again afterwards."""
    before = shared.js("({...window.__studioFaults})")
    yield shared
    shared.js(f"void Object.assign(window.__studioFaults, {json.dumps(before)})")
    remount(shared)
    shared.js(f"{CHART}.removeAllStudies()")
    shared.js(f"new Promise((done) => {{ {CHART}.setSymbol('AAPL'); {CHART}.setResolution('D', done); }})")


@pytest.mark.parametrize(
    "faults",
    [
        {"staleNode": True},
        {"zeroSizeNode": True},
        {"staleNode": True, "zeroSizeNode": True},
        {"severalEditors": True},
        {"parents": 0},
        {"parents": 19},
        {"parents": 25},
        {"depth": 3},
        {"depth": 15},
        {"depth": 39},
        {"oldFiberKey": True},
        {"context": "property"},
        {"context": "editorRef"},
        {"cookieBanner": True},
        {"plainMonaco": True},
        {"staleNode": True, "severalEditors": True, "parents": 24, "depth": 38, "oldFiberKey": True},
    ],
    ids=str,
)
def test_the_editor_is_found_written_and_read_back(live: Driver, faults: dict[str, Any]) -> None:
    live.set(**faults)
    remount(live)
    assert live.editor.write(CLEAN).verified
    # The person's eyes are the second witness: the text is in the editor that can be seen.
    live.until(f"{SHOWN}.some((lines) => lines.textContent.includes('Mine'))")


def test_an_editor_without_classes_of_pine_is_not_called_closed(live: Driver) -> None:
    live.set(plainMonaco=True)
    remount(live)
    checks = examine(Endpoint("127.0.0.1", live.port, live.tab)).checks
    assert next(check for check in checks if check.area == "editor").state == "ok"


@pytest.mark.parametrize(
    "faults", [{"globalMonaco": True}, {"noTestApi": True}, {"noTestApi": True, "context": "editorRef"}], ids=str
)
def test_the_editor_is_found_on_pages_that_offer_more_or_less(open_page: Tabs, faults: dict[str, Any]) -> None:
    page = open_page(**faults)
    assert page.editor.write(CLEAN).verified
    page.until(f"{SHOWN}.some((lines) => lines.textContent.includes('Mine'))")


@pytest.mark.parametrize(
    "faults",
    [
        {"locale": "de"},
        {"locale": "es"},
        {"locale": "fr"},
        {"locale": "ja"},
        {"locale": "ko"},
        {"locale": "pt"},
        {"locale": "ru"},
        {"locale": "zh"},
        {"iconOnly": True},
        {"iconOnly": True, "locale": "ko"},
        {"doubledLabels": True},
        {"buttonCopies": True},
        {"cookieBanner": True},
    ],
    ids=str,
)
def test_a_script_goes_on_the_chart_and_is_never_saved(live: Driver, faults: dict[str, Any]) -> None:
    live.set(**faults)
    live.editor.write(CLEAN)
    assert live.editor.compile().outcome == "added"
    assert [study["name"] for study in live.js(f"{CHART}.getAllStudies()")] == ["Mine"]
    assert [script["version"] for script in live.js("fetch('/pine-facade/list/').then((a) => a.json())")] == ["1.0"]


@pytest.mark.parametrize("faults", [{"severalEditors": True}, {"context": "property"}], ids=str)
def test_a_hidden_editor_still_compiles(open_page: Tabs, faults: dict[str, Any]) -> None:
    page = open_page(**faults)
    page.editor.write(CLEAN)
    assert page.editor.compile().outcome == "added"


@pytest.mark.parametrize("faults", [{}, {"renamedWidget": True}, {"lateMount": 800}], ids=str)
def test_a_closed_editor_is_opened(live: Driver, faults: dict[str, Any]) -> None:
    live.js(EDITOR_CLOSED)
    live.until("document.querySelector('.pine-editor-monaco') === null")
    live.set(**faults)
    live.editor.open()
    assert live.editor.write(CLEAN).verified


def test_a_panel_that_closes_itself_is_opened_again(open_page: Tabs) -> None:
    page = open_page()
    page.js(EDITOR_CLOSED)
    page.set(selfClosingPanel=1)
    page.editor.open()
    # Timers ring in order: after this one the panel has closed, before or after the editor was found in it.
    page.js("new Promise((done) => setTimeout(done, 400))")
    assert page.editor.write(CLEAN).verified


def test_a_script_that_cannot_be_edited_is_said(live: Driver) -> None:
    """After a write that arrived, it was said that somebody had changed the text meanwhile."""
    live.editor.write(CLEAN)
    live.set(readOnlyScript=True)
    with pytest.raises(EditorRefused, match=r"read-only|did not accept"):
        live.editor.write(CLEAN + "// other\n")
    assert live.editor.read() != CLEAN + "// other\n"


@pytest.mark.parametrize("delay", [500, 2000])
def test_late_markers_are_waited_for(live: Driver, delay: int) -> None:
    live.set(lateMarkers=delay)
    live.editor.write(WRONG)
    assert len(live.editor.compile().errors) == 3


def test_markers_that_only_warn_do_not_refuse_the_script(live: Driver) -> None:
    live.set(markers=[{"line": 3, "column": 1, "severity": 4, "message": "Look again"}])
    live.editor.write(CLEAN)
    compiled = live.editor.compile()
    assert compiled.ok
    assert [warning["message"] for warning in compiled.warnings] == ["Look again"]
    assert compiled.errors == []


def test_a_pending_question_is_reported_and_nothing_is_added_behind_it(live: Driver) -> None:
    live.set(pendingDialog=True)
    live.editor.write(CLEAN)
    with pytest.raises(PinebenchError) as refused:
        live.editor.compile()
    assert "external data" in str(refused.value).lower() or "asks" in str(refused.value).lower()
    assert live.js(f"{CHART}.getAllStudies()") == []
    # The question is the person's to answer.
    live.click('[data-name="confirm-dialog"] [name="cancel"]')
    live.set(pendingDialog=False)
    assert live.editor.compile().outcome == "added"


def test_a_plans_limit_is_named(live: Driver) -> None:
    live.set(studyLimit=1)
    live.js(f"{CHART}.createStudy('RSI')")
    assert "plan allows 1" in live.js(f"{CHART}.createStudy('SMA').catch((error) => error.message)")
    live.click('[role="dialog"] [aria-label="Close"]')
    live.editor.write(CLEAN)
    with pytest.raises(PinebenchError, match="plan"):
        live.editor.compile()
    assert len(live.js(f"{CHART}.getAllStudies()")) == 1


def test_a_session_taken_over_is_named_and_can_be_resumed(live: Driver) -> None:
    live.set(sessionDisconnected=True)
    assert live.js("ChartApiInstance.connected()") is False
    live.until("document.querySelector('[role=\"alertdialog\"]').textContent.includes('Session disconnected')")
    live.click('[role="alertdialog"] .button--accent')
    live.until("document.querySelector('[role=\"alertdialog\"]') === null")
    assert live.js("ChartApiInstance.connected()") is True


def test_a_visitor_cannot_list_or_save_scripts(open_page: Tabs, session: StudioSession) -> None:
    page = open_page(loggedOut=True)
    with pytest.raises(ServiceError, match="log-in"):
        page.scripts.listed()
    page.editor.write(CLEAN)
    assert page.editor.compile().outcome == "added"
    page.js("void TradingViewApi.pineEditorTestApi().saveScript()")
    page.until("document.querySelector('[role=\"dialog\"]')?.textContent.includes('Sign in')")
    assert len(session.studio.store.scripts()) == 1


@pytest.mark.parametrize(
    ("trouble", "reason"),
    [
        (403, "requires a log-in"),
        (429, "too many requests"),
        (500, "HTTP 500"),
        ("html", "not JSON"),
        ("shape", "unexpected form"),
        ("offline", "Failed to fetch"),
        ("silent", "no answer in time"),
    ],
)
def test_a_script_service_in_trouble_is_named(
    live: Driver, monkeypatch: pytest.MonkeyPatch, trouble: int | str, reason: str
) -> None:
    live.set(scriptService=trouble)
    with monkeypatch.context() as patch:
        patch.setattr("pinebench.tradingview.saved_scripts.SERVICE_TIMEOUT", 0.5)
        with pytest.raises(ServiceError, match=reason):
            live.scripts.listed()
        with pytest.raises(ServiceError, match=reason):
            live.scripts.save("Trend ribbon")
    live.set(scriptService=None)
    assert live.scripts.listed()


def test_the_cookie_question_can_be_answered(live: Driver) -> None:
    live.set(cookieBanner=True)
    live.click('[data-name="cookie-banner"] .button--accent')
    live.until("document.querySelector('[data-name=\"cookie-banner\"]') === null")


def test_a_slow_symbol_is_waited_for(live: Driver) -> None:
    live.set(slowSymbol=1000)
    assert live.js(f"{CHART}.setSymbol('MSFT', {{}}); {CHART}.symbol()") == "NASDAQ:AAPL"
    assert wait_for_chart_ready(live.page, "MSFT", None, int(LIMIT * 1000))
    assert live.js(f"{CHART}.symbol()") == "NASDAQ:MSFT"


@pytest.mark.parametrize(
    ("faults", "symbol", "timeframe"),
    [
        ({"stuckSymbol": True}, "MSFT", None),
        ({"wrongSpacing": True}, None, "60"),
        ({"restlessBars": True}, None, None),
        ({"endlessLoading": True}, None, None),
    ],
    ids=str,
)
def test_a_chart_that_is_not_ready_is_not_called_ready(
    live: Driver, faults: dict[str, Any], symbol: str | None, timeframe: str | None
) -> None:
    live.set(**faults)
    if symbol:
        live.js(f"{CHART}.setSymbol('{symbol}', {{}}); 1")
    if timeframe:
        live.js(f"{CHART}.setResolution('{timeframe}', {{}}); 1")
        live.until(f"{CHART}.resolution() === '{timeframe}'")
    assert wait_for_chart_ready(live.page, symbol, timeframe, 1000) is False


@pytest.mark.parametrize("mishap", ["busy", "never", "throw", "alert", "reload"])
def test_a_call_that_goes_wrong_ends_in_time_and_the_next_one_works(
    open_page: Tabs, session: StudioSession, mishap: str
) -> None:
    page = open_page(at={"chart.symbol": mishap})
    session.studio.ready.clear()
    if mishap == "alert":
        page.connection.evaluate(f"{CHART}.symbol()", timeout=LIMIT)
        assert page.connection.dialogs[-1]["message"] == "chart.symbol wants your attention"
    else:
        with pytest.raises(PinebenchError):
            page.connection.evaluate(f"{CHART}.symbol()", await_promise=True, timeout=1)
    if mishap == "reload":
        assert session.wait_until_ready(LIMIT)
    page.set(at={})
    assert page.js(f"{CHART}.symbol()") == "NASDAQ:AAPL"


def test_an_editor_that_fails_is_an_error(live: Driver) -> None:
    live.set(at={"model.getValue": "throw"})
    with pytest.raises(PinebenchError, match="on purpose"):
        live.editor.read()


@pytest.fixture
def own_browser(tmp_path: Path) -> Iterator[browser.RunningBrowser]:
    """A browser of the test's own: pages share a renderer in that of all tests."""
    with patience():
        launched = start_browser(tmp_path / "profile")
    yield launched
    launched.stop()


@pytest.mark.live
def test_a_crashed_renderer_ends_the_call_and_the_reloaded_page_works(
    own_browser: browser.RunningBrowser, session: StudioSession
) -> None:
    open_page = Tabs(own_browser.port, session)
    page = open_page()
    page.connection.tab()
    session.studio.ready.clear()
    with pytest.raises(PinebenchError):
        page.connection.command("Page.crash", timeout=LIMIT)
    fresh = open_page()
    assert fresh.js(f"{BARS}.size()") == 500
    open_page.close()


def test_only_the_shell_is_no_chart(open_page: Tabs) -> None:
    page = open_page(ready=False, shellOnly=True)
    page.until("document.readyState === 'complete'")
    assert page.js("typeof window.TradingViewApi") == "undefined"
    assert wait_for_chart_ready(page.page, timeout_ms=600) is False


def test_faults_can_be_named_in_the_address(open_page: Tabs, session: StudioSession) -> None:
    del session
    page = open_page(named="staleNode,depth:20")
    found = page.editor.find()
    assert found is not None
    assert (found.steps, found.containers) == (20, 2)
