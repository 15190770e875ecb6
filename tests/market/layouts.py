"""Files of bars as other programs write them: each is a function from true bars to a text."""

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple


class Row(NamedTuple):
    """One true bar; `time` is what the file's clock shows."""

    time: datetime
    open: float
    high: float
    low: float
    close: float
    volume: int

    @property
    def seconds(self) -> int:
        return round(self.time.replace(tzinfo=UTC).timestamp())


def rows(count: int, step: timedelta, price: float = 187.0, tick: float = 0.01) -> list[Row]:
    """Bars of a random walk from 8 January 2024 on."""
    dice = random.Random(3)
    moment, found = datetime(2024, 1, 8, 9, 30), list[Row]()
    for _ in range(count):
        close = round(price + dice.randint(-50, 50) * tick, 10)
        high = round(max(price, close) + dice.randint(1, 20) * tick, 10)
        low = round(min(price, close) - dice.randint(1, 20) * tick, 10)
        found.append(Row(moment, price, high, low, close, dice.randint(100, 9000)))
        price, moment = close, moment + step
    return found


HOURS = rows(300, timedelta(hours=1))
DAYS = [row._replace(time=row.time.replace(hour=0, minute=0)) for row in rows(40, timedelta(days=1), 2400.0)]


class Layout(NamedTuple):
    """A layout: the true bars, the text of their file, and the title of the column with the volume (None: none)."""

    rows: list[Row]
    text: str
    volume: str | None = "volume"
    has_volume: bool = True


def _lines(made: list[Row], line: Callable[[Row], str], head: str = "", backward: bool = False) -> str:
    body = [line(row) for row in (reversed(made) if backward else made)]
    return "\n".join([*([head] if head else []), *body]) + "\n"


def _prices(row: Row, mark: str = ",") -> str:
    return mark.join(f"{price:.2f}" for price in row[1:5])


def _comma(price: float) -> str:
    return f"{price:.2f}".replace(".", ",")


LAYOUTS = {
    "kraken, without titles": Layout(
        HOURS, _lines(HOURS, lambda row: f"{row.seconds},{_prices(row)},{row.volume},{row.volume % 7}"), None
    ),
    "kraken's API, with an average price": Layout(
        HOURS,
        _lines(HOURS, lambda row: f"{row.seconds},{_prices(row)},{(row.high + row.low) / 2:.3f},{row.volume},3"),
        None,
    ),
    "bybit's API, newest first": Layout(
        HOURS, _lines(HOURS, lambda row: f"{row.seconds}000,{_prices(row)},{row.volume},9.5", backward=True), None
    ),
    "bybit for MetaTrader": Layout(
        HOURS, _lines(HOURS, lambda row: f"{row.time:%Y.%m.%d %H:%M},{_prices(row)},{row.volume}"), None
    ),
    "FirstRate": Layout(
        HOURS, _lines(HOURS, lambda row: f"{row.time:%Y-%m-%d %H:%M:%S},{_prices(row)},{row.volume}"), None
    ),
    "NinjaTrader": Layout(
        HOURS, _lines(HOURS, lambda row: f"{row.time:%Y%m%d %H%M%S};{_prices(row, ';')};{row.volume}"), None
    ),
    "CryptoDataDownload": Layout(
        HOURS,
        "https://www.CryptoDataDownload.com\n"
        + _lines(
            HOURS,
            lambda row: f"{row.seconds}000,{row.time},BTC/USDT,{_prices(row)},{row.volume},{row.volume * 187},5",
            "unix,date,symbol,open,high,low,close,Volume BTC,Volume USDT,tradecount",
            backward=True,
        ),
        "Volume BTC",
    ),
    "CryptoDataDownload, with a clock of twelve hours": Layout(
        [row._replace(time=row.time.replace(minute=0)) for row in HOURS],
        "https://www.CryptoDataDownload.com\n"
        + _lines(
            HOURS,
            lambda row: f"{row.time:%Y-%m-%d %I-%p},BTCUSD,{_prices(row)},{row.volume},{row.volume * 187}",
            "Date,Symbol,Open,High,Low,Close,Volume BTC,Volume USD",
            backward=True,
        ),
        "Volume BTC",
    ),
    "pandas, index without a name": Layout(
        HOURS, _lines(HOURS, lambda row: f"{row.time}+00:00,{_prices(row)},{row.volume}", ",open,high,low,close,volume")
    ),
    "yfinance, three rows of titles": Layout(
        DAYS,
        "Price,Close,High,Low,Open,Volume\nTicker,AAPL,AAPL,AAPL,AAPL,AAPL\nDate,,,,,\n"
        + _lines(DAYS, lambda r: f"{r.time:%Y-%m-%d},{r.close:.2f},{r.high:.2f},{r.low:.2f},{r.open:.2f},{r.volume}"),
        "Volume",
    ),
    "letters": Layout(
        HOURS, _lines(HOURS, lambda row: f"{row.seconds},{_prices(row)},{row.volume}", "t,o,h,l,c,v"), "v"
    ),
    "decimal commas": Layout(
        HOURS,
        _lines(
            HOURS,
            lambda row: f"{row.time:%d.%m.%Y %H:%M};{';'.join(map(_comma, row[1:5]))};{row.volume}",
            "time;open;high;low;close;volume",
        ),
    ),
    "MetaTrader 5, volume unknown": Layout(
        HOURS,
        _lines(
            HOURS,
            lambda row: f"{row.time:%Y.%m.%d\t%H:%M:%S}\t" + _prices(row, "\t") + f"\t{row.volume}\t0\t2",
            "<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>",
        ),
        "<TICKVOL>",
    ),
    "Nasdaq": Layout(
        DAYS,
        _lines(
            DAYS,
            lambda r: f"{r.time:%m/%d/%Y},${r.close:.2f},{r.volume},${r.open:.2f},${r.high:.2f},${r.low:.2f}",
            "Date,Close/Last,Volume,Open,High,Low",
            backward=True,
        ),
        "Volume",
    ),
    "investing.com": Layout(
        DAYS,
        "\ufeff"
        + _lines(
            DAYS,
            lambda r: (
                f'"{r.time:%b %d, %Y}","{r.close:,.2f}","{r.open:,.2f}","{r.high:,.2f}","{r.low:,.2f}",'
                f'"{r.volume / 1000}K","0.5%"'
            ),
            '"Date","Price","Open","High","Low","Vol.","Change %"',
            backward=True,
        ),
        "Vol.",
    ),
    "Dukascopy": Layout(
        HOURS,
        _lines(
            HOURS,
            lambda row: f"{row.time:%d.%m.%Y %H:%M:%S}.000,{_prices(row)},{row.volume}",
            "Gmt time,Open,High,Low,Close,Volume",
        ),
        "Volume",
    ),
    "TradeStation": Layout(
        HOURS,
        _lines(
            HOURS,
            lambda row: f"{row.time:%m/%d/%Y},{row.time:%H:%M},{_prices(row)},{row.volume},3",
            '"Date","Time","Open","High","Low","Close","Up","Down"',
        ),
        None,
        has_volume=False,
    ),
    "Sierra Chart": Layout(
        HOURS,
        _lines(
            HOURS,
            lambda row: (
                f"{row.time.year}/{row.time.month}/{row.time.day}, {row.time:%H:%M:%S}.000000, "
                f"{_prices(row, ', ')}, {row.volume}, 1, 2, 3"
            ),
            "Date, Time, Open, High, Low, Last, Volume, NumberOfTrades, BidVolume, AskVolume",
        ),
        "Volume",
    ),
    "Polygon": Layout(
        HOURS,
        _lines(
            HOURS,
            lambda r: f"AAPL,{r.volume},{r.open:.2f},{r.close:.2f},{r.high:.2f},{r.low:.2f},{r.seconds}000000000,5",
            "ticker,volume,open,close,high,low,window_start,transactions",
        ),
    ),
    "a German bank": Layout(
        DAYS,
        _lines(
            DAYS,
            lambda row: f"{row.time:%d.%m.%Y};{';'.join(map(_comma, row[1:5]))};" + f"{row.volume:,}".replace(",", "."),
            "Datum;Eröffnung;Hoch;Tief;Schluss;Volumen",
        ),
        "Volumen",
    ),
    "investing.com in French": Layout(
        DAYS,
        _lines(
            DAYS,
            lambda row: (
                f'"{row.time:%d/%m/%Y}",'
                + ",".join(f'"{_comma(each)}"' for each in (row.close, *row[1:4]))
                + ',"","1%"'
            ),
            '"Date","Dernier","Ouv."," Plus Haut","Plus Bas","Vol.","Variation %"',
            backward=True,
        ),
        "Vol.",
        has_volume=False,
    ),
    "Japanese titles": Layout(
        DAYS,
        _lines(
            DAYS, lambda row: f'{row.time:%Y/%m/%d},{_prices(row)},"{row.volume:,}"', "日付,始値,高値,安値,終値,出来高"
        ),
        "出来高",
    ),
    "Yahoo's table": Layout(
        DAYS,
        _lines(
            DAYS,
            lambda row: f"{row.time:%b %d, %Y}\t" + _prices(row, "\t") + f"\t{row.close / 2:.2f}\t{row.volume:,}",
            "Date\tOpen\tHigh\tLow\tClose*\tAdj Close**\tVolume",
            backward=True,
        ),
        "Volume",
    ),
    "Barchart": Layout(
        HOURS,
        _lines(
            HOURS,
            lambda row: f'{row.time:%m/%d/%Y %H:%M},{_prices(row)},0.5,"+0.5%",{row.volume},10',
            "Time,Open,High,Low,Latest,Change,%Change,Volume,Open Int",
            backward=True,
        )
        + '"Downloaded from Barchart.com as of 01-05-2024 12:00pm CST"\n',
        "Volume",
    ),
    "MetaStock": Layout(
        HOURS,
        _lines(
            HOURS,
            lambda row: f"AAPL,60,{row.time:%Y%m%d,%H%M%S},{_prices(row)},{row.volume},0",
            "<TICKER>,<PER>,<DTYYYYMMDD>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>",
        ),
        "<VOL>",
    ),
    "a unix time beside local dates": Layout(
        HOURS,
        _lines(
            HOURS,
            lambda row: f"{row.seconds},{row.time - timedelta(hours=5):%Y-%m-%d,%H:%M},{_prices(row)},{row.volume}",
            "timestamp,date,time,open,high,low,close,volume",
        ),
    ),
    "a title with UTC in brackets": Layout(
        HOURS,
        _lines(HOURS, lambda row: f"{row.time},{_prices(row)},{row.volume}", "Time [UTC],Open,High,Low,Close,Volume"),
        "Volume",
    ),
}
"""The layouts that are read, by their names."""
