"""The list of trades: as plain rows, and as CSV in the format of TradingView's export. Also reads such exports."""

from __future__ import annotations

import csv
import datetime
import io
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from pinebench.errors import UsageError
from pinebench.execution.backtest import Backtest
from pinebench.files import tables

_SIDES = {1: "long", -1: "short"}
_MINUTE = "%Y-%m-%d %H:%M"


def rows(tested: Backtest) -> list[dict[str, Any]]:
    """A dictionary for each trade, closed trades first. Open trades have None for their exit.

    Times are milliseconds UTC. Money is in the account's currency. `run_up` and `drawdown` are not negative.
    """
    told = [
        {
            "number": number,
            "side": _SIDES[one.side],
            "qty": one.quantity,
            "entry_time": one.entry_time,
            "entry_price": one.entry_price,
            "entry_signal": one.entry_signal,
            "exit_time": one.exit_time,
            "exit_price": one.exit_price,
            "exit_signal": one.exit_signal,
            "profit": one.profit,
            "run_up": one.run_up,
            "drawdown": one.drawdown,
        }
        for number, one in enumerate(tested.trades, 1)
    ]
    still = zip(tested.open_trades, tested.open_figures, strict=True)
    for number, (one, (profit, run_up, drawdown)) in enumerate(still, len(told) + 1):
        told.append(
            {
                "number": number,
                "side": _SIDES[one.side],
                "qty": one.quantity,
                "entry_time": one.time,
                "entry_price": one.price,
                "entry_signal": one.comment or one.id,
                "exit_time": None,
                "exit_price": None,
                "exit_signal": None,
                "profit": profit,
                "run_up": run_up,
                "drawdown": drawdown,
            }
        )
    return told


def as_csv(tested: Backtest) -> str:
    """The list as CSV in the format of TradingView's export: two rows for each trade, times in UTC."""
    last = tested.bars.time[-1] if tested.bars.time else 0
    known = [(row, tested.point_value, last) for row in rows(tested)]
    text = table(known, f" {tested.symbol.currency}", tested.currency, tested.initial_capital)
    return marked(text) if tested.symbol.is_made_up else text


def marked(text: str) -> str:
    """A list of trades with a last column that says that the prices are made up."""
    head, *lines = text.splitlines()
    return "\n".join([f"{head},Prices", *(f"{line},made up" for line in lines)]) + "\n"


def table(
    known: Iterable[tuple[dict[str, Any], float, int]], price: str, money: str, capital: float, *owners: str
) -> str:
    """Trades as CSV: rows, each with its symbol's point value and the time of its last bar.

    `price` is the text after the title of prices, `money` the account's currency. `owners` are further keys of a row
    that are written after its number.
    """
    lines: list[list[object]] = [
        [
            *("Trade #", *(each.capitalize() for each in owners), "Type", "Date and time", "Signal"),
            *(f"Price{price}", "Size (qty)", "Size (value)"),
            *(f"Net P&L {money}", "Net P&L %", f"Favorable excursion {money}", "Favorable excursion %"),
            *(f"Adverse excursion {money}", "Adverse excursion %", f"Cumulative P&L {money}", "Cumulative P&L %"),
        ]
    ]
    total = 0.0
    for row, worth, last in known:
        value = row["entry_price"] * row["qty"] * worth
        total += row["profit"]
        figures = [value]
        for amount in (row["profit"], row["run_up"], -row["drawdown"]):
            figures += [amount, 100 * amount / value if value else 0.0]
        figures += [total, 100 * total / capital]
        is_open = row["exit_time"] is None
        ends = [
            (
                "Exit",
                last if is_open else row["exit_time"],
                "Open" if is_open else row["exit_signal"],
                row["exit_price"],
            ),
            ("Entry", row["entry_time"], row["entry_signal"], row["entry_price"]),
        ]
        for kind, time, signal, at in ends:
            number = "" if at is None else _number(at)
            cells = [
                row["number"],
                *(row[each] for each in owners),
                f"{kind} {row['side']}",
                _moment(time),
                signal,
                number,
                _number(row["qty"]),
            ]
            lines.append([*cells, *(_number(round(one, 8) + 0.0) for one in figures)])
    return tables.as_csv(lines)


def _number(value: float) -> str:
    return repr(value).removesuffix(".0")


def _moment(time: int) -> str:
    return datetime.datetime.fromtimestamp(time / 1000, datetime.UTC).strftime(_MINUTE)


class Listed(NamedTuple):
    """A closed trade of an export. Times are in milliseconds, in the unknown time zone of the export."""

    number: int
    side: str
    quantity: float
    entry_time: int
    entry_price: float
    entry_signal: str
    exit_time: int
    exit_price: float
    exit_signal: str


def read(text: str, name: str) -> list[Listed]:
    """The closed trades of a list that TradingView's tester exported, sorted by number. `name` is the file's name.

    Raises UsageError with the line if it cannot be read.
    """
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    columns = {key: _column(name, reader.fieldnames or (), key) for key in _HEADS}
    halves: dict[int, dict[str, tuple[int, float, str, str, float]]] = {}
    for row in reader:
        half = _half(row, columns, f"{name}, line {reader.line_num}")
        if half is not None:
            number, kind, side, rest = half
            halves.setdefault(number, {})[kind] = (*rest[:3], side, rest[3])
    return sorted(_pairs(halves), key=lambda one: one.number)


_HEADS = {
    "number": re.compile(r"trade (#|number)", re.I),
    "type": re.compile(r"type", re.I),
    "time": re.compile(r"date(/| and )time", re.I),
    "signal": re.compile(r"signal", re.I),
    "price": re.compile(r"price.*", re.I),
    "quantity": re.compile(r"(position )?size \(qty\)|qty|quantity|contracts", re.I),
}
"""The titles of the columns. TradingView has changed their spelling several times."""
_TITLES = dict(zip(_HEADS, ("Trade #", "Type", "Date/Time", "Signal", "Price", "Contracts"), strict=True))
"""A title of each column for messages."""


def _column(name: str, heads: Iterable[str], key: str) -> str:
    found = next((head for head in heads if _HEADS[key].fullmatch(head.strip())), None)
    if found is None:
        raise UsageError(
            f"{name}, line 1: there is no column '{_TITLES[key]}'",
            "expected the list of trades as TradingView's strategy tester exports it",
        )
    return found


def _half(
    row: dict[str, str], columns: dict[str, str], place: str
) -> tuple[int, str, str, tuple[int, float, str, float]] | None:
    """One row: the number of its trade, `Entry` or `Exit`, the side, its values. None if the trade is still open."""
    kind, _, side = (row[columns["type"]] or "").strip().partition(" ")
    signal = tables.original(row[columns["signal"]] or "").strip()
    if (kind == "Exit" and signal == "Open") or not (row[columns["price"]] or "").strip():
        return None
    try:
        number = int(row[columns["number"]])
        price = float(row[columns["price"]].replace(",", ""))
        quantity = abs(float((row[columns["quantity"]] or "").replace(",", "")))
        moment = _read_moment(row[columns["time"]])
    except (TypeError, ValueError):
        raise UsageError(f"{place}: is not a row of a trade", "expected number, type, time, price and size") from None
    if kind not in ("Entry", "Exit") or side not in ("long", "short"):
        raise UsageError(f"{place}: '{kind} {side}' is neither an entry nor an exit")
    return number, kind, side, (moment, price, signal, quantity)


def _read_moment(text: str) -> int:
    moment = datetime.datetime.fromisoformat(text.strip())
    zoned = moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)
    return round(zoned.timestamp() * 1000)


def _pairs(halves: dict[int, dict[str, tuple[int, float, str, str, float]]]) -> Iterable[Listed]:
    for number, parts in halves.items():
        if "Entry" in parts and "Exit" in parts:
            entry, leave = parts["Entry"], parts["Exit"]
            yield Listed(number, entry[3], entry[4], *entry[:3], *leave[:3])
