"""Indicators give what TradingView exported, to the last digit, and with the same missing values."""

import math
from typing import Any

import pytest

from pinebench.market.bars import Bars, SymbolInfo
from tests.indicators.sample import line, shown
from tests.parity import same, series

EXPORTED: list[tuple[str, str, Any, str]] = [
    ("bb", "ta.bb(close, 20, 2).base", "bbands", "BB Mid"),
    ("bb", "ta.bb(close, 20, 2).lower", "bbands", "BB Lower"),
    ("macd", "ta.macd(close, 12, 26, 9).macd", "macd", "MACD"),
    ("macd", "ta.macd(close, 12, 26, 9).hist", "macd", "Histogram"),
    ("mfi+rsi+stoch", "ta.rsi(close, 14)", "rsi", "RSI"),
    ("mfi+rsi+stoch", "ta.stoch(close, high, low, 20)", {"name": "stoch", "period": 20, "k_smooth": 1}, "%K"),
    ("dmi", "ta.dmi(17, 14).dip", {"name": "adx", "period": 17}, "+DI"),
    ("dmi", "ta.dmi(17, 14).dim", {"name": "adx", "period": 17}, "-DI"),
    ("ma", "ta.sma(close, 10)", {"name": "sma", "period": 10}, "MA"),
    ("ma", "ta.ema(close, 20)", {"name": "moving_average_exponential", "period": 20}, "EMA"),
    ("ma", "ta.wma(close, 20)", {"name": "wma", "period": 20}, "WMA"),
    ("ma", "ta.hma(close, 9)", "hma", "HMA"),
    ("ma", "ta.alma(close, 5, 0.85, 6)", {"name": "alma", "period": 5}, "ALMA"),
    ("ma", "ta.alma(close, 10, 0.55, 12)", {"name": "alma", "period": 10, "offset": 0.55, "sigma": 12}, "ALMA"),
    ("ma", "ta.vwma(close, 20)", "vwma", "VWMA"),
    ("bb", "ta.bbw(close, 20, 2.1)", {"name": "bbw", "std_dev": 2.1}, "BBW"),
    ("tr", "ta.atr(14)", "atr", "ATR"),
    ("cci+cmo+cog", "ta.cci(close, 20)", {"name": "woodies_cci", "period": 20}, "CCI 14"),
    ("linreg", "ta.linreg(close, 20, 0)", {"name": "lsma", "period": 20}, "LSMA"),
    ("rci", "ta.rci(close, 20)", {"name": "rci", "period": 20}, "RCI"),
    ("accdist+pvi+pvt+wad+wvad", "ta.pvi", "pvi", "PVI"),
    ("accdist+pvi+pvt+wad+wvad", "ta.pvt", "pvt", "PVT"),
    ("iii+nvi+obv", "ta.obv", "obv", "OBV"),
    ("wpr", "ta.wpr(20)", {"name": "willr", "period": 20}, "%R"),
    ("highest+lowest", "ta.highest(10)", {"name": "donchian", "period": 10}, "DC Upper"),
    ("pivot_point_levels", "P_trad", "pivot", "Pivot"),
    ("pivot_point_levels", "R1_trad", "pivot", "R1"),
    ("pivot_point_levels", "S2_trad", "pivot", "S2"),
]


@pytest.mark.parametrize(("export", "column", "entry", "label"), EXPORTED)
def test_the_series_that_tradingview_exported(export: str, column: str, entry: Any, label: str) -> None:
    columns, exported = series(export)
    begin, high, low, close = (columns[name] for name in ("open", "high", "low", "close"))
    volume = columns.get("volume") or [math.nan] * len(columns["close"])
    given = Bars([int(time) * 1000 for time in columns["time"]], begin, high, low, close, volume)
    step = min(after - before for before, after in zip(given.time, given.time[1:], strict=False)) // 60_000
    symbol = SymbolInfo(timezone="America/New_York", session="1700-1700:23456", type="forex", timeframe=str(step))
    values = line(shown(entry, given, symbol=symbol), label)
    wrong = [
        (x, value, text)
        for x, (value, text) in enumerate(zip(values, exported[column], strict=True))
        if not same(math.nan if value is None else value, text)
    ]
    assert not wrong, f"{len(wrong)} of {len(values)} differ, first {wrong[:3]}"
