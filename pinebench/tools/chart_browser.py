"""What tools work at: the pages of one browser, connected when first needed, and one call's limits and notes."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pinebench.context import Context

if TYPE_CHECKING:
    from pinebench.tradingview.connection import Connection
    from pinebench.tradingview.editor import Editor
    from pinebench.tradingview.endpoint import Endpoint
    from pinebench.tradingview.page import Page

EVALUATE_VARIABLE = "PINEBENCH_ALLOW_EVALUATE"


class ChartBrowser:
    """The browser that tools drive. Nothing is opened before a tool needs it; safe to use from any thread.

    `host`, `port` and `target` say which browser and which of its pages, as on the command line; `wait` whether a
    missing page is waited for; `allow_remote` permits a host that is not this computer; `allow_evaluate` permits raw
    JavaScript on the page (default: the environment's PINEBENCH_ALLOW_EVALUATE); `notify` is told what a person
    should know.
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
    ) -> None:
        self._asked = (host, port)
        self.target = target
        self._wait = wait
        self._allow_remote = allow_remote
        self._notify = notify
        self._lock = threading.Lock()
        self._connections: dict[str | None, Connection] = {}
        self._editors: dict[str | None, Editor] = {}
        self._notes = threading.local()
        if allow_evaluate is None:
            allow_evaluate = os.environ.get(EVALUATE_VARIABLE) == "1"
        self.allow_evaluate = allow_evaluate

    def endpoint(self) -> Endpoint:
        """The browser's debug port. Raises UsageError where what was said is no port."""
        from pinebench.tradingview import endpoint

        return endpoint.resolve(*self._asked, self.target, notify=self._say)

    def connection(self, target: str | None = None) -> Connection:
        """The connection to the page that `target` names (None: the one that is driven)."""
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

    def editor(self, target: str | None = None) -> Editor:
        """The Pine editor of a page; it remembers which texts are its own."""
        from pinebench.tradingview.editor import Editor
        from pinebench.tradingview.page import Page

        connection = self.connection(target)
        with self._lock:
            wanted = target or self.target
            known = self._editors.get(wanted)
            if known is None or known.page.connection is not connection:
                known = self._editors[wanted] = Editor(Page(connection))
            return known

    def drive(self, target: str | None) -> None:
        """From now on drive the page that `target` names where a call names none."""
        self.target = target

    def notes(self) -> list[str]:
        """What was said during the call that runs in this thread; from now on that of the next one."""
        found: list[str] = getattr(self._notes, "lines", [])
        self._notes.lines = []
        return found

    def close(self) -> None:
        """End every connection; a later call opens new ones."""
        with self._lock:
            found = list(self._connections.values())
            self._connections.clear()
            self._editors.clear()
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
    """A picture that belongs to a result."""

    data: bytes
    mime_type: str


@dataclass
class ToolContext:
    """One call of a tool: where it works, how long it may take, and what it shows besides its result."""

    desk: ChartBrowser
    context: Context = field(default_factory=Context)
    target: str | None = None
    images: list[Image] = field(default_factory=list[Image])
    prices: str | None = None
    """Where the prices of an offline result come from: `sample` (made up), `file` or `exchange`; a page is asked."""
    symbols: list[str] = field(default_factory=list[str])
    """The symbols whose prices the result carries without naming them; without any, the chart's."""

    @property
    def connection(self) -> Connection:
        """The connection to the page that is meant."""
        return self.desk.connection(self.target)

    @property
    def page(self) -> Page:
        """The page that is meant."""
        return self.editor.page

    @property
    def editor(self) -> Editor:
        """The Pine editor of that page."""
        return self.desk.editor(self.target)

    def read(self, name: str, argument: dict[str, Any] | None = None, timeout: float = 10.0) -> Any:
        """What the page function `name` gives, which changes nothing and may be repeated."""
        return self.page.call(name, argument, timeout=timeout, read=True, context=self.context)

    def act(self, name: str, argument: dict[str, Any] | None = None, timeout: float = 20.0) -> Any:
        """What the page function `name` gives, which changes something and is never repeated by itself."""
        return self.page.call(name, argument, timeout=timeout, context=self.context)
