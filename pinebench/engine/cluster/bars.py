"""The closed bars of series and the properties of their symbols, as the feed stores them in the log."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import NamedTuple

from pinebench.engine.cluster.log import ClusterLog, Lease, NewEntry, bars_of
from pinebench.engine.series import Key
from pinebench.market import Bars, SymbolInfo

SERIES = "series"
"""The key of the value with the properties of all series."""
KEPT_BARS = 50_000
"""The approximate number of entries with closed bars that are kept for a series."""
_AT_ONCE = 5_000
Row = tuple[int, int, float, float, float, float, float]
"""A closed bar: when it opened and ended, open, high, low, close and volume."""


class SymbolClock(NamedTuple):
    """The properties of a symbol, and two clocks read together: the market's time `now` and the message broker's time
    `at`, both in milliseconds UTC."""

    info: SymbolInfo
    now: int
    at: int


def series_in(log: ClusterLog) -> dict[Key, SymbolClock]:
    """Return the series whose bars are in the log, each with the properties and the clock of its symbol."""
    found = log.get(SERIES)
    if found is None:
        return {}
    rows = json.loads(found)
    return {(symbol, interval): SymbolClock(SymbolInfo.of(told), *times) for symbol, interval, told, *times in rows}


def put_series(log: ClusterLog, series: dict[Key, SymbolClock], lease: Lease) -> None:
    """Write the properties of all series to the log. Raises Stale if the lease has expired."""
    rows = [[*key, asdict(one.info), one.now, one.at] for key, one in series.items()]
    log.put(SERIES, json.dumps(rows).encode(), lease)


def part_of(key: Key, rows: Sequence[Row]) -> NewEntry:
    """Return a log entry with closed bars of a series."""
    return NewEntry(bars_of(*key), json.dumps(rows).encode(), KEPT_BARS)


def history_of(
    log: ClusterLog, key: Key, updates: int | None = None, *, most: int = KEPT_BARS, since: int | None = None
) -> tuple[Bars, list[int]]:
    """Return the closed bars of a series from the log, and the closing time of each bar.

    They include at least the last `most` bars, and all bars that opened after `since`. With `updates`, the number of an
    entry in the stream of updates, only bars that were added with it or earlier are returned.
    """
    stream = bars_of(*key)
    first, last = log.ends(stream)
    begin = max(first - 1, last - most)
    bars, ends = _read(log, stream, begin, last, updates)
    if begin >= first and since is not None and (not bars.time or bars.time[0] > since):
        return _read(log, stream, first - 1, last, updates)
    return bars, ends


def _read(log: ClusterLog, stream: str, number: int, last: int, updates: int | None) -> tuple[Bars, list[int]]:
    bars, ends = Bars(), list[int]()
    while number < last:
        entries = log.read({stream: number}, _AT_ONCE, 0)[stream]
        for entry in entries:
            # The first entry is the history; each other one was added together with the update behind `seen`.
            if updates is not None and entry.number > 1 and entry.seen >= updates:
                return bars, ends
            for time, end, *prices in json.loads(entry.body):
                bars.append(time, *prices)
                ends.append(end)
        if not entries:
            break
        number = entries[-1].number
    return bars, ends


def last_time(log: ClusterLog, key: Key) -> int | None:
    """Return the opening time of the last closed bar of a series, or None if there is none."""
    stream = bars_of(*key)
    entry = log.entry(stream, log.ends(stream)[1])
    return None if entry is None else json.loads(entry.body)[-1][0]
