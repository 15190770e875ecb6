"""Finds the bars that a person names for a run, as with `--data`: the chart's own bars, and bars of other symbols."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pinebench.calendars import spreads
from pinebench.errors import UsageError
from pinebench.market import exchanges
from pinebench.market.bar_loader import MOST_SAMPLES, SAMPLE, Data, in_another, load_named, named, spread_of
from pinebench.market.feeds import PREFIXES

BARS = 1000
"""The default number of bars from an exchange, a feed or the sample market."""
_WEB = (exchanges.MARK, *PREFIXES)
_PREFIXES = (*_WEB, SAMPLE)
"""The beginnings of names of bars that are not files."""


class ChosenBars(NamedTuple):
    """The chart's bars, and a mapping from the names that scripts request to the bars of other symbols."""

    chart: Data
    others: dict[str, Data]


class BarSources(NamedTuple):
    """The source of the chart's bars, and a mapping from the names that scripts request to other sources."""

    chart: str
    others: dict[str, str]

    def files(self) -> list[Path]:
        """Return the paths of all sources that are files."""
        own = () if _spread(self) is not None else (self.chart,)
        return [Path(name) for name in (*own, *self.others.values()) if is_file(name)]


def is_file(name: str) -> bool:
    """Return whether `name` refers to a file rather than to bars of an exchange, a feed or the sample market."""
    return not name.startswith(_PREFIXES)


def takes_count(name: str) -> bool:
    """Return whether a number of bars counts for `name`: not for a file, and not for `sample:AAPL@60x500`, which has
    one."""
    return not is_file(name) and not (name.startswith(SAMPLE) and "x" in name.partition("@")[2])


def is_of_the_web(name: str) -> bool:
    """Return whether `name` refers to bars of an exchange or a feed."""
    return name.startswith(_WEB)


def names(texts: Sequence[str], option: str = "--data") -> BarSources:
    """Split arguments `[SYMBOL=]BARS` into the source of the chart's bars and the sources of other symbols.

    `option` is the name of the option, for messages. Raises UsageError if a symbol is named twice, or if there is not
    exactly one source for the chart.
    """
    own: str | None = None
    others: dict[str, str] = {}
    for one in texts:
        name, bars = parts(one)
        if name is not None:
            if name in others:
                raise UsageError(f"{option} {one}: {name} is given twice", "name one file for each symbol")
            others[name] = bars
        elif own is not None:
            raise UsageError(
                f"'{one}' is a second source of bars for the chart itself", f"name its symbol: {option} SYMBOL=BARS"
            )
        else:
            own = bars
    if own is None:
        raise UsageError("there are no bars for the chart itself", f"name them without a symbol: {option} BARS")
    return BarSources(own, others)


def symbols(texts: Sequence[str]) -> list[str]:
    """Return the symbol of each argument `[SYMBOL=]BARS`; "" for the chart itself."""
    return [parts(one)[0] or "" for one in texts]


def parts(text: str) -> tuple[str | None, str]:
    """Split an argument `[SYMBOL=]BARS` into the symbol (None if it has none) and the bars. The `=` of Yahoo's symbols,
    such as EURUSD=X, is not a separator."""
    text = str(text)  # a subclass, as the command line gives one, does not get through to a worker and back
    if text.startswith(_PREFIXES) or Path(text).exists():
        return None, text
    for prefix in _PREFIXES:
        symbol, mark, rest = text.partition(f"={prefix}")
        if mark:
            return symbol, prefix + rest
    symbol, mark, bars = text.rpartition("=")
    return (symbol if mark else None), bars


def choose(
    found: BarSources,
    info: Path | None = None,
    wanted: str | None = None,
    count: int | None = None,
    timezone: str | None = None,
) -> ChosenBars:
    """Load the bars that `found` names. `info` is a TOML file about the chart's symbol, and `wanted` is the chart's
    timeframe.

    `count` is the number of bars from an exchange or the sample market (default: the number in the name, or `BARS`).
    `timezone` applies to times without a time zone in the chart's file, and in files of other symbols that name none.
    Without `wanted`, a file keeps its own timeframe. The chart may be a spread of the other symbols. Raises UsageError
    if bars cannot be read or joined, and UnavailableError if an exchange cannot be reached.
    """
    spread = _spread(found)
    if spread is None:
        chart = bars_named(found.chart, info, wanted, count, timezone)
        return ChosenBars(chart, _others(found, count, chart.likely_zone))
    if timezone:
        raise UsageError(
            f"--data-timezone {timezone} cannot be used for the spread {spread.text}",
            "name data_timezone in the TOML file beside the bars of each symbol",
        )
    others = _others(found, count)
    return ChosenBars(in_another(spread_of(spread, [others[name] for name in spread.symbols]), info, wanted), others)


def _others(found: BarSources, count: int | None, likely: str = "") -> dict[str, Data]:
    return {name: named(name, bars_named(bars, count=count, likely=likely)) for name, bars in found.others.items()}


def _spread(found: BarSources) -> spreads.Spread | None:
    """Return the spread that the chart's name means, if bars are named for all its symbols: `A/B`, `A=a.csv` and
    `B=b.csv`. Otherwise return None."""
    if not is_file(found.chart) or Path(found.chart).exists():
        return None
    spread = spreads.read(found.chart, found.others)
    return spread if spread is not None and set(spread.symbols) <= set(found.others) else None


def bars_named(
    name: str,
    info: Path | None = None,
    wanted: str | None = None,
    count: int | None = None,
    timezone: str | None = None,
    likely: str = "",
) -> Data:
    """Load the bars of a file, an exchange (`ccxt:EXCHANGE:SYMBOL:TIMEFRAME`), a feed (`binance:SYMBOL:TIMEFRAME`,
    `yahoo:SYMBOL:TIMEFRAME`, `feargreed:INDEX:1d`) or the sample market.

    The parameters and errors are the same as for `choose`; `wanted` is the timeframe to join the bars to. `likely` is
    the time zone of times without one, if neither `timezone` nor the file names another.
    """
    if timezone and not is_file(name):
        raise UsageError(
            f"--data-timezone {timezone} is for files of bars, and {name} is not a file",
            "leave --data-timezone out: these times are in UTC",
        )
    number = BARS if count is None else count
    if number < 1:
        raise UsageError(f"{number} bars cannot be loaded", "ask for 1 or more")
    if name.startswith(exchanges.MARK):
        return in_another(exchanges.fetch(name, number), info, wanted)
    if name.startswith(PREFIXES):
        return in_another(_from_feed(name, number), info, wanted)
    if number > MOST_SAMPLES and not is_file(name):
        raise UsageError(f"--bars {number}: the sample market has {MOST_SAMPLES} bars at most", "ask for fewer")
    return load_named(name, info, wanted, number, timezone or "", likely)


def _from_feed(name: str, count: int) -> Data:
    from pinebench.market.feeds.feed_bars import fetch

    found = fetch(name, count)
    origin = "of the source"
    return Data(
        *(found.bars, found.symbol, "milliseconds", "exchange"), gaps=found.gaps, freshness=found.freshness, tick=origin
    )
