"""What tests against a real Chromium are staged with: browsers, intercepted pages, conditions to wait for."""

import base64
import contextlib
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from pinebench.tradingview import browser, targets
from pinebench.tradingview.connection import Connection
from pinebench.tradingview.editor import PageEditor
from pinebench.tradingview.errors import ProtocolError
from pinebench.tradingview.page import Page
from pinebench.tradingview.saved_scripts import SavedScripts
from pinebench.tradingview.tab import Tab
from pinebench.tradingview.targets import Target

PAGES = Path(__file__).parent / "pages"
CHART = "https://www.tradingview.com/chart/abc/"

LIMIT = 120.0
"""Seconds a condition may take on a busy machine; only a failing test ever waits so long."""

QUIET = (
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--password-store=basic",
    # Nothing but the page is drawn, as large as in a window of 1400 by 900: a page loads with a tenth less work.
    "--kiosk",
    "--screen-info={1400x813}",
    # No name is ever looked up, so that a test can reach nothing but this machine.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
)


ONE_RENDERER = "--renderer-process-limit=1"
"""Lets pages share a process, which then has the editor's code compiled: a page loads in half of the time."""


def start_browser(profile: Path, *flags: str) -> browser.RunningBrowser:
    """A headless browser on a free port; the chart's address is never opened before it is intercepted."""
    return browser.launch(
        port=0, profile=str(profile), url="about:blank", headless=True, extra=(*QUIET, *flags), timeout=LIMIT
    )


@pytest.fixture(autouse=True)
def state(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder of the test's own, in rooms that import this."""
    folder = tmp_path_factory.mktemp("state")
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(folder))
    return folder


@contextmanager
def patience() -> Iterator[None]:
    """Let a browser on a busy machine take longer to answer than a person would wait; what is tested says so itself."""
    with pytest.MonkeyPatch.context() as patch:
        for limit in (
            "pinebench.tradingview.targets.LIST_TIMEOUT",
            "pinebench.tradingview.tab.PROBE_TIMEOUT",
            "pinebench.tradingview.javascript.IDENTITY_TIMEOUT",
            "pinebench.tradingview.javascript.LOADING_TIMEOUT",
            "pinebench.tradingview.editor.OPEN_TIMEOUT",
            "pinebench.tradingview.editor.LOOK_TIMEOUT",
            "pinebench.tradingview.saved_scripts.LOOK_TIMEOUT",
            "pinebench.tradingview.page.LOOK_TIMEOUT",
            "pinebench.compilers.chart.PICTURE_SECONDS",
        ):
            patch.setattr(limit, LIMIT)
        yield


@pytest.fixture(scope="session", autouse=True)
def patient() -> Iterator[None]:
    """Browsers may take their time, in rooms that import this."""
    with patience():
        yield


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browser.RunningBrowser]:
    """The session's browser, in rooms that import this."""
    launched = start_browser(tmp_path_factory.mktemp("profile"))
    yield launched
    launched.stop()


class Stage:
    """A browser's tabs as a test needs them: pages served under any address, with everything else blocked."""

    def __init__(self, launched: browser.RunningBrowser, spare: list[Target] | None = None) -> None:
        """A tab of `spare` is taken before a new one is opened, and given back; without the list tabs are closed."""
        self.launched = launched
        self._spare = spare
        self.port = launched.port
        self.blocked: list[str] = []
        self._tabs: list[Tab] = []
        self._connections: list[Connection] = []

    def open(self, url: str = CHART, page: str | None = "chart.html", body: str | None = None, **faults: Any) -> Tab:
        """A new tab at `url` that shows a file of `pages/`, or `body`; `faults` become the address's query."""
        tab = Tab("127.0.0.1", self.port, self._spare.pop() if self._spare else blank_tab(self.port))
        self._tabs.append(tab)
        text = body if body is not None else (PAGES / str(page)).read_text(encoding="utf-8")
        address = url + ("?" + urlencode(faults) if faults else "")
        documents = {url: text}

        def answer(requestId: str, request: dict[str, Any], **_: Any) -> None:
            known = documents.get(request["url"].split("?")[0])
            if known is None:
                self.blocked.append(request["url"])
                tab.post("Fetch.failRequest", requestId=requestId, errorReason="BlockedByClient")
                return
            tab.post(
                "Fetch.fulfillRequest",
                requestId=requestId,
                responseCode=200,
                responseHeaders=[{"name": "Content-Type", "value": "text/html; charset=utf-8"}],
                body=base64.b64encode(known.encode()).decode(),
            )

        tab.start()
        tab.event_handlers["Fetch.requestPaused"] = answer
        tab.event_handlers.pop("Page.javascriptDialogOpening")  # dialogs are for the connection under test
        tab.request("Fetch.enable", {"patterns": [{"urlPattern": "*"}]}, LIMIT)
        tab.request("Page.navigate", {"url": address}, LIMIT)
        until(lambda: any(t.id == tab.id and t.url != "about:blank" for t in self.pages()))
        if "busy" not in faults:
            until(lambda: self.value(tab, "document.readyState") == "complete")
        return tab

    def pages(self) -> list[Target]:
        """What the browser lists."""
        return targets.list_targets("127.0.0.1", self.port)

    def value(self, tab: Tab, expression: str) -> Any:
        """What an expression is on the page, asked over the stage's own connection."""
        answer = tab.request("Runtime.evaluate", {"expression": expression, "returnByValue": True}, LIMIT)
        assert "exceptionDetails" not in answer, json.dumps(answer)
        return answer["result"].get("value")

    def connect(self, tab: Tab | None = None, **options: Any) -> Connection:
        """A connection under test; bound to one tab, so that other tabs of the session do not matter."""
        if tab is not None:
            options["target"] = tab.target.id
        connection = Connection("127.0.0.1", self.port, **options)
        self._connections.append(connection)
        return connection

    def editor(self, tab: Tab) -> PageEditor:
        """An editor under test."""
        return PageEditor(Page(self.connect(tab)))

    def scripts(self, tab: Tab) -> SavedScripts:
        """The saved scripts of a tab, with an editor under test."""
        return SavedScripts(self.editor(tab))

    def close(self) -> None:
        """Close every connection of the test, and every tab that is not kept for the next one."""
        for connection in self._connections:
            connection.close()
        for tab in self._tabs:
            answers = self._spare is not None and not tab.lost and tab.answers(0.5)
            tab.stop()
            if self._spare is not None and answers:
                self._spare.append(tab.target)
            else:
                close_tab(self.port, tab.target)


def blank_tab(port: int) -> Target:
    """A new tab of a browser, without a page."""
    entry = targets.ask_browser("127.0.0.1", port, "/json/new?about:blank", "PUT")
    return Target(entry["id"], "page", "", "about:blank")


def close_tab(port: int, target: Target) -> None:
    """Close a tab, if it and its browser are still there."""
    with contextlib.suppress(OSError, ValueError):
        targets.ask_browser("127.0.0.1", port, f"/json/close/{target.id}")


def until(condition: Callable[[], Any]) -> Any:
    """Wait until `condition` holds and return what it gave; a page between two documents may refuse to be asked."""
    end = time.monotonic() + LIMIT
    while True:
        try:
            value = condition()
        except (OSError, ValueError, ProtocolError):
            value = None
        if value:
            return value
        assert time.monotonic() < end, "the condition did not come true in time"
        time.sleep(0.01)


def quickest(measure: Callable[[], float], limit: float) -> float:
    """The least of up to ten measured times in seconds; measures no more once one is below `limit`.

    What takes its time by itself does so each time; a busy machine only sometimes.
    """
    best = measure()
    for _ in range(9):
        if best < limit:
            break
        best = min(best, measure())
    return best


def children() -> set[int]:
    """The processes that this one has started and that still run."""
    task = Path(f"/proc/{os.getpid()}/task")
    found: set[int] = set()
    for thread in task.iterdir() if task.exists() else ():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # a thread that has just ended
            found |= {int(pid) for pid in (thread / "children").read_text().split()}
    return found


def threads() -> set[str]:
    """The names of the threads that run now."""
    return {thread.name for thread in threading.enumerate()}
