"""Which browser to talk to: what the caller said, else the environment, else the usual port on this computer."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import NamedTuple

from pinebench.errors import UsageError
from pinebench.tradingview import studios

HOST_VARIABLE = "PINEBENCH_CDP_HOST"
PORT_VARIABLE = "PINEBENCH_CDP_PORT"
DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 9222


class Endpoint(NamedTuple):
    """A browser's debug port, and which of its pages is meant (an id, or a piece of its address; None: the first
    chart).
    """

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    target: str | None = None


def resolve(
    host: str | None = None,
    port: int | str | None = None,
    target: str | None = None,
    environment: Mapping[str, str] = os.environ,
    notify: Callable[[str], None] | None = None,
) -> Endpoint:
    """The endpoint for what was said; what was not said comes from PINEBENCH_CDP_HOST and PINEBENCH_CDP_PORT.

    Where neither says anything and nothing listens at the usual port, a studio that runs on this computer is taken, and
    `notify` is told which. Raises UsageError for a port that is no number from 1 to 65535.
    """
    chosen = port if port is not None else environment.get(PORT_VARIABLE) or None
    host = host or environment.get(HOST_VARIABLE) or None
    if chosen is None:
        studio = _studio() if host is None else None
        if studio is not None and notify is not None:
            notify(f"driving the studio at {studio.url} (--cdp-port {studio.debug_port})")
        chosen = DEFAULT_PORT if studio is None else studio.debug_port
    try:
        number = int(chosen)
    except ValueError:
        number = 0
    if not 0 < number < 65536:
        raise UsageError(
            f"{chosen!r} is not a port", f"give a number from 1 to 65535 with --cdp-port or {PORT_VARIABLE}"
        )
    return Endpoint(host or DEFAULT_HOST, number, target)


def _studio() -> studios.Studio | None:
    """The newest studio on this computer, unless a browser listens at the usual port."""
    found = studios.running()
    return found[0] if found and not studios.listens(DEFAULT_HOST, DEFAULT_PORT) else None
