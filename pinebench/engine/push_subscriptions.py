"""Pushed notifications: subscriptions with filters, events that wait for a stream, and the streams."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import sqlite3
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from typing import Any, TypedDict

from pinebench.engine.engine_store import EngineStore
from pinebench.engine.moments import rfc3339

METHOD = "notifications/alert_triggered"
LONGEST_MS = 3_600_000
"""The longest time in milliseconds that a notification waits: one hour."""
MOST_WAITING = 1_000
"""The largest number of notifications of a subject that may wait. If there are more, the oldest ones are dropped."""
MOST_TAKEN = 200
"""The default for the largest number of notifications that are taken out of the queue at a time."""
LARGEST_ANSWER = 58_000
"""The largest number of characters of an answer with rows. A longer one would be cut, and its rows lost."""
_AT_ONCE = 100


class SubscriptionFilters(TypedDict):
    """The filters of a new subscription; None means all."""

    status: str
    symbols: list[str] | None
    alert_types: list[str] | None


class PushSubscriptions:
    """The subscriptions and the streams of all users (subjects). Any thread and any event loop may use this object."""

    def __init__(self, store: EngineStore, clock: Callable[[], int]) -> None:
        """`clock` returns the time in milliseconds UTC."""
        self._store = store
        self._clock = clock
        self._streams: dict[str, set[tuple[asyncio.AbstractEventLoop, asyncio.Event]]] = defaultdict(set)
        self._is_closed = False
        self._fresh: set[str] = set()

    def subscribe(
        self, subject: str, symbols: list[str] | None = None, types: list[str] | None = None
    ) -> SubscriptionFilters:
        """Subscribe a user to their alerts for these symbols and types. None and an empty list mean all.

        An existing subscription gets the new filters, and its streams continue.
        """
        wanted = [name.upper() for name in symbols] if symbols else None
        with self._store.transaction() as db:
            newest = db.execute("select coalesce(max(seq), 0) from sqlite_sequence where name = 'event'").fetchone()[0]
            db.execute(
                "insert into subscription values (?, ?, ?, ?)"
                " on conflict (subject) do update set symbols = excluded.symbols, types = excluded.types",
                (subject, _json(wanted), _json(types or None), newest),
            )
        return {"status": "subscribed", "symbols": wanted, "alert_types": types or None}

    def unsubscribe(self, subject: str) -> dict[str, str]:
        """End a subscription and delete its waiting events. The returned status is `unsubscribed` or `not_found`."""
        with self._store.transaction() as db:
            found = db.execute("delete from subscription where subject = ?", (subject,)).rowcount
            db.execute("delete from event where subject = ?", (subject,))
        return {"status": "unsubscribed" if found else "not_found"}

    def listing(self, subject: str) -> dict[str, Any]:
        """Return a user's subscription: its filters, the number of waiting events, and whether a stream is open."""
        row = self._store.row("select * from subscription where subject = ?", (subject,))
        if row is None:
            return {"subscribed": False}
        waiting = self._store.row(
            "select count(*) as count from event where subject = ? and id > ? and time > ?",
            (subject, row["delivered"], self._clock() - LONGEST_MS),
        )
        return {
            "subscribed": True,
            "symbols": _list(row["symbols"]),
            "alert_types": _list(row["types"]),
            "offline_queue_size": waiting["count"] if waiting is not None else 0,
            "connected": bool(self._streams.get(subject)),
        }

    def notify(
        self,
        db: sqlite3.Connection,
        subject: str,
        body: Mapping[str, Any],
        interval: str,
        flat: Mapping[str, Any],
        kind: str | None = None,
    ) -> None:
        """Add a notification to the user's queue and, if the user subscribes to it, to the stream. `db` must be in a
        transaction. `body` is the notification as get_notifications returns it, and `flat` is the alert's condition as
        one flat object, with its `type` (see `Condition.flat`). `kind` is the type that the user's filter must allow
        (default: the type in `flat`)."""
        queue(db, subject, self._clock(), body)
        self.put(db, subject, frame_of(body, interval, flat), body["symbol"], kind or flat["type"])

    def put(self, db: sqlite3.Connection, subject: str, frame: Mapping[str, Any], symbol: str, kind: str) -> None:
        """Add an event if the user subscribes to it. `db` must be in a transaction. Call `announce` after the
        commit."""
        row = db.execute("select symbols, types from subscription where subject = ?", (subject,)).fetchone()
        if row is None:
            return
        symbols, types = _list(row["symbols"]), _list(row["types"])
        if (symbols and symbol not in symbols) or (types and kind not in types):
            return
        db.execute(
            "insert into event (subject, time, frame) values (?, ?, ?)",
            (subject, self._clock(), json.dumps(frame, ensure_ascii=False)),
        )
        _cut(db, "event", subject)
        self._fresh.add(subject)

    def announce(self, subjects: Iterable[str] | None = None) -> None:
        """Wake the streams of users that have new events. Call it after the transaction was committed.

        If `subjects` is None, these are the users for whom `put` has added events since the last call.
        """
        fresh, self._fresh = self._fresh, set()
        for subject in fresh if subjects is None else subjects:
            for loop, event in tuple(self._streams.get(subject, ())):
                with contextlib.suppress(RuntimeError):  # the loop may have been closed
                    loop.call_soon_threadsafe(event.set)

    async def stream(self, subject: str, after: int | None = None) -> AsyncIterator[tuple[int, dict[str, Any]]]:
        """Yield the number and the frame (the JSON-RPC message) of each event of a user, until the engine stops.

        The first event is the one after number `after`. If `after` is None, it is the oldest event that no stream has
        delivered yet. Every stream of a user gets every event. An event counts as delivered when the next one is
        requested.
        """
        loop, event = asyncio.get_running_loop(), asyncio.Event()
        place, last, told = (loop, event), 0, 0
        self._streams[subject].add(place)
        try:
            last = after if after is not None else self._delivered(subject)
            told = last
            while not self._is_closed:
                event.clear()
                rows = self._after(subject, last)
                for row in rows:
                    yield row["id"], json.loads(row["frame"])
                    last = row["id"]
                if rows:
                    continue
                if told < last:
                    self.mark(subject, last)
                    told = last
                await event.wait()
        finally:
            if told < last and not self._is_closed:
                self.mark(subject, last)
            self._streams[subject].discard(place)
            if not self._streams[subject]:
                self._streams.pop(subject, None)

    def _delivered(self, subject: str) -> int:
        row = self._store.row("select delivered from subscription where subject = ?", (subject,))
        return 0 if row is None else row["delivered"]

    def _after(self, subject: str, last: int) -> list[sqlite3.Row]:
        return self._store.rows(
            "select id, frame from event where subject = ? and id > ? and time > ? order by id limit ?",
            (subject, last, self._clock() - LONGEST_MS, _AT_ONCE),
        )

    def mark(self, subject: str, number: int) -> None:
        """Mark the events of a user up to a number as delivered."""
        with self._store.transaction() as db:
            db.execute("update subscription set delivered = max(delivered, ?) where subject = ?", (number, subject))

    def close(self) -> None:
        """End all streams."""
        self._is_closed = True
        self.announce(tuple(self._streams))


def frame_of(body: Mapping[str, Any], interval: str, flat: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON-RPC notification for a firing. `body` is the firing as get_notifications returns it, and `flat`
    is its `Condition.flat`."""
    more = {"message": body["message"]} if body.get("message") else {}
    params = {
        "alert_id": body["alert_id"],
        "symbol": body["symbol"],
        "interval": interval,
        "condition": dict(flat),
        "value": body["value"],
        "triggered_at": body["triggered_at"],
        **more,
    }
    return {"jsonrpc": "2.0", "method": METHOD, "params": params}


# what waits for get_notifications


def queue(db: sqlite3.Connection, subject: str, time: int, body: Mapping[str, Any]) -> None:
    """Add a notification to the user's queue. `db` must be in a transaction."""
    db.execute(
        "insert into notification (subject, time, body) values (?, ?, ?)",
        (subject, time, json.dumps(body, ensure_ascii=False)),
    )
    _cut(db, "notification", subject)


def drain(store: EngineStore, subject: str, now: int, most: int = MOST_TAKEN) -> list[dict[str, Any]]:
    """Remove the oldest notifications of a user from the queue and return them: at most `most`, no more than fit
    into an answer, and none older than an hour. The others stay for the next call."""
    with store.transaction() as db:
        db.execute("delete from notification where subject = ? and time <= ?", (subject, now - LONGEST_MS))
        rows = db.execute(
            "select id, body from notification where subject = ? order by id limit ?", (subject, most)
        ).fetchall()
        room = itertools.accumulate(len(row["body"]) for row in rows)
        taken = [row for at, (row, used) in enumerate(zip(rows, room, strict=True)) if not at or used <= LARGEST_ANSWER]
        if taken:
            db.execute("delete from notification where subject = ? and id <= ?", (subject, taken[-1]["id"]))
    return [json.loads(row["body"]) for row in taken]


def purge(db: sqlite3.Connection, now: int) -> None:
    """Delete notifications and events that are too old. `db` must be in a transaction. `now` is in milliseconds UTC."""
    for table in ("notification", "event"):
        db.execute(f"delete from {table} where time <= ?", (now - LONGEST_MS,))


def _cut(db: sqlite3.Connection, table: str, subject: str) -> None:
    db.execute(
        f"delete from {table} where subject = ? and id <="
        f" (select id from {table} where subject = ? order by id desc limit 1 offset ?)",
        (subject, subject, MOST_WAITING),
    )


def body_of(alert: str, symbol: str, wire: Mapping[str, Any], time: int, value: float | None) -> dict[str, Any]:
    """Return a firing as get_notifications returns it. `time` is in milliseconds UTC."""
    told = {"alert_id": alert, "symbol": symbol, "condition": dict(wire), "triggered_at": rfc3339(time)}
    return {**told, "value": value}


def _json(value: list[str] | None) -> str | None:
    return None if value is None else json.dumps(value)


def _list(text: str | None) -> list[str] | None:
    return None if text is None else json.loads(text)
