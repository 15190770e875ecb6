"""One tab of a browser over its WebSocket; the only module that knows pychrome and its insides."""

from __future__ import annotations

import contextlib
import json
import logging
import math
import queue
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Generator
from typing import Any
from urllib.parse import quote

from pinebench.context import Context
from pinebench.extras import missing
from pinebench.tradingview import targets
from pinebench.tradingview.errors import CallTimeout, ConnectionLost, ProtocolError, UnexpectedAnswer
from pinebench.tradingview.targets import Target

try:
    import pychrome
    import websocket
except ImportError as error:
    raise missing("driving a chart", "chart") from error

_log = logging.getLogger(__name__)

PROBE_TIMEOUT = 2.0
"""Seconds that a browser has to take a connection."""

ANSWER_TIMEOUT = 2.0
"""Seconds within which a live page answers `1`."""

DOUBT = 1.0
"""Seconds without an answer after which a page that was not asked before whether it lives is asked."""

FRESH = 0.05
"""Seconds for which an answer shows that a page lives, to those who hold it."""

NOTICE = 0.05
"""Seconds within which a call that waits notices that it was cancelled."""

SOCKET_TIMEOUT = 5.0
"""Seconds that one send may be stuck before the connection is given up; a half-sent frame can never be repeated."""

TransportError = websocket.WebSocketException
"""What fails below the DevTools protocol: the upgrade, a frame, a time limit."""


class Tab(pychrome.Tab):
    """pychrome's tab with its faults cured; each cure stands where it is made.

    A tab is single-use: once lost it stays lost, and the connection builds a new one. A loss wakes every waiting caller
    at once.
    """

    def __init__(
        self,
        host: str,
        port: int,
        target: Target,
        dialogs: deque[dict[str, Any]] | None = None,
        *,
        observe: bool = False,
    ) -> None:
        # The address is built here: one from the browser's list could point at another host.
        self._address = (host, port)
        self._url = f"ws://{_bracketed(host)}:{port}/devtools/page/{quote(target.id, safe='')}"
        super().__init__(id=target.id, type=target.type, webSocketDebuggerUrl=self._url)
        self.debug = False  # pychrome prints every frame to stdout when the environment has DEBUG
        self.target = target
        self.lost_reason: str | None = None
        self.observe = observe
        self.handles: dict[str, str] = {}
        self.preparing = threading.Lock()
        self.identity: dict[str, Any] = {}
        self.dialog: dict[str, Any] | None = None
        self.dialogs: deque[dict[str, Any]] = deque(maxlen=20) if dialogs is None else dialogs
        self.moved = False
        self._id_lock = threading.Lock()
        self._send_lock = threading.Lock()
        self._lose_lock = threading.Lock()
        self._running: set[int] = set()
        self._answered_at = -math.inf
        self._doubts = threading.local()

    def __getattr__(self, item: str) -> Any:
        """Refuse unknown names: pychrome turns every typing mistake into a silent object."""
        raise AttributeError(f"a tab has no attribute {item!r}")

    # -- life ------------------------------------------------------------------------------------------------------

    @property
    def lost(self) -> bool:
        """Whether the connection of this tab has ended."""
        return self._stopped.is_set()

    def busy(self) -> bool:
        """Whether calls other than liveness probes are waiting for an answer."""
        return bool(self._running)

    def start(self, within: float = math.inf) -> bool:
        """Connect, `within` seconds, and listen; raises OSError or websocket's exceptions when that fails."""
        self._started = True
        self.status = self.status_started
        limit = min(PROBE_TIMEOUT, within)
        raw = socket.create_connection(self._address, limit)
        try:
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with targets.time_limit(raw, limit):
                # Our own socket, because websocket-client would send even 127.0.0.1 through HTTP_PROXY. Checking every
                # byte for UTF-8 in Python makes large answers five times slower; json.loads checks them anyway. A
                # redirection could lead anywhere.
                self._ws = websocket.create_connection(
                    self._url,
                    timeout=limit,
                    enable_multithread=True,
                    suppress_origin=True,
                    skip_utf8_validation=True,
                    redirect_limit=0,
                    socket=raw,
                )
        except BaseException:
            raw.close()
            raise
        self._ws.settimeout(SOCKET_TIMEOUT)
        self.event_handlers = {
            "Inspector.targetCrashed": lambda **_: self.lose("the page crashed; reload it in the browser"),
            "Inspector.detached": lambda reason="", **_: self.lose(f"the browser let go of the page ({reason})"),
            "Page.javascriptDialogOpening": self._dialog_opened,
            "Page.javascriptDialogClosed": self._dialog_closed,
            "Page.frameNavigated": self._navigated,
        }
        self._recv_th.start()
        self._handle_event_th.start()
        for domain in ("Inspector", "Page", "Runtime", "DOM"):
            self.post(f"{domain}.enable")  # best-effort: on one Electron build these are never answered
        return True

    def stop(self) -> bool:
        """End the connection; nobody hears of it but callers still waiting."""
        self.lose("the connection was closed")
        return True

    def lose(self, reason: str) -> None:
        """Mark the tab as lost and wake everybody who waits for an answer, once."""
        with self._lose_lock:
            if self._stopped.is_set():
                return
            self.lost_reason = reason
            self.status = self.status_stopped
            self._stopped.set()
        for waiting in list(self.method_results.values()):
            waiting.put(None)
        self.event_queue.put(None)
        raw = self._ws.sock if self._ws is not None else None  # the receiving thread may drop it any moment
        if raw is not None:
            # Shutting down wakes the receiving thread; pychrome's close() would wait for a closing handshake instead.
            with contextlib.suppress(OSError):
                raw.shutdown(socket.SHUT_RDWR)
            with contextlib.suppress(OSError):
                raw.close()

    # -- talking ---------------------------------------------------------------------------------------------------

    def request(
        self,
        method: str,
        params: dict[str, Any],
        timeout: float,
        probe: bool = False,
        check: Callable[[], None] | None = None,
    ) -> dict[str, Any]:
        """Send one command and return its result; `check` is called while it waits, and may raise.

        Raises ConnectionLost, CallTimeout after `timeout` seconds, ProtocolError when the browser refuses the command.
        """
        waiting: queue.Queue[dict[str, Any] | None] = queue.Queue()
        number = self._number()
        self.method_results[number] = waiting
        if not probe:
            self._running.add(number)
        try:
            if self.dialog is not None:
                self._dismiss()
            if self._stopped.is_set():  # after registering, so that a loss in between cannot be missed
                raise ConnectionLost(f"the connection to the page was lost: {self.lost_reason}")
            self._transmit(json.dumps({"id": number, "method": method, "params": params}), timeout)
            try:
                answer = self._awaited(waiting, timeout, check)
            except queue.Empty:
                raise CallTimeout(f"the page did not answer {method} within {timeout:g} s") from None
        finally:
            self._running.discard(number)
            self.method_results.pop(number, None)
        if answer is None:
            raise ConnectionLost(f"the connection to the page was lost: {self.lost_reason}")
        self._answered_at = time.monotonic()
        refusal, result = answer.get("error"), answer.get("result", {})
        if refusal is not None:
            reason = refusal.get("message", refusal) if isinstance(refusal, dict) else refusal
            raise ProtocolError(method, targets.plain(str(reason)))
        if not isinstance(result, dict):
            raise UnexpectedAnswer(method, "it is not an object")
        return result

    def post(self, method: str, **params: Any) -> None:
        """Send one command without waiting for its answer."""
        self._transmit(json.dumps({"id": self._number(), "method": method, "params": params}), SOCKET_TIMEOUT)

    def answers(self, timeout: float = ANSWER_TIMEOUT, context: Context | None = None) -> bool:
        """Whether the page evaluates `1` within `timeout` seconds; waits for calls of ours that keep it busy, as long
        as `context` allows."""
        params = {"expression": "1", "returnByValue": True}
        for _ in range(60):
            if context is not None:
                context.check()
                timeout = min(timeout, context.remaining())
            try:
                return self.request("Runtime.evaluate", params, timeout, probe=True)["result"]["value"] == 1
            except CallTimeout:
                if not self.busy():
                    return False
            except ProtocolError:
                time.sleep(0.05)  # the page is navigating: ask its new document
            except (ConnectionLost, UnexpectedAnswer, KeyError, TypeError):
                return False
        return False

    def has_just_answered(self) -> bool:
        """Whether the page gave an answer within the last `FRESH` seconds."""
        return time.monotonic() - self._answered_at < FRESH

    @contextlib.contextmanager
    def doubted(self) -> Generator[None]:
        """Do the body, whose calls were not preceded by the question whether the page lives: where one has no answer
        after `DOUBT` seconds it is asked, and where it does not live the call raises ConnectionLost."""
        self._doubts.held = True
        try:
            yield
        finally:
            self._doubts.held = False

    def _awaited(
        self, waiting: queue.Queue[dict[str, Any] | None], timeout: float, check: Callable[[], None] | None
    ) -> dict[str, Any] | None:
        """The answer to a call; raises queue.Empty after `timeout` seconds."""
        if timeout <= DOUBT or not getattr(self._doubts, "held", False):
            return _next(waiting, timeout, check)
        try:
            return _next(waiting, DOUBT, check)
        except queue.Empty:
            self._make_sure(check)
        return _next(waiting, timeout - DOUBT, check)

    def _make_sure(self, check: Callable[[], None] | None) -> None:
        """Raise ConnectionLost where the page does not answer anything."""
        try:
            self.request("Runtime.evaluate", {"expression": "1"}, ANSWER_TIMEOUT - DOUBT, probe=True, check=check)
        except CallTimeout:
            raise ConnectionLost("the page does not answer") from None
        except ProtocolError:
            return  # it is navigating: what was asked will be answered with that

    def terminate(self, timeout: float = 1.0) -> bool:
        """End whatever script keeps the page busy, unless we only look; whether the page took it."""
        if self.observe:
            return False
        with contextlib.suppress(CallTimeout, ProtocolError):
            self.request("Runtime.terminateExecution", {}, timeout, probe=True)
            return True
        return False

    def _number(self) -> int:
        with self._id_lock:  # pychrome counts without a lock
            self._cur_id += 1
            return self._cur_id

    def _transmit(self, message: str, timeout: float) -> None:
        if not self._send_lock.acquire(timeout=timeout):
            raise CallTimeout(f"the connection was busy sending for {timeout:g} s")
        try:
            self._ws.send(message)
        except (OSError, websocket.WebSocketException) as error:
            # Part of a frame may be out, so this connection can never be used again.
            self.lose(f"sending failed ({error})")
            raise ConnectionLost(f"the connection to the page was lost: {self.lost_reason}") from error
        finally:
            self._send_lock.release()

    # -- pychrome's two threads ------------------------------------------------------------------------------------

    def _recv_loop(self) -> None:
        while not self._stopped.is_set():
            try:
                text = self._ws.recv()
                if not text:  # a close frame arrives as an empty text, on which pychrome's thread dies unnoticed
                    return self.lose("the page or the browser was closed")
                self._deliver(json.loads(text))
            except websocket.WebSocketTimeoutException:
                continue
            except (websocket.WebSocketException, OSError) as error:
                return self.lose(words(error))
            except Exception:  # whatever arrived, those who wait must be told
                _log.debug("what arrived cannot be understood", exc_info=True)
                return self.lose("what listens there does not speak the DevTools protocol")
        return None

    def _deliver(self, message: dict[str, Any]) -> None:
        """Hand an event to its handler or an answer to whoever waits for it."""
        if "method" in message:
            if message["method"] in self.event_handlers:
                self.event_queue.put(message)
            return
        waiting = self.method_results.get(message.get("id"))
        if waiting is not None:
            waiting.put(message)

    def _handle_event_loop(self) -> None:
        while (event := self.event_queue.get()) is not None:
            handler = self.event_handlers.get(event["method"])
            if handler is not None:
                try:
                    handler(**event.get("params", {}))
                except Exception:  # whatever a handler does, the next event must still be heard
                    _log.debug("handling %s failed", event["method"], exc_info=True)

    # -- native dialogs --------------------------------------------------------------------------------------------

    def _dialog_opened(self, **params: Any) -> None:
        """Remember a native dialog; it blocks the page, so it is dismissed once a call of ours needs the page."""
        self.dialog = {"type": params.get("type"), "message": str(params.get("message", ""))[:200]}
        if self.method_results:
            self._dismiss()

    def _dialog_closed(self, **_: Any) -> None:
        self.dialog = None

    def _dismiss(self) -> None:
        if self.observe:
            return
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            self.dialogs.append(dialog)
            self.post("Page.handleJavaScriptDialog", accept=False)

    def _navigated(self, frame: dict[str, Any], **_: Any) -> None:
        """Note that the document has changed: what was prepared in the old one is gone, the new one is to be judged."""
        if not frame.get("parentId"):
            self.handles.clear()
            self.moved = True


def _next(
    waiting: queue.Queue[dict[str, Any] | None], timeout: float, check: Callable[[], None] | None
) -> dict[str, Any] | None:
    """The next answer; raises queue.Empty after `timeout` seconds, and what `check` raises."""
    if check is None:
        return waiting.get(timeout=timeout)
    end = time.monotonic() + timeout
    while True:
        left = end - time.monotonic()
        try:
            return waiting.get(timeout=max(0.0, min(left, NOTICE)))
        except queue.Empty:
            check()
            if left <= NOTICE:
                raise


def refused_status(error: Exception) -> int | None:
    """The HTTP status with which a browser refused to be attached to; None for any other failure."""
    return getattr(error, "status_code", None) if isinstance(error, TransportError) else None


def is_time_out(error: Exception | None) -> bool:
    """Whether nobody answered in time while attaching."""
    return isinstance(error, TimeoutError | websocket.WebSocketTimeoutException)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def words(error: BaseException) -> str:
    """What an exception says, or its name where it says nothing."""
    return targets.plain(str(error)) or type(error).__name__
