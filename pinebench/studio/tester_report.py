"""The results of a back-test, laid out like TradingView's strategy report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from pinebench.backtesting.backtest import BacktestRun
from pinebench.backtesting.trade_list import rows
from pinebench.broker import FigureRecord, Fill, figure_table, figures

_MOST_POINTS = 1_000
"""The number of parts into which the curve of the account over all bars is divided."""


def told(tested: BacktestRun, first: int = 0) -> dict[str, Any] | None:
    """Return the report: `currency`, `properties`, `performance` (`all`, `long`, `short`), `trades`, `filledOrders`,
    and `equity`, `drawDown` and `buyHold` on each bar.

    The page shows the bars from `first` on, and numbers bars from there. So earlier bars have negative numbers, and the
    lists with a value for each bar begin at `first`. `curve` holds the three lists for all bars of the run, reduced to
    about 2,000 points or fewer.

    Money is in the account's currency, percentages are fractions of 1, and times are milliseconds UTC. A figure that
    does not exist, for example because it would be a division by zero, is left out. The result is None if the script
    stopped with an error.
    """
    if tested.result.error is not None:
        return None
    found = tested.figures()
    capital = tested.initial_capital
    of_sides = (*figure_table.group("side"), figure_table.by_name()["even_trades"])
    performance = {
        **{side: _figures(found if side == "all" else found[side], of_sides) for side in ("all", "long", "short")},
        **_figures(found, (*figure_table.group("account"), figure_table.by_name()["open_profit"])),
    }
    equity = tested.curve.equity
    falls, held = _falls(equity, capital), _held(tested, capital)
    return {
        "currency": tested.currency,
        "properties": asdict(tested.properties),
        "performance": performance,
        "trades": _trades(tested, capital, first),
        "filledOrders": [_order(fill, first) for fill in tested.fills],
        "equity": equity[first:],
        "drawDown": falls[first:],
        "buyHold": held[first:],
        "curve": _curve(tested.bars.time, equity, falls, held),
        "periods": {"months": found["months"], "years": found["years"]},
    }


def _figures(found: dict[str, Any], records: Iterable[FigureRecord]) -> dict[str, Any]:
    """The figures of `records` by TradingView's names, with their percentages as fractions of 1."""
    told: dict[str, Any] = {}
    for one in records:
        if not one.key:
            continue
        value, percent = found[one.name], f"{one.name}_percent"
        told[one.key] = _share(value) if one.unit == "percent" else value
        if percent in found:
            told[f"{one.key}Percent"] = _share(found[percent])
    return _known(told)


def _known(told: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if value is not None}


def _share(percent: float | None) -> float | None:
    return None if percent is None else percent / 100


def _trades(tested: BacktestRun, capital: float, first: int) -> list[dict[str, Any]]:
    """The list of trades.

    `e` is the entry, `x` the exit (None for an open trade), `q` the quantity. `tp` (profit), `cp` (cumulated profit),
    `rn` (run-up) and `dd` (drawdown) each have a value `v` and a fraction `p`.
    """
    bars = [(one.entry_bar - first, one.exit_bar - first) for one in tested.trades]
    bars += [(one.bar - first, -1) for one in tested.open_trades]
    found: list[dict[str, Any]] = []
    for row, (entry, leave) in zip(rows(tested), bars, strict=True):
        kind = row["side"][0]
        closed = row["exit_time"] is not None
        found.append(
            {
                "e": _end(entry, row["entry_time"], row["entry_price"], row["entry_signal"], f"{kind}e"),
                "x": _end(leave, row["exit_time"], row["exit_price"], row["exit_signal"], f"{kind}x")
                if closed
                else None,
                "q": row["qty"],
                "tp": _amount(row, "profit"),
                "cp": {"v": row["cumulative_profit"], "p": row["cumulative_profit"] / capital},
                "rn": _amount(row, "run_up"),
                "dd": _amount(row, "drawdown"),
            }
        )
    return found


def _end(bar: int, time: int, price: float, signal: str, kind: str) -> dict[str, Any]:
    return {"b": bar, "tm": time, "p": price, "c": signal, "tp": kind}


def _amount(row: dict[str, Any], name: str) -> dict[str, float]:
    return {"v": row[name], "p": row[f"{name}_percent"] / 100}


def _order(fill: Fill, first: int) -> dict[str, Any]:
    return {
        "id": fill.id,
        "b": fill.bar - first,
        "tm": fill.time,
        "side": fill.action,
        "q": fill.quantity,
        "p": fill.price,
        "c": fill.comment,
        "position": fill.position,
    }


def _curve(times: list[int], equity: list[float], falls: list[float], held: list[float]) -> dict[str, Any]:
    """The account over all bars, reduced to some bars: the first, the last, and in each part the bars with the lowest
    and the highest equity."""
    count = len(equity)
    step = max(1, -(-count // _MOST_POINTS))
    kept = {0, count - 1} if count else set[int]()
    for start in range(0, count, step):
        part = range(start, min(start + step, count))
        kept |= {min(part, key=equity.__getitem__), max(part, key=equity.__getitem__)}
    places = sorted(kept)
    return {
        "times": [times[i] // 1000 for i in places],
        "equity": [equity[i] for i in places],
        "drawDown": [falls[i] for i in places],
        "buyHold": [held[i] for i in places] if held else [],
        "largestDrawDown": max(falls, default=0.0),
    }


def _falls(equity: list[float], capital: float) -> list[float]:
    """The difference between the highest equity so far and the equity, on each bar."""
    peak, found = capital, list[float]()
    for value in equity:
        peak = max(peak, value)
        found.append(peak - value)
    return found


def _held(tested: BacktestRun, capital: float) -> list[float]:
    """The equity of buying the symbol with the whole capital at the first entry, on each bar; empty without a trade, or
    if its price is not positive."""
    entries = [(one.entry_bar, one.entry_price) for one in tested.trades]
    entries += [(one.bar, one.price) for one in tested.open_trades]
    entry = figures.first_entry(entries)
    if entry is None or entry[1] <= 0:
        return []
    bar, price = entry
    return [capital if i < bar else capital * close / price for i, close in enumerate(tested.bars.close)]
