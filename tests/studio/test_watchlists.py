"""TradingView's watchlist service on the studio's store, and the list on the page."""

import json
import threading
from typing import Any

import pytest

from pinebench.studio.app import Studio
from pinebench.studio.session import StudioSession
from pinebench.studio.web import Response, StudioRequest
from tests.studio.support import Driver
from tests.tables import each

ROOT = "/api/v1/symbols_list"
FIRST = ["NASDAQ:AAPL", "NASDAQ:MSFT", "NASDAQ:NVDA", "AMEX:SPY", "BINANCE:BTCUSDT", "OANDA:EURUSD"]


def ask(studio: Studio, path: str, body: object = None) -> tuple[int, Any]:
    data = b"" if body is None else json.dumps(body).encode()
    answer = studio.handle(
        StudioRequest("POST" if data else "GET", ROOT + path, {}, {"content-type": "text/plain"}, data)
    )
    return answer.status, json.loads(answer.body)


def test_the_list_is_read_appended_to_replaced_and_taken_from() -> None:
    studio = Studio()
    status, active = ask(studio, "/active/")
    assert (status, active["type"], active["active"], active["symbols"]) == (200, "custom", True, FIRST)
    assert ask(studio, "/all/")[1] == [active] == ask(studio, "/custom/")[1]
    own = f"/custom/{active['id']}"
    assert ask(studio, own + "/")[1] == active
    assert ask(studio, own + "/append/", ["###Funds", "AMEX:QQQ"]) == (200, [*FIRST, "###Funds", "AMEX:QQQ"])
    assert ask(studio, own + "/remove/", ["###Funds", "NOT:THERE"])[1] == [*FIRST, "AMEX:QQQ"]
    assert ask(studio, own + "/replace/", ["A:B", "###C", "A:B"])[1] == ["A:B", "###C"]
    assert ask(studio, "/active/")[1]["symbols"] == ["A:B", "###C"]
    assert ask(studio, "/custom/2/")[0] == 404


@each("body", [{}, "A:B", [1], [""], ["###"], ["x" * 201], [None], ["### "]])
def test_what_is_no_list_changes_nothing(body: object) -> None:
    studio = Studio()
    assert ask(studio, "/custom/1/replace/", body)[0] == 400
    assert ask(studio, "/active/")[1]["symbols"] == FIRST


def test_a_damaged_list_is_not_written_over() -> None:
    studio = Studio()
    studio.store.put_document("watchlist", "{")
    assert ask(studio, "/active/")[0] == 500
    assert ask(studio, "/custom/1/append/", ["A:B"])[0] == 500
    assert studio.store.document("watchlist") == "{"


@pytest.mark.usefixtures("session")
def test_sections_are_added_moved_and_taken_away_on_the_page(page: Driver) -> None:
    names = "n => n.dataset.section ?? n.dataset.symbolShort"
    shown = f"[...document.querySelectorAll('[data-symbol-full], [data-section]')].map({names}).join()"
    kept = "fetch('/studio/api/documents/watchlist').then((a) => a.json()).then((list) => list.join())"
    page.click('[data-name="add-section-button"]')
    page.until("document.querySelector('[data-name=\"name-dialog\"] input') === document.activeElement")
    page.connection.command("Input.insertText", text="Later")
    page.click(".dialog__buttons .button--accent")
    page.until(f"{shown} === 'AAPL,MSFT,NVDA,SPY,BTCUSDT,EURUSD,Later'")
    page.js("document.querySelector('[data-symbol-short=EURUSD]').focus()")
    page.press("ArrowDown", "ArrowDown", 40, modifiers=1)
    page.until(f"{shown} === 'AAPL,MSFT,NVDA,SPY,BTCUSDT,Later,EURUSD'")
    assert page.js("document.activeElement.dataset.symbolShort") == "EURUSD"
    page.until(f"{kept}.then((list) => list.endsWith('###Later,OANDA:EURUSD'))")
    page.click('[aria-label="Remove section Later"]')
    page.until(f"{shown} === 'AAPL,MSFT,NVDA,SPY,BTCUSDT,EURUSD'")


@pytest.mark.usefixtures("session")
def test_the_focus_moves_on_from_a_removed_row_but_never_out_of_a_dialog(page: Driver) -> None:
    focused = "document.activeElement.dataset.symbolShort"
    page.js("document.querySelector('[data-symbol-short=SPY]').focus()")
    page.press("Delete", "Delete", 46)
    page.until(f"{focused} === 'BTCUSDT'")
    page.js(
        "document.querySelector('[data-symbol-short=BTCUSDT] .row__remove').click(),"
        "document.querySelector('[data-name=add-symbol-button]').click()"
    )
    page.until("document.activeElement.placeholder === 'Symbol or name'")
    frames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
    assert page.js(frames)
    assert page.js("document.activeElement.placeholder") == "Symbol or name"


WRITES = """(() => {
  window.held = [];
  const native = window.fetch;
  window.fetch = (path, init) => {
    const asked = () => native(path, init);
    if (!String(path).endsWith('/documents/watchlist') || (init?.method ?? 'GET') === 'GET') return asked();
    return new Promise((done) => window.held.push(() => done(asked())));
  };
  window.released = () => { window.fetch = native; window.held.splice(0).forEach((go) => go()); return true; };
})()"""
"""Hold the page's writing of the list until it is released."""


def test_requests_of_the_page_are_answered_in_order_after_what_the_page_has_not_stored_yet(
    page: Driver, session: StudioSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server takes its time for the read, so that a change on another connection could overtake it."""
    answer, replaced = session.studio.handle, threading.Event()

    def slowly(request: StudioRequest) -> Response:
        if request.path.endswith("/replace/"):
            replaced.set()
        elif request.path.endswith("/active/"):
            replaced.wait(0.5)
        return answer(request)

    monkeypatch.setattr(session.studio, "handle", slowly)
    shown = "[...document.querySelectorAll('[data-symbol-full]')].map(n => n.dataset.symbolShort).join()"
    page.js(WRITES)
    page.js("document.querySelector('[data-symbol-short=SPY] .row__remove').click()")
    page.until("window.held.length === 1")
    given = json.dumps(json.dumps(["NASDAQ:MSFT", "AMEX:SPY"]))
    page.js(
        "window.read = fetch('/api/v1/symbols_list/active/').then((a) => a.json()).then((list) => list.symbols.join());"
        f"window.replaced = fetch('/api/v1/symbols_list/custom/1/replace/', {{method: 'POST', body: {given}}}); 1"
    )
    page.js("window.released()")
    assert page.js("window.read") == "NASDAQ:AAPL,NASDAQ:MSFT,NASDAQ:NVDA,BINANCE:BTCUSDT,OANDA:EURUSD"
    assert page.js("window.replaced.then(({ok}) => ok)")
    page.until(f"{shown} === 'MSFT,SPY'")
    kept = "fetch('/studio/api/documents/watchlist').then((a) => a.json()).then((list) => list.join())"
    assert page.js(kept) == "NASDAQ:MSFT,AMEX:SPY"


def test_a_row_that_is_not_stored_yet_outlives_a_list_that_another_page_replaces(
    page: Driver, session: StudioSession
) -> None:
    shown = "[...document.querySelectorAll('[data-symbol-full]')].map(n => n.dataset.symbolShort).join()"
    kept = "fetch('/studio/api/documents/watchlist').then((a) => a.json()).then((list) => list.join())"
    page.js(WRITES)
    page.js("document.querySelector('[data-symbol-short=SPY] .row__remove').click()")
    page.until(f"window.held.length === 1 && {shown} === 'AAPL,MSFT,NVDA,BTCUSDT,EURUSD'")
    assert ask(session.studio, "/custom/1/replace/", ["NASDAQ:MSFT", "AMEX:SPY", "AMEX:QQQ"])[0] == 200
    page.js("window.released()")
    page.until(f"{kept}.then((list) => list === 'NASDAQ:MSFT,AMEX:QQQ')")
    page.until(f"{shown} === 'MSFT,QQQ'")


@pytest.mark.usefixtures("session")
def test_changes_one_after_another_are_all_seen_until_they_are_stored(page: Driver) -> None:
    page.js(
        "window.shownLists = []; new MutationObserver(() => window.shownLists.push("
        "[...document.querySelectorAll('[data-symbol-full]')].map(n => n.dataset.symbolShort).join()))"
        ".observe(document.querySelector('.watchlist__rows'), {childList: true}), 1"
    )
    page.js(WRITES)
    for name in ("SPY", "NVDA"):
        page.js(f"document.querySelector('[data-symbol-short={name}] .row__remove').click()")
        page.until(f"document.querySelector('[data-symbol-short={name}]') === null")
    page.until("window.held.length === 1")
    page.js("window.released()")
    kept = "fetch('/studio/api/documents/watchlist').then((a) => a.json()).then((list) => list.length)"
    page.until(f"{kept}.then((count) => count === 4)")
    frames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
    assert page.js(frames)
    assert page.js("window.shownLists") == ["AAPL,MSFT,NVDA,BTCUSDT,EURUSD", "AAPL,MSFT,BTCUSDT,EURUSD"]
