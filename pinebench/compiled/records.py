"""Reads the trades, the fills and the account of a run from its memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pinebench.broker import ClosedTrade, Records, Trade
from pinebench.compiled import trading as t

_NAMES = {t.CLOSE_POSITION: "Close position order", t.MARGIN_CALL: "Margin call"}


def _rows(memory: Any, vector: int, size: int) -> list[list[float]]:
    place, count = int(memory[vector]), int(memory[vector + 1])
    return memory[place : place + count * size].reshape(count, size).tolist()


def profits_of(memory: Any) -> list[float]:
    """The profits of the closed trades of a run."""
    place, count = int(memory[t.CLOSED]), int(memory[t.CLOSED + 1])
    return memory[place + 11 : place + 11 + count * t.CLOSED_TRADE : t.CLOSED_TRADE].tolist()[:count]


def records_of(memory: Any, times: Sequence[int], texts: Sequence[str], *, is_measured: bool = False) -> Records:
    """The records of a run. `times` are the opening times of the bars, `texts` the texts by their numbers.

    If the run `is_measured` (`trading.measure`), the extremes of the account are given in place of the account after
    each fill; the fills, which only alerts need, are left out.
    """
    known: dict[float, str] = {float(number): each for number, each in enumerate(texts)}
    known.update((-1.0 - number, f"Close entry(s) order {each}") for number, each in enumerate(texts))
    known.update(_NAMES)
    text = known.__getitem__

    closed = [
        ClosedTrade(
            int(row[0]),
            row[1],
            text(row[2]),
            text(row[3]),
            int(row[4]),
            times[int(row[4])],
            row[5],
            text(row[6]),
            text(row[7]),
            text(row[8]),
            int(row[9]),
            times[int(row[9])],
            row[10],
            *row[11:16],
        )
        for row in _rows(memory, t.CLOSED, t.CLOSED_TRADE)
    ]
    changes: list[Any] = [
        (int(row[0]), row[1], int(row[2]), *row[3:7])
        for row in (() if is_measured else _rows(memory, t.CHANGES, t.CHANGE))
    ]
    fills = [
        (
            int(row[0]),
            times[int(row[0])],
            text(row[1]),
            "buy" if row[2] > 0 else "sell",
            row[3],
            row[4],
            row[5],
            text(row[6]),
            text(row[7]),
        )
        for row in (() if is_measured else _rows(memory, t.FILLS, t.FILL))
    ]
    places = [t.TRADES + int(memory[t.OPEN + k]) * t.TRADE for k in range(int(memory[t.N_OPEN]))]
    return Records(
        closed,
        [_open(memory[place : place + t.TRADE].tolist(), times, text) for place in places],
        float(memory[t.NET_PROFIT]),
        tuple(memory[[t.SIZE, t.AVERAGE, t.COST, t.FEES]].tolist()),
        changes,
        fills,
        int(memory[t.WALK_BAR]),
        int(memory[t.WALK_NEXT]),
        int(memory[t.SMALL_ORDERS]),
        tuple(memory[t.MEASURED : t.MEASURED + 6].tolist()) if is_measured else None,
    )


def _open(row: list[float], times: Sequence[int], text: Any) -> Trade:
    bar = int(row[5])
    trade = Trade(
        int(row[0]), text(row[1]), text(row[2]), row[3], row[4], bar, times[bar], int(row[6]), row[7], row[8], row[9]
    )
    trade.done = frozenset(text(number) for number in row[15 : 15 + int(row[14])])
    trade.highest, trade.lowest, trade.seen, trade.reached = row[10], row[11], int(row[12]), int(row[13])
    return trade
