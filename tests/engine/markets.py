"""Markets for the tests of the engine: bars, and the updates that a feed would send for them."""

from collections.abc import Iterator, Sequence
from random import Random

from pinebench.broker import path
from pinebench.engine.engine import EngineSettings, TradingEngine
from pinebench.engine.paper import Terms
from pinebench.engine.risk import RiskLimits
from pinebench.engine.series import Key, Update
from pinebench.market import Bars, SymbolInfo

BEGIN = 1_704_067_200_000
MINUTE = 60_000
KEY: Key = ("BTCUSDT", "1m")
FREE = Terms(capital=100_000.0, commission=0.0, slippage=0)


class Clock:
    """A clock that a test sets, in milliseconds UTC."""

    def __init__(self, time: int = BEGIN) -> None:
        self.time = time

    def __call__(self) -> int:
        return self.time


def info(key: Key = KEY) -> SymbolInfo:
    return SymbolInfo(symbol=key[0], prefix="BINANCE", timeframe="1", mintick=0.01)


def bars_of(rows: Sequence[tuple[float, float, float, float]], begin: int = BEGIN) -> Bars:
    """Bars of a minute from open, high, low and close."""
    bars = Bars()
    for number, row in enumerate(rows):
        bars.append(begin + number * MINUTE, *row, 1.0)
    return bars


def closes(*prices: float) -> Bars:
    """Bars that open and close at these prices."""
    return bars_of([(price, price, price, price) for price in prices])


def walk(count: int, seed: int = 1) -> Bars:
    """A random market whose prices have two decimals."""
    numbers, price = Random(seed), 100.0
    rows: list[tuple[float, float, float, float]] = []
    for _ in range(count):
        open_ = round(price * (1 + numbers.gauss(0, 0.0005)), 2)
        price = round(open_ * (1 + numbers.gauss(0, 0.004)), 2)
        high = round(max(open_, price) * (1 + abs(numbers.gauss(0, 0.002))), 2)
        low = round(min(open_, price) * (1 - abs(numbers.gauss(0, 0.002))), 2)
        rows.append((open_, high, low, price))
    return bars_of(rows)


def ends(bars: Bars) -> list[int]:
    return [time + MINUTE for time in bars.time]


def ticks(bars: Bars, at: int, key: Key = KEY) -> Iterator[Update]:
    """The updates of bar `at`: each price of its way, and then its close."""
    points = path(bars.open[at], bars.high[at], bars.low[at], bars.close[at])
    begin, end = bars.time[at], bars.time[at] + MINUTE
    high = low = bars.open[at]
    for number, price in enumerate(points):
        high, low = max(high, price), min(low, price)
        event = begin + number * MINUTE // 5
        yield Update(*key, begin, end, bars.open[at], high, low, price, bars.volume[at], False, event)
    yield closed(bars, at, key)


def closed(bars: Bars, at: int, key: Key = KEY) -> Update:
    prices = bars.open[at], bars.high[at], bars.low[at], bars.close[at], bars.volume[at]
    end = bars.time[at] + MINUTE
    return Update(*key, bars.time[at], end, *prices, True, end)


def engine_of(
    folder: str,
    bars: Bars | None = None,
    *,
    terms: Terms = FREE,
    limits: RiskLimits | None = None,
    clock: Clock | None = None,
    keys: Sequence[Key] = (KEY,),
) -> TradingEngine:
    """An engine that follows series whose history are `bars`."""
    history = bars if bars is not None else closes(100.0)
    clock = clock or Clock(history.time[-1] + MINUTE if len(history) else BEGIN)
    engine = TradingEngine(
        EngineSettings(folder, terms=terms, limits=limits or RiskLimits(orders_a_minute=None), clock=clock)
    )
    for key in keys:
        engine.process(engine.follow(key, info(key), history, ends(history)))
    return engine


def play(engine: TradingEngine, bars: Bars, first: int, last: int | None = None, key: Key = KEY) -> None:
    """Give the engine all updates of bars `first` to `last`, and set its clock with them."""
    for at in range(first, len(bars) if last is None else last):
        for update in ticks(bars, at, key):
            if isinstance(engine.clock, Clock):
                engine.clock.time = update.event
            engine.process([update])
