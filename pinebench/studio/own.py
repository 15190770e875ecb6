"""The user's own bars: files of a watched folder, files opened in the page, and symbols fetched from exchanges."""

from __future__ import annotations

import logging
import re
import shutil
import threading
import time
import weakref
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import NamedTuple

from pinebench import files
from pinebench.calendars.timeframes import Timeframe
from pinebench.errors import PinebenchError, UsageError
from pinebench.market import Bars, SymbolInfo, description, file_data, read_bars, symbol_info
from pinebench.studio.resolutions import parse_resolution

LARGEST_FILE = 64_000_000
"""The largest size in bytes of a file that is given to the page."""
ENDINGS = (".csv", ".parquet", ".pq")
_LOOK_SECONDS = 1.0
"""The shortest time in seconds between two checks of the folder."""
_NAME = re.compile(r"[^_]+_.+_(?P<resolution>\d*[A-Za-z]?)")
_HOW_TO_NAME = "call it EXCHANGE_SYMBOL_RESOLUTION.csv"
_log = logging.getLogger(__name__)


class OwnSeries(NamedTuple):
    """Bars of one symbol in one timeframe. `told` holds sentences for people about their source and assumed values.
    `type` and `currency` are empty if no source states them; scripts then read an assumed value."""

    symbol: SymbolInfo
    timeframe: Timeframe
    bars: Bars
    told: tuple[str, ...] = ()
    type: str = ""
    currency: str = ""

    @property
    def name(self) -> str:
        """The name in the form `EXCHANGE:SYMBOL`."""
        return f"{self.symbol.prefix}:{self.symbol.symbol}"


class _FileReading(NamedTuple):
    """A file as it was read: its mark before that, and its bars, or the reason why it has none."""

    mark: files.ContentMark | None
    series: OwnSeries | None
    problem: str = ""


class OwnBars:
    """The user's own bars. Files of the folder are read again when they change. Safe to use from many threads."""

    def __init__(self, folder: Path | None = None, kept: Path | None = None) -> None:
        """Read the files of `folder`, which is watched, and those in `kept`, which a person opened in the page.

        Without `kept` they are stored as long as this object. Raises UsageError, which names a bad file of `folder`.
        """
        self._folder = folder
        self._kept = self._folder_of_its_own() if kept is None else kept
        self._lock = threading.Lock()
        self._looked = 0.0
        self._files: dict[Path, _FileReading] = {}
        self._fetched: dict[str, OwnSeries] = {}
        self.series: tuple[OwnSeries, ...] = ()
        self.generation = 0
        """A number that grows with every change of the bars."""
        if folder is not None and not folder.is_dir():
            raise UsageError(f"there is no folder '{folder}'", "name a folder of CSV files such as NASDAQ_AAPL_60.csv")
        self._look()
        for path, read in self._files.items():
            if read.problem and path.parent == folder:
                raise UsageError(read.problem)

    @property
    def problems(self) -> tuple[str, ...]:
        """The reasons why files of the folder cannot be charted."""
        return tuple(read.problem for path, read in self._files.items() if read.problem and path.parent == self._folder)

    def look(self) -> None:
        """Read files that have changed, unless the folder was checked less than a second ago."""
        with self._lock:
            if self._folder is not None and time.monotonic() - self._looked >= _LOOK_SECONDS:
                self._look()

    def take(self, name: str, data: bytes) -> OwnSeries:
        """Store and chart a file that a person opened in the page; it replaces a file with the same name. Raises
        UsageError, and stores nothing, if it is not a file of bars."""
        clean = re.sub(r"[^\w.,\- ]+", "_", Path(name).name).strip(". ")[-120:]
        if Path(clean).suffix.lower() not in ENDINGS:
            raise UsageError(f"'{name}' is not a file of bars", "expected a CSV or Parquet file")
        self._kept.mkdir(parents=True, exist_ok=True, mode=0o700)
        with TemporaryDirectory(dir=self._kept) as trial:
            path = Path(trial) / clean
            path.write_bytes(data)
            try:
                series = _series_of(path)
            except PinebenchError as error:
                # The user knows the file by its own name, not by the path of the copy.
                raise UsageError(error.message.replace(str(path), clean), error.hint) from None
        with self._lock:
            files.write_atomically(self._kept / clean, data)
            self._look()
        return series

    def _folder_of_its_own(self) -> Path:
        """Make a folder that is deleted together with this object. Nobody has to close it."""
        folder = mkdtemp(prefix="pinebench-bars-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return Path(folder)

    def fetch(self, name: str) -> OwnSeries:
        """Fetch the latest bars of the series `name`, such as `binance:BTCUSDT:4h`. Raises the errors of
        `bars_named`."""
        from pinebench.market import bar_choice

        data = bar_choice.bars_named(name)
        told = (data.summary, *data.remarks)
        symbol = data.symbol
        series = OwnSeries(symbol, _timeframe(symbol.timeframe, name), data.bars, told, symbol.type, symbol.currency)
        with self._lock:
            self._fetched[name] = series
            self._look()
        return series

    def _look(self) -> None:
        self._looked = time.monotonic()
        found = {path: self._read(path) for path in self._paths()}
        series = tuple(read.series for read in found.values() if read.series is not None)
        series += tuple(self._fetched.values())
        known = {path: (read.series, read.problem) for path, read in self._files.items()}
        is_changed = known != {path: (read.series, read.problem) for path, read in found.items()}
        self._files = found
        if is_changed or series != self.series:
            self.series = series
            self.generation += 1

    def _paths(self) -> Iterator[Path]:
        for folder in (self._folder, self._kept):
            if folder is not None and folder.is_dir():
                yield from sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS)

    def _read(self, path: Path) -> _FileReading:
        """Read a file, or return the earlier result if the file has not changed. A damaged file keeps its old bars."""
        before, mark = self._files.get(path), files.mark_of(path, LARGEST_FILE)
        if before is not None and mark is not None and not files.differs(path, before.mark, mark, LARGEST_FILE):
            return before._replace(mark=mark)
        try:
            return _FileReading(mark, _series_of(path, named=path.parent == self._folder))
        except PinebenchError as error:
            problem = error.message if error.hint is None else f"{error.message}; {error.hint}"
        except OSError as error:
            problem = f"{path} cannot be read: {error.strerror}"
        _log.info("%s", problem)
        return _FileReading(mark, before.series if before is not None else None, problem)


def _series_of(path: Path, *, named: bool = False) -> OwnSeries:
    """The bars of a file. With `named`, the file's name must say what the file holds. Raises UsageError."""
    match = _NAME.fullmatch(path.stem)
    said = parse_resolution(match["resolution"]) if match else None
    if named and said is None:
        raise UsageError(f"{path}: the file name does not say which bars the file has", _HOW_TO_NAME)
    described = description(path)
    read = read_bars(path, described.data_timezone)
    if not len(read.bars) and not named:
        raise UsageError(f"{path} has no bars", "expected at least one row below the column titles")
    data = file_data(path, described, read) if len(read.bars) else None
    symbol = symbol_info(path, read.bars, described).symbol if data is None else data.symbol
    symbol = replace(symbol, symbol=re.sub(r"\s+", "_", symbol.symbol))
    # The user knows the file by its own name, not by the path of a copy.
    told = () if data is None else tuple(each.replace(str(path), path.name) for each in (data.summary, *data.remarks))
    kind, currency = (str(described.fields.get(name, "")) for name in ("type", "currency"))
    assumed = [
        f"{name} {value}"
        for name, value, known in (("type", symbol.type, kind), ("currency", symbol.currency, currency))
        if not known
    ]
    if assumed:
        told += (f"{' and '.join(assumed)} assumed for scripts; a file {described.path.name} can set them",)
    return OwnSeries(symbol, said or _timeframe(symbol.timeframe, path), read.bars, told, kind, currency)


def _timeframe(text: str, where: object) -> Timeframe:
    found = parse_resolution(text)
    if found is None:
        raise UsageError(f"{where}: bars of '{text}' cannot be charted", "expected bars of a minute or longer")
    return found
