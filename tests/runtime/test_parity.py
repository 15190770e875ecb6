"""Scripts give what TradingView exported: every series to the last digit, and with the same missing values."""

from __future__ import annotations

import pytest

from pinebench.checker import open_program
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.runtime.runtime import Runtime
from tests.parity import same, series
from tests.runtime.running import HEAD

LEVELS = {
    "trad": "Traditional",
    "fib": "Fibonacci",
    "dm": "DM",
    "cam": "Camarilla",
    "woodie": "Woodie",
}
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
    # What was plotted; the title says another percentage.
    "ta.percentile_nearest_rank(close, 20, 0)": "x = ta.percentile_nearest_rank(close, 20, 20)",
    "v0": "x = ta.valuewhen(bar_index % 3 == 0, bar_index % 2 == 1 ? close : na, 0)",
    "v2": "x = ta.valuewhen(bar_index % 3 == 0, bar_index % 2 == 1 ? close : na, 2)",
    "w0": "x = ta.valuewhen(bar_index % 3 == 0, close, 0)",
    "ta.vwap(close, timeframe.change(&quot;240&quot;))": "x = ta.vwap(close, timeframe.change('240'))",
    "ta.vwap(close, timeframe.change(&quot;360&quot;), 2.0).upper_band": f"{BAND}\nx = upper",
    "ta.vwap(close, timeframe.change(&quot;360&quot;), 2.0).lower_band": f"{BAND}\nx = lower",
}
"""How a column was plotted, where its title is not the expression."""
EXPORTS = (
    "accdist+pvi+pvt+wad+wvad bb cci+cmo+cog cross dmi falling+rising highest+lowest iii+nvi+obv linreg ma macd "
    "mfi+rsi+stoch min+max+median+mode pivot pivot_point_levels ppp range rci tr valuewhen_na vwap wpr"
).split()


def _code(export: str, title: str) -> str:
    if export == "pivot_point_levels":
        level, _, kind = title.partition("_")
        call = f'ta.pivot_point_levels("{LEVELS[kind]}", timeframe.change("1D"))'
        return f"x = {call}.get({ORDER.index(level)})"
    return VALUES.get(title, f"x = {title}")


def _bars(columns: dict[str, list[float]]) -> Bars:
    count = len(columns["close"])
    return Bars(
        [int(time) * 1000 for time in columns["time"]],
        columns["open"],
        columns["high"],
        columns["low"],
        columns["close"],
        columns.get("volume") or [float("nan")] * count,
    )


def _minutes(bars: Bars) -> int:
    return min(after - before for before, after in zip(bars.time, bars.time[1:], strict=False)) // 60_000


@pytest.mark.parametrize("export", EXPORTS)
def test_scripts_give_what_tradingview_exported(export: str) -> None:
    columns, exported = series(export)
    bars = _bars(columns)
    symbol = SymbolInfo(
        timezone="America/New_York",
        session="1700-1700:23456",
        type="forex",
        timeframe=str(_minutes(bars)),
        mintick=0.00001,
    )
    assert exported
    for title, texts in exported.items():
        result = Runtime(open_program(f"{HEAD}{_code(export, title)}\nplot(x)\n"), bars, symbol).run()
        assert result.error is None
        pairs = enumerate(zip(result.plots[0].values, texts, strict=True))
        wrong = [(i, value, text) for i, (value, text) in pairs if not same(value, text)]
        assert not wrong, f"{title}: {len(wrong)} of {len(texts)} differ, first {wrong[:3]}"
