"""Starts, ends and stores the strategies that trade paper accounts."""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import Mapping
from typing import Any, NamedTuple

from pinebench.checker import open_program
from pinebench.diagnostics import Severity
from pinebench.engine import audit_log
from pinebench.engine.engine_store import EngineStore
from pinebench.engine.moments import rfc3339
from pinebench.engine.series import Key
from pinebench.engine.studies import Study
from pinebench.errors import UsageError

MOST_RUNNING = 50
"""The largest number of strategies of one user that trade at the same time."""
_HELD = "held for "
"""The prefix of the setting with the quantity that the account holds for a strategy."""


class PaperStrategy(NamedTuple):
    """A strategy that trades the paper account of a user on a series, from the time `since` (milliseconds UTC) on."""

    id: str
    subject: str
    key: Key
    study: Study
    since: int


def running(store: EngineStore) -> list[PaperStrategy]:
    """Return all strategies that have not ended, of all users."""
    rows = store.rows("select * from script where problem = '' order by since, id")
    return [
        PaperStrategy(
            row["id"],
            row["subject"],
            (row["symbol"], row["interval"]),
            Study("", row["source"], row["inputs"], ()),
            row["since"],
        )
        for row in rows
    ]


def check(source: str) -> None:
    """Raise UsageError if a script does not compile or is not a strategy."""
    program = open_program(source, fresh=True)
    errors = [each for each in program.diagnostics if each.severity is Severity.ERROR]
    if errors:
        raise UsageError(f"the script does not compile: {errors[0].code} {errors[0].message}")
    if not program.is_strategy:
        raise UsageError("the script is not a strategy", "only a strategy can trade; use an indicator for an alert")


def start(
    store: EngineStore,
    subject: str,
    key: Key,
    source: str,
    inputs: Mapping[str, Any],
    now: int,
    last: int | None = None,
) -> PaperStrategy:
    """Start a checked strategy from the next bar of a series on. `now` is in milliseconds UTC.

    `last` is the opening time of the last closed bar, by default of the last processed bar. Raises UsageError for a
    series without bars, or if the user has too many strategies.
    """
    values = json.dumps(dict(inputs), sort_keys=True)
    with store.transaction() as db:
        row = db.execute("select last from series where symbol = ? and interval = ?", key).fetchone()
        if row is None:
            raise UsageError(f"the engine has no bars of {' '.join(key)} yet", "try again in a moment")
        if store.count("script", subject=subject, problem="") >= MOST_RUNNING:
            raise UsageError(f"{MOST_RUNNING} strategies are already trading", "stop some of them first")
        since = max(row["last"], row["last"] if last is None else last) + 1
        found = PaperStrategy(str(uuid.uuid4()), subject, key, Study("", source, values, ()), since)
        db.execute(
            "insert into script values (?, ?, ?, ?, ?, ?, ?, 0, '')",
            (found.id, subject, *key, source, values, found.since),
        )
        set_held(store, found.id, 0.0)
        audit_log.write(db, now, subject, "STRATEGY_STARTED", *key, f"id={found.id}")
    return found


def held(store: EngineStore, id: str) -> float | None:
    """Return the quantity that the account holds for a running strategy, negative if short. It is None if an earlier
    version of pinebench has booked the strategy's fills, because that version did not store it."""
    text = store.setting(f"{_HELD}{id}")
    return None if text is None else float(text)


def set_held(store: EngineStore, id: str, quantity: float) -> None:
    """Store the quantity that the account holds for a strategy, negative if short."""
    store.set(f"{_HELD}{id}", repr(quantity))


def all_held(store: EngineStore, subject: str, symbol: str) -> dict[str, float]:
    """Return what a user's account holds of a symbol for each running strategy, by the strategy's id."""
    rows = store.rows(
        "select id from script where subject = ? and symbol = ? and problem = '' order by since, id", (subject, symbol)
    )
    return {row["id"]: held(store, row["id"]) or 0.0 for row in rows}


def end(db: sqlite3.Connection, strategy: PaperStrategy, reason: str, time: int) -> None:
    """End a strategy for a reason. Its position stays open. `db` must be in a transaction."""
    db.execute("update script set problem = ? where id = ?", (reason, strategy.id))
    db.execute("delete from setting where name = ?", (f"{_HELD}{strategy.id}",))
    audit_log.write(db, time, strategy.subject, "STRATEGY_ENDED", f"id={strategy.id}", f"({reason})")


def stop(store: EngineStore, subject: str, id: str, now: int) -> None:
    """End a strategy of a user. Raises UsageError if no strategy of the user with this id is running."""
    with store.transaction() as db:
        found = next((each for each in running(store) if each.id == id and each.subject == subject), None)
        if found is None:
            raise UsageError(f"strategy not found: {id[:80]}")
        end(db, found, "stopped", now)


def listing(store: EngineStore, subject: str) -> list[dict[str, Any]]:
    """Return the strategies of a user, oldest first. For a strategy that has ended, the reason is included. For one
    that runs, `held` is the quantity that the account holds for it, negative if short (None: not known yet)."""
    rows = store.rows("select * from script where subject = ? order by since, id", (subject,))
    return [
        {
            "id": row["id"],
            "symbol": row["symbol"],
            "interval": row["interval"],
            "since": rfc3339(row["since"]),
            "fills": row["fills"],
            **({"ended": row["problem"]} if row["problem"] else {"held": held(store, row["id"])}),
            **({"notes": list(notes)} if (notes := Study("", row["source"], row["inputs"], ()).notes) else {}),
        }
        for row in rows
    ]
