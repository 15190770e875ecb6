"""Writes a back-test's report as one HTML file: prices with entries and exits, equity, drawdown, figures and trades."""

from __future__ import annotations

import html
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pinebench.amounts import money_text, percent_text, tick_decimals, with_minus
from pinebench.backtesting import backtest_report
from pinebench.backtesting.backtest import BacktestRun
from pinebench.backtesting.trade_list import groups, rows
from pinebench.broker import figure_table, figure_text, figure_title
from pinebench.files.resources import built
from pinebench.printable import json_text, printable
from pinebench.studio.assets import chart_library

_PAGE = Path(__file__).parent / "pages" / "backtest.html"


def page(tested: BacktestRun, name: str, read: str = "") -> str:
    """Return a back-test's self-contained HTML page. `name` is the script's name, and `read` is a line about the bars.

    Raises UnavailableError if this installation lacks the built scripts of the page.
    """
    data = json_text(_data(tested, name, read), allow_nan=False, separators=(",", ":"))
    parts = {
        "%TITLE%": html.escape(f"{printable(name)}: back-test"),
        "%CHARTS%": chart_library().replace("</script", "<\\/script"),
        "%FORMATS%": built("formats.js").replace("</script", "<\\/script"),
        # Inside a script element, only `<` could end the element or begin a comment.
        "%DATA%": data.replace("<", "\\u003c"),
    }
    rest, found = _PAGE.read_text(encoding="utf-8"), list[str]()
    for mark, text in parts.items():  # in the order of the page, so that no text is searched for the next mark
        before, _, rest = rest.partition(mark)
        found += [before, text]
    return "".join([*found, rest])


def _data(tested: BacktestRun, name: str, read: str) -> dict[str, Any]:
    bars, symbol, told = tested.bars, tested.symbol, tested.figures()
    return {
        "name": name,
        "about": backtest_report.about(tested),
        "cards": _cards(told),
        "notes": [*([f"Bars: {read}"] if read else []), *tested.notes],
        "report": told,
        "figures": [one._asdict() for one in figure_table.group("side")],
        "account": [one._asdict() for one in figure_table.group("account")],
        "properties": [[name.replace("_", " "), value] for name, value in asdict(tested.properties).items()],
        "trades": rows(tested),
        "groups": groups(tested),
        "bars": {"time": bars.time, "open": bars.open, "high": bars.high, "low": bars.low, "close": bars.close},
        "equity": tested.curve.equity,
        "tick": symbol.mintick,
        "digits": tick_decimals(symbol.mintick),
        "intraday": symbol.timeframe[-1:] not in "DWM",
    }


def _cards(told: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    """The figures at the top of the page: for each one title, value, the text below it, and its tone."""
    net = told["net_profit"]
    tone = "up" if net > 0 else "down" if net < 0 else ""
    return [
        (figure_title("net_profit"), _money(net), with_minus(percent_text(told["net_profit_percent"])), tone),
        (
            figure_title("max_drawdown_close"),
            _money(told["max_drawdown_close"]),
            percent_text(told["max_drawdown_close_percent"]),
            "",
        ),
        (figure_title("trades"), figure_text("trades", told["trades"]), f"{told['open_trades']} open", ""),
        (
            figure_title("percent_profitable"),
            figure_text("percent_profitable", told["percent_profitable"]),
            f"{told['winning_trades']} of {told['trades']}",
            "",
        ),
        (
            figure_title("profit_factor"),
            figure_text("profit_factor", told["profit_factor"]),
            "gross profit / gross loss",
            "",
        ),
    ]


def _money(value: float) -> str:
    return with_minus(money_text(value))
