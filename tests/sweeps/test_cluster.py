"""What a worker of Dask answers, and what this process accepts; tests/soak/test_many_workers.py has whole clusters."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

import pinebench
from pinebench.context import Context
from pinebench.errors import UnavailableError, UsageError
from pinebench.sweeps import cluster
from pinebench.sweeps.cluster import Cluster, TlsFiles, answer
from pinebench.sweeps.combination_runs import RunOutcome, run_many
from pinebench.sweeps.outcome_json import packed
from tests.sweeps.support import CROSS, request, walk

if TYPE_CHECKING:
    from pinebench.sweeps.worker_plugin import Plugin


class Worker:
    def __init__(self, *plugins: Plugin) -> None:
        self.plugins = {plugin.name: plugin for plugin in plugins}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    from pinebench.sweeps.worker_plugin import Plugin  # loads Dask, and not when tests are collected

    asked = request(CROSS, walk(1, 120))
    monkeypatch.setattr("distributed.get_worker", lambda: Worker(Plugin("p", asked)))
    yield asked


class Future:
    """A finished task whose result is `text`."""

    def __init__(self, text: Any, status: str = "finished") -> None:
        self.text = text
        self.status = status

    def result(self) -> Any:
        if isinstance(self.text, Exception):
            raise self.text
        return self.text


def taken(text: Any, status: str = "finished", batch: Any = ({},)) -> Any:
    has_died, answered = cluster._taken(Future(text, status))
    return None if has_died else Cluster(None, Context())._outcomes(answered, batch)


def test_an_answer_is_text_with_the_outcomes_of_the_same_runs(asked: Any) -> None:
    batch = [{"Fast": 3}, {"Fast": 9, "Mode": "SMA"}, {"Fast": 99}]
    text = answer("p", pinebench.__version__, json.dumps(batch), len(batch), None)
    assert taken(text, batch=batch) == run_many(asked, batch)
    assert "takes at most 40" in str(taken(text, batch=batch)[2].error)
    for other in (batch[:2], batch[::-1], [*batch, {"Fast": 4}], [batch[0], batch[0], batch[2]]):
        with pytest.raises(UnavailableError, match="the outcomes belong to other runs"):
            taken(text, batch=other)


def test_a_worker_of_another_version_refuses_with_a_sentence(asked: Any) -> None:
    text = answer("p", "9.9.9", "[]", 0, None)
    with pytest.raises(UnavailableError, match=r"a worker has pinebench 0\.\d+\.\d+, and this is pinebench 9\.9\.9"):
        taken(text)
    with pytest.raises(UnavailableError, match="did not get the script"):
        taken(answer("q", pinebench.__version__, "[]", 0, None))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"seconds": 1}',
        '{"seconds": 1, "outcomes": {}}',
        json.dumps({"seconds": 1, "outcomes": {**packed([RunOutcome({})]), "equity": "!"}}),
        json.dumps({"seconds": math.nan, "outcomes": packed([RunOutcome({})])}),
        b"\x80\x04N.",
        {"seconds": 1, "outcomes": []},
    ],
)
def test_an_answer_of_another_shape_is_refused(text: Any) -> None:
    with pytest.raises(UnavailableError, match="a worker's answer is not "):
        taken(text)


def test_dead_workers_mean_again_and_a_lost_scheduler_the_end() -> None:
    from distributed import KilledWorker

    assert taken(None, "lost") is None
    nobody: Any = None
    assert taken(KilledWorker("task", nobody, 3)) is None
    with pytest.raises(UnavailableError, match="the scheduler ended or was restarted"):
        taken(None, "cancelled")


def test_this_process_reads_no_pickles_of_results() -> None:
    """Of the serializers of Dask, it reads with neither `pickle` nor `dask`, which reads pickles too."""
    assert cluster._PLAIN["deserializers"] == ["msgpack", "error"]


@pytest.mark.parametrize(
    ("address", "keys", "words"),
    [
        ("tcp://10.0.0.1:8786", None, "is not the address of a scheduler with TLS"),
        ("10.0.0.1:8786", None, "is not the address of a scheduler with TLS"),
        ("tls://10.0.0.1", None, "is not the address of a scheduler with TLS"),
        ("tls://10.0.0.1:8786", None, "a scheduler needs the files of TLS"),
        ("tls://10.0.0.1:8786", TlsFiles("a", "b", "c"), "there is no such file"),
    ],
)
def test_only_a_scheduler_with_tls_is_used(address: str, keys: TlsFiles | None, words: str) -> None:
    with pytest.raises(UsageError, match=words), cluster.hands(1, address, keys):
        pass


def test_one_job_is_this_process_and_loads_no_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> Any:
        raise AssertionError

    monkeypatch.setattr(cluster, "_distributed", refuse)
    with cluster.hands(1) as found:
        assert not isinstance(found, Cluster)
