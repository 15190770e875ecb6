"""The list of trades, as rows and as CSV in TradingView's export format. Also reads such exports."""

from __future__ import annotations

import contextlib
import csv
import datetime
import io
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from pinebench import files
from pinebench.backtesting.backtest import BacktestRun
from pinebench.broker import percent_of_entry
from pinebench.calendars.dates import minute_text
from pinebench.calendars.zones import local
from pinebench.errors import UsageError
from pinebench.files import csv_text, workbook
from pinebench.market import numerals, separator_of
from pinebench.totals import total

_SIDES = {1: "long", -1: "short"}
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def rows(tested: BacktestRun) -> list[dict[str, Any]]:
    """Return a dictionary for each trade, closed trades first. The exit fields of an open trade are None.

    Times are in milliseconds UTC. Money is in the account's currency, and a percentage of 1 means 1 %. `run_up` and
    `drawdown` are not negative. Percentages refer to the entry's value plus its commission. `cumulative_profit` is the
    profit of the closed trades so far, minus the entry commissions of the trades that were then open; the row of an
    open trade adds its own profit.
    """
    told: list[dict[str, Any]] = []
    earned = 0.0
    for number, one in enumerate(tested.trades, 1):
        earned += one.profit
        entry = one.entry_time, one.entry_price, one.entry_signal
        exit = one.exit_time, one.exit_price, one.exit_signal
        figures = one.profit, one.run_up, one.drawdown, one.invested
        told.append(_row(number, one.side, one.quantity, entry, exit, figures, earned - one.open_fees))
    earned -= total(one.fee for one in tested.open_trades)
    still = zip(tested.open_trades, tested.open_figures, strict=True)
    for number, (one, figures) in enumerate(still, len(told) + 1):
        earned += figures[0]
        entry = one.time, one.price, one.comment or one.id
        told.append(_row(number, one.side, one.quantity, entry, (None, None, None), figures, earned))
    return told


def _row(
    number: int,
    side: int,
    quantity: float,
    entry: tuple[int, float, str],
    exit: tuple[int | None, float | None, str | None],
    figures: tuple[float, float, float, float],
    earned: float,
) -> dict[str, Any]:
    """Return the row of a trade. `entry` and `exit` are time, price and signal; `figures` are profit, run-up,
    drawdown and the cost of the entry."""
    profit, run_up, drawdown, invested = figures
    return {
        "number": number,
        "side": _SIDES[side],
        "qty": quantity,
        **dict(zip(("entry_time", "entry_price", "entry_signal"), entry, strict=True)),
        **dict(zip(("exit_time", "exit_price", "exit_signal"), exit, strict=True)),
        **_with_percents({"profit": profit, "run_up": run_up, "drawdown": drawdown}, invested),
        "cumulative_profit": earned,
    }


def groups(tested: BacktestRun) -> list[dict[str, Any]]:
    """Group the closed trades by signal, weekday and hour of their entries, in the exchange's time zone.

    Return one dictionary for each grouping: `by` is its name. `groups` has the name, the number of trades, the number
    of wins and the profit of each group, with weekdays and hours in order of time. Daily and longer bars have no hours.
    """
    zone, is_intraday = tested.symbol.timezone, tested.symbol.timeframe[-1:] not in "DWM"
    clocks = [local(one.entry_time, zone) for one in tested.trades]
    names: dict[str, list[tuple[int, str]]] = {"Signal": [(0, one.entry_signal) for one in tested.trades]}
    names["Weekday"] = [(clock.weekday(), _WEEKDAYS[clock.weekday()]) for clock in clocks]
    if is_intraday:
        names["Hour"] = [(clock.hour, f"{clock.hour:02}:00") for clock in clocks]
    return [{"by": by, "groups": _grouped(tested, each)} for by, each in names.items()]


def _grouped(tested: BacktestRun, names: list[tuple[int, str]]) -> list[dict[str, Any]]:
    """Group the closed trades by `names`, which has a sort index and a name for each trade."""
    found: dict[tuple[int, str], list[float]] = {}
    for name, one in zip(names, tested.trades, strict=True):
        found.setdefault(name, []).append(one.profit)
    return [
        {"name": name, "trades": len(profits), "wins": sum(profit > 0 for profit in profits), "profit": total(profits)}
        for (_, name), profits in sorted(found.items(), key=lambda each: each[0][0])
    ]


def _with_percents(amounts: dict[str, float], invested: float) -> dict[str, float]:
    found = dict(amounts)
    for name, amount in amounts.items():
        found[f"{name}_percent"] = percent_of_entry(amount, invested)
    return found


def as_csv(tested: BacktestRun) -> str:
    """Return the list as CSV in TradingView's export format: two rows for each trade, with times in UTC."""
    last = tested.bars.time[-1] if tested.bars.time else 0
    known = [(row, tested.point_value, last) for row in rows(tested)]
    symbol = tested.symbol
    price, made_up = "" if "currency" in symbol.assumed else symbol.currency, symbol.is_made_up
    return table(known, price, tested.currency, tested.initial_capital, made_up=made_up)


def marked(rows: Sequence[Sequence[object]]) -> list[list[object]]:
    """Add a last column which states that the prices are invented. The first row has the column titles."""
    return [[*row, "made up" if number else "Prices"] for number, row in enumerate(rows)]


def table(
    known: Iterable[tuple[dict[str, Any], float, int]],
    price: str,
    money: str,
    capital: float,
    *owners: str,
    made_up: bool = False,
) -> str:
    """Return trades as CSV. `known` has each trade's row, its symbol's point value, and the time of its last bar.

    `price` is the currency of prices, and `money` the account's currency; if empty, the titles contain no currency.
    `capital` is the initial capital. `owners` are keys of additional cells, which follow the trade's number. With
    `made_up`, a last column states that the prices are invented. Values are rounded as in TradingView's export.
    """
    price, money = (f" {each}" if each else "" for each in (price, money))
    lines: list[list[object]] = [
        [
            *("Trade #", *(each.capitalize() for each in owners), "Type", "Date and time", "Signal"),
            *(f"Price{price}", "Size (qty)", "Size (value)"),
            *(f"Net P&L{money}", "Net P&L %", f"Favorable excursion{money}", "Favorable excursion %"),
            *(f"Adverse excursion{money}", "Adverse excursion %", f"Cumulative P&L{money}", "Cumulative P&L %"),
        ]
    ]
    for row, worth, last in known:
        lines += _lines(row, worth, last, capital, owners)
    return csv_text.as_csv(marked(lines) if made_up else lines)


def _lines(row: dict[str, Any], worth: float, last: int, capital: float, owners: Iterable[str]) -> list[list[object]]:
    """Return the two lines of a trade: its exit, then its entry."""
    figures = [_number(round(row["entry_price"] * row["qty"] * worth, 8))]
    for name, sign in (("profit", 1), ("run_up", 1), ("drawdown", -1)):
        figures += [_money(sign * row[name]), _percent(sign * row[f"{name}_percent"])]
    earned = row["cumulative_profit"]
    figures += [_money(earned), _percent(100 * earned / capital)]
    is_open = row["exit_time"] is None
    end = (last, "Open") if is_open else (row["exit_time"], row["exit_signal"])
    ends = [("Exit", *end, row["exit_price"]), ("Entry", row["entry_time"], row["entry_signal"], row["entry_price"])]
    return [
        [
            *(row["number"], *(row[each] for each in owners), f"{kind} {row['side']}", minute_text(time), signal),
            *("" if at is None else _number(at), _number(row["qty"]), *figures),
        ]
        for kind, time, signal, at in ends
    ]


def _number(value: float) -> str:
    return repr(value + 0.0).removesuffix(".0")


def _money(value: float) -> str:
    """Format an amount as in TradingView's export: two decimals at most, or one digit if that would be 0."""
    rounded = round(value, 2)
    if not rounded and abs(value) >= _LEAST:
        text = f"{float(f'{value:.0e}'):.8f}"
        return text.rstrip("0")
    return _number(rounded)


_LEAST = 1e-8
"""The smallest amount of money that is not a rounding error."""


def _percent(value: float) -> str:
    """Format a percentage as in TradingView's export: always two decimals."""
    return f"{round(value, 2) + 0.0:.2f}"


class ExportedTrade(NamedTuple):
    """A closed trade of an export. Times are in milliseconds of the export's own clock, whose time zone is unknown."""

    number: int
    side: str
    quantity: float
    entry_time: int
    entry_price: float
    entry_signal: str
    exit_time: int
    exit_price: float
    exit_signal: str


class TradeListExport(NamedTuple):
    """A list of trades exported from TradingView's tester: its closed trades by number, and the number of open trades.
    It also has the numeric properties of the report, by argument of `strategy()`."""

    trades: list[ExportedTrade]
    still_open: int
    properties: Mapping[str, float] = {}


class _Row(NamedTuple):
    """The cells of a row by the keys of `_HEADS`, with the file and the place of the row for messages."""

    cells: dict[str, str]
    name: str
    place: str


def read_file(path: str) -> TradeListExport:
    """Read a list of trades from a CSV or XLSX file. Raises UsageError, with the line, if it cannot be read."""
    data = files.read_named(path)
    if not workbook.is_workbook(data):
        return read(files.decode(data, path).text, path)
    found: TradeListExport | None = None
    properties: dict[str, float] = {}
    for rows in workbook.sheets(data, path):
        if rows and rows[0][:2] == ["name", "value"]:
            properties = _properties(rows)
        lines = _filled(enumerate(rows, 1))
        titles = [k for k, (_, heads) in enumerate(lines[:_FIRST_ROWS]) if "number" in _places(heads)]
        if titles and found is None:
            found = _export(_named(lines[titles[0] :], path, "row"), has_points=True)
        elif lines:
            _check_language(lines, f"{path}, row {lines[0][0]}")
    if found is None:
        raise UsageError(f"{path}: no sheet has the column '{_TITLES['number']}'", _EXPECTED)
    return found._replace(properties=properties)


_PROPERTIES = {
    "Initial capital": "initial_capital",
    "Commission": "commission_value",
    "Slippage": "slippage",
    "Verify price for limit orders": "backtest_fill_limits_assumption",
    "Margin for long positions": "margin_long",
    "Margin for short positions": "margin_short",
}
"""The arguments of `strategy()` by their names in a report's last sheet. `Order size` and `Commission` do not say their
unit, and `Pyramiding` counts the first order too."""

_PROPERTY = re.compile(
    r"(?>-?\d(?:[\d.,\u00a0\u202f'\u2019 ]*\d)?(?:e[-+]?\d+)?)(?![\u00a0\u202f ]?[kmb]\b)", re.ASCII | re.I
)
"""A number at the beginning of a cell, with its thousands separators. It is not followed by K, M or B."""


def _properties(rows: Sequence[Sequence[str]]) -> dict[str, float]:
    """Return the numbers in a report's sheet of properties. The script's inputs come before them."""
    found: dict[str, float] = {}
    for row in rows:
        number = _PROPERTY.match(row[1]) if len(row) > 1 else None
        if number is not None and row[0] in _PROPERTIES:
            with contextlib.suppress(ValueError):  # such as 0,1: it is not known what its comma means
                found[_PROPERTIES[row[0]]] = float(numerals.with_point(number[0]))
    return found


def other_properties(properties: Mapping[str, float], tested: BacktestRun) -> list[str]:
    """Return a sentence for each property of an exported report that differs from the back-test's property."""
    own = {name: getattr(tested.properties, name) for name in properties} | {"initial_capital": tested.initial_capital}
    return [
        f"the exported report used {name} {_number(value)}, and this test used {_number(own[name])}: "
        f"add --{name.replace('_', '-')} {_number(value)}"
        for name, value in properties.items()
        if value != own[name]
    ]


def read(text: str, name: str) -> TradeListExport:
    """Read a list of trades from a CSV file's text. Raises UsageError, with `name` and the line, if it is malformed."""
    text = text.removeprefix("\ufeff")
    separator = separator_of(text.lstrip(" \r\n"))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    lines = _filled((reader.line_num, row) for row in reader)
    if lines and lines[0][1][0] == "sep=":  # a spreadsheet's line that names the separator
        del lines[0]
    if not lines:
        raise UsageError(f"{name} is empty", _EXPECTED)
    return _export(_named(lines, name, "line"), has_points=separator == ",")


_Lines = list[tuple[int, list[str]]]
"""Rows with their numbers in the file; the first has the titles."""


def _filled(rows: Iterable[tuple[int, list[str]]]) -> _Lines:
    return [(number, row) for number, row in rows if any(map(str.strip, row))]


def _check_language(lines: _Lines, where: str) -> None:
    """Raise UsageError if the titles are not in English, and the rows below them are rows of trades.

    Some titles, such as `Signal`, are the same in other languages; the titles of time and price are not.
    """
    (_, heads), *rows = lines
    if _places(heads).keys() & {"time", "price"}:
        return
    if any(len(row) > 5 and row[0].isdigit() and _is_time(*row[2:4]) for _, row in rows[:_FIRST_ROWS]):
        raise UsageError(
            f"{where}: the titles of this list of trades are not in English: {', '.join(heads[:3])}, …",
            "choose English in TradingView, and export the list again",
        )


def _is_time(*cells: str) -> bool:
    """Return whether one of the cells is a date, or a date and a time."""
    return any(re.match(r"\d{4}-\d\d-\d\d|\d{5}(\.\d+)?$", cell.strip()) for cell in cells)


def _named(lines: _Lines, name: str, unit: str) -> Iterable[_Row]:
    """Yield the rows below the titles, with their cells by key. `unit` is the word for a row's number in messages
    about `name`: line or row."""
    (first, heads), *rows = lines
    where = f"{name}, {unit} {first}"
    places = _places(heads)
    for key in _HEADS:
        if key not in places:
            _check_language(lines, where)
            raise UsageError(f"{where}: there is no column '{_TITLES[key]}'", _EXPECTED)
    for number, row in rows:
        cells = {key: (row[place] if place < len(row) else "").strip() for key, place in places.items()}
        yield _Row(cells, name, f"{name}, {unit} {number}")


def _export(rows: Iterable[_Row], *, has_points: bool) -> TradeListExport:
    known = list(rows)
    still_open = {row.cells["number"] for row in known if _is_open(row.cells)}
    closed = [row for row in known if row.cells["number"] not in still_open]
    written = _numerals(closed, has_points=has_points)
    halves: dict[int, dict[str, tuple[int, float, str, str, float]]] = {}
    for row in closed:
        number, kind, side, rest = _half(row, written)
        own = halves.setdefault(number, {})
        if kind in own or any(half[3] != side for half in own.values()):
            raise UsageError(f"{row.place}: trade {number} has a second entry or exit", _PAIR)
        own[kind] = (*rest[:3], side, rest[3])
    without = [number for number, own in halves.items() if "Entry" not in own]
    if without:
        raise UsageError(f"{known[0].name}: trade {without[0]} has an exit, but no entry", _PAIR)
    entered = sum("Exit" not in own for own in halves.values())
    return TradeListExport(sorted(_pairs(halves), key=lambda one: one.number), len(still_open) + entered)


def _numerals(rows: Sequence[_Row], *, has_points: bool) -> numerals.Numerals:
    """Find the number format of the prices and quantities. `has_points` tells that a point is certainly decimal. Raises
    UsageError if a comma or a point is ambiguous."""
    cells = [row.cells[key] for row in rows for key in ("price", "quantity")]

    def ambiguous(mark: str, cell: object) -> UsageError:
        what = f"{rows[0].name}: the {mark} in {cell} may be a decimal {mark} or a thousands separator"
        return UsageError(what, "write the numbers of the list without thousands separators, and with decimal points")

    try:
        found = numerals.numerals(cells)
    except numerals.AmbiguousNumbers as doubtful:
        points = [cell for cell in cells if "." in cell]
        if not points or numerals.perhaps_thousands(points):
            raise ambiguous("comma", doubtful) from None
        return numerals.with_point
    if found is None and not has_points and (point := numerals.perhaps_thousands(cells)):
        raise ambiguous("point", point)
    return found or str


_PAIR = "expected one entry and one exit for each trade, as in the list that TradingView exports"


def _is_open(cells: dict[str, str]) -> bool:
    """Return whether a row is the exit of a trade that is still open. In older lists its cells are empty."""
    is_exit = cells["type"].casefold().startswith("exit")
    return is_exit and (csv_text.original(cells["signal"]).strip() == "Open" or not cells["price"])


_EXPECTED = "expected the list of trades as TradingView's strategy tester exports it"
_FIRST_ROWS = 20
"""The number of first rows of a sheet that are searched for the column titles."""
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


def _places(heads: Sequence[str]) -> dict[str, int]:
    """Map each key of `_HEADS` to the first column that has it."""
    places = range(len(heads) - 1, -1, -1)
    return {key: k for key, title in _HEADS.items() for k in places if title.fullmatch(heads[k].strip())}


def _half(row: _Row, written: numerals.Numerals) -> tuple[int, str, str, tuple[int, float, str, float]]:
    """Read a row: its trade's number, `Entry` or `Exit`, the side, its values. Lists of 2024 write `Exit Long`."""
    cells, place = row.cells, row.place
    kind, _, side = cells["type"].partition(" ")
    kind, side = kind.capitalize(), side.lower()
    number = _read(row, "number", lambda cell: int(cell.removesuffix(".0")))
    price, quantity = (_read(row, key, lambda cell: float(written(cell))) for key in ("price", "quantity"))
    moment = _read(row, "time", _read_moment)
    if kind not in ("Entry", "Exit") or side not in ("long", "short"):
        raise UsageError(f"{place}: '{cells['type']}' is neither an entry nor an exit")
    return number, kind, side, (moment, price, csv_text.original(cells["signal"]).strip(), abs(quantity))


_Value = TypeVar("_Value", int, float)


def _read(row: _Row, key: str, reader: Callable[[str], _Value]) -> _Value:
    """Read the value of a cell. Raises UsageError with the cell if it is invalid."""
    cell = row.cells[key]
    with contextlib.suppress(ValueError, OverflowError):
        if "_" not in cell and math.isfinite(value := reader(cell)):
            return value
    what = f"{row.place}: this is not a row of a trade: its {key} is '{cell}'"
    raise UsageError(what, "expected the number, type, time, price and size of a trade")


_SERIAL = re.compile(r"\d{5}(\.\d+)?")
_FIRST_DAY = datetime.datetime(1899, 12, 30, tzinfo=datetime.UTC)
"""Day 0 of a spreadsheet's dates."""


def _read_moment(text: str) -> int:
    if _SERIAL.fullmatch(text):
        minutes = round(float(text) * 1440)
        return round((_FIRST_DAY + datetime.timedelta(minutes=minutes)).timestamp() * 1000)
    moment = datetime.datetime.fromisoformat(text)
    zoned = moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)
    return round(zoned.timestamp() * 1000)


def _pairs(halves: dict[int, dict[str, tuple[int, float, str, str, float]]]) -> Iterable[ExportedTrade]:
    for number, parts in halves.items():
        if "Entry" in parts and "Exit" in parts:
            entry, leave = parts["Entry"], parts["Exit"]
            yield ExportedTrade(number, entry[3], entry[4], *entry[:3], *leave[:3])
