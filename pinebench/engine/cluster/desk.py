"""The engines as a server sees them: it reads from its own copies of the state, and sends commands through the log."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sqlite3
import threading
import time
import uuid
from collections.abc import AsyncIterator, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, Self

from pinebench.engine import outbox, risk
from pinebench.engine.cluster.bars import history_of, series_in
from pinebench.engine.cluster.commands import UserCommand
from pinebench.engine.cluster.copies import Copy
from pinebench.engine.cluster.feed_process import FEED
from pinebench.engine.cluster.log import (
    UPDATES,
    ClusterLog,
    IncompleteLog,
    NewEntry,
    Unreachable,
    changes_of,
    commands_of,
    group_of,
    lease_of,
)
from pinebench.engine.cluster.member import agreed_groups
from pinebench.engine.cluster.row_changes import Changes
from pinebench.engine.engine import EngineSettings, TradingEngine
from pinebench.engine.engine_store import folder_of
from pinebench.engine.orders import OPEN
from pinebench.engine.push_subscriptions import MOST_TAKEN, PushSubscriptions
from pinebench.engine.series import Update
from pinebench.errors import UnavailableError, UsageError
from pinebench.market import Bars, SymbolInfo

_SECONDS = 15.0
"""The longest time in seconds that a command waits for its reply."""
_AT_ONCE = 500
_WAIT_MS = 500
_SHOWN_BARS = 2_000
"""The smallest number of bars of a series that the desk shows, if there are that many."""
_READY_SECONDS = 60.0
_PAUSE = 1.0
_log = logging.getLogger(__name__)


class _GroupPushing(PushSubscriptions):
    """The event streams of a group. `mark` also tells the engines which events were delivered."""

    def __init__(self, desk: Desk, store: Any) -> None:
        super().__init__(store, _now)
        self._desk = desk

    def mark(self, subject: str, number: int) -> None:
        # Streams run in an event loop, which must not wait for the broker.
        with contextlib.suppress(RuntimeError):  # the desk has been stopped
            self._desk.background.submit(self._mark, subject, number)

    def _mark(self, subject: str, number: int) -> None:
        try:
            self._desk.send(subject, "delivered", number=number)
        except Unreachable as error:
            # The client gets these events again if it does not say which ones it had.
            _log.warning("the delivery of events could not be recorded: %s", error)


class Desk:
    """Alerts and paper trading on engines in other processes, with an engine's methods. Use it in a `with` block."""

    def __init__(
        self, log: ClusterLog, settings: EngineSettings, groups: int | None = None, *, seconds: float = _SECONDS
    ) -> None:
        """Open the copies of all groups in `settings.folder`. A command waits up to `seconds` for its reply.

        Raises UsageError if another server uses the folder.
        """
        self._log = log
        self._seconds = seconds
        self.background = ThreadPoolExecutor(1, "delivered")
        self._count = agreed_groups(log, groups)
        folder = os.path.join(folder_of(settings.folder), "served")
        self._copies: list[Copy] = []
        try:
            for group in range(self._count):
                self._copies.append(Copy(os.path.join(folder, str(group)), log, group))
            self._engines = [TradingEngine(settings, copy.store) for copy in self._copies]
        except BaseException:
            self._close()
            raise
        for engine, copy in zip(self._engines, self._copies, strict=True):
            engine.share(self._engines[0])
            engine.pushing = _GroupPushing(self, copy.store)
        self.pushing = _Streams(self)
        self.alerts = _AllAlerts(self)
        self.paper = _Paper(self)
        self.problem: str | None = None
        """The reason why the engines' state cannot be shown; None while it can, or while only the broker is away."""
        self._trouble = ""
        self._updates = 0
        self._heard: float | None = None
        self._replies: dict[str, dict[str, Any] | None] = {}
        self._answered = threading.Condition()
        self._ready = threading.Event()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="copies of the engines", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        if not self._ready.wait(_READY_SECONDS):
            self.stop()
            raise UnavailableError(self._trouble or "the message broker did not send the state of the engines in time")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop following the log, and end all streams."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        self._close()
        self.background.shutdown(wait=True)

    def _close(self) -> None:
        for engine in getattr(self, "_engines", []):
            engine.close()
        for copy in self._copies:
            copy.close()

    # what the log tells

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                for copy in self._copies:
                    copy.check()
                self._begin()
                while not self._stop.is_set():
                    self._read(_WAIT_MS)
                    self.problem, self._trouble = None, ""
            except Unreachable as error:
                self._wait(str(error))
            except (IncompleteLog, ValueError, sqlite3.Error, OSError) as error:
                self.problem = str(error)
                self._wait(self.problem)

    def _wait(self, why: str) -> None:
        if self._trouble != why:
            _log.error("the state of the engines cannot be read now: %s", why)
        self._trouble = why
        self._stop.wait(_PAUSE)

    def _begin(self) -> None:
        """Catch up with the log, and load the bars in it."""
        _, self._updates = self._log.ends(UPDATES)
        for key, one in series_in(self._log).items():
            self._engines[0].show(key, one.info, *history_of(self._log, key, most=_SHOWN_BARS))
        while self._read(0):
            pass
        self._ready.set()

    def _read(self, wait_ms: int) -> bool:
        """Read new entries of the log, and return whether there were any. `wait_ms` is how long to wait for one."""
        after = {changes_of(copy.group): copy.number for copy in self._copies}
        found = self._log.read({UPDATES: self._updates, **after}, _AT_ONCE, wait_ms)
        for copy, engine in zip(self._copies, self._engines, strict=True):
            self._tell(engine, copy.write(found[changes_of(copy.group)]))
        self._show(found[UPDATES])
        return any(found.values())

    def _tell(self, engine: TradingEngine, found: list[Changes]) -> None:
        subjects: set[str] = set()
        replies: dict[str, dict[str, Any]] = {}
        for each in found:
            for table, key, row in each.rows:
                if table == "event" and row is not None:
                    subjects.add(row[1])
                elif table == "reply" and row is not None:
                    replies[key[0]] = json.loads(row[2])
        if subjects:
            engine.pushing.announce(subjects)
        if replies:
            with self._answered:
                for id in replies.keys() & self._replies.keys():
                    self._replies[id] = replies[id]
                self._answered.notify_all()

    def _show(self, entries: Iterable[Any]) -> None:
        for entry in entries:
            self._updates, self._heard = entry.number, time.monotonic()
            try:
                updates = [Update(*row) for row in json.loads(entry.body)]
            except (ValueError, TypeError):
                continue  # engines note it
            new = {update.key for update in updates} - {*self._engines[0].keys}
            if new:
                for key, one in series_in(self._log).items():
                    if key in new:
                        self._engines[0].show(key, one.info, *history_of(self._log, key, most=_SHOWN_BARS))
            self._engines[0].see(updates)

    # commands

    def send(self, subject: str, name: str, **arguments: Any) -> str:
        """Send a command without waiting for its reply, and return its id. Raises Unreachable without the broker."""
        command = UserCommand(uuid.uuid4().hex, subject, name, arguments)
        self._send(group_of(subject, self._count), command)
        return command.id

    def _send(self, group: int, command: UserCommand) -> None:
        self._log.append([NewEntry(commands_of(group), command.written())], uuid.uuid4().hex)

    def ask(self, subject: str, name: str, **arguments: Any) -> Any:
        """Send a command to the engine of a user and return its result.

        Raises UsageError if the engine refused it, and UnavailableError if no engine answered in time.
        """
        return self._ask([group_of(subject, self._count)], subject, name, arguments)[0]

    def ask_all(self, subject: str, name: str, **arguments: Any) -> list[Any]:
        """Send a command to the engines of all user groups and return their results. Raises the errors of `ask`."""
        return self._ask(list(range(self._count)), subject, name, arguments)

    def _ask(self, groups: list[int], subject: str, name: str, arguments: Mapping[str, Any]) -> list[Any]:
        commands = [UserCommand(uuid.uuid4().hex, subject, name, arguments) for _ in groups]
        ids = [command.id for command in commands]
        with self._answered:
            self._replies.update(dict.fromkeys(ids))
        try:
            for group, command in zip(groups, commands, strict=True):
                self._send(group, command)
            with self._answered:
                self._answered.wait_for(lambda: all(self._replies[id] is not None for id in ids), self._seconds)
                replies = [self._replies[id] for id in ids]
        except Unreachable as error:
            raise UnavailableError(
                str(error), "the command may still be carried out: check before you repeat it"
            ) from None
        finally:
            with self._answered:
                for id in ids:
                    self._replies.pop(id, None)
        for reply in replies:
            if reply is None:
                hint = "the command may still be carried out within a minute: check before you repeat it"
                raise UnavailableError("no engine answered in time", hint)
            if "error" in reply:
                kind = UsageError if reply["usage"] else UnavailableError
                raise kind(reply["error"], reply["hint"])
        return [reply["result"] for reply in replies if reply is not None]

    def engine(self, subject: str) -> TradingEngine:
        """Return the engine that has the copy of a user's state."""
        return self._engines[group_of(subject, self._count)]

    # what faces ask an engine for

    def set_alert(self, subject: str, symbol: str, condition: object, **more: Any) -> str:
        """Set an alert on the user's engine; see `TradingEngine.set_alert`."""
        return self.ask(subject, "set_alert", symbol=symbol, condition=condition, **more)

    def notifications(self, subject: str, most: int = MOST_TAKEN) -> list[dict[str, Any]]:
        """Take up to `most` notifications from the user's queue; see `TradingEngine.notifications`."""
        return self.ask(subject, "notifications", most=most)

    def place_order(
        self, subject: str, symbol: str, side: str, quantity: float, type: str, price: float | None, **more: Any
    ) -> str:
        """Place a paper order on the user's engine; see `TradingEngine.place_order`."""
        given = {"symbol": symbol, "side": side, "quantity": quantity, "type": type, "price": price}
        return self.ask(subject, "place_order", **given, **more)

    def order_state(self, subject: str, id: str) -> str:
        """Return the state of a user's order; see `TradingEngine.order_state`."""
        return self.engine(subject).order_state(subject, id)

    def positions(self, subject: str) -> list[dict[str, Any]]:
        """Return the open positions of a user; see `TradingEngine.positions`."""
        return self.engine(subject).positions(subject)

    def balance(self, subject: str) -> dict[str, Any]:
        """Return the account of a user; see `TradingEngine.balance`."""
        return self.engine(subject).balance(subject)

    def orders(
        self, subject: str, *, only_open: bool = False, most: int | None = None, before: str | None = None
    ) -> list[dict[str, Any]]:
        """Return the newest `most` orders of a user (None: all); see `TradingEngine.orders`."""
        return self.engine(subject).orders(subject, only_open=only_open, most=most, before=before)

    def window(self, symbol: str, interval: str) -> Bars | None:
        """Return the closed bars of a series, or None if it is not followed."""
        return self._engines[0].window(symbol, interval)

    def symbol_info(self, symbol: str, interval: str) -> SymbolInfo | None:
        """Return the properties of a symbol in an interval, or None if the series is not followed."""
        return self._engines[0].symbol_info(symbol, interval)

    def trade(self, subject: str, symbol: str, interval: str | None, source: str, inputs: Mapping[str, Any]) -> str:
        """Start a strategy on the user's engine; see `TradingEngine.trade`."""
        given = {"symbol": symbol, "interval": interval, "source": source, "inputs": dict(inputs)}
        return self.ask(subject, "trade", **given)

    def stop_trading(self, subject: str, id: str) -> None:
        """End a strategy on the user's engine. Its position stays open."""
        self.ask(subject, "stop_trading", id=id)

    def unled(self) -> list[int]:
        """Return the user groups that no engine leads now. Raises Unreachable without the broker."""
        return [group for group in range(self._count) if not self._log.is_held(lease_of(group))]

    def health(self) -> dict[str, Any]:
        """Return the same data as `TradingEngine.health`. `connected` is true while a feed runs and every group has an
        engine."""
        stores = [engine.store for engine in self._engines]
        counts = [outbox.counts(store, _now()) for store in stores]
        try:
            is_fed = not self._trouble and self._log.is_held(FEED) and not self.unled()
        except Unreachable:
            is_fed = False
        return {
            "problem": self.problem,
            "trouble": None,
            "feed": {
                "connected": is_fed,
                "connections": 0,
                "ignored": 0,
                "age_seconds": None if self._heard is None else time.monotonic() - self._heard,
            },
            "outbox": {
                "waiting": sum(each["waiting"] for each in counts),
                "failed": sum(each["failed"] for each in counts),
                "oldest_seconds": max(each["oldest_seconds"] for each in counts),
            },
            "halted": any(risk.halted(store) is not None for store in stores),
            "series": len(self._engines[0].keys),
            "alerts": sum(store.count("alert") for store in stores),
            "orders": sum(store.count("paper_order", state=OPEN) for store in stores),
            "fired": sum(store.count("firing") for store in stores),
        }


class _AllAlerts:
    """The alerts of all users."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def listing(self, subject: str, most: int | None = None, before: str | None = None) -> list[dict[str, Any]]:
        return self._desk.engine(subject).alerts.listing(subject, most, before)

    def history(self, subject: str, most: int = 200, before: str | None = None) -> list[dict[str, Any]]:
        return self._desk.engine(subject).alerts.history(subject, most, before)

    def endings(self, subject: str, most: int = 200) -> list[dict[str, Any]]:
        return self._desk.engine(subject).alerts.endings(subject, most)

    def cancel(self, subject: str, id: str) -> None:
        self._desk.ask(subject, "cancel_alert", id=id)


class _Paper:
    """The paper orders of all users."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def cancel(self, subject: str, id: str) -> None:
        self._desk.ask(subject, "cancel_order", id=id)

    def halt(self, reason: str) -> int:
        return sum(self._desk.ask_all("owner", "halt", reason=reason))

    def resume(self) -> None:
        self._desk.ask_all("owner", "resume")


class _Streams:
    """The subscriptions and the streams of all users."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def subscribe(self, subject: str, symbols: list[str] | None = None, types: list[str] | None = None) -> Any:
        return self._desk.ask(subject, "subscribe", symbols=symbols, types=types)

    def unsubscribe(self, subject: str) -> Any:
        return self._desk.ask(subject, "unsubscribe")

    def listing(self, subject: str) -> dict[str, Any]:
        return self._desk.engine(subject).pushing.listing(subject)

    def stream(self, subject: str, after: int | None = None) -> AsyncIterator[tuple[int, dict[str, Any]]]:
        return self._desk.engine(subject).pushing.stream(subject, after)


def _now() -> int:
    return int(time.time() * 1000)
