"""The paper accounts of all users: money, positions, and what a fill changes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pinebench.engine.engine_store import EngineStore

DAY_MS = 86_400_000
_NOTHING = 1e-12
BUY, SELL = "buy", "sell"
Price = Callable[[str], float | None]
"""Gives the newest price of a symbol; None if there is none."""


class AccountPosition(NamedTuple):
    """A position. `side` is `buy` or `sell`, `entry` the average price of its entries."""

    symbol: str
    side: str
    quantity: float
    entry: float

    @property
    def signed(self) -> float:
        """The quantity, negative if it was sold."""
        return self.quantity if self.side == BUY else -self.quantity

    def profit(self, price: float) -> float:
        """The profit of closing it at `price`."""
        return (price - self.entry) * self.signed


class PositionChange(NamedTuple):
    """A position after a fill, the profit that the fill realized, and the quantity by which the position grew."""

    position: AccountPosition | None
    realized: float
    grown: float


class Worth(NamedTuple):
    """An account: its capital at the beginning, realized profit, fees, open profit, and what its positions bind."""

    capital: float
    realized: float
    fees: float
    unrealized: float
    bound: float
    day_equity: float

    @property
    def balance(self) -> float:
        """The money without open profits."""
        return self.capital + self.realized - self.fees

    @property
    def equity(self) -> float:
        """The money with open profits."""
        return self.balance + self.unrealized

    @property
    def available(self) -> float:
        """The money that no position binds."""
        return self.equity - self.bound

    @property
    def lost(self) -> float:
        """The loss since the day began; negative if it is a profit."""
        return self.day_equity - self.equity


def changed(position: AccountPosition | None, symbol: str, side: str, quantity: float, price: float) -> PositionChange:
    """The position after a fill: it grows, shrinks at its entry price, closes, or turns to the other side."""
    if position is None:
        return PositionChange(AccountPosition(symbol, side, quantity, price), 0.0, quantity)
    if position.side == side:
        total = position.quantity + quantity
        entry = (position.entry * position.quantity + price * quantity) / total
        return PositionChange(AccountPosition(symbol, side, total, entry), 0.0, quantity)
    closed = min(quantity, position.quantity)
    realized = position._replace(quantity=closed).profit(price)
    rest = position.quantity - closed
    if rest > _NOTHING:
        return PositionChange(position._replace(quantity=rest), realized, 0.0)
    more = quantity - closed
    if more > _NOTHING:
        return PositionChange(AccountPosition(symbol, side, more, price), realized, more)
    return PositionChange(None, realized, 0.0)


class Accounts:
    """The accounts in the store. An account begins with `capital` when its user first asks for it."""

    def __init__(self, store: EngineStore, capital: float, price: Price) -> None:
        self._store = store
        self._capital = capital
        self._price = price

    def open(self, db: sqlite3.Connection, subject: str, now: int) -> Worth:
        """The account of a user in a transaction; it is made if it is missing, and its day begins if it has passed."""
        day = now // DAY_MS
        db.execute(
            "insert or ignore into account values (?, ?, 0, 0, ?, ?)", (subject, self._capital, day, self._capital)
        )
        worth = self.worth(subject)
        row = db.execute("select day from account where subject = ?", (subject,)).fetchone()
        if row["day"] < day:
            db.execute("update account set day = ?, day_equity = ? where subject = ?", (day, worth.equity, subject))
            worth = worth._replace(day_equity=worth.equity)
        return worth

    def worth(self, subject: str) -> Worth:
        """The worth of an account at the newest prices."""
        row = self._store.row("select * from account where subject = ?", (subject,))
        capital, realized, fees, begun = (
            (self._capital, 0.0, 0.0, self._capital)
            if row is None
            else (row["capital"], row["realized"], row["fees"], row["day_equity"])
        )
        unrealized = bound = 0.0
        for position in self.positions(subject):
            price = self._price(position.symbol) or position.entry
            unrealized += position.profit(price)
            bound += position.quantity * price
        return Worth(capital, realized, fees, unrealized, bound, begun)

    def positions(self, subject: str) -> list[AccountPosition]:
        """The positions of a user, by symbol."""
        rows = self._store.rows("select * from position where subject = ? order by symbol", (subject,))
        return [_position(row) for row in rows]

    def position(self, subject: str, symbol: str) -> AccountPosition | None:
        """The position of a user in a symbol; None if there is none."""
        row = self._store.row("select * from position where subject = ? and symbol = ?", (subject, symbol))
        return None if row is None else _position(row)

    def holders(self, symbol: str) -> list[str]:
        """The users with a position in a symbol."""
        return [row["subject"] for row in self._store.rows("select subject from position where symbol = ?", (symbol,))]

    def fill(self, db: sqlite3.Connection, subject: str, symbol: str, change: PositionChange, fee: float) -> None:
        """Write what a fill changed in a transaction."""
        db.execute(
            "update account set realized = realized + ?, fees = fees + ? where subject = ?",
            (change.realized, fee, subject),
        )
        if change.position is None:
            db.execute("delete from position where subject = ? and symbol = ?", (subject, symbol))
        else:
            db.execute("insert or replace into position values (?, ?, ?, ?, ?)", (subject, *change.position))

    def told_positions(self, subject: str) -> list[dict[str, Any]]:
        """The positions as get_positions gives them."""
        return [self._told(each) for each in self.positions(subject)]

    def _told(self, one: AccountPosition) -> dict[str, Any]:
        price = self._price(one.symbol)
        return {
            "symbol": one.symbol,
            "side": one.side,
            "quantity": one.quantity,
            "entry_price": one.entry,
            "current_price": price,
            "unrealized_pnl": None if price is None else one.profit(price),
        }

    def balance(self, subject: str) -> Mapping[str, Any]:
        """The account as get_balance gives it."""
        worth = self.worth(subject)
        return {
            "initial_capital": worth.capital,
            "balance": worth.balance,
            "equity": worth.equity,
            "available": worth.available,
            "realized_pnl": worth.realized,
            "unrealized_pnl": worth.unrealized,
            "fees": worth.fees,
            "paper": True,
        }


def _position(row: sqlite3.Row) -> AccountPosition:
    return AccountPosition(row["symbol"], row["side"], row["quantity"], row["entry"])
