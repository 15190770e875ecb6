"""Bars of the sample market, as tests take them, and files of them."""

from pathlib import Path

from pinebench.calendars.timeframes import timeframe
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.market.sample import sample_bars
from pinebench.market.samples import SampleSymbol, find


def symbol(name: str) -> SampleSymbol:
    """The symbol of the sample market that is called so."""
    found = find(name)
    assert found is not None, name
    return found


def chart(name: str = "BTCUSDT", frame: str = "60", count: int = 300) -> tuple[Bars, SymbolInfo]:
    """The last bars of a symbol in a timeframe, and the symbol."""
    return sample_bars(symbol(name), timeframe(frame), count), symbol(name).info(frame)


def bars_file(folder: Path, count: int) -> Path:
    """A file of hourly bars of BINANCE:BTCUSDT."""
    path = folder / "BINANCE_BTCUSDT_60.csv"
    rows = (",".join(map(str, row)) for row in zip(*chart(count=count)[0].columns(), strict=True))
    path.write_text("time,open,high,low,close,volume\n" + "\n".join(rows), encoding="utf-8")
    return path
