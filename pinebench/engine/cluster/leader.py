"""The leader of a user group: it processes updates and commands of the log in order while it holds the lease."""

from __future__ import annotations

import contextlib
import json
import logging
import sqlite3
import threading
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from pinebench.engine import audit_log
from pinebench.engine.bar_collector import MOST_BARS, SETUP_BARS
from pinebench.engine.cluster.bars import SymbolClock, history_of, series_in
from pinebench.engine.cluster.commands import DO, FOR_ALL, TIMELESS, UserCommand, carry_out
from pinebench.engine.cluster.copies import Copy
from pinebench.engine.cluster.log import (
    UPDATES,
    ClusterLog,
    IncompleteLog,
    Lease,
    Stale,
    StreamEntry,
    Unreachable,
    commands_of,
    group_of,
)
from pinebench.engine.engine import EngineSettings, TradingEngine
from pinebench.engine.followed_series import SeriesState
from pinebench.engine.series import Key, Update, is_plausible
from pinebench.errors import PinebenchError, UsageError, fault

_AT_ONCE = 500
_TIME = "time"
"""The key of the stored time of the last processed entry."""
LONGEST_WAIT_MS = 60_000
"""The longest time in milliseconds that a command may wait for an engine. A later command is refused, because its user
no longer expects it."""
_WARM_BARS = SETUP_BARS + 500
_REPLIES_MS = 86_400_000
_PURGED_MS = 60_000
_log = logging.getLogger(__name__)


class Spot(NamedTuple):
    """The position of an update: the number of its entry in the log, and its index in the entry."""

    entry: int
    at: int


class Leader:
    """The engine that leads a user group while it holds the lease. `step` processes the next entries of the log.

    After any exception, close it: its memory may be ahead of the state. A new leader continues from the state.
    """

    def __init__(
        self,
        copy: Copy,
        log: ClusterLog,
        lease: Lease,
        settings: EngineSettings,
        groups: int,
        bad: Sequence[Spot] = (),
        *,
        scripts_wait: bool = False,
    ) -> None:
        """`copy` must have all changes of the log. The updates at `bad` failed before, and are skipped.

        With `scripts_wait`, scripts run only in `run_scripts`, which another thread calls.
        """
        self._copy = copy
        self._log = log
        self._groups = groups
        self._bad = frozenset(bad)
        self._commands_of = commands_of(copy.group)
        self._updates = copy.place(UPDATES)
        self._commands = copy.place(self._commands_of)
        self._time = copy.place(_TIME)
        self._thread = threading.get_ident()
        self._touched: set[Key] = set()
        self._expected: dict[Key, int] = {}
        self._purged = self._time
        self._cut = self._commands
        self.spot: Spot | None = None
        """The update that is being processed; None between updates."""
        copy.lead(lease, self._before)
        self.engine = TradingEngine(replace(settings, clock=lambda: self._time), copy.store)
        self.engine.scripts_wait = scripts_wait
        self._begin()

    # the series

    def _begin(self) -> None:
        """Load the bars of the log as of the last processed update, and process the bars that are still pending."""
        first, _ = self._log.ends(UPDATES)
        rows = self._copy.store.rows("select symbol, interval, body from forming")
        known = {(row["symbol"], row["interval"]): _seen(row["body"]) for row in rows}
        as_of = max(self._updates, first - 1)
        missed = [update for key, one in series_in(self._log).items() for update in self._follow(key, one, as_of)]
        missed.sort(key=lambda update: update.end)
        # The scripts of these bars had not answered when the last leader ended.
        waiting = [update for update in missed if _is_before(update, known.get(update.key), as_of == self._updates)]
        with self._changing():
            self._process(waiting)
        for key, seen in known.items():
            if key in self.engine.keys:
                self.engine.remember(key, seen)
        if as_of == self._updates:
            return
        # The updates since then are not kept any more, but all bars that have closed are.
        missed = [update for update in missed if update not in waiting]
        gone = f"{self._updates + 1}-{first - 1}"
        with self._changing() as db:
            self._updates = as_of
            audit_log.write(
                db, self._log.now(), "", "UPDATES_GONE", gone, f"({len(missed)} closed bars were processed)"
            )
            self._process(missed)
        _log.warning("group %d: updates %s are gone; their closed bars were processed", self._copy.group, gone)

    def _follow(self, key: Key, one: SymbolClock, as_of: int) -> list[Update]:
        last, needed = self.engine.last(key), self.engine.first_needed(key)
        most = MOST_BARS if needed is not None else _WARM_BARS
        bars, ends = history_of(self._log, key, as_of, most=most, since=last)
        updates = self.engine.follow(key, one.info, bars, ends)
        self.engine.remember(key, SeriesState(None, one.now, one.at))
        return updates

    def _process(self, updates: Sequence[Update]) -> None:
        self._touched.update(update.key for update in updates if update.key in self.engine.keys)
        self.engine.process(updates)

    @contextlib.contextmanager
    def _changing(self) -> Generator[sqlite3.Connection]:
        """Open a transaction. If it fails, give up scripts, because their bars may not be in the state."""
        with self._copy.store.lock:
            try:
                with self._copy.store.transaction() as db:
                    yield db
            except BaseException:
                self.engine.give_up()
                raise

    def run_scripts(self) -> None:
        """Run the scripts of all waiting bars. If they fail twice on a bar, process the bar without them, and log that.

        Raises Stale if the lease has expired, and the errors of the state and the log. After such an error, the leader
        must be closed.
        """
        failed: object = ()
        while True:
            try:
                self.engine.run_scripts()
                return
            except (Stale, Unreachable, IncompleteLog, sqlite3.Error, OSError, MemoryError):
                raise
            except Exception as error:  # a bug must end neither the group nor its other scripts
                _log.error("group %d: scripts failed", self._copy.group, exc_info=error)
            waiting = self.engine.waiting
            if waiting == failed:
                self.engine.leave_out_scripts()
            failed = waiting

    # steps

    def step(self, wait_ms: int) -> None:
        """Process the next entries, waiting up to `wait_ms` milliseconds if there are none.

        Entries are processed in the order in which the broker received them. Raises Stale if the lease has expired.
        """
        found = self._log.read({UPDATES: self._updates, self._commands_of: self._commands}, _AT_ONCE, wait_ms)
        updates, commands = found[UPDATES], found[self._commands_of]
        place = 0
        for command in commands:
            count = sum(entry.number <= command.seen for entry in updates[place:])
            self._take(updates[place : place + count])
            place += count
            if self._updates < command.seen:
                return  # updates before it are not read yet
            self._obey(command)
        if len(commands) < _AT_ONCE:  # else there may be commands before the next update
            self._take(updates[place:])
        self._tend()

    def _take(self, entries: Sequence[StreamEntry]) -> None:
        if not entries:
            return
        with self._changing() as db:
            for entry in entries:
                self._time = entry.time
                self._updates = entry.number
                self._work(db, entry)

    def _work(self, db: sqlite3.Connection, entry: StreamEntry) -> None:
        try:
            updates = _updates_of(entry)
            wrong = [place for place, each in enumerate(updates) if not _is_sound(each)]
        except (ValueError, TypeError, RecursionError):
            audit_log.write(db, self._time, "", "UPDATES_SKIPPED", f"{entry.number}", "(they cannot be read)")
            return
        left_out = {spot.at for spot in self._bad if spot.entry == entry.number} | {*wrong}
        for place in sorted(left_out):
            each = updates[place] if place < len(updates) else None
            named = each.key if each is not None and place not in wrong else ()
            audit_log.write(db, self._time, "", "UPDATE_SKIPPED", f"{entry.number}.{place}", *named)
        fit = [(place, each) for place, each in enumerate(updates) if place not in left_out]
        self._meet({each.key for _, each in fit})
        self._note_holes(db, [each for _, each in fit])
        if self._bad or self.is_careful:
            for place, each in fit:
                self.spot = Spot(entry.number, place)
                self._process([each])
        else:
            self._process([each for _, each in fit])
        self.spot = None

    is_careful = False
    """Whether updates are processed one at a time, to find one that fails."""

    def _meet(self, keys: set[Key]) -> None:
        new = keys - {*self.engine.keys}
        if new:
            known = series_in(self._log)
            for key in sorted(new & known.keys()):
                self._follow(key, known[key], self._updates - 1)

    def _look(self) -> None:
        """Follow the series that the feed added after the leader began, even before their first update."""
        for key, one in series_in(self._log).items():
            if key not in self.engine.keys:
                self._follow(key, one, self._updates)

    def _note_holes(self, db: sqlite3.Connection, updates: Sequence[Update]) -> None:
        """Write missing bars to the audit log, for markets that are always open."""
        for update in updates:
            key = update.key
            info = self.engine.symbol_info(*key)
            known = None if info is None else self._next_time(key)
            if info is None or known is None:
                continue
            if update.time > known and info.session == "24x7":
                words = ("BARS_MISSING", *key, f"{known}-{update.time}")
                audit_log.write(db, self._time, "", *words)
                _log.warning("group %d: bars are missing: %s", self._copy.group, " ".join(words[1:]))
            self._expected[key] = max(known, update.end if update.closed else update.time)

    def _next_time(self, key: Key) -> int | None:
        """Return the time at which the next bar of a series is expected to open; None before the first bar."""
        if key not in self._expected:
            forming = self.engine.seen(key).forming
            return self.engine.next_time(key) if forming is None else forming.time
        return self._expected[key]

    def _before(self, db: sqlite3.Connection) -> None:
        """Save, in a transaction, the position in each stream and the bars that are forming.

        Nothing is saved in a transaction of another thread, for example a delivery: it may come after a step that
        failed, when the leader's memory is ahead of the state.
        """
        if threading.get_ident() != self._thread:
            return
        places = ((UPDATES, self._updates), (self._commands_of, self._commands), (_TIME, self._time))
        for stream, number in places:
            db.execute("insert or replace into place values (?, ?)", (stream, number))
        for key in sorted(self._touched):
            body = json.dumps(self.engine.seen(key))
            db.execute("insert or replace into forming values (?, ?, ?)", (*key, body))
        self._touched.clear()

    def _tend(self) -> None:
        if self._time >= self._purged + _PURGED_MS:
            self._purged = self._time
            self.engine.purge()
            with self._copy.store.transaction() as db:
                db.execute("delete from reply where time < ?", (self._time - _REPLIES_MS,))
            self._copy.snapshot()
            done = self._copy.place(self._commands_of)
            self._log.cut(self._commands_of, done)

    # commands

    def _obey(self, entry: StreamEntry) -> None:
        self._time = entry.time
        self._commands = entry.number
        with self._changing() as db:
            self._look()
            try:
                command = UserCommand.read(entry.body)
            except ValueError:
                audit_log.write(db, self._time, "", "COMMAND_SKIPPED", f"{entry.number}", "(it cannot be read)")
                return
            if db.execute("select 1 from reply where id = ?", (command.id,)).fetchone():
                # It was sent twice, and done once.
                db.execute("insert or replace into place values (?, ?)", (self._commands_of, entry.number))
                return
            reply = self._reply(db, command, entry)
            db.execute("insert into reply values (?, ?, ?)", (command.id, self._time, json.dumps(reply)))

    def _reply(self, db: sqlite3.Connection, command: UserCommand, entry: StreamEntry) -> Mapping[str, Any]:
        """Run a command, and return its result or its error. A command that fails changes nothing."""
        db.execute("savepoint command")
        try:
            self._check(command, entry)
            result = carry_out(self.engine, command)
        except (Stale, Unreachable, IncompleteLog, sqlite3.Error):
            raise
        except Exception as error:  # whatever one command meets, the others go on
            told = error if isinstance(error, PinebenchError) else fault(error)
            if told is not error:
                _log.error("group %d: a command failed", self._copy.group, exc_info=error)
            db.execute("rollback to command")
            self.engine.alerts.load()
            self.engine.paper.load()
            return {"error": told.message, "hint": told.hint, "usage": isinstance(told, UsageError)}
        finally:
            db.execute("release command")
        return {"result": result}

    def _check(self, command: UserCommand, entry: StreamEntry) -> None:
        if command.name not in DO:
            raise UsageError(
                f"the engine does not know the command {command.name[:40]}",
                "run the same version of pinebench everywhere",
            )
        if command.name not in FOR_ALL and group_of(command.subject, self._groups) != self._copy.group:
            raise UsageError("the command was sent to a group that its user is not in")
        if command.name not in TIMELESS and self._log.now() > entry.time + LONGEST_WAIT_MS:
            raise UsageError("no engine took the command in time, so it was not carried out", "try again")

    def close(self) -> None:
        """Stop the scripts, and make the copy read-only."""
        self._copy.cease()
        self.engine.close()


def _seen(body: str) -> SeriesState:
    forming, event, received = json.loads(body)
    return SeriesState(None if forming is None else Update(*forming), event, received)


def _is_before(update: Update, seen: SeriesState | None, is_current: bool) -> bool:
    """Return whether a closed bar was processed before the state was last saved. With `is_current`, it always was."""
    if is_current or seen is None:
        return is_current
    return update.time < seen.forming.time if seen.forming is not None else update.end <= seen.event


def _updates_of(entry: StreamEntry) -> list[Update]:
    rows = json.loads(entry.body)
    if not isinstance(rows, list):
        raise ValueError("not updates")
    return [Update(*row) for row in rows]


def _is_sound(update: Update) -> bool:
    try:
        return isinstance(update.symbol, str) and isinstance(update.interval, str) and is_plausible(update)
    except TypeError:
        return False
