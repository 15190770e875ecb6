"""The alerts of all users. They are tested on closed bars; a bar that is processed again fires no alert twice."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
import uuid
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pinebench.engine import audit_log, outbox, push_subscriptions
from pinebench.engine.conditions import Condition, Firing, condition, restored
from pinebench.engine.engine_store import EngineStore
from pinebench.engine.moments import rfc3339
from pinebench.engine.push_subscriptions import PushSubscriptions
from pinebench.engine.series import Key, Series
from pinebench.engine.studies import BarReading, Study
from pinebench.errors import PinebenchError, UsageError
from pinebench.market import read_step
from pinebench.near import hint_of_names

ONCE, ONCE_PER_BAR, ALL = "once", "once_per_bar", "all"
MOST_ALERTS = 1_000
"""The largest number of alerts of one user."""
_MOST_SCRIPTS = 50
_MOST_MESSAGES = 20
"""The largest number of messages of a script on one bar that an alert passes on."""
_LONGEST_MESSAGE = 4_000
_HISTORY_MS = 90 * 86_400_000
_FIRING_ORDER = "time, bar, alert, number"
"""The columns that sort firings and identify each of them."""
_PLACEHOLDER = re.compile(r"\{\{([^{}]{1,200})\}\}")


class Delivery(NamedTuple):
    """The additional receivers of an alert: a webhook with its secret, and notifiers by name."""

    webhook: str | None = None
    secret: str | None = None
    notifiers: tuple[str, ...] = ()


@dataclass
class UserAlert:
    """An alert of a user. Times are in milliseconds UTC."""

    id: str
    subject: str
    symbol: str
    interval: str
    condition: Condition
    frequency: str = ONCE
    rearms: bool = False
    expires: int | None = None
    message: str = ""
    delivery: Delivery = field(default_factory=Delivery)
    created: int = 0
    armed: bool = True

    @property
    def key(self) -> Key:
        """The series whose bars the alert is tested on."""
        return self.symbol, self.interval

    @property
    def told(self) -> dict[str, Any]:
        """The alert as the tool list_alerts returns it, without the secret of its webhook."""
        told: dict[str, Any] = {
            "id": self.id,
            "symbol": self.symbol,
            "condition": self.condition.wire,
            "created_at": rfc3339(self.created),
            "interval": self.interval,
            "frequency": self.frequency,
        }
        if self.rearms:
            told |= {"rearm": True, "armed": self.armed}
        if self.expires is not None:
            told["expires_at"] = rfc3339(self.expires)
        if self.message:
            told["message"] = self.message
        if self.delivery.webhook is not None:
            told["webhook"] = self.delivery.webhook
        if self.delivery.notifiers:
            told["notify"] = list(self.delivery.notifiers)
        if notes := self.condition.notes:
            told["notes"] = notes
        return told


class ClosedBar(NamedTuple):
    """A bar that has just closed, with the values that each script computed on it. `at` is its index in the series."""

    series: Series
    at: int
    readings: Mapping[Study, BarReading]

    @property
    def time(self) -> int:
        """The opening time of the bar, in milliseconds UTC."""
        return self.series.bars.time[self.at]

    @property
    def end(self) -> int:
        """The time at which the bar closed, in milliseconds UTC."""
        return self.series.ends[self.at]


class UserAlerts:
    """The alerts of all users, grouped by series. Changes are written to the store. The store's lock protects them."""

    def __init__(self, store: EngineStore, pushing: PushSubscriptions, clock: Callable[[], int]) -> None:
        """Load the alerts from the store. `clock` returns the time in milliseconds UTC."""
        self._store = store
        self._pushing = pushing
        self._clock = clock
        self._by_key: dict[Key, dict[str, UserAlert]] = defaultdict(dict)
        self.fired = 0
        """The number of alerts that have fired since the engine started."""
        self.load()

    def load(self) -> None:
        """Reload all alerts from the store."""
        with self._store.lock:
            self._by_key.clear()
            for row in self._store.rows("select * from alert order by created, id"):
                try:
                    alert = _alert(row)
                except PinebenchError as error:  # for example an indicator that this version does not have
                    self._drop(row, error.message)
                    continue
                self._by_key[alert.key][alert.id] = alert

    def _drop(self, row: sqlite3.Row, reason: str) -> None:
        """End an alert whose condition this version cannot read."""
        if self._store.is_read_only:
            return
        key, notifiers = (row["symbol"], row["interval"]), json.loads(row["notifiers"])
        with self._store.transaction() as db:
            self._end(db, row["id"], row["subject"], key, row["condition"], reason)
            self._tell_end(db, row["id"], row["subject"], key, row["condition"], reason, notifiers)

    def studies(self, key: Key) -> set[Study]:
        """Return the scripts that the alerts on a series need."""
        with self._store.lock:
            return {each.condition.study for each in self._by_key[key].values() if each.condition.study is not None}

    def owners(self, key: Key) -> dict[Study, str]:
        """Map each script that the alerts on a series need to the user whose processor time it uses.

        The user is "" for a script of the catalogue. If alerts of several users share a script, the alphabetically
        first of these users is chosen.
        """
        with self._store.lock:
            found: dict[Study, str] = {}
            for each in self._by_key[key].values():
                study = each.condition.study
                if study is not None:
                    found[study] = "" if study.name else min(each.subject, found.get(study, each.subject))
            return found

    def series(self) -> set[Key]:
        """Return the series that have alerts."""
        with self._store.lock:
            return {key for key, alerts in self._by_key.items() if alerts}

    # what users ask for

    def set(
        self,
        subject: str,
        key: Key,
        document: object,
        *,
        frequency: str = ONCE,
        rearms: bool = False,
        expires: int | None = None,
        message: str = "",
        delivery: Delivery | None = None,
        now: int,
    ) -> str:
        """Create an alert on the series `key` and return its id. Only bars that close after `now` can fire it.

        `document` is a condition read from JSON. `frequency` is `once`, `once_per_bar`, or `all` (for each message of
        the script on a bar). An alert that `rearms` does not end when it fires, and fires again after its condition was
        false. `now` (the market's time) and `expires` are in milliseconds UTC. Raises UsageError for invalid arguments,
        or if the user has too many alerts.
        """
        found = condition(document, read_step(key[1]))
        if expires is not None and expires <= now:
            raise UsageError("expires_at is in the past", f"give a time after {rfc3339(now)}")
        if len(message) > _LONGEST_MESSAGE:
            raise UsageError(f"message may have at most {_LONGEST_MESSAGE} characters, got: {len(message)}")
        alert = UserAlert(
            str(uuid.uuid4()), subject, *key, found, frequency, rearms, expires, message, delivery or Delivery(), now
        )
        with self._store.transaction() as db:
            self._check_number(subject, found)
            sent = alert.delivery
            db.execute(
                "insert into alert values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(alert.id, subject, *key, json.dumps(found.wire), frequency, rearms, True, expires, message),
                    *(sent.webhook, sent.secret, json.dumps(sent.notifiers), now),
                ),
            )
            audit_log.write(db, self._clock(), subject, "ALERT_SET", f"id={alert.id}", _brief(found), *key)
        with self._store.lock:
            self._by_key[key][alert.id] = alert
        return alert.id

    def _check_number(self, subject: str, wanted: Condition) -> None:
        own = [each for alerts in self._by_key.values() for each in alerts.values() if each.subject == subject]
        if len(own) >= MOST_ALERTS:
            raise UsageError(f"there are already {MOST_ALERTS} alerts", "cancel some of them first")
        scripts = sum(1 for each in own if each.condition.study is not None and not each.condition.study.name)
        if wanted.study is not None and not wanted.study.name and scripts >= _MOST_SCRIPTS:
            raise UsageError(f"there are already {_MOST_SCRIPTS} alerts with scripts", "cancel some of them first")

    def listing(self, subject: str, most: int | None = None, before: str | None = None) -> list[dict[str, Any]]:
        """Return the alerts of a user, oldest first. With `most`, return at most that many of the newest. With
        `before`, the id of an alert, only older alerts are returned.

        Raises UsageError if the user has no alert with the id `before`.
        """
        where, values = "subject = ?", [subject]
        if before is not None:
            self._row(subject, before)
            where += " and (created, id) < (select created, id from alert where id = ?)"
            values.append(before)
        rows = self._store.rows(
            f"select * from alert where {where} order by created desc, id desc limit ?",
            (*values, -1 if most is None else most),
        )
        return [_alert(row).told for row in reversed(rows)]

    def _row(self, subject: str, id: str) -> sqlite3.Row:
        row = self._store.row("select * from alert where id = ? and subject = ?", (id, subject))
        if row is None:
            raise UsageError(f"alert not found: {id[:80]}", "list_alerts shows their ids")
        return row

    def cancel(self, subject: str, id: str) -> None:
        """Cancel an alert of a user. Raises UsageError if the user has none with this id."""
        with self._store.transaction() as db:
            self._over(db, _alert(self._row(subject, id)), "cancelled")

    def history(self, subject: str, most: int = 200, before: str | None = None) -> list[dict[str, Any]]:
        """Return the newest `most` firings of a user's alerts, newest first, including firings of alerts that have
        ended.

        `before` is the `id` of a firing: only older ones are returned. Raises UsageError if the user has no firing with
        this id.
        """
        where, values = "subject = ?", [subject]
        if before is not None:
            where += f" and ({_FIRING_ORDER}) < (?, ?, ?, ?)"
            values += self._place(subject, before)
        newest = ", ".join(f"{name} desc" for name in _FIRING_ORDER.split(", "))
        rows = self._store.rows(f"select * from firing where {where} order by {newest} limit ?", (*values, most))
        return [_firing(row) for row in rows]

    def _place(self, subject: str, id: str) -> list[Any]:
        """Return the sort key of the firing `id` in the history. Raises UsageError if the user has no such firing."""
        alert, _, rest = id.partition(":")
        row = self._store.row(
            f"select {_FIRING_ORDER} from firing where subject = ? and alert = ? and bar || ':' || number = ?",
            (subject, alert, rest),
        )
        if row is None:
            raise UsageError(f"notification not found: {id[:120]}", "the history lists the ids")
        return list(row)

    def purge(self, db: sqlite3.Connection, now: int) -> None:
        """Delete firings and endings older than three months at `now` (ms UTC). `db` must be in a transaction."""
        for table in ("firing", "ending"):
            db.execute(f"delete from {table} where time < ?", (now - _HISTORY_MS,))

    # bars

    def test(self, db: sqlite3.Connection, bar: ClosedBar, *, scripts: bool | None = None) -> None:
        """Test the alerts of a series on a bar that has just closed: fire those whose condition is met, and end those
        that have expired or whose script stopped. `db` must be in a transaction.

        If `scripts` is true, only alerts whose condition needs a script are tested; if false, only alerts without a
        script; if None, all alerts.
        """
        series = bar.series
        for alert in tuple(self._by_key[series.key].values()):
            if scripts is not None and (alert.condition.study is not None) is not scripts:
                continue
            if alert.expires is not None and alert.expires < bar.end:
                self._over(db, alert, "expired")
            elif alert.created < bar.end:
                self._test(db, alert, bar)

    def _test(self, db: sqlite3.Connection, alert: UserAlert, bar: ClosedBar) -> None:
        study = alert.condition.study
        reading = bar.readings.get(study) if study is not None else None
        if study is not None and reading is None:
            return  # the script was left out on this bar, so it is unknown whether the condition is met
        if reading is not None and reading.error:
            reason, condition = f"the script stopped: {reading.error}", json.dumps(alert.condition.wire)
            self._over(db, alert, reason)
            sent = alert.delivery.notifiers
            self._tell_end(db, alert.id, alert.subject, alert.key, condition, reason, sent)
            return
        found = alert.condition.test(bar.series.bars, bar.at, reading)
        if not found:
            if not alert.armed:
                self._arm(db, alert, armed=True)
            return
        if not alert.armed:
            return
        for number, fired in enumerate(found[:_MOST_MESSAGES] if alert.frequency == ALL else found[:1]):
            self._fire(db, alert, bar, fired, number)
        if alert.rearms:
            self._arm(db, alert, armed=False)
        elif alert.frequency == ONCE:
            self._over(db, alert, "fired")

    def _fire(self, db: sqlite3.Connection, alert: UserAlert, bar: ClosedBar, fired: Firing, number: int) -> None:
        """Record a firing, and queue it for all receivers. A repeated firing for the same bar is ignored."""
        text = _message(alert, bar, fired)
        wire = alert.condition.wire
        value = None if fired.value is None else float(fired.value)
        added = db.execute(
            "insert or ignore into firing values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (alert.id, bar.time, number, alert.subject, *alert.key, json.dumps(wire), value, text, bar.end),
        ).rowcount
        if not added:
            return
        self.fired += 1
        body = push_subscriptions.body_of(alert.id, alert.symbol, wire, bar.end, value)
        if text:
            body["message"] = text
        if notes := alert.condition.notes:
            body["notes"] = notes
        self._pushing.notify(db, alert.subject, body, alert.interval, alert.condition.flat)
        told = {**body, "interval": alert.interval, "bar_time": rfc3339(bar.time)}
        sent = alert.delivery
        place = f"{alert.id}:{bar.time}:{number}"
        if sent.webhook is not None:
            outbox.put(db, place, alert.subject, alert.id, "webhook", sent.webhook, sent.secret, told, self._clock())
        for name in sent.notifiers:
            key = f"{place}:{name}"
            outbox.put(db, key, alert.subject, alert.id, "notifier", name, None, told, self._clock())
        words = ("ALERT_TRIGGERED", f"id={alert.id}", _brief(alert.condition), *alert.key)
        audit_log.write(db, bar.end, alert.subject, *words)

    def _arm(self, db: sqlite3.Connection, alert: UserAlert, *, armed: bool) -> None:
        db.execute("update alert set armed = ? where id = ?", (armed, alert.id))
        alert.armed = armed

    def _over(self, db: sqlite3.Connection, alert: UserAlert, reason: str) -> None:
        self._end(db, alert.id, alert.subject, alert.key, json.dumps(alert.condition.wire), reason)

    def _end(self, db: sqlite3.Connection, id: str, subject: str, key: Key, condition: str, reason: str) -> None:
        db.execute("delete from alert where id = ?", (id,))
        db.execute(
            "insert or replace into ending values (?, ?, ?, ?, ?, ?, ?)",
            (id, subject, *key, condition, reason, self._clock()),
        )
        if reason != "fired":
            audit_log.write(db, self._clock(), subject, "ALERT_ENDED", f"id={id}", reason)
        self._by_key[key].pop(id, None)

    def _tell_end(
        self,
        db: sqlite3.Connection,
        id: str,
        subject: str,
        key: Key,
        condition: str,
        reason: str,
        notifiers: Sequence[str],
    ) -> None:
        """Notify a user that an alert has ended although its condition was not met. A webhook is not sent: its receiver
        may place an order whenever one arrives."""
        now, wire = self._clock(), json.loads(condition)
        body = push_subscriptions.body_of(id, key[0], {"alert_ended": wire}, now, None)
        body["message"] = f"the alert has ended and will not fire any more: {reason}"[:_LONGEST_MESSAGE]
        self._pushing.notify(db, subject, body, key[1], {"type": "alert_ended", **wire}, kind=next(iter(wire)))
        for name in notifiers:
            outbox.put(db, f"{id}:ended:{name}", subject, id, "notifier", name, None, body | {"interval": key[1]}, now)

    def endings(self, subject: str, most: int = 200) -> list[dict[str, Any]]:
        """Return the last `most` alerts of a user that ended, newest first, each with the reason."""
        rows = self._store.rows("select * from ending where subject = ? order by time desc limit ?", (subject, most))
        return [
            {"id": row["alert"], "symbol": row["symbol"], "interval": row["interval"], "reason": row["reason"]}
            | {"condition": json.loads(row["condition"]), "ended_at": rfc3339(row["time"])}
            for row in rows
        ]


def delivery(
    webhook: Mapping[str, Any] | None,
    notify: Sequence[str] | None,
    known: Collection[str],
    check: Callable[[str], None],
) -> Delivery:
    """Check the additional receivers of an alert and return them.

    `known` holds the names of the notifiers. `check` raises UsageError for an address that must not receive webhooks.
    An unknown notifier raises UsageError too.
    """
    for name in notify or ():
        if name not in known:
            hint = f"{hint_of_names('notifiers', sorted(known))}; the owner of the engine configures them"
            raise UsageError(f"there is no notifier '{name[:60]}'", hint)
    if webhook is None:
        return Delivery(notifiers=tuple(notify or ()))
    check(webhook["url"])
    return Delivery(webhook["url"], webhook["secret"], tuple(notify or ()))


def _alert(row: sqlite3.Row) -> UserAlert:
    return UserAlert(
        row["id"],
        row["subject"],
        row["symbol"],
        row["interval"],
        restored(row["condition"]),
        row["frequency"],
        bool(row["rearms"]),
        row["expires"],
        row["message"],
        Delivery(row["webhook"], row["secret"], tuple(json.loads(row["notifiers"]))),
        row["created"],
        bool(row["armed"]),
    )


def _firing(row: sqlite3.Row) -> dict[str, Any]:
    body = push_subscriptions.body_of(
        row["alert"], row["symbol"], json.loads(row["condition"]), row["time"], row["value"]
    )
    more: dict[str, Any] = {"message": row["message"]} if row["message"] else {}
    with contextlib.suppress(PinebenchError):  # for example an indicator that this version does not have
        if notes := restored(row["condition"]).notes:
            more["notes"] = notes
    id = f"{row['alert']}:{row['bar']}:{row['number']}"
    return {**body, "id": id, "interval": row["interval"], "bar_time": rfc3339(row["bar"]), **more}


def _brief(found: Condition) -> str:
    """Return the condition as one word for the audit log."""
    if found.type in ("pine", "script"):
        return found.type
    return f"{found.type}:{json.dumps(found.details, sort_keys=True, separators=(',', ':'))}"


def _message(alert: UserAlert, bar: ClosedBar, fired: Firing) -> str:
    """Return the message of a firing: the alert's, with placeholders filled in, or else the script's own."""
    if not alert.message:
        return fired.message[:_LONGEST_MESSAGE]
    bars, at, info = bar.series.bars, bar.at, bar.series.info
    known: dict[str, object] = {
        "ticker": alert.symbol,
        "exchange": info.prefix,
        "interval": alert.interval,
        "open": bars.open[at],
        "high": bars.high[at],
        "low": bars.low[at],
        "close": bars.close[at],
        "volume": bars.volume[at],
        "time": rfc3339(bar.time),
        "timenow": rfc3339(bar.end),
        "value": fired.value,
        "message": fired.message,
        "condition": _brief(alert.condition),
    }

    def value(found: re.Match[str]) -> str:
        told = known.get(found[1].strip(), found[0])
        if told != told:
            return "NaN"
        return f"{told:.10f}".rstrip("0").rstrip(".") if isinstance(told, float) else str(told)

    return _PLACEHOLDER.sub(value, alert.message)[:_LONGEST_MESSAGE]
