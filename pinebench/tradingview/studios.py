"""Studios that run on this computer: they say where they can be driven, and whoever named no browser finds them."""

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


class Studio(NamedTuple):
    """A studio: the address of its page without what opens it, and the debug port of its browser."""

    url: str
    debug_port: int
    pid: int
    started: float


@contextlib.contextmanager
def announced(url: str, debug_port: int) -> Generator[None]:
    """Say, while the body runs, that a studio's page at `url` can be driven at `debug_port`.

    Where nothing can be kept, nothing is said: the studio works all the same.
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


def running() -> list[Studio]:
    """The studios that answer, the newest first; what one left that was killed is removed."""
    found: list[Studio] = []
    try:
        entries = sorted(Path(config.private_state_folder(_FOLDER)).glob("*.json"))
    except (OSError, UsageError):
        return []
    for path in entries:
        try:
            told = decoding.loads(files.read_bytes(path), _SHAPE)
            studio = Studio(told["url"], told["debug_port"], told["pid"], told["started"])
        except (OSError, UsageError, ValueError):
            continue
        if listens("127.0.0.1", studio.debug_port):
            found.append(studio)
        else:
            with contextlib.suppress(OSError):
                path.unlink()
    return sorted(found, key=lambda each: -each.started)


def listens(host: str, port: int) -> bool:
    """Whether anything takes a connection there."""
    try:
        socket.create_connection((host, port), _PROBE_SECONDS).close()
    except OSError:
        return False
    return True
