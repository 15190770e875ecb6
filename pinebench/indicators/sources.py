"""Loads the bars for a chart: a symbol's bars, named bars, or a sample if neither is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pinebench.errors import UsageError
from pinebench.indicators.indicator_requests import WARM_UP
from pinebench.indicators.payload import PayloadBars
from pinebench.market import Bars, SymbolInfo, bar_choice, random_walk, read_step, step_name
from pinebench.runtime import RequestSource

INTERVAL = "4h"
MOST_BARS = 20_000
_BEGIN = 1_704_067_200_000
"""The opening time of the first sample bar, for scripts that read it; answers do not contain it."""
_QUOTED = ("USDT", "USDC", "FDUSD", "BUSD", "BTC", "ETH", "BNB")
_FILES = (".csv", ".parquet", ".pq")
"""Endings of bar files: a name with one is a file, even if it is missing, and is never requested from the web."""
_LEAST_BASE = 2
"""The smallest number of characters before the quote currency of a currency pair, so that GBTC counts as a share."""


@dataclass(frozen=True)
class SourceBars:
    """Bars, and their source. Only the last `shown` bars are shown.

    `kind` is sample, file, exchange or engine. `name` is the symbol in answers, or None for the sample without a
    symbol. `remarks` are sentences about the bars, and `freshness` says when they were fetched. `feed` is the feed or
    exchange that they were fetched from, such as binance or ccxt. It is empty for other sources.
    """

    bars: Bars
    symbol: SymbolInfo
    interval: str
    kind: str
    shown: int
    name: str | None = None
    others: dict[str, RequestSource] = field(default_factory=dict[str, RequestSource])
    remarks: tuple[str, ...] = ()
    freshness: str = ""
    feed: str = ""
    read: str = ""
    """The symbol, and what was read and assumed about its bars, in one line; empty if nothing was read."""

    @property
    def priced(self) -> PayloadBars:
        """The bars that are shown, with their symbol and timeframe."""
        return PayloadBars(self.name, self.interval, self.bars.last(self.shown), dated=self.name is not None)

    @property
    def title(self) -> str:
        """The title of a chart of these bars. It says whether the bars are made up."""
        made_up = " (made up)" if self.kind == "sample" else ""
        return f"{self.name or 'Sample'}{made_up} · {self.interval}"


def load(
    symbol: str | None,
    interval: str | None,
    count: int,
    data: Sequence[str] = (),
    info: Path | None = None,
    warm_up: int = WARM_UP,
) -> SourceBars:
    """Load `count` bars to show, and `warm_up` bars before them for averages that need earlier bars.

    `symbol` is a symbol of Binance or Yahoo, or names bars like `--data`. `data` names bars as well: for the chart if
    there is no symbol, and for other symbols (SYMBOL=BARS). `info` is a file with the symbol's properties. Without a
    symbol and data, the bars are a sample. Only a sample is marked as made up. Raises UsageError if the names do not
    fit together or bars cannot be read, and UnavailableError if they cannot be fetched.
    """
    if not 1 <= count <= MOST_BARS:
        raise UsageError(f"{count} bars cannot be shown", f"ask for 1 to {MOST_BARS}")
    if symbol is None and not data:
        return _sample(interval or INTERVAL, count)
    names = bar_choice.names(data if symbol is None else [_bars_of(symbol, interval), *_others(data)], "data")
    wanted = read_step(interval).text if interval is not None else None
    most = count + warm_up if bar_choice.is_of_the_web(names.chart) else min(count + warm_up, MOST_BARS)
    chosen = bar_choice.choose(names, info, wanted, most)
    chart = chosen.chart
    others = {name: RequestSource(each.bars, each.symbol) for name, each in chosen.others.items()}
    remarks = tuple(said for each in (chart, *chosen.others.values()) for said in each.remarks)
    name = f"{chart.symbol.prefix}:{chart.symbol.symbol}".strip(":")
    length = interval or chart.symbol.timeframe
    shown = min(count, len(chart.bars))
    return SourceBars(
        *(chart.bars, chart.symbol, length, chart.kind, shown, name, others, remarks, chart.freshness),
        feed=names.chart.partition(":")[0] if bar_choice.is_of_the_web(names.chart) else "",
        read=chart.line,
    )


def of_window(symbol: str, interval: str | None, bars: Bars, count: int, info: SymbolInfo | None = None) -> SourceBars:
    """Return the bars of a Binance pair that an engine holds in memory. The last `count` of them are shown. `info` has
    the symbol's properties; without it, only the symbol and the timeframe are known."""
    step = read_step(interval or INTERVAL)
    shown = min(count, len(bars))
    fewer = (f"the engine has only {shown} bars",) if shown < count else ()
    info = info or SymbolInfo(symbol=symbol, prefix="BINANCE", timeframe=step.text)
    return SourceBars(
        bars, info, interval or INTERVAL, "engine", shown, f"BINANCE:{symbol}", remarks=fewer, feed="binance"
    )


def window_key(symbol: str, interval: str | None) -> tuple[str, str] | None:
    """Return the key under which an engine holds the bars of `symbol`: the ticker in capitals, without `BINANCE:`, and
    the timeframe such as `4h`.

    Return None for another exchange, or if the name is not a ticker but, for example, a file name. If `interval` is
    None, the timeframe is INTERVAL. Raises UsageError for an unknown timeframe.
    """
    exchange, _, ticker = symbol.upper().rpartition(":")
    if exchange not in ("", "BINANCE") or not ticker.isalnum():
        return None
    return ticker, step_name(read_step(interval or INTERVAL))


def is_pair(ticker: str) -> bool:
    """Return whether a ticker looks like a pair at a crypto exchange, such as BTCUSDT."""
    return any(ticker.endswith(quote) and len(ticker) - len(quote) >= _LEAST_BASE for quote in _QUOTED)


def _others(data: Sequence[str]) -> list[str]:
    """The names of bars for other symbols. Raises UsageError if one is for the chart itself."""
    if data and "" in bar_choice.symbols(data):
        raise UsageError("both a symbol and bars are given", "give only one of symbol and data, or SYMBOL=BARS in data")
    return list(data)


def _sample(interval: str, count: int) -> SourceBars:
    step = read_step(interval)
    symbol = SymbolInfo(symbol="SAMPLE", timeframe=step.text, mintick=0.01)
    remark = "no symbol was given: the bars are made up and have no times"
    return SourceBars(
        random_walk(count, _BEGIN, step.seconds * 1000), symbol, interval, "sample", count, remarks=(remark,)
    )


def _bars_of(symbol: str, interval: str | None) -> str:
    """The name of the bars of a symbol: itself if it names bars or a file, else Binance for a pair, else Yahoo."""
    path = Path(symbol)
    if not bar_choice.is_file(symbol) or path.exists() or path.suffix.lower() in _FILES or path.parent != Path():
        return symbol
    plain = symbol.upper()
    exchange, _, ticker = plain.rpartition(":")
    feed = {"BINANCE": "binance", "": "binance" if is_pair(ticker) else "yahoo"}.get(exchange)
    if feed is None:
        raise UsageError(
            f"there is no feed for {symbol}",
            "name bars as for --data: binance:BTCUSDT:4h, yahoo:AAPL:1d, ccxt:kraken:BTC/USD:4h, sample:AAPL, a file",
        )
    return f"{feed}:{ticker}:{interval or INTERVAL}"
