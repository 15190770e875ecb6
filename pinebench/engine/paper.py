"""Paper trading: accepts orders, and fills them along the path of the price like the strategy tester's broker."""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pinebench.broker import LIMIT, RAW, Grid, Order, Slippage, meets
from pinebench.engine import audit_log, orders, risk, strategies, switch
from pinebench.engine.accounts import BUY, NOTHING, SELL, Accounts, Price, changed
from pinebench.engine.engine_store import EngineStore
from pinebench.engine.orders import CANCELLED, FILLED, LIMIT_TYPE, MARKET_TYPE, OPEN, REJECTED, STOP_TYPE
from pinebench.engine.risk import RiskLimits
from pinebench.engine.series import PriceLeg
from pinebench.engine.strategies import PaperStrategy
from pinebench.engine.studies import StrategyFill
from pinebench.errors import UsageError
from pinebench.market import SymbolInfo

_LARGEST = 1e12
_SPACE = uuid.UUID("9c9f5a1c-2d9b-4c0e-8a3b-7a1a7c2b5d11")
_CLIENTS = uuid.UUID("4f1e6a52-6c0d-4b5e-9a0f-2f4d8f1c7b36")
_MINUTE_MS = 60_000


@dataclass(frozen=True)
class Terms:
    """The terms of all paper accounts: capital, commission in percent of a fill's value, and slippage in ticks."""

    capital: float = 100_000.0
    commission: float = 0.1
    slippage: int = 1


@dataclass(eq=False)
class OpenOrder:
    """An open order. Only price movements that began at `active` (milliseconds UTC) or later can fill it."""

    id: str
    subject: str
    symbol: str
    side: str
    type: str
    order: Order
    active: int
    take_profit: float | None
    stop_loss: float | None
    oco: str | None
    reduces: bool


class Paper:
    """The paper orders of all users. Changes are written to the store. The store's lock protects them."""

    def __init__(
        self,
        store: EngineStore,
        terms: Terms,
        limits: RiskLimits,
        *,
        price: Price,
        info: Callable[[str], SymbolInfo | None],
        now: Callable[[str], int],
    ) -> None:
        """Load the open orders from the store. `now` returns the market's time of a symbol in milliseconds UTC."""
        self._store = store
        self._terms = terms
        self._limits = limits
        self._price = price
        self._info = info
        self._now = now
        self.accounts = Accounts(store, terms.capital, price)
        self._waiting: dict[str, dict[str, OpenOrder]] = defaultdict(dict)
        self.has_pending = False
        self.newest = 0
        """The sequence number of the newest opened order."""
        self._born: set[str] = set()
        """The orders that fills of the current `walk` have placed."""
        self.load()

    def load(self) -> None:
        """Reload all open orders from the store."""
        with self._store.lock:
            self._waiting.clear()
            for row in self._store.rows("select * from paper_order where state = ? order by turn", (OPEN,)):
                self._wait(row)
            pending = self._store.row("select 1 from paper_order where state = ?", (orders.PENDING,))
            self.has_pending = pending is not None

    def _wait(self, row: sqlite3.Row) -> None:
        symbol, side = row["symbol"], row["side"]
        kind, price = row["type"], row["price"]
        order = Order(
            RAW,
            row["id"],
            1 if side == BUY else -1,
            row["quantity"],
            row["turn"],
            -1,
            limit=price if kind == LIMIT_TYPE else None,
            stop=price if kind == STOP_TYPE else None,
        )
        levels = row["take_profit"], row["stop_loss"]
        more = row["oco"], bool(row["reduces"])
        one = OpenOrder(row["id"], row["subject"], symbol, side, kind, order, row["active"], *levels, *more)
        self._waiting[symbol][one.id] = one
        self.newest = max(self.newest, row["turn"])

    # what users ask for

    def place(
        self,
        subject: str,
        symbol: str,
        side: str,
        type: str,
        quantity: float,
        price: float | None,
        take_profit: float | None = None,
        stop_loss: float | None = None,
        *,
        client_id: str | None = None,
        reduces: bool = False,
    ) -> str:
        """Accept an order and return its id. The order is pending until `accept` runs.

        `client_id` is the user's own id of the order: an order that is sent again with the same id is accepted once.
        With `reduces`, the order can only close: at most the account's position, or the user's own position (without
        what strategies hold) if that is larger.

        Raises UsageError for invalid arguments, or if `client_id` belongs to another order.
        """
        self._check(side, type, quantity, price, take_profit, stop_loss)
        direction = 1 if side == BUY else -1
        asked = {
            "symbol": symbol,
            "side": side,
            "type": type,
            "quantity": quantity,
            "price": self._rounded(symbol, type, price, direction),
            "take_profit": self._rounded(symbol, LIMIT_TYPE, take_profit, -direction),
            "stop_loss": self._rounded(symbol, STOP_TYPE, stop_loss, -direction),
            "reduces": int(reduces),
        }
        id = str(uuid.uuid4() if client_id is None else uuid.uuid5(_CLIENTS, json.dumps([subject, client_id])))
        with self._store.transaction() as db:
            if client_id is not None and self._is_known(db, id, asked):
                return id
            self._check_reducing(subject, asked)
            orders.insert(db, id=id, subject=subject, created=self._now(symbol), **asked)
            words = (side.upper(), symbol, quantity, _loud(type, price), f"id={id}")
            audit_log.write(db, self._now(symbol), subject, "SUBMITTED", *words)
            self.has_pending = True
            if self._store.count("paper_order", subject=subject) % orders.PURGED_EACH == 0:
                orders.purge(db, subject)
        return id

    def _is_known(self, db: sqlite3.Connection, id: str, asked: Mapping[str, Any]) -> bool:
        """Return whether this order was already accepted. Raises UsageError if a different order has its id."""
        row = db.execute("select * from paper_order where id = ?", (id,)).fetchone()
        if row is None:
            return False
        # A fill may have made the quantity of a closing order smaller.
        free = {"quantity"} if row["reduces"] else set[str]()
        if any(row[name] != value for name, value in asked.items() if name not in free):
            hint = "use a new id for each order; get_orders lists the accepted orders"
            raise UsageError("client_order_id belongs to another order", hint)
        return True

    def _check_reducing(self, subject: str, asked: Mapping[str, Any]) -> None:
        """Raise UsageError if an order with `reduces` has nothing to close, or has a take profit or stop loss."""
        if not asked["reduces"]:
            return
        if asked["take_profit"] is not None or asked["stop_loss"] is not None:
            raise UsageError("an order with reduce_only cannot have take_profit or stop_loss", "leave them out")
        if self._closable(subject, asked["symbol"], asked["side"]) <= NOTHING:
            raise UsageError(
                f"there is no position in {asked['symbol']} that a {asked['side']} order can reduce",
                "get_positions lists the positions",
            )

    def _check(
        self,
        side: str,
        type: str,
        quantity: float,
        price: float | None,
        take_profit: float | None,
        stop_loss: float | None,
    ) -> None:
        if side not in (BUY, SELL):
            raise UsageError("side must be buy or sell")
        if type not in orders.TYPES:
            raise UsageError(f"type must be one of {', '.join(orders.TYPES)}")
        if not 0 < quantity < _LARGEST:
            raise UsageError("quantity must be greater than 0")
        if type != MARKET_TYPE and price is None:
            raise UsageError(f"price is required for {type} orders")
        if type == MARKET_TYPE and price is not None:
            raise UsageError("a market order has no price", "leave the price out, or use type limit or stop")
        given = [each for each in (price, take_profit, stop_loss) if each is not None]
        if any(not 0 < each < _LARGEST for each in given):
            raise UsageError("a price must be greater than 0")
        if take_profit is not None and stop_loss is not None and (take_profit - stop_loss) * (side == BUY or -1) <= 0:
            hint = "a buy needs take_profit above stop_loss, a sell below it"
            raise UsageError("take_profit and stop_loss are on the wrong sides", hint)

    def _rounded(self, symbol: str, type: str, price: float | None, side: int) -> float | None:
        if price is None:
            return None
        grid = self._grid(symbol)
        return grid.stop(price, side) if type == STOP_TYPE else grid.limit(price, side)

    def _grid(self, symbol: str) -> Grid:
        info = self._info(symbol)
        return Grid(info.mintick if info is not None else 0.01)

    def cancel(self, subject: str, id: str) -> None:
        """Cancel an open order of a user. Raises UsageError if there is none, or if it is not open."""
        with self._store.transaction() as db:
            row = db.execute("select * from paper_order where id = ? and subject = ?", (id, subject)).fetchone()
            if row is None:
                raise orders.not_found(id)
            self._cancel(db, id, subject, row["symbol"], "")

    def _cancel(self, db: sqlite3.Connection, id: str, subject: str, symbol: str, reason: str) -> None:
        orders.move(db, id, CANCELLED, reason=reason)
        words = (f"({reason})",) if reason else ()
        audit_log.write(db, self._now(symbol), subject, "CANCELLED", f"id={id}", *words)
        self._waiting[symbol].pop(id, None)

    # pending orders

    def accept(self, db: sqlite3.Connection) -> None:
        """Open or reject the pending orders. `db` must be in a transaction."""
        rows = db.execute("select * from paper_order where state = ? order by turn", (orders.PENDING,)).fetchall()
        for row in rows:
            reason = self._refusal(db, row)
            if reason is not None:
                orders.move(db, row["id"], REJECTED, reason=reason)
                audit_log.write(
                    db, self._now(row["symbol"]), row["subject"], "REJECTED", f"id={row['id']}", f"({reason})"
                )
                continue
            self._open(db, row["id"], self._now(row["symbol"]))
        self.has_pending = False

    def _open(self, db: sqlite3.Connection, id: str, active: int) -> None:
        orders.move(db, id, OPEN, active=active)
        self._wait(db.execute("select * from paper_order where id = ?", (id,)).fetchone())

    def _refusal(self, db: sqlite3.Connection, row: sqlite3.Row) -> str | None:
        """Return why a pending order is rejected; None if it is opened."""
        stop = risk.halted(self._store)
        if stop is not None:
            return f"trading is halted: {stop}"
        subject, symbol, side, quantity = row["subject"], row["symbol"], row["side"], row["quantity"]
        worth = self.accounts.open(db, subject, self._now(symbol))
        market = self._price(symbol)
        if market is None and row["price"] is None:
            return f"no price of {symbol} is known yet"
        if row["reduces"]:
            return None
        # A limit to sell is filled at the market if that is better, and a stop may be too: the worse price counts.
        price = max(row["price"] or 0.0, market or 0.0)
        reason = self._limited(row, price, worth.lost)
        return reason or self._lack(subject, symbol, side, quantity, row["price"] or price)

    def _limited(self, row: sqlite3.Row, price: float, lost: float) -> str | None:
        """Return why the account's limits refuse a pending order; None if they allow it.

        Other open orders on its side may be filled before or after it, so their quantities count too.
        """
        subject, symbol, side, quantity = row["subject"], row["symbol"], row["side"], row["quantity"]
        beside = [
            each.order
            for each in self._waiting[symbol].values()
            if each.subject == subject and each.side == side and not each.reduces
        ]
        total = quantity + sum(each.quantity for each in beside)
        worst = max(price, *(each.limit or each.stop or 0.0 for each in beside), 0.0)
        change = changed(self.accounts.position(subject, symbol), symbol, side, total, worst)
        if not change.grown:
            return None
        return self._limits.refusal(
            order_value=quantity * price,
            position_value=change.position.quantity * worst if change.position is not None else 0.0,
            orders_before=self._ordered(subject, self._now(symbol), row["turn"]),
            waiting=sum(each.subject == subject for each in self._all()),
            lost=lost,
        )

    def _ordered(self, subject: str, time: int, turn: int) -> int:
        """Return the number of a user's orders in the minute before `time` whose sequence numbers are below `turn`."""
        return self._store.rows(
            "select count(*) from paper_order where subject = ? and created > ? and created <= ? and turn < ?"
            " and parent is null",
            (subject, time - _MINUTE_MS, time, turn),
        )[0][0]

    def _exceeds(
        self, subject: str, symbol: str, side: str, quantity: float, price: float, lost: float, ordered: int = 0
    ) -> str | None:
        """Return why the account's limits refuse a fill at `price`; None if they allow it. `ordered` is the number of
        orders in the last minute if the order was not accepted before."""
        change = changed(self.accounts.position(subject, symbol), symbol, side, quantity, price)
        if not change.grown or change.position is None:
            return None
        worst = max(price, self._price(symbol) or price)
        return self._limits.refusal(
            order_value=quantity * price,
            position_value=change.position.quantity * worst,
            orders_before=ordered,
            waiting=0,
            lost=lost,
        )

    def _lack(self, subject: str, symbol: str, side: str, quantity: float, price: float) -> str | None:
        """Return why the account has too little money for a fill; None if it has enough."""
        worth, before = self.accounts.worth(subject), self.accounts.position(subject, symbol)
        change = changed(before, symbol, side, quantity, price)
        if not change.grown:
            return None
        now = self._price(symbol) or price
        bound = worth.bound - (before.quantity * now if before is not None else 0.0)
        equity = worth.equity - self._fee(quantity, price)
        needed = change.position.quantity * price if change.position is not None else 0.0
        if bound + needed <= equity + 1e-9:
            return None
        return f"not enough money: {needed:.2f} is needed, {max(equity - bound, 0.0):.2f} is available"

    def _fee(self, quantity: float, price: float) -> float:
        return quantity * price * self._terms.commission / 100

    # fills

    def is_met(self, symbol: str, legs: Sequence[PriceLeg]) -> bool:
        """Return whether the path of the price fills at least one open order of the symbol."""
        waiting = tuple(self._waiting.get(symbol, {}).values())  # users may place orders meanwhile
        return any(
            each.active <= leg.since and meets(each.order, leg.start, leg.end, 0.0)[1] != 0
            for leg in legs
            for each in waiting
        )

    def walk(self, db: sqlite3.Connection, symbol: str, legs: Sequence[PriceLeg], time: int, newest: int) -> None:
        """Fill the orders whose prices the path of the price reaches, nearest first. `db` must be in a transaction.

        `time` (milliseconds UTC) is the time at which the end of the path was received. `newest` is the sequence number
        of the newest order at that time: later orders are not filled, except exits that these fills open.
        """
        if not self.is_met(symbol, legs) or risk.halted(self._store) is not None:
            return
        self._born.clear()
        for leg in legs:
            current = leg.start
            while (found := self._nearest(symbol, leg, current, newest)) is not None:
                one, current, reason = found
                self._fill(db, one, current, reason, leg, time)

    def _nearest(self, symbol: str, leg: PriceLeg, current: float, newest: int) -> tuple[OpenOrder, float, int] | None:
        """Return the order that is met first between `current` and the end of the leg, with its price and the reason of
        the fill.

        The rules are the ones of the strategy tester's broker. At the same price, buys come before sells, and market
        orders before other orders of their side. Limits that were already passed come last: for buys the lowest first,
        for sells the highest first.
        """
        met: list[tuple[OpenOrder, float, int]] = []
        for one in self._waiting[symbol].values():
            is_there = one.order.sequence <= newest or one.id in self._born
            if is_there and one.active <= leg.since:
                price, reason = meets(one.order, current, leg.end, 0.0)
                if reason:
                    met.append((one, price, reason))

        def rank(found: tuple[OpenOrder, float, int]) -> tuple[float, bool, int, float, bool, int]:
            one, price, reason = found
            order = one.order
            is_late = leg.start == leg.end and reason == LIMIT and order.limit is not None
            late = order.limit * order.side if is_late and order.limit is not None else 0.0
            return abs(price - current), is_late, -order.side, late, not order.is_market, order.sequence

        return min(met, key=rank, default=None)

    def _fill(self, db: sqlite3.Connection, one: OpenOrder, at: float, reason: int, leg: PriceLeg, time: int) -> None:
        grid = self._grid(one.symbol)
        price = Slippage(self._terms.slippage, grid).paid(at, one.order.side, reason)
        quantity = one.order.quantity
        if one.reduces:
            quantity = min(quantity, self._closable(one.subject, one.symbol, one.side))
            if quantity <= NOTHING:
                self._cancel(db, one.id, one.subject, one.symbol, "there is no position to close")
                return
        lost = self.accounts.open(db, one.subject, time).lost
        lack = self._exceeds(one.subject, one.symbol, one.side, quantity, price, lost)
        lack = lack or self._lack(one.subject, one.symbol, one.side, quantity, price)
        if lack is not None:
            self._cancel(db, one.id, one.subject, one.symbol, lack)
            return
        self._waiting[one.symbol].pop(one.id, None)
        self._release(one.subject, one.symbol, one.side, quantity)
        self._book(db, one.id, one.subject, one.symbol, one.side, quantity, price, time)
        if one.oco is not None:
            self._cancel_group(db, one)
        self._bracket(db, one, quantity, leg)
        self._drop_exits(db, one.subject, one.symbol)

    def _book(
        self,
        db: sqlite3.Connection,
        id: str,
        subject: str,
        symbol: str,
        side: str,
        quantity: float,
        price: float,
        time: int,
        reason: str = "",
    ) -> None:
        fee = self._fee(quantity, price)
        self.accounts.open(db, subject, time)
        change = changed(self.accounts.position(subject, symbol), symbol, side, quantity, price)
        known = {"filled": time, "fill_price": price, "fee": fee, "quantity": quantity, "reason": reason}
        orders.move(db, id, FILLED, **known)
        self.accounts.fill(db, subject, symbol, change, fee)
        audit_log.write(db, time, subject, "FILLED", side.upper(), symbol, quantity, "@", price, f"id={id}")

    def _cancel_group(self, db: sqlite3.Connection, filled: OpenOrder) -> None:
        for one in tuple(self._waiting[filled.symbol].values()):
            if one.oco == filled.oco and one.subject == filled.subject:
                self._cancel(db, one.id, one.subject, one.symbol, "the other order of the pair was filled")

    def _bracket(self, db: sqlite3.Connection, one: OpenOrder, quantity: float, leg: PriceLeg) -> None:
        """Place the take profit and the stop loss of a filled order. They are active from the fill on."""
        side = SELL if one.side == BUY else BUY
        for type, price in ((LIMIT_TYPE, one.take_profit), (STOP_TYPE, one.stop_loss)):
            if price is None:
                continue
            id = str(uuid.uuid5(_SPACE, f"{one.id}:{type}"))
            orders.insert(
                db,
                id=id,
                subject=one.subject,
                symbol=one.symbol,
                side=side,
                type=type,
                quantity=quantity,
                price=price,
                created=leg.since,
                parent=one.id,
                oco=one.id,
                reduces=1,
            )
            words = (side.upper(), one.symbol, quantity, _loud(type, price), f"id={id}", f"parent={one.id}")
            audit_log.write(db, self._now(one.symbol), one.subject, "SUBMITTED", *words)
            self._open(db, id, leg.since)
            self._born.add(id)

    def _drop_exits(self, db: sqlite3.Connection, subject: str, symbol: str) -> None:
        exits = [one for one in self._waiting[symbol].values() if one.subject == subject and one.reduces]
        for one in exits:
            if self._closable(subject, symbol, one.side) <= NOTHING:
                self._cancel(db, one.id, subject, symbol, "the position was closed")

    def _closable(self, subject: str, symbol: str, side: str) -> float:
        """Return the largest quantity that an exit of the user may close; not above 0 if there is nothing to close.

        It is the account's position, or the user's own one without what the account holds for strategies, if that is
        larger: a strategy on the other side must not take away the user's stop loss.
        """
        position = self.accounts.position(subject, symbol)
        account = 0.0 if position is None else position.signed
        own = account - sum(strategies.all_held(self._store, subject, symbol).values())
        return max(account, own) if side == SELL else -min(account, own)

    # strategies

    def mirror(self, db: sqlite3.Connection, strategy: PaperStrategy, fill: StrategyFill) -> str | None:
        """Book a fill of a strategy. Return None if the complete fill was booked, otherwise a sentence that says which
        part was not booked and why. A repeated call changes nothing and returns None. `db` must be in a transaction.

        The quantity that the account holds for the strategy moves toward the strategy's position: by at most the
        quantity of the fill, and never past that position. So the exit of a refused entry opens nothing. While trading
        is halted, nothing is booked. If a risk limit refuses the fill, only the part that closes is booked.
        """
        subject, symbol, side, time = strategy.subject, strategy.key[0], fill.side, fill.time
        id = str(uuid.uuid5(_SPACE, f"{strategy.id}:{time}:{fill.number}"))
        asked = {"symbol": symbol, "side": side, "type": MARKET_TYPE, "quantity": fill.quantity, "created": time}
        if not orders.insert(db, id=id, subject=subject, **asked):
            return None
        words = (side.upper(), symbol, fill.quantity, "MARKET", f"id={id}", "strategy")
        audit_log.write(db, time, subject, "SUBMITTED", *words)
        before = self._held(strategy, fill)
        turn = db.execute("select turn from paper_order where id = ?", (id,)).fetchone()[0]
        quantity, reason = self._followed(db, strategy, fill, before, self._ordered(subject, time, turn))
        after = before + (quantity if side == BUY else -quantity)
        if abs(after - fill.position) <= _rounding(fill, before):
            after = fill.position  # rounding errors of many fills would add up
        strategies.set_held(self._store, strategy.id, after)
        told = None
        if reason:
            part = f"only {quantity:.10g} of " if quantity else ""
            told = (
                f"{part}{side} {fill.quantity:.10g} {symbol} was {'' if quantity else 'not '}booked: {reason}; the "
                f"strategy's position is now {fill.position:.10g}, and the account holds {after:.10g} for it"
            )
        if not quantity:
            orders.move(db, id, REJECTED, reason=told)
            audit_log.write(db, time, subject, "REJECTED", f"id={id}", f"({told})")
            return told
        orders.move(db, id, OPEN, active=time)
        self._book(db, id, subject, symbol, side, quantity, fill.price, time, told or "")
        if told:
            audit_log.write(db, time, subject, "REDUCED", f"id={id}", f"({told})")
        self._drop_exits(db, subject, symbol)
        return told

    def _held(self, strategy: PaperStrategy, fill: StrategyFill) -> float:
        """Return what the account holds for a strategy before one of its fills."""
        known = strategies.held(self._store, strategy.id)
        if known is not None:
            return known
        # An earlier version has booked its fills: the account holds for it what both the account and the strategy hold.
        position = self.accounts.position(strategy.subject, strategy.key[0])
        account = 0.0 if position is None else position.signed
        believed = fill.position - (fill.quantity if fill.side == BUY else -fill.quantity)
        return max(min(believed, 0.0), min(max(believed, 0.0), account))

    def _followed(
        self, db: sqlite3.Connection, strategy: PaperStrategy, fill: StrategyFill, held: float, ordered: int
    ) -> tuple[float, str]:
        """Return how much of a fill is booked, and if it is not all of it, the reason why. `ordered` is the number of
        the user's orders in the last minute."""
        subject, symbol, sign = strategy.subject, strategy.key[0], 1 if fill.side == BUY else -1
        stop = risk.halted(self._store)
        if stop is not None:
            return 0.0, f"trading is halted: {stop}"
        missing, reason = (fill.position - held) * sign, ""
        if missing < fill.quantity - _rounding(fill, held):
            reason = "an earlier fill of the strategy was not booked, or you have closed its position"
        lost = self.accounts.open(db, subject, fill.time).lost
        wanted = min(max(missing, 0.0), fill.quantity) if reason else fill.quantity
        for quantity in (wanted, min(max(-held * sign, 0.0), wanted)):
            if quantity <= _rounding(fill, held):
                break
            refusal = self._exceeds(subject, symbol, fill.side, quantity, fill.price, lost, ordered)
            if refusal is None:
                return quantity, reason
            reason = refusal
        return 0.0, reason

    def _release(self, subject: str, symbol: str, side: str, quantity: float) -> None:
        """Note that an order of the user closes what the account holds for strategies, after the user's own position.
        Otherwise a strategy would close it a second time."""
        position = self.accounts.position(subject, symbol)
        if position is None or position.side == side:
            return
        sign = 1 if position.side == BUY else -1
        held = strategies.all_held(self._store, subject, symbol)
        own = max((position.signed - sum(held.values())) * sign, 0.0)
        rest = min(quantity, position.quantity) - own
        for id, share in held.items():
            closed = min(share * sign, rest)
            if closed > NOTHING:
                strategies.set_held(self._store, id, share - closed * sign)
                rest -= closed

    # limits

    def watch(self, db: sqlite3.Connection, symbol: str, time: int) -> None:
        """Cancel the entry orders of all accounts with a position in `symbol` that have reached today's loss limit.
        `db` must be in a transaction."""
        if self._limits.day_loss is None:
            return
        for subject in self.accounts.holders(symbol):
            if self._limits.is_lost(self.accounts.open(db, subject, time).lost):
                mine = [each for each in self._all() if each.subject == subject and not each.reduces]
                for one in mine:
                    self._cancel(db, one.id, subject, one.symbol, "risk limit: today's loss has reached the limit")

    def halt(self, reason: str) -> int:
        """Halt trading: cancel every open order, and reject every pending and every new one.

        Return the number of orders that ended. Raises UsageError if the reason is empty or too long.
        """
        with self._store.lock:
            ended = switch.halt(self._store, reason, self._now)
            self.load()
        return ended

    def resume(self) -> None:
        """Resume trading after `halt`."""
        switch.resume(self._store, self._now)

    def _all(self) -> list[OpenOrder]:
        return [each for held in self._waiting.values() for each in held.values()]


def _loud(type: str, price: float | None) -> str:
    return orders.type_text(type.upper(), price)


def _rounding(fill: StrategyFill, held: float) -> float:
    """Return the largest difference between quantities of a strategy that is only a rounding error."""
    return NOTHING * max(abs(fill.position), abs(held), fill.quantity)
