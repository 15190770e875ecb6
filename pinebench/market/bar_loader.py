"""Loads bars and the properties of their symbols, from one file or from one file per symbol."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from pinebench.amounts import counted
from pinebench.calendars import spreads
from pinebench.calendars.dates import minute_text
from pinebench.calendars.sessions import session
from pinebench.calendars.timeframes import BarGrid, Timeframe, timeframe
from pinebench.calendars.zones import local
from pinebench.errors import UsageError
from pinebench.files import MissingFile
from pinebench.market.aggregation import complete, grid_of, in_timeframe
from pinebench.market.bar_files import BarsFile, ZonedTimes, read_csv
from pinebench.market.bar_spacing import spacing, timeframe_of
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.market.information import (
    Description,
    KnownSymbol,
    checked_symbol,
    described,
    description,
    read_description,
    symbol_info,
)
from pinebench.market.stamps import DAY
from pinebench.market.ticks import tick_of
from pinebench.near import near_names

SAMPLE = "sample:"
"""The prefix of a name of bars of the sample market."""
MOST_SAMPLES = 20_000
_MANY_OUTSIDE = 4
"""If at least this part of the bars (a quarter) is outside of the session, a remark says so."""
_ENOUGH = 4
"""The smallest number of bars for which a pattern in their dates counts."""
_THURSDAY, _FRIDAY = 3, 4
"""The weekdays on which a week of bars may end; Monday is 0."""
_EVENING = 16
"""The hour from which a bar may belong to the day after its date."""
_END_OF_MONTH = 25
"""The day of the month from which a date counts as the end of the month."""


class BarJoin(NamedTuple):
    """The number and the timeframe of the original bars that were joined into longer bars."""

    bars: int
    timeframe: str


class Data(NamedTuple):
    """Bars, their symbol, and details of their source.

    `times` is the format of the times in the source. `kind` is the source: a `file`, an `exchange`, or the `sample`
    market. `joined` describes the original bars if they were joined to another timeframe. `gaps` is a sentence about
    missing bars, or None. `freshness` says when bars were read from the web; "" for bars from elsewhere. `zone` is the
    time zone that was assumed for times without one; "" if the times have one. `columns` maps `time`, `open` and so on
    to the titles of the columns that were read; None for a file without titles, empty for a spread. `tick` says in
    words where the symbol's tick comes from. `found` has a sentence about each change, omission or assumption.
    """

    bars: Bars
    symbol: SymbolInfo
    times: str
    kind: str = "file"
    joined: BarJoin | None = None
    gaps: str | None = None
    freshness: str = ""
    zone: str = ""
    columns: Mapping[str, str] | None = None
    tick: str = ""
    found: tuple[str, ...] = ()

    @property
    def likely_zone(self) -> str:
        """The time zone to assume in other files of the same source for times without one; "" if unknown or UTC."""
        return "" if self.zone == "UTC" else self.zone

    @property
    def remarks(self) -> list[str]:
        """All remarks about the bars, as sentences for people."""
        return [*self.found, *(said for said in (self.gaps, self.aggregation) if said is not None)]

    @property
    def aggregation(self) -> str | None:
        """A sentence that says how bars were joined into longer bars; None if they were not joined."""
        if self.joined is None:
            return None
        own, made = timeframe(self.joined.timeframe).in_words(), timeframe(self.symbol.timeframe).in_words()
        before, after = counted(self.joined.bars, "bar"), counted(len(self.bars), "bar")
        return f"{before} of {own} were aggregated to {after} of {made}"

    @property
    def summary(self) -> str:
        """A one-line summary of the bars: number, timeframe, time format, columns and tick."""
        count = f"{counted(len(self.bars), 'bar')} of {self._length}"
        tick = f"tick {self.symbol.mintick:.12g}"
        parts = [count, self._clock, self._columns, f"{tick} {self.tick}".strip()]
        if self.symbol.is_made_up:
            parts.append("made up")
        return "; ".join(filter(None, parts))

    @property
    def line(self) -> str:
        """A one-line description of the symbol and the bars. It marks made-up prices as such."""
        return f"{self.symbol.name}: {self.summary}"

    @property
    def facts(self) -> dict[str, Any]:
        """A description of the bars, of their source and of all assumptions about them, as JSON values."""
        found = spacing(self.bars.time)
        return {
            "symbol": self.symbol.name,
            "made_up": self.symbol.is_made_up,
            "source": self.kind,
            "bars": len(self.bars),
            "timeframe": self.symbol.timeframe,
            "share_of_steps": found.share if found.share else None,
            "lengths_of_steps": found.kinds,
            "times": self.times,
            "times_without_zone_taken_as": self.zone or None,
            "columns": dict(self.columns or {}),
            "tick": self.symbol.mintick,
            "tick_origin": self.tick,
            "remarks": self.remarks,
            "summary": self.summary,
        }

    @property
    def _length(self) -> str:
        is_known = self.joined is not None and len(self.bars) == 1
        words = "" if is_known else spacing(self.bars.time).in_words
        return timeframe(self.symbol.timeframe).in_words() + (f" ({words})" if words else "")

    @property
    def _clock(self) -> str:
        if not self.times:
            return ""
        return f"times in {self.times}" + (f" without a time zone, read as {self.zone}" if self.zone else "")

    @property
    def _columns(self) -> str:
        """The columns with unusual titles, each with its use, in words."""
        if self.kind != "file":
            return ""
        usual = {"time": ("time", "date", "datetime", "timestamp"), "volume": ("volume",)}
        taken = [
            f"{name} from {title or 'the column without a title'}"
            for name, title in (self.columns or {}).items()
            if title.lower() not in usual.get(name, (name,))
        ]
        if self.columns is None:
            taken.append("columns by position, since the file has no titles")
        elif "volume" not in self.columns:
            taken.append("no volume")
        return ", ".join(taken)


def load(path: Path, info: Path | None = None, wanted: str | None = None, timezone: str = "", likely: str = "") -> Data:
    """Load the bars of the CSV or Parquet file `path`; join them to the timeframe `wanted` if it is given.

    The symbol's properties come from the TOML file `info`, or from a TOML file of the same name next to the data.
    Missing ones come from the file's name, and then from the bars. Times without a time zone are in `timezone`, or in
    `data_timezone` of the TOML file, or in the zone `likely`, or in UTC. Raises UsageError if a file cannot be read, if
    the TOML file and the bars contradict each other, or if `wanted` is shorter than the data's timeframe.
    """
    said = description(path, info)
    named = timezone or said.data_timezone
    try:
        read = read_bars(path, named or likely)
    except ZonedTimes:
        if named:
            raise
        read = read_bars(path)
    if not len(read.bars):
        raise UsageError(f"{path} has no bars", "expected at least one row below the column titles")
    return in_another(file_data(path, said, read, named or likely), None, wanted)


def file_data(path: Path, said: Description, read: BarsFile, timezone: str = "") -> Data:
    """Return the bars in `read` (at least one), which came from the file `path`, with their symbol and all remarks.

    `said` has the symbol's properties from a TOML file. Raises UsageError if the file and the bars contradict each
    other.
    """
    known = symbol_info(path, read.bars, said)
    symbol = checked_symbol(known.symbol, said.path)
    zone = "" if read.has_zone else timezone or said.data_timezone or "UTC"
    told = (
        *_irregular(path, read.bars),
        *_ends(path, read.bars, zone or symbol.timezone),
        *_outside(path, read.bars, symbol, zone),
    )
    remarks = (*read.remarks, *known.remarks, *told)
    return Data(read.bars, symbol, read.times, zone=zone, columns=read.columns, tick=known.tick, found=remarks)


def _irregular(path: Path, bars: Bars) -> list[str]:
    """Return a remark if the times of the bars have no usual distance."""
    found = spacing(bars.time)
    if not found.is_irregular:
        return []
    return [f"{path}: the bars are not regular: only {found.in_words}"]


def _ends(path: Path, bars: Bars, zone: str) -> list[str]:
    """Return a remark if weeks and months seem to have the dates of their last days. `zone` is the time zone of the
    dates. Bars that open in the evening are ignored, because they may belong to the next day."""
    length = timeframe(timeframe_of(bars))
    if length.multiplier != 1 or length.unit not in ("W", "M"):
        return []
    shown = [local(time, zone) if time % DAY else datetime.fromtimestamp(time / 1000, UTC) for time in bars.time]
    days = [day for day in shown if day.hour < _EVENING]
    if length.unit == "W":
        late = [day for day in days if day.weekday() in (_THURSDAY, _FRIDAY)]
        where, name = "Thursdays or Fridays", "week"
    else:
        late, where, name = [day for day in days if day.day >= _END_OF_MONTH], "at the end of the month", "month"
    if len(bars) < _ENOUGH or 2 * len(late) <= len(bars):
        return []
    what = f"{path}: {len(late)} of {len(bars)} dates are {where}"
    return [f"{what}: if these are the last days of the bars, pinebench assigns each bar to the following {name}"]


def _outside(path: Path, bars: Bars, symbol: SymbolInfo, assumed: str) -> list[str]:
    """Return a remark if bars open outside of the symbol's session, because then the assumed time zone may be wrong."""
    if not timeframe(symbol.timeframe).is_intraday:
        return _evening_before(path, bars, symbol, assumed)
    open_times = session(symbol.session, symbol.timezone)
    outside = len([1 for time in bars.time if open_times.at(time) is None])
    if outside * _MANY_OUTSIDE < len(bars):
        return []
    why = (
        f"times without a time zone were read as {assumed}: name their time zone with data_timezone" if assumed else ""
    )
    what = f"{path}: {outside} of {len(bars)} bars open outside the session {symbol.session} in {symbol.timezone}"
    return [f"{what}; {why}" if why else what]


def _evening_before(path: Path, bars: Bars, symbol: SymbolInfo, assumed: str) -> list[str]:
    """Return a remark if days begin on the day before in the exchange's time zone."""
    shown = local(bars.time[-1], symbol.timezone)
    if not assumed or shown.date() >= local(bars.time[-1], assumed).date():
        return []
    date = f"{local(bars.time[-1], assumed):%Y-%m-%d}"
    what = f"{path}: the bar of {date} opens on {shown:%Y-%m-%d %H:%M} in {symbol.timezone}"
    return [f"{what}: dates without a time zone were read as {assumed}; name their time zone with data_timezone"]


def load_named(
    name: str,
    info: Path | None = None,
    wanted: str | None = None,
    count: int = 500,
    timezone: str = "",
    likely: str = "",
) -> Data:
    """Load the bars that a user names: a file, as in `load`, or `sample:SYMBOL[@TIMEFRAME[xCOUNT]]`.

    A symbol of the sample market may be a spread, such as `sample:AAPL/SPY`. A sample name without a timeframe has the
    timeframe `wanted`, or 1D; without a count it has `count` bars. Raises UsageError like `load`, or if the sample
    market does not have the symbol or that many bars.
    """
    if not name.strip():
        raise UsageError("the name of the bars is empty", f"expected a CSV file, or, for example, {SAMPLE}AAPL@60x500")
    if "://" in name:
        raise UsageError(f"{name} is an address, not a file", "download the file, and name the copy")
    if not name.startswith(SAMPLE):
        try:
            return load(Path(name), info, wanted, timezone, likely)
        except MissingFile as error:
            if info is not None and Path(name).exists():
                raise  # the file about the symbol is missing, so a hint about bars would mislead
            hint = _other_bars(name) or error.hint or f"if you have no bars, use {SAMPLE}AAPL, whose bars are made up"
            raise MissingFile(error.message, hint) from None
    return _load_sample(name, info, wanted, count)


def _load_sample(name: str, info: Path | None, wanted: str | None, count: int) -> Data:
    from pinebench.market import samples
    from pinebench.market.sample import sample_bars

    ticker, _, rest = name.removeprefix(SAMPLE).partition("@")
    own, _, number = rest.partition("x")
    symbol = samples.find(ticker)
    spread = None if symbol is not None else spreads.read(ticker)
    if spread is not None:
        legs = [load_named(f"{SAMPLE}{each}@{rest}", None, wanted, count) for each in spread.symbols]
        return in_another(spread_of(spread, legs), info, wanted)
    if symbol is None:
        raise UsageError(f"the sample market has no symbol '{ticker}'", _samples_near(ticker))
    if number and not (number.isdecimal() and 0 < int(number) <= MOST_SAMPLES):
        raise UsageError(
            f"{name}: the number of bars must be from 1 to {MOST_SAMPLES}, not '{number}'",
            "write, for example, sample:AAPL@60x500",
        )
    length = timeframe(own or wanted or "1D")
    bars = sample_bars(symbol, length, int(number or count))
    fewer = len(bars) < int(number or 0)
    told = f"{name}: the sample market has only {len(bars)} bars of {length.in_words()}" if fewer else None
    data = Data(bars, symbol.info(length.text), "milliseconds", "sample", gaps=told, tick="of the sample market")
    return in_another(data, info, wanted)


def _samples_near(ticker: str) -> str:
    """Return the hint for an unknown symbol of the sample market."""
    from pinebench.market import samples

    known = [each.ticker for each in samples.SAMPLES]
    turned = samples.find(":".join(reversed(ticker.split(":"))))
    meant = near_names(ticker, known) if turned is None else [turned.full_name]
    return " ".join([*(f"did you mean {name}?" for name in meant), f"Its symbols are {', '.join(known)}."])


def spread_of(spread: spreads.Spread, legs: Sequence[Data]) -> Data:
    """Compute the bars of a spread symbol such as `A/B` from the bars of its symbols, in the order of `spread.symbols`.

    Shorter bars are first combined into bars of the longest timeframe. Raises UsageError if the symbols have no bars in
    common.
    """
    longest = max((each.symbol.timeframe for each in legs), key=lambda text: timeframe(text).seconds)
    joined = [in_another(each, None, longest) for each in legs]
    made = spreads.SpreadBars(spread, [each.bars for each in joined]).bars
    bars = Bars(made.time, made.open, made.high, made.low, made.close, made.volume)
    if not len(bars):
        raise UsageError(f"{spread.text}: its symbols have no bars at the same time", "use bars of the same period")
    first, tick = joined[0].symbol, tick_of(bars)
    symbol = SymbolInfo(
        symbol=spread.text,
        prefix="",
        description=spread.text,
        type="spread",
        currency=first.currency,
        mintick=tick.size,
        timezone=first.timezone,
        session=first.session,
        timeframe=longest,
        volumetype="n/a",
        is_made_up=any(each.symbol.is_made_up for each in joined),
        assumed=tuple(name for name in first.assumed if name in ("currency", "timezone", "session")),
    )
    count = max(len(each.bars) for each in joined)
    left = f"{spread.text}: its symbols have only {len(bars)} bars in common, although one of them has {count}"
    found = [remark for each in joined for remark in each.remarks] + ([left] if len(bars) < count else [])
    kind, told = joined[0].kind, tuple(dict.fromkeys(found))
    return Data(bars, symbol, joined[0].times, kind, columns={}, tick=tick.origin, found=told)


def _other_bars(name: str) -> str | None:
    """Return a hint on how to name bars that are not in a file, if `name` looks like a symbol; otherwise None."""
    from pinebench.market import samples

    ways: list[str] = []
    if samples.find(name.partition("@")[0]) is not None:
        ways.append(f"of the made-up sample market write {SAMPLE}{name}")
    if ":" in name and not os.path.dirname(name):
        ways.append("of an exchange write ccxt:EXCHANGE:SYMBOL:TIMEFRAME")
    return f"for bars {', or '.join(ways)}" if ways else None


def in_another(data: Data, info: Path | None, wanted: str | None) -> Data:
    """Join the bars to the timeframe `wanted` if it is given, and apply the properties of the TOML file `info`.

    If bars of an exchange are joined, the joined bars that are not complete are left out. Raises UsageError if the file
    and the bars contradict each other, if `wanted` is shorter than the bars' timeframe, or if no joined bar of an
    exchange is complete.
    """
    if info is not None:
        data = with_properties(data, _only_of_symbol(info))
    if wanted is None:
        return data
    symbol = data.symbol
    own, target = timeframe(symbol.timeframe), timeframe(wanted)
    bars = in_timeframe(data.bars, symbol, wanted)
    if own == target:
        return data._replace(symbol=replace(symbol, timeframe=target.text))
    found, parts = data.found, data.bars.time
    if data.kind == "exchange":  # its bars are closed, and neither the first nor the last joined one need be whole
        chosen = complete(bars, grid_of(target, symbol), parts[0], int(grid_of(own, symbol).closes(parts[-1:])[0]))
        if not chosen:
            raise UsageError(
                f"{symbol.name}: no bar of {target.in_words()} is complete in the requested period", "ask for more bars"
            )
        if len(chosen) < len(bars):
            left = counted(len(bars) - len(chosen), "bar")
            found = (*found, f"{left} of {target.in_words()} at the ends of the period left out: not complete")
        bars = bars.at(chosen)
    else:
        found = (
            *found,
            *_begun(data, bars, target),
            *_unfinished(data, bars, grid_of(own, symbol), grid_of(target, symbol)),
        )
    joined = BarJoin(len(parts), own.text)
    return data._replace(bars=bars, symbol=replace(symbol, timeframe=target.text), joined=joined, found=found)


def _begun(data: Data, bars: Bars, target: Timeframe) -> list[str]:
    """Return a remark if the first of the joined `bars` begins before the data, and the bar after it does not."""
    parts = data.bars.time
    if len(bars) < 2 or parts[0] <= bars.time[0] or parts[bisect_left(parts, bars.time[1])] > bars.time[1]:
        return []
    begin = minute_text(parts[0])
    return [f"the first bar of {target.in_words()} may not be complete: the data begins at {begin} UTC"]


def _unfinished(data: Data, bars: Bars, own: BarGrid, target: BarGrid) -> list[str]:
    """Return a remark if the last of the joined `bars` ends before its time, and the bar before it does not. `own` and
    `target` are the times of the bars in `data` and of the joined ones."""
    parts = data.bars.time
    first = bisect_left(parts, bars.time[-1])
    if len(bars) < 2 or own.bar(parts[first - 1]).close < target.bar(bars.time[-2]).close:
        return []
    end = int(own.bar(parts[-1]).close)
    if end >= target.bar(bars.time[-1]).close:
        return []
    length = target.timeframe.in_words()
    return [f"the last bar of {length} may not be complete: the data ends at {minute_text(end)} UTC"]


def with_properties(data: Data, said: Description) -> Data:
    """Return the same bars with the properties in `said`. Raises UsageError if the bars contradict them."""
    known = described(KnownSymbol(data.symbol, data.tick), said, data.bars)
    return data._replace(symbol=known.symbol, tick=known.tick, found=(*data.found, *known.remarks))


def _only_of_symbol(info: Path) -> Description:
    """Read a TOML file about a symbol whose bars come from no file. UsageError if it names a zone for times."""
    said = read_description(info)
    if said.data_timezone:
        raise UsageError(f"{info}: data_timezone is only for files of bars", "leave it out: these times are in UTC")
    return said


def read_bars(path: Path, timezone: str = "") -> BarsFile:
    """Read the bars of a Parquet or CSV file, depending on its extension.

    Times without a time zone are in `timezone`, or in UTC.
    """
    if path.suffix.lower() in (".parquet", ".pq"):
        from pinebench.market.data_frames import read_parquet

        return read_parquet(path, timezone)
    return read_csv(path, timezone)


def load_all(paths: Mapping[str, Path]) -> dict[str, Data]:
    """Load the bars of several symbols. Keys are the names that scripts request: `EXCHANGE:TICKER` or the ticker."""
    return {name: named(name, load(path)) for name, path in paths.items()}


def named(name: str, data: Data) -> Data:
    """Return the same bars with the symbol name `name`, by which scripts request them."""
    prefix, _, ticker = name.rpartition(":")
    return data._replace(symbol=replace(data.symbol, symbol=ticker, prefix=prefix or data.symbol.prefix))
