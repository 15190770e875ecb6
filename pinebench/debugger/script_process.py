"""The process that runs a script for the debugger. It reads one request, and then commands, one on each line."""

from __future__ import annotations

import math
import os
import pickle
import signal
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pinebench.backtesting.broker_factory import before
from pinebench.backtesting.run_recorder import ORDERS
from pinebench.debugger import stop_queries
from pinebench.debugger.engine import DebugEngine
from pinebench.debugger.pipes import Channel, PipeClosed
from pinebench.errors import PinebenchError
from pinebench.market import Bars
from pinebench.repaint.live_updates import path
from pinebench.runtime import Alert, Alerts, RecordedStrategy, Result, RunBudget, Runtime
from pinebench.workers import worker_protocol
from pinebench.workers.jobs import opened, run_observed
from pinebench.workers.request import Request

_MOST_ASKED = 1 << 31


@dataclass(frozen=True)
class Job:
    """A script to debug. The last `live` bars are fed as updates of a live bar. With `stop_on_entry`, the run stops
    before its first statement."""

    request: Request
    live: int = 0
    stop_on_entry: bool = False


class _ReportedAlerts(Alerts):
    """Alerts that report to the engine when one fires."""

    def __init__(self, engine: DebugEngine) -> None:
        super().__init__()
        self._engine = engine

    def say(self, alert: Alert, call: int, *, confirmed: bool) -> None:
        count = len(self.all)
        super().say(alert, call, confirmed=confirmed)
        if len(self.all) > count:
            self._engine.output(f"[alert] bar {alert.bar}, line {alert.line}: {alert.message}")
            self._engine.happened("alert", alert.message)


class _OrderWatch:
    """Reports each order to the engine."""

    def __init__(self, engine: DebugEngine) -> None:
        self._engine = engine

    def order(self, name: str, place: Callable[..., Any], given: dict[str, Any]) -> Any:
        placed = place(**given)
        self._engine.happened("order", f"strategy.{name} {given.get('id', '')}".strip())
        return placed

    def bar_ended(self, i: int) -> None:
        """Do nothing."""


class _ReportedStrategy(RecordedStrategy):
    """A broker that reports each fill to the engine."""

    def __init__(self, broker: Any, engine: DebugEngine) -> None:
        super().__init__(broker, ORDERS, _OrderWatch(engine))
        self._broker = engine.broker = broker
        self._engine = engine
        inner = self.before_bar

        def watched(i: int) -> None:
            count = len(broker.fills)
            inner(i)
            self._tell(count)

        self.before_bar = watched

    def after_bar(self, i: int) -> None:
        count = len(self._broker.fills)
        super().after_bar(i)
        self._tell(count)

    def _tell(self, count: int) -> None:
        for fill in self._broker.fills[count:]:
            self._engine.happened("fill", stop_queries.fill_text(fill))


def debug(job: Job, engine: DebugEngine) -> Result:
    """Run the script in this process. `engine` stops it and records its values."""
    request = job.request
    program = opened(request.source, request.libraries)
    whole = before(request.bars, request.last)
    live = min(job.live, max(len(whole) - 1, 0))
    history = whole.at(range(len(whole) - live)) if live else whole

    def finish(runtime: Runtime) -> Result:
        engine.runtime = runtime
        stop_queries.prepare(engine, program, request, whole, stop_on_entry=job.stop_on_entry)
        runtime.run()
        for number in range(len(history), len(whole)):
            for bar, closed in path(whole, number):
                runtime.advance(whole.time[number], bar, closed=closed)
        engine.finished()
        return runtime.result()

    budget = RunBudget(math.inf, math.inf, request.budget.memory)
    return run_observed(
        program,
        replace(request, bars=_copy(history), last=None, budget=budget),
        finish,
        recorder=engine,
        alerts=_ReportedAlerts(engine),
        trading={"watched": lambda broker: _ReportedStrategy(broker, engine)},
    ).result


def _copy(bars: Bars) -> Bars:
    """Return the same bars in new lists, because live updates are added to them."""
    return bars.at(range(len(bars)))


def serve(reading: int, writing: int) -> None:
    """Read one job, run it, and end the process."""
    channel = Channel(reading, writing)
    try:
        job: Job = pickle.loads(worker_protocol.receive(reading, _MOST_ASKED))
        _limit(job.request.budget.memory)
        if hasattr(signal, "SIGCHLD"):
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # The system removes copies that have ended.
        engine = DebugEngine(channel, stop_queries.answer, stop_queries.holds)
        try:
            result = debug(job, engine)
        except PinebenchError as error:
            channel.send({"event": "refused", "message": error.message, "hint": error.hint})
            engine.end()
        except MemoryError:
            channel.send({"event": "refused", "message": "the run needs too much memory", "hint": "try fewer bars"})
            engine.end()
        said = None if result.error is None else result.error.message
        channel.send({"event": "ended", "error": said, "notes": result.notes, "told": told(result)})
        engine.end()
    except (PipeClosed, worker_protocol.WireError, OSError):
        os._exit(0)


def told(result: Result) -> str:
    """Return a fingerprint of a run: its plots, alerts, logs and drawings, except tables, linefills and polylines."""
    import hashlib

    parts = (
        [(one.function, one.settings, one.columns) for one in result.outputs],
        result.alerts,
        result.logs,
        {
            kind: [one.save() for one in each if kind not in ("table", "linefill", "polyline")]
            for kind, each in result.drawings.items()
        },
    )
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _limit(memory: int) -> None:
    """Prevent this process from writing files and from using much more memory than its budget (`memory`), if the system
    can do it."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not os.path.exists("/proc/self/statm"):
        return
    with open("/proc/self/statm", encoding="ascii") as file:
        now = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = now + 2 * memory
    resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def begin() -> None:
    """Serve on standard input and output, in a new interpreter."""
    reading, writing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):
        os.dup2(nothing, number)
    serve(reading, writing)
