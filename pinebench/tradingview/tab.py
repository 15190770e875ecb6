"""One tab of a browser over its WebSocket. This is the only module that uses pychrome and knows its internals."""

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
"""Seconds within which a browser must accept a connection."""

ANSWER_TIMEOUT = 2.0
"""Seconds within which a live page answers `1`."""

DOUBT = 1.0
"""Seconds without an answer after which a page that was not probed before the call is probed."""

FRESH = 0.05
"""Seconds after an answer in which the page counts as alive without a probe, for work in `Connection.exclusive`."""

NOTICE = 0.05
"""The longest time in seconds until a waiting call notices that it was cancelled."""

SOCKET_TIMEOUT = 5.0
"""Seconds after which a blocked send ends the connection, because a half-sent frame cannot be sent again."""

TransportError = websocket.WebSocketException
"""Errors below the DevTools protocol: in the WebSocket handshake, in a frame, or because of a time limit."""


class Tab(pychrome.Tab):
    """pychrome's tab with its faults corrected. A comment explains each correction. A tab connects only once: a lost
    tab stays lost, and `Connection` makes a new one. A loss wakes all waiting callers immediately."""

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
        """Refuse unknown names; pychrome would return an object for every misspelled name."""
        raise AttributeError(f"a tab has no attribute {item!r}")

    # -- life ------------------------------------------------------------------------------------------------------

    @property
    def lost(self) -> bool:
        """Whether the connection of this tab has ended."""
        return self._stopped.is_set()

    def busy(self) -> bool:
        """Return whether calls other than liveness probes are waiting for an answer."""
        return bool(self._running)

    def start(self, within: float = math.inf) -> bool:
        """Connect within `within` seconds and start to listen. Raises OSError, or an exception of the package
        websocket, if that fails."""
        self._started = True
        self.status = self.status_started
        limit = min(PROBE_TIMEOUT, within)
        raw = socket.create_connection(self._address, limit)
        try:
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with targets.time_limit(raw, limit):
                # We pass our own socket, because websocket-client would send even 127.0.0.1 through HTTP_PROXY. It
                # skips the UTF-8 check, which makes large answers five times slower; json.loads checks them anyway.
                # Redirections are off, because they could lead to any host.
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
            "Inspector.detached": lambda reason="", **_: self.lose(f"the browser released the page ({reason})"),
            "Page.javascriptDialogOpening": self._dialog_opened,
            "Page.javascriptDialogClosed": self._dialog_closed,
            "Page.frameNavigated": self._navigated,
        }
        self._recv_th.start()
        self._handle_event_th.start()
        for domain in ("Inspector", "Page", "Runtime", "DOM"):
            self.post(f"{domain}.enable")  # without waiting: one Electron build never answers these
        return True

    def stop(self) -> bool:
        """End the connection. Callers that are still waiting get ConnectionLost."""
        self.lose("the connection was closed")
        return True

    def lose(self, reason: str) -> None:
        """Mark the tab as lost and wake all callers that wait for an answer. A second call does nothing."""
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
            # A shutdown wakes the receiving thread; pychrome's close() would wait for a closing handshake.
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
        """Send one command and return its result.

        `check` is called repeatedly during the wait, and it may raise an error. `probe` marks a liveness probe, which
        does not count in `busy`. Raises ConnectionLost, CallTimeout after `timeout` seconds, ProtocolError if the
        browser refuses the command, and UnexpectedAnswer if the result is not an object.
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
        """Return whether the page evaluates `1` within `timeout` seconds. While other calls of ours keep the page busy,
        the probe is repeated, as long as `context` allows."""
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
        """Return whether the page answered a call within the last `FRESH` seconds."""
        return time.monotonic() - self._answered_at < FRESH

    @contextlib.contextmanager
    def doubted(self) -> Generator[None]:
        """Run the body, whose calls are sent without a probe before them.

        If a call has no answer after `DOUBT` seconds, the page is probed. If the page does not answer the probe, the
        call raises ConnectionLost.
        """
        self._doubts.held = True
        try:
            yield
        finally:
            self._doubts.held = False

    def _awaited(
        self, waiting: queue.Queue[dict[str, Any] | None], timeout: float, check: Callable[[], None] | None
    ) -> dict[str, Any] | None:
        """Return the answer to a call, or None if the tab is lost. Raises queue.Empty after `timeout` seconds, and
        ConnectionLost if a probe fails (see `doubted`)."""
        if timeout <= DOUBT or not getattr(self._doubts, "held", False):
            return _next(waiting, timeout, check)
        try:
            return _next(waiting, DOUBT, check)
        except queue.Empty:
            self._make_sure(check)
        return _next(waiting, timeout - DOUBT, check)

    def _make_sure(self, check: Callable[[], None] | None) -> None:
        """Probe the page, and raise ConnectionLost if it does not answer."""
        try:
            self.request("Runtime.evaluate", {"expression": "1"}, ANSWER_TIMEOUT - DOUBT, probe=True, check=check)
        except CallTimeout:
            raise ConnectionLost("the page does not answer") from None
        except ProtocolError:
            return  # the page is navigating, and the waiting call will be answered with that error

    def terminate(self, timeout: float = 1.0) -> bool:
        """End the script that keeps the page busy, and return whether the page accepted that. A tab with `observe`,
        which only reads the page, does nothing."""
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
            raise CallTimeout(f"the connection could not send for {timeout:g} s")
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
                if not text:  # a close frame arrives as an empty text, which would end pychrome's thread unnoticed
                    return self.lose("the page or the browser was closed")
                self._deliver(json.loads(text))
            except websocket.WebSocketTimeoutException:
                continue
            except (websocket.WebSocketException, OSError) as error:
                return self.lose(words(error))
            except Exception:  # waiting callers must be woken, whatever arrived
                _log.debug("the received data cannot be understood", exc_info=True)
                return self.lose("the program there does not speak the DevTools protocol")
        return None

    def _deliver(self, message: dict[str, Any]) -> None:
        """Put an event into the event queue, or hand an answer to the caller that waits for it."""
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
                except Exception:  # a failed handler must not stop the handling of later events
                    _log.debug("handling %s failed", event["method"], exc_info=True)

    # -- native dialogs --------------------------------------------------------------------------------------------

    def _dialog_opened(self, **params: Any) -> None:
        """Remember a native dialog. It blocks the page, so it is dismissed as soon as a call of ours needs the page."""
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
        """Note that the page has a new document: the handles of the old one are useless, and the new one must be
        identified."""
        if not frame.get("parentId"):
            self.handles.clear()
            self.moved = True


def _next(
    waiting: queue.Queue[dict[str, Any] | None], timeout: float, check: Callable[[], None] | None
) -> dict[str, Any] | None:
    """Return the next item of `waiting`. Raises queue.Empty after `timeout` seconds, and the errors of `check`."""
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
    """Return the HTTP status with which a browser refused the connection, or None for any other error."""
    return getattr(error, "status_code", None) if isinstance(error, TransportError) else None


def is_time_out(error: Exception | None) -> bool:
    """Return whether `error` is a time-out of a socket or a WebSocket."""
    return isinstance(error, TimeoutError | websocket.WebSocketTimeoutException)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def words(error: BaseException) -> str:
    """Return the message of an exception as one short line, or the name of its class if it has no message."""
    return targets.plain(str(error)) or type(error).__name__
