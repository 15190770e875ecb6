"""Parts of the broker that report to an observer what happens to orders. They follow the rules of the plain parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from pinebench.broker.book import Book
from pinebench.broker.order_fills import Filler
from pinebench.broker.orders import STOP, Exit, Leg, Order
from pinebench.broker.rules import Rules

REPLACED, CANCELED, CLEARED, GROUP, OVER, DECLINED, WITHDRAWN, TAKEN = (
    "replaced",
    "canceled",
    "cleared",
    "group",
    "over",
    "declined",
    "withdrawn",
    "taken",
)
"""The reasons why an order or an exit left the book. A call with the same id replaced it; `strategy.cancel` canceled
it; `strategy.cancel_all` or a risk rule cleared the book; its OCA group ended it; it has nothing left to close; a
reversal was declined, and with it the closes that were called after it; an exit was called again without a price; it
was filled or refused."""


class Observer(Protocol):
    """Receives a call for everything that happens to orders. An observer must not change anything."""

    def placed(self, one: Order | Exit) -> None:
        """Record that the order or exit `one` was added to the book."""
        ...

    def removed(self, one: Order | Exit, cause: str) -> None:
        """Record that the order or exit `one` was removed from the book. `cause` is, for example, `CANCELED`."""
        ...

    def triggered(self, one: Order) -> None:
        """Record that the stop of the stop-limit order `one` was reached."""
        ...

    def reduced(self, one: Order | Leg, quantity: float) -> None:
        """Record that a fill in its OCA group reduced the order or leg `one` by `quantity`."""
        ...

    def filled(self, one: Order | Leg, at: float, reason: int, before: float) -> None:
        """Record that the order or leg `one` was filled. `at` is the price of the path that reached it. `reason` is
        `STOP`, `LIMIT` or another reason. `before` is the position size before the fill."""
        ...

    def refused(self, one: Order | Leg, at: float, why: str) -> None:
        """Record that the price `at` reached `one`, which was not filled. `why` is one of `refusals`."""
        ...

    def stopped(self, rule: str) -> None:
        """Record that a rule of `strategy.risk` stopped trading. `rule` is the id of the closing order."""
        ...


def _telling(change: Callable[..., None], cause: str) -> Any:
    """A method of the book that also says why orders and exits leave it."""

    def told(self: ObservedBook, *given: Any) -> None:
        with self.because(cause):
            change(self, *given)

    return told


class ObservedBook(Book):
    """A book that reports to `observer` which orders and exits are added and removed, and why."""

    def __init__(self, *parts: Any, observer: Observer) -> None:
        """Make a book with the arguments `parts` of `Book`, which reports to `observer`."""
        super().__init__(*parts)
        self._observer = observer
        self._cause: str = OVER
        self._known: list[Order | Exit] = []

    def _changed(self) -> None:
        super()._changed()
        were, now = self._known, [*self.orders, *self.exits]
        self._known = now
        known, kept = {id(one) for one in were}, {id(one) for one in now}
        for one in were:
            if id(one) not in kept:
                self._observer.removed(one, self._cause)
        for one in now:
            if id(one) not in known:
                self._observer.placed(one)

    @contextmanager
    def because(self, cause: str) -> Iterator[None]:
        """Use `cause` as the reason for orders and exits that are removed within the block. An inner block may replace
        it."""
        outer, self._cause = self._cause, cause
        try:
            yield
        finally:
            self._cause = outer

    put = _telling(Book.put, REPLACED)
    stand = _telling(Book.stand, REPLACED)
    drop = _telling(Book.drop, TAKEN)
    decline = _telling(Book.decline, DECLINED)
    cancel = _telling(Book.cancel, CANCELED)
    clear = _telling(Book.clear, CLEARED)
    remove = _telling(Book.remove, WITHDRAWN)

    def trigger(self, order: Order) -> None:
        super().trigger(order)
        self._observer.triggered(order)

    def apply_group(self, name: str, kind: str, quantity: float) -> None:
        mine = [one for one in self.orders if one.oca_name == name and one.oca_type == kind]
        with self.because(GROUP):
            super().apply_group(name, kind, quantity)
        if kind == "reduce":
            for one in (*mine, *(leg for leg in self.legs if leg.exit.oca_name == name)):
                self._observer.reduced(one, quantity)

    def drop_opening(self, id: str) -> None:
        with self.because(CANCELED if self._cause == CANCELED else WITHDRAWN):
            super().drop_opening(id)


class ObservedFiller(Filler):
    """A filler that reports to `observer` which orders it fills, and which it refuses."""

    def __init__(self, *parts: Any, observer: Observer) -> None:
        """Make a filler with the arguments `parts` of `Filler`, which reports to `observer`."""
        super().__init__(*parts)
        self._observer = observer

    def fill_order(self, order: Order, at: float, reason: int = STOP) -> str | None:
        before = self._position.size
        why = super().fill_order(order, at, reason)
        self._tell(order, at, reason, before, why)
        return why

    def fill_leg(self, leg: Leg, at: float, reason: int) -> str | None:
        before = self._position.size
        why = super().fill_leg(leg, at, reason)
        self._tell(leg, at, reason, before, why)
        return why

    def _tell(self, met: Order | Leg, at: float, reason: int, before: float, why: str | None) -> None:
        if why is None:
            self._observer.filled(met, at, reason, before)
        else:
            self._observer.refused(met, at, why)


class ObservedRules(Rules):
    """Risk rules that report to `observer` which rule stopped trading."""

    def __init__(self, *parts: Any, observer: Observer) -> None:
        """Make rules with the arguments `parts` of `Rules`, which report to `observer`."""
        super().__init__(*parts)
        self._observer = observer

    def _stop(self, reason: str, message: str, *, for_good: bool = False) -> None:
        self._observer.stopped(reason)
        super()._stop(reason, message, for_good=for_good)
