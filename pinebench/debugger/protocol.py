"""Messages of the Debug Adapter Protocol: a header with a length, and one JSON object."""

from __future__ import annotations

import json
import threading
from typing import IO, Any

_MOST = 64 << 20


class Stream:
    """Reads and writes messages. Several threads may write."""

    def __init__(self, reading: IO[bytes], writing: IO[bytes]) -> None:
        self._reading = reading
        self._writing = writing
        self._lock = threading.Lock()
        self._number = 0

    def read(self) -> dict[str, Any] | None:
        """Return the next message, or None at the end of the stream. Raises ValueError if the data is not a message."""
        length = 0
        while True:
            line = self._reading.readline(1 << 16)
            if not line:
                return None
            if not line.strip():
                break
            name, _, value = line.decode("latin-1").partition(":")
            if name.strip().lower() == "content-length":
                length = int(value) if value.strip().isdecimal() else 0
        if not 0 < length <= _MOST:
            raise ValueError("a message has no valid Content-Length")
        body = b""
        while len(body) < length:
            part = self._reading.read(length - len(body))
            if not part:
                return None
            body += part
        try:
            message = json.loads(body)
        except ValueError:
            raise ValueError("a message is not JSON") from None
        if not isinstance(message, dict):
            raise ValueError("a message is not an object")
        return message

    def write(self, message: dict[str, Any]) -> None:
        """Write a message with the next sequence number. Raises OSError if the editor has disconnected."""
        with self._lock:
            self._number += 1
            body = json.dumps({"seq": self._number, **message}).encode()
            self._writing.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self._writing.flush()
