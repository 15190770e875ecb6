"""The debug port to use: the caller's, else the environment's, else the default port on this computer."""

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
    """A browser's debug port, and the page to use: an id, part of its address or title, or None (the first chart)."""

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
    """Return the endpoint for the given values. Missing values come from PINEBENCH_CDP_HOST and PINEBENCH_CDP_PORT. If
    neither names a host or a port and nothing listens at the default port, a studio that runs on this computer is used,
    and `notify` gets a message that names it. Raises UsageError if the port is not a number from 1 to 65535."""
    chosen = port if port is not None else environment.get(PORT_VARIABLE) or None
    host = host or environment.get(HOST_VARIABLE) or None
    if chosen is None:
        studio = _studio() if host is None else None
        if studio is not None and notify is not None:
            notify(f"using the studio at {studio.url} (--cdp-port {studio.debug_port})")
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


def _studio() -> studios.RunningStudio | None:
    """Return the newest studio on this computer, or None if there is none or a browser listens at the default port."""
    found = studios.running()
    return found[0] if found and not studios.listens(DEFAULT_HOST, DEFAULT_PORT) else None
