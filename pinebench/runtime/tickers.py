"""Ticker identifiers: the functions of `ticker.` make them, and a request reads them."""

from __future__ import annotations

from dataclasses import dataclass

from pinebench.runtime.refusals import NotComputed

_MARK = "\x1f"
"""The character between a ticker and its modifier. No symbol contains it."""
_HEIKIN_ASHI = "heikinashi"


@dataclass(frozen=True)
class Ticker:
    """A symbol, with or without its exchange, and the kind of its bars."""

    name: str
    heikin_ashi: bool = False

    @classmethod
    def read(cls, text: str) -> Ticker:
        """Parse the string that a script passes as a symbol."""
        name, _, kind = text.partition(_MARK)
        return cls(name, kind == _HEIKIN_ASHI)

    @property
    def text(self) -> str:
        """The string that a script passes as a symbol."""
        return f"{self.name}{_MARK}{_HEIKIN_ASHI}" if self.heikin_ashi else self.name


def new(prefix: str | None, ticker: str | None, session: str | None = None, *_: object) -> str:
    """Return a ticker with its exchange before it: `ticker.new(prefix, ticker, session, ...)`. Raises NotComputed for
    the extended session."""
    _only_given_bars("ticker.new", session)
    return f"{prefix}:{ticker}" if prefix else ticker or ""


def modify(tickerid: str | None, session: str | None = None, *_: object) -> str:
    """Return the ticker unchanged, because sessions and adjustments depend on the given bars: `ticker.modify(tickerid,
    ...)`. Raises NotComputed for the extended session."""
    _only_given_bars("ticker.modify", session)
    return tickerid or ""


def _only_given_bars(function: str, session: str | None) -> None:
    """Refuse the extended session, because only the given bars are known."""
    if session == "extended":
        raise NotComputed(f"{function}() with the extended session")


def heikin_ashi(symbol: str | None) -> str:
    """Return the ticker for the Heikin Ashi bars of a symbol: `ticker.heikinashi(symbol)`."""
    return Ticker(Ticker.read(symbol or "").name, True).text


def standard(symbol: str | None) -> str:
    """Return the ticker for the standard bars of a symbol: `ticker.standard(symbol)`."""
    return (symbol or "").partition(_MARK)[0]


def inherit(from_tickerid: str | None, symbol: str | None) -> str:
    """Return the ticker of `symbol` with the kind of bars of `from_tickerid`: `ticker.inherit(from_tickerid,
    symbol)`."""
    kind = Ticker.read(symbol or "")
    return Ticker(kind.name, kind.heikin_ashi or Ticker.read(from_tickerid or "").heikin_ashi).text


def prefix_of(symbol: str | None) -> str:
    """Return the exchange of a symbol, or an empty string: `syminfo.prefix(symbol)`."""
    return standard(symbol).rpartition(":")[0]


def ticker_of(symbol: str | None) -> str:
    """Return the symbol without its exchange: `syminfo.ticker(symbol)`."""
    return standard(symbol).rpartition(":")[2]
