"""Messages between the adapter and the process that runs the script: one JSON value on each line."""

from __future__ import annotations

import json
import os
import queue
import select
import sys
import threading
from typing import Any

_PART = 1 << 16


class PipeClosed(Exception):
    """Raised if the other process has closed its end."""


class Channel:
    """Reads and writes messages on two file descriptors. It still works after a fork, except on Windows."""

    def __init__(self, reading: int, writing: int) -> None:
        self._reading = reading
        self._writing = writing
        self.left = b""
        """The bytes that were read and are not handled yet."""
        self._came: queue.SimpleQueue[bytes] | None = None
        if sys.platform == "win32":
            self._came = queue.SimpleQueue()
            threading.Thread(target=self._listen, args=(self._came,), daemon=True).start()

    def _listen(self, came: queue.SimpleQueue[bytes]) -> None:
        while part := os.read(self._reading, _PART):
            came.put(part)
        came.put(b"")

    def send(self, message: dict[str, Any]) -> None:
        """Write a message. Raises PipeClosed if the other process has closed its end."""
        view = memoryview(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        try:
            while view:
                view = view[os.write(self._writing, view) :]
        except OSError:
            raise PipeClosed from None

    def receive(self) -> dict[str, Any]:
        """Wait for the next message. Raises PipeClosed if there is none."""
        while b"\n" not in self.left:
            part = self._came.get() if self._came is not None else os.read(self._reading, _PART)
            if not part:
                raise PipeClosed
            self.left += part
        line, _, self.left = self.left.partition(b"\n")
        return json.loads(line)

    def has_message(self) -> bool:
        """Return whether a message, or the end of the pipe, can be read without waiting."""
        if b"\n" in self.left:
            return True
        if self._came is not None:
            return not self._came.empty()
        return bool(select.select([self._reading], [], [], 0)[0])
