"""CSV files that the page saves: the list of trades and the values of bars, in the format of the command line."""

from __future__ import annotations

from typing import Any

from pinebench.backtesting import trade_list
from pinebench.files import csv_text

LARGEST_BODY = 64_000_000
"""The largest size in bytes of a request for a file."""

_AMOUNT = {"v": float, "p": float}
_END = {"b": int, "tm": int, "p": float, "c": str, "tp": str}
TRADES = {
    "trades": [
        {
            "number": int,
            "e": _END,
            "x": (_END, None),
            "q": float,
            "tp": _AMOUNT,
            "cp": _AMOUNT,
            "rn": _AMOUNT,
            "dd": _AMOUNT,
        }
    ],
    "currency": str,
    "capital": float,
    "priceCurrency": str,
    "pointValue": float,
    "last": int,
    "madeUp": bool,
}
"""The shape of a request for a list of trades: trades as in `tested.told`, the account's currency and capital, the
symbol's currency and point value, the time of the last bar (milliseconds UTC), and whether prices are made up."""
TABLE = {"rows": [[(str, float, None)]], "madeUp": bool}
"""The shape of a request for any other table; its first row is the head."""


def trades_csv(body: dict[str, Any]) -> str:
    """Return the trades in a request `body` of the shape `TRADES` as CSV, in the format of TradingView's export."""
    known = [(_row(one), body["pointValue"], body["last"]) for one in body["trades"]]
    return trade_list.table(known, body["priceCurrency"], body["currency"], body["capital"], made_up=body["madeUp"])


def table_csv(body: dict[str, Any]) -> str:
    """Return the table in a request `body` of the shape `TABLE` as CSV; null becomes an empty cell."""
    rows = [["" if cell is None else cell for cell in row] for row in body["rows"]]
    return csv_text.as_csv(trade_list.marked(rows) if body["madeUp"] else rows)


def _row(one: dict[str, Any]) -> dict[str, Any]:
    """A trade of the page in the form of `listing.rows`."""
    entry, leave = one["e"], one["x"] or {"tm": None, "p": None, "c": None}
    amounts = {"profit": one["tp"], "run_up": one["rn"], "drawdown": one["dd"]}
    return {
        "number": one["number"],
        "side": "long" if entry["tp"].startswith("l") else "short",
        "qty": one["q"],
        "entry_time": entry["tm"],
        "entry_price": entry["p"],
        "entry_signal": entry["c"],
        "exit_time": leave["tm"],
        "exit_price": leave["p"],
        "exit_signal": leave["c"],
        **{name: amount["v"] for name, amount in amounts.items()},
        **{f"{name}_percent": 100 * amount["p"] for name, amount in amounts.items()},
        "cumulative_profit": one["cp"]["v"],
    }
