"""Page functions: files, arguments, what survives a reload; and that no text a user types can become code."""

import random
import re
from importlib import resources

import pytest

from pinebench.tradingview import page as pages
from pinebench.tradingview.errors import CallTimeout, PageError
from pinebench.tradingview.page import CTRL, Page
from tests.tables import each
from tests.tradingview.chart_waiting import wait_for_chart_ready
from tests.tradingview.support import LIMIT, Stage, until

pytestmark = pytest.mark.usefixtures("spare_tabs")

FUNCTIONS = sorted(
    entry.name.removesuffix(".js") for entry in resources.files("pinebench.tradingview").joinpath("js").iterdir()
)

SEEDS = (
    "`${window.attack = 1}`",
    "'; window.attack = 1; '",
    '"; window.attack = 1; //',
    "\\'; window.attack = 1; //",
    "</script><script>window.attack = 1</script>",
    "<img src=x onerror='window.attack = 1'>",
    "javascript:window.attack=1",
    "\u2028window.attack = 1\u2029",
    "\\u0027;window.attack=1;\\u0027",
    "${window.attack = 1}",
    "constructor.constructor('window.attack = 1')()",
    "__proto__",
    "*/ window.attack = 1 /*",
    "\x00window.attack = 1",
    "]]><svg onload=window.attack=1>",
    "{{window.attack = 1}}",
    "eval(atob('d2luZG93LmF0dGFjaz0x'))",
    "TradingViewApi.x(window.attack = 1)",
    "}) ; window.attack = 1; ({",
    "\ud83d window.attack=1 \ude00",
)


original = pages.source


def hostile(count: int) -> list[str]:
    """Prepared attacks and mixtures of them, always the same ones."""
    dice = random.Random(20261121)
    mixed = ["".join(dice.choice(SEEDS)[: dice.randint(3, 40)] for _ in range(4)) for _ in range(count - len(SEEDS))]
    return [*SEEDS, *mixed]


@each("name", FUNCTIONS)
def test_a_file_is_one_function_of_one_argument(name: str) -> None:
    text = pages.source(name)
    code = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("//")).strip()
    assert text.startswith("// ")
    assert re.match(r"(async )?function \((\w+|\{[^}]*\})?\) \{", code), code[:60]
    assert code.endswith("}")
    assert not re.search(r"\beval\b|new Function|innerHTML|document\.cookie|localStorage", code)


def test_every_file_is_valid_javascript(stage: Stage) -> None:
    reached = stage.connect(stage.open())
    for name in FUNCTIONS:
        program = f"'use strict'; void (\n{pages.source(name)}\n)"
        answer = reached.command("Runtime.compileScript", expression=program, sourceURL=name, persistScript=False)
        assert "exceptionDetails" not in answer, (name, answer)


def test_only_known_names_are_read() -> None:
    for name in ("../connection", "Toolkit", "", "toolkit.js"):
        with pytest.raises(ValueError, match="not the name"):
            pages.source(name)


def test_arguments_and_results_travel_unchanged(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(stage.connect(stage.open()))
    monkeypatch.setattr(
        pages, "source", lambda name: {"echo": "function (x) { return x; }"}.get(name) or original(name)
    )
    value = {"text": "\ud83d\u2028\x00`${}`\r\n\ufeff😀", "list": [1.5, None, True, {"x": 1}], "deep": {"a": {"b": []}}}
    assert page.call("echo", value) == value


def test_the_toolkit_is_made_anew_after_a_reload(stage: Stage) -> None:
    tab = stage.open()
    page = Page(stage.connect(tab))
    assert page.call("find_editor", read=True)["open"]
    stage.value(tab, "window.before = true")
    tab.request("Page.reload", {}, LIMIT)
    until(lambda: stage.value(tab, "!window.before && document.readyState === 'complete'"))
    assert page.call("find_editor", read=True)["open"]
    assert stage.value(tab, "Object.keys(window).filter(k => /pinebench|toolkit/i.test(k)).length") == 0


def test_a_function_that_throws_says_so(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(stage.connect(stage.open()))
    sources = {"bad": "function () { null.x; }", "slow": "function () { return new Promise(() => {}); }"}
    monkeypatch.setattr(pages, "source", lambda name: sources.get(name) or original(name))
    with pytest.raises(PageError, match="TypeError"):
        page.call("bad")
    with pytest.raises(CallTimeout):
        page.call("slow", timeout=0.3)
    assert page.call("find_editor", read=True)["open"]


def test_a_broken_prototype_does_not_matter(stage: Stage) -> None:
    tab = stage.open()
    stage.value(tab, "void (Object.prototype.extra = 1, Array.prototype.more = () => 2)")
    assert Page(stage.connect(tab)).call("health", read=True)["paths"]["chartApi"]["present"]


def test_pictures_and_keys(stage: Stage) -> None:
    tab = stage.open()
    page = Page(stage.connect(tab))
    assert page.screenshot().startswith(b"\x89PNG")
    assert page.screenshot({"x": 0, "y": 0, "width": 20, "height": 10}, image_format="jpeg").startswith(b"\xff\xd8")
    stage.value(
        tab, "window.pressed = null; addEventListener('keydown', e => { window.pressed = [e.key, e.ctrlKey]; })"
    )
    page.bring_to_front()
    page.press_key("k", "KeyK", 75, CTRL)
    assert until(lambda: stage.value(tab, "window.pressed")) == ["k", True]
    stage.value(tab, "document.querySelector('textarea').focus()")
    page.insert_text("typed 😀")
    assert stage.value(tab, "document.querySelector('textarea').value") == "typed 😀"


@pytest.mark.parametrize("count", [100, pytest.param(500, marks=pytest.mark.soak)])
def test_no_text_becomes_code(stage: Stage, count: int) -> None:
    """Hostile text as source, symbol, dialog text and button name, service argument and table key."""
    tab = stage.open()
    editor = stage.editor(tab)
    page = editor.page
    strings = hostile(count)
    assert len(set(strings)) > count * 0.9
    for text in strings:
        editor.write(text)
        assert not wait_for_chart_ready(page, text, text, timeout_ms=0)
        page.call("answer_dialog", {"id": text, "purpose": text, "name": text})
        for name, argument in (
            ("editor_api", {"action": text, "argument": text}),
            ("open_editor", {"plan": [[0, text]], "passed": 0, "limit": 20}),
            ("get_script", {"id": text, "version": text, "limit": 500}),
            ("require_path", {"key": text}),
        ):
            try:
                page.call(name, argument)
            except PageError:
                continue  # an error is a fine answer; running the text is not
    assert stage.value(tab, "window.attack") == 0
    assert stage.blocked == [] or all("favicon" in url for url in stage.blocked)
