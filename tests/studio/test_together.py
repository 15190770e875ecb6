"""Pages of one studio side by side, and a studio that ends: no text is lost, and nothing is said that is not so."""

import json

import pytest

from pinebench.studio.scripts import NewerVersion, ScriptStore
from pinebench.studio.session import StudioSession
from pinebench.studio.web import StudioRequest
from tests.studio.support import BARS, CHART, CTRL, Driver, Tabs
from tests.studio.test_look import choose

MINE = "//@version=6\nindicator('Mine')\nplot(open)\n"
THEIRS = "//@version=6\nindicator('Theirs')\nplot(high)\n"
SCRIPT = '[data-name="overtaken-dialog"]'


def versions(session: StudioSession) -> list[str]:
    """The sources of the first script, the oldest first."""
    store = session.studio.store
    script = store.scripts()[-1].id
    return [store.source(script, one.number) or "" for one in reversed(store.versions(script))]


def save(page: Driver) -> None:
    page.press("s", "KeyS", 83, CTRL)


def test_the_second_save_of_two_pages_asks_and_loses_nothing(open_page: Tabs, session: StudioSession) -> None:
    one, other = open_page(), open_page()
    for page in (one, other):
        page.page.bring_to_front()
        page.open_sample()
    other.page.bring_to_front()
    other.editor.write(MINE)
    one.page.bring_to_front()
    one.editor.write(THEIRS)
    save(one)
    one.until("[...document.querySelectorAll('.consoleRow')].some((row) => row.textContent.includes('version 2.0'))")
    other.page.bring_to_front()
    assert other.editor.read() == MINE, "what was changed here stays"
    save(other)
    other.until(f"document.querySelector('{SCRIPT}') !== null")
    assert len(versions(session)) == 2
    other.click(f"{SCRIPT} [name=cancel]")
    assert (other.editor.read(), versions(session)[-1]) == (MINE, THEIRS)
    save(other)
    other.click(f"{SCRIPT} [name=yes]")
    other.until("[...document.querySelectorAll('.consoleRow')].some((row) => row.textContent.includes('version 3.0'))")
    assert versions(session)[1:] == [THEIRS, MINE]


def test_a_new_name_does_not_hide_that_another_saved(page: Driver, session: StudioSession) -> None:
    page.open_sample()
    page.editor.write(MINE)
    store = session.studio.store
    script = next(each for each in store.scripts() if each.name == "Trend ribbon")
    store.save(script.id, THEIRS, "Theirs", "indicator")
    choose(page, "Rename…")
    page.click('[data-name="save-script-dialog"] [type=submit]')
    page.until("document.querySelector('[data-name=\"save-script-dialog\"]') === null")
    save(page)
    page.until(f"document.querySelector('{SCRIPT}') !== null")
    assert store.source(script.id) == THEIRS
    page.click(f"{SCRIPT} [name=cancel]")


def test_a_page_without_changes_follows_what_another_saved(open_page: Tabs, session: StudioSession) -> None:
    one, other = open_page(), open_page()
    for page in (one, other):
        page.page.bring_to_front()
        page.open_sample()
    one.page.bring_to_front()
    one.editor.write(THEIRS)
    save(one)
    one.until("[...document.querySelectorAll('.consoleRow')].some((row) => row.textContent.includes('version 2.0'))")
    other.page.bring_to_front()
    other.until("[...document.querySelectorAll('.consoleRow')].some((r) => r.textContent.includes('saved elsewhere'))")
    assert other.editor.read() == THEIRS
    save(other)
    other.until("[...document.querySelectorAll('.consoleRow')].some((row) => row.textContent.includes('version 3.0'))")
    assert versions(session)[-1] == THEIRS


def test_watchlists_of_two_pages_follow_each_other(open_page: Tabs, session: StudioSession) -> None:
    one, other = open_page(), open_page()
    for page in (one, other):
        # A narrow window opens no list by itself.
        page.js("document.querySelector('.watchlist') ?? document.querySelector('.strip [data-name=base]').click(), 1")
    rows = "[...document.querySelectorAll('[data-symbol-full]')].map((row) => row.dataset.symbolFull)"
    add = "fetch('/api/v1/symbols_list/custom/1/append/', {method: 'POST', body: JSON.stringify(['OANDA:GBPUSD'])})"
    one.js(f"{add}.then(() => 1)")
    one.until(f"{rows}.includes('OANDA:GBPUSD')")
    other.until(f"{rows}.includes('OANDA:GBPUSD')")
    kept = session.studio.handle(StudioRequest("GET", "/studio/api/documents/watchlist")).body
    assert json.loads(kept)[-1] == "OANDA:GBPUSD"


def test_a_save_from_an_older_version_is_refused_and_kept_apart() -> None:
    store = ScriptStore()
    script = store.create("One", "1", "One", "indicator")
    assert store.save(script.id, "2", "One", "indicator", base=1) is not None
    with pytest.raises(NewerVersion) as refused:
        store.save(script.id, "x", "One", "indicator", base=1)
    assert refused.value.newest.version == 2
    assert [version.number for version in store.versions(script.id)] == [2, 1]
    assert store.save(script.id, "3", "One", "indicator") is not None  # who names no base is as before
    assert store.save("USER;none", "3", "One", "indicator", base=1) is None
    store.close()


def test_a_page_whose_server_ended_says_so_and_claims_no_check(open_page: Tabs, session: StudioSession) -> None:
    page = open_page()
    page.editor.write("//@version=6\nindicator('x')\nplot(close)\n")
    page.until("document.querySelector('.statusline__count')?.offsetParent !== null")
    session._server.close()  # its end, with the store as it was
    field = ".pine-editor-monaco textarea, .pine-editor-monaco .native-edit-context"
    page.js(f"void document.querySelector('{field}')?.focus()")
    page.connection.command("Input.insertText", text="zzz = yyy\n")
    page.until("document.querySelector('[data-name=\"connection-lost\"]')?.textContent.includes('does not answer')")
    page.until("document.querySelector('[data-name=\"not-checked\"]') !== null")
    assert page.js("document.querySelector('.statusline__count').offsetParent === null"), "it counts no errors"
    assert "zzz = yyy" in page.editor.read()


def test_a_step_of_a_replay_keeps_the_zoom(page: Driver) -> None:
    api = "TradingViewApi._replayApi"
    page.js(f"{api}.selectDate({BARS}.valueAt(300)[0] * 1000)")
    page.until(f"{BARS}.size() === 301")
    page.js(f"{CHART}._chartWidget.model().timeScale().zoomToBarsRange(270, 303)")
    width = f"(({{from, to}}) => Math.round((to - from) / 86400))({CHART}.getVisibleRange())"
    before = page.until(f"{width} < 60 && {width}")
    page.js(f"{api}.doStep()")
    page.until(f"{BARS}.size() === 302")
    page.js("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert abs(page.js(width) - before) <= 4
    assert page.js(f"{CHART}.getVisibleRange().to === {BARS}.valueAt(301)[0]"), "the new bar is to be seen"


def test_a_replay_shows_where_it_begins(page: Driver) -> None:
    page.js(f"{CHART}._chartWidget.model().timeScale().zoomToBarsRange(150, 280)")
    page.until(f"{CHART}.getVisibleRange().to === {BARS}.valueAt(280)[0]")
    start = page.js(f"{BARS}.valueAt(300)[0]")
    page.js(f"TradingViewApi._replayApi.selectDate({start} * 1000)")
    # Older bars may be loaded meanwhile, so that the bar gets another number.
    page.until(f"{BARS}.valueAt({BARS}.size() - 1)[0] === {start} && {CHART}.getVisibleRange().to === {start}")


@pytest.mark.soak
def test_twenty_studies_in_a_fast_replay_ask_for_few_runs_at_once(page: Driver) -> None:
    page.js(
        "window.open = 0; window.most = 0; window.failed = 0; const native = window.fetch;"
        "window.fetch = (input, init) => { if (!String(input).includes('/run')) return native(input, init);"
        " window.most = Math.max(window.most, ++window.open); return native(input, init)"
        ".catch((error) => { window.failed += error.name !== 'AbortError'; throw error; })"
        ".finally(() => window.open--); }; 1"
    )
    add = f"{CHART}.createStudy('SMA', false, false, {{in_0: 5 + i}})"
    page.js(f"(async () => {{ for (let i = 0; i < 20; i++) await {add}; }})()")
    api = "TradingViewApi._replayApi"
    page.js(f"{api}.selectDate({BARS}.valueAt(300)[0] * 1000)")
    page.until(f"{BARS}.size() === 301")
    step = f"{api}.doStep(); await new Promise((done) => setTimeout(done, 40))"
    page.js(f"(async () => {{ for (let i = 0; i < 60; i++) {{ {step}; }} }})()")
    page.until(f"{BARS}.size() > 330")
    sources = f"{CHART}._chartWidget.model().model().dataSources()"
    page.until(f"window.open === 0 && {sources}.every((one) => !one.isLoading())")
    assert page.js("[window.failed, window.most <= 4]") == [0, True]
    assert page.js(f"{sources}.every((one) => one.data().size() === {BARS}.size())")
