"""Runs scripts on the chart's bars in processes of their own, which stay, and keeps what came of them."""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from typing import Any

from pinebench.runtime.guard import Budget
from pinebench.studio.bars import Chart

_AT_ONCE = 2
"""Processes that run scripts at the same time."""
_GRACE = 10
"""Seconds that starting, reading and writing may take beside the run."""
_PATIENCE = 2
"""Seconds after which a run is given up when the same study is to run anew."""
_KEPT = 64
_KEPT_BYTES = 32_000_000
"""How many answers are kept, and how large they may be in all."""


class Ended(Exception):
    """A process that ran a script had to be ended, or ended by itself; the message says which."""


_TOO_LONG = "the script used more time than it may, and was stopped"
_GIVEN_UP = "the run was stopped, because the same study is to run again"
_BY_ITSELF = "the process that ran the script ended: it needed more memory than it may, or pinebench has a fault"


class _Process:
    """One process that runs scripts, one after the other."""

    def __init__(self) -> None:
        self._killed: str | None = None
        self._popen = subprocess.Popen(
            [sys.executable, "-I", "-m", "pinebench.studio.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def ask(self, asked: bytes, seconds: float) -> bytes:
        """One request and its answer. Raises Ended where none comes within `seconds`."""
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        alarm = threading.Timer(seconds, self.kill, (_TOO_LONG,))
        alarm.daemon = True
        alarm.start()
        try:
            self._popen.stdin.write(asked + b"\n")
            self._popen.stdin.flush()
            line = self._popen.stdout.readline()
        except OSError as error:
            raise Ended(self._killed or _BY_ITSELF) from error
        finally:
            alarm.cancel()
        if not line.endswith(b"\n"):
            raise Ended(self._killed or _BY_ITSELF)
        return line

    def kill(self, why: str) -> None:
        """Stop the process; whoever waits for its answer gets Ended with `why`."""
        self._killed = why
        self._popen.kill()

    def is_alive(self) -> bool:
        """Whether the process can still be asked."""
        return self._killed is None and self._popen.poll() is None

    def end(self) -> None:
        """End the process, whatever it does."""
        self._popen.kill()
        self._popen.wait()
        for pipe in (self._popen.stdin, self._popen.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    continue


class Runs:
    """Runs scripts; safe to use from many threads."""

    def __init__(self, budget: Budget | None = None) -> None:
        self._budget = budget or Budget()
        self._lock = threading.Lock()
        self._free: list[_Process] = []
        self._turn = threading.BoundedSemaphore(_AT_ONCE)
        self._busy: dict[str, tuple[_Process, float]] = {}
        """What runs for a study, and since when."""
        self._known: OrderedDict[tuple[Any, ...], bytes] = OrderedDict()

    def run(
        self,
        text: str,
        chart: Chart,
        inputs: Mapping[str, Any],
        others: Mapping[str, Chart],
        key: tuple[Any, ...],
        study: str = "",
    ) -> bytes:
        """What `worker.answer` says of the script `text` on `chart`, as JSON; `key` stands for chart and others.

        A run of the same `study` that is still under way after a while is given up for this one.
        """
        known_by = (text, json.dumps(inputs, sort_keys=True), *key)
        with self._lock:
            if known_by in self._known:
                self._known.move_to_end(known_by)
                return self._known[known_by]
        asked = {
            "text": text,
            "inputs": dict(inputs),
            **_sent(chart),
            "timeframe": [chart.timeframe.multiplier, chart.timeframe.unit],
            "budget": asdict(self._budget),
            "others": {name: _sent(other) for name, other in others.items()},
        }
        self._give_up(study)
        try:
            told = self._ask(json.dumps(asked).encode(), study)
        except Ended as error:
            return json.dumps({"refused": str(error), "line": None, "hint": None}).encode()
        self._keep(known_by, told)
        return told

    def _give_up(self, study: str) -> None:
        with self._lock:
            process, since = self._busy.get(study, (None, 0.0))
            if process is not None and time.monotonic() - since >= _PATIENCE:
                process.kill(_GIVEN_UP)

    def _ask(self, asked: bytes, study: str) -> bytes:
        """What a process answers. Raises Ended where it does not, and ends it."""
        with self._turn:
            process = self._waiting() or _Process()
            mine = process, time.monotonic()
            if study:
                self._busy[study] = mine
            try:
                told = process.ask(asked, self._budget.seconds + _GRACE)
            except BaseException:
                process.end()
                raise
            finally:
                with self._lock:
                    if self._busy.get(study) is mine:
                        del self._busy[study]
            with self._lock:
                self._free.append(process)
            return told

    def warm(self) -> None:
        """Have a process ready before the first script comes."""
        with self._lock:
            if not self._free:
                self._free.append(_Process())

    def _waiting(self) -> _Process | None:
        """A process that waits for work; one that somebody ended meanwhile is let go."""
        with self._lock:
            while self._free:
                process = self._free.pop()
                if process.is_alive():
                    return process
                process.end()
        return None

    def _keep(self, key: tuple[Any, ...], told: bytes) -> None:
        with self._lock:
            self._known[key] = told
            while len(self._known) > _KEPT or sum(map(len, self._known.values())) > _KEPT_BYTES:
                self._known.popitem(last=False)

    def close(self) -> None:
        """End the processes that wait."""
        with self._lock:
            waiting, self._free = self._free, []
        for process in waiting:
            process.end()


@cache
def shared() -> Runs:
    """The runs of this process: all its studios use the same few processes, which end with it."""
    runs = Runs()
    atexit.register(runs.close)
    return runs


def _sent(chart: Chart) -> dict[str, Any]:
    columns = zip(("time", "open", "high", "low", "close", "volume"), chart.bars.columns(), strict=True)
    bars = {name: [None if value != value else value for value in column] for name, column in columns}
    return {"bars": bars, "symbol": asdict(chart.symbol)}
