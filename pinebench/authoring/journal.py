"""The record of a run, one JSON line for each event, so that an interrupted run can continue. Each line is on the disk
before the loop continues. If the machine crashes during a write, the last line is incomplete. It is then ignored by
`read`, and removed when the run continues."""

from __future__ import annotations

import contextlib
import json
import os
import time
from typing import TYPE_CHECKING

from pinebench import decoding, files
from pinebench.authoring.events import Event, StartedEvent, decode, encode
from pinebench.errors import UnavailableError, UsageError
from pinebench.files.locks import Lock, LockHeld

if TYPE_CHECKING:
    from pathlib import Path

KEPT = 50
"""The number of newest journals that stay in the state folder; older ones are removed."""
LOCK_KEPT_SECONDS = 86_400
"""The age in seconds after which the lock of a killed run is removed."""


class JournalFailed(UnavailableError):
    """An event could not be recorded, for example because the disk is full."""


class Journal:
    """An append-only file of events. The file at `path` need not exist."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> list[tuple[Event, float]]:
        """Return every event, oldest first, with its time in seconds from the start of the run; empty if there is no
        file. Raises UsageError if a line is not an event, or if the first event is not a StartedEvent. An incomplete
        last line is ignored."""
        try:
            data = files.read_bytes(self.path, decoding.SIZE)
        except files.MissingFile:
            return []
        events: list[tuple[Event, float]] = []
        for number, line in enumerate(data[: _whole(data)].splitlines(), 1):
            try:
                events.append(_event(line))
            except ValueError:
                raise UsageError(
                    f"{self.path}: line {number} is not an event of a run", "start again without --resume"
                ) from None
        if events and not isinstance(events[0][0], StartedEvent):
            raise UsageError(f"{self.path} does not begin with the start of a run", "start again without --resume")
        return events

    @property
    def start(self) -> StartedEvent | None:
        """The first event of the run; None if it is missing or damaged, for example because the disk was full."""
        try:
            with files.open_private(self.path, "rb") as file:
                line = file.readline(decoding.SIZE)
            event = _event(line)[0] if line.endswith(b"\n") else None
        except (OSError, ValueError):
            return None
        return event if isinstance(event, StartedEvent) else None

    @property
    def sources(self) -> set[str]:
        """Every script that the run wrote; empty if the journal cannot be read."""
        try:
            recorded = self.read()
        except (OSError, UsageError):
            return set()
        found = (getattr(event, "source", None) for event, _ in recorded if not isinstance(event, StartedEvent))
        return {source for source in found if source is not None}

    def append(self, event: Event, elapsed: float) -> None:
        """Write `event` at the time `elapsed`, in seconds from the start of the run, and return when it is on the disk.

        Raises JournalFailed if it cannot be written.
        """
        line = json.dumps({**encode(event), "elapsed": round(elapsed, 3)}, ensure_ascii=True) + "\n"
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with files.open_private(self.path, "a+b") as file:
                # A new line after a cut one would be unreadable too.
                file.truncate(_whole(self.path.read_bytes()))
                file.write(line.encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise JournalFailed(
                f"{self.path} cannot be written: {(error.strerror or str(error)).lower()}",
                "free space on the disk, or choose another folder with PINEBENCH_STATE_DIR",
            ) from None


def journals(folder: Path, key: str) -> list[Journal]:
    """Return the journals in `folder` for the runs with the key `key`, which begins the names of their files. The
    newest comes first."""
    return [Journal(path) for path in sorted(folder.glob(f"{key}-*.jsonl"), key=_began, reverse=True)]


def prune(folder: Path, kept: int = KEPT) -> None:
    """Keep only the `kept` newest journals in `folder`. Delete the others, and old locks that no process holds."""
    for path in sorted(folder.glob("*.jsonl"), key=_began, reverse=True)[kept:]:
        path.unlink(missing_ok=True)
    for path in folder.glob("*.lock"):
        with contextlib.suppress(OSError, LockHeld):
            if time.time() - path.stat().st_mtime > LOCK_KEPT_SECONDS:
                Lock(str(path)).__enter__().release()


def _began(path: Path) -> str:
    """Return the start time of the run, which is the end of the file's name."""
    return path.stem.rpartition("-")[2]


def _event(line: bytes) -> tuple[Event, float]:
    """Return the event in a line, and the seconds of the run that had passed. Raises ValueError if it is not an
    event."""
    try:
        record = decoding.loads(line, {"event": str, "elapsed": float})
        return decode(record), float(record["elapsed"])
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(str(error)) from None


def _whole(data: bytes) -> int:
    """Return the number of bytes in `data` up to the end of its last whole line."""
    return data.rfind(b"\n") + 1
