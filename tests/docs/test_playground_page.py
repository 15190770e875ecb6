"""The page of the playground in the theme of the site: real keys reach the script.

Python answers from the process of the test. `test_site.py` looks at the built site, where Python runs in the browser.
"""

import http.server
import json
import string
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pinebench.tradingview import browser
from scripts.docs import cookbook_pages
from scripts.release import build_page, build_site
from tests.docs.browsing import Reader
from tests.docs.test_playground import playground
from tests.tradingview.support import LIMIT, patience, start_browser

pytestmark = pytest.mark.soak
__all__ = ["playground"]
WORKER = """
onmessage = async ({data: {id, request}}) => {
  const {origin} = new URL(self.location.href);
  const answer = await fetch(`${origin}/answer`, {method: 'POST', body: request});
  postMessage({id, answer: await answer.text()});
};
postMessage({ready: true});
"""
INSIDE = "document.activeElement?.closest('.monaco-editor') !== null"
CTRL = 2


class Answers(http.server.SimpleHTTPRequestHandler):
    """Serves the site, and passes requests for answers on to the Python side of the playground."""

    def __init__(self, *arguments: Any, python: Any, sources: list[str], **more: Any) -> None:
        self._python, self._sources = python, sources
        super().__init__(*arguments, **more)

    def do_POST(self) -> None:
        asked = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self._sources.append(json.loads(asked).get("source", ""))
        told = self._python.answer(asked).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of three pages with the playground in the middle, so that there is a page before it and one after it."""
    made = tmp_path_factory.mktemp("small")
    staged = made / "pages"
    files = staged / "playground" / "files"
    build_page.run(build_site.ROOT / build_page.PAGE, "node", "playground.mjs", str(files))
    (files / "worker.js").write_text(WORKER)
    (files / "data.json").write_text(cookbook_pages.playground_data())
    text = (build_site.WEBSITE / "playground.md").read_text(encoding="utf-8").replace("%FILES%", "files")
    for name, page in {"index": "# Home\n", "playground/index": text, "after": "# After\n"}.items():
        (staged / f"{name}.md").write_text(page, encoding="utf-8")
    navigation = [{"Home": ["index.md"]}, {"Playground": ["playground/index.md"]}, {"After": ["after.md"]}]
    build_site.mkdocs(staged, made / "site", navigation, made)
    return made / "site"


@pytest.fixture(scope="module")
def sources() -> list[str]:
    """The scripts that Python was asked about."""
    return []


@pytest.fixture(scope="module")
def address(folder: Path, playground: Any, sources: list[str]) -> Iterator[str]:
    handler = partial(Answers, directory=str(folder), python=playground, sources=sources)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/playground/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with patience():
        launched: browser.RunningBrowser = start_browser(tmp_path_factory.mktemp("profile"))
        found = Reader(launched)
        yield found
        found.close()
        launched.stop()


@pytest.fixture
def page(reader: Reader, address: str) -> Reader:
    # The page keeps the text of the test before, which may not run.
    reader.open(address.removesuffix("playground/"))
    reader.js("localStorage.clear()")
    reader.open(address)
    reader.until("window.pineVerdicts?.runs > 0")
    return reader


def press(page: Reader, key: str, code: int = 0, modifiers: int = 0) -> None:
    """Press a key as a keyboard does."""
    text = "\r" if key == "Enter" else key if len(key) == 1 and not modifiers else ""
    common = {
        "key": key,
        "windowsVirtualKeyCode": code or (13 if key == "Enter" else ord(key[0].upper()) if key.isalnum() else 0),
    }
    common["modifiers"] = modifiers
    kind = "keyDown" if text else "rawKeyDown"
    page.tab.request("Input.dispatchKeyEvent", {"type": kind, "text": text, **common}, LIMIT)
    page.tab.request("Input.dispatchKeyEvent", {"type": "keyUp", **common}, LIMIT)


def begin(page: Reader) -> None:
    """Click into the editor and remove its text, as a person does."""
    x, y = page.js(
        "(({x, y, width}) => [x + width / 2, y + 60])(document.querySelector('.pg-editor').getBoundingClientRect())"
    )
    for kind in ("mousePressed", "mouseReleased"):
        page.tab.request(
            "Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}, 60
        )
    page.until(INSIDE)
    press(page, "a", 65, CTRL)
    press(page, "Delete", 46)


def written(sources: list[str], count: int, typed: str) -> str:
    """The first script after `count` others in which all that was typed comes in its order."""
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        for source in sources[count:]:
            rest = iter(source)
            if all(character in rest for character in typed):
                return source
        time.sleep(0.05)
    raise AssertionError(f"not in the script: {typed}; the last one is {sources[-1]!r}")


def test_every_printable_key_is_typed_and_the_page_stays(page: Reader, address: str, sources: list[str]) -> None:
    begin(page)
    count, typed = len(sources), " ".join(string.ascii_letters + string.digits + string.punctuation)
    for key in typed:
        press(page, key)
    written(sources, count, typed)
    assert page.js("location.href") == address and page.js(INSIDE)
    assert page.js("document.querySelector('[data-md-toggle=search]').checked") is False


def test_enter_indents_escape_stays_and_after_ctrl_m_tab_leaves(page: Reader, address: str, sources: list[str]) -> None:
    begin(page)
    count = len(sources)
    for key in ("i", "f", " ", "c", "l", "o", "s", "e", " ", ">", " ", "1", "Enter", "x"):
        press(page, key)
    assert written(sources, count, "if close > 1\nx").startswith("if close > 1\n    x")
    press(page, "Escape", 27)
    press(page, "Escape", 27)
    assert page.js(INSIDE)
    press(page, "Tab", 9)
    assert page.js(INSIDE), "Tab indents"
    press(page, "m", 77, CTRL)
    press(page, "Tab", 9)
    page.until(f"!({INSIDE})")
    assert page.js("location.href") == address


def test_pasted_text_is_written_once(page: Reader, sources: list[str]) -> None:
    begin(page)
    count, text = len(sources), "plot(close) // p n s f / . ,"
    page.tab.request("Input.insertText", {"text": text}, LIMIT)
    assert written(sources, count, text).count("plot(close)") == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768), (390, 844)])
def test_the_page_has_no_fault_at_any_width_in_either_scheme(
    reader: Reader, address: str, width: int, height: int, scheme: str
) -> None:
    reader.resize(width, height)
    reader.prefer(scheme)
    reader.open(address.removesuffix("playground/"))
    reader.js("localStorage.clear()")
    reader.open(address)
    wanted = "slate" if scheme == "dark" else "default"
    reader.until(f"document.body.dataset.mdColorScheme === '{wanted}'")
    reader.until("window.pineVerdicts?.runs > 0 && document.querySelector('#pine-playground canvas') !== null")
    assert reader.violations() == []
    assert reader.js("document.documentElement.scrollWidth") <= width
