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
from pinebench.files.locks import Lock, LockHeld, holder

_FOLDER = "studios"
_LOCK = ".lock"
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
    with contextlib.ExitStack() as undo:
        with contextlib.suppress(OSError, UsageError, LockHeld):
            path = Path(config.private_state_folder(_FOLDER)) / f"{os.getpid()}.json"
            undo.enter_context(Lock(f"{path}{_LOCK}"))  # the system releases it, however this process ends
            undo.callback(path.unlink, missing_ok=True)
            files.write_atomically(path, json.dumps(told).encode(), private=True, durable=False)
        yield


def running() -> list[RunningStudio]:
    """Return the studios whose browser answers, the newest first. Files of studios that have ended are removed: another
    browser may have their port now."""
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
        if not _runs(path):
            with contextlib.suppress(OSError):
                path.unlink()
        elif listens("127.0.0.1", studio.debug_port):
            found.append(studio)
    return sorted(found, key=lambda each: -each.started)


def _runs(path: Path) -> bool:
    try:
        return holder(f"{path}{_LOCK}") is not None
    except OSError:
        return False


def listens(host: str, port: int) -> bool:
    """Return whether something accepts connections at `host` and `port`."""
    try:
        socket.create_connection((host, port), _PROBE_SECONDS).close()
    except OSError:
        return False
    return True
