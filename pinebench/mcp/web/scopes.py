"""Scopes: the permissions that a person gives to a client. Each scope is a group of tools."""

from __future__ import annotations

from collections.abc import Iterable

from pinebench.tools.pages import READ
from pinebench.tools.registry import GROUPS, Tool

OWN: dict[str, tuple[str, tuple[str, ...]]] = {
    "charts": ("draw charts and compute indicators", ("generate_chart", "list_indicators", "get_indicators")),
    "alerts": (
        "set and cancel alerts, and be notified when they fire",
        (
            "set_alert",
            "list_alerts",
            "cancel_alert",
            "get_notifications",
            "subscribe_notifications",
            "unsubscribe_notifications",
            "list_subscriptions",
        ),
    ),
    "trading": (
        "place and cancel orders in the paper account, and see its orders, positions and balance",
        ("place_order", "cancel_order", "get_orders", "get_positions", "get_balance", "halt_trading"),
    ),
}
"""The server's own scopes: what they allow, and their tools."""

LISTED = (
    "generate_chart",
    "list_indicators",
    "get_indicators",
    "place_order",
    "cancel_order",
    "get_orders",
    "get_positions",
    "get_balance",
    "set_alert",
    "list_alerts",
    "cancel_alert",
    "get_notifications",
    "subscribe_notifications",
    "unsubscribe_notifications",
    "list_subscriptions",
)
"""The tools that the server always lists, in this order."""

ENGINE = LISTED[3:]
"""The tools that need the engine."""

SHOWN_TO_USERS = ("halt_trading",)
"""Tools of the server's own scopes that are listed only to clients that may use them."""

_PREFIX = "tools:"


class Scopes:
    """The scopes that one server offers: its own, and one for each group of `more` tools."""

    def __init__(self, more: Iterable[Tool] = ()) -> None:
        self._tools: dict[str, tuple[str, ...]] = {name: tools for name, (_, tools) in OWN.items()}
        self._about = {name: about for name, (about, _) in OWN.items()}
        self._drive: set[str] = set()
        about = {group.name: group.about for group in GROUPS}
        for tool in more:
            if tool.name in (*LISTED, *SHOWN_TO_USERS, READ):
                continue
            name = _PREFIX + tool.group
            self._tools[name] = (*self._tools.get(name, ()), tool.name)
            self._about[name] = f"other tools: {about[tool.group]}"
            if tool.needs.page or tool.needs.value.startswith("a browser"):
                self._drive.add(name)

    @property
    def all(self) -> tuple[str, ...]:
        """The names of all scopes of this server."""
        return tuple(self._tools)

    def about(self, scope: str) -> str:
        """Return the explanation of a scope for a person."""
        return self._about[scope] + (", on the chart in the browser" if scope in self._drive else "")

    def is_usual(self, scope: str) -> bool:
        """Return whether a scope is selected by default on the consent page. Scopes that drive a chart are not."""
        return scope not in self._drive

    def tools(self, scopes: Iterable[str]) -> frozenset[str]:
        """Return the names of the tools that `scopes` allow. Clients that may use more than the server's own tools may
        also use the tool that reads the rest of long results."""
        allowed = frozenset(name for scope in scopes for name in self._tools.get(scope, ()))
        return allowed | {READ} if allowed - {*LISTED, *SHOWN_TO_USERS} else allowed

    def of(self, tool: str) -> str | None:
        """Return the scope that allows `tool`; None if no scope of this server does."""
        return next((scope for scope, tools in self._tools.items() if tool in tools), None)
