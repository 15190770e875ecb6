"""The outbox: signed webhooks and notifications, stored until they are delivered."""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from pinebench.engine.engine_store import EngineStore

_FIRST_PAUSE_MS = 2_000
_LONGEST_PAUSE_MS = 3_600_000
MOST_TRIES = 30
"""The number of attempts, over about nineteen hours, after which a delivery is given up."""
MOST_WAITING = 1_000
"""The largest number of deliveries of one user that may wait. If there are more, the oldest ones are given up."""
_SPACE = uuid.UUID("5be0ccb5-0a2c-4c3b-9a3c-1d6a4f7f8f10")
_KEPT_MS = 7 * 86_400_000


class Letter(NamedTuple):
    """A delivery that is ready to send. `id` is the same on every try, so that the receiver can ignore repetitions."""

    id: str
    kind: str
    target: str
    secret: str | None
    body: str
    tries: int
    subject: str = ""


class SendResult(NamedTuple):
    """The result of an attempt to send: whether it was delivered, the problem if not, and whether to give up."""

    is_delivered: bool
    problem: str = ""
    is_final: bool = False


def put(
    db: sqlite3.Connection,
    place: str,
    subject: str,
    alert: str,
    kind: str,
    target: str,
    secret: str | None,
    body: Mapping[str, Any],
    now: int,
) -> None:
    """Add a delivery. `kind` is webhook or notifier, and `target` is the webhook's address or the notifier's name.
    `place` identifies the firing, so that a repeated call adds nothing. `db` must be in a transaction."""
    _make_room(db, subject)
    number = str(uuid.uuid5(_SPACE, f"{kind}:{place}"))
    text = json.dumps({"id": number, **body}, ensure_ascii=False)
    db.execute(
        "insert or ignore into outbox values (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, 'waiting', '')",
        (number, subject, alert, kind, target, secret, text, now, now),
    )


def _make_room(db: sqlite3.Connection, subject: str) -> None:
    """Mark a user's oldest deliveries as failed if too many wait, so that a dead receiver does not fill the store."""
    waiting = db.execute("select count(*) from outbox where subject = ? and state = 'waiting'", (subject,)).fetchone()[
        0
    ]
    if waiting >= MOST_WAITING:
        db.execute(
            "update outbox set state = 'failed', problem = ? where id in (select id from outbox"
            " where subject = ? and state = 'waiting' order by created limit ?)",
            (f"more than {MOST_WAITING} deliveries waited", subject, waiting - MOST_WAITING + 1),
        )


def due(store: EngineStore, now: int, limit: int = 20) -> list[Letter]:
    """Return at most `limit` deliveries that are ready to send, longest waiting first. `now` is in milliseconds UTC."""
    return _letters(store, "state = 'waiting' and due <= ?", [now], limit)


def next_letter(
    store: EngineStore, now: int, on_the_way: Collection[str], subjects: Collection[str], targets: Collection[str]
) -> Letter | None:
    """Return the delivery that has been ready to send for the longest time, or None if there is none.

    Deliveries that are `on_the_way`, deliveries of `subjects` and deliveries to `targets` are skipped.
    """
    where = "state = 'waiting' and due <= ?"
    values: list[object] = [now]
    for column, left_out in (("id", on_the_way), ("subject", subjects), ("target", targets)):
        where += f" and {column} not in ({', '.join('?' * len(left_out))})"
        values += left_out
    return next(iter(_letters(store, where, values, 1)), None)


def _letters(store: EngineStore, where: str, values: Sequence[object], most: int) -> list[Letter]:
    columns = "id, kind, target, secret, body, tries, subject"
    rows = store.rows(f"select {columns} from outbox where {where} order by due, created limit ?", (*values, most))
    return [Letter(*row) for row in rows]


def next_due(store: EngineStore, on_the_way: Collection[str] = ()) -> int | None:
    """Return the time of the next try, in milliseconds UTC, or None if nothing waits. Ids `on_the_way` are skipped."""
    marks = ", ".join("?" * len(on_the_way))
    row = store.row(
        f"select min(due) as due from outbox where state = 'waiting' and id not in ({marks})", [*on_the_way]
    )
    return None if row is None else row["due"]


def counts(store: EngineStore, now: int) -> dict[str, float]:
    """Return the numbers of waiting and failed deliveries, and the seconds that the oldest one has waited."""
    row = store.rows(
        "select coalesce(sum(state = 'waiting'), 0), coalesce(sum(state = 'failed'), 0),"
        " min(case when state = 'waiting' then created end) from outbox"
    )[0]
    oldest = 0.0 if row[2] is None else max(now - row[2], 0) / 1000
    return {"waiting": row[0], "failed": row[1], "oldest_seconds": oldest}


def note(store: EngineStore, letter: Letter, sent: SendResult, now: int) -> None:
    """Record the result of an attempt, and the time of the next one."""
    tries = letter.tries + 1
    is_over = sent.is_final or tries >= MOST_TRIES
    state = "delivered" if sent.is_delivered else "failed" if is_over else "waiting"
    pause = min(_FIRST_PAUSE_MS * 2 ** (tries - 1), _LONGEST_PAUSE_MS)
    with store.transaction() as db:
        db.execute(
            "update outbox set tries = ?, due = ?, state = ?, problem = ? where id = ?",
            (tries, now + pause, state, sent.problem[:500], letter.id),
        )


def purge(db: sqlite3.Connection, now: int) -> None:
    """Delete deliveries that were added more than a week ago and no longer wait. `db` must be in a transaction."""
    db.execute("delete from outbox where state != 'waiting' and created < ?", (now - _KEPT_MS,))
