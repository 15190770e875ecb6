"""Which browser to talk to: what the caller said, else the environment, else the usual port on this computer."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from pinebench.errors import UsageError

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
) -> Endpoint:
    """The endpoint for what was said; what was not said comes from PINEBENCH_CDP_HOST and PINEBENCH_CDP_PORT.

    Raises UsageError for a port that is no number from 1 to 65535.
    """
    chosen = port if port is not None else environment.get(PORT_VARIABLE) or DEFAULT_PORT
    try:
        number = int(chosen)
    except ValueError:
        number = 0
    if not 0 < number < 65536:
        raise UsageError(
            f"{chosen!r} is not a port", f"give a number from 1 to 65535 with --cdp-port or {PORT_VARIABLE}"
        )
    return Endpoint(host or environment.get(HOST_VARIABLE) or DEFAULT_HOST, number, target)
