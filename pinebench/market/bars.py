"""The bars of one symbol, stored by column, and the properties of the symbol."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

MADE_UP = " (made up)"
"""The mark after the name of a symbol whose bars are made up."""


@dataclass
class Bars:
    """Bars in order of time. `time` is the opening time in milliseconds UTC. `volume` is nan if it is unknown."""

    time: list[int] = field(default_factory=list)
    open: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)
    low: list[float] = field(default_factory=list)
    close: list[float] = field(default_factory=list)
    volume: list[float] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.time)

    def columns(self) -> tuple[list[int], list[float], list[float], list[float], list[float], list[float]]:
        """Return times, opens, highs, lows, closes and volumes."""
        return self.time, self.open, self.high, self.low, self.close, self.volume

    def last(self, count: int) -> Bars:
        """Return the last `count` bars, or all bars if there are fewer."""
        return Bars(
            self.time[-count:],
            self.open[-count:],
            self.high[-count:],
            self.low[-count:],
            self.close[-count:],
            self.volume[-count:],
        )

    def at(self, places: Iterable[int]) -> Bars:
        """Return the bars at the indices `places`, in that order."""
        chosen = list(places)
        prices = ([column[k] for k in chosen] for column in (self.open, self.high, self.low, self.close, self.volume))
        return Bars([self.time[k] for k in chosen], *prices)

    def append(self, time: int, open: float, high: float, low: float, close: float, volume: float) -> None:
        """Add a bar at the end."""
        self.time.append(time)
        self.open.append(open)
        self.high.append(high)
        self.low.append(low)
        self.close.append(close)
        self.volume.append(volume)


@dataclass(frozen=True)
class SymbolInfo:
    """The properties of a symbol that scripts read as `syminfo.*` and `timeframe.*`.

    `timezone` is the exchange's time zone, and `session` is a Pine session string. `is_made_up` is true for invented
    prices, as in the sample market; every result that uses them says so. `assumed` names the properties whose values
    are assumed because no source states them.
    """

    symbol: str = "SAMPLE"
    prefix: str = "PINEBENCH"
    description: str = ""
    type: str = "crypto"
    currency: str = "USD"
    basecurrency: str = ""
    mintick: float = 0.01
    pointvalue: float = 1.0
    mincontract: float = 1.0
    timezone: str = "Etc/UTC"
    session: str = "24x7"
    timeframe: str = "D"
    volumetype: str = "base"
    is_made_up: bool = False
    assumed: tuple[str, ...] = ()

    @classmethod
    def of(cls, properties: Mapping[str, Any]) -> SymbolInfo:
        """Create a symbol from properties stored as JSON. In older files, `assumed` is a string of names separated by
        spaces. Raises TypeError for an unknown property, or if `assumed` is not a list of names."""
        assumed = properties.get("assumed", ())
        names = assumed.split() if isinstance(assumed, str) else assumed
        if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
            raise TypeError(f"assumed is {assumed!r}, not a list of names")
        return cls(**{**properties, "assumed": tuple(names)})

    @property
    def name(self) -> str:
        """The exchange and the ticker, for people, with a note if the prices are made up."""
        return self.full_name + (MADE_UP if self.is_made_up else "")

    @property
    def full_name(self) -> str:
        """`EXCHANGE:TICKER`; only the ticker for symbols without an exchange, such as spreads."""
        return f"{self.prefix}:{self.symbol}" if self.prefix else self.symbol
