"""One thread-safe connection to a chart page that reconnects by itself after a loss."""

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
    EditorBusy,
    NoChart,
    PageBusy,
    PageError,
    PageGone,
    PageHung,
    ProtocolError,
)
from pinebench.tradingview.javascript import evaluate, identify
from pinebench.tradingview.page_lock import turn
from pinebench.tradingview.tab import ANSWER_TIMEOUT, Tab, TransportError, is_time_out, refused_status, words
from pinebench.tradingview.targets import LOOPBACK, PageKind, Target

T = TypeVar("T")

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 9222
CALL_TIMEOUT = 20.0
"""Seconds that a call may take unless the caller says otherwise."""

LOOK_TIMEOUT = 5.0
"""Seconds that a short call, such as a look or a key press, may take; a live page answers at once."""

ATTEMPTS = 5
FIRST_DELAY_MS = 500
LONGEST_DELAY_MS = 30_000

HELD_SECONDS = 20.0
"""Seconds to wait for another call on the same page. Many clients give a call 60 seconds."""

_LEAST = 0.05
"""Seconds that each step of connecting has at least, even if no time is left."""

LAUNCH_HINT = "start a browser with 'pinebench launch', or try without TradingView: 'pinebench studio'"


def retry_delay(attempt: int) -> float:
    """Return the seconds to wait after failed attempt number `attempt`, counted from 0."""
    return min(FIRST_DELAY_MS * 2**attempt, LONGEST_DELAY_MS) / 1000


_FAILURES = (UnavailableError, ProtocolError, PageError, CallTimeout, OSError, ValueError, TransportError)
"""Errors of an attempt to attach; the next attempt may succeed."""


class Connection:
    """A lazy, thread-safe client of one chart page.

    It connects at the first call. Before each use the page is probed: it must evaluate `1`. If the page does not answer
    the probe, a new connection is made, with up to five attempts and growing pauses. A call that only reads is sent
    without a probe, and the probe follows only if no answer comes. Work inside `exclusive` skips the probe if the page
    has answered recently. Calls may come from any thread.

    If its page is closed, the connection changes to no other chart by itself: `switch` chooses one. A page that is
    opened again at its address is found.

    - `host` and `port` are the address of the browser's debug port.
    - `target` names one of several pages: an id, or part of the page's address or title.
    - `wait=False`: fail immediately if the page is missing.
    - `allow_remote`: permit a host that is not this computer.
    - `notify` receives one-line messages for people, for example the reason why the connection waits.
    - `observe=True`: only look; never answer a native dialog, and never end a script of the page.
    - `sleep` is the function that waits a number of seconds.
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
                f"{host} is not this computer; a program that reaches a debug port can read and do "
                "everything in that browser",
                "add --allow-remote-cdp if this is intended",
            )
        self._name = host
        self.host = DEFAULT_HOST if host == "localhost" else host
        self.port = port
        self.wanted = target
        self.wait = wait
        self.connects = 0
        self.dialogs: deque[dict[str, Any]] = deque(maxlen=20)
        self.flow = threading.RLock()
        self._holder: str | None = None
        self.notify = notify or _tell_person
        self._observe = observe
        self._sleep = sleep
        self._lock = threading.Lock()
        self._tab: Tab | None = None
        self._last: Target | None = None
        self._beside: frozenset[str] = frozenset()
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

        With `read`, the operation changes nothing. It may be repeated once on a new connection, and the page is probed
        only if no answer comes. With `tab` the operation runs in that tab, without a probe. Raises ConnectionFailed,
        ConnectionLost and every error that the operation raises.
        """
        if tab is not None:
            return operation(tab)
        known = self._tab if read else None
        if known is not None and not (known.lost or known.moved):
            # An operation that may be repeated does not have to wait for a probe.
            tab, trust = known, known.doubted()
        else:
            tab, trust = self.tab(context), contextlib.nullcontext()
        try:
            with trust:
                return operation(tab)
        except CallTimeout as error:
            if context is not None and not isinstance(error, PageHung):
                context.check()  # if the context limited the call, the end of the context is the cause
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
        """Send one DevTools command and return its result. `timeout` is in seconds. `read` says that the command
        changes nothing and may be repeated."""
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
        """Evaluate a fixed JavaScript expression on the page and return its value. Without `return_by_value`, return
        the description of a remote object. Never put a value into `expression`: `page.Page.call` passes values as
        arguments. Raises PageError with the exception's description, CallTimeout after `timeout` seconds."""
        return self.run(
            lambda tab: evaluate(tab, expression, return_by_value, await_promise, timeout, context),
            read=read,
            context=context,
        )

    @contextlib.contextmanager
    def held(self, who: str, context: Context | None = None) -> Generator[None]:
        """Run the body, which may only read, while no other thread of this process works on the page. `who` names the
        work in the errors of others. Such blocks may be nested. Raises EditorBusy if another thread still works after
        `HELD_SECONDS`, and the errors of `context`."""
        started = time.monotonic()
        while not self.flow.acquire(timeout=_LEAST):
            if context is not None:
                context.check()
            if time.monotonic() - started > HELD_SECONDS:
                raise EditorBusy(
                    f"{self._holder or 'another call'} is still working on the page after {HELD_SECONDS:g} s,"
                    " and may have changed its chart or its script for a while",
                    "wait until it is finished or cancel it, then try again",
                )
        before, self._holder = self._holder, who
        try:
            yield
        finally:
            self._holder = before
            self.flow.release()

    @contextlib.contextmanager
    def exclusive(self, context: Context | None = None) -> Generator[None]:
        """Run the body while no other process and no other thread writes or compiles on the page.

        Such blocks may be nested. Inside the body, the connection never changes to another page. If the page is closed,
        later calls raise PageGone. A call that is running at that time raises ConnectionLost, because it may have
        changed something. Raises EditorBusy if the other processes do not finish in time, and the errors of any
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
        """Leave the current page, attach to the page that `target` names, and return it. Raises the errors of any
        call."""
        with self._lock:
            before, self._tab = self._tab, None
            self.wanted, self._last = target, None
        if before is not None:
            before.stop()
        return self.tab().target

    def origin(self, context: Context | None = None) -> str:
        """Return `studio` or `tradingview`, depending on the page; connect first if necessary."""
        return "studio" if self.tab(context).identity.get("studio") else "tradingview"

    def close(self) -> None:
        """End the connection. A later call opens a new one."""
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
        """Return a tab that has just answered a probe; connect if there is none. With `fresh` no probe is needed if the
        page has recently answered another call. Raises ConnectionFailed after the last attempt."""
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
                tab.moved = True  # the new document is not identified yet
                return False
        return True

    def _connect(self, context: Context | None, before: Tab | None) -> Tab:
        """Attach again, with growing pauses between the attempts. A page that only hung is kept if it answers again.

        All attempts and pauses together take no longer than the sum of the pauses, and no longer than `context` allows.
        After that time the error names the last problem, not the time limit. `before` is the tab that was in use until
        now, or None.
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
        """Return the seconds that are left for connecting."""
        return max(0.0, self._until - time.monotonic())

    def _is_last(self, attempt: int) -> bool:
        """Return whether there is no time for another attempt after this one and its pause."""
        return attempt == ATTEMPTS - 1 or self._left() <= retry_delay(attempt) + 2 * ANSWER_TIMEOUT

    def _probe(self) -> float:
        """Return the seconds within which a page must answer a probe while connecting."""
        return max(_LEAST, min(ANSWER_TIMEOUT, self._left()))

    def _revive(self, tab: Tab, terminate: bool) -> Tab | None:
        """Return the tab if it answers again, or None if it does not show a chart any more. Raises PageBusy while it
        does not answer.

        The tab is kept because only a session that began before the page hung can end the script that the page runs.
        With `terminate` that script is ended first.
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
        """Attach to the page that was used last, or at first to the first page that can be driven.

        If that fails, raises the error of the last page that was tried.
        """
        pages = self._list_targets()
        chosen = self._chosen(pages)
        last: Exception = NoChart(
            targets.no_chart_message(pages),
            "open https://www.tradingview.com/chart/ in that browser, or run 'pinebench launch'",
        )
        for target in chosen[:10]:
            first = self._last is None
            try:
                tab = self._open(target)
                self._last, self._beside = target, frozenset(page.id for page in pages)
                if first:
                    self._say_which(target, pages)
                return tab
            except _FAILURES as error:
                if target.kind is PageKind.CHART or not isinstance(error, NoChart):
                    last = error
        raise last

    def _say_which(self, target: Target, pages: list[Target]) -> None:
        """Tell the user which page is driven, if several charts are open and the user named none of them."""
        others = [page for page in pages if page.id != target.id and page.is_chart]
        if self.wanted is None and others:
            self.notify(
                f"{len(others) + 1} charts are open; pinebench uses {target.describe()} (--target names another)"
            )

    def _chosen(self, pages: list[Target]) -> list[Target]:
        """Return the pages that may be attached to; inside `exclusive` only the page on which the work began."""
        if self._pinned is None:
            found = targets.candidates(pages, self.wanted)
            return found if self.wanted or self._last is None else self._again(self._last, found)
        same = [target for target in pages if target.id == self._pinned]
        if not same:
            raise PageGone("the page was closed in the meantime", "open the chart again, then try again")
        return same

    def _again(self, last: Target, found: list[Target]) -> list[Target]:
        """Return the page `last` that was used last, or the only page since then that may be its chart, opened again.

        Raises NoChart if there is none: on another chart, the next change would hit what nobody meant.
        """
        same = [page for page in found if page.id == last.id]
        opened = [page for page in found if page.id not in self._beside and page.may_be(last)]
        if not same and len(opened) != 1:
            others = "; ".join(page.describe() for page in found[:5])
            raise NoChart(
                f"the page that pinebench used is closed ({last.describe()}), and pinebench uses no other chart by "
                f"itself (open: {others})",
                "open it again, or choose another page (--target, or the tool target_switch)",
            )
        return same or opened

    def _list_targets(self) -> list[Target]:
        """Return the browser's pages, as listed by the first of the host's addresses that does not refuse the
        connection."""
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
        # A browser accepts only IP addresses and "localhost" as host. It listens on IPv4, or on IPv6 without IPv4.
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
        return tab

    def _cause(self, error: Exception | None) -> str:
        where = f"{self.host}:{self.port}"
        if isinstance(error, ConnectionRefusedError):
            return f"no program listens at {where}, so no browser has its debug port open there"
        if is_time_out(error):
            return f"the program at {where} did not answer in time"
        if isinstance(error, socket.gaierror):
            return f"there is no host called {self.host}"
        if isinstance(error, TransportError):
            status = refused_status(error)
            if status == 403:
                return "the browser refuses this client (HTTP 403)"
            if status in (404, 500):
                return f"the browser no longer has this page (HTTP {status})"
            return f"the program at {where} does not speak the DevTools protocol"
        return words(error) if error is not None else "unknown"


def document_gone(error: ProtocolError | PageError) -> bool:
    """Return whether a call failed because the page navigated to another document."""
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
        "the chart page does not answer: a dialog or one of the page's own scripts blocks it",
        "look at the page in the browser; answer its dialog, or reload it",
    )


def _hint(error: Exception | None) -> str:
    if isinstance(error, ConnectionLost):
        return "look at the page in the browser, and reload it if necessary"
    return (getattr(error, "hint", None) if isinstance(error, UnavailableError) else None) or LAUNCH_HINT


def _tell_person(line: str) -> None:
    print(printable(f"pinebench: {line}"), file=sys.stderr, flush=True)
