"""Records the states of the watched scripts, and finds the scripts that changed between two records."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable
from typing import NamedTuple

from pinebench import files
from pinebench.errors import UsageError


class ScriptState(NamedTuple):
    """The stamp of a script, and the digest of its content if the stamp is too young to be trusted."""

    stamp: files.Stamp
    digest: str | None = None


Snapshot = dict[str, ScriptState]
"""The state of every script, by its name."""


def take(scripts: Iterable[str]) -> Snapshot:
    """The present state of each of `scripts`. Missing files are left out."""
    found = ((path, _state(path)) for path in scripts)
    return {path: state for path, state in found if state is not None}


def changed(before: Snapshot, after: Snapshot) -> set[str]:
    """The scripts that were written, added or removed between two snapshots."""
    return {path for path in before.keys() | after.keys() if _differs(path, before.get(path), after.get(path))}


def _differs(path: str, before: ScriptState | None, after: ScriptState | None) -> bool:
    if before is None or after is None or before.stamp != after.stamp:
        return before != after
    # Two contents may have the same young stamp: then the content decides.
    return before.digest is not None and before.digest != (after.digest or _digest(path))


def _state(path: str) -> ScriptState | None:
    stamp = files.stamp_of(path)
    if stamp is None:
        return None
    return ScriptState(stamp, None if stamp.is_settled(time.time()) else _digest(path))


def _digest(path: str) -> str:
    """The digest of a script's content; empty if it cannot be read."""
    try:
        return hashlib.sha256(files.read_bytes(path)).hexdigest()
    except UsageError:
        return ""
