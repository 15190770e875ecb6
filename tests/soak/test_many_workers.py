"""Whole clusters of Dask: workers and a scheduler that are killed, a worker of another version, a foreign key."""

import contextlib
import datetime
import glob
import ipaddress
import json
import os
import random
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest

from pinebench.checker import open_program
from pinebench.errors import UnavailableError, UsageError
from pinebench.market import Data
from pinebench.sweeps import cluster, screening
from pinebench.sweeps.cluster import TlsFiles
from pinebench.sweeps.combination_runs import Inputs, RunOutcome
from pinebench.sweeps.executors import Hands, Lookers, own
from pinebench.sweeps.optimization import OptimizationPlan, OptimizationResult, Optimizer
from pinebench.sweeps.space import space_of
from pinebench.sweeps.sweep_store import key_of
from pinebench.workers.request import Request
from tests.sweeps.support import CROSS, SYMBOL, request, walk

pytestmark = [pytest.mark.soak, pytest.mark.skipif(sys.platform == "win32", reason="kills processes")]

RANGES = ("Fast=2:21:1", "Slow=25:125:5", "Mode=EMA,SMA")
COUNT = 20 * 21 * 2
BARS = walk(21, 1500)


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))


class Watched:
    """Passes work on, counts every run that comes back, and calls `happen` after each batch."""

    def __init__(self, hands: Hands, happen: Any = lambda count: None) -> None:
        self.counts: Counter[str] = Counter()
        self._hands = hands
        self._happen = happen

    def outcomes(self, request: Request, combinations: Sequence[Inputs], more: int = 0) -> Iterator[list[RunOutcome]]:
        for batch in self._hands.outcomes(request, combinations, more):
            self.counts.update(str(each.inputs) for each in batch)
            yield batch
            self._happen(self.counts.total())


def optimized(hands: Hands, *, resume: bool = False) -> OptimizationResult:
    program = open_program(CROSS)
    plan = OptimizationPlan.of(space_of(program, RANGES), holdout=0)
    with Optimizer(program, request(CROSS, BARS), plan, resume=resume) as optimizer:
        return optimizer.run(hands, judged=False)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[RunOutcome]:
    """The outcomes of one worker of this process."""
    os.environ["PINEBENCH_STATE_DIR"] = str(tmp_path_factory.mktemp("state"))
    with own() as hands:
        return optimized(hands).ranked


def test_workers_of_this_machine_cannot_be_reached_from_others() -> None:
    with cluster.hands(2):
        me = psutil.Process()
        found = [one for each in [me, *me.children(recursive=True)] for one in each.net_connections()]
    listening = [one.laddr for one in found if one.status == psutil.CONN_LISTEN]
    assert listening
    assert {address.ip for address in listening} == {"127.0.0.1"}


def test_workers_of_this_machine_load_no_page_and_are_ready_when_they_have_started() -> None:
    """Each of them has forked a process for its first runs, and has not loaded the library that draws Dask's page."""
    with cluster.hands(2) as hands:
        client: Any = hands._client  # pyright: ignore[reportAttributeAccessIssue]
        workers = list(client.run(os.getpid).values())
        assert len(workers) == 2
        assert not any(client.run(_has_loaded, "bokeh").values())
        assert all(client.run(_has_loaded, "pinebench.compiled.tiers").values())
        for number in workers:
            [breeder] = psutil.Process(number).children()
            assert len(breeder.children()) == 1


def _has_loaded(name: str) -> bool:
    return name in sys.modules


def test_a_worker_that_is_killed_ten_times_loses_and_repeats_nothing(expected: list[RunOutcome]) -> None:
    with cluster.hands(2) as hands:
        client: Any = hands._client  # pyright: ignore[reportAttributeAccessIssue]
        killed: list[int] = []

        def kill(count: int) -> None:
            if len(killed) < 10 and count >= COUNT * (len(killed) + 1) // 40:
                numbers = list(client.run(os.getpid, on_error="ignore").values())
                if numbers:  # batches that were done before may come while no worker is there
                    os.kill(numbers[0], signal.SIGKILL)
                    killed.append(numbers[0])

        watched = Watched(hands, kill)
        found = optimized(watched)
    assert len(set(killed)) == 10
    assert found.ranked == expected
    assert set(watched.counts.values()) == {1}
    assert len(watched.counts) == COUNT


_SWEPT = """
import json
from pinebench.sweeps import cluster
from pinebench.sweeps.sweep_store import key_of
from tests.soak import test_many_workers as tests
class PrintingHands:
    def __init__(self, hands): self.hands = hands
    def outcomes(self, request, combinations, more=0):
        for batch in self.hands.outcomes(request, combinations, more):
            yield batch
            print(json.dumps([key_of(each.inputs) for each in batch]), flush=True)  # the batch is kept now
if __name__ == "__main__":
    with cluster.hands(2) as hands:
        found = tests.optimized(PrintingHands(hands), resume=True)
    print("whole", found.repeated, len(found.ranked), flush=True)
"""


def _kept() -> set[str]:
    """The keys of the runs that are kept on disk. No process uses them now."""
    found = glob.glob(os.path.join(os.environ["PINEBENCH_STATE_DIR"], "sweeps", "*", "runs.sqlite"))
    if not found:
        return set()
    [path] = found
    with contextlib.closing(sqlite3.connect(path)) as base:
        kept = [text for (text,) in base.execute("SELECT outcomes FROM batches")]
    keys = [key_of(inputs) for text in kept for inputs in json.loads(text)["inputs"]]
    assert len(set(keys)) == len(keys)
    return set(keys)


def test_a_sweep_that_is_killed_ten_times_loses_and_repeats_nothing(expected: list[RunOutcome], tmp_path: Path) -> None:
    """Not a worker but the sweep itself, at random moments. No process stays, and no kept run is computed again."""
    chance = random.Random(23)
    script = tmp_path / "swept.py"
    script.write_text(_SWEPT)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    kills, lines, line = 0, [""], ""
    before: set[str] = set()
    computed: list[str] = []
    while not lines[-1].startswith("whole"):
        before = _kept()
        process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env=environment)
        assert process.stdout is not None
        most = chance.randrange(1, COUNT // 12) if kills < 10 else COUNT
        computed = []
        with process.stdout as told:
            while len(computed) < most and (line := told.readline()).startswith("["):
                computed += json.loads(line)
            below = psutil.Process(process.pid).children(recursive=True) if kills < 10 else []
            if kills < 10:
                process.kill()
                kills += 1
            lines = [
                line if line.startswith("whole") else "",
                *told.read().split("\n")[:-1],
            ]  # the last line may be cut
            process.wait(timeout=300)
            assert psutil.wait_procs(below, timeout=300)[1] == []
        computed += [key for line in lines if line.startswith("[") for key in json.loads(line)]
        assert len(set(computed)) == len(computed)
        assert before.isdisjoint(computed)
        assert before.union(computed) <= _kept()
    assert kills == 10
    assert lines[-1].split() == ["whole", str(len(before)), str(COUNT)]
    assert len(computed) == COUNT - len(before)
    with own() as hands:
        counted = Watched(hands)
        assert optimized(counted, resume=True).ranked == expected
    assert not counted.counts


def test_a_screen_is_the_same_with_workers_that_are_killed() -> None:
    """Five symbols, and one that has no bars: with two workers, one of them killed, the rows are the ones of one."""

    def load(place: screening.ScreenTarget, _: int) -> Data:
        if place.symbol == "BAD":
            raise UsageError("BAD has no bars", "")
        return Data(walk(int(place.symbol), 400), SYMBOL, "ms")

    places = [
        screening.ScreenTarget(name, None, name) for name in (*map(str, range(40)), "BAD", *map(str, range(40, 60)))
    ]
    where = screening.condition_of("trades > 3 and last(close) > 0")

    def rows(hands: Lookers) -> Iterator[screening.ScreenRow]:
        return screening.screen(open_program(CROSS), places, where, load=load, hands=hands)

    with own() as hands:
        alone = list(rows(hands))
    with cluster.hands(2) as hands:
        client: Any = hands._client  # pyright: ignore[reportAttributeAccessIssue]
        found: list[screening.ScreenRow] = []
        for row in rows(hands):
            found.append(row)
            if len(found) in (10, 30):
                os.kill(next(iter(client.run(os.getpid, on_error="ignore").values())), signal.SIGKILL)
    assert found == alone
    assert [row.symbol for row in found if row.error is not None] == ["BAD"]
    assert sum(row.matches or 0 for row in found) > 20


# a standing cluster


def _certificates(folder: Path, name: str) -> TlsFiles:
    """An authority with one member, for 127.0.0.1."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    now = datetime.datetime.now(datetime.UTC)
    folder.mkdir(exist_ok=True)

    def made(common: str, key: Any, issuer: Any, signer: Any, is_authority: bool) -> Any:
        subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, common)])
        builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer or subject)
        builder = builder.public_key(key.public_key()).serial_number(x509.random_serial_number())
        builder = builder.not_valid_before(now - datetime.timedelta(days=1))
        builder = builder.not_valid_after(now + datetime.timedelta(days=1))
        builder = builder.add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        address = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
        return builder.add_extension(address, critical=False).sign(signer, hashes.SHA256())

    above, below = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    authority = made(f"{name} authority", above, None, above, True)
    member = made(f"{name} member", below, authority.subject, above, False)
    paths = [folder / f"{name}-{part}.pem" for part in ("ca", "cert", "key")]
    paths[0].write_bytes(authority.public_bytes(serialization.Encoding.PEM))
    paths[1].write_bytes(member.public_bytes(serialization.Encoding.PEM))
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    paths[2].write_bytes(below.private_bytes(*form))
    return TlsFiles(*map(str, paths))


_VERSION = "import pinebench, sys; pinebench.__version__ = {!r}; from distributed.cli.{} import main; main()"


class Standing:
    """A scheduler and workers as processes."""

    def __init__(self, keys: TlsFiles, folder: Path) -> None:
        self._keys = keys
        self._folder = folder
        self._running: list[subprocess.Popen[bytes]] = []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"tls://127.0.0.1:{self.port}"

    def start(self, what: str, *words: str, version: str | None = None) -> subprocess.Popen[bytes]:
        import pinebench

        code = _VERSION.format(version or pinebench.__version__, f"dask_{what}")
        keys = self._keys
        tls = ("--tls-ca-file", keys.authority, "--tls-cert", keys.certificate, "--tls-key", keys.key)
        process = subprocess.Popen(
            [sys.executable, "-c", code, *words, "--no-dashboard", *tls],
            cwd=Path(__file__).parents[2],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        )
        self._running.append(process)
        return process

    def scheduler(self) -> subprocess.Popen[bytes]:
        words = ("--protocol", "tls", "--host", "127.0.0.1", "--port", str(self.port))
        process = self.start("scheduler", *words)
        end = time.monotonic() + 120
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return process
            assert time.monotonic() < end
            time.sleep(0.1)

    def worker(self, version: str | None = None) -> subprocess.Popen[bytes]:
        local = ("--local-directory", str(self._folder), "--no-nanny", "--nthreads", "1", "--host", "127.0.0.1")
        return self.start("worker", self.address, *local, version=version)

    def close(self) -> None:
        for process in reversed(self._running):
            process.kill()
            process.wait()


@pytest.fixture
def standing(tmp_path: Path) -> Iterator[tuple[Standing, TlsFiles]]:
    keys = _certificates(tmp_path / "keys", "own")
    made = Standing(keys, tmp_path)
    try:
        yield made, keys
    finally:
        made.close()


def test_a_scheduler_that_is_restarted_and_resume_lose_and_repeat_nothing(
    standing: tuple[Standing, TlsFiles], expected: list[RunOutcome]
) -> None:
    made, keys = standing
    scheduler = made.scheduler()
    made.worker()

    def kill(count: int) -> None:
        if count > COUNT // 3 and scheduler.poll() is None:
            scheduler.kill()
            scheduler.wait()

    counts: Counter[str] = Counter()
    with pytest.raises(UnavailableError), cluster.hands(1, made.address, keys) as hands:
        first = Watched(hands, kill)
        try:
            optimized(first)
        finally:
            counts += first.counts
    assert COUNT // 3 < counts.total() < COUNT
    made.scheduler()
    made.worker()
    with cluster.hands(1, made.address, keys) as hands:
        second = Watched(hands)
        found = optimized(second, resume=True)
    counts += second.counts
    assert found.ranked == expected
    assert set(counts.values()) == {1}
    assert len(counts) == COUNT


def test_a_worker_of_another_version_is_refused(standing: tuple[Standing, TlsFiles]) -> None:
    made, keys = standing
    made.scheduler()
    made.worker(version="0.0.1")
    words = r"a worker has pinebench 0\.0\.1, and this is"
    with pytest.raises(UnavailableError, match=words), cluster.hands(1, made.address, keys) as hands:
        optimized(hands)


def test_a_foreign_certificate_is_refused(standing: tuple[Standing, TlsFiles], tmp_path: Path) -> None:
    made, _ = standing
    made.scheduler()
    foreign = _certificates(tmp_path / "keys", "foreign")
    with pytest.raises(UnavailableError, match="cannot be reached"), cluster.hands(1, made.address, foreign):
        pass


def _heard(port: int, context: ssl.SSLContext) -> bytes:
    """What a scheduler says to one who connects; nothing if it ends the connection."""
    plain = socket.create_connection(("127.0.0.1", port), 60)
    with plain, contextlib.suppress(OSError), context.wrap_socket(plain, server_hostname="127.0.0.1") as secured:
        return secured.recv(16)
    return b""


def test_nobody_without_a_certificate_is_heard(standing: tuple[Standing, TlsFiles]) -> None:
    made, keys = standing
    made.scheduler()
    anonymous = ssl.create_default_context(cafile=keys.authority)
    member = ssl.create_default_context(cafile=keys.authority)
    member.load_cert_chain(keys.certificate, keys.key)
    assert _heard(made.port, member)
    assert _heard(made.port, anonymous) == b""


def test_a_scheduler_with_a_foreign_certificate_is_not_trusted(tmp_path: Path) -> None:
    foreign, mine = _certificates(tmp_path / "foreign", "foreign"), _certificates(tmp_path / "mine", "mine")
    made = Standing(foreign, tmp_path)
    try:
        made.scheduler()
        with pytest.raises(UnavailableError, match="cannot be reached"), cluster.hands(1, made.address, mine):
            pass
    finally:
        made.close()


def test_a_worker_with_a_foreign_certificate_gets_no_work(standing: tuple[Standing, TlsFiles], tmp_path: Path) -> None:
    """It does not come in, and the worker with a certificate of the authority does all the work."""
    made, keys = standing
    made.scheduler()
    intruder = Standing(_certificates(tmp_path / "foreign", "foreign"), tmp_path)
    intruder.address = made.address
    try:
        foreign = intruder.worker()
        made.worker()
        with cluster.hands(1, made.address, keys) as hands:
            client: Any = hands._client  # pyright: ignore[reportAttributeAccessIssue]
            client.wait_for_workers(1, timeout=120)
            numbers = set(client.run(os.getpid).values())
        assert foreign.pid not in numbers and len(numbers) == 1
    finally:
        intruder.close()


class Tap:
    """Passes connections on to a scheduler, and keeps what each client sent, byte by byte."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        self.sent: list[bytearray] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # it was closed
            while True:
                client, _ = self._server.accept()
                scheduler = socket.create_connection(("127.0.0.1", self._to))
                kept = bytearray()
                self.sent.append(kept)
                threading.Thread(target=self._pass, args=(client, scheduler, kept), daemon=True).start()
                threading.Thread(target=self._pass, args=(scheduler, client, bytearray()), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket, kept: bytearray) -> None:
        with contextlib.suppress(OSError):
            while read := source.recv(65_536):
                kept += read
                target.sendall(read)
            target.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        self._server.close()


def _heard_of(dask_scheduler: Any) -> tuple[int, int, int]:
    """The clients, the tasks and the changes of tasks that a scheduler has seen."""
    return len(dask_scheduler.clients), len(dask_scheduler.tasks), dask_scheduler.transition_counter


def test_replayed_messages_do_nothing(standing: tuple[Standing, TlsFiles]) -> None:
    """Whoever recorded a sweep on the wire sends its messages again: TLS has other keys for each connection."""
    made, keys = standing
    made.scheduler()
    made.worker()
    tap = Tap(made.port)
    with cluster.hands(1, f"tls://127.0.0.1:{tap.port}", keys) as hands:
        [[outcome]] = hands.outcomes(request(CROSS, walk(21, 200)), [{"Fast": 5}])
    tap.close()
    assert outcome.error is None and sum(map(len, tap.sent)) > 5_000
    with cluster.hands(1, made.address, keys) as hands:
        client: Any = hands._client  # pyright: ignore[reportAttributeAccessIssue]
        client.wait_for_workers(1, timeout=120)
        before = client.run_on_scheduler(_heard_of)
        assert before[0] == 2 and before[2] > 0, "this client and the scheduler's own, and the sweep before"
        for sent in tap.sent:
            with socket.create_connection(("127.0.0.1", made.port), 60) as again, contextlib.suppress(OSError):
                again.sendall(sent)
                while again.recv(65_536):  # until the scheduler ends the connection
                    pass
        assert client.run_on_scheduler(_heard_of) == before
