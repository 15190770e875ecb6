"""The paper accounts of all users: their money and positions, and the effect of a fill on both."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pinebench.engine.engine_store import EngineStore

DAY_MS = 86_400_000
NOTHING = 1e-12
"""A quantity that is not larger than this is a rounding error."""
BUY, SELL = "buy", "sell"
Price = Callable[[str], float | None]
"""Returns the newest price of a symbol; None if there is none."""


class AccountPosition(NamedTuple):
    """An open position. `side` is `buy` or `sell`, and `entry` is the average entry price."""

    symbol: str
    side: str
    quantity: float
    entry: float

    @property
    def signed(self) -> float:
        """The quantity, negative for a short position (`side` is `sell`)."""
        return self.quantity if self.side == BUY else -self.quantity

    def profit(self, price: float) -> float:
        """Return the profit of closing the position at `price`, without fees."""
        return (price - self.entry) * self.signed


class PositionChange(NamedTuple):
    """The effect of a fill: the position after it (None if closed), the realized profit, and the added quantity."""

    position: AccountPosition | None
    realized: float
    grown: float


class Worth(NamedTuple):
    """The parts of an account's value: start capital, realized profit, fees, open profit, market value of the
    positions (`bound`), and the equity when the day (UTC) began."""

    capital: float
    realized: float
    fees: float
    unrealized: float
    bound: float
    day_equity: float

    @property
    def balance(self) -> float:
        """The capital plus realized profit, minus fees; open profit is not counted."""
        return self.capital + self.realized - self.fees

    @property
    def equity(self) -> float:
        """The balance plus the open profit."""
        return self.balance + self.unrealized

    @property
    def available(self) -> float:
        """The equity minus the market value of all positions."""
        return self.equity - self.bound

    @property
    def lost(self) -> float:
        """The loss since the day (UTC) began, negative for a profit."""
        return self.day_equity - self.equity


def changed(position: AccountPosition | None, symbol: str, side: str, quantity: float, price: float) -> PositionChange:
    """Return the effect of a fill on `position` (None if there is none): it grows, shrinks, closes or reverses. A
    position that shrinks keeps its average entry price."""
    if position is None:
        return PositionChange(AccountPosition(symbol, side, quantity, price), 0.0, quantity)
    if position.side == side:
        total = position.quantity + quantity
        entry = (position.entry * position.quantity + price * quantity) / total
        return PositionChange(AccountPosition(symbol, side, total, entry), 0.0, quantity)
    closed = min(quantity, position.quantity)
    realized = position._replace(quantity=closed).profit(price)
    rest = position.quantity - closed
    if rest > NOTHING:
        return PositionChange(position._replace(quantity=rest), realized, 0.0)
    more = quantity - closed
    if more > NOTHING:
        return PositionChange(AccountPosition(symbol, side, more, price), realized, more)
    return PositionChange(None, realized, 0.0)


class Accounts:
    """The paper accounts in the store. Each new account starts with `capital`."""

    def __init__(self, store: EngineStore, capital: float, price: Price) -> None:
        self._store = store
        self._capital = capital
        self._price = price

    def open(self, db: sqlite3.Connection, subject: str, now: int) -> Worth:
        """Return a user's account. `db` must be in a transaction. Create the account if it is missing, and begin its
        new day (UTC) if the previous day is over at `now` (milliseconds UTC)."""
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
        """Return the account at the newest prices. A position in a symbol without a price is valued at its entry
        price."""
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
        """Return the positions of a user, sorted by symbol."""
        rows = self._store.rows("select * from position where subject = ? order by symbol", (subject,))
        return [_position(row) for row in rows]

    def position(self, subject: str, symbol: str) -> AccountPosition | None:
        """Return the position of a user in a symbol, or None if there is none."""
        row = self._store.row("select * from position where subject = ? and symbol = ?", (subject, symbol))
        return None if row is None else _position(row)

    def holders(self, symbol: str) -> list[str]:
        """Return the users with a position in a symbol."""
        return [row["subject"] for row in self._store.rows("select subject from position where symbol = ?", (symbol,))]

    def fill(self, db: sqlite3.Connection, subject: str, symbol: str, change: PositionChange, fee: float) -> None:
        """Write the effect of a fill: `change` to the position, `fee` to the account. `db` must be in a transaction."""
        db.execute(
            "update account set realized = realized + ?, fees = fees + ? where subject = ?",
            (change.realized, fee, subject),
        )
        if change.position is None:
            db.execute("delete from position where subject = ? and symbol = ?", (subject, symbol))
        else:
            db.execute("insert or replace into position values (?, ?, ?, ?, ?)", (subject, *change.position))

    def told_positions(self, subject: str) -> list[dict[str, Any]]:
        """Return the positions of a user as the tool get_positions returns them."""
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
        """Return a user's account as the tool get_balance returns it."""
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
