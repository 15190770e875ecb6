"""Every fault switch: what the real page was seen to do, and that pinebench gets through it or names the cause."""

from __future__ import annotations

import time
from typing import Any

import pytest

from pinebench.errors import PinebenchError
from pinebench.studio.session import Session
from pinebench.tradingview.ready import wait_for_chart_ready
from tests.studio.support import BARS, CHART, CLEAN, WRONG, Tabs

EDITOR_CLOSED = "TradingView.bottomWidgetBar.hideWidget?.('pine-editor') ?? TradingView.bottomWidgetBar.hide()"


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
        {"context": "editorRef", "noTestApi": True},
        {"context": "editorRef"},
        {"globalMonaco": True},
        {"noTestApi": True},
        {"cookieBanner": True},
        {"staleNode": True, "severalEditors": True, "parents": 24, "depth": 38, "oldFiberKey": True},
    ],
    ids=str,
)
def test_the_editor_is_found_written_and_read_back(open_page: Tabs, faults: dict[str, Any]) -> None:
    page = open_page(**faults)
    assert page.editor.write(CLEAN).verified
    # The person's eyes are the second witness: the text is in the editor that can be seen.
    page.until("document.querySelector('.pine-editor-monaco .view-lines')?.textContent.includes('Mine')")


@pytest.mark.parametrize(
    "faults",
    [
        {"locale": "de"},
        {"locale": "ja"},
        {"locale": "ru"},
        {"iconOnly": True},
        {"iconOnly": True, "locale": "ko"},
        {"doubledLabels": True},
        {"buttonCopies": True},
        {"cookieBanner": True},
        {"severalEditors": True},
        {"context": "property"},
    ],
    ids=str,
)
def test_a_script_goes_on_the_chart_and_is_never_saved(
    open_page: Tabs, session: Session, faults: dict[str, Any]
) -> None:
    page = open_page(**faults)
    page.editor.write(CLEAN)
    assert page.editor.compile().outcome == "added"
    assert [study["name"] for study in page.js(f"{CHART}.getAllStudies()")] == ["Mine"]
    assert [script.version for script in session.studio.store.scripts()] == [1]


@pytest.mark.parametrize("faults", [{}, {"renamedWidget": True}, {"lateMount": 800}, {"selfClosingPanel": 1}], ids=str)
def test_a_closed_editor_is_opened(open_page: Tabs, faults: dict[str, Any]) -> None:
    page = open_page()
    page.js(EDITOR_CLOSED)
    page.until("document.querySelector('.pine-editor-monaco') === null")
    page.set(**faults)
    page.editor.open()
    assert page.editor.write(CLEAN).verified


def test_a_script_that_cannot_be_edited_is_said(open_page: Tabs) -> None:
    page = open_page(readOnlyScript=True)
    before = page.editor.read()
    with pytest.raises(PinebenchError):
        page.editor.write(CLEAN)
    assert page.editor.read() == before


@pytest.mark.parametrize("delay", [500, 3000])
def test_late_markers_are_waited_for(open_page: Tabs, delay: int) -> None:
    page = open_page(lateMarkers=delay)
    page.editor.write(WRONG)
    assert len(page.editor.compile().errors) == 3


def test_markers_that_only_warn_do_not_refuse_the_script(open_page: Tabs) -> None:
    page = open_page(markers=[{"line": 3, "column": 1, "severity": 4, "message": "Look again"}])
    page.editor.write(CLEAN)
    compiled = page.editor.compile()
    assert compiled.ok
    assert [warning.message for warning in compiled.warnings] == ["Look again"]
    assert compiled.errors == []


def test_a_pending_question_is_reported_and_nothing_is_added_behind_it(open_page: Tabs) -> None:
    page = open_page(pendingDialog=True)
    page.editor.write(CLEAN)
    with pytest.raises(PinebenchError) as refused:
        page.editor.compile()
    assert "external data" in str(refused.value).lower() or "asks" in str(refused.value).lower()
    assert page.js(f"{CHART}.getAllStudies()") == []


def test_a_plans_limit_is_named(open_page: Tabs) -> None:
    page = open_page(studyLimit=1)
    page.js(f"{CHART}.createStudy('RSI')")
    assert "plan allows 1" in page.js(f"{CHART}.createStudy('SMA').catch((error) => error.message)")
    page.click('[role="dialog"] [aria-label="Close"]')
    page.editor.write(CLEAN)
    with pytest.raises(PinebenchError, match="plan"):
        page.editor.compile()
    assert len(page.js(f"{CHART}.getAllStudies()")) == 1


def test_a_session_taken_over_is_named_and_can_be_resumed(open_page: Tabs) -> None:
    page = open_page(sessionDisconnected=True)
    assert page.js("ChartApiInstance.connected()") is False
    page.until("document.querySelector('[role=\"alertdialog\"]').textContent.includes('Session disconnected')")
    page.click('[role="alertdialog"] .button--accent')
    page.until("document.querySelector('[role=\"alertdialog\"]') === null")
    assert page.js("ChartApiInstance.connected()") is True


def test_a_visitor_cannot_list_or_save_scripts(open_page: Tabs, session: Session) -> None:
    page = open_page(loggedOut=True)
    with pytest.raises(PinebenchError):
        page.editor.scripts()
    page.editor.write(CLEAN)
    assert page.editor.compile().outcome == "added"
    page.js("void TradingViewApi.pineEditorTestApi().saveScript()")
    page.until("document.querySelector('[role=\"dialog\"]')?.textContent.includes('Sign in')")
    assert len(session.studio.store.scripts()) == 1


def test_the_cookie_question_can_be_answered(open_page: Tabs) -> None:
    page = open_page(cookieBanner=True)
    page.click('[data-name="cookie-banner"] .button--accent')
    page.until("document.querySelector('[data-name=\"cookie-banner\"]') === null")


def test_a_slow_symbol_is_waited_for(open_page: Tabs) -> None:
    page = open_page()
    page.set(slowSymbol=1500)
    page.js(f"{CHART}.setSymbol('MSFT', {{}}); 1")
    assert page.js(f"{CHART}.symbol()") == "NASDAQ:AAPL"
    assert wait_for_chart_ready(page.page, "MSFT", None, 15_000)
    assert page.js(f"{CHART}.symbol()") == "NASDAQ:MSFT"


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
    open_page: Tabs, faults: dict[str, Any], symbol: str | None, timeframe: str | None
) -> None:
    page = open_page()
    page.set(**faults)
    if symbol:
        page.js(f"{CHART}.setSymbol('{symbol}', {{}}); 1")
    if timeframe:
        page.js(f"{CHART}.setResolution('{timeframe}', {{}}); 1")
        page.until(f"{CHART}.resolution() === '{timeframe}'")
    if "endlessLoading" in faults:
        page.js(f"{CHART}.setSymbol('SPY', {{}}); 1")
    assert wait_for_chart_ready(page.page, symbol, timeframe, 1500) is False


@pytest.mark.parametrize("mishap", ["busy", "never", "throw", "alert", "reload"])
def test_a_call_that_goes_wrong_ends_in_time_and_the_next_one_works(
    open_page: Tabs, session: Session, mishap: str
) -> None:
    page = open_page(at={"chart.symbol": mishap})
    session.studio.ready.clear()
    started = time.monotonic()
    if mishap == "alert":
        page.connection.evaluate(f"{CHART}.symbol()", timeout=5)
        assert page.connection.dialogs[-1]["message"] == "chart.symbol wants your attention"
    else:
        with pytest.raises(PinebenchError):
            page.connection.evaluate(f"{CHART}.symbol()", await_promise=True, timeout=1)
    assert time.monotonic() - started < 8
    if mishap == "reload":
        assert session.wait_until_ready(20)
    page.set(at={})
    assert page.js(f"{CHART}.symbol()") == "NASDAQ:AAPL"


@pytest.mark.parametrize("mishap", ["throw", "busy"])
def test_an_editor_that_goes_wrong_is_an_error_not_a_hang(open_page: Tabs, mishap: str) -> None:
    page = open_page()
    page.set(at={"model.getValue": mishap})
    started = time.monotonic()
    with pytest.raises(PinebenchError):
        page.editor.read()
    assert time.monotonic() - started < 25


def test_a_crashed_renderer_ends_the_call_and_the_reloaded_page_works(open_page: Tabs, session: Session) -> None:
    page = open_page()
    page.connection.tab()
    session.studio.ready.clear()
    with pytest.raises(PinebenchError):
        page.connection.command("Page.crash", timeout=5)
    fresh = open_page()
    assert fresh.js(f"{BARS}.size()") == 500


def test_only_the_shell_is_no_chart(open_page: Tabs) -> None:
    page = open_page(ready=False, shellOnly=True)
    page.until("document.readyState === 'complete'")
    assert page.js("typeof window.TradingViewApi") == "undefined"
    assert wait_for_chart_ready(page.page, timeout_ms=600) is False


def test_faults_can_be_named_in_the_address(open_page: Tabs, session: Session) -> None:
    del session
    page = open_page("?faults=staleNode,depth:20")
    found = page.editor.find()
    assert found is not None
    assert (found.steps, found.containers) == (20, 2)
