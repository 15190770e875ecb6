"""Saved layouts on the page: numbers, addresses, what they keep, and no change that is lost unasked."""

import json
from typing import Any

import pytest

from pinebench.studio import documents
from pinebench.studio.session import StudioSession
from tests.studio.support import CHART, Driver, Tabs, reload

LAYOUTS = "new Promise((done) => TradingViewApi.getSavedCharts(done))"
ASKED = "document.querySelector('[role=dialog]')?.textContent.includes('Unsaved changes')"
SAVE = "[...document.querySelectorAll('[role=dialog] button')].find((b) => b.textContent === 'Save').click()"
LAYOUT_NAME = "document.querySelector('[data-name=save-load-menu]').textContent"


def is_shown(page: Driver, layout: dict[str, Any]) -> None:
    page.until(
        f"{CHART}.symbol() === {json.dumps(layout['symbol'])}"
        f" && {CHART}.resolution() === {json.dumps(layout['resolution'])} && {CHART}.dataReady()"
    )
    page.until(f"location.pathname === '/chart/{layout['image_url']}/'")


@pytest.mark.usefixtures("session")
def test_layouts_are_listed_and_opened_by_number(page: Driver) -> None:
    first, second = page.js(LAYOUTS)
    assert isinstance(first["id"], int) and isinstance(second["id"], int)
    assert first["symbol"] != second["symbol"]
    for layout, by in ((second, second["id"]), (first, str(first["id"])), (second, {"id": second["id"]})):
        page.js(f"TradingViewApi.loadChartFromServer({json.dumps(by)})")
        is_shown(page, layout)
        assert page.js(LAYOUT_NAME) == layout["name"]
        assert not page.js(ASKED)


@pytest.mark.usefixtures("session")
def test_no_change_of_a_layout_is_lost_unasked(page: Driver) -> None:
    first, second = page.js(LAYOUTS)
    load = f"TradingViewApi.loadChartFromServer({second['id']})"
    page.js(f"{CHART}.createStudy('Relative Strength Index')")
    studies = page.js(f"{CHART}.getAllStudies()")
    page.js(load)
    page.until(ASKED)
    page.click("[role=dialog] button[name=cancel]")
    page.until(f"!({ASKED})")
    assert page.js(f"[{CHART}.symbol(), {CHART}.getAllStudies()]") == [first["symbol"], studies]
    page.js(load)
    page.until(ASKED)
    page.js(
        "[...document.querySelectorAll('[role=dialog] button')].find((b) => b.textContent === 'Open anyway').click()"
    )
    is_shown(page, second)
    assert page.js(f"{CHART}.getAllStudies()") == []


def test_a_layout_keeps_its_charts_with_their_studies_and_drawings(page: Driver, session: StudioSession) -> None:
    first, second = page.js(LAYOUTS)
    page.js("TradingViewApi._chartWidgetCollection.setLayout('2h')")
    page.js(f"new Promise((done) => {CHART}.setSymbol('TSLA', done))")
    page.js(f"{CHART}.createStudy('Relative Strength Index')")
    page.js(f"{CHART}.createShape({{time: 1790000000, price: 200}}, {{shape: 'horizontal_line'}})")
    seen = f"[{CHART}.symbol(), {CHART}.getAllStudies(), {CHART}.getAllShapes()]"
    kept = page.js(seen)
    page.click("[data-name=save-load-menu]")
    page.js("[...document.querySelectorAll('[role=menuitem]')].find((i) => i.textContent === 'Save layout').click()")
    # The page knows that it is saved a moment after the studio has it.
    page.until(f"{LAYOUTS}.then((all) => all[0].symbol.endsWith('TSLA'))")
    assert "RSI" in (session.studio.store.document("layouts") or "")
    page.js(f"TradingViewApi.loadChartFromServer({second['id']})")
    is_shown(page, second)
    assert page.js("TradingViewApi._chartWidgetCollection.getAll().length") == 1
    page.js(f"TradingViewApi.loadChartFromServer({first['id']})")
    page.until(f"{CHART}.dataReady() && TradingViewApi._chartWidgetCollection.getAll().length === 2")
    assert page.js(seen) == kept
    reload(page, session)
    assert page.js(seen) == kept
    assert not page.js(ASKED)


def test_charts_that_another_page_saved_in_the_layout_are_not_replaced_unasked(
    open_page: Tabs, session: StudioSession
) -> None:
    def save(page: Driver) -> None:
        page.page.bring_to_front()
        page.click("[data-name=save-load-menu]")
        page.js(
            "[...document.querySelectorAll('[role=menuitem]')].find((i) => i.textContent === 'Save layout').click()"
        )

    one, other = open_page(), open_page()
    one.page.bring_to_front()
    one.js(f"{CHART}.createStudy('Relative Strength Index')")
    save(one)
    one.until("fetch('/studio/api/documents/layouts').then((a) => a.text()).then((text) => text.includes('RSI'))")
    stored = session.studio.store.document("layouts")
    assert "RSI" in (stored or "")
    other.page.bring_to_front()
    other.js(f"{CHART}.createStudy('MACD')")
    save(other)
    other.until("document.querySelector('[role=dialog]')?.textContent.includes('was saved by another page')")
    other.click("[role=dialog] button[name=cancel]")
    assert session.studio.store.document("layouts") == stored
    save(one)  # who saved last is not asked about the own save
    one.js(f"{CHART}.removeAllStudies()")
    save(one)
    one.until("fetch('/studio/api/documents/layouts').then((a) => a.text()).then((text) => !text.includes('RSI'))")
    save(other)
    other.click("[role=dialog] button[name=yes]")
    other.until("fetch('/studio/api/documents/layouts').then((a) => a.text()).then((text) => text.includes('MACD'))")


def test_a_layout_is_saved_under_a_name_of_its_own_beside_what_others_saved(
    page: Driver, session: StudioSession
) -> None:
    other = {"id": 7, "url": "a", "name": "Meanwhile", "symbol": "AMEX:SPY", "resolution": "60", "modified": 1}
    documents.write(session.studio.store, "layouts", [*documents.read(session.studio.store, "layouts"), other])
    page.js(f"new Promise((done) => {CHART}.setResolution('240', done))")
    page.click("[data-name=save-load-menu]")
    page.js(
        "[...document.querySelectorAll('[role=menuitem]')].find((i) => i.textContent === 'Save layout as…').click()"
    )
    page.until("document.querySelector('[role=dialog] input')?.value === 'Morning desk'")
    page.js(SAVE)
    page.until("document.querySelector('[role=dialog]').textContent.includes('exists already')")
    page.js("document.querySelector('[role=dialog] input').select()")
    page.connection.command("Input.insertText", text="Swings")
    page.js(SAVE)
    page.until(f"{LAYOUT_NAME} === 'Swings'")
    listed = page.js(LAYOUTS)
    assert [one["name"] for one in listed] == ["Morning desk", "Crypto hours", "Meanwhile", "Swings"]
    assert (listed[-1]["resolution"], listed[0]["resolution"]) == ("240", "1D")
    is_shown(page, listed[-1])


def test_a_layouts_address_opens_it(open_page: Tabs) -> None:
    page = open_page("Zp7wLc2r/")
    assert page.js(f"{CHART}.symbol()") == "BINANCE:BTCUSDT"


def test_no_save_replaces_a_damaged_layout(open_page: Tabs, session: StudioSession) -> None:
    store, said = session.studio.store, "document.querySelector('[data-name=toasts]').textContent"
    damaged = {
        "id": 77,
        "url": "torn",
        "name": "Torn",
        "symbol": "AMEX:SPY",
        "resolution": "60",
        "modified": 1,
        "content": {"arrangement": "s", "active": 0, "charts": [{"symbol": "AMEX:SPY", "of a later studio": True}]},
    }
    before = [*documents.read(store, "layouts"), damaged]
    documents.write(store, "layouts", before)
    page = open_page("torn/")
    page.until(f"{said}.includes('The layout \"Torn\" cannot be shown')")
    assert page.js(LAYOUT_NAME) == "Unnamed"

    # The menu asks for a name, as for a layout that has none.
    page.click("[data-name=save-load-menu]")
    page.js("[...document.querySelectorAll('[role=menuitem]')].find((i) => i.textContent === 'Save layout').click()")
    page.until("document.querySelector('[role=dialog] input')?.value === 'Unnamed'")
    page.press("Escape", "Escape", 27)
    page.until("document.querySelector('[role=dialog]') === null")
    assert documents.read(store, "layouts") == before

    # A program that saves unasked makes a layout of its own, and the page shows its address.
    page.js("TradingViewApi.saveChartToServer(undefined, undefined, {chartName: 'Whole'})")
    page.until(f"{LAYOUT_NAME} === 'Whole'")
    listed = documents.read(store, "layouts")
    assert (listed[:-1], listed[-1]["name"]) == (before, "Whole")
    page.until(f"location.pathname === '/chart/{listed[-1]['url']}/'")

    # The open layout is damaged by another program: it stays as it is, and the page says so.
    torn = [*before, {**listed[-1], "content": damaged["content"]}]
    documents.write(store, "layouts", torn)
    page.js(f"new Promise((done) => {CHART}.setSymbol('TSLA', done))")
    page.js("TradingViewApi.saveChartToServer()")
    page.until(
        "[...document.querySelectorAll('.consoleRow--error')].some((row) =>"
        " row.textContent.includes('The layout \"Whole\" was changed elsewhere and cannot be read'))"
    )
    assert documents.read(store, "layouts") == torn


def test_what_a_layout_cannot_show_is_said_by_name(open_page: Tabs, session: StudioSession) -> None:
    store, shown = session.studio.store, "document.querySelector('[data-name=toasts]').textContent"
    base = {"symbol": "AMEX:SPY", "resolution": "60", "modified": 1}
    chart = {"symbol": "AMEX:SPY", "resolution": "60", "studies": []}
    gone = {"id": "st1", "meta": {"description": "My study"}, "inputs": []}
    cases = {
        "Renko": {"charts": [{**chart, "type": 4}]},
        "Kagi": {"charts": [{**chart, "type": 5}]},
        "Point & figure": {"charts": [{**chart, "type": 6}]},
        "Line break": {"charts": [{**chart, "type": 7}]},
        "Range": {"charts": [{**chart, "type": 11}]},
        "My study": {"charts": [{**chart, "type": 1, "studies": [gone]}]},
        "Damaged": {"charts": [{**chart, "type": "candles"}]},
        "Many": {"charts": [{**chart, "type": 1}, {**chart, "type": 1}]},
    }
    layouts = [
        {
            "id": 100 + number,
            "url": f"kept{number}",
            "name": name,
            **base,
            "content": {"arrangement": "s", "active": 0, **content},
        }
        for number, (name, content) in enumerate(cases.items())
    ]
    documents.write(store, "layouts", [*documents.read(store, "layouts"), *layouts])
    kept = documents.read(store, "layouts")
    page = open_page(f"{layouts[0]['url']}/")
    page.until(f"{shown}.includes('Renko charts are not drawn')")
    for layout in layouts[1:]:
        page.js("document.querySelectorAll('[data-name=toast] [aria-label=Dismiss]').forEach((one) => one.click())")
        page.until(f"{shown} === ''")
        page.js(f"TradingViewApi.loadChartFromServer({layout['id']})")
        page.until(f"{shown}.includes({json.dumps(layout['name'])})")
        damaged = layout["name"] in ("Damaged", "Many")
        assert page.js(f"{shown}.includes('cannot be shown')") == damaged
        assert (page.js(LAYOUT_NAME) == layout["name"]) != damaged, (
            "a damaged layout is not open, so that no save replaces it"
        )
    assert documents.read(store, "layouts") == kept
