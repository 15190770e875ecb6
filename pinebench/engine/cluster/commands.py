"""The commands that servers send to the engines for their users, and the engine's method for each of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, NamedTuple

from pinebench.engine.engine import TradingEngine


class UserCommand(NamedTuple):
    """A command of a user. It runs once, no matter how often the same `id` is sent."""

    id: str
    subject: str
    name: str
    arguments: Mapping[str, Any]

    def written(self) -> bytes:
        """Encode the command as JSON."""
        return json.dumps(self, ensure_ascii=False).encode()

    @staticmethod
    def read(body: bytes) -> UserCommand:
        """Decode a command that `written` encoded. Raises ValueError for any other bytes."""
        try:
            told: Any = json.loads(body)
        except RecursionError:
            raise ValueError("not a command") from None
        types = (str, str, str, dict)
        if not isinstance(told, list) or len(told) != len(types) or not all(map(isinstance, told, types)):
            raise ValueError("not a command")
        return UserCommand(*told)


DO: Mapping[str, str] = {
    "set_alert": "set_alert",
    "cancel_alert": "alerts.cancel",
    "notifications": "notifications",
    "place_order": "place_order",
    "cancel_order": "paper.cancel",
    "halt": "paper.halt",
    "resume": "paper.resume",
    "subscribe": "pushing.subscribe",
    "unsubscribe": "pushing.unsubscribe",
    "delivered": "pushing.mark",
    "trade": "trade",
    "stop_trading": "stop_trading",
}
"""The method of an engine that carries out each command, by its name."""
FOR_ALL = frozenset(["halt", "resume"])
"""Commands that go to all groups. Only servers of the owner send them."""
TIMELESS = frozenset(["halt", "resume", "delivered", "cancel_order", "cancel_alert"])
"""Commands that are carried out no matter how long they have waited."""


def carry_out(engine: TradingEngine, command: UserCommand) -> Any:
    """Run a command and return its result. Raises TypeError for arguments that the command does not have."""
    method: Callable[..., Any] = attrgetter(DO[command.name])(engine)
    subjects = () if command.name in FOR_ALL else (command.subject,)
    return method(*subjects, **command.arguments)
