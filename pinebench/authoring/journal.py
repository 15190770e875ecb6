"""The record of a run, one JSON line an event, kept so that an interrupted run can go on where it was.

Each line reaches the disk before the loop goes on. A machine that dies while a line is written leaves a cut last
line, which reading drops and continuing removes.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, cast

from pinebench.authoring.events import Event, Started, decode, encode
from pinebench.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

KEPT = 50
"""Journals of the newest runs that stay in the state folder; older ones are removed."""


class Journal:
    """An append-only file of events; `path` need not exist."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> list[tuple[Event, float]]:
        """Every event with the seconds of the run that had passed, oldest first; none when there is no file.

        Raises UsageError when a line other than a cut last one is not an event.
        """
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return []
        events: list[tuple[Event, float]] = []
        for number, line in enumerate(data[: _whole(data)].splitlines(), 1):
            try:
                record = cast("dict[str, Any]", json.loads(line))
                events.append((decode(record), float(record["elapsed"])))
            except (KeyError, TypeError, ValueError):
                raise UsageError(
                    f"{self.path}: line {number} is not an event of a run", "start anew without --resume"
                ) from None
        if events and not isinstance(events[0][0], Started):
            raise UsageError(f"{self.path}: does not begin with the start of a run", "start anew without --resume")
        return events

    def append(self, event: Event, elapsed: float) -> None:
        """Add `event`, `elapsed` seconds into the run; returns when it is on the disk."""
        line = json.dumps({**encode(event), "elapsed": round(elapsed, 3)}, ensure_ascii=True) + "\n"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with open(self.path, "a+b") as file:
            # Appending to a cut line would spoil the new event too.
            file.truncate(_whole(self.path.read_bytes()))
            file.write(line.encode())
            file.flush()
            os.fsync(file.fileno())


def newest(folder: Path, key: str) -> Path | None:
    """The newest journal in `folder` of the runs that share `key`, or None."""
    return max(folder.glob(f"{key}-*.jsonl"), key=_began, default=None)


def prune(folder: Path, kept: int = KEPT) -> None:
    """Remove all but the `kept` newest journals from `folder`."""
    for path in sorted(folder.glob("*.jsonl"), key=_began, reverse=True)[kept:]:
        path.unlink(missing_ok=True)


def _began(path: Path) -> str:
    """When the run began, which its file's name ends with."""
    return path.stem.rpartition("-")[2]


def _whole(data: bytes) -> int:
    """How many bytes of `data` are whole lines."""
    return data.rfind(b"\n") + 1
