"""Caches closed bars of feeds on disk, so that only new bars are fetched."""

from __future__ import annotations

import contextlib
import math
import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from typing import NamedTuple

from pinebench import config
from pinebench.market.feeds.candles import Candle

_FILE = "bars.sqlite3"
_SCHEMA = """
create table if not exists span (feed text, symbol text, step text, since integer not null,
    primary key (feed, symbol, step)) without rowid;
create table if not exists bar (feed text, symbol text, step text, time integer, end integer not null,
    open real not null, high real not null, low real not null, close real not null, volume real,
    primary key (feed, symbol, step, time)) without rowid;
"""


class CacheKey(NamedTuple):
    """The key of cached bars: one symbol of a feed in one timeframe that the service itself offers."""

    feed: str
    symbol: str
    step: str


class CandleStore:
    """The cache file of bars. Errors, such as a full disk, are ignored; in that case, all bars are fetched again."""

    def __init__(self, folder: str | None = None) -> None:
        self._folder = folder or os.path.join(config.cache_folder(), "bars")

    def read(self, key: CacheKey, since: int) -> list[Candle]:
        """Return the cached closed bars from `since` (ms UTC) on, oldest first; empty if the cache begins later."""
        with contextlib.suppress(sqlite3.Error, OSError), closing(self._opened()) as db:
            kept = db.execute("select since from span where feed = ? and symbol = ? and step = ?", key).fetchone()
            if kept is None or kept[0] > since:
                return []
            rows = db.execute(
                "select time, end, open, high, low, close, volume from bar"
                " where feed = ? and symbol = ? and step = ? and time >= ? order by time",
                (*key, since),
            )
            return [Candle._make((*row[:-1], math.nan if row[-1] is None else row[-1])) for row in rows]
        return []

    def write(self, key: CacheKey, since: int, closed: Sequence[Candle]) -> None:
        """Replace the cached bars from `since` (milliseconds UTC) on with `closed`.

        Older bars stay only if they reach up to `since`; if not, bars in between could be missing.
        """
        with contextlib.suppress(sqlite3.Error, OSError), closing(self._opened()) as db, db:
            of_key = "feed = ? and symbol = ? and step = ?"
            kept = db.execute(f"select since from span where {of_key}", key).fetchone()
            until = db.execute(f"select max(end) from bar where {of_key}", key).fetchone()[0]
            joins = until is not None and until >= since
            first = min(kept[0], since) if joins and kept is not None else since
            db.execute(f"delete from bar where {of_key} and time >= ?", (*key, since if joins else -(1 << 62)))
            rows = [(*key, *each[:-1], None if math.isnan(each.volume) else each.volume) for each in closed]
            db.executemany("insert into bar values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
            db.execute("insert or replace into span values (?, ?, ?, ?)", (*key, first))

    def forget(self, key: CacheKey) -> None:
        """Delete all bars of a key."""
        with contextlib.suppress(sqlite3.Error, OSError), closing(self._opened()) as db, db:
            for table in ("bar", "span"):
                db.execute(f"delete from {table} where feed = ? and symbol = ? and step = ?", key)

    def _opened(self) -> sqlite3.Connection:
        os.makedirs(self._folder, mode=0o700, exist_ok=True)
        db = sqlite3.connect(os.path.join(self._folder, _FILE), timeout=5)
        db.executescript(f"pragma journal_mode = wal; {_SCHEMA}")
        return db
