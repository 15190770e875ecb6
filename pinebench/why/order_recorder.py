"""Records what happens to the orders with one id in a run: calls, changes by the broker, waiting, and fills."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pinebench.broker import CLOSE_ALL_ID, LIMIT, TRAIL, Broker, Exit, Leg, Order, observed, refusals

_MOST_STEPS = 400
"""The largest number of bars that are noted for one waiting order; later bars replace each other."""
_ASIDE = frozenset({"id", "direction", "comment", "alert_message", "disable_alert"})
_OF_NO_EFFECT = {"qty_percent": 100, "oca_type": "none"}


@dataclass
class OrderStep:
    """One step in the life of an order.

    `what` is `called`, `placed`, `renewed`, `refused`, `waited`, `triggered`, `reduced`, `filled` or `ended`. `order`
    is the number of the order or exit in the run; 0 for a call that placed none. `line` is the script's line that was
    running, 0 if none was. `cause` is the machine-readable reason for a refusal or an end, and `text` is a sentence for
    people. `values` are numbers such as prices.
    """

    bar: int
    what: str
    text: str
    order: int = 0
    line: int = 0
    cause: str = ""
    values: dict[str, float | list[float]] = field(default_factory=dict[str, "float | list[float]"])
    until: int | None = None
    """The last bar of a step that was the same on several bars in a row; None if it was on one bar."""

    def report(self) -> dict[str, Any]:
        """Return the step as JSON values."""
        return {"bar": self.bar, "until": self.bar if self.until is None else self.until} | {
            name: getattr(self, name) for name in ("what", "text", "order", "line", "cause", "values")
        }


class OrdersSeen:
    """Records the steps of all orders and exits with the id `id` (a `backtest.OrdersWatch`). A call of `strategy.close`
    has the id of the entry that it closes. `ids` maps each line to the ids in its calls."""

    def __init__(self, id: str, bar: int) -> None:
        """Record orders with the id `id`. All calls on the bar `bar` are noted, even calls that change nothing."""
        self.steps: list[OrderStep] = []
        self.ids: dict[int, set[str]] = {}
        self.idle_cancels: list[tuple[str, int]] = []
        """The calls on the bar that would have canceled an order with the id, and found none: their names and lines."""
        self._id = id
        self._bar = bar
        self._known: dict[int, tuple[Order | Exit, int]] = {}
        self._waiting: list[_WaitingOrder] = []
        self._waited: dict[int, list[OrderStep]] = {}
        self._nearest: dict[int, tuple[float, OrderStep]] = {}
        self._now = ("", 0)
        self._call: OrderStep | None = None
        self._equity = 0.0
        self._quantity: float | None = None
        self._over: set[int] = set()
        self._rule = ""
        self._broker: Broker

    def begin(self, broker: Broker, line: Callable[[], int]) -> None:
        """Record that the run begins with `broker`. `line` returns the line of the script that is running."""
        self._broker = broker
        self._line = line

    def nearest(self, order: int) -> OrderStep | None:
        """Return the step on the bar on which a waiting order was nearest to its fill, or None."""
        found = self._nearest.get(order)
        return None if found is None else found[1]

    # the script's calls

    def order(self, name: str, place: Callable[..., Any], given: dict[str, Any]) -> Any:
        """Record a call of the function `name` in the namespace `strategy`, with the arguments `given`. Place the order
        with `place`, and return its result."""
        line, moment = self._line(), self._broker.moment
        id = CLOSE_ALL_ID if name == "close_all" else str(given.get("id") or "")
        has_id = name == "close_all" or ("id" in given and not name.startswith("cancel"))
        if has_id:
            self.ids.setdefault(line, set()).add(id)
        is_mine = has_id and id == self._id
        before = len(self.steps)
        self._now = (name, line)
        self._equity, self._quantity = self._broker.position.equity(moment.price), _number(given.get("qty"))
        if is_mine:
            self._call = OrderStep(moment.bar, "called", _called(name, given), 0, line)
            self.steps.append(self._call)
        why = place(**given)
        if is_mine:
            self._after_call(name, given, why, before, line)
        is_cancel = name == "cancel_all" or (name == "cancel" and id == self._id)
        if is_cancel and moment.bar == self._bar and len(self.steps) == before:
            self.idle_cancels.append((name, line))
        self._call, self._now = None, ("", 0)
        return why

    def _after_call(self, name: str, given: dict[str, Any], why: str | None, before: int, line: int) -> None:
        bar = self._broker.moment.bar
        if why is not None:
            words = self._refusal(given, why)
            self.steps.append(OrderStep(bar, "refused", words, 0, line, why))
        elif all(step.what != "placed" and step.what != "filled" for step in self.steps[before:]):
            if bar == self._bar and name == "exit":
                standing = [number for one, number in self._known.values() if one in self._broker.book.exits]
                words = "the same exit with the same arguments is already active, and stays active"
                self.steps.append(OrderStep(bar, "renewed", words, standing[-1] if standing else 0, line))
            else:
                del self.steps[before:]

    def _refusal(self, given: dict[str, Any], why: str) -> str:
        """Why a call placed nothing, with the numbers of the rule."""
        broker = self._broker
        price, lot = broker.moment.price, broker.account.lot
        match why:
            case refusals.PYRAMIDING:
                slots, most = broker.position.slots, max(1, broker.properties.pyramiding)
                return f"refused by pyramiding: the position has {slots} of at most {most} entries on this side"
            case refusals.DIRECTION:
                return f"refused by strategy.risk.allow_entry_in: it does not allow {given.get('direction')} entries"
            case refusals.POSITION_LIMIT:
                size, most = _n(abs(broker.position.size)), _n(broker.rules.largest_position or 0.0)
                return (
                    f"refused by strategy.risk.max_position_size: the position has {size} of at most {most} contracts"
                )
            case refusals.QUANTITY:
                qty = _number(given.get("qty"))
                if qty is None:
                    return f"refused: {self._size_words()} at {_n(price)} buys less than one lot of {_n(lot)}"
                return f"refused: the quantity {_n(qty)} is less than one lot of {_n(lot)}"
            case refusals.MARGIN:
                return self._margin_refusal(given)
            case refusals.NO_ENTRY:
                entry = str(given.get("from_entry") or "")
                of = f"the entry '{entry}' has" if entry else "there is"
                return f"changes nothing: {of} neither an open trade nor a waiting order"
            case refusals.NO_PRICE:
                return "changes nothing: the exit has no price, because each of its price arguments is na or missing"
            case refusals.NO_POSITION:
                return "changes nothing: there is no position to close"
            case refusals.NOTHING_LEFT:
                return f"changes nothing: no trade of the entry '{given.get('id')}' is left to close"
            case refusals.RULE_REACHED:
                rule = f" ({self._rule})" if self._rule else ""
                return f"refused: a rule of strategy.risk has stopped trading{rule}"
            case _:
                return "refused: the test accepts orders only from a later bar"

    def _margin_refusal(self, given: dict[str, Any]) -> str:
        broker, account, price = self._broker, self._broker.account, self._broker.moment.price
        side = {"long": 1, "short": -1}.get(str(given.get("direction")), 0)
        expected, qty = broker.slippage.expected(price, side), _number(given.get("qty"))
        wanted = account.default_quantity(self._equity, expected) if qty is None else account.whole_lots(qty)
        return (
            f"refused by the margin: {_n(wanted)} contracts at the close {_n(price)} need "
            f"{_n(account.bound(wanted, price, side))}, and the equity is {_n(self._equity)}"
        )

    def _size_words(self) -> str:
        known = self._broker.properties
        value = _n(known.default_qty_value)
        if known.default_qty_type == "percent_of_equity":
            return f"the strategy's default size, {value} % of the equity {_n(self._equity)}"
        if known.default_qty_type == "cash":
            return f"the strategy's default size, {value} of money"
        return f"the strategy's default size of {value} contracts"

    # what the broker tells

    def placed(self, one: Order | Exit) -> None:
        """Record that an order or an exit is now in the book."""
        if not self._is_mine(one):
            return
        number = self._new(one)
        words = self._placed_order(one) if isinstance(one, Order) else self._placed_exit(one)
        values: dict[str, float | list[float]] = {}
        for name in ("limit", "stop", "quantity"):
            value = getattr(one, name)
            if value is not None:
                values[name] = value
        self.steps.append(OrderStep(self._broker.moment.bar, "placed", words, number, self._now[1], "", values))

    def _new(self, one: Order | Exit) -> int:
        """The number of an order or an exit that is noted from now on."""
        number = len(self._known) + 1
        self._known[id(one)] = one, number
        if self._call is not None and not self._call.order:
            self._call.order = number
        return number

    def _placed_order(self, order: Order) -> str:
        side = "buys" if order.side > 0 else "sells"
        size = f"{_n(order.quantity)}"
        if order.kind in ("entry", "order"):
            size += self._sized(order)
        if order.flip:
            size += f", and {_n(order.flip)} more to close the opposite position"
            if not order.quantity:
                size = (
                    f"{_n(order.flip)} only to close the opposite position: strategy.risk.allow_entry_in "
                    "does not allow entries"
                )
        prices = [f"{name} {_n(value)}" for name, value in (("stop", order.stop), ("limit", order.limit)) if value]
        kind = f"at {' and '.join(prices)}" if prices else "at the market"
        when = "from the next bar on" if self._broker.moment.at is None else "from this point of the bar on"
        if self._broker.ends_bars and self._broker.moment.at is None:
            when = "from this bar's close on"
        return f"{side} {size}, {kind}, {when}"

    def _sized(self, order: Order) -> str:
        """How the quantity of an order was computed."""
        wanted = self._quantity
        lot = _n(self._broker.account.lot)
        if wanted is not None:
            return "" if wanted == order.quantity else f" (qty {_n(wanted)} in lots of {lot}, or as risk rules allow)"
        price = order.stop or order.limit
        at = f"at {_n(price)}" if price else f"at the close {_n(self._broker.moment.price)}"
        return f" ({self._size_words()}, {at}, in lots of {lot})"

    def _placed_exit(self, one: Exit) -> str:
        names = ("profit", "limit", "loss", "stop", "trail_price", "trail_points", "trail_offset")
        prices = [f"{name} {_n(value)}" for name in names if (value := getattr(one, name)) is not None]
        part = f"{_n(one.quantity)} contracts" if one.quantity is not None else f"{_n(one.percent)} %"
        of = f"the entry '{one.from_entry}'" if one.from_entry else "every entry"
        waits = ", when that entry is filled" if one.waits else ""
        return f"closes {part} of {of} at {', '.join(prices)}{waits}"

    def removed(self, one: Order | Exit, cause: str) -> None:
        """Record that an order or an exit left the book; `cause` is `REPLACED`, `CANCELED`, ... (`broker.observed`)."""
        number = self._number(one)
        if not number or cause == observed.TAKEN:
            return
        name, line = self._now
        by = f" by strategy.{name} on line {line}" if name and line else ""
        if cause == observed.CLEARED and self._broker.rules.is_stopped:
            cause = refusals.RULE_REACHED
        words = {
            observed.REPLACED: f"replaced{by} with the same id",
            observed.CANCELED: f"canceled{by}",
            observed.CLEARED: f"canceled{by}, with all other orders",
            observed.GROUP: "canceled, because another order of its OCA group was filled",
            observed.DECLINED: "removed, because the equity did not cover the preceding reversal",
            observed.WITHDRAWN: f"withdrawn{by}",
            refusals.RULE_REACHED: f"removed, because a rule of strategy.risk stopped trading ({self._rule})",
        }.get(cause, "ended: there is nothing left that it could close")
        self.steps.append(OrderStep(self._broker.moment.bar, "ended", words, number, line, cause))

    def triggered(self, one: Order) -> None:
        """Record that the stop price of a stop-limit order was reached."""
        if number := self._number(one):
            words = f"its stop {_n(one.stop)} was reached: its limit {_n(one.limit)} is now active"
            self.steps.append(OrderStep(self._broker.moment.bar, "triggered", words, number))

    def reduced(self, one: Order | Leg, quantity: float) -> None:
        """Record that a fill in the same OCA group reduced an order or a leg by `quantity`."""
        if number := self._number(one):
            words = f"reduced by {_n(quantity)}, because another order of its OCA group was filled"
            self.steps.append(OrderStep(self._broker.moment.bar, "reduced", words, number))

    def filled(self, one: Order | Leg, at: float, reason: int, before: float) -> None:
        """Record that an order or a leg was filled at the price `at`. `reason` is `STOP`, `LIMIT`, ...; `before` is the
        size of the position before the fill. Immediate closes and orders of risk rules were never in the book."""
        number = self._number(one)
        if not number and isinstance(one, Order) and self._is_mine(one):
            number = self._new(one)
        if not number:
            return
        broker, bar = self._broker, self._broker.moment.bar
        paid, changed = broker.slippage.paid(at, one.side, reason), abs(broker.position.size - before)
        fee = broker.account.fee(changed, paid, changed) if changed else 0.0
        words = [
            f"{'bought' if one.side > 0 else 'sold'} {_n(changed)} at {_n(paid)}: {self._met(one, at, reason, bar)}"
        ]
        if paid != at:
            words.append(f"slippage of {_n(abs(paid - at))}")
        if fee:
            words.append(f"commission {_n(fee)}")
        values: dict[str, float | list[float]] = {
            "price": paid,
            "met": at,
            "quantity": changed,
            "slippage": abs(paid - at),
            "commission": fee,
            "path": list(broker.path(bar)),
        }
        if not changed:
            words = ["filled, but the position did not change: there was nothing to close"]
        self._over.add(number)
        # An exit that is filled leaves the book by its own fill, and the book tells that first.
        for k in range(len(self.steps) - 1, max(len(self.steps) - 6, -1), -1):
            if (self.steps[k].order, self.steps[k].bar, self.steps[k].cause) == (number, bar, observed.OVER):
                del self.steps[k]
                break
        self.steps.append(OrderStep(bar, "filled", ", ".join(words), number, 0, "filled", values))

    def _met(self, one: Order | Leg, at: float, reason: int, bar: int) -> str:
        """At which price of the path an order was met."""
        points = self._broker.path(bar)
        opened = points[0] if points else at
        if isinstance(one, Order) and one.is_market:
            if self._broker.position.walk.is_going and at == opened:
                return f"at the market, at the open {_n(at)}"
            return f"at the market, at {_n(at)}"
        if reason == TRAIL:
            return f"its trailing stop was at {_n(at)}"
        level, name = (one.limit, "limit") if reason == LIMIT else (one.stop, "stop")
        if level is None:
            return f"at {_n(at)}"
        if at == level:
            return f"the price reached its {name} {_n(level)} on the way {_path(points)}"
        beyond = "open" if at == opened else "price"
        return f"the {beyond} {_n(at)} was beyond its {name} {_n(level)}"

    def refused(self, one: Order | Leg, at: float, why: str) -> None:
        """Record that the price `at` reached an order, but the order was not filled, for the reason `why`."""
        number = self._number(one)
        if not number:
            return
        broker = self._broker
        if why == refusals.PYRAMIDING:
            slots, most = broker.position.slots, max(1, broker.properties.pyramiding)
            words = f"refused by pyramiding at its fill: the position has {slots} of at most {most} entries"
        elif why == refusals.DIRECTION:
            words = "refused by strategy.risk.allow_entry_in at its fill: there was no opposite position to close"
        elif why == refusals.POSITION_LIMIT:
            size, most = _n(abs(broker.position.size)), _n(broker.rules.largest_position or 0.0)
            words = f"refused by strategy.risk.max_position_size at its fill: the position has {size} of at most {most}"
        else:
            quantity = one.quantity if isinstance(one, Order) else 0.0
            where, price, equity = "", at, broker.position.equity(at)
            if isinstance(one, Order) and one.stop is not None and not broker.position.size:
                # Without a position, the open of the bar decides about a stop entry, not the price of its fill.
                where, price, equity = "the open ", broker.prices.open[broker.moment.bar], broker.account.realized
            needed = broker.account.bound(quantity, price, one.side)
            words = (
                f"refused by the margin at its fill: {_n(quantity)} contracts at {where}{_n(price)} need "
                f"{_n(needed)}, and the equity is {_n(equity)}"
            )
        self._over.add(number)
        self.steps.append(OrderStep(broker.moment.bar, "refused", words, number, 0, why))

    def stopped(self, rule: str) -> None:
        """Record that a rule of `strategy.risk` stopped trading."""
        self._rule = rule.removeprefix("Close Position (").removesuffix(")")

    # waiting

    def bar_ended(self, i: int) -> None:
        """Record the orders that waited on bar `i` without a fill. The run calls this method after the script and the
        broker have finished the bar."""
        for one in self._waiting:
            if one.number not in self._over:
                self._note_waiting(one, i)
        self._over.clear()
        book = self._broker.book
        waiting = [_of_order(order, number) for order in book.orders if (number := self._number(order))]
        for standing in book.exits:
            if number := self._number(standing):
                legs = [leg for leg in book.legs if leg.exit is standing]
                waiting += [self._of_leg(leg, number) for leg in legs]
                if not legs:
                    waiting.append(_WaitingOrder(number, 0, None, None, False, standing.from_entry))
        self._waiting = waiting

    def _of_leg(self, leg: Leg, number: int) -> _WaitingOrder:
        stop, name = leg.stop, "stop"
        if leg.activation is not None and leg.is_armed and not leg.is_one_shot:
            trailing = leg.trailing(self._broker.grid)
            if stop is None or (trailing - stop) * leg.side < 0:
                stop, name = trailing, "trailing stop"
        activation = leg.activation if leg.activation is not None and not leg.is_armed else None
        held = "suspended" if leg.exit.is_suspended else "" if self._broker.book.available(leg) > 0 else "reserved"
        return _WaitingOrder(number, leg.side, stop, leg.limit, True, None, name, activation, held)

    def _note_waiting(self, one: _WaitingOrder, i: int) -> None:
        points = self._broker.path(i)
        high, low = max(points), min(points)
        words, miss = one.words(high, low, self._broker.properties.backtest_fill_limits_assumption)
        if not words:
            return
        step = OrderStep(i, "waited", words, one.number)
        if miss is not None:
            step.values["path"] = list(points)
        for name, value in (("stop", one.stop), ("limit", one.limit)):
            if value is not None:
                step.values[name] = value
        if miss is not None and (one.number not in self._nearest or miss < self._nearest[one.number][0]):
            self._nearest[one.number] = miss, step
            step.values["missed_by"] = miss
        waited = self._waited.setdefault(one.number, [])
        last = waited[-1] if waited else None
        if last is not None and last.text == words and (last.bar if last.until is None else last.until) == i - 1:
            last.until = i
            return
        if len(waited) == _MOST_STEPS and last is not None:
            last.bar, last.text, last.values, last.until = i, words, step.values, None
            return
        waited.append(step)
        self.steps.append(step)

    # which orders are meant

    def _is_mine(self, one: Order | Exit) -> bool:
        return self._id == one.id or (bool(self._id) and self._id == getattr(one, "entry", ""))

    def _number(self, one: Order | Exit | Leg) -> int:
        """The number of an order or exit that is noted, else 0."""
        known = self._known.get(id(one.exit if isinstance(one, Leg) else one))
        return 0 if known is None else known[1]


@dataclass
class _WaitingOrder:
    """An order, or a leg of an exit, as it waited at the end of a bar for the next one."""

    number: int
    side: int
    stop: float | None
    limit: float | None
    is_leg: bool
    entry: str | None = None
    """The entry that an exit without legs waits for; None for everything else."""
    name: str = "stop"
    activation: float | None = None
    held: str = ""
    """The reason why a leg cannot be filled at any price: `suspended` or `reserved`; else empty."""

    def words(self, high: float, low: float, beyond: int) -> tuple[str, float | None]:
        """Why it was not filled on a bar with these extremes, and by how much the price missed it.

        The words are empty if the bar had a price that would have filled it. `beyond` is the number of ticks that
        prices must go beyond a limit.
        """
        if self.held:
            words = {
                "suspended": "suspended, because the equity did not cover a reversal",
                "reserved": "earlier exits reserve everything that it could close",
            }
            return words[self.held], None
        if self.entry is not None:
            of = f"a fill of the entry '{self.entry}'" if self.entry else "a fill of an entry"
            return f"waited for {of}", None
        side = self.side
        missed: list[tuple[str, float]] = []
        for level, name, rises in (
            (self.stop, self.name, side > 0),
            (self.limit, "limit", side < 0),
            (self.activation, "activation price", side < 0),
        ):
            if level is None:
                continue
            gap = level - high if rises else low - level
            words = f"high {_n(high)} < {name} {_n(level)}" if rises else f"low {_n(low)} > {name} {_n(level)}"
            if gap <= 0 and name == "limit" and beyond:
                words = f"the price did not go {beyond} ticks beyond its limit {_n(level)}"
            elif gap <= 0 and name != self.name:
                return "", None
            elif gap <= 0:
                continue  # a trailing stop that moved on this bar, or the stop of a stop-limit order that was reached
            missed.append((words, max(gap, 0.0)))
        if not missed:
            return "", None
        return " and ".join(words for words, _ in missed), min(gap for _, gap in missed)


def _of_order(order: Order, number: int) -> _WaitingOrder:
    """A waiting order: of a stop-limit order, its stop counts until it is reached, and then its limit."""
    stop = None if order.triggered else order.stop
    return _WaitingOrder(number, order.side, stop, None if stop is not None else order.limit, False)


def _called(name: str, given: dict[str, Any]) -> str:
    """A call with the arguments that were given, in Pine's words."""
    words = [f'"{given["id"]}"'] if "id" in given else []
    if "direction" in given:
        words.append(f"strategy.{given['direction']}")
    for parameter, value in given.items():
        is_empty = value is None or value != value or value in ("", False)
        if parameter not in _ASIDE and not is_empty and value != _OF_NO_EFFECT.get(parameter):
            shown = f'"{value}"' if isinstance(value, str) else "true" if value is True else _n(value)
            words.append(f"{parameter} = {shown}")
    return f"strategy.{name}({', '.join(words)})"


def _number(value: Any) -> float | None:
    return value if isinstance(value, int | float) and value - value == 0 else None


def _n(value: float | None) -> str:
    """A number for people."""
    return "na" if value is None else f"{value + 0.0:.10g}"


def _path(points: Sequence[float]) -> str:
    return " → ".join(map(_n, points)) if len(points) <= 6 else f"{_n(points[0])} → … → {_n(points[-1])}"
