"""The bars of one symbol in columns, and the properties of the symbol."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

MADE_UP = " (made up)"
"""The mark after the name of a symbol whose bars are made up."""


@dataclass
class Bars:
    """Bars in the order of time. `time` is the opening time in milliseconds UTC. `volume` is nan if it is not known."""

    time: list[int] = field(default_factory=list)
    open: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)
    low: list[float] = field(default_factory=list)
    close: list[float] = field(default_factory=list)
    volume: list[float] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.time)

    def columns(self) -> tuple[list[int], list[float], list[float], list[float], list[float], list[float]]:
        """Times, opens, highs, lows, closes and volumes."""
        return self.time, self.open, self.high, self.low, self.close, self.volume

    def last(self, count: int) -> Bars:
        """The last `count` bars, or all bars if there are fewer."""
        return Bars(
            self.time[-count:],
            self.open[-count:],
            self.high[-count:],
            self.low[-count:],
            self.close[-count:],
            self.volume[-count:],
        )

    def at(self, places: Iterable[int]) -> Bars:
        """The bars with these indices, in the order of `places`."""
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
    """The properties of a symbol, as `syminfo.*` and `timeframe.*` have them.

    `timezone` is the exchange's time zone, `session` a session string of Pine. `is_made_up` says that the bars of the
    symbol are made up, as in the sample market; each result that is made of them says so. `assumed` has the names of
    properties that scripts read though no source says them.
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
    def of(cls, told: Mapping[str, Any]) -> SymbolInfo:
        """The symbol with these properties, which were JSON values. Older files have the names that are assumed as one
        text with blanks between them. Raises TypeError for an unknown property, and if the assumed ones are not names.
        """
        assumed = told.get("assumed", ())
        names = assumed.split() if isinstance(assumed, str) else assumed
        if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
            raise TypeError(f"assumed is {assumed!r}, not a list of names")
        return cls(**{**told, "assumed": tuple(names)})

    @property
    def name(self) -> str:
        """The exchange and the ticker, for people: made-up bars are named as such."""
        return self.full_name + (MADE_UP if self.is_made_up else "")

    @property
    def full_name(self) -> str:
        """`EXCHANGE:TICKER`; the ticker alone for symbols of no exchange, such as spreads."""
        return f"{self.prefix}:{self.symbol}" if self.prefix else self.symbol
