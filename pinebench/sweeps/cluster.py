"""Runs combinations on workers of Dask: workers on this machine (`--jobs`), or a cluster that is already running.

Each worker gets the script, its bars and its settings once, in a plugin. A batch of inputs and its answer are JSON
texts, which are decoded with `decoding`, so this process only reads plain data from workers. Dask itself sends pickles
between its processes, so only a cluster with TLS on both sides is used, whose members hold a certificate of the same
authority (docs/clusters.md).
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

import pinebench
from pinebench import decoding, extras
from pinebench.compiled import Work
from pinebench.context import Context
from pinebench.errors import PinebenchError, UnavailableError, UsageError
from pinebench.sweeps import symbol_values
from pinebench.sweeps.combination_runs import Inputs, RunOutcome, run_batch
from pinebench.sweeps.executors import LocalExecutor, RunCost, Sizes, own
from pinebench.sweeps.expressions import FunctionCall
from pinebench.sweeps.outcome_json import SHAPE, packed, unpacked
from pinebench.sweeps.symbol_values import LastValues, look, looked_of
from pinebench.workers.request import Request

_REFUSED: Any = {"refused": str}
_OUTCOMES: Any = ({"seconds": float, "outcomes": SHAPE}, _REFUSED)
_LOOKED: Any = (symbol_values.SHAPE, _REFUSED)
_Key = TypeVar("_Key")
_Made = TypeVar("_Made")
_PREFIX = "pinebench-sweep-"
_RESUME = "run again with --resume: the finished runs are kept"
_SAME = "install the same version of pinebench on all workers"
_DIED = "the workers kept crashing while they computed these runs"
"""The error of runs that were sent again too often."""
_AHEAD = 2
"""The number of batches that each worker has at a time, so that none waits for the next one."""
_AGAIN = 20
"""The largest number of times that a batch is sent again after its workers died."""
_FEW = 8
"""The number of workers that every machine may start."""
_WAIT = 30
"""The seconds that a scheduler may take to answer."""
_PATIENCE = 120.0
"""The seconds without any worker after which the work ends."""
_PREPARED = "pinebench.sweeps.worker_plugin"
"""The module that prepares a worker of this machine when it starts."""
_NEWS = 1.0
"""The seconds between two requests for the number of workers."""
_LIVES = 0.2
"""The seconds between two checks for cancellation."""


_PLAIN: Any = {"serializers": ["pickle", "msgpack", "error"], "deserializers": ["msgpack", "error"]}
"""Options with which a client of Dask may send pickles, but reads only plain data as results."""


@dataclass(frozen=True)
class TlsFiles:
    """The paths of the TLS files: the authority's certificate, our own certificate, and our key."""

    authority: str
    certificate: str
    key: str


# in the workers


def answer(name: str, version: str, batch: str, runs: int, seconds: float | None) -> str:
    """Run a batch in a worker of Dask. Return the outcomes, or the reason for a refusal, as JSON text. `name` is
    the plugin with the script, `version` is the caller's version of pinebench, and `batch` holds the inputs as JSON.
    `runs` and `seconds` are the fields of `Work`, which describes the rest of the sweep."""
    if version != pinebench.__version__:
        return json.dumps({"refused": refusal(version)})
    from distributed import get_worker

    plugin: Any = get_worker().plugins.get(name)
    if plugin is None:
        return json.dumps({"refused": "a worker did not get the script and its bars"})
    try:
        outcomes, spent = run_batch(plugin.request, json.loads(batch), Work(runs, seconds))
    except UnavailableError as error:
        return json.dumps({"refused": error.message})
    return json.dumps({"seconds": spent, "outcomes": packed(outcomes)}, allow_nan=False)


def last_values(version: str, request: Request, calls: str) -> str:
    """Run a script on one symbol in a worker of Dask. Return the values of `calls` (JSON) on the last bar as JSON text,
    or a refusal if `version`, the caller's version of pinebench, differs."""
    if version != pinebench.__version__:
        return json.dumps({"refused": refusal(version)})
    return json.dumps(look(request, symbol_values.calls_of(json.loads(calls))).plain(), allow_nan=False)


def refusal(version: str) -> str:
    """Return the message of a worker whose version of pinebench differs from the caller's."""
    return (
        f"a worker has pinebench {pinebench.__version__}, and this is pinebench {version}: their results may differ; "
        "install the same version on both"
    )


# here


class Cluster:
    """The workers of a Dask client."""

    def __init__(self, client: Any, context: Context) -> None:
        self._client = client
        self._context = context
        self._sizes = Sizes()
        self._cost = RunCost()
        self._alive = time.monotonic()
        self._count, self._counted = 0, float("-inf")

    def outcomes(self, request: Request, combinations: Sequence[Inputs], more: int = 0) -> Iterator[list[RunOutcome]]:
        """Run all combinations; `more` runs of the sweep follow later. If a worker dies, other workers repeat its
        batches.

        Raises UnavailableError if the cluster is lost or a worker has another version, and the errors of
        `context.check`.
        """
        if not combinations:
            return
        name = _PREFIX + os.urandom(8).hex()
        with _translated():
            from pinebench.sweeps.worker_plugin import Plugin

            self._client.register_plugin(Plugin(name, request))
            try:
                for batch, text in self._answers(self._batches(name, deque(combinations), more)):
                    if text is None:
                        raise UnavailableError(_DIED, "check the workers' logs")
                    yield self._outcomes(text, batch)
            finally:
                with contextlib.suppress(Exception):
                    self._client.unregister_worker_plugin(name)

    def last_values(
        self, requests: Iterable[tuple[int, Request]], calls: Sequence[FunctionCall]
    ) -> Iterator[tuple[int, LastValues]]:
        """Run the numbered requests on the workers, and yield each number with the values of `calls`.

        If a worker dies, other workers repeat its requests; a request that loses several workers gets an error. Raises
        UnavailableError if the cluster is lost or a worker has another version, and the errors of `context.check`.
        """
        words = json.dumps(symbol_values.as_lists(calls))
        sent = ((number, (last_values, pinebench.__version__, request, words)) for number, request in requests)
        try:
            with _translated():
                for number, text in self._answers(sent):
                    if text is None:
                        yield number, LastValues(error=_DIED)
                    else:
                        yield number, _read(text, _LOOKED, lambda told: looked_of(told, calls))
        except UnavailableError as error:  # no run is kept
            raise UnavailableError(error.message, (error.hint or "").replace(_RESUME, "run again")) from error

    def _batches(self, name: str, left: deque[Inputs], more: int) -> Iterator[tuple[list[Inputs], Sequence[Any]]]:
        """Split the combinations into batches, each with the call that runs it."""
        while left:
            size = self._sizes.of(len(left), max(self._workers(), 1))
            work = self._cost.work(len(left) + more)
            batch = [left.popleft() for _ in range(size)]
            yield batch, (answer, name, pinebench.__version__, json.dumps(batch), *work)

    def _answers(self, calls: Iterator[tuple[_Key, Sequence[Any]]]) -> Iterator[tuple[_Key, Any]]:
        """Run each call (a function with its arguments, under a key) on a worker. Yield keys and answers in the
        order of arrival. An answer is None if the workers that ran its call died several times."""
        from distributed import wait

        running: dict[Any, tuple[_Key, Sequence[Any], int]] = {}
        try:
            while True:
                while len(running) < _AHEAD * max(self._workers(), 1) and (call := next(calls, None)) is not None:
                    running[self._sent(call[1])] = *call, 0
                if not running:
                    return
                self._context.check()
                self._wait_for_workers()
                with contextlib.suppress(TimeoutError), self._client.as_current():
                    wait(list(running), timeout=_LIVES, return_when="FIRST_COMPLETED")
                for future in [each for each in running if each.done()]:
                    key, call, times = running.pop(future)
                    has_died, text = _taken(future)
                    if not has_died or times >= _AGAIN:
                        yield key, text
                    else:
                        running[self._sent(call)] = key, call, times + 1
        finally:
            self._client.cancel(list(running))

    def _sent(self, call: Sequence[Any]) -> Any:
        return self._client.submit(*call, pure=False)

    def _wait_for_workers(self) -> None:
        """Raise UnavailableError if there have been no workers for two minutes."""
        now = time.monotonic()
        if self._workers():
            self._alive = now
        elif now - self._alive > _PATIENCE:
            raise UnavailableError("the cluster has no workers", f"start some, then {_RESUME}")

    def _workers(self) -> int:
        """Return the number of workers, at most one second old, so that the scheduler is not asked for each batch."""
        now = time.monotonic()
        if now - self._counted >= _NEWS:
            self._count = len(self._client.scheduler_info(n_workers=-1).get("workers", ()))
            self._counted = now
        return self._count

    def _outcomes(self, text: Any, batch: Sequence[Inputs]) -> list[RunOutcome]:
        told, outcomes = _read(text, _OUTCOMES, lambda told: (told, _of_batch(told["outcomes"], batch)))
        self._sizes.learn(len(batch), told["seconds"])
        self._cost.learn(outcomes, told["seconds"])
        return outcomes


def _of_batch(plain: Mapping[str, Any], batch: Sequence[Inputs]) -> list[RunOutcome]:
    """Return the outcomes of a batch. Raises ValueError if they belong to other runs."""
    outcomes = unpacked(plain)
    if [each.inputs for each in outcomes] != list(batch):
        raise ValueError("the outcomes belong to other runs")
    return outcomes


def _taken(future: Any) -> tuple[bool, Any]:
    """Return whether the workers of a finished task died, and its answer. Raises UnavailableError without scheduler."""
    from distributed import KilledWorker

    if future.status == "cancelled":
        raise UnavailableError("the scheduler ended or was restarted", f"start it, then {_RESUME}")
    if future.status == "lost":
        return True, None
    try:
        answered = future.result()
    except KilledWorker:
        return True, None
    return False, "" if answered is None else answered


def _read(text: Any, shape: Any, made: Callable[[Any], _Made]) -> _Made:
    """Decode a worker's answer; `made` converts the JSON values. Raises UnavailableError if the answer has another
    shape, or if the worker refused."""
    if not isinstance(text, str):
        raise UnavailableError("a worker's answer is not a string", _SAME)
    try:
        told = decoding.loads(text, shape)
        if "refused" in told:
            raise UnavailableError(told["refused"][:500])
        return made(told)
    except ValueError as error:
        raise UnavailableError(f"a worker's answer is not valid: {error}", _SAME) from None


@contextlib.contextmanager
def _translated() -> Iterator[None]:
    """Turn errors of Dask and of its connections into UnavailableError."""
    try:
        yield
    except (PinebenchError, KeyboardInterrupt, GeneratorExit):
        raise
    except Exception as error:
        words = f"{type(error).__name__}: {error}"[:300]
        raise UnavailableError(
            f"the cluster could not compute the runs: {words}", f"check its workers' logs, and {_RESUME}"
        ) from error


@contextlib.contextmanager
def hands(
    jobs: int = 1, scheduler: str | None = None, keys: TlsFiles | None = None, context: Context | None = None
) -> Iterator[LocalExecutor | Cluster]:
    """Yield an executor: the cluster whose scheduler has the address `scheduler`; without an address, `jobs` workers of
    Dask on this machine, or the workers of this process if `jobs` is 1.

    Raises UsageError for an address without TLS, for an address together with `jobs` above 1, and for too many workers.
    Raises UnavailableError if the extra `cluster` is not installed, or if the scheduler does not answer.
    """
    limits = context or Context()
    if scheduler is not None and jobs > 1:
        raise UsageError("--jobs and --scheduler cannot be combined", "leave one out: a cluster has its own workers")
    most = max(2 * (os.cpu_count() or 1), _FEW)
    if jobs > most:
        raise UsageError(f"{jobs:,} workers are too many for {os.cpu_count()} cores", f"use at most {most}")
    if scheduler is None and jobs <= 1:
        with own(limits) as found:
            yield found
        return
    distributed = _distributed()
    with contextlib.ExitStack() as stack:
        if scheduler is None:
            client = stack.enter_context(_local(distributed, jobs))
        else:
            client = stack.enter_context(_standing(distributed, scheduler, keys))
        yield Cluster(client, limits)


@contextlib.contextmanager
def local_hands(jobs: int, context: Context | None = None) -> Iterator[Cluster]:
    """Yield an executor with `jobs` workers of Dask on this machine, even if `jobs` is 1. Raises UnavailableError if
    the extra `cluster` is not installed."""
    with _local(_distributed(), jobs) as client:
        yield Cluster(client, context or Context())


def _distributed() -> Any:
    try:
        import cryptography  # noqa: F401
        import distributed
    except ImportError:
        raise extras.missing("more than one worker", "cluster", "use --jobs 1, or ") from None
    return distributed


_LOCAL_SETTINGS = {
    "distributed.scheduler.allowed-failures": _AGAIN,
    "distributed.worker.daemon": True,
    # A worker that was killed is started again, however long that takes on a busy machine.
    "distributed.deploy.lost-worker-timeout": "1h",
    # No page and no figures by HTTP.
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    # The measures of Dask about itself take processor time from the runs, and nobody reads them.
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1h",
    "distributed.admin.tick.limit": "1h",
    "distributed.admin.system-monitor.interval": "10s",
}


@contextlib.contextmanager
def _local(distributed: Any, jobs: int) -> Iterator[Any]:
    """Start workers of Dask on this machine. They use TLS with a key that exists only in memory, so that no other
    user of the machine can connect to them."""
    import logging

    from dask import config

    here = {
        "host": "127.0.0.1",
        "protocol": "tls://",
        "security": distributed.Security.temporary(),
        # Dask always opens a port for HTTP: a free one that only this machine reaches, and that answers nothing.
        "dashboard": False,
        "dashboard_address": "127.0.0.1:0",
    }
    worker = {
        "cls": distributed.Nanny,
        # A run has its own limit of memory, and a worker of Dask holds nothing else.
        "options": {**here, "nthreads": 1, "memory_limit": 0, "preload": [_PREPARED], "silence_logs": logging.CRITICAL},
    }
    with config.set(_LOCAL_SETTINGS), _translated():
        cluster = distributed.SpecCluster(
            scheduler={"cls": distributed.Scheduler, "options": here},
            workers=dict.fromkeys(range(jobs), worker),
            security=here["security"],
            silence_logs=logging.CRITICAL,
        )
        # Answers come from the workers themselves: the scheduler is in this process too, and would read them once more.
        with cluster, distributed.Client(cluster, set_as_default=False, direct_to_workers=True, **_PLAIN) as client:
            yield client


@contextlib.contextmanager
def _standing(distributed: Any, address: str, keys: TlsFiles | None) -> Iterator[Any]:
    parts = urlsplit(address)
    if parts.scheme != "tls" or not parts.hostname or not parts.port:
        raise UsageError(
            f"--scheduler {address} is not the address of a scheduler with TLS", "expected tls://HOST:PORT"
        )
    if keys is None:
        raise UsageError(
            "a scheduler needs the files of TLS",
            "name them with --tls-ca, --tls-cert and --tls-key (see docs/clusters.md)",
        )
    for path in (keys.authority, keys.certificate, keys.key):
        if not os.path.isfile(path):
            raise UsageError(f"{path}: there is no such file", "expected a file in PEM")
    security = distributed.Security(
        tls_ca_file=keys.authority, tls_client_cert=keys.certificate, tls_client_key=keys.key, require_encryption=True
    )
    try:
        client = distributed.Client(address, security=security, timeout=_WAIT, set_as_default=False, **_PLAIN)
    except Exception as error:
        words = f"{type(error).__name__}: {error}"[:300]
        raise UnavailableError(f"--scheduler {address} cannot be reached ({words})", "check that it runs") from error
    with client:
        yield client
