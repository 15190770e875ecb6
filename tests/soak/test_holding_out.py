"""Scripts that hog, calls that are called off, workers that are killed, clients that go, and files that are no bars,
against all services at once: each goes on, answers others soon, and leaves no process, descriptor or memory behind.

`PINEBENCH_SOAK_SECONDS` says how long.
"""

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from statistics import quantiles
from typing import Any, NamedTuple

import pytest

from pinebench.workers.worker_pool import _KEPT
from tests.processes import all_end, children, descriptors, family, resident, spent, workers
from tests.soak.services import SERVICES, write_bars

pytestmark = [pytest.mark.soak, pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")]

SECONDS = float(os.environ.get("PINEBENCH_SOAK_SECONDS", "1800"))
WARM = SECONDS / 3
"""Seconds of the same trouble before it is measured what each service holds."""
LATEST = 2.0
"""Seconds within which another request is answered while one script hogs. Here every service has one at the same time,
and the machine may have other work, so they are multiplied by how much longer than its processor time plain work takes.
"""
YARDSTICK = """
import sys, time
for _ in sys.stdin:
    begin = time.perf_counter(), time.process_time()
    sum(range(300_000))
    print((time.perf_counter() - begin[0]) / max(time.process_time() - begin[1], 1e-3), flush=True)
"""
SETTLING = 180.0
"""Seconds in which runs that are not called off come to their end, at most."""
MORE = 16 << 20
"""Bytes that a service may hold more at the end than when it was warm: each of its threads keeps some that are free."""


class Held(NamedTuple):
    """What a service holds while nobody wants anything of it."""

    memory: int
    descriptors: int
    processes: int


def held(number: int) -> Held:
    """What a service holds, once its runs are over: none of its workers computes any more."""
    end = time.monotonic() + SETTLING
    before = -1.0
    while before != (now := sum(map(spent, family(number)))):
        assert time.monotonic() < end, "a run goes on"
        before = now
        time.sleep(3)
    return Held(resident(number), descriptors(number), len(family(number)))


class Soak:
    """All that is done to the services at once."""

    def __init__(self, services: list[Any], make: Callable[[Any], Any], seed: int) -> None:
        self._services, self._make, self._seed = services, make, seed
        self._end = 0.0
        self.faults: list[str] = []
        self.waited: dict[str, list[float]] = {type(each).__name__: [] for each in services}
        self.slower: list[float] = []
        """How many times longer than its processor time plain work took."""

    def hold(self, seconds: float) -> None:
        """Make trouble for some seconds."""
        self._end = time.monotonic() + seconds
        work: list[tuple[Callable[..., None], Any]] = [(self._guests, None), (self._measure, None)]
        for service in self._services:
            work += [(each, service) for each in (self._ask, self._trouble, self._kill)]
        threads = [threading.Thread(target=self._kept, args=each) for each in work]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(seconds + 300)
        assert not any(thread.is_alive() for thread in threads), "a client waits for ever"
        assert not self.faults

    def _kept(self, work: Callable[..., None], service: Any) -> None:
        self._seed += 1
        rng = random.Random(self._seed)
        try:
            while time.monotonic() < self._end and not self.faults:
                work(service, rng)
        except BaseException as error:
            self.faults.append(f"{work.__name__} {type(service).__name__}: {error!r}")

    def _measure(self, _: Any, rng: random.Random) -> None:
        """Ask a process that does nothing else, as often as the services are asked."""
        command = [sys.executable, "-c", YARDSTICK]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as plain:
            assert plain.stdin is not None and plain.stdout is not None
            while time.monotonic() < self._end and not self.faults:
                plain.stdin.write("\n")
                self.slower.append(float(plain.stdout.readline()))
                time.sleep(0.1)

    def _trouble(self, service: Any, rng: random.Random) -> None:
        service.trouble(rng)

    def _ask(self, service: Any, rng: random.Random) -> None:
        begin = time.monotonic()
        service.ask()
        self.waited[type(service).__name__].append(time.monotonic() - begin)
        time.sleep(0.1)

    def _kill(self, service: Any, rng: random.Random) -> None:
        """Kill a worker, or the process that forks them."""
        time.sleep(2 + 4 * rng.random())
        found = sorted(workers(service.process.pid) if rng.random() < 0.8 else children(service.process.pid))
        if found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(rng.choice(found), signal.SIGKILL)

    def _guests(self, _: Any, rng: random.Random) -> None:
        """A service that is ended, or whose client goes, while a script hogs it; nothing outlives it."""
        guest = self._make(rng.choice(SERVICES))
        try:
            for _ in range(2):
                guest.trouble(rng)
            everybody = {guest.process.pid, *family(guest.process.pid)}
            if rng.random() < 0.5:
                guest.disconnect()
            else:
                guest.process.send_signal(rng.choice((signal.SIGKILL, signal.SIGTERM)))
            assert all_end(everybody), f"a process of {type(guest).__name__} is left"
        finally:
            guest.close()
        time.sleep(5 * rng.random())


def test_services_hold_out(tmp_path: Path) -> None:
    seed = int(os.environ.get("PINEBENCH_SOAK_SEED", time.time()))
    print(f"seed {seed}")
    (tmp_path / "bars").mkdir()
    bars = write_bars(tmp_path / "bars", random.Random(seed))

    def make(kind: Any) -> Any:
        return kind(tmp_path, bars)

    services: list[Any] = []
    everybody: set[int] = set()
    try:
        services += [make(kind) for kind in SERVICES]
        soak = Soak(services, make, seed)
        soak.hold(WARM)
        before = [held(each.process.pid) for each in services]
        soak.hold(SECONDS - WARM)
        after = [held(each.process.pid) for each in services]
        for service, first, last in zip(services, before, after, strict=True):
            waited = sorted(soak.waited[type(service).__name__])
            print(f"{type(service).__name__}: {first} {last}, {len(waited)} answers, the latest after {waited[-5:]} s")
        for service, first, last in zip(services, before, after, strict=True):
            name = type(service).__name__
            assert last.memory - first.memory < MORE, f"{name} keeps memory"
            # Each worker that is kept has two pipes. How many of the two there are is by chance.
            assert last.descriptors <= first.descriptors + 2 * _KEPT, f"{name} keeps files open"
            assert last.processes <= 1 + _KEPT, f"{name} keeps processes"
        slower = max(1.0, quantiles(soak.slower, n=10)[-1])
        print(f"work took {slower:.1f} times its processor time")
        assert max(max(each) for each in soak.waited.values()) < LATEST * slower
    finally:
        for service in services:
            everybody |= {service.process.pid, *family(service.process.pid)}
            service.close()
    assert all_end(everybody), "a process is left"
