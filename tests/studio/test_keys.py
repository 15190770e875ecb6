"""The page's editor under the keys that a person presses: printable keys, Enter, Tab, Escape, paste, composition."""

import json
import string

import pytest

from tests.studio.support import CTRL, Driver

EDITOR = "monaco.editor.getEditors()[0]"
TEXT = f"{EDITOR}.getModel().getValue()"
INSIDE = "document.activeElement.closest('.monaco-editor') !== null"
LETTERS = string.ascii_letters + string.digits
HEAD = '//@version=6\nindicator("x")\n'


@pytest.fixture
def editor(module_editor: Driver) -> Driver:
    """The editor in front with the focus and without text; it closes no bracket or quote by itself."""
    module_editor.page.bring_to_front()
    module_editor.js(
        f"{EDITOR}.updateOptions({{autoClosingBrackets: 'never', autoClosingQuotes: 'never',"
        " quickSuggestions: false, suggestOnTriggerCharacters: false}),"
        f" {EDITOR}.getModel().setValue(''), {EDITOR}.focus()"
    )
    return module_editor


def strike(driver: Driver, key: str) -> None:
    """Press a key that types a character, as a keyboard would."""
    text = "\r" if key == "Enter" else key
    code = 13 if key == "Enter" else ord(key.upper()) if key in LETTERS else 0
    common = {"key": key, "windowsVirtualKeyCode": code}
    driver.connection.command("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
    driver.connection.command("Input.dispatchKeyEvent", type="keyUp", **common)


def strike_all(driver: Driver, text: str) -> None:
    for character in text:
        strike(driver, "Enter" if character == "\n" else character)


def test_every_printable_key_is_typed_into_the_script(editor: Driver) -> None:
    typed = LETTERS + string.punctuation + " äß"
    strike_all(editor, typed)
    editor.until(f"{TEXT} === {json.dumps(typed)}")
    assert editor.js(INSIDE) and editor.js("document.querySelector('[role=dialog]') === null")


def test_enter_indents_after_a_line_that_opens_a_block(editor: Driver) -> None:
    for line in ("if close > open", "f(a) =>", "for i = 0 to 3", "x = switch", "while true", "type Level"):
        editor.js(
            f"{EDITOR}.getModel().setValue({json.dumps(HEAD)}), {EDITOR}.setPosition({{lineNumber: 3, column: 1}})"
        )
        strike_all(editor, f"{line}\ny")
        editor.until(f"{TEXT} === {json.dumps(f'{HEAD}{line}' + chr(10) + '    y')}")
    editor.js(f"{EDITOR}.getModel().setValue({json.dumps(HEAD)}), {EDITOR}.setPosition({{lineNumber: 3, column: 1}})")
    strike_all(editor, "a = close\nb")
    editor.until(f"{TEXT} === {json.dumps(HEAD + 'a = close' + chr(10) + 'b')}")


def test_tab_indents_and_after_ctrl_m_leaves_the_editor_both_ways(editor: Driver) -> None:
    editor.press("Tab", "Tab", 9)
    editor.until(f"{TEXT} === '    '")
    editor.press("m", "KeyM", 77, CTRL)
    editor.press("Tab", "Tab", 9)
    editor.until(f"!({INSIDE})")
    assert editor.js(TEXT) == "    "
    editor.press("Tab", "Tab", 9, modifiers=8)
    editor.until(INSIDE)
    editor.press("m", "KeyM", 77, CTRL)
    editor.press("Tab", "Tab", 9)
    editor.until(f"{TEXT} === '        '")
    editor.press("Escape", "Escape", 27)
    assert editor.js(INSIDE)


@pytest.mark.parametrize("trouble", ["html", "shape", "null"])
def test_what_is_no_answer_of_the_studio_confirms_no_save(editor: Driver, trouble: str) -> None:
    said = "document.body.innerText.includes('The answer is not from the studio')"
    named = "document.querySelector('[role=dialog]') !== null"
    strike_all(editor, f"// {trouble}")
    editor.set(scriptService=trouble)
    try:
        editor.press("s", "KeyS", 83, CTRL)
        editor.until(f"{said} || {named}")
        if editor.js(f"!({said})"):  # a new script is asked for its name
            strike(editor, "Enter")
        editor.until(said)
        assert "unsaved" in editor.js("document.querySelector('.button--script').innerText")
    finally:
        editor.set(scriptService=None)
        editor.press("Escape", "Escape", 27)
        editor.js("document.querySelector('[aria-label=\"Clear the console\"]').click()")


def test_arrows_home_and_end_open_the_tabs_of_the_panel(editor: Driver) -> None:
    where = "document.activeElement.getAttribute('aria-label') + document.activeElement.getAttribute('aria-selected')"
    editor.js("document.querySelector('.bottom-tabs [role=tab]').focus()")
    for key, code, opened in (
        ("ArrowRight", 39, "Strategy Tester"), ("End", 35, "Data Window"), ("ArrowRight", 39, "Pine"),
        ("ArrowLeft", 37, "Data Window"), ("Home", 36, "Pine"),
    ):  # fmt: skip
        editor.press(key, key, code)
        editor.until(f"{where} === '{opened}true'")
    editor.until(f"{EDITOR} !== undefined")


def test_keys_of_the_browser_open_no_tab(editor: Driver) -> None:
    opened = "document.querySelector('.bottom-tabs [aria-selected=true]').getAttribute('aria-label')"
    editor.js("document.querySelector('.bottom-tabs [role=tab]').focus()")
    assert editor.js(opened) == "Pine"
    for held in ("altKey", "ctrlKey", "metaKey"):
        struck = f"new KeyboardEvent('keydown', {{key: 'End', bubbles: true, cancelable: true, {held}: true}})"
        assert editor.js(f"document.activeElement.dispatchEvent({struck})"), f"{held}: the browser gets the key"
        assert editor.js(opened) == "Pine"


def test_composed_and_pasted_texts_are_written_once(editor: Driver) -> None:
    for part in ("n", "ni", "に"):
        editor.connection.command(
            "Input.imeSetComposition", text=part, selectionStart=len(part), selectionEnd=len(part)
        )
    editor.connection.command("Input.insertText", text="に")
    editor.until(f"{TEXT} === 'に'")
    editor.connection.command("Input.imeSetComposition", text="´", selectionStart=1, selectionEnd=1)
    editor.connection.command("Input.insertText", text="é")
    editor.until(f"{TEXT} === 'にé'")
    editor.js(
        "(() => { const data = new DataTransfer(); data.setData('text/plain', 'plot(close)');"
        " document.activeElement.dispatchEvent(new ClipboardEvent('paste',"
        " {clipboardData: data, bubbles: true, cancelable: true})); })()"
    )
    editor.until(f"{TEXT} === 'にéplot(close)'")
