"""Reads the trades, the fills and the account of a run from its memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

from pinebench.broker import CLOSE_WORDS, ClosedTrade, ComputedRun, Trade, TradeColumns, figures
from pinebench.compiled import layouts as t
from pinebench.compiled import lists

_NAMES = {number: word for word, number in t.OWN_IDS.items()}
_CLOSED_COUNT = t.POSITION.closed + lists.COUNT
_CLOSED_PLACES = t.CLOSED_TRADE.places


def _table(memory: Any, place: int, record: t.Layout) -> Any:
    """Return the records of a table as the rows of a numpy array."""
    at, count = memory[place + lists.AT : place + lists.BEGIN].view("int64").tolist()
    return memory[at : at + count].reshape(count // record.places, record.places)


def _words(texts: Sequence[str]) -> Callable[[float], str]:
    """Return a function that maps a number to its text, or to the id that the broker gives to one of its own orders."""
    known: dict[float, str] = {float(number): each for number, each in enumerate(texts)}
    known.update((-1.0 - number, f"{CLOSE_WORDS}{each}") for number, each in enumerate(texts))
    known.update(_NAMES)
    return known.__getitem__


def closed_count(memory: Any) -> int:
    """Return the number of closed trades of a run."""
    return memory.view("int64").item(_CLOSED_COUNT) // _CLOSED_PLACES


def profits_of(memory: Any) -> list[float]:
    """Return the profit of each closed trade of a run, in the account's currency."""
    return _table(memory, t.POSITION.closed, t.CLOSED_TRADE)[:, t.CLOSED_TRADE.profit].tolist()


def columns_of(memory: Any) -> TradeColumns:
    """Return the columns of the closed trades, which `RunMemory.measure` computes after the run."""
    made = TradeColumns()
    for name in made.__slots__:
        setattr(made, name, _items(memory, getattr(t.COLUMNS, name)))
    return made


def first_entry(memory: Any) -> tuple[float, float] | None:
    """Return the bar and the price of the first entry of a run; None without a trade."""
    place = t.CLOSED_TRADE
    entries = _table(memory, t.POSITION.closed, place)[:, [place.entry_bar, place.entry_price]].tolist()
    entries += [[row[t.TRADE.bar], row[t.TRADE.price]] for row, _ in _open_rows(memory)]
    return figures.first_entry(entries)


def open_trades(memory: Any, times: Sequence[int], texts: Sequence[str]) -> list[Trade]:
    """Return the open trades of a run. `times` are the opening times of the bars in milliseconds UTC, and `texts` is
    the run's string table (its strings by number)."""
    text = _words(texts)
    return [_open(row, done, times, text) for row, done in _open_rows(memory)]


def _open_rows(memory: Any) -> list[tuple[list[float], list[float]]]:
    """Return the open trades of a run: the fields of each, and the ids of the exits that were filled for it."""
    done = t.TRADE.done
    found: list[tuple[list[float], list[float]]] = []
    for place in _items(memory, t.POSITION.open, whole=True):
        found.append((memory[place : place + t.TRADE.places].tolist(), _items(memory, place + done)))
    return found


def _items(memory: Any, place: int, *, whole: bool = False) -> list[Any]:
    """Return the items of a list (`lists`). `whole` says that they are ints."""
    at, count = memory[place + lists.AT : place + lists.BEGIN].view("int64").tolist()
    items = memory[at : at + count]
    return (items.view("int64") if whole else items).tolist()


def _values(cls: type, record: t.Layout, text: Callable[[float], str]) -> Callable[[Sequence[float]], dict[str, Any]]:
    """Return a function that maps a record to its fields by name, with the types that Python has."""
    kinds = {"int": int, "str": text, "bool": bool}
    names = [field for field in fields(cls) if isinstance(record.kinds.get(field.name), str)]
    made = [(field.name, kinds.get(str(field.type), float)) for field in names]
    columns = [(name, record.offsets[name], convert) for name, convert in made]
    return lambda row: {name: convert(row[offset]) for name, offset, convert in columns}


def closed_trades(memory: Any, times: Sequence[int], texts: Sequence[str]) -> list[ClosedTrade]:
    """Return the closed trades of a run. `times` are the opening times of the bars in milliseconds UTC, and `texts` is
    the run's string table (its strings by number)."""
    values = _values(ClosedTrade, t.CLOSED_TRADE, _words(texts))
    entry, exit = t.CLOSED_TRADE.entry_bar, t.CLOSED_TRADE.exit_bar
    return [
        ClosedTrade(entry_time=times[int(row[entry])], exit_time=times[int(row[exit])], **values(row))
        for row in _table(memory, t.POSITION.closed, t.CLOSED_TRADE).tolist()
    ]


def records_of(memory: Any, times: Sequence[int], texts: Sequence[str]) -> ComputedRun:
    """Return the trades, the fills and the account of a run. `times` are the opening times of the bars in milliseconds
    UTC, and `texts` is the run's string table (its strings by number)."""
    text = _words(texts)
    return ComputedRun(
        closed_trades(memory, times, texts),
        open_trades(memory, times, texts),
        float(memory[t.ACCOUNT.net_profit]),
        tuple(memory[[t.POSITION.size, t.POSITION.average, t.POSITION.cost, t.POSITION.fees]].tolist()),
        [_change(t.CHANGE.named(row)) for row in _table(memory, t.LEDGER._changes, t.CHANGE).tolist()],
        [_fill(t.FILL.named(row), times, text) for row in _table(memory, t.FILLER._fills, t.FILL).tolist()],
        int(memory[t.WALK.bar]),
        int(memory[t.WALK.next]),
        int(memory[t.CALLS.small_orders]),
        int(memory[t.ACCOUNT.cut_orders]),
        int(memory[t.ACCOUNT.uncovered]),
    )


def _change(row: dict[str, float]) -> Any:
    return int(row["bar"]), row["price"], int(row["next"]), row["money"], row["fees"], row["size"], row["cost"]


def _fill(row: dict[str, float], times: Sequence[int], text: Callable[[float], str]) -> tuple[Any, ...]:
    bar, side = int(row["bar"]), "buy" if row["action"] > 0 else "sell"
    told = row["quantity"], row["price"], row["position"], text(row["message"]), text(row["comment"])
    return bar, times[bar], text(row["id"]), side, *told


def _open(row: list[float], done: list[float], times: Sequence[int], text: Callable[[float], str]) -> Trade:
    trade = Trade(time=times[int(row[t.TRADE.bar])], **_values(Trade, t.TRADE, text)(row))
    trade.done = [text(number) for number in done]
    return trade
