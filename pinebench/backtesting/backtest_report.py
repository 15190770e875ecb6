"""The report of a back-test, for programs and for people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pinebench.amounts import aligned, counted, money_text, percent_text, price_text, short_text, tick_decimals
from pinebench.backtesting.backtest import BacktestRun
from pinebench.backtesting.trade_list import rows
from pinebench.broker import FigureRecord, figure_table
from pinebench.calendars.dates import minute_text
from pinebench.runtime import report as run_report

_LAST_TRADES = 10
_LAST_MONTHS = 12


def report(tested: BacktestRun) -> dict[str, Any]:
    """Return the report as JSON values.

    They are `symbol`, `made_up` (whether its prices are invented), `trades`, `report` (the figures by name), `defaults`
    (TradingView's defaults that were used), `orders_from` (the opening time of the first bar on which orders were
    accepted, in milliseconds UTC; None if all bars accept orders), `notes`, `tier` (the tier that ran the script), and
    `error` (None unless the script stopped with an error).
    """
    fault = tested.result.error
    return {
        "symbol": tested.symbol.name,
        "made_up": tested.symbol.is_made_up,
        "trades": rows(tested),
        "report": tested.figures(),
        "defaults": tested.defaults.report(),
        "orders_from": tested.bars.time[tested.first] if tested.first else None,
        "notes": list(tested.notes),
        "tier": dict(tested.tier),
        "error": None if fault is None else run_report.error(fault),
    }


def as_text(tested: BacktestRun, safe: Callable[[str], str]) -> str:
    """Return the figures as tables, followed by the last trades. `safe` makes text from the script safe to print.

    The result is empty if the script stopped with an error.
    """
    told = tested.figures()
    if not told:
        return ""

    def mark(name: str) -> str:
        return _default(tested, name)

    account = account_lines(told, mark, ["Order size", _size(tested)])
    return "\n".join(
        [
            about(tested),
            "",
            *account,
            "",
            *side_lines(told),
            "",
            *month_lines(told),
            "",
            *trade_lines(rows(tested), safe, lambda _: tick_decimals(tested.symbol.mintick)),
            "",
        ]
    )


def about(tested: BacktestRun) -> str:
    """Describe the bars of a back-test in one line: symbol (with a note if its prices are invented), timeframe, number
    of bars, time span, and the bar from which on orders are accepted if it is not the first."""
    bars, symbol = tested.bars, tested.symbol
    first, last = (minute_text(bars.time[k]) for k in (0, -1))
    trading = f"; orders from {minute_text(bars.time[tested.first])} on" if tested.first else ""
    return f"{symbol.name}, {symbol.timeframe}, {counted(len(bars), 'bar')} from {first} to {last} UTC{trading}"


def side_lines(figures: dict[str, Any]) -> list[str]:
    """Return a table of the figures for all, long and short trades, as lines. `figures` has the report's values."""
    table = [["", "All", "Long", "Short"]]
    sides = (figures, figures["long"], figures["short"])
    for one in figure_table.group("side"):
        table.append([one.title, *(_with_percent(one, side) for side in sides)])
    return aligned(table)


def account_lines(
    figures: dict[str, Any], mark: Callable[[str], str] = lambda _: "", size: list[str] | None = None
) -> list[str]:
    """Return a table of the account's figures, as lines. `mark` returns a suffix for a figure's name. `size` is the row
    about the order size."""
    account = [[f"Account in {figures['currency'] or 'the symbol’s currency'}", ""]]
    for one in figure_table.group("account"):
        account.append([one.title, _with_percent(one, figures) + mark(one.name)])
    if size is not None:
        account.insert(2, size)
    return aligned(account)


def month_lines(figures: dict[str, Any]) -> list[str]:
    """Return a table of the profits of the last twelve months, as lines. An extra line counts earlier months."""
    months = [["Month", "Profit"]]
    for one in figures["months"][-_LAST_MONTHS:]:
        months.append([one["period"], _beside(money_text(one["profit"]), one["percent"])])
    left = len(figures["months"]) - _LAST_MONTHS
    earlier = f"{counted(left, 'earlier month')}: on the command line --format json lists them"
    return [*aligned(months), *([earlier] if left > 0 else [])]


_UNITS = {"fixed": "contracts", "cash": "in cash", "percent_of_equity": "% of the equity"}


def _size(tested: BacktestRun) -> str:
    """Describe the size of orders without `qty`."""
    known = tested.properties
    value, unit = known.default_qty_value, known.default_qty_type
    words = f"{money_text(value) if unit == 'cash' else short_text(value, 10)} {_UNITS[unit]}"
    return words + _default(tested, "default_qty_type", "default_qty_value")


def _default(tested: BacktestRun, *names: str) -> str:
    """Return a mark if one of the values is TradingView's default, otherwise ""."""
    return " (default)" if set(names) & set(tested.defaults.names) else ""


def trade_lines(
    known: list[dict[str, Any]], safe: Callable[[str], str], decimals: Callable[[dict[str, Any]], int], *owners: str
) -> list[str]:
    """Return a table of the last trades, as lines.

    `known` are the trades as `rows` returns them. `safe` makes text safe to print. `decimals` returns the number of
    decimals for the prices of a row. `owners` are keys of additional cells, which follow the trade's number.
    """
    if not known:
        return ["no trades"]
    table = [["#", *owners, "side", "qty", "entry", "at", "signal", "exit", "at", "signal", "profit"]]
    for row in known[-_LAST_TRADES:]:
        is_open = row["exit_time"] is None
        table.append(
            [
                str(row["number"]),
                *(safe(row[name]) for name in owners),
                row["side"],
                f"{row['qty']:.10g}",
                minute_text(row["entry_time"]),
                price_text(row["entry_price"], decimals(row)),
                safe(row["entry_signal"]),
                "open" if is_open else minute_text(row["exit_time"]),
                "" if is_open else price_text(row["exit_price"], decimals(row)),
                "" if is_open else safe(row["exit_signal"]),
                money_text(row["profit"]),
            ]
        )
    left = len(known) - _LAST_TRADES
    return [
        *aligned(table),
        *([f"{left} earlier trades: on the command line --trades FILE writes them all"] if left > 0 else []),
    ]


def _with_percent(figure: FigureRecord, figures: dict[str, Any]) -> str:
    """Format a figure, with its percentage in brackets if it has one."""
    return _beside(figure.text(figures[figure.name]), figures.get(f"{figure.name}_percent"))


def _beside(text: str, percent: float | None) -> str:
    return text if percent is None else f"{text} ({percent_text(percent)})"
