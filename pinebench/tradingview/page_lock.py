"""A lock for each page, so that only one process at a time writes or compiles in an editor."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import stat
import tempfile
import time
from collections.abc import Callable, Generator

from pinebench import files
from pinebench.context import Context
from pinebench.errors import UsageError
from pinebench.files.locks import Lock, LockHeld
from pinebench.tradingview.errors import EditorBusy
from pinebench.tradingview.targets import LOOPBACK

TURN_SECONDS = 120.0
"""Seconds to wait for other processes. A compile takes a few seconds, so a longer wait means that there are very many
processes, or that one of them hangs."""

SAID_AFTER = 0.5
"""Seconds after which the user is told that pinebench waits."""

_LOOK = 0.05

_log = logging.getLogger(__name__)


@contextlib.contextmanager
def turn(
    host: str, port: int, target: str, notify: Callable[[str], None], context: Context | None = None
) -> Generator[None]:
    """Run the body while no other process of this user works on the page `target` of the browser at `host` and `port`.
    The lock is advisory: it only stops processes that ask for it, not a person in the browser. If no lock can be made,
    the body runs without one. Raises EditorBusy after `TURN_SECONDS` of waiting, and the errors of `context`."""
    lock = _lock(host, port, target)
    if lock is None or not _acquire(lock, notify, context):
        yield
        return
    try:
        yield
    finally:
        lock.release()


def _acquire(lock: Lock, notify: Callable[[str], None], context: Context | None) -> bool:
    """Wait for the lock; return False if the lock file cannot be used. Raises EditorBusy after `TURN_SECONDS`."""
    started = time.monotonic()
    said = False
    while True:
        if context is not None:
            context.check()
        try:
            lock.acquire()
            return True
        except LockHeld as held:
            who = f"process {held.pid}" if held.pid else "another process"
        except OSError:
            _log.info("no lock at %s", lock.path, exc_info=True)
            return False
        waited = time.monotonic() - started
        if waited > TURN_SECONDS:
            raise EditorBusy(
                f"{who} has not finished its work in this editor for {TURN_SECONDS:g} s",
                "wait for it or stop it, then try again",
            )
        if waited > SAID_AFTER and not said:
            said = True
            notify(f"{who} is working in this editor; waiting for it")
        time.sleep(_LOOK)


def _lock(host: str, port: int, target: str) -> Lock | None:
    """Return the lock of one page, or None if there is no folder for locks."""
    folder = _folder()
    if folder is None:
        return None
    where = "loopback" if host in LOOPBACK else host
    name = hashlib.sha256(f"{where} {port} {target}".encode()).hexdigest()[:16]
    return Lock(os.path.join(folder, f"{name}.lock"))


def _folder() -> str | None:
    """Return the folder for locks, or None if it cannot be used. All processes of this user have the same folder,
    whatever their settings are. It must belong to this user."""
    user = str(os.geteuid()) if hasattr(os, "geteuid") else "user"
    folder = os.path.join(tempfile.gettempdir(), f"pinebench-{user}-pages")
    try:
        files.private_folder(folder)
        found = os.lstat(folder)
    except (UsageError, OSError):
        _log.info("no folder for locks at %s", folder, exc_info=True)
        return None
    ours = stat.S_ISDIR(found.st_mode) and (not hasattr(os, "geteuid") or found.st_uid == os.geteuid())
    return folder if ours else None
