"""The engine: it takes the updates of many symbols, tests alerts and fills paper orders on them, and notifies users."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import sqlite3
import threading
import time
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, cast

from pinebench.databases import DatabaseProblem
from pinebench.engine import alerts as alerting
from pinebench.engine import audit_log, bounds, delivery_senders, orders, outbox, push_subscriptions, risk, strategies
from pinebench.engine.alerts import ClosedBar, UserAlerts
from pinebench.engine.bar_collector import MOST_BARS, SETUP_BARS
from pinebench.engine.engine_store import EngineStore
from pinebench.engine.feed import FeedConnection
from pinebench.engine.followed_series import FollowedSeries, length_of
from pinebench.engine.moments import moment_of, rfc3339
from pinebench.engine.paper import Paper, Terms
from pinebench.engine.polled_feed import Polls
from pinebench.engine.push_subscriptions import PushSubscriptions
from pinebench.engine.risk import RiskLimits
from pinebench.engine.scripts import Scripts, ScriptStep
from pinebench.engine.series import Key, PriceLeg, Series, Update, closed_update
from pinebench.engine.strategies import PaperStrategy
from pinebench.engine.studies import BarReading, Setup, Study, StudyAnswer
from pinebench.market import Bars, SymbolInfo

_WALKED = "walked to "
"""The prefix of the setting with the end of the last bar whose orders were filled before its scripts ran."""
_RETRY_SECONDS = 1.0
"""The seconds before a change that the file refused is tried again."""
_TENDED_EACH = 200
"""The number of turns of scripts after which those that no alert needs any more are ended."""
_LATE_SECONDS = 60.0
"""If scripts are behind their bars for more seconds than this, `health` reports it."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class EngineSettings:
    """The settings of an engine.

    `folder` holds its state; None means the user's state folder. `notifiers` maps the names that alerts use to apprise
    addresses. Webhooks may be sent to the `webhook_hosts` even if their addresses are private. `clock` returns the time
    in milliseconds UTC.
    """

    folder: str | None = None
    terms: Terms = field(default_factory=Terms)
    limits: RiskLimits = field(default_factory=RiskLimits)
    notifiers: Mapping[str, str] = field(default_factory=dict[str, str])
    webhook_hosts: tuple[str, ...] = ()
    clock: Callable[[], int] = lambda: int(time.time() * 1000)


class _BarEnd(NamedTuple):
    """A bar that has just closed: its series, its opening time and its closing time (milliseconds UTC)."""

    series: Series
    time: int
    end: int

    @property
    def at(self) -> int | None:
        """The index of the bar in its series; None if the series does not store it any more."""
        times = self.series.bars.time
        place = bisect_left(times, self.time)
        return place if place < len(times) and times[place] == self.time else None


class _ScriptTurn(NamedTuple):
    """Bars that closed together, the scripts that run on them, and when they began to wait (`time.monotonic()`)."""

    closed: Sequence[_BarEnd]
    asked: Sequence[ScriptStep]
    since: float


class TradingEngine(FollowedSeries):
    """Alerts, notifications and paper trading on the series that `follow` adds.

    `process` takes updates; only one thread at a time may run it. Any thread may call the other methods. With
    `scripts_wait`, scripts run only in `run_scripts`, which another thread calls, so that orders and price alerts on
    later bars do not wait for the scripts of earlier bars. Methods raise UsageError for invalid arguments. A `subject`
    is a user, who sees and changes only their own data.
    """

    def __init__(self, settings: EngineSettings | None = None, store: EngineStore | None = None) -> None:
        """Open the state. Raises UsageError if another engine uses it or if it cannot be opened.

        `store` is a state that is already open; the caller closes it.
        """
        self.settings = settings or EngineSettings()
        self.notifiers = delivery_senders.Notifiers(self.settings.notifiers)
        self._opened = EngineStore(self.settings.folder) if store is None else None
        self.store = store or cast("EngineStore", self._opened)
        super().__init__(self.store.lock, self.settings.clock)
        self._turn = threading.Lock()
        self.pushing = PushSubscriptions(self.store, self.clock)
        self.alerts = UserAlerts(self.store, self.pushing, self.clock)
        self.paper = Paper(
            self.store, self.settings.terms, self.settings.limits, price=self.price, info=self._info, now=self.now
        )
        self._scripts = Scripts()
        self._strategies = strategies.running(self.store)
        self._rounds = 0
        self._turns: deque[_ScriptTurn] = deque()
        self._scripts_turn = threading.Lock()
        self._bars = threading.Lock()
        """Held while a bar is added to a series, and while a script gets its bars in another thread."""
        self.scripts_wait = False
        """Whether scripts run in `run_scripts` only."""
        self.ignored = 0
        """The number of ignored updates, whose times were ahead of the market's clock."""
        self.problem: str | None = None
        """The reason why the engine has stopped; None while it works."""
        self.trouble: str | None = None
        """The reason why the engine waits, for example a locked file; None while it works."""
        self._given_up = threading.Event()
        self.feeds: list[FeedConnection | Polls] = []
        """The feeds that send the updates."""
        self.on_change: Callable[[], None] = lambda: None
        """Called after deliveries were added to the outbox."""
        self.on_closed: Callable[[], None] = lambda: None
        """Called after bars closed whose scripts wait for `run_scripts`."""

    # series

    def follow(
        self, key: Key, info: SymbolInfo, bars: Bars, ends: Sequence[int], now: int | None = None
    ) -> list[Update]:
        """Follow a series, starting with its history. Return the updates of the bars that closed since the engine last
        ran.

        Pass the updates to `process`. `now` is the clock of the service that sent the history, in milliseconds UTC.
        """
        last = self.last(key)
        count = len(bars) if last is None else sum(time <= last for time in bars.time)
        series = Series(key, info)
        if self.first_needed(key) is not None:
            series.most = MOST_BARS
        series.preload(bars.at(range(count)), ends[:count])
        self._add(series, now)
        if last is None and len(bars):
            with self.store.transaction() as db:
                _keep_last(db, _BarEnd(series, series.last, series.ends[-1]))
        return [closed_update(key, bars, ends, at) for at in range(count, len(bars))]

    def last(self, key: Key) -> int | None:
        """Return the opening time of the last bar of a series that was fully processed, or None if there is none."""
        row = self.store.row("select last from series where symbol = ? and interval = ?", key)
        return None if row is None else row["last"]

    def newest(self, key: Key) -> int | None:
        """Return the opening time of the last closed bar, even if its scripts still run, or None if there is none."""
        series = self._series.get(key)
        return series.last if series is not None and series.ends else self.last(key)

    def first_needed(self, key: Key) -> int | None:
        """Return the time (ms UTC) from which strategies need a series, or None if no strategy trades on it."""
        return min((each.since for each in self._strategies if each.key == key), default=None)

    # updates

    def process(self, updates: Sequence[Update]) -> None:
        """Process updates in order, and commit their changes. With `scripts_wait`, the changes of scripts come later.

        Updates of series that are not followed, and updates older than the newest known update of their series, are
        ignored.
        """
        with self._turn:
            for part in _rounds(updates):
                self._round(part)
                if not self.scripts_wait:
                    self.run_scripts()

    def _round(self, updates: Sequence[Update]) -> None:
        self._insist(self._catch_up)
        self._insist(self._accept)
        moves: list[tuple[Update, Sequence[PriceLeg]]] = []
        closed: list[_BarEnd] = []
        with self.store.lock:
            newest = self.paper.newest
            for update in updates:
                series = self._series.get(update.key)
                if series is not None and self._is_ahead(update):
                    self.ignored += 1
                    continue
                if series is None:
                    continue
                with self._bars:
                    step = series.apply(update)
                if step is None:
                    continue
                self._see(update.symbol, update.event)
                if self._main[update.symbol] == update.key:
                    moves.append((update, step.legs))
                if step.closed is not None:
                    closed.append(_BarEnd(series, update.time, update.end))
        if not closed and not any(self.paper.is_met(update.symbol, legs) for update, legs in moves):
            return
        asked = self._asked(closed)
        # Orders and alerts on prices do not wait for scripts. A bar is not done before the bars that are still waiting.
        waits = bool(asked or (closed and self._turns))
        self._commit(moves, closed, newest, waits=waits)
        self._tell()
        if waits:
            self._turns.append(_ScriptTurn(closed, asked, time.monotonic()))
            self.on_closed()

    def run_scripts(self) -> None:
        """Run the scripts of all waiting bars, in the order of the bars, and carry out their orders and alerts."""
        with self._scripts_turn:
            while self._turns and not self._given_up.is_set():
                turn = self._turns[0]
                try:
                    self._insist(partial(self._answer, turn, self._advance(turn.asked)))
                except BaseException:
                    self._scripts.end()  # some have this bar already: all begin again before it
                    raise
                if self._given_up.is_set():
                    return
                self._turns.popleft()
                self._tell()
                self._tend()

    @property
    def waiting(self) -> tuple[tuple[Key, int], ...]:
        """The series and opening times of the oldest bars whose scripts have not answered; empty if there are none."""
        turn = next(iter(list(self._turns)), None)
        return () if turn is None else tuple((each.series.key, each.time) for each in turn.closed)

    def leave_out_scripts(self) -> None:
        """Process the oldest waiting bars without their scripts. The scripts start again on later bars."""
        with self._scripts_turn:
            with self.store.transaction() as db:
                if self._given_up.is_set():
                    return
                self._answer(self._turns[0], {})
                for key, time in self.waiting:
                    audit_log.write(db, self.clock(), "", "SCRIPTS_SKIPPED", *key, f"{time}")
            self._scripts.end()
            self._turns.popleft()

    def _commit(
        self, moves: Sequence[tuple[Update, Sequence[PriceLeg]]], closed: Sequence[_BarEnd], newest: int, *, waits: bool
    ) -> None:
        """Make the changes of updates in one transaction; with `waits`, without the changes of scripts.

        A bar counts as processed after its scripts have run. If the process is killed before that, the bar is processed
        again: alerts do not fire twice for it, and a stored mark prevents a second fill of orders along its path.
        """

        def change() -> None:
            with self.store.transaction() as db:
                self._catch_up()
                for update, legs in moves:
                    is_new = update.end > self._walked(update.symbol)
                    if is_new or not update.closed:
                        self.paper.walk(db, update.symbol, legs, update.event, newest)
                    if is_new and update.closed and waits:
                        self.store.set(f"{_WALKED}{update.symbol}", str(update.end))
                for each in closed:
                    self._close(db, each)
                    if not waits:
                        _keep_last(db, each)

        self._insist(change)

    def _answer(self, turn: _ScriptTurn, answers: Mapping[str, StudyAnswer]) -> None:
        """Make the changes of scripts on their bars in one transaction, and mark the bars as processed.

        After `give_up` nothing is changed, because the changes before these bars may be missing in the state.
        """
        with self.store.transaction() as db:
            if self._given_up.is_set():
                return
            self._catch_up()
            for each in turn.closed:
                self._close_scripts(db, each, answers)
                _keep_last(db, each)

    def _insist(self, change: Callable[[], None]) -> None:
        """Make a change of the state, and retry while the file is locked or full.

        `change` must read everything from the file, because a failed try leaves nothing in it.
        """
        while True:
            try:
                change()
                self.trouble = None
                return
            except DatabaseProblem as problem:
                # The change may be in the log of a cluster already, whose member reads it from there.
                if not problem.is_passing or self._opened is None or self._given_up.is_set():
                    raise
                self.trouble = problem.message
            except BaseException:
                self._reload()
                raise
            self._given_up.wait(_RETRY_SECONDS)

    def give_up(self) -> None:
        """Stop waiting for a locked file: the current update fails, and is processed again after the next start.

        After this call, scripts change nothing.
        """
        self._given_up.set()

    def _tell(self) -> None:
        self.pushing.announce()
        self.on_change()

    def _catch_up(self) -> None:
        """Read alerts, orders and strategies again if another process has changed them, for example with the kill
        switch, or if a change of this process failed."""
        with self.store.lock:
            if self.store.is_changed():
                self._reload()

    def _reload(self) -> None:
        self.alerts.load()
        self.paper.load()
        known = {each.id for each in self._strategies}
        self._strategies = [self._begun(each, known) for each in strategies.running(self.store)]
        for each in self._strategies:
            if each.key in self._series:
                self._series[each.key].most = MOST_BARS

    def _begun(self, strategy: PaperStrategy, known: Collection[str]) -> PaperStrategy:
        """Return the strategy. One of another process starts at the first bar whose scripts are not selected yet."""
        series = self._series.get(strategy.key)
        if strategy.id in known or series is None or strategy.since > series.last:
            return strategy
        with self.store.transaction() as db:
            db.execute("update script set since = ? where id = ?", (series.last + 1, strategy.id))
        return strategy._replace(since=series.last + 1)

    def _close(self, db: sqlite3.Connection, closed: _BarEnd) -> None:
        """Process a closed bar without scripts: check the loss limits, and test the alerts on prices."""
        at = closed.at
        self._watch(db, closed)
        if at is not None:
            self.alerts.test(db, ClosedBar(closed.series, at, {}), scripts=False)

    def _watch(self, db: sqlite3.Connection, closed: _BarEnd) -> None:
        """Check the loss limits, but not for a bar that is processed again: the accounts are newer than its price."""
        symbol = closed.series.key[0]
        if self._main[symbol] == closed.series.key and closed.end >= self._walked(symbol):
            self.paper.watch(db, symbol, closed.end)

    def _walked(self, symbol: str) -> int:
        """Return the end of the last bar along which orders were filled before its scripts ran; -1 without one."""
        return int(self.store.setting(f"{_WALKED}{symbol}") or -1)

    def _close_scripts(self, db: sqlite3.Connection, closed: _BarEnd, answers: Mapping[str, StudyAnswer]) -> None:
        """Apply the results of scripts on a closed bar: fills of strategies, loss limits, alerts."""
        key, at = closed.series.key, closed.at
        for script in [each for each in self._strategies if each.key == key]:
            self._trade(db, script, answers.get(script.id), closed.end)
        self._watch(db, closed)
        if at is None:  # too many bars have come since then, and the series does not keep it any more
            _log.error("%s %s: alerts of scripts on the bar of %s were not tested", *key, rfc3339(closed.time))
            return
        readings: dict[Study, BarReading] = {}
        for study in self.alerts.studies(key):
            answer = answers.get(_name(key, study))
            if answer is not None and answer.reading is not None:
                readings[study] = answer.reading
        self.alerts.test(db, ClosedBar(closed.series, at, readings), scripts=True)

    def _trade(self, db: sqlite3.Connection, script: PaperStrategy, answer: StudyAnswer | None, end: int) -> None:
        if answer is None or answer.reading is None:  # without an answer, it was started after this bar
            return
        told = [said for fill in answer.fills if (said := self.paper.mirror(db, script, fill)) is not None]
        db.execute("update script set fills = fills + ? where id = ?", (len(answer.fills), script.id))
        if reason := answer.reading.error:
            told.append(f"the strategy has ended: {reason}")
            if held := strategies.held(self.store, script.id):
                told[-1] += (
                    f". The account still holds {held:.10g} {script.key[0]} for it; nothing closes this position now"
                )
            strategies.end(db, script, reason, end)
            self._strategies = [each for each in self._strategies if each is not script]
        body = push_subscriptions.body_of(script.id, script.key[0], {"strategy": script.id}, end, None)
        flat = {"type": "strategy", "id": script.id}
        for message in told:
            self.pushing.notify(db, script.subject, {**body, "message": message}, script.key[1], flat)

    def _asked(self, closed: Sequence[_BarEnd]) -> list[ScriptStep]:
        asked: list[ScriptStep] = []
        for each in closed:
            series, at, key = each.series, each.at, each.series.key
            assert at is not None  # it has just closed
            bars = series.bars
            before = bars.time[at - 1] if at else -1
            row = (bars.time[at], bars.open[at], bars.high[at], bars.low[at], bars.close[at], bars.volume[at])
            for study, owner in self.alerts.owners(key).items():
                asked.append(ScriptStep(_name(key, study), self._setup(each, study), row, before, owner))
            for script in self._strategies:
                if script.key == key:
                    setup = self._setup(each, script.study, script.since)
                    asked.append(ScriptStep(script.id, setup, row, before, script.subject))
        return asked

    def _setup(self, closed: _BarEnd, study: Study, since: int | None = None) -> Callable[[], Setup]:
        """Return a function that collects the data that a script needs to start before a bar."""
        series = closed.series

        def made() -> Setup:
            with self._bars:
                times = series.bars.time
                at = bisect_left(times, closed.time)
                begun = at if since is None else min(bisect_left(times, since), at)
                return Setup(study, series.bars.at(range(max(begun - SETUP_BARS, 0), at)), series.info, since)

        return made

    def _advance(self, asked: Sequence[ScriptStep]) -> dict[str, StudyAnswer]:
        """Run scripts on their next bar, and return their answers by script key."""
        if not asked:
            return {}
        return {one.key: answer for one, answer in zip(asked, self._scripts.advance(asked), strict=True)}

    def _accept(self) -> None:
        if not self.paper.has_pending:
            return
        with self.store.transaction() as db:
            self._catch_up()
            self.paper.accept(db)

    def _tend(self) -> None:
        self._rounds += 1
        if self._rounds % _TENDED_EACH:
            return
        keys = {_name(key, study) for key in self.alerts.series() for study in self.alerts.studies(key)}
        self._scripts.keep(keys | {each.id for each in self._strategies})

    def purge(self) -> None:
        """Delete notifications, deliveries and histories that are too old or too many."""
        with self.store.transaction() as db:
            push_subscriptions.purge(db, self.clock())
            outbox.purge(db, self.clock())
            self.alerts.purge(db, self.clock())
            bounds.keep(db, self.clock())

    # alerts

    def set_alert(
        self,
        subject: str,
        symbol: str,
        condition: object,
        *,
        interval: str | None = None,
        frequency: str = alerting.ONCE,
        rearm: bool = False,
        expires_at: str | None = None,
        message: str = "",
        webhook: Mapping[str, Any] | None = None,
        notify: Sequence[str] | None = None,
    ) -> str:
        """Set an alert, which is tested on every bar that closes from now on, and return its id.

        Without an `interval`, the shortest followed one is used. `expires_at` is an RFC 3339 time. `webhook` and
        `notify` are additional receivers (see `alerts.delivery`). The other arguments are as in `UserAlerts.set`.
        """
        key = self.key_of(symbol, interval)
        delivery = alerting.delivery(
            webhook,
            notify,
            self.notifiers.names,
            lambda url: delivery_senders.check_url(url, self.settings.webhook_hosts),
        )
        return self.alerts.set(
            subject,
            key,
            condition,
            frequency=frequency,
            rearms=rearm,
            expires=None if expires_at is None else moment_of("expires_at", expires_at),
            message=message,
            delivery=delivery,
            now=self.now(key[0]),
        )

    def notifications(self, subject: str, most: int = push_subscriptions.MOST_TAKEN) -> list[dict[str, Any]]:
        """Remove up to `most` notifications from a user's queue, oldest first, and return them."""
        return push_subscriptions.drain(self.store, subject, self.clock(), most)

    # paper trading

    def place_order(
        self,
        subject: str,
        symbol: str,
        side: str,
        quantity: float,
        type: str = orders.MARKET_TYPE,
        price: float | None = None,
        *,
        take_profit: float | None = None,
        stop_loss: float | None = None,
        client_id: str | None = None,
        reduces: bool = False,
    ) -> str:
        """Place a paper order and return its id. The order is filled at the next price that meets its terms.

        An order with a `client_id` is placed once, no matter how often it is sent. With `reduces`, the order can only
        close a position (see `Paper.place`).
        """
        name = self.key_of(symbol, None)[0]
        id = self.paper.place(
            subject, name, side, type, quantity, price, take_profit, stop_loss, client_id=client_id, reduces=reduces
        )
        with contextlib.suppress(DatabaseProblem):  # the order is kept, and the next round of prices opens it
            self._accept()
        return id

    def order_state(self, subject: str, id: str) -> str:
        """Return the state of a user's order. Raises UsageError if the user has none with this id."""
        row = self.store.row("select state from paper_order where id = ? and subject = ?", (id, subject))
        if row is None:
            raise orders.not_found(id)
        return row["state"]

    def positions(self, subject: str) -> list[dict[str, Any]]:
        """Return the open positions of a user, each with the time and the age in seconds of its price."""
        return [{**each, **self._dated(each["symbol"])} for each in self.paper.accounts.told_positions(subject)]

    def balance(self, subject: str) -> dict[str, Any]:
        """Return a user's account, the reason if trading is halted, and the symbols that the engine follows."""
        with self.store.lock:
            intervals: dict[str, list[str]] = {}
            for symbol, interval in sorted(self._series, key=lambda key: (key[0], length_of(key))):
                intervals.setdefault(symbol, []).append(interval)
            followed = [
                {"symbol": symbol, "intervals": known, "price": self.price(symbol), **self._dated(symbol)}
                for symbol, known in intervals.items()
            ]
        stop = risk.halted(self.store)
        halted = {} if stop is None else {"halted": stop}
        return {**self.paper.accounts.balance(subject), **halted, "followed": followed}

    def orders(
        self, subject: str, *, only_open: bool = False, most: int | None = None, before: str | None = None
    ) -> list[dict[str, Any]]:
        """Return a user's orders, oldest first. With `most`, return at most that many of the newest. With `before`, the
        id of an order, only older orders are returned."""
        return orders.listing(self.store, subject, only_open=only_open, most=most, before=before)

    def trade(self, subject: str, symbol: str, interval: str | None, source: str, inputs: Mapping[str, Any]) -> str:
        """Start a strategy on the paper account of a user from the next bar on, and return its id.

        The strategy tester's broker fills its orders, with the slippage of the script. The account gets the same fills,
        except those that a risk limit or the kill switch refuses; see `Paper.mirror`. The user is notified of each
        refused fill.
        """
        key = self.key_of(symbol, interval)
        strategies.check(source)
        with self.store.lock:
            last = self._series[key].last
            found = strategies.start(self.store, subject, key, source, inputs, self.now(key[0]), last)
            self._strategies = [*self._strategies, found]
            # When it starts again, it needs all bars since its beginning.
            self._series[key].most = MOST_BARS
        return found.id

    def stop_trading(self, subject: str, id: str) -> None:
        """End a strategy of a user. Its position stays open."""
        script = next((each for each in self._strategies if each.id == id), None)
        with self.store.lock:
            strategies.stop(self.store, subject, id, self.now(script.key[0] if script is not None else ""))
            self._strategies = [each for each in self._strategies if each.id != id]

    def health(self) -> dict[str, Any]:
        """Return the state of the engine for monitoring: its problem, its feed, its outbox, and the numbers of series,
        alerts, open orders and fired alerts."""
        heard = [each.heard for each in self.feeds if each.heard is not None]
        late = self._scripts_late()
        behind = (
            None if late is None or late < _LATE_SECONDS else f"scripts of alerts are {late:.0f} s behind their bars"
        )
        return {
            "problem": self.problem,
            "trouble": self.trouble or behind,
            "feed": {
                "connected": bool(self.feeds) and all(each.is_connected for each in self.feeds),
                "connections": sum(each.connections for each in self.feeds),
                "ignored": sum(each.ignored for each in self.feeds) + self.ignored,
                "age_seconds": time.monotonic() - min(heard) if heard else None,
            },
            "outbox": outbox.counts(self.store, self.clock()),
            "halted": risk.halted(self.store) is not None,
            "scripts": {"waiting": len(self._turns), "oldest_seconds": late},
            "series": len(self._series),
            "alerts": self.store.count("alert"),
            "orders": self.store.count("paper_order", state=orders.OPEN),
            "fired": self.alerts.fired,
        }

    def _scripts_late(self) -> float | None:
        """Return for how many seconds the oldest closed bar has waited for its scripts; None if none waits."""
        turn = next(iter(list(self._turns)), None)
        return None if turn is None else time.monotonic() - turn.since

    def close(self) -> None:
        """Stop the scripts and close the state. May be called more than once."""
        self.give_up()
        self.pushing.close()
        with self._turn, self._scripts_turn:
            self._scripts.close()
            if self._opened is not None:
                self._opened.close()


def _rounds(updates: Sequence[Update]) -> list[list[Update]]:
    """Split updates into parts in which each series closes at most one bar, and has no update after it.

    The updates of a series keep their order. Updates of different series are independent, so each part is as large as
    possible.
    """
    parts: list[list[Update]] = []
    turn: dict[Key, int] = {}
    for update in updates:
        place = turn.get(update.key, 0)
        if place == len(parts):
            parts.append([])
        parts[place].append(update)
        if update.closed:
            turn[update.key] = place + 1
    return parts


def _name(key: Key, study: Study) -> str:
    text = json.dumps([key, study])
    return hashlib.sha256(text.encode()).hexdigest()


def _keep_last(db: sqlite3.Connection, closed: _BarEnd) -> None:
    at = closed.at
    close = closed.series.bars.close[at if at is not None else -1]
    db.execute("insert or replace into series values (?, ?, ?, ?)", (*closed.series.key, closed.time, close))
