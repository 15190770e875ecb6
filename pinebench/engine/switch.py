"""The kill switch: it cancels all paper orders and blocks new ones, even while the engine runs in another process."""

from __future__ import annotations

from collections.abc import Callable

from pinebench.engine import audit_log, orders, risk
from pinebench.engine.engine_store import EngineStore
from pinebench.errors import UsageError

_LONGEST_REASON = 200


def halt(store: EngineStore, reason: str, now: Callable[[str], int]) -> int:
    """Cancel every open order, reject every pending one, and block new orders and fills. Return the number of orders
    that ended.

    Everything happens in one transaction. `now` returns the time of a symbol in milliseconds UTC. Raises UsageError if
    the reason is empty or too long.
    """
    reason = reason.strip()
    if not 0 < len(reason) <= _LONGEST_REASON:
        raise UsageError(f"the reason must have from 1 to {_LONGEST_REASON} characters")
    why = f"trading is halted: {reason}"
    with store.transaction() as db:
        risk.set_halted(store, reason)
        rows = db.execute(
            "select id, subject, symbol, state from paper_order where state in (?, ?) order by turn",
            (orders.PENDING, orders.OPEN),
        ).fetchall()
        for row in rows:
            state = orders.CANCELLED if row["state"] == orders.OPEN else orders.REJECTED
            orders.move(db, row["id"], state, reason=why)
            audit_log.write(db, now(row["symbol"]), row["subject"], state.upper(), f"id={row['id']}", f"({why})")
        audit_log.write(db, now(""), "", "HALTED", reason)
    return len(rows)


def resume(store: EngineStore, now: Callable[[str], int]) -> bool:
    """Resume trading after `halt`. Return whether trading was halted."""
    with store.transaction() as db:
        was = risk.halted(store) is not None
        risk.set_halted(store, None)
        if was:
            audit_log.write(db, now(""), "", "RESUMED")
    return was
