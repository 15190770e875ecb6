"""A log in this process, which keeps the contract of `Log` (test_log.py holds it and Redis to the same tests)."""

import threading
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from pinebench.engine.cluster.log import UPDATES, IncompleteLog, Lease, NewEntry, Stale, StreamEntry


def _now() -> int:
    return int(time.time() * 1000)


class MemoryLog:
    """A log in memory. `clock` gives the broker's time in milliseconds, and `leases` the time that leases last by."""

    def __init__(self, clock: Callable[[], int] = _now, leases: Callable[[], int] = _now) -> None:
        self.clock = clock
        self._leases_clock = leases
        self._streams: dict[str, list[StreamEntry]] = defaultdict(list)
        self._numbers: dict[str, int] = defaultdict(int)
        self._leases: dict[str, tuple[str, int]] = {}
        self._values: dict[str, bytes] = {}
        self._engines: dict[str, int] = {}
        self._identity = uuid.uuid4().hex
        self._changed = threading.Condition(threading.RLock())
        self._time = 0

    def identity(self) -> str:
        return self._identity

    def now(self) -> int:
        return self.clock()

    def append(
        self, entries: Sequence[NewEntry], nonce: str, *, lease: Lease | None = None, expected: int | None = None
    ) -> int:
        with self._changed:
            first = entries[0].stream
            if lease is not None and not self._is_mine(lease):
                raise Stale(first)
            kept = self._streams[first]
            last = self._numbers[first]
            if lease is not None and kept and kept[-1].nonce == nonce:
                return last
            if expected is not None and last + 1 != expected:
                raise Stale(first)
            self._time = max(self._time, self.clock())
            seen = self._numbers[UPDATES]
            for part in entries:
                self._numbers[part.stream] += 1
                self._streams[part.stream].append(
                    StreamEntry(self._numbers[part.stream], self._time, nonce, seen, part.body)
                )
                if part.most is not None:
                    del self._streams[part.stream][: -part.most]
            self._changed.notify_all()
            return last + 1

    def read(self, after: Mapping[str, int], most: int, wait_ms: int) -> dict[str, list[StreamEntry]]:
        with self._changed:
            found = self._behind(after, most)
            if not any(found.values()) and wait_ms:
                self._changed.wait(wait_ms / 1000)
                found = self._behind(after, most)
        for stream, entries in found.items():
            if entries and entries[0].number != after[stream] + 1:
                raise IncompleteLog(stream)
        return found

    def _behind(self, after: Mapping[str, int], most: int) -> dict[str, list[StreamEntry]]:
        return {
            stream: [entry for entry in self._streams[stream][-self._far(stream, number) :] if entry.number > number][
                :most
            ]
            for stream, number in after.items()
        }

    def _far(self, stream: str, number: int) -> int:
        return max(self._numbers[stream] - number, 1)

    def ends(self, stream: str) -> tuple[int, int]:
        with self._changed:
            kept, last = self._streams[stream], self._numbers[stream]
            return kept[0].number if kept else last + 1, last

    def entry(self, stream: str, number: int) -> StreamEntry | None:
        with self._changed:
            return next((entry for entry in self._streams[stream] if entry.number == number), None)

    def cut(self, stream: str, before: int) -> None:
        with self._changed:
            self._streams[stream] = [entry for entry in self._streams[stream] if entry.number >= before]

    def _is_mine(self, lease: Lease) -> bool:
        token, until = self._leases.get(lease.name, ("", 0))
        return token == lease.token and self._leases_clock() < until

    def acquire(self, name: str, milliseconds: int) -> Lease | None:
        with self._changed:
            if self.is_held(name):
                return None
            lease = Lease(name, uuid.uuid4().hex)
            self._leases[name] = lease.token, self._leases_clock() + milliseconds
            return lease

    def renew(self, lease: Lease, milliseconds: int) -> bool:
        with self._changed:
            if not self._is_mine(lease):
                return False
            self._leases[lease.name] = lease.token, self._leases_clock() + milliseconds
            return True

    def release(self, lease: Lease) -> None:
        with self._changed:
            if self._is_mine(lease):
                del self._leases[lease.name]

    def is_held(self, name: str) -> bool:
        with self._changed:
            return self._leases_clock() < self._leases.get(name, ("", 0))[1]

    def put(self, name: str, value: bytes, lease: Lease | None = None) -> None:
        with self._changed:
            if lease is not None and not self._is_mine(lease):
                raise Stale(name)
            self._values[name] = value

    def get(self, name: str) -> bytes | None:
        return self._values.get(name)

    def attend(self, engine: str, milliseconds: int) -> list[str]:
        with self._changed:
            if engine:
                self._engines[engine] = self._leases_clock() + milliseconds
            return [each for each, until in self._engines.items() if until > self._leases_clock()]
