"""The state of a user group on this computer: a copy that follows the changes in the log, or writes them."""

from __future__ import annotations

import contextlib
import sqlite3
import uuid
import zlib
from collections.abc import Callable, Generator
from contextlib import closing

from pinebench.engine.cluster import row_changes
from pinebench.engine.cluster.log import (
    ClusterLog,
    IncompleteLog,
    Lease,
    NewEntry,
    Stale,
    StreamEntry,
    changes_of,
    snapshot_of,
)
from pinebench.engine.cluster.row_changes import Changes
from pinebench.engine.engine_store import EngineStore

_AT_ONCE = 500
SNAPSHOT_EACH = 5_000
"""The number of changes after which the log gets a copy of the state, and drops the older half of the changes."""
_LARGEST_SNAPSHOT = 400 << 20


class Copy:
    """A local copy of a user group's state. Only one thread at a time may use it, except for reading its `store`.

    Until `lead` is called, it is read-only and only applies changes from the log.
    """

    def __init__(self, folder: str, log: ClusterLog, group: int) -> None:
        """Open the copy in `folder`, or create it. Raises UsageError if another process uses it."""
        self.group = group
        self._log = log
        self._stream = changes_of(group)
        self._lease: Lease | None = None
        self._before: Callable[[sqlite3.Connection], None] | None = None
        self._copying = False
        self.store = EngineStore(folder)
        with self.store.transaction() as db:
            row_changes.prepare(db)
            db.execute("insert or ignore into copied values (1, '', 0, '')")
        with self.store.lock:
            self._watch()
        self.store.on_commit = self._committing
        self.store.is_read_only = True

    def _watch(self) -> None:
        with self.store.transaction() as db:
            row_changes.watch(db)

    @property
    def number(self) -> int:
        """The number of the last change that is in this copy."""
        return self.store.rows("select number from copied")[0]["number"]

    def place(self, stream: str) -> int:
        """Return the number of the last entry of `stream` that the user group has processed, or 0 if there is none."""
        row = self.store.row("select number from place where stream = ?", (stream,))
        return 0 if row is None else row["number"]

    # following

    def check(self) -> None:
        """Check that this copy belongs to the log and can continue from it. If it is too far behind, load the snapshot
        from the log.

        Raises IncompleteLog if the log lacks changes that this copy has or needs.
        """
        identity = self._log.identity()
        known = self.store.rows("select * from copied")[0]
        if known["log"] not in ("", identity):
            raise IncompleteLog(
                "the log at the message broker does not belong to this state: the log is new, or its name was changed"
            )
        first, last = self._log.ends(self._stream)
        number = known["number"]
        if last < number:
            raise IncompleteLog(f"the message broker has lost changes {last + 1} to {number} of group {self.group}")
        entry = self._log.entry(self._stream, number) if number else None
        if entry is not None and entry.nonce != known["nonce"]:
            raise IncompleteLog(
                f"change {number} of group {self.group} at the message broker differs from the local copy"
            )
        if first > number + 1:
            self._load(first)
        with self._writing() as db:
            db.execute("update copied set log = ?", (identity,))

    @contextlib.contextmanager
    def _writing(self) -> Generator[sqlite3.Connection]:
        """Open a transaction for changes that come from the log."""
        with self.store.lock:
            self._copying = True
            try:
                with self.store.transaction() as db:
                    yield db
            finally:
                self._copying = False

    def _load(self, first: int) -> None:
        """Replace this copy by the log's snapshot. Raises IncompleteLog if that does not reach the change `first`."""
        packed = self._log.get(snapshot_of(self.group))
        if packed is None:
            raise IncompleteLog(f"the message broker no longer has changes before {first} of group {self.group}")
        with closing(sqlite3.connect(":memory:")) as other:
            other.deserialize(zlib.decompress(packed))
            self.store.copy_from(other)
        if self.number + 1 < first:
            raise IncompleteLog(
                f"the message broker no longer has changes {self.number + 1} to {first - 1} of group {self.group}"
            )

    def follow(self, wait_ms: int) -> list[Changes]:
        """Read the next changes from the log, waiting up to `wait_ms` milliseconds for one, apply them, and return
        them.

        Raises IncompleteLog if changes are missing, and ValueError for one that this version does not understand.
        """
        number = self.number
        return self.write(self._log.read({self._stream: number}, _AT_ONCE, wait_ms)[self._stream])

    def write(self, entries: list[StreamEntry]) -> list[Changes]:
        """Apply changes that were read from the log, and return them. Changes that this copy already has are skipped.

        Raises IncompleteLog if changes are missing.
        """
        number = self.number
        fresh = [entry for entry in entries if entry.number > number]
        if not fresh:
            return []
        if fresh[0].number != number + 1:
            raise IncompleteLog(f"changes {number + 1} to {fresh[0].number - 1} of group {self.group} are missing")
        found = [row_changes.unpacked(entry.body) for entry in fresh]
        with self._writing() as db:
            for each in found:
                row_changes.write(db, each)
            db.execute("update copied set number = ?, nonce = ?", (fresh[-1].number, fresh[-1].nonce))
        return found

    # leading

    def lead(self, lease: Lease, before: Callable[[sqlite3.Connection], None]) -> None:
        """Allow changes to this copy from now on. Each transaction is written to the log before it is committed here.

        `before` is called in each transaction that changes something, and may change more.
        """
        self._lease, self._before = lease, before
        self.store.is_read_only = False

    def cease(self) -> None:
        """Make the copy read-only again."""
        with self.store.lock:
            self._lease = None
            self.store.is_read_only = True

    def _committing(self, db: sqlite3.Connection) -> None:
        if self._copying:
            return
        found = row_changes.taken(db)
        if not found.rows:
            return
        if self._lease is None:
            raise Stale(f"this copy of group {self.group} is read-only")
        if self._before is not None:
            self._before(db)
        more = row_changes.taken(db)
        last = {(each.table, tuple(each.key)): each for each in (*found.rows, *more.rows)}
        body = row_changes.packed(Changes(list(last.values()), more.numbers))
        number, nonce = self.number + 1, uuid.uuid4().hex
        self._log.append([NewEntry(self._stream, body)], nonce, lease=self._lease, expected=number)
        db.execute("update copied set number = ?, nonce = ?", (number, nonce))

    def snapshot(self) -> None:
        """Write a snapshot of the state to the log if the log has at least SNAPSHOT_EACH changes, and delete older
        changes.

        Only the copy that holds the lease writes snapshots, and only if the snapshot is not too large. The last changes
        before it stay in the log for copies that lag slightly behind.
        """
        first, _ = self._log.ends(self._stream)
        if self._lease is None or self.number - first < SNAPSHOT_EACH:
            return
        with closing(sqlite3.connect(":memory:")) as copy:
            self.store.copy_to(copy)
            number = copy.execute("select number from copied").fetchone()[0]
            copy.execute("pragma journal_mode = memory")
            packed = zlib.compress(_plain(copy.serialize()), 1)
        if len(packed) < _LARGEST_SNAPSHOT:
            self._log.put(snapshot_of(self.group), packed, self._lease)
            # Copies that are a little behind need not begin with the snapshot.
            self._log.cut(self._stream, number - SNAPSHOT_EACH // 2)

    def close(self) -> None:
        """Close the copy."""
        self.store.close()


def _plain(image: bytes) -> bytes:
    """Clear the WAL flag in the image of a database, so that it opens without a second file."""
    return image[:18] + b"\x01\x01" + image[20:]
