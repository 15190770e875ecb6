"""Loads bars with the properties of their symbol: from one file, or from a file for each of several symbols."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from pinebench.calendars.sessions import ranges
from pinebench.calendars.timeframes import timeframe
from pinebench.calendars.zones import zone
from pinebench.errors import UsageError
from pinebench.files import MissingFile
from pinebench.market.aggregation import in_timeframe
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.market.information import read_symbol_info, symbol_info
from pinebench.market.reading import BarsFile, read_csv
from pinebench.near import near_names

SAMPLE = "sample:"
"""The prefix of a name of bars of the sample market."""
MOST_SAMPLES = 20_000


class Joined(NamedTuple):
    """The number and the timeframe of the bars that were joined to longer bars."""

    bars: int
    timeframe: str


class Data(NamedTuple):
    """Bars, their symbol, and the format of the times in the file.

    `kind` is the source: a `file`, an `exchange`, or the `sample` market. `joined` describes the original bars if the
    bars were joined to another timeframe. `gaps` is a sentence about bars that an exchange left out, or None.
    `freshness` says when bars were read from the web; it is empty for others.
    """

    bars: Bars
    symbol: SymbolInfo
    times: str
    kind: str = "file"
    joined: Joined | None = None
    gaps: str | None = None
    freshness: str = ""

    @property
    def remarks(self) -> list[str]:
        """Sentences about the bars for people."""
        return [said for said in (self.gaps, self.aggregation) if said is not None]

    @property
    def aggregation(self) -> str | None:
        """A sentence about the joining of bars; None if they were not joined."""
        if self.joined is None:
            return None
        own, made = timeframe(self.joined.timeframe).in_words(), timeframe(self.symbol.timeframe).in_words()
        return f"{self.joined.bars} bars of {own} were aggregated to {len(self.bars)} bars of {made}"


def load(path: Path, info: Path | None = None, wanted: str | None = None) -> Data:
    """Load the bars of the CSV or Parquet file `path`, in the timeframe `wanted` if it is given.

    The properties of the symbol come from the TOML file `info`. Without it, they come from a TOML file with the name of
    the data next to it, from the name, and from the bars. Raises UsageError if a file cannot be read, or if `wanted` is
    shorter than the data's timeframe.
    """
    read = read_bars(path)
    if not len(read.bars):
        raise UsageError(f"{path}: has no bars", "expected at least one row below the names of the columns")
    symbol = symbol_info(path, read.bars) if info is None else read_symbol_info(info)
    checked_symbol(symbol, info or path.with_suffix(".toml"))
    return in_another(Data(read.bars, symbol, read.times), None, wanted)


def load_named(name: str, info: Path | None = None, wanted: str | None = None, count: int = 500) -> Data:
    """Load the bars that a person names: a file, like `load`, or `sample:SYMBOL[@TIMEFRAME[xCOUNT]]`.

    A sample name without a timeframe has the timeframe `wanted`, or 1D; without a count it has `count` bars. Raises
    UsageError like `load`, and if the sample market does not have the symbol or so much data.
    """
    from pinebench.market import samples
    from pinebench.market.sample import sample_bars

    if not name.startswith(SAMPLE):
        try:
            return load(Path(name), info, wanted)
        except MissingFile as error:
            if samples.find(name.partition("@")[0]) is None:
                raise
            raise UsageError(error.message, f"for made-up bars of the sample market write {SAMPLE}{name}") from None

    ticker, _, rest = name.removeprefix(SAMPLE).partition("@")
    own, _, number = rest.partition("x")
    symbol = samples.find(ticker)
    if symbol is None:
        known = [each.ticker for each in samples.SAMPLES]
        near = [f"did you mean {name}?" for name in near_names(ticker, known)]
        hint = " ".join([*near, f"Its symbols are {', '.join(known)}."])
        raise UsageError(f"the sample market has no symbol '{ticker}'", hint)
    if number and not (number.isdecimal() and 0 < int(number) <= MOST_SAMPLES):
        raise UsageError(
            f"{name}: '{number}' is not a number of bars from 1 to {MOST_SAMPLES}",
            "write for example sample:AAPL@60x500",
        )
    length = timeframe(own or wanted or "1D")
    bars = sample_bars(symbol, length, int(number or count))
    return in_another(Data(bars, symbol.info(length.text), "milliseconds", "sample"), info, wanted)


def in_another(data: Data, info: Path | None, wanted: str | None) -> Data:
    """The same bars, in the timeframe `wanted` if it is given, with the symbol of the TOML file `info` if given."""
    symbol = data.symbol if info is None else checked_symbol(read_symbol_info(info), info)
    if wanted is None:
        return data._replace(symbol=symbol)
    own, target = timeframe(symbol.timeframe), timeframe(wanted)
    bars = in_timeframe(data.bars, symbol, wanted)
    joined = data.joined if own == target else Joined(len(data.bars), own.text)
    return data._replace(bars=bars, symbol=replace(symbol, timeframe=target.text), joined=joined)


def read_bars(path: Path) -> BarsFile:
    """Read the bars of a file. The ending of its name decides whether it is Parquet or CSV."""
    if path.suffix.lower() in (".parquet", ".pq"):
        from pinebench.market.frames import read_parquet

        return read_parquet(path)
    return read_csv(path)


def load_all(paths: Mapping[str, Path]) -> dict[str, Data]:
    """Load the bars of several symbols, by the names that scripts request: `EXCHANGE:TICKER`, or the ticker alone."""
    return {name: named(name, load(path)) for name, path in paths.items()}


def named(name: str, data: Data) -> Data:
    """The same bars, with the symbol named `name`, as scripts request it."""
    prefix, _, ticker = name.rpartition(":")
    return data._replace(symbol=replace(data.symbol, symbol=ticker, prefix=prefix or data.symbol.prefix))


def checked_symbol(symbol: SymbolInfo, path: Path) -> SymbolInfo:
    """Return the symbol. Raises UsageError with `path` if its time zone, session or timeframe is not valid."""
    try:
        zone(symbol.timezone)
        timeframe(symbol.timeframe)
        known = ranges(symbol.session) is not None
    except UsageError as error:
        raise UsageError(f"{path}: {error.message}", error.hint) from None
    if not known:
        raise UsageError(
            f'{path}: "{symbol.session}" is not a valid session',
            'Sessions look like "0930-1600:23456", "1700-1700:23456" or "24x7".',
        )
    return symbol
