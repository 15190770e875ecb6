"""A client that speaks the protocol as it stands on the wire: headers, JSON, nothing of pygls."""

import json
import queue
import subprocess
import sys
import threading
from typing import IO, Any

SECONDS = 60.0


class Failed(Exception):
    """The server answered a request with an error."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["message"])
        self.code = error["code"]
        self.message = error["message"]


class Client:
    """Speaks with one server over two streams; answers what the server asks by `replies`."""

    def __init__(self, reader: IO[bytes], writer: IO[bytes]) -> None:
        self._reader = reader
        self._writer = writer
        self._number = 0
        self._responses: queue.Queue[dict[str, Any]] = queue.Queue()
        self._early: dict[Any, dict[str, Any]] = {}
        self._notes: queue.Queue[dict[str, Any]] = queue.Queue()
        self.seen: list[dict[str, Any]] = []
        """Every notification that was read so far."""
        self.asked: list[dict[str, Any]] = []
        """Every request of the server."""
        self.replies: dict[str, Any] = {}
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        while True:
            length = 0
            while line := self._reader.readline():
                if line == b"\r\n":
                    break
                name, _, value = line.decode().partition(":")
                length = int(value) if name.lower() == "content-length" else length
            if not length:
                return
            message = json.loads(self._reader.read(length))
            if "method" not in message:
                self._responses.put(message)
            elif "id" in message:
                self.asked.append(message)
                result = self.replies.get(message["method"])
                result = result(message["params"]) if callable(result) else result
                self._send({"id": message["id"], "result": result})
            else:
                self._notes.put(message)

    def _send(self, message: dict[str, Any]) -> None:
        self.send_raw(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def send_raw(self, body: bytes) -> None:
        """Send a body as it is."""
        self._writer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._writer.flush()

    def notify(self, method: str, **params: Any) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def start(self, method: str, **params: Any) -> int:
        """Send a request and do not wait; gives its number."""
        return self.send_request(method, params)

    def send_request(self, method: str, params: Any) -> int:
        """Send a request with any parameters and do not wait; gives its number."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        return self._number

    def next_response(self) -> dict[str, Any]:
        """The next response, whichever request it belongs to."""
        return self._responses.get(timeout=SECONDS)

    def result(self, number: int) -> Any:
        """The result of a request; raises Failed. Answers may come in any order, so those of others are kept."""
        while number not in self._early:
            message = self._responses.get(timeout=SECONDS)
            self._early[message["id"]] = message
        message = self._early.pop(number)
        if "error" in message:
            raise Failed(message["error"])
        return message["result"]

    def ask(self, method: str, **params: Any) -> Any:
        """Send a request and wait for its result; raises Failed."""
        return self.result(self.start(method, **params))

    def note(self, method: str, **wanted: Any) -> dict[str, Any]:
        """The next notification with this method whose parameters have these values."""
        while True:
            message = self._notes.get(timeout=SECONDS)
            self.seen.append(message)
            params = message["params"]
            if message["method"] == method and all(params.get(key) == value for key, value in wanted.items()):
                return params

    def all_seen(self) -> list[dict[str, Any]]:
        """Every notification that has arrived so far."""
        while not self._notes.empty():
            self.seen.append(self._notes.get())
        return self.seen

    def begin(self, capabilities: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        """Initialize; gives what the server can do."""
        result = self.ask("initialize", processId=None, capabilities=capabilities or {}, **{"rootUri": None, **more})
        self.notify("initialized")
        return result["capabilities"]

    def open(self, uri: str, text: str, version: int = 1) -> None:
        """Open a document."""
        item = {"uri": uri, "languageId": "pine", "version": version, "text": text}
        self.notify("textDocument/didOpen", textDocument=item)

    def change(self, uri: str, version: int, *changes: dict[str, Any]) -> None:
        """Change a document."""
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", textDocument=document, contentChanges=list(changes))

    def end(self) -> None:
        """Shut the server down."""
        self.ask("shutdown")
        self.notify("exit")

    def close(self) -> None:
        """Close both streams, once the server has closed its own."""
        self._writer.close()
        self._listener.join(SECONDS)
        self._reader.close()


def start_server(*arguments: str, cwd: str | None = None) -> subprocess.Popen[bytes]:
    """A server of its own."""
    command = [sys.executable, "-m", "pinebench", "lsp", *arguments]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd)


def client_of(process: subprocess.Popen[bytes]) -> Client:
    """A client of a server over its pipes."""
    assert process.stdin is not None and process.stdout is not None
    return Client(process.stdout, process.stdin)
