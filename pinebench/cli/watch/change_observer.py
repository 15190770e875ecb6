"""Receives notifications of file changes through watchdog, which only this module imports."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pinebench.errors import UnavailableError
from pinebench.extras import missing

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent


class FolderObserver:
    """Reports files that may have changed in watched folders, and folders that must be searched.

    A watch belongs to a folder's inode. Therefore `refresh` finds folders that were deleted, replaced or created, and
    watches them again.
    """

    def __init__(self, touched: Callable[[str], None], look: Callable[[], None]) -> None:
        """Prepare the observer. It watches nothing before `refresh`.

        `touched` is called with the path of a file that may have changed, `look` when folders must be searched. Both
        are called from another thread. Raises UnavailableError if watchdog is not installed.
        """
        try:
            from watchdog.observers import Observer
        except ImportError:
            raise missing("watching without --poll", "watch", "use --poll, or ") from None
        self._handler = _make_handler(touched, look)
        self._look = look
        self._watches: dict[str, tuple[tuple[int, int], Any]] = {}
        self._lock = threading.Lock()
        # watchdog warns of events that come while it ends; without a handler Python would print them on stderr.
        logging.getLogger("watchdog").addHandler(logging.NullHandler())
        self._observer = Observer()
        self._observer.daemon = True
        self._observer.start()

    def refresh(self, folders: Mapping[str, bool]) -> None:
        """Watch the existing folders in `folders`, and no others. Call `look` if a folder was not watched before.

        The values of `folders` tell whether subfolders are watched too.
        """
        with self._lock:
            for folder in [*self._watches]:
                if folder not in folders:
                    _, watch = self._watches.pop(folder)
                    self._unschedule(watch)
            for folder, recursive in folders.items():
                self._refresh(folder, recursive)

    def close(self) -> None:
        """Stop watching."""
        self._observer.stop()
        self._observer.join(5)

    def _refresh(self, folder: str, recursive: bool) -> None:
        identity = _identity(folder)
        known, watch = self._watches.get(folder, (None, None))
        # A folder that is created again immediately may have its old inode, but the watch ended with the old folder.
        if known == identity and (watch is None or self._is_alive(watch)):
            return
        if watch is not None:
            del self._watches[folder]
            self._unschedule(watch)
        if identity is None:
            return
        try:
            fresh = self._observer.schedule(self._handler, folder, recursive=recursive)
        except OSError as error:
            if os.path.isdir(folder):
                raise UnavailableError(
                    f"{folder} cannot be watched: {error.strerror or error}", "use --poll, or raise the system's limit"
                ) from None
            return
        self._watches[folder] = (identity, fresh)
        self._look()

    def _unschedule(self, watch: Any) -> None:
        # The watch may have ended with its folder.
        with contextlib.suppress(KeyError, OSError):
            self._observer.unschedule(watch)

    def _is_alive(self, watch: Any) -> bool:
        return any(emitter.watch == watch and emitter.should_keep_running() for emitter in self._observer.emitters)


def _identity(folder: str) -> tuple[int, int] | None:
    try:
        state = os.stat(folder)
    except OSError:
        return None
    return state.st_dev, state.st_ino


def _make_handler(touched: Callable[[str], None], look: Callable[[], None]) -> Any:
    from watchdog.events import FileSystemEventHandler

    class Handler(FileSystemEventHandler):
        """Reports events that may have changed a script. Opening a file for reading and closing it is not a change."""

        def on_any_event(self, event: FileSystemEvent) -> None:
            if event.event_type in ("opened", "closed_no_write"):
                return
            if event.is_directory:
                # Files in the folder may have come or gone with it, without events of their own.
                if event.event_type != "modified":
                    look()
                return
            for path in (event.src_path, event.dest_path):
                if path:
                    touched(os.fsdecode(path))

    return Handler()
