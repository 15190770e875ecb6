"""The symbols of the sample market, and the parameters of their random prices."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from pinebench.calendars.zones import zone
from pinebench.market.bars import SymbolInfo


class MarketHours(NamedTuple):
    """The trading hours of a market, in the local time of its exchange.

    `opens` is the opening time in minutes after midnight, and `minutes` is the length of the session. `days` are the
    weekdays (0 is Monday).
    """

    opens: int
    minutes: int
    days: frozenset[int]
    timezone: str = "Etc/UTC"

    def opening(self, midnight: int) -> int:
        """Return the opening, in unix seconds, of the day that begins at `midnight` UTC (unix seconds)."""
        day = datetime.fromtimestamp(midnight, UTC)
        hour, minute = divmod(self.opens, 60)
        return int(day.replace(hour=hour, minute=minute, tzinfo=zone(self.timezone)).timestamp())


_EXCHANGE = MarketHours(9 * 60 + 30, 390, frozenset(range(5)), "America/New_York")
_CURRENCY = MarketHours(0, 1440, frozenset(range(5)))
_ROUND_THE_CLOCK = MarketHours(0, 1440, frozenset(range(7)))


class SampleSymbol(NamedTuple):
    """A symbol of the sample market: its properties for a chart, and the parameters of its random prices.

    `price` is the close of the last sample day. `drift` and `volatility` are per year, as fractions. `volume` is the
    mean daily volume.
    """

    exchange: str
    ticker: str
    description: str
    type: str
    currency: str
    decimals: int
    session: MarketHours
    price: float
    drift: float
    volatility: float
    volume: float

    @property
    def full_name(self) -> str:
        """The symbol's name in the form `EXCHANGE:TICKER`."""
        return f"{self.exchange}:{self.ticker}"

    @property
    def _base(self) -> str:
        """The base currency of a pair; empty for other symbols."""
        is_pair = self.type in ("crypto", "swap", "forex")
        return self.ticker.removesuffix(".P").removesuffix(self.currency) if is_pair else ""

    def info(self, timeframe: str) -> SymbolInfo:
        """Return the symbol's properties that a script can read, for bars of `timeframe`."""
        opens = self.session.opens
        days = "".join(str((day + 1) % 7 + 1) for day in sorted(self.session.days))
        closes = (opens + self.session.minutes) % 1440
        return SymbolInfo(
            symbol=self.ticker,
            prefix=self.exchange,
            description=self.description,
            type=self.type,
            currency=self.currency,
            basecurrency=self._base,
            mincontract={"crypto": 0.00001, "swap": 0.001}.get(self.type, 1.0),
            mintick=float(f"1e-{self.decimals}"),
            timezone=self.session.timezone,
            session=f"{opens // 60:02d}{opens % 60:02d}-{closes // 60:02d}{closes % 60:02d}:{days}",
            timeframe=timeframe,
            is_made_up=True,
        )


SAMPLES: tuple[SampleSymbol, ...] = (
    SampleSymbol("NASDAQ", "AAPL", "Apple Inc.", "stock", "USD", 2, _EXCHANGE, 231.4, 0.16, 0.27, 54e6),
    SampleSymbol("NASDAQ", "MSFT", "Microsoft Corporation", "stock", "USD", 2, _EXCHANGE, 428.2, 0.18, 0.24, 21e6),
    SampleSymbol("NASDAQ", "NVDA", "NVIDIA Corporation", "stock", "USD", 2, _EXCHANGE, 138.6, 0.42, 0.48, 240e6),
    SampleSymbol("NASDAQ", "TSLA", "Tesla, Inc.", "stock", "USD", 2, _EXCHANGE, 262.9, 0.2, 0.55, 92e6),
    SampleSymbol("AMEX", "SPY", "SPDR S&P 500 ETF Trust", "fund", "USD", 2, _EXCHANGE, 582.7, 0.12, 0.15, 47e6),
    SampleSymbol(
        "BINANCE", "BTCUSDT", "Bitcoin / TetherUS", "crypto", "USDT", 2, _ROUND_THE_CLOCK, 68_420, 0.35, 0.52, 31_000
    ),
    SampleSymbol(
        "BINANCE", "ETHUSDT", "Ethereum / TetherUS", "crypto", "USDT", 2, _ROUND_THE_CLOCK, 2_640, 0.28, 0.6, 410_000
    ),
    SampleSymbol("OANDA", "EURUSD", "Euro / U.S. Dollar", "forex", "USD", 5, _CURRENCY, 1.0862, 0.0, 0.075, 190_000),
    # The symbols that the templates request.
    SampleSymbol("NASDAQ", "QQQ", "Invesco QQQ Trust", "fund", "USD", 2, _EXCHANGE, 498.3, 0.15, 0.2, 38e6),
    SampleSymbol(
        "NASDAQ", "TLT", "iShares 20+ Year Treasury Bond ETF", "fund", "USD", 2, _EXCHANGE, 92.4, -0.02, 0.16, 33e6
    ),
    SampleSymbol("AMEX", "GLD", "SPDR Gold Trust", "fund", "USD", 2, _EXCHANGE, 253.1, 0.09, 0.14, 7e6),
    SampleSymbol("TVC", "DXY", "U.S. Dollar Index", "index", "USD", 3, _CURRENCY, 104.32, 0.01, 0.06, 0),
    SampleSymbol(
        *("BINANCE", "BTCUSDT.P", "Bitcoin / TetherUS Perpetual", "swap", "USDT", 1, _ROUND_THE_CLOCK),
        *(68_431.2, 0.35, 0.53, 180_000),
    ),
)


def find(name: str, symbols: tuple[SampleSymbol, ...] = SAMPLES) -> SampleSymbol | None:
    """Return the symbol named `name`, with or without its exchange, in upper or lower case; None if there is none."""
    wanted = name.strip().upper()
    for symbol in symbols:
        if wanted in (symbol.full_name.upper(), symbol.ticker.upper()):
            return symbol
    return None


def search(text: str, symbols: tuple[SampleSymbol, ...] = SAMPLES) -> list[SampleSymbol]:
    """Return the symbols whose name or description contains `text`.

    The symbol with exactly this name comes first, then symbols whose ticker begins with `text`, then the others.
    """
    wanted = text.strip().upper()
    hits = [s for s in symbols if wanted in s.full_name.upper() or wanted in s.description.upper()]
    return sorted(hits, key=lambda s: (find(wanted, (s,)) is None, not s.ticker.upper().startswith(wanted)))
