"""The log that feeds, engines and servers share: numbered streams, leases and values, stored by a message broker.

Changes that belong together are one call, so that the broker applies all of them or none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

UPDATES = "updates"
"""The stream of the updates of all bars. Each command records the length of this stream when the command was added."""
KEPT_UPDATES = 100_000
"""The approximate number of entries of `UPDATES` that are kept. Engines that were away for longer use closed bars."""
MOST_GROUPS = 64


class Stale(Exception):
    """The caller's lease has expired, or another process wrote first. Nothing was added."""


class Unreachable(Exception):
    """The broker did not answer. It is unknown whether the call was carried out."""


class IncompleteLog(Exception):
    """The log cannot be used: entries are missing, or it is not the log that the copy belongs to."""


class Lease(NamedTuple):
    """The right to write as `name`. `token` is different for each lease, even for leases of the same holder."""

    name: str
    token: str


class StreamEntry(NamedTuple):
    """An entry of a stream. Numbers start at 1 and have no gaps.

    `time` is the broker's clock when the entry was added, in milliseconds UTC; it never goes back. `nonce` is different
    for each entry. `seen` is the number of the last entry of `UPDATES` at that time.
    """

    number: int
    time: int
    nonce: str
    seen: int
    body: bytes


class NewEntry(NamedTuple):
    """An entry to add to a stream. The stream keeps about the last `most` entries, or all entries if `most` is None."""

    stream: str
    body: bytes
    most: int | None = None


class ClusterLog(Protocol):
    """A log. Any thread may use it. Every method raises Unreachable if the broker does not answer."""

    def identity(self) -> str:
        """Return the log's unique id. It is created on the first call."""
        ...

    def now(self) -> int:
        """Return the broker's clock in milliseconds UTC."""
        ...

    def append(
        self, entries: Sequence[NewEntry], nonce: str, *, lease: Lease | None = None, expected: int | None = None
    ) -> int:
        """Add entries to several streams, all or none, and return the number of the first one.

        With a `lease`, a repeated call with the same `nonce` adds nothing more, unless there was another call in
        between. Raises Stale if the lease has expired, or if the number would not be `expected`.
        """
        ...

    def read(self, after: Mapping[str, int], most: int, wait_ms: int) -> dict[str, list[StreamEntry]]:
        """Return the next entries of each stream after the number in `after`, at most `most` of each, all read at the
        same time.

        If there are none, wait up to `wait_ms` milliseconds for one. Raises IncompleteLog if the entry after a number
        was deleted.
        """
        ...

    def ends(self, stream: str) -> tuple[int, int]:
        """Return the numbers of the first stored entry and of the last added entry.

        If no entry is stored, the first number is the one after the last.
        """
        ...

    def entry(self, stream: str, number: int) -> StreamEntry | None:
        """Return one entry, or None if it is no longer stored."""
        ...

    def cut(self, stream: str, before: int) -> None:
        """Delete the entries of a stream whose numbers are below `before`."""
        ...

    def acquire(self, name: str, milliseconds: int) -> Lease | None:
        """Take the lease `name` for `milliseconds`. Return None if somebody holds it."""
        ...

    def renew(self, lease: Lease, milliseconds: int) -> bool:
        """Extend a lease to `milliseconds` from now. Return False if it has expired."""
        ...

    def release(self, lease: Lease) -> None:
        """Release a lease. Nothing happens if it has expired."""
        ...

    def is_held(self, name: str) -> bool:
        """Return whether anybody holds the lease `name`."""
        ...

    def put(self, name: str, value: bytes, lease: Lease | None = None) -> None:
        """Set the value called `name`. Raises Stale if `lease` has expired."""
        ...

    def get(self, name: str) -> bytes | None:
        """Return the value called `name`, or None if it was not set."""
        ...

    def attend(self, engine: str, milliseconds: int) -> list[str]:
        """Register `engine` as present for the next `milliseconds`, and return all engines that are present.
        If `engine` is empty, only return them."""
        ...


def commands_of(group: int) -> str:
    """Return the name of the stream that holds the commands to a user group."""
    return f"commands:{group}"


def changes_of(group: int) -> str:
    """Return the name of the stream that holds the changes of a user group's state."""
    return f"changes:{group}"


def bars_of(symbol: str, interval: str) -> str:
    """Return the name of the stream that holds the closed bars of a series."""
    return f"bars:{symbol}:{interval}"


def snapshot_of(group: int) -> str:
    """Return the name of the value that holds the snapshot of a user group's state."""
    return f"snapshot:{group}"


def lease_of(group: int) -> str:
    """Return the name of the lease of a user group."""
    return f"group:{group}"


def group_of(subject: str, groups: int) -> int:
    """Return the group of a user. It depends only on the user's name and the number of groups."""
    return int.from_bytes(hashlib.sha256(subject.encode()).digest()[:8], "big") % groups
