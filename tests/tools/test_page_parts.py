"""Tools for pictures, the watchlist, panes, layouts, tabs, panels, keys and the mouse."""

import base64
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pinebench.context import Context
from pinebench.errors import PinebenchError
from pinebench.tools import layout
from pinebench.tools.chart_browser import ChartBrowser, ToolContext
from pinebench.tools.tool_calls import answer, call
from pinebench.tradingview import targets
from pinebench.tradingview.errors import CallTimeout, ConnectionLost, PageError, ProtocolError, UnexpectedAnswer
from pinebench.tradingview.page import Page
from tests.studio.support import CHART, begin_so
from tests.tools.conftest import Bench, hardly_waiting_for
from tests.tradingview.support import LIMIT


def test_a_picture_is_kept_and_comes_along(bench: Bench) -> None:
    bench.driver.page.bring_to_front()
    outcome = answer(bench.chart_browser, "capture_screenshot", {"region": "chart", "filename": "of mine"})
    result = outcome.result
    assert result["success"], result
    data = Path(result["file_path"]).read_bytes()
    assert Path(result["file_path"]).name == "of mine.png"
    assert [image.data for image in outcome.images] == [data]
    assert data.startswith(b"\x89PNG")
    box = bench.js(
        "(b => [b.width, b.height])(document.querySelector('[data-name=pane-canvas]').getBoundingClientRect())"
    )
    assert result["width"] >= box[0]
    # The chart alone, though the editor below it has canvases too.
    chart = bench.js("document.querySelector('[class*=chart-container]').getBoundingClientRect().height")
    assert box[1] <= result["height"] <= chart + 2
    assert result["size_bytes"] == len(data)


def test_a_picture_of_the_same_name_replaces_none(use: Any) -> None:
    first, second = (Path(use("capture_screenshot", filename="again")["file_path"]) for _ in range(2))
    assert (first.name, second.name) == ("again.png", "again-2.png") and first.exists() and second.exists()


def test_a_picture_can_be_asked_for_as_text_or_not_at_all(use: Any, refused: Any) -> None:
    text = use("capture_screenshot", base64=True, embed=False)
    assert base64.b64decode(text["data"]).startswith(b"\x89PNG")
    assert not text["embedded"]
    assert "is not on the screen" in refused("capture_screenshot", region="strategy_tester")
    assert "filename cannot be" in refused("capture_screenshot", filename="../x")
    assert "method must be one of cdp" in refused("capture_screenshot", method="api")


def test_the_watchlist_is_read_added_to_and_taken_from(use: Any, refused: Any, bench: Bench) -> None:
    rows = "[...document.querySelectorAll('[data-symbol-full]')].map(n => n.getAttribute('data-symbol-full'))"
    found = use("watchlist_get")
    assert [each["symbol"] for each in found["symbols"]] == bench.js(rows)
    bench.driver.until("[...document.querySelectorAll('[data-symbol-full] .cell')].every(n => n.textContent !== '')")
    priced = use("watchlist_get")["symbols"][0]
    assert priced["last"] > 0
    assert priced["change_percent"] is not None
    row = "document.querySelector('[data-symbol-full]')"  # whose column of the change a person hides
    bench.js(f"[...{row}.children].forEach((one, at) => one.className = ['symbolName', 'cell', '', 'cell'][at] ?? '')")
    assert use("watchlist_get")["symbols"][0] == {**priced, "change": None}
    bench.js(
        f"[...{row}.children].forEach((one, at) => one.className = ['symbolName', 'cell', 'cell', 'cell'][at] ?? '')"
    )
    bench.js(f"{row}.children[1].textContent = '—'")  # there is no price
    assert use("watchlist_get")["symbols"][0] == {**priced, "last": None}
    assert use("watchlist_remove", symbol="NASDAQ:NVDA")["count"] == found["count"] - 1
    bench.driver.until(f"!{rows}.includes('NASDAQ:NVDA')")
    assert "is not on the watchlist" in refused("watchlist_remove", symbol="NASDAQ:NVDA")
    added = use("watchlist_add", symbol="nvda")
    assert (added["symbol"], added["action"], added["verified"]) == ("NASDAQ:NVDA", "added", True)
    bench.driver.until(f"{rows}.includes('NASDAQ:NVDA')")
    assert use("watchlist_add", symbol="NASDAQ:NVDA")["action"] == "already_there"
    assert bench.js("document.querySelectorAll('[role=dialog]').length") == 0


ENTRIES = (
    "[...document.querySelectorAll('[data-symbol-full], [data-section]')]"
    ".map(n => n.dataset.section ? '# ' + n.dataset.section : n.dataset.symbolFull)"
)


@pytest.fixture
def listed(bench: Bench) -> Any:
    """Three symbols on the watchlist, which is as before afterwards; tells what the page shows of it."""
    before = bench.js("fetch('/studio/api/documents/watchlist').then((a) => a.json())")

    def put(entries: list[str]) -> None:
        body = json.dumps(json.dumps(entries))
        bench.js(f"fetch('/api/v1/symbols_list/custom/1/replace/', {{method: 'POST', body: {body}}})")
        shown = json.dumps([entry.replace("###", "# ") for entry in entries])
        bench.driver.until(f"JSON.stringify({ENTRIES}) === JSON.stringify({shown})")

    def shows(*entries: str) -> None:
        bench.driver.until(
            f"JSON.stringify({ENTRIES}) === {json.dumps(json.dumps(list(entries), separators=(',', ':')))}"
        )

    bench.use("ui_open_panel", panel="watchlist", action="open")
    put(["NASDAQ:AAPL", "NASDAQ:MSFT", "AMEX:SPY"])
    yield shows
    put(before)


def test_sections_are_added_filled_moved_renamed_and_removed(use: Any, refused: Any, listed: Any) -> None:
    done = use("watchlist_section", action="add", section="Funds")
    assert done == {
        "success": True,
        "section": "Funds",
        "action": "added",
        "sections": [{"name": "Funds", "count": 0}],
        "verified": True,
        "verified_by": "the watchlist, read again",
    }
    listed("NASDAQ:AAPL", "NASDAQ:MSFT", "AMEX:SPY", "# Funds")
    moved = use("watchlist_move", symbol="SPY", section="Funds")
    assert (moved["symbol"], moved["section"], moved["verified"]) == ("AMEX:SPY", "Funds", True)
    use("watchlist_section", action="add", section="Shares", before="Funds")
    added = use("watchlist_add", symbol="nvda", section="Shares")
    assert (added["symbol"], added["section"], added["count"]) == ("NASDAQ:NVDA", "Shares", 4)
    listed("NASDAQ:AAPL", "NASDAQ:MSFT", "# Shares", "NASDAQ:NVDA", "# Funds", "AMEX:SPY")
    use("watchlist_move", symbol="NASDAQ:MSFT", before="NVDA")
    use("watchlist_section", action="move", section="Funds", before="Shares")
    listed("NASDAQ:AAPL", "# Funds", "AMEX:SPY", "# Shares", "NASDAQ:MSFT", "NASDAQ:NVDA")
    assert use("watchlist_section", action="rename", section="Funds", new_name="ETF")["sections"][0]["name"] == "ETF"
    found = use("watchlist_get")
    assert found["source"] == "internal_api" and found["name"] == "Watchlist"
    assert [(each["symbol"], each["section"]) for each in found["symbols"]] == [
        ("NASDAQ:AAPL", None),
        ("AMEX:SPY", "ETF"),
        ("NASDAQ:MSFT", "Shares"),
        ("NASDAQ:NVDA", "Shares"),
    ]
    assert found["sections"] == [{"name": "ETF", "count": 1}, {"name": "Shares", "count": 2}]
    use("watchlist_section", action="remove", section="Shares")
    listed("NASDAQ:AAPL", "# ETF", "AMEX:SPY", "NASDAQ:MSFT", "NASDAQ:NVDA")
    assert "there is no section 'Shares'" in refused("watchlist_section", action="remove", section="Shares")
    assert "there is no section 'Shares'" in refused("watchlist_add", symbol="TSLA", section="Shares")
    assert "there is already a section 'ETF'" in refused("watchlist_section", action="add", section="ETF")
    assert "is not on the watchlist" in refused("watchlist_move", symbol="NASDAQ:TSLA", section="ETF")
    assert "either section or before" in refused("watchlist_move", symbol="NASDAQ:AAPL")
    assert "new_name" in refused("watchlist_section", action="rename", section="ETF")
    assert "section cannot be" in refused("watchlist_section", action="add", section="###x")
    listed("NASDAQ:AAPL", "# ETF", "AMEX:SPY", "NASDAQ:MSFT", "NASDAQ:NVDA")


def test_a_watchlist_that_changed_meanwhile_is_left_alone(bench: Bench, listed: Any) -> None:
    held = ["NASDAQ:AAPL", "NASDAQ:MSFT"]
    with bench.chart_browser.connection().exclusive():
        done = bench.chart_browser.editor().page.call(
            "watchlist_replace",
            {"path": "/custom/1/replace/?unsafe=true", "expected": held, "entries": ["AMEX:SPY"], "limit": 3000},
        )
    assert done["asked"] is False and done["before"]["data"]["symbols"] == [*held, "AMEX:SPY"]
    listed("NASDAQ:AAPL", "NASDAQ:MSFT", "AMEX:SPY")


@pytest.fixture
def visitor(bench: Bench, listed: Any) -> Iterator[None]:
    """Nobody is logged in, so the page's own dialog adds symbols."""
    bench.driver.set(loggedOut=True)
    yield
    bench.driver.set(loggedOut=False)


@pytest.mark.usefixtures("visitor")
def test_without_a_log_in_the_rows_and_buttons_of_the_page_serve(
    use: Any, refused: Any, bench: Bench, listed: Any
) -> None:
    read = use("watchlist_get")
    assert read["source"] == "data_attributes"
    assert read["notes"] == ["nobody is logged in, so only the symbols whose rows the page has drawn were read"]
    assert use("watchlist_remove", symbol="AMEX:SPY")["verified"]
    listed("NASDAQ:AAPL", "NASDAQ:MSFT")
    assert use("watchlist_add", symbol="SPY")["symbol"] == "AMEX:SPY"
    assert "log in" in bench.call("watchlist_section", action="add", section="Funds")["hint"]
    assert "sections need an account" in refused("watchlist_add", symbol="TSLA", section="Funds")
    listed("NASDAQ:AAPL", "NASDAQ:MSFT", "AMEX:SPY")


ROW = "document.querySelector('[data-symbol-full=\"NASDAQ:MSFT\"]')"
"""Enter on it shows another symbol."""


def once_the_dialog_opens(bench: Bench, then: str, later: str = "setTimeout") -> None:
    """Have the page do something as soon as a field in a dialog has the focus; it is `event.target`."""
    react = "if (!event.target.closest('[role=dialog]')) return; document.removeEventListener('focusin', react);"
    react = f"const react = (event) => {{ {react} {later}(() => {{ {then} }}); }};"
    bench.js(f"void (() => {{ {react} document.addEventListener('focusin', react); }})()")


@pytest.mark.usefixtures("visitor")
@pytest.mark.parametrize("later", ["queueMicrotask", "setTimeout", "((f) => setTimeout(f, 5))"])
def test_a_symbol_is_typed_into_its_dialog_though_the_page_moves_the_focus(use: Any, bench: Bench, later: str) -> None:
    shown = bench.js(f"{CHART}.symbol()")
    use("watchlist_remove", symbol="AMEX:SPY")
    once_the_dialog_opens(bench, f"{ROW}.focus()", later)
    assert use("watchlist_add", symbol="SPY")["symbol"] == "AMEX:SPY"
    assert bench.js(f"{CHART}.symbol()") == shown


@pytest.mark.usefixtures("visitor")
def test_enter_for_the_dialog_does_nothing_elsewhere(
    use: Any, refused: Any, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = bench.js(f"{CHART}.symbol()")
    press = Page.press_key

    def moved(page: Page, *key: Any, **given: Any) -> None:
        bench.js(f"void {ROW}.focus()")
        press(page, *key, **given)

    use("watchlist_remove", symbol="AMEX:SPY")
    with monkeypatch.context() as patch:
        patch.setattr(Page, "press_key", moved)
        assert "no row appeared" in refused("watchlist_add", symbol="SPY")
    assert bench.js(f"{CHART}.symbol()") == shown
    assert use("watchlist_add", symbol="SPY")["action"] == "added"
    # Only that one Enter was held up.
    bench.js(f"void {ROW}.focus()")
    bench.driver.press("Enter", "Enter", 13)
    bench.driver.until(f"{CHART}.symbol() === 'NASDAQ:MSFT'")
    use("chart_set_symbol", symbol=shown)


@pytest.mark.usefixtures("visitor")
@pytest.mark.parametrize(
    "spoil",
    [
        "document.querySelector('[role=dialog] [aria-label=Close]').click()",
        "event.target.readOnly = true",
        "event.target.disabled = true",
    ],
)
def test_a_symbol_is_typed_into_no_other_field(use: Any, refused: Any, bench: Bench, spoil: str) -> None:
    use("watchlist_remove", symbol="AMEX:SPY")
    bench.driver.editor.open()
    text = bench.driver.editor.read()
    once_the_dialog_opens(bench, f"{spoil}; document.querySelector('.monaco-editor textarea').focus()")
    assert "SPY was not added" in refused("watchlist_add", symbol="SPY")
    assert bench.driver.editor.read() == text
    assert bench.js("document.querySelectorAll('[role=dialog]').length") == 0


def test_a_symbol_that_is_not_there_is_not_added(refused: Any, bench: Bench) -> None:
    assert "was not added" in refused("watchlist_add", symbol="NOSUCHSYMBOL")
    assert bench.js("document.querySelectorAll('[role=dialog]').length") == 0


def test_many_symbols_are_read_and_the_chart_is_put_back(use: Any, bench: Bench) -> None:
    progress: list[float | None] = []
    before = bench.js(f"[{CHART}.symbol(), {CHART}.resolution()]")
    context = Context(progress=lambda _text, fraction: progress.append(fraction))
    given = {"symbols": ["NASDAQ:MSFT", "NASDAQ:NOSUCH", "BINANCE:BTCUSDT"], "timeframes": ["60"], "action": "ohlcv"}
    with hardly_waiting_for("NASDAQ:NOSUCH"):
        done = call(bench.chart_browser, "batch_run", given, context)
    assert done["success"], done
    assert (done["successful"], done["failed"], done["restored"]) == (2, 1, True)
    assert [row["success"] for row in done["results"]] == [True, False, True]
    assert done["results"][2]["result"]["symbol"] == "BINANCE:BTCUSDT"
    assert bench.js(f"[{CHART}.symbol(), {CHART}.resolution()]") == before
    assert progress[-1] == 1.0
    quotes = use("batch_run", symbols=["NASDAQ:MSFT", "OANDA:EURUSD"])
    assert [row["result"]["symbol"] for row in quotes["results"]] == ["NASDAQ:MSFT", "OANDA:EURUSD"]
    left = use("batch_run", symbols=["NASDAQ:MSFT"], restore=False, delay_ms=1)
    assert (left["restored"], bench.js(f"{CHART}.symbol()")) == (False, "NASDAQ:MSFT")
    use("chart_set_symbol", symbol="NASDAQ:AAPL")
    for action in ("study_values", "screenshot"):
        assert use("batch_run", symbols=["NASDAQ:MSFT"], action=action)["successful"] == 1


@pytest.mark.parametrize("name", ["batch_run", "scan_symbols", "compare_symbols"])
def test_rows_are_kept_if_the_chart_cannot_be_put_back(
    bench: Bench, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bars of no other symbol come any more once the first symbol was read."""

    def stall(text: str, _fraction: float | None) -> None:
        if "EURUSD" in text:
            bench.driver.set(nameFirst=-1)
            monkeypatch.setattr("pinebench.tools.timing.READY_MS", 500)

    symbols = ["NASDAQ:MSFT", "OANDA:EURUSD"]
    outcome = answer(bench.chart_browser, name, {"symbols": symbols}, Context(progress=stall))
    bench.driver.set(nameFirst=0)
    bench.js(f"new Promise((done) => {CHART}.setSymbol('NASDAQ:AAPL', done))")
    found = outcome.result
    assert found["success"], found
    rows = next(found[key] for key in ("results", "matches", "symbols") if key in found)
    assert rows[0]["symbol"] == "NASDAQ:MSFT"
    assert found["restored"] is False
    assert "could not be restored to NASDAQ:AAPL" in str(found["notes"])


def test_a_cancelled_batch_puts_the_chart_back(bench: Bench) -> None:
    seen: list[str] = []
    context = Context(cancelled=lambda: len(seen) > 1, progress=lambda text, _fraction: seen.append(text))
    done = call(bench.chart_browser, "batch_run", {"symbols": ["NASDAQ:MSFT", "OANDA:EURUSD", "AMEX:SPY"]}, context)
    assert done["error"] == "the work was cancelled"
    assert bench.js(f"{CHART}.symbol()") == "NASDAQ:AAPL"


def test_symbols_are_compared_and_scanned(use: Any, bench: Bench) -> None:
    found = use("compare_symbols", symbols=["NASDAQ:AAPL", "NASDAQ:MSFT", "NASDAQ:AAPL"], count=50)
    changes = [row["change_percent"] for row in found["symbols"]]
    assert changes == sorted(changes, reverse=True)
    own = next(row for row in found["symbols"] if row["symbol"] == "NASDAQ:AAPL")
    assert own["correlation"] == 1.0
    with hardly_waiting_for("NASDAQ:NOPE"):
        found = use("compare_symbols", symbols=["NASDAQ:NOPE", "NASDAQ:MSFT", "NASDAQ:AAPL"], count=50)
    assert list(found["failed"]) == ["NASDAQ:NOPE"]
    assert [row["correlation"] for row in found["symbols"]] == [None, None]  # the symbol to compare with is missing
    scanned = use("scan_symbols", symbols=["NASDAQ:MSFT", "BINANCE:BTCUSDT"], count=20)
    moves = [abs(row["change_percent"]) for row in scanned["matches"]]
    assert moves == sorted(moves, reverse=True)
    assert bench.js(f"{CHART}.symbol()") == "NASDAQ:AAPL"


def test_panes_are_arranged_focused_and_set(use: Any, refused: Any, bench: Bench) -> None:
    arranged = use("pane_set_layout", layout="2x1")
    assert (arranged["layout"], arranged["chart_count"]) == ("2h", 2)
    assert use("pane_focus", index=1)["focused_index"] == 1
    assert use("pane_set_symbol", index=1, symbol="NASDAQ:MSFT")["verified"]
    panes = use("pane_list")
    assert [pane["symbol"] for pane in panes["panes"]] == ["NASDAQ:AAPL", "NASDAQ:MSFT"]
    assert panes["active_index"] == 1
    assert bench.js("TradingViewApi._chartWidgetCollection.getAll().length") == 2
    assert "index must be from 0 to 1" in refused("pane_focus", index=2)
    assert "layout must be one of" in refused("pane_set_layout", layout="5z")
    use("pane_focus", index=0)
    assert use("pane_set_layout", layout="single")["chart_count"] == 1


def test_layouts_are_listed_and_loaded(use: Any, refused: Any, bench: Bench) -> None:
    listed = use("layout_list")["layouts"]
    assert {each["name"] for each in listed} == {"Morning desk", "Crypto hours"}
    use("layout_switch", name="Morning desk", discard=True)
    use("chart_set_symbol", symbol="AMEX:SPY")
    assert "unsaved" in refused("layout_switch", name="crypto").lower()
    assert bench.js(f"{CHART}.symbol()") == "AMEX:SPY"
    loaded = use("layout_switch", name="crypto", discard=True)
    assert loaded["unsaved_dialog_dismissed"]
    assert loaded["layout"] == "Crypto hours"
    assert bench.js(f"{CHART}.symbol()") == "BINANCE:BTCUSDT"
    assert "there is no layout" in refused("layout_switch", name="nothing")
    morning = next(each for each in listed if each["name"] == "Morning desk")
    assert morning["id"].isdecimal()
    assert use("layout_switch", name=morning["id"])["layout_id"] == morning["id"]
    assert bench.js(f"{CHART}.symbol()") == "NASDAQ:AAPL"


def test_a_shown_layout_with_unsaved_changes_is_not_called_loaded_before_the_page_asks(
    use: Any, refused: Any, bench: Bench
) -> None:
    use("layout_switch", name="Morning desk", discard=True)
    bench.js(f"{CHART}.createStudy('Relative Strength Index')")
    bench.js(
        """void (() => { const api = TradingViewApi; window.ownLoad = api.loadChartFromServer;
        api.loadChartFromServer = (id) => setTimeout(() => window.ownLoad(id), 200); })()"""
    )
    try:
        assert "the page asked a question" in refused("layout_switch", name="Morning desk")
        assert len(bench.js(f"{CHART}.getAllStudies()")) == 1
        done = use("layout_switch", name="Morning desk", discard=True)
    finally:
        bench.js("void (TradingViewApi.loadChartFromServer = window.ownLoad)")
    assert done["unsaved_dialog_dismissed"] and done["verified"]
    assert bench.js(f"{CHART}.getAllStudies()") == []


def test_a_layout_with_the_symbol_of_the_shown_one_is_not_called_loaded_before_it_is(
    use: Any, refused: Any, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    use("layout_switch", name="Morning desk", discard=True)
    bench.js(
        """void (() => { const api = TradingViewApi; window.ownLayouts = [api.getSavedCharts, api.loadChartFromServer];
        const [list] = window.ownLayouts;
        const [symbol, resolution] = [api.activeChart().symbol(), api.activeChart().resolution()];
        const twin = { id: 99, image_url: "tWin", name: "Twin", symbol, resolution };
        api.getSavedCharts = (done) => list((all) => done([...all, twin]));
        api.loadChartFromServer = () => undefined; })()"""
    )
    act = ToolContext.act

    def soon(at: ToolContext, name: str, argument: Any = None, timeout: float = LIMIT) -> Any:
        return act(at, name, {**argument, "limit": 300} if name == "load_layout" else argument, timeout)

    monkeypatch.setattr(ToolContext, "act", soon)
    assert "does not show the layout 'Twin'" in refused("layout_switch", name="Twin")
    bench.js(
        """void (() => { const api = TradingViewApi; window.ownNames = [api.layoutId, api.getSaveChartService];
        api.layoutId = api.getSaveChartService = () => null; })()"""
    )
    assert "not known whether the page has loaded 'Twin'" in refused("layout_switch", name="Twin")
    bench.js("void ([TradingViewApi.layoutId, TradingViewApi.getSaveChartService] = window.ownNames)")
    bench.js("void ([TradingViewApi.getSavedCharts, TradingViewApi.loadChartFromServer] = window.ownLayouts)")


def test_a_layout_is_made_and_no_other_is_renamed(
    use: Any, refused: Any, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def names() -> set[str]:
        return {each["name"] for each in use("layout_list")["layouts"]}

    use("layout_switch", name="Morning desk", discard=True)
    assert "already" in refused("layout_new", name="crypto HOURS", confirm=True)
    assert "Pine editor" in refused("layout_new", name="Swings")
    bench.js(f"new Promise((done) => {CHART}.setSymbol('AMEX:SPY', done))")
    assert "unsaved changes" in refused("layout_new", name="Swings", confirm=True)
    bench.js(f"new Promise((done) => {CHART}.setSymbol('NASDAQ:AAPL', done))")
    assert names() == {"Morning desk", "Crypto hours"}

    # The page always shows the former layout, though its address names the new one: nothing gets the new name.
    begin_so(bench.driver, {"newLayout": "never"})
    with monkeypatch.context() as patch:
        patch.setattr("pinebench.tools.layout.NEW_SECONDS", 3.0)
        assert "still shows 'Morning desk', so nothing was saved" in refused("layout_new", name="Swings", confirm=True)
    bench.driver.until("window.TradingViewApi?.layoutName() === 'Morning desk'")
    assert bench.js("location.pathname.split('/')[2] !== TradingViewApi.layoutId()")
    former = bench.js("TradingViewApi.layoutId()")
    assert bench.driver.page.call("layout_named", {"former": former, "name": "Swings"}) == {"moved": False}
    assert names() == {"Morning desk", "Crypto hours", "Unnamed"}

    # A page that asks for a log-in is not waited for.
    monkeypatch.setattr("pinebench.tools.layout.NEW_SECONDS", LIMIT)
    begin_so(bench.driver, {"newLayout": "sign-in"})
    asked = bench.call("layout_new", name="Swings", confirm=True)
    assert "asks 'Sign in to go on" in asked["error"] and "nothing was saved" in asked["error"], asked
    assert "log in" in asked["hint"]
    bench.driver.set(question="")
    assert names() == {"Morning desk", "Crypto hours", "Unnamed"}

    # A page that starts late, and shows the former layout for a while, is waited for.
    begin_so(bench.driver, {"newLayout": "slow"})
    made = use("layout_new", name="Swings", confirm=True)
    assert (made["layout"], made["former"], made["verified"]) == ("Swings", "Morning desk", True)
    assert names() == {"Morning desk", "Crypto hours", "Unnamed", "Swings"}
    assert bench.js("TradingViewApi.layoutName()") == "Swings"
    assert bench.js("location.pathname.split('/')[2] === TradingViewApi.layoutId()")
    bench.js("void delete TradingViewApi.createNewLayout")
    assert "no function that creates a layout" in refused("layout_new", name="More", confirm=True)


def test_an_error_of_a_page_with_a_new_layout_is_told_at_once(bench: Bench) -> None:
    """Only a page that loads another document is waited for."""
    at = ToolContext(bench.chart_browser)
    former: Any = {"id": "former", "name": "Former"}

    def told_by(error: Exception, then: Exception) -> str:
        errors = iter([error, then])

        def read(_self: ToolContext, _name: str) -> Any:
            raise next(errors)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ToolContext, "read", read)
            with pytest.raises(PinebenchError) as raised:
                layout._await_layout(at, former, "made")
        return str(raised.value)

    gone = ProtocolError("Runtime.callFunctionOn", "Cannot find context with specified id")
    for error in (
        CallTimeout("the page did not answer"),
        ConnectionLost("the page was closed"),
        UnexpectedAnswer("layout_shown", "it is a list"),
        PageError("TypeError: no such thing"),
        ProtocolError("Runtime.evaluate", "Internal error"),
    ):
        assert told_by(error, AssertionError("it was read again")) == str(error)
        assert told_by(gone, error) == str(error)


def test_tabs_are_opened_listed_switched_and_closed(use: Any, refused: Any, bench: Bench) -> None:
    # Other tests' tabs may be open in the same browser.
    before = use("tab_list")["tab_count"]
    made = use("tab_new")
    listed = use("tab_list")["tabs"]
    assert len(listed) == before + 1
    index = next(each["index"] for each in listed if each["id"] == made["tab_id"])
    own = next(each["index"] for each in listed if each["id"] == bench.driver.tab)
    switched = use("tab_switch", index=index)
    assert (switched["index"], switched["tab_id"]) == (index, made["tab_id"])
    # The browser lists the tab that was used last first.
    assert [each["id"] for each in use("tab_list")["tabs"]] == [each["id"] for each in listed]
    assert use("tv_health_check")["target_id"] == made["tab_id"]
    use("tab_switch", index=own)
    assert "confirm" in call(bench.chart_browser, "tab_close", {"index": index})["hint"]
    assert use("tab_close", index=index, confirm=True)["tabs_after"] == before
    assert f"no tab {index}" in refused("tab_switch", index=index)
    assert use("tv_health_check")["target_id"] == bench.driver.tab


def test_a_tab_keeps_its_index_when_another_one_is_closed(use: Any, bench: Bench) -> None:
    """An index from an earlier list would close another tab."""
    made = [use("tab_new") for _ in range(3)]
    use("tab_close", index=made[0]["index"], confirm=True)
    use("tab_switch", index=made[1]["index"])
    listed = {each["id"]: each["index"] for each in use("tab_list")["tabs"]}
    assert [listed[each["tab_id"]] for each in made[1:]] == [each["index"] for each in made[1:]]
    closed = use("tab_close", index=made[1]["index"], confirm=True)
    assert closed["tab_id"] == made[1]["tab_id"]
    now = use("tv_health_check")["target_id"]
    assert now != made[1]["tab_id"] and now[:8] in closed["notes"][0]  # the closed tab was the controlled one
    use("tab_close", index=made[2]["index"], confirm=True)
    own = next(each["index"] for each in use("tab_list")["tabs"] if each["id"] == bench.driver.tab)
    use("tab_switch", index=own)


def test_a_tab_is_opened_though_its_page_loads_slowly(use: Any, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    listed, known = targets.list_targets, {each["id"] for each in use("tab_list")["tabs"]}
    looks: list[str] = []

    def slowly(*where: Any) -> list[targets.Target]:
        """The pages of the browser, a new one empty when it is looked for the second and the third time."""
        found = listed(*where)
        looks.extend(each.id for each in found if each.is_chart and each.id not in known)
        return [replace(each, url="about:blank") if looks.count(each.id) in (2, 3) else each for each in found]

    with monkeypatch.context() as patch:
        patch.setattr(targets, "list_targets", slowly)
        patch.setattr(bench.chart_browser, "_wait", False)
        made = use("tab_new")
    assert len(looks) > 3
    index = next(each["index"] for each in use("tab_list")["tabs"] if each["id"] == made["tab_id"])
    use("tab_close", index=index, confirm=True)


def test_panels_are_opened_and_closed(use: Any, refused: Any, bench: Bench) -> None:
    assert use("ui_open_panel", panel="pine-editor", action="close")["performed"] == "closed"
    assert bench.js("document.querySelector('.monaco-editor')") is None
    assert use("ui_open_panel", panel="pine-editor")["performed"] == "opened"
    assert use("ui_open_panel", panel="pine-editor")["performed"] == "already_open"
    assert use("ui_open_panel", panel="watchlist", action="toggle")["is_open"] is False
    assert use("ui_open_panel", panel="watchlist", action="toggle")["is_open"] is True


def test_elements_are_found_clicked_and_hovered(use: Any, refused: Any, bench: Bench) -> None:
    found = use("ui_find_element", query="Indicators")
    many = f"<p id=many>{'<b>so many of them</b>' * 600}<i>{'long ' * 60}needle</i></p>"
    bench.js(f"void document.body.insertAdjacentHTML('beforeend', {json.dumps(many)})")
    assert use("ui_find_element", query="so many of them")["count"] == 600
    assert use("ui_find_element", query="needle")["count"] == 1
    bench.js("document.getElementById('many').remove()")
    assert found["count"] >= 1
    assert use("ui_find_element", query="#header-toolbar-indicators, [data-name]", strategy="css")["count"] > 1
    assert use("ui_find_element", query="add symbol", strategy="aria-label")["elements"][0]["tag"] == "button"
    clicked = use("ui_click", by="aria-label", value="Add symbol")
    assert clicked["clicked"]["data_name"] == "add-symbol-button"
    bench.driver.until("!!document.querySelector('[role=dialog] input')")
    typed = use("ui_type_text", text="eur")
    assert typed["verified"]
    assert bench.js("document.activeElement.value") == "eur"
    pressed = use("ui_keyboard", key="Escape")
    assert pressed["verified"] is False
    bench.driver.until("!document.querySelector('[role=dialog]')")
    assert use("ui_hover", by="data-name", value="add-symbol-button")["hovered"]["tag"] == "button"
    assert "no element on the screen" in refused("ui_click", by="text", value="no such words")
    bench.js("void document.body.insertAdjacentHTML('beforeend', '<button id=off disabled>Send it</button>')")
    assert "is disabled, so it was not clicked" in refused("ui_click", by="text", value="send it")
    bench.js("document.getElementById('off').remove()")
    assert "not a CSS selector" in refused("ui_click", by="selector", value="[[")
    assert "not a CSS selector" in refused("ui_find_element", query="[[", strategy="css")
    assert "key cannot be" in refused("ui_keyboard", key="F99")
    listen = (
        "window.pressed = [], window.heard = (e) => { pressed.push([e.key, e.keyCode]); e.stopImmediatePropagation(); }"
    )
    bench.js(f"void ({listen}, addEventListener('keydown', heard, true))")
    for key in ".%a5":
        use("ui_keyboard", key=key)
    bench.driver.until("pressed.length === 4")
    bench.js("removeEventListener('keydown', heard, true)")
    assert bench.js("pressed") == [[".", 0], ["%", 0], ["a", 65], ["5", 53]]  # 46 is Delete, 37 the arrow to the left


def test_the_mouse_scrolls_and_clicks(use: Any, bench: Bench) -> None:
    scrolled = use("ui_scroll", direction="up", amount=300)
    assert scrolled["verified"]
    assert scrolled["range_after"] == bench.js(f"{CHART}.getVisibleRange()")
    button = "document.querySelector('[data-name=add-symbol-button]')"
    place = bench.js(f"(b => [b.x + b.width / 2, b.y + b.height / 2])({button}.getBoundingClientRect())")
    clicked = use("ui_mouse_click", x=place[0], y=place[1])
    assert [clicked["x"], clicked["y"], clicked["button"]] == [*place, "left"]
    bench.driver.until("!!document.querySelector('[role=dialog]')")
    use("ui_keyboard", key="Escape")
    bench.driver.until("!document.querySelector('[role=dialog]')")
    use("ui_keyboard", key="Escape", modifiers=["shift"])


def test_the_full_screen_is_taken_and_left(use: Any, bench: Bench) -> None:
    assert use("ui_fullscreen")["is_fullscreen"]
    assert bench.js("document.fullscreenElement !== null")
    assert not use("ui_fullscreen")["is_fullscreen"]


def test_no_password_is_typed(use: Any, refused: Any, bench: Bench) -> None:
    field = "document.getElementById('secret')"
    bench.js("void document.body.insertAdjacentHTML('beforeend', '<input type=password id=secret>')")
    bench.js(f"{field}.focus()")
    assert "password" in refused("ui_type_text", text="hunter2")
    assert bench.js(f"{field}.value") == ""
    bench.js(f"{field}.remove()")


def test_raw_javascript_is_off_unless_a_person_allowed_it(refused: Any, bench: Bench) -> None:
    assert "is off" in refused("ui_evaluate", expression="document.title = 'x'")
    allowed = ChartBrowser(port=bench.driver.port, target=bench.driver.tab, allow_evaluate=True)
    with allowed:
        assert call(allowed, "ui_evaluate", {"expression": "Promise.resolve(6 * 7)"})["result"] == 42
        assert "boom" in call(allowed, "ui_evaluate", {"expression": "(() => { throw new Error('boom') })()"})["error"]
