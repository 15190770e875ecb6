"""The commands that servers send to the engines for their users, and the work of an engine for each of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pinebench.engine.engine import TradingEngine


class UserCommand(NamedTuple):
    """A command of a user. It is carried out once, no matter how often the same `id` is sent."""

    id: str
    subject: str
    name: str
    arguments: Mapping[str, Any]

    def written(self) -> bytes:
        """The command as bytes."""
        return json.dumps(self, ensure_ascii=False).encode()

    @staticmethod
    def read(body: bytes) -> UserCommand:
        """Decode a command from bytes. Raises ValueError for anything else."""
        try:
            told: Any = json.loads(body)
        except RecursionError:
            raise ValueError("not a command") from None
        types = (str, str, str, dict)
        if not isinstance(told, list) or len(told) != len(types) or not all(map(isinstance, told, types)):
            raise ValueError("not a command")
        return UserCommand(*told)


def _set_alert(engine: TradingEngine, subject: str, **given: Any) -> str:
    return engine.set_alert(subject, **given)


def _cancel_alert(engine: TradingEngine, subject: str, id: str) -> None:
    engine.alerts.cancel(subject, id)


def _notifications(engine: TradingEngine, subject: str, **given: Any) -> list[dict[str, Any]]:
    return engine.notifications(subject, **given)


def _place_order(engine: TradingEngine, subject: str, **given: Any) -> str:
    return engine.place_order(subject, **given)


def _cancel_order(engine: TradingEngine, subject: str, id: str) -> None:
    engine.paper.cancel(subject, id)


def _halt(engine: TradingEngine, subject: str, reason: str) -> int:
    del subject
    return engine.paper.halt(reason)


def _resume(engine: TradingEngine, subject: str) -> None:
    del subject
    engine.paper.resume()


def _subscribe(engine: TradingEngine, subject: str, symbols: list[str] | None, types: list[str] | None) -> Any:
    return engine.pushing.subscribe(subject, symbols, types)


def _unsubscribe(engine: TradingEngine, subject: str) -> dict[str, str]:
    return engine.pushing.unsubscribe(subject)


def _delivered(engine: TradingEngine, subject: str, number: int) -> None:
    engine.pushing.mark(subject, number)


def _trade(engine: TradingEngine, subject: str, **given: Any) -> str:
    return engine.trade(subject, **given)


def _stop_trading(engine: TradingEngine, subject: str, id: str) -> None:
    engine.stop_trading(subject, id)


DO: Mapping[str, Callable[..., Any]] = {
    "set_alert": _set_alert,
    "cancel_alert": _cancel_alert,
    "notifications": _notifications,
    "place_order": _place_order,
    "cancel_order": _cancel_order,
    "halt": _halt,
    "resume": _resume,
    "subscribe": _subscribe,
    "unsubscribe": _unsubscribe,
    "delivered": _delivered,
    "trade": _trade,
    "stop_trading": _stop_trading,
}
"""The work of an engine for each command, by its name."""
FOR_ALL = frozenset(["halt", "resume"])
"""Commands that go to all groups. Only servers of the owner send them."""
TIMELESS = frozenset(["halt", "resume", "delivered", "cancel_order", "cancel_alert"])
"""Commands that are carried out no matter how long they have waited."""
