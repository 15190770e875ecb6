"""A reload, a closed window and a studio that ended lose nothing: charts, studies and text come back."""

import json
from pathlib import Path

import pytest

from pinebench.studio import documents
from pinebench.studio.session import StudioSession
from pinebench.tradingview import browser
from tests.studio.support import CHART, CLEAN, CTRL, Driver, Tabs, reload, studio_session
from tests.tradingview.support import until

NAME = "document.querySelector('[data-name=\"pine-script-name\"]').textContent"
UNSAVED = "document.querySelector('.unsaved') !== null"
UNTITLED = "//@version=6\nindicator('Never saved')\nplot(open) // 😀 \u2028\n"


def test_unsaved_text_survives_a_reload_and_is_still_unsaved(page: Driver, session: StudioSession) -> None:
    page.open_sample()
    page.editor.write(UNTITLED)
    reload(page, session)
    assert page.editor.read() == UNTITLED
    assert page.js(NAME) == "Trend ribbon"
    page.until(UNSAVED)
    page.press("s", "KeyS", 83, CTRL)
    page.until(f"!({UNSAVED})")
    script = session.studio.store.scripts()[0]
    assert (script.version, session.studio.store.source(script.id)) == (2, UNTITLED)


def test_text_that_never_had_a_name_survives_too(page: Driver, session: StudioSession) -> None:
    page.js("TradingViewApi.pineEditorTestApi().openNewScript()")
    page.editor.write(UNTITLED)
    assert page.editor.compile().outcome == "added"
    reload(page, session)
    assert page.editor.read() == UNTITLED
    assert page.js(NAME) == "Untitled script"
    # The study of the script is still known as its own.
    page.until("[...document.querySelectorAll('button')].some((b) => b.textContent === 'Update on chart')")
    assert page.editor.compile().outcome == "updated"


def test_text_typed_in_the_very_moment_of_a_reload_survives(page: Driver, session: StudioSession) -> None:
    session.studio.ready.clear()
    page.js(f"TradingViewApi.pineEditorTestApi().setEditorText({json.dumps(UNTITLED)}); location.reload()")
    assert session.wait_until_ready(120)
    assert page.editor.read() == UNTITLED


def test_a_script_that_was_saved_elsewhere_meanwhile_is_shown_as_it_is_now(
    page: Driver, session: StudioSession
) -> None:
    page.open_sample()
    store = session.studio.store
    script = store.scripts()[0]
    store.save(script.id, CLEAN, "Mine", "indicator")
    reload(page, session)
    assert page.editor.read() == CLEAN
    assert not page.js(UNSAVED)


def test_a_script_that_was_deleted_elsewhere_meanwhile_keeps_its_text(page: Driver, session: StudioSession) -> None:
    page.open_sample()
    text = page.editor.read()
    session.studio.store.delete(session.studio.store.scripts()[0].id)
    reload(page, session)
    assert page.editor.read() == text
    assert page.js(NAME) == "Untitled script"
    page.until(UNSAVED)


def test_symbol_interval_type_and_studies_survive_a_reload(page: Driver, session: StudioSession) -> None:
    page.js(f"new Promise((done) => {CHART}.setSymbol('BINANCE:ETHUSDT', done))")
    page.js(f"new Promise((done) => {CHART}.setResolution('240', done))")
    page.js(f"{CHART}.setChartType(3)")
    page.js(f"{CHART}.createStudy('MACD', false, false, {{fast: 5}})")
    page.js(f"{CHART}.createStudy('SMA').then((id) => {CHART}.getStudyById(id).setVisible(false))")
    page.editor.write(CLEAN)
    assert page.editor.compile().outcome == "added"
    state = (
        f"[{CHART}.symbol(), {CHART}.resolution(), {CHART}.chartType(), {CHART}.getAllStudies().map((study) =>"
        f" [study, {CHART}.getStudyById(study.id).isVisible(), {CHART}.getStudyById(study.id).getInputValues()])]"
    )
    before = page.js(state)
    assert before[:3] == ["BINANCE:ETHUSDT", "240", 3]
    reload(page, session)
    assert page.js(state) == before


def test_arranged_charts_survive_a_reload(page: Driver, session: StudioSession) -> None:
    page.js("TradingViewApi._chartWidgetCollection.setLayout('2h')")
    page.js("TradingViewApi._chartWidgetCollection.getAll()[1]._mainDiv.click()")
    page.js(f"new Promise((done) => {CHART}.setSymbol('AMEX:SPY', done))")
    reload(page, session)
    symbols = "TradingViewApi._chartWidgetCollection.getAll().map((w) => w.model().mainSeries().symbol())"
    page.until(f"{symbols}.join() === 'NASDAQ:AAPL,AMEX:SPY'")
    assert page.js(f"{CHART}.symbol()") == "AMEX:SPY"


def test_tabs_side_by_side_keep_theirs_apart(open_page: Tabs, session: StudioSession) -> None:
    first, second = open_page(), open_page()
    first.editor.write(UNTITLED)
    second.editor.write(CLEAN)
    second.js(f"new Promise((done) => {CHART}.setSymbol('TSLA', done))")
    for driver, text, symbol in ((first, UNTITLED, "NASDAQ:AAPL"), (second, CLEAN, "NASDAQ:TSLA")):
        reload(driver, session)
        assert driver.editor.read() == text
        assert driver.js(f"{CHART}.symbol()") == symbol


def test_what_a_tab_kept_may_be_nonsense(page: Driver, session: StudioSession) -> None:
    for kept in ("{", "null", "[]", '{"layout": "", "arrangement": "s", "active": 0, "charts": [{}], "editor": {}}'):
        # What is written last, when the page goes, is replaced once it is gone.
        page.js(
            "window.addEventListener('pagehide', () => "
            f"sessionStorage.setItem('pinebench-studio-desk', {json.dumps(kept)}))"
        )
        reload(page, session)
        assert page.js(NAME) == "Untitled script"
        assert page.js(f"{CHART}.symbol()") == "NASDAQ:AAPL"


SLOW = """(() => {
  const native = window.fetch.bind(window);
  window.held = [];
  window.fetch = (input, init) => String(input).includes('/pine-facade/get/')
    ? new Promise((done) => window.held.push(async () => {
      done(await native(input, init));
      await new Promise((later) => setTimeout(later));
    }))
    : native(input, init);
})()"""
"""Scripts arrive only when the test says so."""


def test_text_written_while_a_script_is_on_its_way_is_asked_about(page: Driver, session: StudioSession) -> None:
    other = session.studio.store.create("Other", CLEAN, "Other", "indicator")
    page.js(SLOW)
    page.js(f"void TradingViewApi.pineEditorTestApi().openScript({{scriptIdPart: {json.dumps(other.id)}}})")
    page.until("window.held.length === 1")
    page.editor.write(UNTITLED)
    page.js("void window.held[0]()")
    page.click('[data-name="confirm-dialog"] [name="cancel"]')
    assert page.editor.read() == UNTITLED


def test_the_script_that_was_asked_for_last_is_opened(page: Driver, session: StudioSession) -> None:
    first, last = (session.studio.store.create(name, CLEAN.replace("Mine", name), name, "") for name in ("A", "B"))
    page.js(SLOW)
    for number, script in enumerate((first, last), start=1):
        page.js(f"void TradingViewApi.pineEditorTestApi().openScript({{scriptIdPart: {json.dumps(script.id)}}})")
        page.until(f"window.held.length === {number}")
    page.js("window.held[1]()")
    page.until(f"{NAME} === 'B'")
    page.js("window.held[0]()")
    assert (page.js(NAME), page.editor.read()) == ("B", CLEAN.replace("Mine", "B"))


HELD = """(() => {
  const native = window.fetch.bind(window);
  window.held = [];
  window.bodies = [];
  window.fetch = async (input, init) => {
    window.bodies.push(init?.body);
    const answer = await native(input, init);
    if (String(input).includes(PATH)) await new Promise((done) => window.held.push(done));
    return answer;
  };
})()"""
"""Answers of an address arrive only when the test says so."""


def test_a_save_that_ends_after_another_script_was_opened_does_not_bind_it(
    page: Driver, session: StudioSession
) -> None:
    """Else the next save would put the text of one script into another."""
    store = session.studio.store
    mine, other = (store.create(name, CLEAN.replace("Mine", name), name, "indicator") for name in ("Mine", "Other"))
    page.js(f"TradingViewApi.pineEditorTestApi().openScript({{scriptIdPart: {json.dumps(mine.id)}}})")
    page.until(f"{NAME} === 'Mine'")
    changed = CLEAN + "plot(open)\n"
    page.editor.write(changed)
    page.js(HELD.replace("PATH", "'/save/next/'"))
    page.press("s", "KeyS", 83, CTRL)
    page.until("window.held.length === 1")
    page.js(f"void TradingViewApi.pineEditorTestApi().openScript({{scriptIdPart: {json.dumps(other.id)}}})")
    page.click('[data-name="confirm-dialog"] [name="yes"]')
    page.until(f"{NAME} === 'Other'")
    page.js("void window.held[0]()")
    page.until(
        "[...document.querySelectorAll('.consoleRow')].some((row) => row.textContent.includes('Saved \"Mine\"'))"
    )
    assert page.js(NAME) == "Other"
    assert not page.js(UNSAVED)
    page.editor.write(CLEAN.replace("Mine", "Other") + "plot(high)\n")
    page.press("s", "KeyS", 83, CTRL)
    page.until("window.held.length === 2")
    page.js("void window.held[1]()")
    page.until(f"!({UNSAVED})")
    assert store.source(mine.id) == changed
    assert store.source(other.id) == CLEAN.replace("Mine", "Other") + "plot(high)\n"


def test_a_compile_that_ends_after_another_script_was_opened_belongs_to_its_own(
    page: Driver, session: StudioSession
) -> None:
    """Else the study of one script would be taken for the other's, and the findings too."""
    other = session.studio.store.create("Other", CLEAN, "Other", "indicator")
    page.open_sample()
    page.js(HELD.replace("PATH", "'/studio/api/check'"))
    page.js("[...document.querySelectorAll('button')].find((b) => b.textContent === 'Add to chart').click()")
    page.until("window.held.length > 0 && document.querySelector('.consoleRow') !== null")
    page.js(f"void TradingViewApi.pineEditorTestApi().openScript({{scriptIdPart: {json.dumps(other.id)}}})")
    page.until(f"{NAME} === 'Other'")
    page.js("void (() => { for (const done of window.held) done(); window.held = {push: (done) => done()}; })()")
    page.until(f"{CHART}.getAllStudies().length === 1")
    # The text that came meanwhile is checked, too.
    page.until(f"window.bodies.includes(JSON.stringify({{source: {json.dumps(CLEAN)}}}))")
    assert page.js("[...document.querySelectorAll('button')].some((b) => b.textContent === 'Add to chart')")


def test_unsaved_text_that_is_taken_back_knows_the_version_that_it_comes_from(
    open_page: Tabs, session: StudioSession
) -> None:
    """Else saving it would bury what was saved since without a question."""
    store = session.studio.store
    script = store.create("Mine", CLEAN, "Mine", "indicator")
    draft = {"name": "Mine", "script": script.id, "version": "1.0", "text": UNTITLED, "modified": 1}
    documents.write_draft(store, "closed", draft)
    documents.write_draft(store, "older", {name: value for name, value in draft.items() if name != "version"})
    store.save(script.id, CLEAN + "plot(high)\n", "Mine", "indicator")
    page = open_page()
    for left in (2, 1):
        page.until(f"[...document.querySelectorAll('button')].some((b) => b.textContent === 'Recover text ({left})')")
        page.js(
            f"[...document.querySelectorAll('button')].find((b) => b.textContent === 'Recover text ({left})').click()"
        )
        page.click('[role="option"]')
        if left == 1:
            page.click('[data-name="confirm-dialog"] [name="yes"]')
        page.until(f"{UNSAVED} && document.querySelectorAll('[role=\"option\"]').length === 0")
        page.press("s", "KeyS", 83, CTRL)
        page.click('[data-name="overtaken-dialog"] [name=cancel]')
        assert page.editor.read() == UNTITLED
    assert store.source(script.id) == CLEAN + "plot(high)\n"


@pytest.mark.usefixtures("session")
def test_leaving_asks_only_while_something_is_unsaved(page: Driver) -> None:
    page.open_sample()
    leave = "window.dispatchEvent(new Event('beforeunload', {cancelable: true}))"
    assert page.js(leave) is True
    page.editor.write(UNTITLED)
    assert page.js(leave) is False
    page.press("s", "KeyS", 83, CTRL)
    page.until(f"!({UNSAVED})")
    assert page.js(leave) is True


def test_a_person_who_leaves_is_asked(page: Driver) -> None:
    page.js("TradingViewApi.pineEditorTestApi().focusEditor()")
    page.connection.command("Input.dispatchKeyEvent", type="keyDown", key="a", text="a")
    page.until(UNSAVED)
    tab = page.connection.tab()
    tab.post("Page.reload")
    # A call of ours dismisses the dialog, which is to stay.
    until(lambda: page.js("1") and bool(tab.dialogs))
    assert [dialog["type"] for dialog in tab.dialogs] == ["beforeunload"]
    assert page.js(UNSAVED)


def test_unsaved_text_of_a_studio_that_was_killed_can_be_taken_back(
    chromium: browser.RunningBrowser, tmp_path: Path
) -> None:
    store = tmp_path / "studio.sqlite3"
    with studio_session(store=store) as first:
        tabs = Tabs(chromium.port, first)
        page = tabs()
        page.open_sample()
        page.editor.write(UNTITLED)
        until(lambda: [draft["text"] for draft in documents.drafts(first.studio.store)] == [UNTITLED])
        tabs.close()
    with studio_session(store=store) as second:
        tabs = Tabs(chromium.port, second)
        page = tabs()
        assert "Never saved" not in page.editor.read()
        page.until("[...document.querySelectorAll('button')].some((b) => b.textContent === 'Recover text (1)')")
        page.js("[...document.querySelectorAll('button')].find((b) => b.textContent === 'Recover text (1)').click()")
        page.click('[role="option"]')
        page.until(UNSAVED)
        assert page.editor.read() == UNTITLED
        page.until("![...document.querySelectorAll('button')].some((b) => b.textContent.startsWith('Recover text'))")
        # It is kept for this page now, until it is saved.
        assert [draft["text"] for draft in documents.drafts(second.studio.store)] == [UNTITLED]
        page.press("s", "KeyS", 83, CTRL)
        page.until("fetch('/studio/api/drafts').then((a) => a.json()).then((l) => l.length === 0)")
        tabs.close()


def test_a_new_user_begins_with_an_untitled_script_and_others_with_what_they_saved(
    open_page: Tabs, session: StudioSession
) -> None:
    page = open_page()
    assert page.js(NAME) == "Untitled script"
    assert not page.js(UNSAVED)
    assert [script.name for script in page.scripts.listed()] == ["Trend ribbon"]
    session.studio.store.create("Mine", CLEAN, "Mine", "indicator")
    assert open_page().js(NAME) == "Mine"


def test_a_store_without_scripts_begins_untitled_and_the_sample_counts_once_it_was_changed(
    open_page: Tabs, session: StudioSession
) -> None:
    store = session.studio.store
    sample = store.scripts()[0].id
    store.save(sample, CLEAN, "Mine", "indicator")
    assert open_page().js(NAME) == "Trend ribbon"
    store.delete(sample)
    assert open_page().js(NAME) == "Untitled script"


def test_open_charts_come_back_after_the_studio_has_ended_on_whatever_port(
    chromium: browser.RunningBrowser, tmp_path: Path
) -> None:
    """Two windows of the next studio show what two windows had, and a third one does not."""
    path = tmp_path / "studio.db"
    charts = "TradingViewApi._activeChartWidgetWV.value()"
    state = f"[{charts}.symbol(), {charts}.resolution(), {charts}.getAllStudies().map(({{name}}) => name).join()]"
    shapes = f"{charts}.getAllShapes().length"

    def left(session: StudioSession, count: int) -> None:
        until(lambda: len(session.studio.store.desks()) == count)

    with StudioSession(store=path) as session:
        tabs = Tabs(chromium.port, session)
        one = tabs()
        one.js(f"{charts}.createStudy('RSI')")
        one.js(f"void {charts}.createShape({{time: 1700000000, price: 200}}, {{shape: 'horizontal_line'}})")
        one.until(f"{shapes} === 1")
        other = tabs()
        other.js(f"new Promise((done) => {charts}.setSymbol('BINANCE:ETHUSDT', done))")
        left(session, 2)
        before = sorted([one.js(state), other.js(state)])
        for driver in (one, other):
            driver.js("void (window.onbeforeunload = null)")
        tabs.close()
    with StudioSession(store=path) as session:
        tabs = Tabs(chromium.port, session)
        windows = [tabs(), tabs()]
        found = sorted(driver.js(state) for driver in windows)
        assert found == before and sum(driver.js(shapes) for driver in windows) == 1
        left(session, 2)
        assert tabs().js(state) == ["NASDAQ:AAPL", "1D", ""]
        tabs.close()
