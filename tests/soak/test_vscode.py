"""Visual Studio Code, as its web build in a real Chromium, with the extension that `make vsix` packs.

Its server and its extension host run here in Node, so that the extension starts `pinebench lsp` as on a desktop.
Only the window is drawn by a browser. The server comes from npm, so these tests need its registry.
"""

import base64
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from pinebench.tradingview import browser, targets
from pinebench.tradingview.tab import Tab
from pinebench.tradingview.targets import Target
from tests.testing.test_script_tests import BARS
from tests.testing.test_script_tests import SCRIPT as TESTED
from tests.tradingview.support import LIMIT, start_browser, until

pytestmark = pytest.mark.soak

CHECKOUT = Path(__file__).resolve().parents[2]
SERVER = "code-server@4.96.4"
"""The web build of VS Code 1.96 with its server."""
CTRL, SHIFT = 2, 8
SCRIPT = '//@version=6\nindicator("x")\nfast=ta.sma(close,9)\nplot(fast+nope, color=#ff0000)\n'
DEBUGGED = '//@version=6\nindicator("x")\nmean = ta.sma(close, 9)\nplot(mean)\nplot(close)\n'
PANEL = "document.querySelector('iframe.webview')?.contentDocument?.querySelector('iframe')?.contentDocument"
"""The page in the panel of the extension."""
TRUST = "[...document.querySelectorAll('.dialog-buttons a')].find((it) => it.innerText.startsWith('Trust Workspace'))"
"""The button of the question whether the authors of the file are trusted, which the editor asks before a session."""
MESSAGES = "[...document.querySelectorAll('.notification-list-item-message')].map(it => it.innerText)"
TEXT = "[...document.querySelectorAll('.view-line')].map(it => it.innerText.replaceAll('\\u00a0', ' ')).join('\\n')"


class Window:
    """A window of the editor."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab

    def value(self, expression: str) -> Any:
        """The value of an expression in the window."""
        answer = self._tab.request("Runtime.evaluate", {"expression": expression, "returnByValue": True}, LIMIT)
        assert "exceptionDetails" not in answer, json.dumps(answer)
        return answer["result"].get("value")

    def until(self, expression: str) -> Any:
        """The value of an expression as soon as it is true."""
        return until(lambda: self.value(expression))

    def shot(self, name: str) -> None:
        """Keep a picture of the window in the folder that VSCODE_PICTURES names, if there is one."""
        folder = os.environ.get("VSCODE_PICTURES")
        if folder:
            answer = self._tab.request("Page.captureScreenshot", {"format": "png"}, LIMIT)
            (Path(folder) / f"vscode-{name}.png").write_bytes(base64.b64decode(answer["data"]))

    def type(self, text: str) -> None:
        """Write a text into what has the focus."""
        self._tab.request("Input.insertText", {"text": text}, LIMIT)

    def press(self, key: str, code: str, number: int, modifiers: int) -> None:
        """Press a key as a keyboard would."""
        about = {"key": key, "code": code, "windowsVirtualKeyCode": number, "modifiers": modifiers}
        for kind in ("rawKeyDown", "keyUp"):
            self._tab.request("Input.dispatchKeyEvent", {"type": kind, **about}, LIMIT)


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that starts the server with the extension in it."""
    folder = tmp_path_factory.mktemp("code")
    (folder / "package.json").write_text('{"private": true}')
    # Terminals and logs are native modules; they are not built, because nothing here needs them.
    install = ["npm", "install", "--silent", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"]
    subprocess.run([*install, SERVER], cwd=folder, check=True, timeout=900)
    root = folder / "node_modules/code-server/lib/vscode"
    (root / "npm-shrinkwrap.json").unlink()  # it names a copy outside the registry
    subprocess.run(install, cwd=root, check=True, timeout=900)
    packed = folder / "pinebench.vsix"
    subprocess.run(
        [sys.executable, "scripts/release/build_vsix.py", str(packed)], cwd=CHECKOUT, check=True, timeout=900
    )
    places = ["--extensions-dir", str(folder / "extensions"), "--server-data-dir", str(folder / "data")]
    program = ["node", str(root / "out/server-main.js"), *places]
    added = subprocess.run([*program, "--install-extension", str(packed)], capture_output=True, text=True, timeout=300)
    assert "was successfully installed" in added.stdout, added.stderr
    return [*program, "--host", "127.0.0.1", "--port", "0", "--without-connection-token", "--force-disable-user-env"]


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browser.RunningBrowser]:
    launched = start_browser(tmp_path_factory.mktemp("profile"))
    yield launched
    launched.stop()


@pytest.fixture
def opened(code: list[str], window: browser.RunningBrowser, tmp_path: Path) -> Iterator[Callable[..., Window]]:
    """A function that opens the script in a new window, where the editor has a PATH; or the script's folder."""
    script = tmp_path / "a.pine"
    script.write_text(SCRIPT, encoding="utf-8")
    servers: list[subprocess.Popen[str]] = []
    tabs: list[Tab] = []

    def open_in(path: str, *, whole_folder: bool = False) -> Window:
        environment = {**os.environ, "PATH": path, "HOME": str(tmp_path)}
        server = subprocess.Popen(
            code, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=tmp_path
        )
        servers.append(server)
        assert server.stdout is not None
        port = next(found[1] for line in server.stdout if (found := re.search(r"listening on (\d+)", line)))
        place = f"127.0.0.1:{port}"
        payload = quote(json.dumps([["openFile", f"vscode-remote://{place}{script}"]]))
        asked = f"folder={quote(str(tmp_path))}" if whole_folder else f"ew=true&payload={payload}"
        address = quote(f"http://{place}/?{asked}", safe="")
        entry = targets.ask_browser("127.0.0.1", window.port, f"/json/new?{address}", "PUT")
        tab = Tab("127.0.0.1", window.port, Target(entry["id"], "page", "", "about:blank"))
        tab.start()
        tabs.append(tab)
        return Window(tab)

    yield open_in
    for tab in tabs:
        tab.stop()
    for server in servers:
        server.terminate()
        server.wait(LIMIT)


def programs(*more: Path) -> str:
    """A PATH with Node and the system's programs, and nothing of the environment that runs the tests."""
    node = subprocess.run(["which", "node"], capture_output=True, text=True, check=True).stdout.strip()
    return os.pathsep.join(map(str, (*more, Path(node).parent, "/bin")))


def test_the_script_is_coloured_checked_and_formatted(opened: Callable[..., Window]) -> None:
    code = opened(programs(Path(sys.executable).parent))
    code.until("document.querySelector('.squiggly-error') !== null")
    assert (
        code.value("new Set([...document.querySelectorAll('.view-line span span')].map(it => it.className)).size") > 3
    )
    assert "Run" in code.until("document.querySelector('.codelens-decoration')?.innerText")
    assert code.until(
        "document.querySelector('.colorpicker-color-decoration, .ced-1-TextEditorDecorationType') !== null"
    )
    code.press("M", "KeyM", 77, CTRL | SHIFT)
    code.until("document.querySelector('.markers-panel')?.innerText.includes('Undeclared identifier \"nope\"')")
    code.value("document.querySelector('.monaco-editor textarea').focus()")
    code.press("I", "KeyI", 73, CTRL | SHIFT)
    code.until(f"{TEXT}.includes('plot(fast + nope, color =')")
    assert code.value(MESSAGES) == []


def test_one_message_tells_that_the_program_is_missing(opened: Callable[..., Window]) -> None:
    code = opened(programs())
    (message,) = code.until(f"(it => it.length && it)({MESSAGES})")
    assert "pinebench was not found on the PATH" in message
    assert "undefined" not in message


BUTTON = "document.querySelector('.debug-toolbar [aria-label^=\"{}\"]')"
WHERE = f"{PANEL}?.getElementById('where')?.textContent"
CHART = f"{PANEL}?.getElementById('chart')"
VARIABLES = (
    "Object.fromEntries([...document.querySelectorAll('.debug-variables .monaco-list-row')].map(it =>"
    " [it.querySelector('.name')?.innerText.trim().replace(/[ :=]+$/, ''), it.querySelector('.value')?.innerText]))"
)
DARK = "document.body.querySelector('.monaco-workbench').classList.contains('vs-dark')"


def picture(code: Window) -> Any:
    """The drawing in the panel: its last bar in words, and its source."""
    return code.value(f"[{WHERE}, {CHART}?.src]")


def command(code: Window, words: str) -> None:
    """Run a command of the palette."""
    code.press("F1", "F1", 112, 0)
    code.until("document.querySelector('.quick-input-widget input:focus') !== null")
    code.type(words)
    code.until(f"document.querySelector('.quick-input-list .monaco-list-row.focused')?.innerText.includes({words!r})")
    code.press("Enter", "Enter", 13, 0)


def test_the_chart_of_a_debugged_run_moves_with_its_bars(opened: Callable[..., Window], tmp_path: Path) -> None:
    """F9 and F5 stop the run on its first bar; the panel shows its chart, and the bars move from both."""
    script = tmp_path / "a.pine"
    script.write_text(DEBUGGED, encoding="utf-8")
    code = opened(programs(Path(sys.executable).parent))
    code.until("document.querySelector('.codelens-decoration') !== null")
    code.value("document.querySelector('.monaco-editor textarea').focus()")
    code.press("F9", "F9", 120, 0)
    code.until("document.querySelector('.codicon-debug-breakpoint') !== null")
    code.press("F5", "F5", 116, 0)
    code.until(f"{TRUST} !== undefined && ({TRUST}.click(), true)")
    shown = BUTTON.format("Show the chart of the run")
    code.until(f"{shown} !== null")
    code.until(f"({VARIABLES}).close !== undefined || ({VARIABLES}).mean !== undefined")
    assert code.value(VARIABLES)["mean"] == "(no value yet on this bar)"
    code.value(f"{shown}.click()")
    code.until(f"{WHERE}?.startsWith('bar 0, ')")
    code.until(f"{CHART}.naturalWidth > 0")
    pictures = [picture(code)]
    for number in range(1, 30):
        code.value(f"{BUTTON.format('Go to the next bar')}.click()")
        code.until(f"{WHERE}?.startsWith('bar {number}, ') && {CHART}.alt.includes('bar {number}, ')")
        pictures.append(picture(code))
    assert len({source for _, source in pictures}) == len(pictures), "each bar has a picture of its own"
    code.shot("light")
    code.value(f"{PANEL}.getElementById('next').click()")
    code.until(f"{WHERE}?.startsWith('bar 30, ')")
    code.value(f"{BUTTON.format('Go to the bar before')}.click()")
    code.until(f"{WHERE}?.startsWith('bar 29, ') && {CHART}.alt.includes('bar 29, ')")
    assert picture(code) == pictures[29], "after a way back, the chart is the one that it was"
    code.value(f"{PANEL}.getElementById('previous').click()")
    code.until(f"{WHERE}?.startsWith('bar 28, ') && {CHART}.alt.includes('bar 28, ')")
    assert picture(code) == pictures[28]
    dark = code.value(DARK)
    command(code, "Toggle between Light/Dark Themes")
    code.until(f"{DARK} !== {str(dark).lower()}")
    code.until(f"{CHART}.src !== {pictures[28][1]!r} && {WHERE}.startsWith('bar 28, ')")
    code.shot("dark")
    code.value(f"{BUTTON.format('Step Back')}.click()")
    code.until(f"{WHERE}?.startsWith('bar 27, ')")
    code.value(f"{BUTTON.format('Stop')}.click()")
    code.until(f"{WHERE} === 'The session has ended.'")
    assert code.value(MESSAGES) == []
    assert script.read_text(encoding="utf-8") == DEBUGGED


AUTHORS = "[...document.querySelectorAll('.dialog-buttons a')].find((it) => it.innerText.startsWith('Yes, I trust'))"
"""The button of the question that the editor asks when it opens a folder for the first time."""
ROWS = "[...document.querySelectorAll('.test-explorer .monaco-list-row')].map(it => it.getAttribute('aria-label'))"
EXPANDED = (
    "[...document.querySelectorAll('.test-explorer [aria-expanded=\"false\"] .monaco-tl-twistie')]"
    ".every(it => it.click())"
)
"""Opens the files of tests that the view shows closed, which depends on what it heard first. False if there was one."""


def test_the_test_explorer_runs_the_tests_beside_scripts(opened: Callable[..., Window], tmp_path: Path) -> None:
    """Nothing is listed before the folder is trusted; then each test has its result, and the status its state."""
    (tmp_path / "mean.pine").write_text(TESTED, encoding="utf-8")
    (tmp_path / "bars.csv").write_text(BARS, encoding="utf-8")
    head = 'script = "mean.pine"\nbars = "bars.csv"\n'
    tests = '\n[[test]]\nname = "six bars"\nexpect = ["bars==6"]\n\n[[test]]\nname = "seven"\nexpect = ["bars==7"]\n'
    (tmp_path / "mean.test.toml").write_text(head + tests, encoding="utf-8")
    code = opened(programs(Path(sys.executable).parent), whole_folder=True)
    code.until(f"{AUTHORS} !== undefined && ({AUTHORS}.click(), true)")
    code.until("document.querySelector('.activitybar [aria-label^=\"Testing\"]') !== null")  # then its commands exist
    command(code, "Testing: Focus on Test Explorer View")
    code.until(f"{ROWS}.some(it => it.includes('mean.test.toml'))")
    command(code, "Test: Run All Tests")
    code.until("document.querySelector('.test-explorer .codicon-testing-failed-icon') !== null")
    rows = code.until(f"{EXPANDED} && (it => it.some(row => row.includes('seven')) && it)({ROWS})")
    code.shot("tests")
    assert any("six bars" in row and "Passed" in row for row in rows), rows
    assert any("seven" in row and "Failed" in row for row in rows), rows
