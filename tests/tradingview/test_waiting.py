"""Waiting happens in the page: few calls, whoever stops waiting ends it there, and size costs nothing."""

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pinebench.context import CancelledError, Context, DeadlineError
from pinebench.tradingview import page as pages
from pinebench.tradingview.editor import PageEditor
from pinebench.tradingview.errors import EditorRefused
from pinebench.tradingview.page import Page
from pinebench.tradingview.page_internals import SELECTORS
from tests.tradingview.support import Stage, until

pytestmark = pytest.mark.usefixtures("spare_tabs")

GOOD = '//@version=6\nindicator("Good")\nplot(close)\n'
BAD = '//@version=6\nindicator("Bad")\nundeclared1\nundeclared2\n'


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, Any]]]:
    """Every page function that is called from now on, with what it was given."""
    made: list[tuple[str, dict[str, Any]]] = []
    real = Page.call

    def call(page: Page, name: str, argument: dict[str, Any] | None = None, **options: Any) -> Any:
        made.append((name, argument or {}))
        return real(page, name, argument, **options)

    monkeypatch.setattr(Page, "call", call)
    return made


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Run a page function of the test's own: `run(page, "function ({ limit }) { … }", limit=1)`."""
    real = pages.source

    def run(page: Page, text: str, context: Context | None = None, timeout: float = 60, **argument: Any) -> Any:
        monkeypatch.setattr(pages, "source", lambda name: text if name == "of_the_test" else real(name))
        return page.call("of_the_test", argument, context=context, timeout=timeout)

    return run


# -- how often is asked ----------------------------------------------------------------------------------------------


def test_a_compile_asks_as_often_as_something_changes(stage: Stage, calls: list[Any]) -> None:
    editor = stage.editor(stage.open(late=1500))
    editor.write(BAD)
    calls.clear()
    assert len(editor.compile().errors) == 2
    assert len(calls) <= 8, "a look each 20 ms would be 75"


def test_a_page_that_says_nothing_is_hardly_asked(stage: Stage, calls: list[Any]) -> None:
    editor = stage.editor(stage.open(silent=1))
    editor.write(GOOD)
    calls.clear()
    with pytest.raises(EditorRefused, match="no verdict"):
        editor.compile(timeout=2)
    assert len(calls) <= 8


def test_a_button_that_becomes_enabled_is_not_asked_after(stage: Stage, calls: list[Any]) -> None:
    editor = stage.editor(stage.open(disabled_for=1500))
    editor.write(GOOD)
    calls.clear()
    assert editor.compile().ok
    assert len(calls) <= 10


def test_an_editor_that_comes_up_late_is_waited_for_there(stage: Stage, calls: list[Any]) -> None:
    editor = stage.editor(stage.open(closed=1, mount_after=1500))
    editor.open()
    assert [name for name, _ in calls] == ["find_editor", "open_editor", "find_editor"]


def test_a_text_travels_once(stage: Stage, calls: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    reports: list[dict[str, Any]] = []
    tab = stage.open()
    editor = stage.editor(tab)
    real = PageEditor._write_once  # pyright: ignore[reportPrivateUsage]

    def write_once(self: PageEditor, *given: Any) -> Any:
        reports.append(dict(real(self, *given)))
        return reports[-1]

    monkeypatch.setattr(PageEditor, "_write_once", write_once)
    first = editor.read()
    calls.clear()
    assert editor.write(GOOD).previous == first
    assert editor.write(BAD).previous == GOOD
    assert [name for name, _ in calls] == ["write_source", "write_source"]
    assert [(report["previous"], report["back"]) for report in reports] == [(first, None), (None, None)]
    stage.value(tab, "live.setValue('// mine')")
    assert editor.write(GOOD).previous == "// mine"
    other = PageEditor(editor.page)
    assert other.write(BAD).previous == GOOD, "whoever did not write a text is told of it"
    assert editor.write(GOOD).previous == BAD


def test_the_old_text_arrives_though_the_panel_closes_as_it_is_replaced(stage: Stage) -> None:
    tab = stage.open()
    stage.value(tab, "live.setValue('// not saved anywhere')")
    stage.value(
        tab,
        """void (() => { const own = live.executeEdits; live.executeEdits = (...all) => {
        own(...all); live.executeEdits = own; Promise.resolve().then(unmount); }; })()""",
    )
    editor = stage.editor(tab)
    written = editor.write(GOOD)
    assert written.verified and written.previous == "// not saved anywhere"
    assert written.kept is not None and written.kept.read_text() == "// not saved anywhere"
    assert editor.read() == GOOD


# -- whoever stops waiting -------------------------------------------------------------------------------------------

COUNTED = """function ({ limit }) {
  window.looks = 0;
  return this.until(() => { window.looks += 1; return window.over === true; }, limit);
}"""

STIR = """new Promise((done) => {
  const before = window.looks;
  document.body.append(document.createElement('i'));
  setTimeout(() => done(window.looks - before), 60);
})"""


def test_a_cancellation_ends_the_wait_in_the_page(stage: Stage, run: Callable[..., Any]) -> None:
    tab = stage.open()
    connection = stage.connect(tab)
    over = threading.Event()

    def cancel() -> None:
        until(lambda: stage.value(tab, "window.looks > 0"))
        over.set()

    threading.Thread(target=cancel).start()
    with pytest.raises(CancelledError):
        run(Page(connection), COUNTED, Context(cancelled=over.is_set), limit=600_000, timeout=600)
    until(lambda: connection.evaluate(STIR, await_promise=True) == 0)


def test_a_deadline_ends_the_wait_in_the_page(stage: Stage, run: Callable[..., Any]) -> None:
    connection = stage.connect(stage.open())
    with pytest.raises(DeadlineError):
        run(Page(connection), COUNTED, Context.within(1.0), limit=600_000, timeout=600)
    until(lambda: connection.evaluate(STIR, await_promise=True) == 0)


def test_two_that_wait_end_apart(stage: Stage, run: Callable[..., Any]) -> None:
    tab = stage.open()
    connection = stage.connect(tab)
    page = Page(connection)
    over = threading.Event()
    found: list[Any] = []
    second = threading.Thread(target=lambda: found.append(run(page, COUNTED, limit=60_000)))
    second.start()
    until(lambda: stage.value(tab, "window.looks > 0"))
    over.set()
    with pytest.raises(CancelledError):
        page.call("of_the_test", {"limit": 60_000}, timeout=60, context=Context(cancelled=over.is_set))
    stage.value(tab, "window.over = true")
    second.join()
    assert found == [True]


def test_every_wait_belongs_to_a_call() -> None:
    """Else nothing could end it: `until` knows the call by its `this`."""
    for path in (Path(pages.__file__).parent / "js").glob("*.js"):
        assert "toolkit.until(" not in path.read_text(encoding="utf-8"), path.name


def test_what_changes_something_at_once_is_not_left_half_done(stage: Stage, state: Path) -> None:
    """Cancelled or not: a text that is replaced is kept."""
    tab = stage.open()
    stage.value(tab, "live.setValue('// not saved anywhere')")
    editor = stage.editor(tab)

    def replaced() -> bool:
        return bool(stage.value(tab, "live.getValue() !== '// not saved anywhere'"))

    with pytest.raises(CancelledError):
        editor.push(GOOD, Context(cancelled=replaced))
    (kept,) = (state / "replaced").iterdir()
    assert kept.read_text() == "// not saved anywhere"


# -- big pages -------------------------------------------------------------------------------------------------------

CLUTTER = """void (() => { const box = document.createElement('div'); box.id = 'clutter'; box.style.display = 'none';
for (let i = 0; i < 15000; i += 1) box.append(document.createElement('span')); document.body.append(box); })()"""

COUNT = """void (() => { window.searches = 0;
for (const kind of [Document, Element]) { const own = kind.prototype.querySelectorAll;
  kind.prototype.querySelectorAll = function (css) {
    const found = own.call(this, css);
    if (this === document || this.contains(document.getElementById('clutter'))) window.searches += 1;
    return found;
  }; } })()"""

READS = ("quote", "chart_summary", "console", "markers", "dialogs", "find_editor", "read_source")


def test_a_big_page_is_searched_once(stage: Stage) -> None:
    tab = stage.open()
    page = Page(stage.connect(tab))
    stage.value(tab, CLUTTER)
    for name in READS:
        page.call(name, read=True)
    stage.value(tab, COUNT)
    for _ in range(3):
        for name in READS:
            page.call(name, read=True)
        stage.value(tab, "void document.getElementById('legend').append(document.createElement('b'))")
    assert stage.value(tab, "window.searches") == 0


STEPS = """() => {
  let seed = 11;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const pick = (all) => all[Math.floor(random() * all.length)];
  const nodes = [document.body];
  const wrong = [];
  const add = (parent, kind, name) => {
    const made = document.createElement(kind);
    made.className = name;
    parent.append(made);
    nodes.push(made);
    return made;
  };
  const told = (found) => String(found.map((node) => nodes.indexOf(node)));
  for (let step = 0; step < 400; step += 1) {
    const node = pick(nodes);
    const act = Math.floor(random() * 5);
    if (act > 2 || node === document.body) {
      const made = add(node, random() < 0.3 ? 'button' : 'div', pick(NAMES));
      if (random() < 0.5) add(made, 'i', 'price-x');
    } else if (act === 0) node.remove();
    else if (act === 1) node.className = pick(NAMES);
    else node.setAttribute('data-name', pick(NAMES));
    if (random() > 0.3) continue;
    for (const [key, selectors] of Object.entries(this.table.selectors)) {
      const direct = [...new Set(selectors.flatMap((css) => [...document.querySelectorAll(css)]))];
      if (told(direct) !== told(this.all(key))) wrong.push([step, key]);
    }
  }
  return wrong;
}"""

NAMES = [
    "bid-1",
    "ask-2",
    "x",
    "pine-editor",
    "monaco-editor pine-editor-monaco",
    "consoleRow-a",
    "dom-b",
    "dom",
    "log-c",
]


def test_what_was_found_before_stays_right_whatever_changes(stage: Stage, run: Callable[..., Any]) -> None:
    page = Page(stage.connect(stage.open()))
    steps = STEPS.replace("NAMES", json.dumps(NAMES))
    assert run(page, f"function () {{ return ({steps})(); }}") == []


def test_a_burst_of_changes_is_not_remembered_one_by_one(stage: Stage, run: Callable[..., Any]) -> None:
    tab = stage.open()
    page = Page(stage.connect(tab))
    assert run(page, "function () { return this.all('consoleRow').length; }") == 0
    stage.value(
        tab,
        """void (() => { for (let i = 0; i < 3000; i += 1) { const row = document.createElement('div');
        row.className = 'consoleRow-' + i; document.body.append(row); } })()""",
    )
    assert page.call("of_the_test") == 3000


def test_selectors_speak_of_a_node_and_what_it_is_in() -> None:
    """Else what was found before could become wrong without a change near it."""
    for key, selectors in SELECTORS.items():
        for css in selectors.css:
            assert not any(sign in css for sign in (" + ", " ~ ", ":has", ":nth", ":first", ":last", ":empty")), key
