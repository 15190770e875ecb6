"""The page's editor in a real browser: what the services say, typed, pointed at and applied; late answers nowhere."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.studio.support import CTRL, Driver

SCRIPT = """//@version=6
indicator("x")
type Level
    float price
    int bar
// Twice a number.
twice(float factor) =>
    factor * 2
level = Level.new(close, bar_index)
plot(twice(level.price), color = #FF0000)
"""
EDITOR = "monaco.editor.getEditors()[0]"
TEXT = f"{EDITOR}.getModel().getValue()"
LIST = "document.querySelector('.suggest-widget.visible')"
HOVER = "document.querySelector('.monaco-hover:not(.hidden)')"


@pytest.fixture
def editor(module_editor: Driver) -> Iterator[Driver]:
    """The editor in front, with nothing open over it and nothing held back."""
    module_editor.page.bring_to_front()
    module_editor.js(
        "window.hold = (question) => { const plain = window.fetch; let open;"
        " const gate = new Promise((go) => { open = go; }); window.held = 0;"
        " window.let = () => { window.fetch = plain; open(); };"
        " window.fetch = async (path, init) => { const late = String(path).endsWith('/editor/' + question);"
        " if (late) { window.held += 1; await gate; } const answer = await plain(path, init);"
        " if (late) window.answered = (window.answered ?? 0) + 1; return answer; }; }; window.answered = 0"
    )
    yield module_editor
    # A mouse that stays over a word would have it explained.
    module_editor.connection.command("Input.dispatchMouseEvent", type="mouseMoved", x=1, y=1)
    module_editor.press("Escape", "Escape", 27)
    module_editor.press("Escape", "Escape", 27)


def show(editor: Driver, text: str, behind: str = "") -> None:
    """Put `text` into the editor and the cursor behind the last `behind` in it, at the end where there is none."""
    editor.js(f"{EDITOR}.getModel().setValue({json.dumps(text)}); {EDITOR}.focus()")
    put(editor, text.rindex(behind) + len(behind) if behind else len(text))


def put(editor: Driver, offset: int) -> None:
    editor.js(
        f"(() => {{ const e = {EDITOR}; const at = e.getModel().getPositionAt({offset});"
        " e.setPosition(at); e.revealPositionInCenter(at); })()"
    )


def offered(editor: Driver, wanted: str) -> list[str]:
    """What the list offers once `wanted` is in it."""
    labels = f"[...{LIST}?.querySelectorAll('.monaco-list-row .label-name') ?? []].map((one) => one.textContent)"
    editor.until(
        f"{labels}.includes({json.dumps(wanted)}) && {LIST}.querySelector('.monaco-list-row.focused') !== null"
    )
    return editor.js(labels)


def complete(editor: Driver) -> None:
    editor.press(" ", "Space", 32, CTRL)


def run(editor: Driver, action: str) -> None:
    editor.js(f"void {EDITOR}.trigger('test', {json.dumps(action)})")


def test_members_fields_and_named_arguments_are_offered_and_taken(editor: Driver) -> None:
    show(editor, SCRIPT)
    editor.page.insert_text("a = ta.em")
    complete(editor)
    assert offered(editor, "ema")[0] == "ema"
    editor.press("Enter", "Enter", 13)
    editor.until(f"{TEXT}.endsWith('a = ta.ema(source, length)')")
    editor.page.insert_text("close")
    editor.until(f"{TEXT}.endsWith('a = ta.ema(close, length)')")

    show(editor, SCRIPT + "b = level.")
    complete(editor)
    assert offered(editor, "price")[:2] == ["price", "bar"]
    editor.until(
        "document.querySelector('.suggest-details')?.textContent.includes('float') || "
        f"{LIST}.textContent.includes('float')"
    )
    editor.press("Escape", "Escape", 27)

    show(editor, SCRIPT + "c = ta.sma(close, leng)", "leng")
    complete(editor)
    offered(editor, "length")
    editor.press("Enter", "Enter", 13)
    editor.until(f"{TEXT}.endsWith('c = ta.sma(close, length = )')")


def test_typing_on_while_the_list_is_late_gives_the_list_of_the_newer_text(editor: Driver) -> None:
    show(editor, SCRIPT + "b = level.")
    editor.js("window.hold('completion')")
    complete(editor)
    editor.until("window.held === 1")
    bar = {"startLineNumber": 5, "startColumn": 9, "endLineNumber": 5, "endColumn": 12}
    editor.js(f"{EDITOR}.getModel().applyEdits([{{range: {json.dumps(bar)}, text: 'stop'}}])")
    editor.page.insert_text("s")
    editor.js("window.let()")
    assert "bar" not in offered(editor, "stop")


def test_the_signature_follows_the_arguments(editor: Driver) -> None:
    show(editor, SCRIPT + "a = twice(", "twice(")
    run(editor, "editor.action.triggerParameterHints")
    widget = "document.querySelector('.parameter-hints-widget.visible')"
    editor.until(f"{widget}?.textContent.includes('twice(factor')")
    assert "factor" in editor.js(f"{widget}.querySelector('.parameter.active').textContent")


def hovered(editor: Driver, words: str) -> str:
    run(editor, "editor.action.showHover")
    editor.until(f"{HOVER}?.textContent.includes({json.dumps(words)})")
    return editor.js(f"{HOVER}.textContent")


def test_hovering_tells_type_and_comment_of_what_the_script_declares(editor: Driver) -> None:
    show(editor, SCRIPT, "plot(twi")
    assert "twice(factor: float) → series float" in hovered(editor, "Twice a number.").replace("\u00a0", " ")


def test_what_is_written_in_a_comment_does_nothing_when_it_is_shown(editor: Driver) -> None:
    hostile = (
        '// <img src=x onerror="window.harm=1"><script>window.harm=1</script> <b>bold</b>\n'
        "// [go](command:pinebench.migrate) ![pixel](http://127.0.0.1:9/pixel.png) [js](javascript:window.harm=1)\n"
        '// ``` <iframe srcdoc="<script>parent.harm=1</script>"></iframe>\n'
    )
    show(editor, SCRIPT.replace("// Twice a number.\n", hostile), "plot(twi")
    text = hovered(editor, "window.harm=1</script>")
    assert "<b>bold</b>" in text and "[go](command:pinebench.migrate)" in text and "![pixel]" in text
    assert editor.js(f"{HOVER}.querySelectorAll('img, script, iframe, b').length") == 0
    # A plain address may be a link, to itself.
    links = editor.js(f"[...{HOVER}.querySelectorAll('a')].map((one) => [one.dataset.href, one.textContent])")
    assert all(address == text and address.startswith("http") for address, text in links)
    assert editor.js("window.harm") is None


def test_going_to_a_definition(editor: Driver) -> None:
    show(editor, SCRIPT, "plot(twi")
    run(editor, "editor.action.revealDefinition")
    editor.until(f"{EDITOR}.getPosition().lineNumber === 7")


def test_a_name_is_renamed_everywhere_and_at_once_or_not(editor: Driver) -> None:
    show(editor, SCRIPT, "plot(twi")
    run(editor, "editor.action.rename")
    box = "document.querySelector('.rename-box input')"
    # The box selects its text a moment after it is shown, and has the focus then.
    editor.until(f"document.activeElement === {box} && {box}.value === 'twice' && {box}.selectionEnd === 5")
    editor.page.insert_text("doubled")
    editor.press("Enter", "Enter", 13)
    editor.until(f"{TEXT} === {json.dumps(SCRIPT.replace('twice', 'doubled'))}")
    editor.js(f"{EDITOR}.trigger('test', 'undo')")
    editor.until(f"{TEXT} === {json.dumps(SCRIPT)}")
    put(editor, SCRIPT.index("plot(") + 1)
    run(editor, "editor.action.rename")
    editor.until("document.body.innerText.includes('plot is built in')")


def ask_for_fixes(editor: Driver, shown: str) -> None:
    """Open the menu of fixes until `shown` is true of the page: Monaco shuts it for markers that come meanwhile."""
    look = f"const look = () => {shown} ? done(true) : Date.now() > end ? done(false) : setTimeout(look, 20); look();"
    for _ in range(30):
        run(editor, "editor.action.quickFix")
        if editor.js(f"new Promise((done) => {{ const end = Date.now() + 3000; {look} }})"):
            return
    raise AssertionError(f"never true: {shown}")


def test_a_fix_is_chosen_and_applied(editor: Driver) -> None:
    show(editor, SCRIPT.replace("plot(twice", "plot(twicee"), "plot(twic")
    rows = "[...document.querySelectorAll('.action-widget .monaco-list-row')]"
    chosen = f"{rows}.some((row) => row.classList.contains('focused') && row.textContent.includes('twice'))"
    ask_for_fixes(editor, f"{chosen} && document.activeElement.closest('.action-widget') !== null")
    editor.press("Enter", "Enter", 13)
    editor.until(f"{TEXT} === {json.dumps(SCRIPT)}")


def test_an_older_script_is_brought_to_v6(editor: Driver) -> None:
    show(editor, '//@version=4\nstudy("x")\nplot(sma(close, 9))\n', "study")
    rows = "[...document.querySelectorAll('.action-widget .monaco-list-row')]"
    row = f"{rows}.find((one) => one.textContent.includes('to Pine v6'))"
    ask_for_fixes(editor, f"{row} !== undefined")
    box = editor.js(
        f"(() => {{ const b = {row}.getBoundingClientRect();"
        " return {x: b.x + b.width / 2, y: b.y + b.height / 2}; })()"
    )
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        editor.connection.command("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **box)
    editor.until(f"{TEXT}.startsWith('//@version=6\\nindicator(\"x\")\\nplot(ta.sma(close, 9))')")
    editor.until("document.querySelector('.console__rows').innerText.includes('Converted from Pine v4')")


def test_the_script_is_laid_out(editor: Driver) -> None:
    show(editor, "//@version=6\nindicator('x')\na=1\nplot(a+a)\n")
    run(editor, "editor.action.formatDocument")
    editor.until(f"{TEXT} === \"//@version=6\\nindicator('x')\\na = 1\\nplot(a + a)\\n\"")


@pytest.mark.parametrize(
    ("question", "action"),
    [
        ("layout", "editor.action.formatDocument"),
        ("hover", "editor.action.showHover"),
        ("actions", "editor.action.quickFix"),
    ],
)
def test_a_late_answer_about_an_older_text_applies_nowhere(editor: Driver, question: str, action: str) -> None:
    text = "//@version=6\nindicator('x')\na=1\nplot(a+bb)\n"
    show(editor, text, "plot(a+b")
    editor.js(f"window.hold('{question}'); void {EDITOR}.trigger('test', '{action}')")
    editor.until("window.held > 0")
    newer = "// another\n" + text
    editor.js(f"{EDITOR}.getModel().setValue({json.dumps(newer)})")
    asked: Any = editor.js("window.held")
    editor.js("window.let()")
    editor.until(f"window.answered >= {asked}")
    editor.js("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert editor.js(TEXT) == newer
    assert editor.js(f"{HOVER} === null && document.querySelector('.action-widget .monaco-list-row') === null")


def test_names_are_coloured_by_what_they_mean_and_colours_have_swatches(editor: Driver) -> None:
    show(editor, SCRIPT)
    editor.until("document.querySelectorAll('.colorpicker-color-decoration').length === 1")
    words = [["factor", "factor * 2"], ["price", "twice(level"], ["Level", "Level.new"], ["level", "level ="]]
    colour = (
        f"(() => {{ const all = {json.dumps(words)}.map(([word, line]) => {{"
        " const row = [...document.querySelectorAll('.view-line')].find((one) =>"
        " one.textContent.replaceAll('\u00a0', ' ').includes(line));"
        " const span = [...(row?.querySelectorAll('span span') ?? [])].find((one) => one.textContent.trim() === word);"
        " return span && getComputedStyle(span).color; });"
        " return all.includes(undefined) ? null : new Set(all).size === 4; })()"
    )
    editor.until(colour)
