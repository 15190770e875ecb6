"""The browser that tools use: its pages, connected when first needed, and the time limit and messages of a call."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pinebench.context import Context
from pinebench.tools import evidence as proof
from pinebench.tools.pages import LongResults

if TYPE_CHECKING:
    from pinebench.tradingview.chart_results import Evidence
    from pinebench.tradingview.connection import Connection
    from pinebench.tradingview.editor import PageEditor
    from pinebench.tradingview.endpoint import Endpoint
    from pinebench.tradingview.page import Page
    from pinebench.tradingview.saved_scripts import SavedScripts

EVALUATE_VARIABLE = "PINEBENCH_ALLOW_EVALUATE"


class ChartBrowser:
    """The browser that tools drive. Nothing is opened before a tool needs it; safe to use from any thread.

    `host`, `port` and `target` select the browser and its page, as on the command line. With `wait`, calls wait for a
    missing page. `allow_remote` permits a host that is not this computer. `allow_evaluate` permits raw JavaScript on
    the page (default: the environment's PINEBENCH_ALLOW_EVALUATE). `notify` is called with messages for a person.
    `folders` are the folders in which scripts may be read and saved.
    """

    def __init__(
        self,
        host: str | None = None,
        port: int | str | None = None,
        target: str | None = None,
        *,
        wait: bool = False,
        allow_remote: bool = False,
        allow_evaluate: bool | None = None,
        notify: Callable[[str], None] | None = None,
        folders: tuple[str, ...] = (),
    ) -> None:
        self._asked = (host, port)
        self.target = target
        self.folders = folders
        self.tabs: list[str] = []
        """The ids of all tabs that were listed. A tab keeps its index in this list when others are opened or closed."""
        self._wait = wait
        self._allow_remote = allow_remote
        self._notify = notify
        self._lock = threading.Lock()
        self._connections: dict[str | None, Connection] = {}
        self._scripts: dict[str | None, SavedScripts] = {}
        self._notes = threading.local()
        self.results = LongResults()
        if allow_evaluate is None:
            allow_evaluate = os.environ.get(EVALUATE_VARIABLE) == "1"
        self.allow_evaluate = allow_evaluate

    def endpoint(self) -> Endpoint:
        """Return the browser's debug port. Raises UsageError if the given port is not valid."""
        from pinebench.tradingview import endpoint

        return endpoint.resolve(*self._asked, self.target, notify=self._say)

    def connection(self, target: str | None = None) -> Connection:
        """Return the connection to the page `target`: an id, a part of its address or title, or None for the current
        page."""
        from pinebench.tradingview.connection import Connection

        wanted = target or self.target
        with self._lock:
            known = self._connections.get(wanted)
            if known is None:
                host, port, _ = self.endpoint()
                known = Connection(
                    host, port, wanted, wait=self._wait, allow_remote=self._allow_remote, notify=self._say
                )
                self._connections[wanted] = known
            return known

    def editor(self, target: str | None = None) -> PageEditor:
        """Return the Pine editor of the page `target` (see `connection`), which remembers the texts that it wrote."""
        return self.scripts(target).editor

    def scripts(self, target: str | None = None) -> SavedScripts:
        """Return the saved scripts of the user of the page `target` (see `connection`). The returned object remembers
        which script pinebench put into the editor."""
        from pinebench.tradingview.bindings import default_bindings
        from pinebench.tradingview.editor import PageEditor
        from pinebench.tradingview.page import Page
        from pinebench.tradingview.saved_scripts import SavedScripts

        connection = self.connection(target)
        with self._lock:
            wanted = target or self.target
            known = self._scripts.get(wanted)
            if known is None or known.editor.page.connection is not connection:
                known = self._scripts[wanted] = SavedScripts(PageEditor(Page(connection)), default_bindings())
            return known

    def drive(self, target: str | None) -> None:
        """Use the page `target` from now on for calls that name no page."""
        self.target = target

    def notes(self) -> list[str]:
        """Return the messages of the call that runs in this thread, and start an empty list for the next call."""
        found: list[str] = getattr(self._notes, "lines", [])
        self._notes.lines = []
        return found

    def close(self) -> None:
        """End every connection; a later call opens new ones."""
        with self._lock:
            found = list(self._connections.values())
            self._connections.clear()
            self._scripts.clear()
        for connection in found:
            connection.close()

    def __enter__(self) -> ChartBrowser:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _say(self, line: str) -> None:
        lines: list[str] = getattr(self._notes, "lines", [])
        self._notes.lines = [*lines, line][-20:]
        if self._notify is not None:
            self._notify(line)


@dataclass(frozen=True, slots=True)
class Image:
    """A picture that is sent with a result."""

    data: bytes
    mime_type: str


@dataclass
class ToolContext:
    """The context of one tool call: its page, its time limit, its pictures, and the evidence for its prices."""

    chart_browser: ChartBrowser
    context: Context = field(default_factory=Context)
    target: str | None = None
    images: list[Image] = field(default_factory=list[Image])
    prices: str | None = None
    """The source of the prices of an offline result: `sample` (made up), `file` or `exchange`; None for a page."""
    bars_read: list[str] = field(default_factory=list[str])
    """The bars of an offline result: their symbols, and what was read and assumed, a line for each."""
    symbols: list[str] = field(default_factory=list[str])
    """The symbols whose prices the result carries without naming them; if it is empty, the chart's symbol."""
    evidence: list[Evidence] = field(default_factory=list["Evidence"])
    """The evidence for the prices that the call has read."""

    @property
    def is_proved(self) -> bool:
        """Whether prices were read, and all of them are proved to be current prices of the chart (see `prove`)."""
        return bool(self.evidence) and all(proof.refusal(each) is None for each in self.evidence)

    @property
    def connection(self) -> Connection:
        """The connection to the page of this call."""
        return self.chart_browser.connection(self.target)

    @property
    def page(self) -> Page:
        """The page of this call."""
        return self.editor.page

    @property
    def editor(self) -> PageEditor:
        """The Pine editor of the page of this call."""
        return self.chart_browser.editor(self.target)

    @property
    def scripts(self) -> SavedScripts:
        """The saved scripts of the user of this call's page."""
        return self.chart_browser.scripts(self.target)

    def read(self, name: str, argument: dict[str, Any] | None = None, timeout: float = 10.0) -> Any:
        """Call the page function `name` and return its result. It must be a function that changes nothing, because the
        call may be repeated. `timeout` is in seconds.

        If the function reads prices, their evidence is checked (`tools.evidence`). While the chart is still loading,
        the call is repeated for up to SETTLE_SECONDS. Raises EvidenceError if the prices cannot be proved.
        """
        end = time.monotonic() + proof.SETTLE_SECONDS
        while True:
            found = self.page.call(name, argument, timeout=timeout, read=True, context=self.context)
            evidence = proof.evidence_of(found)
            if evidence is None:
                return found
            refused = proof.refusal(evidence)
            if refused is None:
                self.evidence.append(evidence)
                return found
            if not refused.passes or time.monotonic() >= end:
                raise refused
            self.context.sleep(0.1)

    def prove(self, evidence: Evidence) -> None:
        """Record `evidence` for prices that this call has read. Raises EvidenceError if it does not prove that they are
        current prices of the chart's symbol and timeframe."""
        refused = proof.refusal(evidence)
        if refused is not None:
            raise refused
        self.evidence.append(evidence)

    def act(self, name: str, argument: dict[str, Any] | None = None, timeout: float = 20.0) -> Any:
        """Call the page function `name`, which changes something, and return its result. It is never repeated.
        `timeout` is in seconds."""
        return self.page.call(name, argument, timeout=timeout, context=self.context)
