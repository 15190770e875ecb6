"""Services of the soak: each gets scripts that hog, broken input and calls that are called off, and is asked something
else meanwhile."""

import contextlib
import http.client
import json
import os
import pty
import queue
import random
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.parse
from pathlib import Path
from typing import Any, Protocol

from tests.lsp.client import client_of, start_server
from tests.market.files import REFUSED, market
from tests.mcp.speaking import Served, Speaker
from tests.tui.terminals import as_from_a_shell
from tests.workers.test_worker_pool import _hog

HEAD = '//@version=6\nindicator("x")\n'
PLAIN = f"{HEAD}plot(close)"
ENDLESS = f"{HEAD}s = 0\nwhile close > 0\n    s += 1\nplot(s)"
BROKEN = ("", "\0" * 50, f"{HEAD}plot(", f"{HEAD}x = {'(' * 3000}", f"{HEAD}plot({'9' * 5000})", "//@version=6\n" * 50)
FAULTS = ("Traceback", "internal error", "Internal error")
"""Words that no answer may have."""
LEFT = 0.2
"""The share of calls that are not called off."""
_SECONDS = 120.0


def script(rng: random.Random) -> str:
    """A script that hogs, is broken, or does no harm."""
    return rng.choice((HEAD + _hog(rng), ENDLESS, rng.choice(BROKEN), PLAIN))


def write_bars(folder: Path, rng: random.Random) -> list[str]:
    """Write files that are not bars, or lie, or are honest, and things that are not files; gives their paths."""
    made = {lie.__name__: lie(market(rng), rng) for lie in REFUSED}
    made |= {"empty": "", "zeros": "\0" * 9999, "words": "time,open\n" * 9, "row": "time,open,high,low,close\n" * 30000}
    made |= {"line": "1," * 200_000, "quote": 'time,open,high,low,close\n"' + "1\n" * 50_000}
    days = [f"{1_700_000_000 + 86_400 * n},{n + 10},{n + 11},{n + 9},{n + 10}\n" for n in range(3000)]
    made["honest"] = "time,open,high,low,close\n" + "".join(days)
    for name, text in made.items():
        (folder / f"{name}.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    (folder / "bytes.csv").write_bytes(rng.randbytes(5000))
    (folder / "table.parquet").write_bytes(b"PAR1" + rng.randbytes(5000) + b"PAR1")
    (folder / "folder.csv").mkdir()
    os.mkfifo(folder / "pipe.csv")
    return [*sorted(str(each) for each in folder.iterdir()), "/dev/zero", str(folder / "none.csv")]


class Bars:
    """Names of bars: each once, then by chance, so that all that reading them loads is loaded early."""

    def __init__(self, names: list[str]) -> None:
        self._names, self._first = names, list(names)

    def choose(self, rng: random.Random) -> str:
        return self._first.pop() if self._first else rng.choice(self._names)


class Service(Protocol):
    """A service in a process of its own."""

    process: subprocess.Popen[Any]

    def trouble(self, rng: random.Random) -> None:
        """Do something that hogs it, breaks off, or is no request at all."""

    def ask(self) -> None:
        """Ask something else, and wait for the answer."""

    def disconnect(self) -> None:
        """Go as a client goes."""

    def close(self) -> None:
        """End the process, and close what this side holds."""


def _checked(answer: Any) -> None:
    told = json.dumps(answer)
    assert not any(fault in told for fault in FAULTS), told[:2000]


class Mcp:
    """The MCP server over standard streams."""

    def __init__(self, folder: Path, bars: list[str]) -> None:
        self._bars = Bars(bars)
        self._speaker = Speaker("--tools", "check,scripts,audit", "--cdp-port", "9", cwd=str(folder))
        self.process = self._speaker.process

    def trouble(self, rng: random.Random) -> None:
        tool = rng.choice(
            ("pine_run", "pine_run", "pine_backtest", "pine_analyze", "pine_format", "pine_repaint_check")
        )
        more = {"data": self._bars.choose(rng)} if tool == "pine_run" else {}
        number = self._speaker.call(tool, source=script(rng), **more)
        time.sleep(rng.random())
        self._speaker.send(rng.choice((b"{", b"", b'{"jsonrpc": "2.0", "id": "x", "method": 1}')))
        if rng.random() < LEFT or self._speaker.has(number):
            _checked(self._speaker.answer(number))
        else:
            self._speaker.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})

    def ask(self) -> None:
        assert self._speaker.ask("ping")["result"] == {}

    def disconnect(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def close(self) -> None:
        self._speaker.__exit__()


class McpHttp:
    """The MCP server over HTTP; its clients come and go."""

    def __init__(self, folder: Path, bars: list[str]) -> None:
        self._bars = Bars(bars)
        (folder / "http").mkdir(exist_ok=True)
        self._served = Served(folder / "http")
        self.process = self._served.process
        self._asking = self._served.session()

    def trouble(self, rng: random.Random) -> None:
        session = self._served.session()
        held = self._served.begin("pine_run", {"source": script(rng), "data": self._bars.choose(rng)}, session)
        time.sleep(rng.random())
        if rng.random() < LEFT:
            told = held.getresponse().read().decode()
            assert not any(fault in told for fault in FAULTS), told[:2000]
        elif rng.random() < 0.5:
            held.close()
        self._served.close(session)
        held.close()

    def ask(self) -> None:
        self._served.ask("pine_analyze", {"source": PLAIN}, self._asking)

    def disconnect(self) -> None:
        self.process.send_signal(signal.SIGTERM)

    def close(self) -> None:
        self._served.__exit__()


class Lsp:
    """The language server."""

    def __init__(self, folder: Path, bars: list[str]) -> None:
        self._bars = Bars(bars)
        self.process = start_server(cwd=str(folder))
        self._client = client_of(self.process)
        self._client.begin()
        self._version = 1
        self._came = threading.Condition()
        self._answers: dict[int, Any] = {}
        for uri in ("untitled:a", "untitled:hog"):
            self._client.open(uri, PLAIN)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                came = self._client.next_response()
                with self._came:
                    self._answers[came["id"]] = came
                    self._came.notify_all()

    def _start(self, method: str, **params: Any) -> int:
        with self._came:
            return self._client.start(method, **params)

    def _answer(self, number: int) -> Any:
        with self._came:
            assert self._came.wait_for(lambda: number in self._answers, _SECONDS), f"no answer to {number}"
            return self._answers.pop(number)

    def trouble(self, rng: random.Random) -> None:
        self._version += 1
        with self._came:
            self._client.change("untitled:hog", self._version, {"text": script(rng)})
        argument = {"uri": "untitled:hog", "data": self._bars.choose(rng)}
        command = rng.choice(("pinebench.run", "pinebench.backtest"))
        number = self._start("workspace/executeCommand", command=command, arguments=[argument])
        time.sleep(rng.random())
        if rng.random() >= LEFT:
            with self._came:
                self._client.notify("$/cancelRequest", id=number)
        _checked(self._answer(number))

    def ask(self) -> None:
        place = {"line": 2, "character": 6}
        number = self._start("textDocument/hover", textDocument={"uri": "untitled:a"}, position=place)
        assert self._answer(number)["result"]["contents"]

    def disconnect(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def close(self) -> None:
        self.process.kill()
        with contextlib.suppress(ValueError):  # The input is closed already.
            self.process.communicate()


class Studio:
    """The studio's server."""

    def __init__(self, folder: Path, bars: list[str]) -> None:
        self._bars = Bars([each for each in bars if Path(each).is_file()])
        command = [sys.executable, "-m", "pinebench", "studio", "--no-browser"]
        environment = {**os.environ, "PINEBENCH_STATE_DIR": str(folder / "studio")}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=folder)
        assert self.process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:(\d+)\S*?token=([\w-]+)", self.process.stdout.readline())
        assert found is not None
        self._port, self._token = int(found[1]), found[2]

    def trouble(self, rng: random.Random) -> None:
        if rng.random() < 0.3:
            self._give(Path(self._bars.choose(rng)))
            return
        asked = {"source": script(rng), "symbol": "AAPL", "resolution": "1D", "count": 300, "until": None, "inputs": {}}
        study = f"study{rng.randrange(3)}"
        connection = self._begin("POST", "run", json.dumps({**asked, "study": study}).encode())
        time.sleep(rng.random())
        if rng.random() < LEFT:
            _, told = self._answer(connection)
            assert not any(fault.encode() in told for fault in FAULTS), told[:2000]
            return
        connection.close()
        self._answer(self._begin("POST", "stop", json.dumps({"study": study}).encode()))

    def _give(self, path: Path) -> None:
        name = urllib.parse.quote(path.name)
        status, told = self._answer(self._begin("POST", f"data?name={name}", path.read_bytes(), "text/csv"))
        assert status in (200, 413, 422), told
        assert not any(fault.encode() in told for fault in FAULTS), told

    def _begin(self, verb: str, place: str, body: bytes | None, kind: str = "application/json") -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=_SECONDS)
        headers = {"Content-Type": kind, "Origin": f"http://127.0.0.1:{self._port}"}
        mark = "&" if "?" in place else "?"
        connection.request(verb, f"/studio/api/{place}{mark}token={self._token}", body, headers)
        return connection

    def _answer(self, connection: Any) -> tuple[int, bytes]:
        answer = connection.getresponse()
        told = answer.status, answer.read()
        connection.close()
        return told

    def ask(self) -> None:
        body = json.dumps({"source": PLAIN}).encode()
        status, told = self._answer(self._begin("POST", "check", body))
        assert status == 200, told

    def disconnect(self) -> None:
        self.process.send_signal(signal.SIGTERM)

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


class Workbench:
    """The workbench in a terminal of its own, with keys that a person presses."""

    TABS = 8

    def __init__(self, folder: Path, bars: list[str]) -> None:
        self._bars = Bars([*bars, "sample:AAPL", "sample:BTCUSDT@60x500", "sample:NOPE"])
        place = folder / f"bench{random.random()}"
        place.mkdir()
        self._scripts = [place / f"{n}.pine" for n in range(self.TABS)]
        for each in self._scripts:
            each.write_text(PLAIN)
        self._terminal, theirs = pty.openpty()
        more = {"TERM": "xterm-256color", "PINEBENCH_STATE_DIR": str(place / "state"), "PINEBENCH_CDP_PORT": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pinebench", "edit", *map(str, self._scripts)],
            stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, **more}, start_new_session=True,
            preexec_fn=as_from_a_shell,
        )  # fmt: skip
        os.close(theirs)
        self._turn, self._came, self._seen = threading.Lock(), threading.Condition(), b""
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()
        self._until(b"0.pine")
        self.ask()

    def _read(self) -> None:
        with contextlib.suppress(OSError):
            while part := os.read(self._terminal, 65536):
                with self._came:
                    self._seen = self._seen[-100_000:] + part
                    self._came.notify_all()

    def _until(self, words: bytes) -> None:
        """Wait until the terminal shows something that it has not shown since the last time."""
        with self._came:
            came = self._came.wait_for(lambda: words in self._seen, _SECONDS)
            seen, self._seen = self._seen, b""
        assert came, seen[-3000:]

    def _press(self, *keys: str) -> None:
        for key in keys:
            os.write(self._terminal, key.encode())

    def trouble(self, rng: random.Random) -> None:
        rng.choice(self._scripts).write_text(script(rng))
        with self._turn:
            self._press("\x1b[1;3C", "\x1bv", "\x15", self._bars.choose(rng), "\r")
        time.sleep(rng.random())
        with self._turn:
            self._press("\x1bq", "\x1be")

    def ask(self) -> None:
        with self._turn:
            with self._came:
                self._seen = b""
            self._press("\x07")
            self._until(b"Go to line")
            self._press("1\r")

    def disconnect(self) -> None:
        os.close(self._terminal)
        self._terminal = -1

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        if self._terminal >= 0:
            self._reading.join(20)
            os.close(self._terminal)


SERVICES: tuple[Any, ...] = (Mcp, McpHttp, Lsp, Studio, Workbench)
