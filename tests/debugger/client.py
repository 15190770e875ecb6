"""A client of the Debug Adapter Protocol: it speaks the raw protocol with `DebugServer` over pipes."""

import os
import threading
from collections import deque
from pathlib import Path
from typing import Any

from pinebench.debugger.protocol import Stream
from pinebench.debugger.server import DebugServer

_WAIT = 60.0


class Client:
    """A debug session with a server in a thread of this process."""

    def __init__(self) -> None:
        to_server, to_client = os.pipe(), os.pipe()
        self._files = [
            os.fdopen(to_server[0], "rb"),
            os.fdopen(to_client[1], "wb"),
            os.fdopen(to_client[0], "rb"),
            os.fdopen(to_server[1], "wb"),
        ]
        server = DebugServer(Stream(self._files[0], self._files[1]))
        self._thread = threading.Thread(target=server.serve, daemon=True)
        self._thread.start()
        self.stream = Stream(self._files[2], self._files[3])
        self.events: deque[dict[str, Any]] = deque()
        self.outputs: list[str] = []
        self._number = 0

    def request(self, command: str, **arguments: Any) -> dict[str, Any]:
        """Send a request and return its response."""
        self._number += 1
        self.stream.write({"type": "request", "command": command, "arguments": arguments})
        while True:
            message = self._read()
            if message["type"] == "response" and message["request_seq"] == self._number:
                return message

    def ask(self, command: str, **arguments: Any) -> dict[str, Any]:
        """The body of a response that must succeed."""
        answer = self.request(command, **arguments)
        assert answer["success"], answer
        return answer["body"]

    def _read(self) -> dict[str, Any]:
        message = self.stream.read()
        assert message is not None, "the server is gone"
        if message["type"] == "event":
            self.events.append(message)
            if message["event"] == "output":
                self.outputs.append(message["body"]["output"])
        return message

    def wait(self, *events: str) -> dict[str, Any]:
        """Wait for one of these events, and forget those before it."""
        while True:
            while self.events:
                message = self.events.popleft()
                if message["event"] in events:
                    return message
            self._read()

    def launch(
        self, path: Path, breakpoints: list[Any] | None = None, filters: list[str] | None = None, **given: Any
    ) -> None:
        """Initialize, launch, set breakpoints and begin."""
        self.ask("initialize", adapterID="pinebench", linesStartAt1=True)
        self.ask("launch", program=str(path), **given)
        self.wait("initialized")
        self.set_breakpoints(path, breakpoints or [])
        self.ask("setExceptionBreakpoints", filters=filters or [])
        self.ask("configurationDone")

    def set_breakpoints(self, path: Path, breakpoints: list[Any]) -> list[dict[str, Any]]:
        """Set the breakpoints of a file: lines, or objects of the protocol."""
        given = [each if isinstance(each, dict) else {"line": each} for each in breakpoints]
        return self.ask("setBreakpoints", source={"path": str(path)}, breakpoints=given)["breakpoints"]

    def stopped(self) -> dict[str, Any]:
        """Wait for a stop, and return its body with the bar, the line and the count."""
        message = self.wait("stopped", "terminated")
        if message["event"] == "terminated":
            return {"reason": "terminated"}
        return message["body"] | self.wait("pinebench/bar")["body"]

    def go(self, command: str, **more: Any) -> dict[str, Any]:
        """Move, and wait for the next stop."""
        self.ask(command, threadId=1, **more)
        return self.stopped()

    def frames(self) -> list[dict[str, Any]]:
        return self.ask("stackTrace", threadId=1)["stackFrames"]

    def scopes(self, frame: int = 0) -> dict[str, int]:
        return {each["name"]: each["variablesReference"] for each in self.ask("scopes", frameId=frame)["scopes"]}

    def variables(self, reference: int, **more: Any) -> dict[str, str]:
        found = self.ask("variables", variablesReference=reference, **more)["variables"]
        return {each["name"]: each["value"] for each in found}

    def all_values(self) -> dict[str, Any]:
        """Every value of every scope of every frame, with the first children of each."""
        told: dict[str, Any] = {}
        for frame in self.frames():
            for scope, reference in self.scopes(frame["id"]).items():
                for each in self.ask("variables", variablesReference=reference)["variables"]:
                    key = f"{frame['name']}:{frame['line']}/{scope}/{each['name']}"
                    told[key] = each["value"]
                    if each["variablesReference"] and len(told) < 200:
                        told[f"{key}/children"] = self.variables(each["variablesReference"], start=0, count=3)
        return told

    def evaluate(self, text: str, frame: int = 0, context: str = "watch") -> str:
        return self.ask("evaluate", expression=text, frameId=frame, context=context)["result"]

    def close(self) -> None:
        """Disconnect, and wait for the server's end."""
        if self._thread.is_alive():
            self.stream.write({"type": "request", "command": "disconnect", "arguments": {}})
            self._thread.join(_WAIT)
        for file in reversed(self._files):  # our end first, so that the server's thread stops reading
            file.close()
        assert not self._thread.is_alive()
