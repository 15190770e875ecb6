"""Runs scripts on the chart's bars in workers, and keeps what came of them."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from functools import cache, partial
from typing import Any, NamedTuple

from pinebench.context import CancelledError, Context
from pinebench.errors import PinebenchError
from pinebench.execution import workers
from pinebench.execution.executing import execute
from pinebench.execution.request import Request
from pinebench.market.bars import Bars
from pinebench.runtime.chart import Look
from pinebench.runtime.guard import Budget
from pinebench.runtime.requests import Source
from pinebench.studio.bars import Chart
from pinebench.studio.outcome import page, refused

_PATIENCE = 2
"""Seconds after which a run is given up when the same study is to run again."""
_KEPT = 64
_KEPT_BYTES = 32_000_000
"""How many answers are kept, and how large they may be in all."""
_GIVEN_UP = "the run was stopped, because the same study is to run again"


class _Run:
    """A run for a study that is under way."""

    def __init__(self) -> None:
        self.since = time.monotonic()
        self.given_up = threading.Event()


class Trading(NamedTuple):
    """How a strategy trades: properties in place of its declaration's, and shorter bars for its bar magnifier."""

    properties: Mapping[str, Any] = {}
    lower: Bars | None = None


class Runs:
    """Runs scripts; safe to use from many threads."""

    def __init__(self, budget: Budget | None = None) -> None:
        self._budget = budget or Budget()
        self._lock = threading.Lock()
        self._busy: dict[str, _Run] = {}
        """What runs for a study."""
        self._known: OrderedDict[tuple[Any, ...], bytes] = OrderedDict()

    def run(
        self,
        text: str,
        chart: Chart,
        inputs: Mapping[str, Any],
        others: Mapping[str, Chart],
        key: tuple[Any, ...],
        study: str = "",
        shown: int = sys.maxsize,
        trading: Trading | None = None,
        *,
        dark: bool = False,
    ) -> bytes:
        """What `outcome.page` says of the script `text` on `chart`, as JSON; `key` stands for chart and others.

        The page shows the last `shown` bars of the chart. A run of the same `study` that is still under way after a
        while is given up for this one.
        """
        trading = trading or Trading()
        known_by = (text, json.dumps([inputs, trading.properties], sort_keys=True), dark, *key)
        with self._lock:
            if known_by in self._known:
                self._known.move_to_end(known_by)
                return self._known[known_by]
        sources = {name: Source(other.bars, other.symbol) for name, other in others.items()}
        request = Request(
            text,
            chart.bars,
            chart.symbol,
            dict(inputs),
            sources,
            samples=True,
            budget=self._budget,
            properties=trading.properties,
            lower=trading.lower,
            look=Look(dark, chart.standard),
        )
        self._give_up(study)
        try:
            told = self._asked(request, study, shown)
        except CancelledError:
            return refused(_GIVEN_UP)
        except PinebenchError as error:
            return refused(error.message, None, error.hint)
        self._keep(known_by, told)
        return told

    def stop(self, study: str) -> None:
        """Give up the run of `study` that is under way, if there is one."""
        with self._lock:
            run = self._busy.get(study)
            if run is not None:
                run.given_up.set()

    def _give_up(self, study: str) -> None:
        with self._lock:
            run = self._busy.get(study)
            if run is not None and time.monotonic() - run.since >= _PATIENCE:
                run.given_up.set()

    def _asked(self, request: Request, study: str, shown: int) -> bytes:
        mine = _Run()
        if study:
            self._busy[study] = mine
        try:
            return execute(request, partial(page, shown=shown), Context(cancelled=mine.given_up.is_set))
        finally:
            with self._lock:
                if self._busy.get(study) is mine:
                    del self._busy[study]

    def warm(self) -> None:
        """Have a worker ready before the first script comes."""
        workers.shared.warm()

    def _keep(self, key: tuple[Any, ...], told: bytes) -> None:
        with self._lock:
            self._known[key] = told
            while len(self._known) > _KEPT or sum(map(len, self._known.values())) > _KEPT_BYTES:
                self._known.popitem(last=False)


@cache
def shared() -> Runs:
    """The runs of this process, which all its studios share."""
    return Runs()
