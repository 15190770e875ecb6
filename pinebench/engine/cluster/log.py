"""The log that feeds, engines and servers share: numbered streams, leases and values, kept by a broker.

Things that must happen together are one call, so that the broker does all of them or none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

UPDATES = "updates"
"""The stream of the updates of all bars. Each command records the length of this stream when the command was added."""
KEPT_UPDATES = 100_000
"""About how many entries of `UPDATES` are kept. Engines that were away for longer continue with closed bars."""
MOST_GROUPS = 64


class Stale(Exception):
    """The lease of the caller has ended, or somebody else was first. Nothing was added."""


class Unreachable(Exception):
    """The broker did not answer. Whether a call was carried out is not known."""


class IncompleteLog(Exception):
    """The log is not usable: entries are missing, or it is another log."""


class Lease(NamedTuple):
    """The right to write for `name`. `token` is different for each lease, also for leases of the same holder."""

    name: str
    token: str


class StreamEntry(NamedTuple):
    """An entry of a stream. Numbers begin with 1 and have no gaps.

    `time` is the broker's clock when it was added, in milliseconds UTC, and never goes back. `nonce` is different for
    each entry. `seen` is the number of the last entry of `UPDATES` at that moment.
    """

    number: int
    time: int
    nonce: str
    seen: int
    body: bytes


class NewEntry(NamedTuple):
    """An entry to add to a stream. The stream keeps about `most` entries; None keeps all."""

    stream: str
    body: bytes
    most: int | None = None


class ClusterLog(Protocol):
    """A log. It can be used from any thread. Every method raises Unreachable if the broker does not answer."""

    def identity(self) -> str:
        """A text that is different for each log. It is made when it is first requested."""
        ...

    def now(self) -> int:
        """The broker's clock in milliseconds UTC."""
        ...

    def append(
        self, parts: Sequence[NewEntry], nonce: str, *, lease: Lease | None = None, expected: int | None = None
    ) -> int:
        """Add entries to several streams, all or none, and return the number of the first one.

        With a `lease`, a call that is repeated with the same `nonce` adds nothing more, unless there was another one
        in between. Raises Stale if the lease has ended, or if the number would not be `expected`.
        """
        ...

    def read(self, after: Mapping[str, int], most: int, wait_ms: int) -> dict[str, list[StreamEntry]]:
        """The next entries of streams after these numbers, at most `most` of each stream, all read at the same moment.

        If there are none, wait up to `wait_ms` milliseconds for one. Raises IncompleteLog if the entry after a number
        is gone.
        """
        ...

    def ends(self, stream: str) -> tuple[int, int]:
        """The numbers of the first entry that is kept and of the last one that was added.

        If none is kept, the first one is the one after the last.
        """
        ...

    def entry(self, stream: str, number: int) -> StreamEntry | None:
        """One entry; None if it is not kept."""
        ...

    def cut(self, stream: str, before: int) -> None:
        """Drop the entries before a number."""
        ...

    def acquire(self, name: str, milliseconds: int) -> Lease | None:
        """Take the lease `name` for `milliseconds`; None if somebody holds it."""
        ...

    def renew(self, lease: Lease, milliseconds: int) -> bool:
        """Hold a lease for `milliseconds` from now on. False if it has ended."""
        ...

    def release(self, lease: Lease) -> None:
        """Give a lease back. Nothing happens if it has ended."""
        ...

    def is_held(self, name: str) -> bool:
        """Whether anybody holds the lease `name`."""
        ...

    def put(self, name: str, value: bytes, lease: Lease | None = None) -> None:
        """Set a value. Raises Stale if the lease has ended."""
        ...

    def get(self, name: str) -> bytes | None:
        """A value; None if it was not set."""
        ...

    def attend(self, who: str, milliseconds: int) -> list[str]:
        """Note that the engine `who` is present for the next `milliseconds`, and return all engines that are present.
        If `who` is empty, only return them."""
        ...


def commands_of(group: int) -> str:
    """The stream of the commands to a group of users."""
    return f"commands:{group}"


def changes_of(group: int) -> str:
    """The stream of the changes of a group's state."""
    return f"changes:{group}"


def bars_of(symbol: str, interval: str) -> str:
    """The stream of the closed bars of a series."""
    return f"bars:{symbol}:{interval}"


def snapshot_of(group: int) -> str:
    """The value with a copy of a group's state."""
    return f"snapshot:{group}"


def lease_of(group: int) -> str:
    """The name of the lease of a group."""
    return f"group:{group}"


def group_of(subject: str, groups: int) -> int:
    """The group of a user. It depends only on the name and the number of groups."""
    return int.from_bytes(hashlib.sha256(subject.encode()).digest()[:8], "big") % groups
