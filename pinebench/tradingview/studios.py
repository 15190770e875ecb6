"""Studios that run on this computer.

Each studio announces the debug port of its browser in a file. Commands read these files if no browser was named.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import time
from collections.abc import Generator
from pathlib import Path
from typing import NamedTuple

from pinebench import config, decoding, files
from pinebench.errors import UsageError

_FOLDER = "studios"
_SHAPE = {"url": str, "debug_port": int, "pid": int, "started": float}
_PROBE_SECONDS = 0.5


class RunningStudio(NamedTuple):
    """A running studio: the address of its page without the access token, and the debug port of its browser."""

    url: str
    debug_port: int
    pid: int
    started: float


@contextlib.contextmanager
def announced(url: str, debug_port: int) -> Generator[None]:
    """While the body runs, announce in a file that a studio's page at `url` can be driven through `debug_port`.

    If that file cannot be written, the studio still works, but it cannot be found.
    """
    told = {"url": url.split("?")[0], "debug_port": debug_port, "pid": os.getpid(), "started": time.time()}
    path: Path | None = None
    with contextlib.suppress(OSError, UsageError):
        path = Path(config.private_state_folder(_FOLDER)) / f"{os.getpid()}.json"
        files.write_atomically(path, json.dumps(told).encode(), private=True, durable=False)
    try:
        yield
    finally:
        if path is not None:
            with contextlib.suppress(OSError):
                path.unlink()


def running() -> list[RunningStudio]:
    """Return the studios that answer, the newest first. Files of studios that no longer answer are removed."""
    found: list[RunningStudio] = []
    try:
        entries = sorted(Path(config.private_state_folder(_FOLDER)).glob("*.json"))
    except (OSError, UsageError):
        return []
    for path in entries:
        try:
            told = decoding.loads(files.read_bytes(path), _SHAPE)
            studio = RunningStudio(told["url"], told["debug_port"], told["pid"], told["started"])
        except (OSError, UsageError, ValueError):
            continue
        if listens("127.0.0.1", studio.debug_port):
            found.append(studio)
        else:
            with contextlib.suppress(OSError):
                path.unlink()
    return sorted(found, key=lambda each: -each.started)


def listens(host: str, port: int) -> bool:
    """Return whether something accepts connections at `host` and `port`."""
    try:
        socket.create_connection((host, port), _PROBE_SECONDS).close()
    except OSError:
        return False
    return True
