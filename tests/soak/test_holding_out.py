"""Random scripts that hog, calls that are called off, and clients that go, against services at once: each goes on,
answers others soon, and leaves no process, descriptor or memory behind.

`PINEBENCH_SOAK_SECONDS` says how long (default: 120).
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.execution.test_workers import _hog
from tests.lsp.client import client_of, start_server
from tests.mcp.speaking import Speaker
from tests.processes import all_end, descriptors, family, resident

pytestmark = [pytest.mark.soak, pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")]

SECONDS = float(os.environ.get("PINEBENCH_SOAK_SECONDS", "120"))
LATEST = 2.0
"""Seconds within which another request is answered while one script hogs."""
SETTLING = float(os.environ.get("PINEBENCH_SOAK_SETTLING", "45"))
"""Seconds in which runs that are not called off come to their end."""
MORE = 64 << 20
"""Bytes that a service may hold more at the end than when it was warm."""
HEAD = '//@version=6\nindicator("x")\n'
PLAIN = f"{HEAD}plot(close)"
ENDLESS = f"{HEAD}s = 0\nwhile close > 0\n    s += 1\nplot(s)"
BROKEN = ("", "\0" * 50, f"{HEAD}plot(", f"{HEAD}x = {'(' * 3000}", f"{HEAD}plot({'9' * 5000})", "//@version=6\n" * 50)


def script(rng: random.Random) -> str:
    """A script that hogs, is broken, or does no harm."""
    return rng.choice((HEAD + _hog(rng), ENDLESS, rng.choice(BROKEN), PLAIN))


class Mcp:
    """The MCP server over standard streams."""

    def __init__(self, folder: Path) -> None:
        self._speaker = Speaker("--tools", "check,scripts,audit", "--cdp-port", "9", cwd=str(folder))
        self.process = self._speaker.process
        self._speaker.answer(self._speaker.call("pine_run", source=PLAIN))

    def trouble(self, rng: random.Random) -> None:
        tool = rng.choice(("pine_run", "pine_backtest", "pine_analyze", "pine_format", "pine_repaint_check"))
        number = self._speaker.call(tool, source=script(rng))
        time.sleep(rng.random())
        self._speaker.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
        self._speaker.send(rng.choice((b"{", b"", b'{"jsonrpc": "2.0", "id": "x", "method": 1}')))

    def ask(self) -> None:
        assert self._speaker.ask("ping")["result"] == {}

    def close(self) -> None:
        self._speaker.__exit__()


class Lsp:
    """The language server."""

    def __init__(self, folder: Path) -> None:
        self.process = start_server(cwd=str(folder))
        self._client = client_of(self.process)
        self._client.begin()
        self._version = 1
        self._turn = threading.Lock()
        self._client.open("untitled:a", PLAIN)
        self._client.open("untitled:hog", PLAIN)
        self._client.ask("workspace/executeCommand", command="pinebench.run", arguments=[{"uri": "untitled:a"}])

    def trouble(self, rng: random.Random) -> None:
        self._version += 1
        self._client.change("untitled:hog", self._version, {"text": script(rng)})
        command = rng.choice(("pinebench.run", "pinebench.backtest"))
        with self._turn:
            number = self._client.start(
                "workspace/executeCommand", command=command, arguments=[{"uri": "untitled:hog"}]
            )
        time.sleep(rng.random())
        self._client.notify("$/cancelRequest", id=number)

    def ask(self) -> None:
        place = {"line": 2, "character": 6}
        with self._turn:
            number = self._client.start("textDocument/hover", textDocument={"uri": "untitled:a"}, position=place)
        self._client.result(number)

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


class Studio:
    """The studio's server."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "pinebench", "studio", "--no-browser"]
        environment = {**os.environ, "PINEBENCH_STATE_DIR": str(folder / "state")}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=folder)
        assert self.process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:(\d+)\S*?token=([\w-]+)", self.process.stdout.readline())
        assert found is not None
        self._port, self._token = int(found[1]), found[2]
        self._run(PLAIN).getresponse().read()

    def trouble(self, rng: random.Random) -> None:
        connection = self._run(script(rng))
        time.sleep(rng.random())
        connection.close()

    def _run(self, source: str) -> http.client.HTTPConnection:
        asked = {"source": source, "symbol": "AAPL", "resolution": "1D", "count": 300, "until": None, "inputs": {}}
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=120)
        headers = {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{self._port}"}
        connection.request("POST", f"/studio/api/run?token={self._token}", json.dumps(asked), headers)
        return connection

    def ask(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=120)
        connection.request("GET", f"/chart/?token={self._token}")
        answer = connection.getresponse()
        answer.read()
        connection.close()
        assert answer.status == 200

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


@contextlib.contextmanager
def warm(service: Any) -> Iterator[None]:
    """What a service holds is the same at the end, and nothing outlives it."""
    try:
        for _ in range(5):
            service.ask()
        before = resident(service.process.pid), descriptors(service.process.pid)
        yield
        service.ask()
        grown = resident(service.process.pid) - before[0]
        print(type(service).__name__, f"{grown >> 20} MB,", descriptors(service.process.pid) - before[1], "descriptors")
        assert grown < MORE
        assert descriptors(service.process.pid) <= before[1] + 8, "files stay open"
    finally:
        everybody = {service.process.pid, *family(service.process.pid)}
        service.close()
        assert all_end(everybody), "a process is left"


def test_services_hold_out(tmp_path: Path) -> None:
    end, seed = time.monotonic() + SECONDS, int(time.time())
    faults: list[str] = []
    latest: dict[str, float] = {}

    def trouble(service: Any, number: int) -> None:
        rng = random.Random(seed + number)
        while time.monotonic() < end:
            service.trouble(rng)

    def ask(service: Any) -> None:
        name = type(service).__name__
        while time.monotonic() < end:
            begin = time.monotonic()
            service.ask()
            latest[name] = max(latest.get(name, 0), time.monotonic() - begin)
            time.sleep(0.1)

    def held(work: Any, *arguments: Any) -> None:
        try:
            work(*arguments)
        except Exception as error:
            faults.append(f"{type(arguments[0]).__name__}: {error!r}")

    with contextlib.ExitStack() as stack:
        services: list[Any] = [each(tmp_path) for each in (Mcp, Lsp, Studio)]
        for service in services:
            stack.enter_context(warm(service))
        threads = [threading.Thread(target=held, args=(ask, service)) for service in services]
        threads += [threading.Thread(target=held, args=(trouble, each, n)) for n, each in enumerate(services)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(SECONDS + 300)
        print(f"seed {seed}, {latest}")
        assert not faults
        # The studio's runs go on without their page, and come to their end.
        time.sleep(SETTLING)
    assert max(latest.values()) < LATEST, latest
