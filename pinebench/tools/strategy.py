"""The results of the strategy on the chart: figures, trades, equity."""

from __future__ import annotations

import re
from typing import Annotated, Any, NotRequired, TypedDict, cast

from pinebench.calendars.dates import minute_text
from pinebench.tools.arguments import Flag, IntegerArgument
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.registry import tool
from pinebench.tools.tool_calls import ToolRefused
from pinebench.tradingview import chart_results

_ALL = 1_000_000
_ORDERS = ("ordersData", "_orders")
"""The sources with which the page gives orders instead of trades."""

FEWEST_COMPARED = 2
"""The smallest number of trades whose prices can show that a report belongs to other bars."""

TESTED_MS = 8_000
"""The longest wait in milliseconds for a strategy that is being tested."""


class StrategyFigures(TypedDict):
    """The figures of a strategy under the page's own names. Percentages are fractions of 1."""

    symbol: str
    resolution: str
    strategy: str
    currency: str
    tested: NotRequired[dict[str, float]]
    metric_count: int
    source: str
    metrics: dict[str, Any]
    long: NotRequired[dict[str, Any]]
    short: NotRequired[dict[str, Any]]


@tool(
    "strategy",
    "Read the strategy's figures (net profit, profit factor, drawdown …); percentages as fractions.",
    untrusted=("strategy",),
    prices=True,
)
def data_get_strategy_results(
    at: ToolContext, verbose: Annotated[bool, Flag("also the figures of long and of short trades")] = False
) -> StrategyFigures:
    """Return the figures of all trades, and of the account."""
    found = _read(at, "report", 0)
    report = found["report"] or {}
    metrics = {name: value for name, value in report.items() if isinstance(value, int | float)}
    metrics |= {name: value for name, value in _of(report, "all").items() if isinstance(value, int | float)}
    if not metrics:
        raise _unfilled(found["strategy"] or "")
    result: StrategyFigures = {
        **_chart(found),
        "strategy": found["strategy"] or "",
        "currency": found["currency"],
        "metric_count": len(metrics),
        "source": found["source"],
        "metrics": metrics,
    }
    if found["range"] is not None:
        result["tested"] = found["range"]
    if verbose:
        result["long"], result["short"] = _of(report, "long"), _of(report, "short")
    return result


class _Chart(TypedDict):
    """The chart on which a strategy was tested."""

    symbol: str
    resolution: str


def _chart(found: chart_results.StrategyResults) -> _Chart:
    return {"symbol": found["evidence"]["symbol"] or "", "resolution": found["evidence"]["resolution"] or ""}


class LastTrades(TypedDict):
    """The last trades, oldest first. Times are in unix seconds. Fields that an open trade does not have yet are
    null."""

    symbol: str
    resolution: str
    strategy: str
    currency: str
    trade_count: int
    total: int
    source: str
    trades: list[dict[str, Any]]


@tool(
    "strategy",
    "Read the strategy's last trades: side, entry, exit, size, profit.",
    untrusted=("strategy", "trades"),
    prices=True,
)
def data_get_trades(
    at: ToolContext,
    max_trades: Annotated[int, IntegerArgument("how many of the last trades", least=1, most=500, clamp=True)] = 20,
) -> LastTrades:
    """Return the last trades of the strategy."""
    found = _read(at, "trades", max_trades)
    if found["source"] in _ORDERS:
        at.connection.notify(
            "the page gives only orders, not trades: each row is an order, and the counts count orders"
        )
    first = found["total"] - len(found["rows"])
    trades = [_trade(row, first + number) for number, row in enumerate(found["rows"], 1)]
    return {
        **_chart(found),
        "strategy": found["strategy"] or "",
        "currency": found["currency"],
        "trade_count": len(trades),
        "total": found["total"],
        "source": found["source"],
        "trades": trades,
    }


class Equity(TypedDict):
    """The account on each bar: the time in unix seconds, the equity, and the drawdown from the highest equity so
    far."""

    symbol: str
    resolution: str
    strategy: str
    currency: str
    data_points: int
    total: int
    source: str
    data: list[dict[str, Any]]
    equity_summary: dict[str, Any]


@tool(
    "strategy",
    "Read the strategy's equity and drawdown over time, reduced evenly to fewer points.",
    untrusted=("strategy",),
    prices=True,
)
def data_get_equity(
    at: ToolContext,
    max_points: Annotated[
        int, IntegerArgument("the largest number of points, spread evenly", least=2, most=2000, clamp=True)
    ] = 100,
) -> Equity:
    """Return points of the equity curve, including its first and last bar."""
    found = _read(at, "equity", _ALL)
    rows = found["rows"]
    if not rows:
        raise ToolRefused(
            f"the page does not show the equity of '{found['strategy']}' on each bar",
            "data_get_strategy_results has its figures",
        )
    summary = _summary(rows)
    if len(rows) > max_points:
        last = len(rows) - 1
        rows = [rows[round(number * last / (max_points - 1))] for number in range(max_points)]
    return {
        **_chart(found),
        "strategy": found["strategy"] or "",
        "currency": found["currency"],
        "data_points": len(rows),
        "total": found["total"],
        "source": found["source"],
        "data": rows,
        "equity_summary": summary,
    }


def _summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a summary of all points of an equity curve."""
    equity = [row["equity"] for row in rows if row.get("equity") is not None]
    falls = [row["drawdown"] for row in rows if row.get("drawdown") is not None]
    if not equity:
        return {}
    told = {"first": equity[0], "last": equity[-1], "highest": max(equity), "lowest": min(equity)}
    return told | ({"max_drawdown": max(falls, key=abs)} if falls else {})


def trades_table(at: ToolContext) -> list[list[Any]]:
    """Return a row with the names of the columns, then two rows for each trade, as TradingView's tester exports them.
    Times are in UTC."""
    found = _read(at, "trades", _ALL)
    if found["source"] in _ORDERS:
        raise ToolRefused("the page gives only orders, not trades", "open the strategy tester, then try again")
    money = f" {found['currency']}".rstrip()
    amounts = ("Net P&L", "Favorable excursion", "Adverse excursion", "Cumulative P&L")
    heads = ["Trade #", "Type", "Date and time", "Signal", f"Price{money}", "Size (qty)"]
    table: list[list[Any]] = [[*heads, *(f"{name}{money}" for name in amounts)]]
    for number, row in enumerate(found["rows"], 1):
        one = _trade(row, number)
        told = [one.get("profit"), one.get("run_up"), _minus(one.get("drawdown")), one.get("cumulative_profit")]
        for kind, name in (("Exit", "exit"), ("Entry", "entry")):
            time, signal = one.get(f"{name}_time"), one.get(f"{name}_signal")
            moment = "" if time is None else minute_text(1000 * time)
            signal = "Open" if time is None else signal
            head = [one.get("number"), f"{kind} {one.get('side', '')}", moment, signal]
            table.append([*head, one.get(f"{name}_price"), one.get("qty"), *told])
    return table


def _minus(value: float | None) -> float | None:
    return None if value is None else -value


def _read(at: ToolContext, part: str, most: int) -> chart_results.StrategyResults:
    request = {"part": part, "most": most, "limit": TESTED_MS}
    found: chart_results.StrategyResults = at.read("strategy", request, timeout=TESTED_MS / 1000 + 5)
    if found["strategy"] is None:
        raise ToolRefused("there is no strategy on the chart", "add one: a script that begins with strategy(...)")
    if not found["source"]:
        raise _unfilled(found["strategy"])
    _refuse_foreign(found)
    return found


def _refuse_foreign(found: chart_results.StrategyResults) -> None:
    """Raise ToolRefused if the report belongs to another chart: pages show the old report until the new one is
    computed."""
    now = f"{found['evidence']['symbol']} {found['evidence']['resolution']}"
    hint = "wait until the strategy tester has finished, then ask again"
    old = found["old_of"]
    if old is not None:
        before = f"{old['symbol']} {old['resolution']}"
        raise ToolRefused(f"the report of '{found['strategy']}' still belongs to {before}, not to {now}", hint)
    if found["compared"] >= FEWEST_COMPARED and found["foreign"] == found["compared"]:
        raise ToolRefused(
            f"the report of '{found['strategy']}' does not belong to {now}: none of its last "
            f"{found['compared']} trades has a price that these bars contain",
            hint,
        )


def _unfilled(name: str) -> ToolRefused:
    return ToolRefused(
        f"the strategy '{name}' has no report",
        "the strategy must be visible and without an error; open the strategy tester (ui_open_panel) and ask again",
    )


def _of(report: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the object under `name` in the report; empty if there is none."""
    found = report.get(name)
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _trade(row: dict[str, Any], number: int) -> dict[str, Any]:
    """Return a trade with readable field names, from the page's record. A record of another form keeps its plain
    values."""
    if _of(row, "entry"):
        return _verbose_trade(row, number)
    entry, leave = _of(row, "e"), _of(row, "x")
    if not entry:
        plain = {key: value for key, value in row.items() if not isinstance(value, dict | list)}
        return {key: _seconds(value) if key.endswith("_time") else value for key, value in plain.items()}
    profit = _of(row, "tp")
    return {
        "number": number,
        "side": "short" if str(entry.get("tp", "")).startswith("s") else "long",
        "qty": row.get("q"),
        "entry_time": _seconds(entry.get("tm")),
        "entry_price": entry.get("p"),
        "entry_signal": entry.get("c"),
        "exit_time": _seconds(leave.get("tm")),
        "exit_price": leave.get("p"),
        "exit_signal": leave.get("c"),
        "profit": profit.get("v"),
        "profit_percent": profit.get("p"),
        "cumulative_profit": _of(row, "cp").get("v"),
        "run_up": _of(row, "rn").get("v"),
        "drawdown": _of(row, "dd").get("v"),
        **({"commission": _amount(row["cm"])} if "cm" in row else {}),
    }


def _verbose_trade(row: dict[str, Any], number: int) -> dict[str, Any]:
    """Return a trade from the page's long form of records."""
    entry, leave, profit = _of(row, "entry"), _of(row, "exit"), _of(row, "profit")
    side = str(entry.get("type") or row.get("direction") or entry.get("id") or "").lower()
    return {
        "number": row.get("tradeNumber", number),
        "side": _side(side, row),
        "qty": row.get("quantity"),
        "entry_time": _seconds(entry.get("time")),
        "entry_price": entry.get("price"),
        "entry_signal": entry.get("id"),
        "exit_time": _seconds(leave.get("time")),
        "exit_price": leave.get("price"),
        "exit_signal": leave.get("id"),
        "profit": profit.get("value"),
        "profit_percent": profit.get("percentValue"),
        "cumulative_profit": _amount(row.get("cumulativeProfit")),
        "run_up": _amount(row.get("runup")),
        "drawdown": _amount(row.get("drawdown")),
        **({"commission": _amount(row["commission"])} if "commission" in row else {}),
    }


def _side(said: str, row: dict[str, Any]) -> str | None:
    """Return the side of a trade: as its record says, else as its profit shows; None if neither shows it."""
    if re.search(r"short|sell|\bse\b|^s", said):
        return "short"
    if re.search(r"long|buy|\ble\b|^l", said):
        return "long"
    entry, leave, profit = (
        _number(_of(row, holder).get(key))
        for holder, key in (("entry", "price"), ("exit", "price"), ("profit", "value"))
    )
    if entry is None or leave is None or not profit or entry == leave:
        return None
    return "long" if (leave > entry) == (profit > 0) else "short"


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _amount(value: Any) -> Any:
    """Return the amount of money in a record's field, which is a number or an object that has it."""
    if isinstance(value, dict):
        held = cast("dict[str, Any]", value)
        return held.get("value", held.get("v"))
    return value


def _seconds(time: Any) -> Any:
    """Convert a time that may be in milliseconds to unix seconds."""
    return time // 1000 if isinstance(time, int) and abs(time) > 100_000_000_000 else time
