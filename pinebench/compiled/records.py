"""Reads the trades, the fills and the account of a run from its memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pinebench.broker import ClosedTrade, Records, Trade, figures
from pinebench.compiled import trading as t

_NAMES = {t.CLOSE_POSITION: "Close position order", t.MARGIN_CALL: "Margin call"}


def _table(memory: Any, vector: int, size: int) -> Any:
    """The records of a vector as the rows of a table of numpy."""
    place, count = int(memory[vector]), int(memory[vector + t.VECTOR_COUNT])
    return memory[place : place + count * size].reshape(count, size)


def _words(texts: Sequence[str]) -> Callable[[float], str]:
    """A function that returns the text for its number, or the id that the broker gives to an order of its own."""
    known: dict[float, str] = {float(number): each for number, each in enumerate(texts)}
    known.update((-1.0 - number, f"Close entry(s) order {each}") for number, each in enumerate(texts))
    known.update(_NAMES)
    return known.__getitem__


def profits_of(memory: Any) -> list[float]:
    """The profits of the closed trades of a run."""
    place, count = int(memory[t.CLOSED]), int(memory[t.CLOSED + t.VECTOR_COUNT])
    return memory[place + t.CLOSED_PROFIT : place + t.CLOSED_PROFIT + count * t.CLOSED_TRADE : t.CLOSED_TRADE].tolist()[
        :count
    ]


def columns_of(memory: Any) -> figures.Columns:
    """The closed trades of a run as columns."""
    import numpy

    trades = _table(memory, t.CLOSED, t.CLOSED_TRADE)
    if not len(trades):
        return figures.Columns([], [], [], [], [], [])
    profits, values = trades[:, t.CLOSED_PROFIT], trades[:, t.CLOSED_VALUE] + trades[:, t.CLOSED_ENTRY_FEE]
    percents = numpy.where(values != 0.0, 100 * profits / numpy.where(values != 0.0, values, 1.0), 0.0)
    is_call = trades[:, t.CLOSED_EXIT_ID] == t.MARGIN_CALL
    calls: list[tuple[float, float] | None] = [None] * len(trades)
    for k in is_call.nonzero()[0].tolist():
        calls[k] = (float(trades[k, 9]), float(trades[k, 10]))
    return figures.Columns(
        trades[:, t.CLOSED_SIDE].tolist(),
        profits.tolist(),
        percents.tolist(),
        trades[:, t.CLOSED_COMMISSION].tolist(),
        (trades[:, t.CLOSED_EXIT_BAR] - trades[:, t.CLOSED_ENTRY_BAR] + 1).tolist(),
        calls,
    )


def first_entry(memory: Any) -> tuple[float, float] | None:
    """The bar and the price of the first entry of a run; None if there is no trade."""
    entries = [*_table(memory, t.CLOSED, t.CLOSED_TRADE)[:, 4:6].tolist(), *(row[5:3:-1] for row in _open_rows(memory))]
    return figures.first_entry(entries)


def open_trades(memory: Any, times: Sequence[int], texts: Sequence[str]) -> list[Trade]:
    """The open trades of a run. `times` are the opening times of the bars, `texts` the texts by their numbers."""
    text = _words(texts)
    return [_open(row, times, text) for row in _open_rows(memory)]


def _open_rows(memory: Any) -> list[list[float]]:
    places = [t.TRADES + int(memory[t.OPEN + k]) * t.TRADE for k in range(int(memory[t.N_OPEN]))]
    return [memory[place : place + t.TRADE].tolist() for place in places]


def closed_trades(memory: Any, times: Sequence[int], texts: Sequence[str]) -> list[ClosedTrade]:
    """The closed trades of a run. `times` are the opening times of the bars, `texts` the texts by their numbers."""
    text = _words(texts)
    return [
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
            *row[11:18],
        )
        for row in _table(memory, t.CLOSED, t.CLOSED_TRADE).tolist()
    ]


def records_of(memory: Any, times: Sequence[int], texts: Sequence[str]) -> Records:
    """The records of a run. `times` are the opening times of the bars, `texts` the texts by their numbers."""
    text = _words(texts)
    changes: list[Any] = [
        (int(row[0]), row[1], int(row[2]), *row[3:7]) for row in _table(memory, t.CHANGES, t.CHANGE).tolist()
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
        for row in _table(memory, t.FILLS, t.FILL).tolist()
    ]
    return Records(
        closed_trades(memory, times, texts),
        open_trades(memory, times, texts),
        float(memory[t.NET_PROFIT]),
        tuple(memory[[t.SIZE, t.AVERAGE, t.COST, t.FEES]].tolist()),
        changes,
        fills,
        int(memory[t.WALK_BAR]),
        int(memory[t.WALK_NEXT]),
        int(memory[t.SMALL_ORDERS]),
    )


def _open(row: list[float], times: Sequence[int], text: Any) -> Trade:
    bar = int(row[5])
    trade = Trade(
        int(row[0]), text(row[1]), text(row[2]), row[3], row[4], bar, times[bar], int(row[6]), row[7], row[8], row[9]
    )
    trade.done = frozenset(text(number) for number in row[15 : 15 + int(row[14])])
    trade.highest, trade.lowest, trade.seen, trade.reached = row[10], row[11], int(row[12]), int(row[13])
    return trade
