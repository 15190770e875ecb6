"""A client of the tests that speaks to a server as bytes, also what no client of the protocol would send."""

import contextlib
import http.client
import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Self

HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}


class Speaker:
    """A server over standard streams. Answers are kept in the order in which they came."""

    def __init__(self, *arguments: str, cwd: str | None = None) -> None:
        command = [sys.executable, "-m", "pinebench", "mcp", *arguments]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=cwd,
            env={**os.environ},
        )
        self.order: list[Any] = []
        """The ids of the answers."""
        self._answers: dict[Any, dict[str, Any]] = {}
        self._came = threading.Condition()
        self._number = 0
        self._turn = threading.Lock()
        self._listening = threading.Thread(target=self._listen, daemon=True)
        self._listening.start()
        self.ask("initialize", HELLO)
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self._listening.join(120)

    def send(self, line: bytes) -> None:
        """Send bytes as they are, and the end of a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def say(self, message: dict[str, Any]) -> None:
        self.send(json.dumps(message).encode())

    def begin(self, method: str, params: dict[str, Any] | None = None) -> int:
        """Send a request and give its id."""
        with self._turn:
            self._number += 1
            number = self._number
            told = {"jsonrpc": "2.0", "id": number, "method": method}
            self.say(told if params is None else {**told, "params": params})
        return number

    def call(self, tool: str, **arguments: Any) -> int:
        return self.begin("tools/call", {"name": tool, "arguments": arguments})

    def answer(self, number: Any, seconds: float = 120) -> dict[str, Any]:
        """The answer to a request, waited for."""
        with self._came:
            came = self._came.wait_for(lambda: number in self._answers, seconds)
        assert came, f"no answer to {number}"
        return self._answers[number]

    def ask(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        return self.answer(self.begin(method, params))

    def has(self, number: int) -> bool:
        return number in self._answers

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            told = json.loads(line)
            if "result" in told or "error" in told:
                with self._came:
                    self.order.append(told.get("id"))
                    self._answers[told.get("id")] = told
                    self._came.notify_all()
        self.process.stdout.close()


class Served:
    """A server over HTTP in a process of its own, and requests to it."""

    def __init__(self, folder: Path) -> None:
        command = [
            sys.executable,
            "-m",
            "pinebench",
            "mcp",
            "--http",
            "--port",
            "0",
            "--tools",
            "check",
            "--cdp-port",
            "9",
        ]
        environment = {**os.environ, "PINEBENCH_STATE_DIR": str(folder)}
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
        assert self.process.stderr is not None
        place, token = self.process.stderr.readline(), self.process.stderr.readline()
        self.port = int(re.findall(r":(\d+)/mcp", place)[0])
        self._headers = {
            "Authorization": re.findall(r"Bearer [\w-]+", token)[0],
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def session(self) -> str:
        """Begin a conversation and give its id."""
        connection = self._sent("POST", "initialize", HELLO)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        found = answer.getheader("Mcp-Session-Id")
        assert answer.status == 200 and found
        return found

    def begin(self, tool: str, arguments: dict[str, Any], session: str) -> http.client.HTTPConnection:
        """Call a tool and leave the answer to come."""
        return self._sent("POST", "tools/call", {"name": tool, "arguments": arguments}, session)

    def ask(self, tool: str, arguments: dict[str, Any], session: str) -> bytes:
        """Call a tool and give its answer."""
        connection = self.begin(tool, arguments, session)
        told = connection.getresponse().read()
        connection.close()
        assert b'"success":true' in told.replace(b'\\"', b'"').replace(b" ", b""), told
        return told

    def close(self, session: str) -> None:
        """End a conversation."""
        connection = self._sent("DELETE", "", {}, session)
        connection.getresponse().read()
        connection.close()

    def _sent(self, verb: str, method: str, params: dict[str, Any], session: str = "") -> http.client.HTTPConnection:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) if method else None
        connection.request(verb, "/mcp", body, self._headers | ({"Mcp-Session-Id": session} if session else {}))
        return connection
