"""Dialogs and menus by keyboard: the focus, what Enter takes, and that nothing is lost by either."""

import json

import pytest

from pinebench.studio.session import StudioSession
from tests.studio.support import CHART, CLEAN, CTRL, SHIFT, Driver

DIALOG = "document.querySelector('[role=\"dialog\"]')"
FOCUSED = "document.activeElement"
ADD_SYMBOL = '[data-name="add-symbol-button"]'
HELD = """(() => {
  const native = window.fetch.bind(window);
  window.held = [];
  window.fetch = (input, init) => String(input).includes('/studio/api/symbols')
    ? new Promise((done) => window.held.push(() => done(native(input, init))))
    : native(input, init);
})()"""
"""Symbol searches are answered only when the test says so."""


def menu_item(page: Driver, label: str) -> None:
    """Choose an item of the script's menu."""
    page.click('[data-name="pine-script-menu"]')
    items = "[...document.querySelectorAll('[role=\"menuitem\"]')]"
    page.until(f"{items}.some((item) => item.textContent.includes({json.dumps(label)}))")
    page.js(f"{items}.find((item) => item.textContent.includes({json.dumps(label)})).click()")


@pytest.mark.usefixtures("session")
@pytest.mark.parametrize("late", [True, False])
@pytest.mark.parametrize("opener", ['[aria-label="Change symbol"]', ADD_SYMBOL])
def test_enter_takes_what_was_typed_and_never_an_older_answer(page: Driver, opener: str, late: bool) -> None:
    page.click(opener)
    page.until("document.querySelectorAll('[role=\"option\"]').length === 13")
    page.js(HELD)
    page.page.insert_text("TSLA")
    if late:
        page.press("Enter", "Enter", 13)
        page.until("window.held.length > 0")
        assert page.js(f"{DIALOG} !== null"), "it waits for its answer"
    page.js("void window.held.splice(0).reverse().forEach((answer) => answer())")
    if not late:
        page.until("document.querySelectorAll('[role=\"option\"]').length === 1")
        page.press("Enter", "Enter", 13)
    page.until(f"{DIALOG} === null")
    if "add" in opener:
        page.until("document.querySelector('[data-symbol-full=\"NASDAQ:TSLA\"]') !== null")
        assert page.js(f"{CHART}.symbol()") == "NASDAQ:AAPL"
    else:
        page.until(f"{CHART}.symbol() === 'NASDAQ:TSLA'")


def test_typing_on_after_enter_takes_nothing(page: Driver) -> None:
    page.click('[aria-label="Change symbol"]')
    page.until("document.querySelectorAll('[role=\"option\"]').length === 13")
    page.js(HELD)
    page.page.insert_text("TS")
    page.press("Enter", "Enter", 13)
    page.page.insert_text("X")
    page.until("window.held.length === 2")
    page.js("void window.held.forEach((answer) => answer())")
    page.until(f"{DIALOG}.textContent.includes('No symbol matches')")
    assert page.js(f"{CHART}.symbol()") == "NASDAQ:AAPL"


def test_a_search_that_fails_takes_the_text_itself(page: Driver) -> None:
    page.click('[aria-label="Change symbol"]')
    page.js(
        "void (window.fetch = ((native) => (input, init) => String(input).includes('/api/symbols')"
        " ? Promise.reject(new TypeError('gone')) : native(input, init))(window.fetch))"
    )
    page.page.insert_text("tsla")
    page.press("Enter", "Enter", 13)
    page.until(f"{CHART}.symbol() === 'NASDAQ:TSLA'")


def test_a_question_is_not_answered_yes_by_enter_alone(page: Driver) -> None:
    page.editor.write(CLEAN)
    page.js("void TradingViewApi.pineEditorTestApi().openNewScript()")
    page.until(f"{FOCUSED}.name === 'cancel' && {FOCUSED}.closest('[data-name=\"confirm-dialog\"]') !== null")
    page.connection.command(
        "Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter", text="\r", windowsVirtualKeyCode=13
    )
    page.until(f"{DIALOG} === null")
    assert page.editor.read() == CLEAN


def test_a_question_whose_place_is_taken_counts_as_no(page: Driver) -> None:
    page.editor.write(CLEAN)
    page.js("void (window.first = TradingViewApi.pineEditorTestApi().openNewScript().then(() => 'answered'))")
    page.until(f"{DIALOG} !== null")
    page.js("void TradingViewApi.pineEditorTestApi().openNewScript()")
    assert page.js("window.first") == "answered"
    page.click('[data-name="confirm-dialog"] [name="cancel"]')
    assert page.editor.read() == CLEAN


def test_the_focus_stays_in_a_dialog_and_returns_to_where_it_was(page: Driver) -> None:
    for opener in ('[aria-label="Change symbol"]', '[data-name="open-indicators-dialog"]', ADD_SYMBOL):
        stays_in_dialog(page, opener)


def stays_in_dialog(page: Driver, opener: str) -> None:
    """Walk through the dialog that a button opens, and close it."""
    page.js(f"document.querySelector({json.dumps(opener)}).focus()")
    page.click(opener)
    page.until(f"{DIALOG}?.contains({FOCUSED})")
    seen: set[str] = set()
    for modifiers in (0, 0, 0, SHIFT, SHIFT, SHIFT):
        page.press("Tab", "Tab", 9, modifiers)
        assert page.js(f"{DIALOG}.contains({FOCUSED})")
        seen.add(page.js(f"{FOCUSED}.outerHTML"))
    assert len(seen) > 1
    page.js(f"{FOCUSED}.blur()")
    page.press("Tab", "Tab", 9)
    assert page.js(f"{DIALOG}.contains({FOCUSED})")
    page.press("Escape", "Escape", 27)
    page.until(f"{DIALOG} === null")
    assert page.js(f"{FOCUSED} === document.querySelector({json.dumps(opener)})"), opener


def test_the_page_behind_a_dialog_takes_no_keys(page: Driver) -> None:
    page.editor.write(CLEAN)
    page.js("void TradingViewApi.pineEditorTestApi().openNewScript()")
    page.until(f"{DIALOG} !== null")
    page.press("o", "KeyO", 79, CTRL)
    page.press("s", "KeyS", 83, CTRL)
    assert page.js(f"{DIALOG}.dataset.name") == "confirm-dialog"
    assert page.js("document.querySelector('.unsaved') !== null")


def test_arrows_move_in_a_menu(page: Driver) -> None:
    button = "document.querySelector('[data-name=\"header-toolbar-chart-styles\"]')"
    items = "[...document.querySelectorAll('[role=\"menuitem\"]')]"
    at = f"{items}.indexOf({FOCUSED})"
    page.js(f"{button}.focus()")
    page.press("ArrowDown", "ArrowDown", 40)
    page.until(f"{at} === 1")  # candles, which is chosen
    for key, code, expected in (
        ("ArrowDown", 40, 2),
        ("End", 35, 10),
        ("ArrowDown", 40, 0),
        ("ArrowUp", 38, 10),
        ("Home", 36, 0),
    ):
        page.press(key, key, code)
        assert page.js(at) == expected
    page.press("Escape", "Escape", 27)
    page.until(f"{items}.length === 0")
    assert page.js(f"{FOCUSED} === {button}")
    page.js(f"{button}.click()")
    page.until(f"{at} === 1")
    page.press("ArrowUp", "ArrowUp", 38)
    page.js(f"{FOCUSED}.click()")
    assert page.js(f"[{CHART}.chartType(), {FOCUSED} === {button}]") == [0, True]


@pytest.mark.usefixtures("session")
def test_watchlist_rows_are_reached_and_used_by_keyboard(page: Driver) -> None:
    row = f"{FOCUSED}.dataset.symbolFull"
    page.js("document.querySelector('[data-name=\"add-symbol-button\"]').focus()")
    page.press("Tab", "Tab", 9)
    assert page.js(row) == "NASDAQ:AAPL"
    page.press("ArrowDown", "ArrowDown", 40)
    page.press("Enter", "Enter", 13)
    page.until(f"{CHART}.symbol() === 'NASDAQ:MSFT'")
    page.press("End", "End", 35)
    assert page.js(row) == "OANDA:EURUSD"
    page.press("Delete", "Delete", 46)
    page.until(f"{row} === 'BINANCE:BTCUSDT'")
    assert page.js("document.querySelector('[data-symbol-full=\"OANDA:EURUSD\"]')") is None


def typed(page: Driver, key: str) -> None:
    """Type a character as a keyboard would, text included."""
    page.connection.command("Input.dispatchKeyEvent", type="keyDown", key=key, text=key)
    page.connection.command("Input.dispatchKeyEvent", type="keyUp", key=key)


def test_typing_on_the_chart_asks_for_a_symbol(page: Driver) -> None:
    page.js(f"{FOCUSED}.blur()")
    for key in "spy":
        typed(page, key)
        page.until("document.querySelector('[role=\"dialog\"] input') === document.activeElement")
    assert page.js(f"{FOCUSED}.value.toLowerCase()") == "spy"
    page.press("Enter", "Enter", 13)
    page.until(f"{CHART}.symbol() === 'AMEX:SPY'")


INTERVAL = "document.querySelector('[data-name=\"change-interval-dialog\"] input')"


def test_typing_a_number_on_the_chart_asks_for_an_interval(page: Driver) -> None:
    for text, resolution in (("45", "45"), ("4h", "240"), ("1W", "1W")):
        page.js(f"{FOCUSED}.blur()")
        for key in text:
            typed(page, key)
            page.until(f"{INTERVAL} === document.activeElement")
        page.js(f"{FOCUSED}.form.requestSubmit()")
        page.until(f"{CHART}.resolution() === '{resolution}' && {DIALOG} === null")


def test_what_is_no_interval_is_said_and_not_taken(page: Driver) -> None:
    typed(page, "7")
    page.until(f"{INTERVAL} === document.activeElement")
    for text in ("0", "9999", "4x", "400D"):
        page.js(f"{FOCUSED}.value = '7', {FOCUSED}.select()")
        page.page.insert_text(text)
        page.until(f"{FOCUSED}.value === '{text}' && {DIALOG}.textContent.includes('Not an interval')")
        page.js(f"{FOCUSED}.form.requestSubmit()")
        assert page.js(f"[{CHART}.resolution(), {DIALOG} !== null]") == ["1D", True], text


def test_typing_into_a_field_or_the_editor_opens_nothing(page: Driver) -> None:
    page.js("TradingViewApi.pineEditorTestApi().focusEditor()")
    typed(page, "a")
    typed(page, "7")
    page.until("document.querySelector('.view-lines').textContent.startsWith('a7')")
    assert page.js(f"{DIALOG}") is None


def test_deleting_asks_first_and_keeps_the_open_text(page: Driver, session: StudioSession) -> None:
    page.open_sample()
    text = page.editor.read()
    for answer in ("cancel", "yes"):
        menu_item(page, "Delete a script")
        page.until("document.querySelectorAll('[role=\"option\"]').length === 1")
        page.press("Enter", "Enter", 13)
        page.until(f"{FOCUSED}.name === 'cancel'")
        assert len(session.studio.store.scripts()) == 1
        page.click(f'[data-name="confirm-dialog"] [name="{answer}"]')
        page.until(f"{DIALOG} === null")
    page.until("document.querySelector('[data-name=\"pine-script-name\"]').textContent === 'Untitled script'")
    assert session.studio.store.scripts() == []
    assert page.editor.read() == text
    page.until("document.querySelector('.unsaved') !== null")


def test_an_older_version_comes_back_as_a_change(page: Driver, session: StudioSession) -> None:
    page.open_sample()
    first = page.editor.read()
    page.editor.write(CLEAN)
    page.press("s", "KeyS", 83, CTRL)
    page.until("document.querySelector('.unsaved') === null")
    menu_item(page, "Version history")
    page.until("document.querySelectorAll('[role=\"option\"]').length === 2")
    assert page.js(f"{DIALOG}.textContent.includes('the newest')")
    page.js("document.querySelectorAll('[role=\"option\"]')[1].click()")
    page.until("document.querySelector('.unsaved') !== null")
    assert page.editor.read() == first
    script = session.studio.store.scripts()[0]
    assert (script.version, session.studio.store.source(script.id)) == (2, CLEAN)
    page.press("s", "KeyS", 83, CTRL)
    page.until("document.querySelector('.unsaved') === null")
    assert session.studio.store.source(script.id, 3) == first


def test_inputs_of_an_indicator_are_changed_when_they_make_sense(page: Driver) -> None:
    study = page.js(f"{CHART}.createStudy('Bollinger Bands')")
    values = f"{CHART}.getStudyById({json.dumps(study)}).getInputValues().map((input) => input.value)"
    page.click('[aria-label="Settings of BB"]')
    page.until(f"{FOCUSED}.name === 'length'")
    for text in ("0", "-3", "2.5", "x", "", "99999"):
        page.js(f"{FOCUSED}.select()")
        page.page.insert_text(text) if text else page.press("Delete", "Delete", 46)
        page.until(f"{DIALOG}.querySelector('[role=\"alert\"]') !== null")
        page.js(f"{FOCUSED}.form.requestSubmit()")
        assert page.js(values) == [20, 2]
    page.js(f"{FOCUSED}.select()")
    page.page.insert_text("9")
    page.js(f"{DIALOG}.querySelector('[name=\"mult\"]').select()")
    page.page.insert_text("1.5")
    page.js(f"{FOCUSED}.form.requestSubmit()")
    page.until(f"{DIALOG} === null")
    assert page.js(values) == [9, 1.5]
    page.until("document.querySelector('[data-name=\"legend-study-title\"]').textContent === 'BB 9 1.5'")
