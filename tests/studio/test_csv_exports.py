"""The files that the page saves: the list of trades is the command line's, and no text becomes a formula."""

import csv
import io
import json
from typing import Any

from pinebench.backtesting.backtest import backtest
from pinebench.backtesting.trade_list import as_csv
from pinebench.calendars.timeframes import timeframe
from pinebench.checker import open_program
from pinebench.market import samples
from pinebench.studio.app import Studio
from pinebench.studio.bars import StudioBars
from pinebench.studio.web import StudioRequest

STRATEGY = """//@version=6
strategy("Steps", overlay = true, initial_capital = 5000, commission_type = strategy.commission.percent,
     commission_value = 0.1, default_qty_type = strategy.percent_of_equity, default_qty_value = 30)
if bar_index % 40 == 10
    strategy.entry("=In;=1+1", bar_index % 80 == 10 ? strategy.long : strategy.short)
if bar_index % 40 == 30
    strategy.close("=In;=1+1", comment = "two\\nlines")
"""
CHART = {"symbol": "AAPL", "resolution": "1D", "count": 300, "until": None, "inputs": {}}


def ask(studio: Studio, path: str, body: object) -> tuple[int, Any]:
    answer = studio.handle(StudioRequest("POST", f"/studio/api/{path}", {}, {}, json.dumps(body).encode()))
    return answer.status, json.loads(answer.body)


def test_the_list_of_trades_is_the_one_of_the_command_line() -> None:
    studio = Studio()
    _, ran = ask(studio, "run", {"source": STRATEGY, **CHART})
    trades = [{**one, "number": number} for number, one in enumerate(ran["tested"]["trades"], 1)]
    assert len(trades) > 20 and trades[-1]["x"] is None
    chart, _ = StudioBars().whole(samples.SAMPLES[0], timeframe("1D"), 300)
    tested = backtest(open_program(STRATEGY), chart.bars, chart.symbol)
    account = {"currency": "USD", "capital": ran["tested"]["properties"]["initial_capital"]}
    symbol = {"priceCurrency": "USD", "pointValue": 1, "last": chart.bars.time[-1], "madeUp": True}
    status, told = ask(studio, "exports/trades", {"trades": trades, **account, **symbol})
    assert (status, told["csv"]) == (200, as_csv(tested))
    rows = list(csv.reader(io.StringIO(told["csv"])))
    assert {row[-1] for row in rows[1:]} == {"made up"} and "two\nlines" in {row[3] for row in rows}
    assert "'=In;'=1+1" in {row[3] for row in rows}
    _, real = ask(studio, "exports/trades", {"trades": trades[-1:], **account, **symbol, "madeUp": False})
    assert list(csv.reader(io.StringIO(real["csv"])))[1:] == [row[:-1] for row in rows[-2:]]


def test_a_table_has_no_formula_and_says_that_prices_are_made_up() -> None:
    rows = [["time", "=Plot"], ["2026-01-05 14:30", -1.5], ["2026-01-06 14:30", None]]
    studio = Studio()
    status, told = ask(studio, "exports/table", {"rows": rows, "madeUp": True})
    expected = "time,'=Plot,Prices\n2026-01-05 14:30,-1.5,made up\n2026-01-06 14:30,,made up\n"
    assert (status, told["csv"]) == (200, expected)
    assert ask(studio, "exports/table", {"rows": rows, "madeUp": False})[1]["csv"].splitlines()[0] == "time,'=Plot"
    for path, body in (("table", {"rows": [[{}]], "madeUp": True}), ("trades", {"trades": []})):
        assert ask(studio, f"exports/{path}", body)[0] == 400
