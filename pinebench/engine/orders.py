"""Paper orders in the store: their states and the allowed changes of state."""

from __future__ import annotations

import sqlite3
from typing import Any

from pinebench.engine.engine_store import EngineStore
from pinebench.errors import UsageError

PENDING, OPEN, FILLED, CANCELLED, REJECTED = "Pending", "Open", "Filled", "Cancelled", "Rejected"
_NEXT = {PENDING: (OPEN, REJECTED), OPEN: (FILLED, CANCELLED)}
"""The states that can follow a state; the others are final."""
MOST_KEPT = 10_000
"""The largest number of finished orders of one user that are kept. The client_order_id of an older order is
forgotten."""
PURGED_EACH = 100
"""The number of new orders after which old orders are dropped."""
MARKET_TYPE, LIMIT_TYPE, STOP_TYPE = "market", "limit", "stop"
TYPES = (MARKET_TYPE, LIMIT_TYPE, STOP_TYPE)
_FIELDS = (
    "id turn subject symbol side type quantity price state reason created active filled fill_price fee"
    " take_profit stop_loss parent oco reduces"
).split()


def insert(db: sqlite3.Connection, **fields: Any) -> bool:
    """Add a pending order. `db` must be in a transaction. Return False if an order with this id exists."""
    turn = db.execute("select coalesce(max(turn), 0) + 1 from paper_order").fetchone()[0]
    known = {"state": PENDING, "reason": "", "reduces": 0, "turn": turn, **fields}
    marks = ", ".join("?" * len(_FIELDS))
    values = [known.get(name) for name in _FIELDS]
    return bool(db.execute(f"insert or ignore into paper_order values ({marks})", values).rowcount)


def move(db: sqlite3.Connection, id: str, state: str, **fields: Any) -> None:
    """Change the state of an order, and set its `fields`. `db` must be in a transaction.

    Raises UsageError if there is no such order, or if the new state cannot follow its current state.
    """
    row = db.execute("select state from paper_order where id = ?", (id,)).fetchone()
    if row is None:
        raise not_found(id)
    if state not in _NEXT.get(row["state"], ()):
        raise UsageError(f"the order is {row['state']} and cannot become {state}", "get_orders lists all orders")
    names = ["state", *fields]
    setting = ", ".join(f"{name} = ?" for name in names)
    db.execute(f"update paper_order set {setting} where id = ?", (state, *fields.values(), id))


def not_found(id: str) -> UsageError:
    """Return the error for an order id that the user does not have."""
    return UsageError(f"order not found: {id[:80]}", "get_orders lists the ids")


def listing(
    store: EngineStore, subject: str, *, only_open: bool, most: int | None = None, before: str | None = None
) -> list[dict[str, Any]]:
    """Return the orders of a user, oldest first. With `only_open`, return only the pending and open ones.

    At most the newest `most` orders are returned. With `before`, the id of an order, only older orders are returned.
    Raises UsageError if there is no order with this id.
    """
    where, values = ("subject = ?", [subject])
    if only_open:
        where += f" and state in ('{PENDING}', '{OPEN}')"
    if before is not None:
        row = store.row("select turn from paper_order where id = ? and subject = ?", (before, subject))
        if row is None:
            raise not_found(before)
        where += f" and turn < {row['turn']}"
    rows = store.rows(
        f"select * from paper_order where {where} order by turn desc limit ?", (*values, -1 if most is None else most)
    )
    return [_told(row) for row in reversed(rows)]


def purge(db: sqlite3.Connection, subject: str) -> None:
    """Delete the oldest finished orders of a user if there are more than `MOST_KEPT`. `db` must be in a transaction."""
    db.execute(
        f"delete from paper_order where id in (select id from paper_order where subject = ? and state not in"
        f" ('{PENDING}', '{OPEN}') order by turn desc limit -1 offset ?)",
        (subject, MOST_KEPT),
    )


def type_text(type: str, price: float | None) -> str:
    """Return the type of an order as answers show it: `market`, `limit@PRICE` or `stop@PRICE`."""
    return type if price is None else f"{type}@{price:.10f}".rstrip("0").rstrip(".")


def _told(row: sqlite3.Row) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": row["id"],
        "symbol": row["symbol"],
        "side": row["side"],
        "type": type_text(row["type"], row["price"]),
        "quantity": row["quantity"],
        "state": row["state"],
    }
    more = {name: row[name] for name in ("fill_price", "fee", "take_profit", "stop_loss") if row[name] is not None}
    if row["reduces"]:
        more["reduce_only"] = True
    if row["reason"]:
        more["reason"] = row["reason"]
    return told | more
