"""One thread-safe, self-mending connection to a chart page."""

from __future__ import annotations

import contextlib
import math
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator
from typing import Any, TypeVar

from pinebench.context import Context, DeadlineError
from pinebench.errors import UnavailableError, UsageError
from pinebench.printable import printable
from pinebench.tradingview import targets
from pinebench.tradingview.errors import (
    CallTimeout,
    ConnectionFailed,
    ConnectionLost,
    NoChart,
    PageBusy,
    PageError,
    PageGone,
    PageHung,
    ProtocolError,
)
from pinebench.tradingview.javascript import evaluate, identify
from pinebench.tradingview.tab import ANSWER_TIMEOUT, Tab, TransportError, is_time_out, refused_status, words
from pinebench.tradingview.targets import LOOPBACK, Kind, Target
from pinebench.tradingview.turns import turn

T = TypeVar("T")

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 9222
CALL_TIMEOUT = 20.0
"""Seconds that a call may take unless the caller says otherwise."""

LOOK_TIMEOUT = 5.0
"""Seconds that a look or a press may take, which a live page does at once."""

ATTEMPTS = 5
FIRST_DELAY_MS = 500
LONGEST_DELAY_MS = 30_000

_LEAST = 0.05
"""Seconds that each step of the last attempt has."""

LAUNCH_HINT = "start a browser with 'pinebench launch', or try without TradingView: 'pinebench studio'"


def retry_delay(attempt: int) -> float:
    """Seconds to wait after failed attempt number `attempt`, counted from 0."""
    return min(FIRST_DELAY_MS * 2**attempt, LONGEST_DELAY_MS) / 1000


_FAILURES = (UnavailableError, ProtocolError, PageError, CallTimeout, OSError, ValueError, TransportError)
"""What may go wrong while attaching, and may go right at the next attempt."""


class Connection:
    """A lazy, thread-safe client of one chart page.

    Nothing is opened before the first call. Before each use the page must answer `1`; if it does not, a new connection
    is made, with up to five attempts and growing pauses. What only reads asks that when no answer comes, and work that
    holds the page does not ask where it answered a moment ago. Calls may come from any thread.

    `host` and `port` are the browser's debug port; `target` names one of several pages (an id, or a piece of its
    address); `wait=False` fails at once where a page is missing; `allow_remote` permits a host beyond loopback;
    `notify` is told in one line what is missing while it waits, and what else a person should know; `observe=True` only
    looks: it answers no native dialog and ends no script; `sleep` waits that many seconds.
    """

    def __init__(
        self,
        host: str = DEFAULT_HOST,
        port: int = DEFAULT_PORT,
        target: str | None = None,
        *,
        wait: bool = True,
        allow_remote: bool = False,
        notify: Callable[[str], None] | None = None,
        observe: bool = False,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        host = host.strip().rstrip(".").lower()
        if host not in LOOPBACK and not allow_remote:
            raise UsageError(
                f"{host} is not this computer; whoever holds a browser's debug port can read and do everything in it",
                "add --allow-remote-cdp if you mean it",
            )
        self._name = host
        self.host = DEFAULT_HOST if host == "localhost" else host
        self.port = port
        self.wanted = target
        self.wait = wait
        self.connects = 0
        self.dialogs: deque[dict[str, Any]] = deque(maxlen=20)
        self.flow = threading.RLock()
        self.notify = notify or _tell_person
        self._observe = observe
        self._sleep = sleep
        self._lock = threading.Lock()
        self._tab: Tab | None = None
        self._last_id: str | None = None
        self._pinned: str | None = None
        self._until = math.inf
        self._failed_at = -math.inf
        self._failure: ConnectionFailed | None = None

    # -- what callers use ------------------------------------------------------------------------------------------

    def run(
        self,
        operation: Callable[[Tab], T],
        *,
        read: bool = False,
        context: Context | None = None,
        tab: Tab | None = None,
    ) -> T:
        """Run `operation` with a live tab and return its result.

        `read` says that it changes nothing, so that it may be repeated once on a new connection, and that whether the
        page lives is asked only where no answer comes; with `tab` it is run in that one or not at all. Raises
        ConnectionFailed, ConnectionLost and what the operation raises.
        """
        if tab is not None:
            return operation(tab)
        known = self._tab if read else None
        if known is not None and not (known.lost or known.moved):
            # What may be repeated need not wait until the page was asked whether it lives.
            tab, trust = known, known.doubted()
        else:
            tab, trust = self.tab(context), contextlib.nullcontext()
        try:
            with trust:
                return operation(tab)
        except CallTimeout as error:
            if context is not None and not isinstance(error, PageHung):
                context.check()  # where the context cut the call short, its end is the cause
            raise
        except ConnectionLost:
            if not read:
                raise
        except (ProtocolError, PageError) as error:
            if not (read and document_gone(error)):
                raise
        return operation(self.tab(context))

    def command(
        self,
        method: str,
        *,
        timeout: float = CALL_TIMEOUT,
        read: bool = False,
        context: Context | None = None,
        tab: Tab | None = None,
        **params: Any,
    ) -> dict[str, Any]:
        """Send one DevTools command and return its result."""
        return self.run(
            lambda tab: tab.request(method, params, _limit(timeout, context)), read=read, context=context, tab=tab
        )

    def evaluate(
        self,
        expression: str,
        return_by_value: bool = True,
        await_promise: bool = False,
        timeout: float = CALL_TIMEOUT,
        *,
        read: bool = False,
        context: Context | None = None,
    ) -> Any:
        """Evaluate a fixed JavaScript expression on the page and return its value, or a remote object's description.

        Never put a value into `expression`: `page.Page.call` passes values as arguments. Raises PageError with the
        exception's description, CallTimeout after `timeout` seconds.
        """
        return self.run(
            lambda tab: evaluate(tab, expression, return_by_value, await_promise, timeout, context),
            read=read,
            context=context,
        )

    def evaluate_async(self, expression: str, timeout: float = CALL_TIMEOUT, **options: Any) -> Any:
        """Evaluate an expression that yields a promise, and return what the promise resolves to."""
        return self.evaluate(expression, await_promise=True, timeout=timeout, **options)

    @contextlib.contextmanager
    def exclusive(self, context: Context | None = None) -> Generator[None]:
        """Do the body while no other process and no other thread writes or compiles on the page; it may be nested.

        Inside, the page is never exchanged for another one: where it has gone, calls raise PageGone, and one that was
        under way ConnectionLost, as it may have acted. Raises EditorBusy where others do not end in time, and as any
        call.
        """
        with self.flow:
            if self._pinned is not None:
                yield
                return
            target = self.tab(context, fresh=True).target.id
            with turn(self.host, self.port, target, self.notify, context):
                self._pinned = target
                try:
                    yield
                finally:
                    self._pinned = None

    def switch(self, target: str | None) -> Target:
        """Leave the page in use and attach to the one that `target` names; returns it. Raises as any call."""
        with self._lock:
            before, self._tab = self._tab, None
            self.wanted, self._last_id = target, None
        if before is not None:
            before.stop()
        return self.tab().target

    def origin(self, context: Context | None = None) -> str:
        """`studio` or `tradingview`, whichever the page is; connects if need be."""
        return "studio" if self.tab(context).identity.get("studio") else "tradingview"

    def close(self) -> None:
        """End the connection; the next call would open a new one."""
        with self._lock:
            tab, self._tab = self._tab, None
        if tab is not None:
            tab.stop()

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- staying connected -----------------------------------------------------------------------------------------

    def tab(self, context: Context | None = None, *, fresh: bool = False) -> Tab:
        """A tab that answered just now; with `fresh` an answer to another call a moment ago is enough. Raises
        ConnectionFailed after the last attempt."""
        arrived = time.monotonic()
        while True:
            if context is not None:
                context.check()
            tab = self._tab
            if tab is not None and self._usable(tab, context, fresh=fresh or self._pinned is not None):
                return tab
            if not self._lock.acquire(timeout=0.1):
                continue  # another thread is connecting; look again, and notice a cancellation
            try:
                if self._tab is not tab:
                    continue  # another thread has connected meanwhile
                if self._failure is not None and self._failed_at > arrived:
                    raise ConnectionFailed(self._failure.cause, self._failure.hint or LAUNCH_HINT)
                self._tab = None
                self._tab = self._connect(context, tab)
                return self._tab
            finally:
                self._lock.release()

    def _usable(self, tab: Tab, context: Context | None = None, *, fresh: bool = False) -> bool:
        if tab.lost or not ((fresh and tab.has_just_answered()) or tab.answers(context=context)):
            return False
        if tab.moved:
            tab.moved = False
            try:
                identify(tab, context)
            except (NoChart, PageError, ProtocolError, CallTimeout, ConnectionLost):
                tab.moved = True  # still to be judged
                return False
        return True

    def _connect(self, context: Context | None, before: Tab | None) -> Tab:
        """Attach anew, with growing pauses between the attempts; a page that only hung is kept once it answers.

        All attempts and pauses together take no longer than the pauses are long, and no longer than `context` allows;
        what was in the way until then is the cause, not that the time is over.
        """
        hangs = before is not None and not before.lost and not before.moved
        last: Exception | None = _busy() if hangs else None
        total = sum(retry_delay(attempt) for attempt in range(ATTEMPTS))
        if context is not None:
            total = min(total, context.remaining())
        self._until = time.monotonic() + total
        try:
            for attempt in range(ATTEMPTS):
                if context is not None:
                    (context.check if last is None else context.check_cancelled)()
                try:
                    if before is None or before.lost:
                        return self._attach()
                    revived, before = self._revive(before, terminate=self._is_last(attempt)), None
                    return revived or self._attach()
                except PageGone:
                    raise
                except _FAILURES as error:
                    last = error
                if self._pinned is not None and isinstance(last, OSError):
                    raise PageGone(f"the browser was closed: {self._cause(last)}", LAUNCH_HINT)
                if not self.wait or self._left() <= 0:
                    break
                if attempt == 0:
                    self.notify(f"{self._cause(last)}; {_hint(last)}. Trying for {self._left():.3g} s more.")
                self._pause(min(retry_delay(attempt), max(0.0, self._left() - 2 * _LEAST)), context)
        finally:
            if before is not None:
                before.stop()
        if context is not None:
            context.check_cancelled()
        failure = ConnectionFailed(self._cause(last), _hint(last))
        self._failure, self._failed_at = failure, time.monotonic()
        raise failure from last

    def _left(self) -> float:
        """Seconds that are left for connecting."""
        return max(0.0, self._until - time.monotonic())

    def _is_last(self, attempt: int) -> bool:
        """Whether there is no time for another attempt after this one and its pause."""
        return attempt == ATTEMPTS - 1 or self._left() <= retry_delay(attempt) + 2 * ANSWER_TIMEOUT

    def _probe(self) -> float:
        """Seconds that a page has to answer while connecting."""
        return max(_LEAST, min(ANSWER_TIMEOUT, self._left()))

    def _revive(self, tab: Tab, terminate: bool) -> Tab | None:
        """The tab, if it answers again, or None if it is no chart any more; raises PageBusy while it does not answer.

        Only a session from before a page hung can end what it runs, so the tab is kept for that.
        """
        if terminate:
            tab.terminate(self._probe() / 2)
        if tab.answers(self._probe()):
            if self._usable(tab, Context(self._until)):
                return tab
            tab.stop()
            return None
        raise _busy()

    def _pause(self, seconds: float, context: Context | None) -> None:
        if context is not None and self._sleep is time.sleep:
            with contextlib.suppress(DeadlineError):
                context.sleep(seconds)
        else:
            self._sleep(seconds)

    def _attach(self) -> Tab:
        """Attach to the last page if it is still there, else to the best that is one of ours; raises why it cannot."""
        pages = self._list_targets()
        chosen = self._chosen(pages)
        chosen = [target for target in chosen if target.id == self._last_id] or chosen
        last: Exception = NoChart(
            targets.no_chart_message(pages),
            "open https://www.tradingview.com/chart/ in that browser, or run 'pinebench launch'",
        )
        for target in chosen[:10]:
            first = self._last_id is None
            try:
                tab = self._open(target)
                if first:
                    self._say_which(target, pages)
                return tab
            except _FAILURES as error:
                if target.kind is Kind.CHART or not isinstance(error, NoChart):
                    last = error
        raise last

    def _say_which(self, target: Target, pages: list[Target]) -> None:
        """Say which page is driven where nobody chose among several charts."""
        others = [page for page in pages if page.id != target.id and page.is_chart]
        if self.wanted is None and others:
            self.notify(
                f"{len(others) + 1} charts are open; this one is driven: {target.describe()} (--target names another)"
            )

    def _chosen(self, pages: list[Target]) -> list[Target]:
        """The pages that may be attached to; in the middle of a piece of work only the one it began on."""
        if self._pinned is None:
            return targets.candidates(pages, self.wanted)
        same = [target for target in pages if target.id == self._pinned]
        if not same:
            raise PageGone("the page was closed meanwhile", "open the chart again, then try again")
        return same

    def _list_targets(self) -> list[Target]:
        """The browser's pages, asked at the host's first address that does not refuse."""
        refused: OSError | None = None
        for address in self._addresses():
            try:
                pages = targets.list_targets(address, self.port, max(_LEAST, self._left()))
            except ConnectionRefusedError as error:
                refused = error
                continue
            self.host = address
            return pages
        raise refused or ConnectionRefusedError()

    def _addresses(self) -> list[str]:
        # A browser answers to its numbers and to "localhost" only. It listens on IPv4, and on IPv6 where there is none.
        if self._name == "localhost":
            return [DEFAULT_HOST, "::1"]
        found = socket.getaddrinfo(self._name, self.port, type=socket.SOCK_STREAM)
        return list(dict.fromkeys(str(entry[4][0]) for entry in found))

    def _open(self, target: Target) -> Tab:
        tab = Tab(self.host, self.port, target, self.dialogs, observe=self._observe)
        try:
            tab.start(max(_LEAST, self._left()))
            if not tab.answers(self._probe()):
                if tab.lost:
                    raise ConnectionLost(f"the connection to the page was lost: {tab.lost_reason}")
                raise _busy()
            identify(tab, Context(self._until))
        except BaseException:
            tab.stop()
            raise
        self.connects += 1
        self._last_id = target.id
        return tab

    def _cause(self, error: Exception | None) -> str:
        where = f"{self.host}:{self.port}"
        if isinstance(error, ConnectionRefusedError):
            return f"nothing listens at {where}, so no browser has its debug port open"
        if is_time_out(error):
            return f"what listens at {where} did not answer in time"
        if isinstance(error, socket.gaierror):
            return f"there is no host called {self.host}"
        if isinstance(error, TransportError):
            status = refused_status(error)
            if status == 403:
                return "the browser refuses this client (HTTP 403)"
            if status in (404, 500):
                return f"the browser has no such page any more (HTTP {status})"
            return f"what listens at {where} does not speak the DevTools protocol"
        return words(error) if error is not None else "unknown"


def document_gone(error: ProtocolError | PageError) -> bool:
    """Whether a call failed because the page went on to another document."""
    text = error.reason if isinstance(error, ProtocolError) else error.description
    return any(
        words in text
        for words in ("navigated", "context was destroyed", "Cannot find context", "Could not find object")
    )


def _limit(timeout: float, context: Context | None) -> float:
    if context is None:
        return timeout
    context.check()
    return min(timeout, context.remaining())


def _busy() -> PageBusy:
    return PageBusy(
        "the chart page does not answer: a script of its own or a dialog holds it",
        "look at the page in the browser; answer its dialog, or reload it",
    )


def _hint(error: Exception | None) -> str:
    if isinstance(error, ConnectionLost):
        return "look at the page in the browser, and reload it if need be"
    return (getattr(error, "hint", None) if isinstance(error, UnavailableError) else None) or LAUNCH_HINT


def _tell_person(line: str) -> None:
    print(printable(f"pinebench: {line}"), file=sys.stderr, flush=True)
