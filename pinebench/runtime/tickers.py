"""Ticker identifiers: what `ticker.*` makes, and what a request reads of it."""

from __future__ import annotations

from dataclasses import dataclass

from pinebench.runtime.refusals import NotComputed

_MARK = "\x1f"
"""Stands between a ticker and what modifies it; no symbol has it."""
_HEIKIN_ASHI = "heikinashi"


@dataclass(frozen=True)
class Ticker:
    """A symbol, with or without its exchange, and the kind of bars it is to have."""

    name: str
    heikin_ashi: bool = False

    @classmethod
    def read(cls, text: str) -> Ticker:
        """Read what a script passes as a symbol."""
        name, _, kind = text.partition(_MARK)
        return cls(name, kind == _HEIKIN_ASHI)

    @property
    def text(self) -> str:
        """As a script passes it."""
        return f"{self.name}{_MARK}{_HEIKIN_ASHI}" if self.heikin_ashi else self.name


def new(prefix: str | None, ticker: str | None, *_: object) -> str:
    """`ticker.new`."""
    return f"{prefix}:{ticker}" if prefix else ticker or ""


def modify(tickerid: str | None, session: str | None = None, *_: object) -> str:
    """`ticker.modify`: sessions and adjustments are those of the bars that are given."""
    if session == "extended":
        raise NotComputed("ticker.modify() to the extended session")
    return tickerid or ""


def heikin_ashi(symbol: str | None) -> str:
    """`ticker.heikinashi`."""
    return Ticker(Ticker.read(symbol or "").name, True).text


def standard(symbol: str | None) -> str:
    """`ticker.standard`: the plain bars of a symbol."""
    return Ticker.read(symbol or "").name


def inherit(from_tickerid: str | None, symbol: str | None) -> str:
    """`ticker.inherit`: `symbol` with the kind of bars that `from_tickerid` has."""
    return Ticker(symbol or "", Ticker.read(from_tickerid or "").heikin_ashi).text


def prefix_of(symbol: str | None) -> str:
    """`syminfo.prefix()`."""
    name = Ticker.read(symbol or "").name
    return name.rpartition(":")[0]


def ticker_of(symbol: str | None) -> str:
    """`syminfo.ticker()`."""
    return Ticker.read(symbol or "").name.rpartition(":")[2]
