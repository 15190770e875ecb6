"""One of several engines: it follows the state of every user group, and leads those groups whose lease it gets."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import asdict
from types import TracebackType
from typing import Self

from pinebench.engine.cluster.copies import Copy
from pinebench.engine.cluster.leader import Leader, Spot
from pinebench.engine.cluster.log import MOST_GROUPS, ClusterLog, IncompleteLog, Lease, Stale, Unreachable, lease_of
from pinebench.engine.engine import EngineSettings
from pinebench.engine.engine_store import folder_of
from pinebench.engine.outbox_delivery import Deliveries
from pinebench.errors import UsageError

LEASE_MS = 6_000
"""The milliseconds after which a lease ends unless it is renewed. Another engine then leads a killed engine's
groups."""
_RENEWALS = 4
"""The number of times that a lease is renewed within its duration."""
_WAIT_MS = 500
_LONGEST_STEP = 180.0
"""The longest time in seconds that one step may take. After that, an engine counts as hung and gives up its lease."""
_PAUSE = 1.0
GROUPS, TERMS = "groups", "terms"
"""The keys of the number of groups, and of the terms and limits of paper accounts."""
_log = logging.getLogger(__name__)


def agreed_groups(log: ClusterLog, asked: int | None) -> int:
    """Return the number of user groups in a log. The first engine that starts sets it.

    `asked` is the number that the owner configured, or None. Raises UsageError if the log has another number, or if
    `asked` is not from 1 to 64.
    """
    if asked is not None and not 1 <= asked <= MOST_GROUPS:
        raise UsageError(f"the number of groups must be from 1 to {MOST_GROUPS}, got: {asked}")
    known = log.get(GROUPS)
    if known is None:
        lease = log.acquire(GROUPS, LEASE_MS)
        if lease is not None and log.get(GROUPS) is None:
            log.put(GROUPS, str(asked or 4).encode(), lease)
        if lease is not None:
            log.release(lease)
        known = log.get(GROUPS)
        if known is None:
            raise Unreachable("another process is setting the number of groups")
    if asked is not None and int(known) != asked:
        raise UsageError(
            f"the users are already in {int(known)} groups, not {asked}",
            "leave the number out; users cannot move to other groups",
        )
    return int(known)


class _Group:
    """The lease of a group, if this engine leads it, and the reason why it cannot continue, if any."""

    def __init__(self) -> None:
        self.lease: Lease | None = None
        self.until = 0.0
        """The earliest end of the lease, in seconds of `time.monotonic()`."""
        self.begun: float | None = None
        """The start of the present step, in seconds of `time.monotonic()`; None between steps."""
        self.problem: str | None = None


class ClusterMember:
    """One of several engines. Use it in a `with` block or call `stop`."""

    def __init__(
        self, log: ClusterLog, settings: EngineSettings, groups: int | None = None, *, lease_ms: int = LEASE_MS
    ) -> None:
        """Open the copies of all groups in `settings.folder`.

        All engines must have the same terms and limits. Raises UsageError if they differ, or if another engine uses the
        folder. `lease_ms` is how long a lease lasts without renewal, in milliseconds.
        """
        self._log = log
        self._settings = settings
        self._lease_ms = lease_ms
        self.name = uuid.uuid4().hex
        self._agree()
        self._count = agreed_groups(log, groups)
        self._folder = os.path.join(folder_of(settings.folder), "groups")
        self._groups = [_Group() for _ in range(self._count)]
        self._present = 1
        self._stop = threading.Event()
        self._copies: list[Copy] = []
        try:
            for group in range(self._count):
                self._copies.append(Copy(os.path.join(self._folder, str(group)), log, group))
        except BaseException:
            self._close_copies()
            raise
        self._threads = [
            threading.Thread(target=self._run, args=(group,), name=f"group {group}", daemon=True)
            for group in range(self._count)
        ]
        self._beat = threading.Thread(target=self._renew, name="leases", daemon=True)

    def _agree(self) -> None:
        """Set the terms and limits of all engines, or raise UsageError if running engines have others."""
        mine = json.dumps({"terms": asdict(self._settings.terms), "limits": asdict(self._settings.limits)})
        known = self._log.get(TERMS)
        if known == mine.encode():
            return
        if known is not None and self._log.attend("", 0):
            raise UsageError(
                "[terms] or [limits] in engine.toml are different in the running engines",
                "use the same values everywhere; to change them, stop all engines first",
            )
        self._log.put(TERMS, mine.encode())

    def __enter__(self) -> Self:
        self._attend()
        for thread in (*self._threads, self._beat):
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop the engine and release its leases."""
        self._stop.set()
        for thread in (*self._threads, self._beat):
            if thread.is_alive():
                thread.join()
        self._close_copies()

    def _close_copies(self) -> None:
        for copy in self._copies:
            copy.close()

    @property
    def leads(self) -> list[int]:
        """The numbers of the user groups that this engine currently leads."""
        return [number for number, group in enumerate(self._groups) if group.lease is not None]

    @property
    def problems(self) -> dict[int, str]:
        """The reason why a user group cannot continue on this engine, for each group with a problem, by its number."""
        return {number: group.problem for number, group in enumerate(self._groups) if group.problem is not None}

    # leases

    def _attend(self) -> None:
        self._present = max(len(self._log.attend(self.name, self._lease_ms)), 1)

    def _renew(self) -> None:
        while not self._stop.wait(self._lease_ms / 1000 / _RENEWALS):
            now = time.monotonic()
            try:
                self._attend()
                for group in self._groups:
                    lease, begun = group.lease, group.begun
                    hangs = begun is not None and now - begun > _LONGEST_STEP
                    if lease is not None and not hangs and self._log.renew(lease, self._lease_ms):
                        group.until = now + self._lease_ms / 1000
            except Unreachable as error:
                _log.warning("leases could not be renewed: %s", error)

    def _claim(self, group: _Group, number: int) -> Lease | None:
        """Take the lease of a group. An engine that already leads its share waits first, so that others can take it."""
        if len(self.leads) >= self._share and self._stop.wait(self._lease_ms / 1000 / 2):
            return None
        begun = time.monotonic()
        lease = self._log.acquire(lease_of(number), self._lease_ms)
        if lease is not None:
            group.until = begun + self._lease_ms / 1000
            group.lease = lease
        return lease

    @property
    def _share(self) -> int:
        """The number of groups for each engine if they are shared evenly, rounded up."""
        return -(-self._count // self._present)

    def _gives_up(self, number: int) -> bool:
        """Return whether this engine leads more groups than its share, and the group `number` is one of the surplus."""
        return number in self.leads[self._share :]

    # groups

    def _run(self, number: int) -> None:
        group, copy = self._groups[number], self._copies[number]
        bad: list[Spot] = []
        while not self._stop.is_set():
            try:
                copy.check()
                group.problem = None
                self._follow(group, copy, number, bad)
            except Stale:
                _log.info("group %d: another engine leads", number)
            except Unreachable as error:
                self._wait(group, number, str(error), logging.WARNING)
            except IncompleteLog as error:
                self._wait(group, number, str(error), logging.ERROR)
            except (sqlite3.Error, OSError, ValueError, UsageError) as error:
                self._wait(group, number, f"{type(error).__name__}: {error}", logging.ERROR)
            except Exception as error:  # a bug must not end the group's work
                _log.error("group %d failed", number, exc_info=error)
                self._wait(group, number, f"{type(error).__name__}: {error}", logging.ERROR)

    def _wait(self, group: _Group, number: int, why: str, level: int) -> None:
        if group.problem != why:
            _log.log(level, "group %d: %s", number, why)
        group.problem = why
        self._stop.wait(_PAUSE)

    def _follow(self, group: _Group, copy: Copy, number: int, bad: list[Spot]) -> None:
        """Follow the group's leader, and lead the group when it has none."""
        is_careful = False
        while not self._stop.is_set():
            copy.follow(0 if is_careful else _WAIT_MS)
            if self._log.is_held(lease_of(number)):
                continue
            lease = self._claim(group, number)
            if lease is None:
                continue
            try:
                is_careful = self._lead(group, copy, lease, bad, is_careful)
            finally:
                group.lease = group.begun = None
                try:
                    self._log.release(lease)
                except Unreachable:
                    _log.info("group %d: the lease was not released, and will expire", number)

    def _lead(self, group: _Group, copy: Copy, lease: Lease, bad: list[Spot], is_careful: bool) -> bool:
        """Lead a group until the lease is given up. Return whether an update failed, so that the next leader must
        process updates one by one.

        An update that fails again when it is processed alone is added to `bad`.
        """
        while copy.follow(0):  # everything that the leader before has told
            pass
        leader = Leader(copy, self._log, lease, self._settings, self._count, bad, scripts_wait=True)
        leader.is_careful = is_careful
        scripts = _ScriptThread(leader)
        deliveries = Deliveries(copy.store, leader.engine.notifiers, self._settings.webhook_hosts, _now)
        leader.engine.on_change = deliveries.wake
        sender = _Sender(deliveries, lambda: time.monotonic() < group.until)
        sender.start()
        scripts.start()
        try:
            while not self._stop.is_set() and not self._gives_up(copy.group):
                if time.monotonic() >= group.until:
                    raise Stale("the lease has expired")
                scripts.check()
                group.begun = time.monotonic()
                leader.step(_WAIT_MS)
        except (Stale, Unreachable, IncompleteLog, sqlite3.Error, OSError, MemoryError):
            raise
        except Exception as error:
            spot = leader.spot
            _log.error("group %d: an update failed", copy.group, exc_info=error)
            if is_careful and spot is not None and spot not in bad:
                bad.append(spot)
            elif is_careful:
                raise
            return True
        finally:
            sender.stop()
            scripts.stop()
            leader.close()
        return False


class _ScriptThread:
    """A thread that runs the scripts of a leader, so that prices and commands do not wait for them."""

    def __init__(self, leader: Leader) -> None:
        self._leader = leader
        self._closed = threading.Event()
        self._closed.set()  # bars of the leader before may wait
        self._ends = False
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="scripts", daemon=True)
        leader.engine.on_closed = self._closed.set

    def start(self) -> None:
        self._thread.start()

    def _run(self) -> None:
        while not self._ends:
            self._closed.wait()
            self._closed.clear()
            try:
                self._leader.run_scripts()
            except Exception as error:  # the leader's thread raises it
                self._error = error
                return

    def check(self) -> None:
        """Raise the error that ended the thread, if there is one."""
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        """Stop the thread: running scripts finish, but change nothing any more."""
        self._leader.engine.give_up()
        self._ends = True
        self._closed.set()
        self._thread.join()


class _Sender:
    """A thread that sends the pending deliveries of a group that this engine leads."""

    def __init__(self, deliveries: Deliveries, may_send: Callable[[], bool]) -> None:
        self._deliveries = deliveries
        self._may_send = may_send
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="outbox", daemon=True)

    def start(self) -> None:
        self._deliveries.may_send = self._may_send
        self._thread.start()

    def _run(self) -> None:
        try:
            self._task = self._loop.create_task(self._deliveries.run())
            self._loop.run_until_complete(self._task)
        except asyncio.CancelledError:
            pass
        except (Stale, Unreachable):
            _log.info("deliveries end with the lease")
        except Exception as error:
            _log.error("deliveries failed", exc_info=error)

    def stop(self) -> None:
        while self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._cancel)
            self._thread.join(0.2)
        self._loop.close()

    def _cancel(self) -> None:
        for task in asyncio.all_tasks(self._loop):
            task.cancel()


def _now() -> int:
    return int(time.time() * 1000)
