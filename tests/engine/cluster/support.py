"""Engines that share a log of this process: a feed, leaders, and what a single engine would have done."""

import json
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pinebench.engine.cluster.commands import UserCommand
from pinebench.engine.cluster.copies import Copy
from pinebench.engine.cluster.feed_process import Feeder
from pinebench.engine.cluster.leader import Leader
from pinebench.engine.cluster.log import ClusterLog, NewEntry, commands_of, lease_of
from pinebench.engine.engine import EngineSettings
from pinebench.engine.engine_store import EngineStore
from pinebench.engine.risk import RiskLimits
from pinebench.engine.series import Key, Update
from pinebench.market import Bars
from tests.engine.cluster.memory import MemoryLog
from tests.engine.markets import BEGIN, FREE, KEY, Clock, ends, info

LEASE_MS = 10_000
SETTINGS = EngineSettings(terms=FREE, limits=RiskLimits(orders_a_minute=None, open_orders=None))
HOOK = {"url": "https://example.com/hook", "secret": "0123456789abcdef"}


class World:
    """A log, the feed that fills it, and folders for the copies of engines. Its clocks stand unless they are set."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = Clock(BEGIN)
        self.leases = Clock(0)
        self.log = MemoryLog(self.clock, self.leases)
        self.feed: Feeder | None = None

    def begin(self, bars: Bars, keys: Sequence[Key] = (KEY,)) -> None:
        """Fill the log with the history of series."""
        self.clock.time = max(self.clock.time, bars.time[-1] + 60_000)
        lease = self.log.acquire("feed", 10**12)
        assert lease is not None
        self.feed = Feeder(self.log, lease)
        for key in keys:
            self.feed.follow(key, info(key), bars, ends(bars), self.clock.time)
        self.feed.process([])

    def play(self, updates: Sequence[Update], *, together: bool = False) -> None:
        """Let the feed add updates, each at its own time."""
        assert self.feed is not None
        for part in [list(updates)] if together else [[each] for each in updates]:
            self.clock.time = max(self.clock.time, part[-1].event)
            self.feed.process(part)

    def command(self, subject: str, name: str, group: int = 0, *, as_id: str = "", **arguments: Any) -> str:
        """Add a command, and return its id."""
        command = UserCommand(as_id or uuid.uuid4().hex, subject, name, arguments)
        self.log.append([NewEntry(commands_of(group), command.written())], uuid.uuid4().hex)
        return command.id

    def copy(self, name: str, log: ClusterLog | None = None) -> Copy:
        found = Copy(str(self.folder / name), log or self.log, 0)
        found.check()
        return found

    def lead(
        self, copy: Copy, settings: EngineSettings = SETTINGS, log: ClusterLog | None = None, **more: Any
    ) -> Leader:
        """Lead the only group."""
        lease = self.log.acquire(lease_of(0), LEASE_MS)
        assert lease is not None
        while copy.follow(0):
            pass
        return Leader(copy, log or self.log, lease, settings, 1, **more)

    def free(self) -> None:
        """Let nobody hold the lease of the group, as if it had been given back."""
        self.log._leases.pop(lease_of(0), None)

    def lose(self) -> None:
        """Let the lease of the group end."""
        self.leases.time += LEASE_MS + 1


def work(leader: Leader, steps: int = 30) -> None:
    """Work on all that is there."""
    for _ in range(steps):
        leader.step(0)


def reply(store: EngineStore, id: str) -> Any:
    row = store.row("select body from reply where id = ?", (id,))
    return None if row is None else json.loads(row["body"])


TOLD = ("alert", "firing", "ending", "notification", "subscription", "event", "outbox", "account", "paper_order")
STATE = (*TOLD, "position", "script", "setting", "audit", "series")


def rows(store: EngineStore, *tables: str) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of tables, sorted."""
    return {
        table: sorted((tuple(row) for row in store.rows(f"select * from {table}")), key=repr)
        for table in tables or STATE
    }
