"""The owner's view of an engine, whether it runs or not: its state, its history and its kill switch."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import closing
from typing import Any

from pinebench.engine import audit_log, outbox, risk, strategies, switch
from pinebench.engine.engine_store import LOCK, EngineStore, folder_of
from pinebench.engine.moments import rfc3339
from pinebench.engine.orders import OPEN, PENDING
from pinebench.engine.series import key_of
from pinebench.errors import UsageError
from pinebench.files.locks import holder

OWNER = "owner"
"""The user of an engine that only its owner uses."""


def status(folder: str | None) -> dict[str, Any]:
    """Return the state of the engine in `folder` (default: the user's): the series it follows, the numbers of its
    stored alerts, orders and positions, its strategies, and its waiting deliveries.

    Raises UsageError if there is no state of an engine.
    """
    with closing(EngineStore(folder, beside=True)) as store:
        pid = holder(os.path.join(folder_of(folder), LOCK))
        series = store.rows("select symbol, interval, last, close from series order by symbol, interval")
        return {
            "running": pid is not None,
            "pid": pid or None,
            "halted": risk.halted(store),
            "series": [
                {"symbol": row["symbol"], "interval": row["interval"], "bar": rfc3339(row["last"])} for row in series
            ],
            "alerts": store.count("alert"),
            "fired": store.count("firing"),
            "orders": {
                "pending": store.count("paper_order", state=PENDING),
                "open": store.count("paper_order", state=OPEN),
            },
            "positions": store.count("position"),
            "strategies": strategies.listing(store, OWNER),
            "outbox": outbox.counts(store, _now("")),
        }


def history(folder: str | None, most: int, before: int | None = None) -> list[audit_log.AuditLine]:
    """Return the last `most` lines of the audit log, oldest first. With `before`, return only lines with smaller
    numbers.

    Raises UsageError if there is no state of an engine.
    """
    with closing(EngineStore(folder, beside=True)) as store:
        return audit_log.page(store, None, most, before)


def halt(folder: str | None, reason: str) -> int:
    """Halt all paper trading, and return the number of orders that ended. The halt takes effect immediately, even in a
    running engine.

    Raises UsageError if there is no state, and for a reason that is empty or too long.
    """
    with closing(EngineStore(folder, beside=True)) as store:
        return switch.halt(store, reason, _now)


def resume(folder: str | None) -> bool:
    """Resume trading. Return whether it was halted. Raises UsageError if there is no state."""
    with closing(EngineStore(folder, beside=True)) as store:
        return switch.resume(store, _now)


def trade(folder: str | None, symbol: str, interval: str | None, source: str, inputs: Mapping[str, Any]) -> str:
    """Start a strategy on the owner's paper account from the next bar on, and return its id.

    If `interval` is None, the engine must follow the symbol in exactly one interval, on which the strategy then trades.
    Raises UsageError if the script is not a strategy or does not compile, and for a series that the engine does not
    follow.
    """
    strategies.check(source)
    with closing(EngineStore(folder, beside=True)) as store:
        known = [(row["symbol"], row["interval"]) for row in store.rows("select symbol, interval from series")]
        of_symbol = [key for key in known if key[0] == symbol.upper()]
        wanted = [key for key in of_symbol if interval is None or key == key_of(symbol, interval)]
        if len(wanted) != 1:
            there = ", ".join(" ".join(key) for key in sorted(of_symbol or known)[:20]) or "nothing yet"
            what = "is followed in several intervals" if len(wanted) > 1 else "is not followed"
            raise UsageError(f"{symbol[:40]} {what}", f"the engine follows {there}; choose one with --interval")
        return strategies.start(store, OWNER, wanted[0], source, inputs, _now("")).id


def stop(folder: str | None, id: str) -> None:
    """End a strategy of the owner; its position stays open. Raises UsageError if no strategy with this id is
    running."""
    with closing(EngineStore(folder, beside=True)) as store:
        strategies.stop(store, OWNER, id, _now(""))


def _now(symbol: str) -> int:
    del symbol
    return int(time.time() * 1000)
