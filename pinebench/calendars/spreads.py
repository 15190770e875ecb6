"""Spread symbols, such as `A/B`, `A - 2*B` or `1/A`: they combine other symbols' prices. Also computes their bars."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from pinebench.calendars.aggregation import BarColumns

_TOKEN = re.compile(r"\s*([-+*/()]|[A-Za-z0-9_.!:&@]+)")
_NUMBER = re.compile(r"\d+(\.\d*)?|\.\d+")
_NAMES = ("time", "open", "high", "low", "close", "volume")
_MOST = 10
"""The largest number of symbols in a spread, and of nested parentheses."""
_LONGEST = 200
"""The largest number of names, numbers and signs in a spread."""

Price = Callable[[Sequence[float]], float]
"""Computes a price from the prices of the symbols, in the order of `Spread.symbols`."""


@dataclass(frozen=True)
class Spread:
    """A spread symbol. It has its text, its symbols in the order of their first use, and the function that computes its
    price."""

    text: str
    symbols: tuple[str, ...]
    price: Price
    is_scaled: bool
    """Whether prices are multiplied or divided, so that the ticks of the symbols say nothing about the spread."""


class _NoSpread(Exception):
    """The text is not a spread symbol."""


def read(text: str, names: Iterable[str] = ()) -> Spread | None:
    """Parse a spread symbol. Return None for any other text, such as a plain symbol. `names` are symbols that may
    contain operators, such as `BTC-USD`; each is read as one symbol."""
    names = tuple(names)
    if text in names or not re.search(r"[-+*/]", text):
        return None
    try:
        return _SpreadReader(text, names).spread()
    except _NoSpread:
        return None


class _SpreadReader:
    """Reads the text of one spread, token by token."""

    def __init__(self, text: str, names: Iterable[str]) -> None:
        self._text = text
        signed = sorted((name for name in names if re.search(r"[-+*/]", name)), key=len, reverse=True)
        self._signed = [name for name in signed if name.strip()]
        self._symbols: dict[str, int] = {}
        self._place = 0
        self._depth = 0
        self._tokens = 0
        self._is_scaled = False
        self._token, self._is_sign = self._next()

    def spread(self) -> Spread:
        price = self._sum()
        if self._token or not self._symbols or len(self._symbols) > _MOST:
            raise _NoSpread
        return Spread(self._text, tuple(self._symbols), price, self._is_scaled)

    def _next(self) -> tuple[str, bool]:
        """The next token and whether it is a sign; an empty one at the end."""
        rest = self._text[self._place :]
        self._tokens += 1
        if self._tokens > _LONGEST:
            raise _NoSpread
        space = len(rest) - len(rest.lstrip())
        if space == len(rest):
            return "", True
        for name in self._signed:
            after = rest[space + len(name) :].lstrip()[:1]
            if rest.startswith(name, space) and (not after or after in "-+*/)"):
                self._place += space + len(name)
                return name, False
        found = _TOKEN.match(rest)
        if found is None:
            raise _NoSpread
        self._place += found.end()
        return found[1], found[1] in "-+*/()"

    def _took(self, signs: str) -> str:
        """Go on to the next token if this one is one of the signs, and return it; else an empty text."""
        taken = self._token
        if not taken or not self._is_sign or taken not in signs:
            return ""
        self._token, self._is_sign = self._next()
        return taken

    def _sum(self) -> Price:
        found = self._product()
        while sign := self._took("+-"):
            found = _joined(sign, found, self._product())
        return found

    def _product(self) -> Price:
        found = self._factor()
        while sign := self._took("*/"):
            self._is_scaled = True
            found = _joined(sign, found, self._factor())
        return found

    def _factor(self) -> Price:
        if self._took("("):
            self._depth += 1
            if self._depth > _MOST:
                raise _NoSpread
            found = self._sum()
            if not self._took(")"):
                raise _NoSpread
            self._depth -= 1
            return found
        if not self._token or self._is_sign:
            raise _NoSpread
        token = self._token
        self._token, self._is_sign = self._next()
        if _NUMBER.fullmatch(token):
            number = float(token)
            return lambda _: number
        place = self._symbols.setdefault(token, len(self._symbols))
        return lambda prices: prices[place]


def _joined(sign: str, left: Price, right: Price) -> Price:
    """The price of two parts with a sign between them; a division by zero gives nan."""
    if sign == "+":
        return lambda prices: left(prices) + right(prices)
    if sign == "-":
        return lambda prices: left(prices) - right(prices)
    if sign == "*":
        return lambda prices: left(prices) * right(prices)

    def quotient(prices: Sequence[float]) -> float:
        by = right(prices)
        return left(prices) / by if by else math.nan

    return quotient


@dataclass(slots=True)
class _Bars:
    """Columns of bars that grow."""

    time: list[int] = field(default_factory=list)
    open: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)
    low: list[float] = field(default_factory=list)
    close: list[float] = field(default_factory=list)
    volume: list[float] = field(default_factory=list)


class SpreadBars:
    """The bars of a spread. They grow with the bars of its symbols.

    A bar exists at each time at which all symbols have one. Each of its four prices is computed from the corresponding
    price of the symbols. The largest result becomes the high and the smallest the low. The volume is unknown. A bar
    with a division by zero is omitted.
    """

    def __init__(self, spread: Spread, legs: Sequence[BarColumns]) -> None:
        """Take the bars of the symbols, `legs`, in the order of `spread.symbols`. All have one timeframe."""
        self.bars = _Bars()
        self._spread = spread
        self._legs = legs
        self._places = [0] * len(legs)
        """The index of each symbol's bar at the last common time; that bar can still change."""
        self._has_last = False
        """Whether the spread already has a bar for the last common time."""
        self.update()

    def update(self) -> None:
        """Add the bars since the last update, and recompute the last bar."""
        if self._has_last:
            for name in _NAMES:
                del getattr(self.bars, name)[-1:]
        self._has_last = False
        places = list(self._places)
        while all(place < len(leg.time) for place, leg in zip(places, self._legs, strict=True)):
            now = [leg.time[place] for place, leg in zip(places, self._legs, strict=True)]
            latest = max(now)
            if min(now) == latest:
                self._places = list(places)
                self._has_last = self._add(latest, places)
                places = [place + 1 for place in places]
                continue
            places = [bisect_left(leg.time, latest, place) for place, leg in zip(places, self._legs, strict=True)]

    def _add(self, time: int, places: Sequence[int]) -> bool:
        """Add the bar of a common time, and return whether it has prices."""
        prices = [
            self._spread.price([getattr(leg, name)[place] for place, leg in zip(places, self._legs, strict=True)])
            for name in ("open", "high", "low", "close")
        ]
        if not all(map(math.isfinite, prices)):
            return False
        made = self.bars
        made.time.append(time)
        for column, price in ((made.open, prices[0]), (made.high, max(prices)), (made.low, min(prices))):
            column.append(price)
        made.close.append(prices[3])
        made.volume.append(math.nan)
        return True
