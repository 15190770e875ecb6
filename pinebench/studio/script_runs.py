"""Runs scripts on the chart's bars in workers, and caches the results."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, partial
from typing import Any, NamedTuple, TypeVar

from pinebench.checker import open_program
from pinebench.compiled import code_folder, keep_code
from pinebench.context import CancelledError, Context
from pinebench.errors import PinebenchError
from pinebench.market import Bars
from pinebench.runtime import Look, RequestSource, RunBudget
from pinebench.studio.bars import ChartBars
from pinebench.studio.outcome import page, refused
from pinebench.workers import worker_pool
from pinebench.workers.dispatch import execute
from pinebench.workers.request import Request

AnswerT = TypeVar("AnswerT")
_PATIENCE = 2
"""Seconds after which a run is stopped if the same study starts again."""
_KEPT = 64
_KEPT_BYTES = 32_000_000
"""The number of answers that are cached, and the bytes that they may have together."""
_GIVEN_UP = "the run was stopped, because the same study was started again"


class _Run:
    def __init__(self) -> None:
        self.since = time.monotonic()
        self.given_up = threading.Event()


class StrategySettings(NamedTuple):
    """Settings of a strategy: properties that override arguments of its declaration, and shorter bars for the bar
    magnifier."""

    properties: Mapping[str, Any] = {}
    lower: Bars | None = None


class Runs:
    """Runs scripts; safe to use from many threads."""

    def __init__(self, budget: RunBudget | None = None) -> None:
        self._budget = budget or RunBudget()
        self._lock = threading.Lock()
        self._busy: dict[str, _Run] = {}
        """The current run of each study."""
        self._known: OrderedDict[tuple[Any, ...], bytes] = OrderedDict()

    def run(
        self,
        text: str,
        chart: ChartBars,
        inputs: Mapping[str, Any],
        others: Mapping[str, ChartBars],
        key: tuple[Any, ...],
        study: str = "",
        shown: int = sys.maxsize,
        trading: StrategySettings | None = None,
        *,
        dark: bool = False,
    ) -> bytes:
        """Run the script `text` on `chart`, and return the JSON of `outcome.page`.

        `others` are the bars of other symbols; `key` identifies `chart` and `others` in the cache. `dark` is the page's
        theme. The page shows the last `shown` bars of the chart. An earlier run of the same `study` is stopped if it
        has taken `_PATIENCE` seconds.
        """
        folder = code_folder()
        about, prepare = {"shown": shown, "cache": folder}, partial(_keep_code, folder=folder)
        return self.ask(page, about, text, chart, inputs, others, key, study, trading, dark=dark, prepare=prepare)

    def ask(
        self,
        answer: Callable[..., bytes],
        about: Mapping[str, Any],
        text: str,
        chart: ChartBars,
        inputs: Mapping[str, Any],
        others: Mapping[str, ChartBars],
        key: tuple[Any, ...],
        study: str = "",
        trading: StrategySettings | None = None,
        *,
        dark: bool = False,
        folders: tuple[str, ...] = (),
        prepare: Callable[[Request], None] | None = None,
    ) -> bytes:
        """Run the script as `run` does, and return `answer(request, **about)`, which is called in a worker.

        `answer` is a module-level function that returns JSON; `about` holds its keyword arguments, as plain values.
        `others` are the bars of other symbols, by name. `folders` may hold local libraries. `prepare(request)` is
        called before the run, in this process.
        """
        trading = trading or StrategySettings()
        asked = json.dumps([inputs, trading.properties, about], sort_keys=True)
        known_by = (answer.__name__, text, asked, dark, *library_texts(text, folders), *key)
        with self._lock:
            if known_by in self._known:
                self._known.move_to_end(known_by)
                return self._known[known_by]
        request = request_of_page(text, chart, inputs, others, trading, dark=dark, folders=folders, budget=self._budget)
        self._give_up(study)
        try:
            if prepare is not None:
                prepare(request)
            told = self._asked(request, study, partial(answer, **about))
        except CancelledError:
            return refused(_GIVEN_UP)
        except PinebenchError as error:
            return refused(error.message, None, error.hint)
        self._keep(known_by, told)
        return told

    def stop(self, study: str) -> None:
        """Stop the run of `study`, if there is one."""
        with self._lock:
            run = self._busy.get(study)
            if run is not None:
                run.given_up.set()

    def _give_up(self, study: str) -> None:
        with self._lock:
            run = self._busy.get(study)
            if run is not None and time.monotonic() - run.since >= _PATIENCE:
                run.given_up.set()

    def _asked(self, request: Request, study: str, wanted: Callable[[Request], bytes]) -> bytes:
        return self.work(study, lambda context: execute(request, wanted, context))

    def work(self, study: str, work: Callable[[Context], AnswerT]) -> AnswerT:
        """Call `work` for a study; `stop` cancels it. Raises CancelledError if it is cancelled, and the errors of
        `work`."""
        mine = _Run()
        if study:
            self._busy[study] = mine
        try:
            return work(Context(cancelled=mine.given_up.is_set))
        finally:
            with self._lock:
                if self._busy.get(study) is mine:
                    del self._busy[study]

    def warm(self) -> None:
        """Start a worker, so that it is ready for the first script."""
        worker_pool.shared.warm()

    def _keep(self, key: tuple[Any, ...], told: bytes) -> None:
        with self._lock:
            self._known[key] = told
            while len(self._known) > _KEPT or sum(map(len, self._known.values())) > _KEPT_BYTES:
                self._known.popitem(last=False)


def _keep_code(request: Request, folder: str) -> None:
    with suppress(PinebenchError):  # the run itself tells what is wrong
        keep_code(request, folder)


def request_of_page(
    text: str,
    chart: ChartBars,
    inputs: Mapping[str, Any],
    others: Mapping[str, ChartBars],
    trading: StrategySettings,
    *,
    dark: bool,
    folders: tuple[str, ...] = (),
    budget: RunBudget | None = None,
) -> Request:
    """Return the request to run the script `text` on a chart of the page. `others` are the bars of other symbols, by
    name; `folders` may hold its local libraries."""
    return Request(
        text,
        chart.bars,
        chart.symbol,
        dict(inputs),
        {name: RequestSource(other.bars, other.symbol) for name, other in others.items()},
        samples=True,
        libraries=folders if "import" in text else (),
        budget=budget or RunBudget(),
        properties=trading.properties,
        lower=trading.lower,
        look=Look(dark, chart.standard),
    )


def library_texts(text: str, folders: tuple[str, ...]) -> tuple[str | None, ...]:
    """Return the sources of the local libraries that a script imports. The results of the script depend on them."""
    if not folders or "import" not in text:
        return ()
    return tuple(open_program(text, folders, fresh=True).libraries_read.values())


@cache
def shared() -> Runs:
    """Return the runs of this process, which all its studios share."""
    return Runs()
