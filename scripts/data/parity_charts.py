"""Compare exports of TradingView's chart and strategy tester with the results of scripts in pinebench.

The tests and the parity board use these functions. A folder of exports has `series/FILE.csv` (bars, and columns titled
by their Pine expression), `trades/NAME.pine` with `NAME.json` (its closed trades), and `bars.csv`, the bars of all
lists.
"""

import csv
import json
from collections import Counter
from collections.abc import Iterator
from datetime import date
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from pinebench.backtesting.backtest import BacktestRun, backtest
from pinebench.checker import open_program
from pinebench.diagnostics import Severity
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.market.rates import Rates
from pinebench.runtime.runtime import Runtime

PRICES = ("time", "open", "high", "low", "close", "volume")
DAY = 86_400_000
EXPORTED = date(2026, 6, 12)
"""The day of the archive that the lists are from: TradingView had other defaults later."""
STARTS = (1_743_379_200_000, 1_743_811_200_000)
"""When the charts begin that the lists are from: 2025-03-31 and 2025-04-05."""
SYMBOL = SymbolInfo(
    symbol="ETHUSDT.P",
    prefix="BINANCE",
    type="swap",
    currency="USDT",
    basecurrency="ETH",
    mintick=0.01,
    mincontract=0.0001,
    timeframe="15",
)
_TWO_MINUTES = "is magnified with the bars of two minutes, which were not available"
NEED_MINUTES = {
    "ltf-bool-array-bull-majority-01": "requests the bars of one minute, which were not available",
    "ltf-numeric-float-ratio15-01": "requests the bars of one minute, which were not available",
    "magnifier-tick-dist-endpoints-01": _TWO_MINUTES,
    "magnifier-tick-dist-endpoints-rsi-cross-08a": _TWO_MINUTES,
    "magnifier-tick-dist-volume-weighted-on-01": _TWO_MINUTES,
}
"""The lists that need bars of minutes, each with what for."""
OTHER_BARS = {
    "ta-pivot-atr-stop-target-01": "was exported on other bars: it has exits outside of the range of the known bars"
}
_RATE = "sizes by the dollar's rate on days that no list shows"
OTHER_QUANTITIES = {
    "composite-ies-equity-feedback-sizing-01": _RATE,
    "order-percent-equity-cash-commission-01": _RATE,
    "pyramid-cash-fractional-commission-01": _RATE,
}
INPUTS: dict[str, dict[str, Any]] = {"input-source-runtime-override-high-01": {"Source": "high"}}
"""The inputs of lists that were not exported with the defaults, as the archive says."""
SIZED = "analyzer-parity-percent-of-equity-sizing-01"
"""99 % of the equity in dollars on Mondays: the quantities tell the rate of the tether."""

LEVELS = {"trad": "Traditional", "fib": "Fibonacci", "dm": "DM", "cam": "Camarilla", "woodie": "Woodie"}
ORDER = ("P", "R1", "S1", "R2", "S2", "R3", "S3", "R4", "S4", "R5", "S5")
BAND = "[_, upper, lower] = ta.vwap(close, timeframe.change('360'), 2.0)"
VALUES = {
    "ta.bb(close, 20, 2).base": "[x, _, _] = ta.bb(close, 20, 2)",
    "ta.bb(close, 20, 2).lower": "[_, _, x] = ta.bb(close, 20, 2)",
    "ta.cross(ema1, ema2)": "x = ta.cross(ta.ema(close, 5), ta.ema(close, 11)) ? 0.5 : 0",
    "ta.dmi(17, 14).dip": "[x, _, _] = ta.dmi(17, 14)",
    "ta.dmi(17, 14).dim": "[_, x, _] = ta.dmi(17, 14)",
    "ta.rising(ema, 5)": "x = ta.rising(ta.ema(close, 20), 5) ? 1 : 0",
    "ta.macd(close, 12, 26, 9).macd": "[x, _, _] = ta.macd(close, 12, 26, 9)",
    "ta.macd(close, 12, 26, 9).hist": "[_, _, x] = ta.macd(close, 12, 26, 9)",
    "min(close)": "x = ta.min(close)",
    "median(close)": "x = ta.median(close, 20)",
    # The exporter plotted these; the titles say other percentages. Of all percentages, only this one gives the values.
    "ta.percentile_nearest_rank(close, 20, 0)": "x = ta.percentile_nearest_rank(close, 20, 20)",
    "ta.percentile_linear_interpolation(close, 20, 30)": "x = ta.percentile_linear_interpolation(close, 20, 20)",
    "v0": "x = ta.valuewhen(bar_index % 3 == 0, bar_index % 2 == 1 ? close : na, 0)",
    "v2": "x = ta.valuewhen(bar_index % 3 == 0, bar_index % 2 == 1 ? close : na, 2)",
    "w0": "x = ta.valuewhen(bar_index % 3 == 0, close, 0)",
    "ta.vwap(close, timeframe.change(&quot;240&quot;))": "x = ta.vwap(close, timeframe.change('240'))",
    "ta.vwap(close, timeframe.change(&quot;360&quot;), 2.0).upper_band": f"{BAND}\nx = upper",
    "ta.vwap(close, timeframe.change(&quot;360&quot;), 2.0).lower_band": f"{BAND}\nx = lower",
}
"""How a column was plotted, where its title is not the expression."""
FILES = (
    "accdist+pvi+pvt+wad+wvad bb cci+cmo+cog cross dmi falling+rising highest+lowest iii+nvi+obv linreg ma macd "
    "mfi+rsi+stoch min+max+median+mode pivot pivot_point_levels ppp range rci tr valuewhen_na vwap wpr"
).split()


class Exports:
    """A folder of exports."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cache  # noqa: B019  (there are a few of them, which last as long as the process)
    def series(self, name: str) -> tuple[dict[str, list[float]], dict[str, list[str]]]:
        """Return the bars of one export as columns of numbers, and its other columns as texts."""
        with open(self.folder / "series" / f"{name}.csv", newline="", encoding="utf8") as file:
            rows = list(csv.reader(file))
        columns = {title: [row[k] for row in rows[1:]] for k, title in enumerate(rows[0])}
        bars = {
            title.lower(): [float(text) for text in texts]
            for title, texts in columns.items()
            if title.lower() in PRICES
        }
        return bars, {title: texts for title, texts in columns.items() if title.lower() not in PRICES}

    @cached_property
    def chart(self) -> list[list[float]]:
        """The bars of the lists, as columns: times in milliseconds, open, high, low, close, volume."""
        with open(self.folder / "bars.csv", newline="", encoding="utf8") as file:
            rows = list(csv.reader(file))[1:]
        return [[float(row[k]) for row in rows] for k in range(6)]

    def lists(self) -> list[str]:
        """Return the names of the trade lists."""
        return sorted(path.stem for path in (self.folder / "trades").glob("*.pine"))

    def trade_list(self, name: str) -> tuple[str, list[dict[str, Any]]]:
        """Return a strategy, and its closed trades from TradingView's export, with times in milliseconds."""
        told = json.loads((self.folder / "trades" / f"{name}.json").read_text(encoding="utf8"))
        return (self.folder / "trades" / f"{name}.pine").read_text(encoding="utf8"), told["trades"]

    @cache  # noqa: B019
    def bars_from(self, start: int) -> Bars:
        """Return the chart's bars from a time (milliseconds UTC) on."""
        columns = self.chart
        first = next(i for i, time in enumerate(columns[0]) if time >= start)
        times = [int(time) for time in columns[0][first:]]
        return Bars(times, *(column[first:] for column in columns[1:]))

    @cached_property
    def rates(self) -> Rates:
        """TradingView's exchange rate for each Monday's order, computed from the order's quantity (five decimals)."""
        _, trades = self.trade_list(SIZED)
        bars = self.bars_from(STARTS[0])
        close = dict(zip(bars.time, bars.close, strict=True))
        equity, known = 1_000_000.0, {}
        for trade in trades:
            time = trade["entry_time"]
            rate = round(0.99 * equity / (trade["qty"] * close[time - 15 * 60_000]), 5)
            known[time - time % DAY - DAY] = rate
            equity += (trade["exit_price"] - trade["entry_price"]) * trade["qty"] * rate
        return Rates(list(known), list(known.values()))

    def rates_for(self, name: str) -> Rates | None:
        """Return the exchange rates for a list; None if its account has the currency of the symbol."""
        return self.rates if name.startswith(("analyzer", "anomaly")) else None

    def run(self, script: str, start: int, told: Rates | None, inputs: dict[str, Any] | None = None) -> BacktestRun:
        """Run a strategy on the chart's bars from `start` (milliseconds UTC) on."""
        tested = backtest(
            open_program(script), self.bars_from(start), SYMBOL, rates=told, as_of=EXPORTED, inputs=inputs or {}
        )
        assert tested.result.error is None
        return tested

    def compared(self, name: str, told: Rates | None = None) -> tuple[bool, bool]:
        """Return whether all trades match the exported ones, and whether their quantities match too."""
        script, exported = self.trade_list(name)
        first, last = min(t["entry_time"] for t in exported), max(t["exit_time"] for t in exported)
        found = (False, False)
        for start in STARTS:
            if start <= STARTS[0] or first >= start:
                own = [
                    (
                        "long" if t.side > 0 else "short",
                        *(t.entry_time, t.exit_time, t.entry_price, t.exit_price, t.quantity),
                    )
                    for t in self.run(script, start, told, INPUTS.get(name)).trades
                    if t.entry_time >= first and t.exit_time <= last
                ]
                found = max(found, same_trades(own, exported))
            if all(found):
                break
        return found


def same_trades(own: list[tuple[Any, ...]], exported: list[dict[str, Any]]) -> tuple[bool, bool]:
    """Return whether two lists have the same sides, times and prices (to a cent), and whether they have the same
    quantities (to 6 decimals)."""
    names = ("side", "entry_time", "exit_time", "entry_price", "exit_price", "qty")
    theirs = [tuple(trade[name] for name in names) for trade in exported]

    def key(row: tuple[Any, ...]) -> tuple[Any, ...]:
        return *row[:3], round(row[3] * 100), round(row[4] * 100)

    def whole(row: tuple[Any, ...]) -> tuple[Any, ...]:
        return *key(row), round(row[5], 6)

    return Counter(map(key, own)) == Counter(map(key, theirs)), Counter(map(whole, own)) == Counter(map(whole, theirs))


def same(value: float | bool, text: str) -> bool:
    """Return whether `value` equals the exported text, na for "", otherwise up to the last exported digit."""
    exported = float(text)
    if exported != exported or abs(exported) >= 1e99:
        return value != value
    if value == exported:
        return True
    digits = len(text.lstrip("-0.").replace(".", "").split("e")[0])
    return value == value and float(f"{value:.{max(digits, 1)}g}") == exported


def code_of(export: str, title: str) -> str:
    """Return the Pine statement that assigns the values of a column of `series/EXPORT.csv` to x."""
    if export == "pivot_point_levels":
        level, _, kind = title.partition("_")
        call = f'ta.pivot_point_levels("{LEVELS[kind]}", timeframe.change("1D"))'
        return f"x = {call}.get({ORDER.index(level)})"
    return VALUES.get(title, f"x = {title}")


def series_bars(columns: dict[str, list[float]]) -> Bars:
    """Return the bars of an export."""
    count = len(columns["close"])
    return Bars(
        [int(time) * 1000 for time in columns["time"]],
        columns["open"],
        columns["high"],
        columns["low"],
        columns["close"],
        columns.get("volume") or [float("nan")] * count,
    )


def series_symbol(bars: Bars) -> SymbolInfo:
    """Return the symbol of the exports: a currency pair whose day begins at 17:00 in New York."""
    step = min(after - before for before, after in zip(bars.time, bars.time[1:], strict=False)) // 60_000
    return SymbolInfo(
        timezone="America/New_York", session="1700-1700:23456", type="forex", timeframe=str(step), mintick=0.00001
    )


def series_script(export: str, title: str) -> str:
    """Return the script that plots a column."""
    return f'//@version=6\nindicator("Test")\n{code_of(export, title)}\nplot(x)\n'


def is_expression(export: str, title: str) -> bool:
    """Return whether a column's title is the plotted Pine expression; exporters gave some columns other names."""
    program = open_program(series_script(export, title))
    return not any(finding.severity is Severity.ERROR for finding in program.diagnostics)


def series_differences(exports: Exports, export: str) -> Iterator[tuple[str, list[tuple[int, float, str]]]]:
    """Yield each exported column of a file, with the bars on which our value differs: bar, value, exported text."""
    columns, exported = exports.series(export)
    bars = series_bars(columns)
    symbol = series_symbol(bars)
    for title, texts in exported.items():
        result = Runtime(open_program(series_script(export, title)), bars, symbol).run()
        assert result.error is None, f"{title}: {result.error}"
        pairs = enumerate(zip(result.plots[0].values, texts, strict=True))
        yield title, [(i, float(value), text) for i, (value, text) in pairs if not same(value, text)]
