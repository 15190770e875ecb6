"""Runs debug sessions: one over standard input and output, or one for each connection to a port on this computer."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from collections.abc import Callable

from pinebench.debugger.protocol import Stream
from pinebench.debugger.server import DebugServer

LOOPBACK = "127.0.0.1"
"""The only address that the adapter listens on, so that nothing outside this computer can connect."""


def serve() -> str:
    """Serve one editor over standard input and output until it disconnects. Return the error in its messages, or an
    empty string."""
    output = sys.stdout
    sys.stdout = sys.stderr  # standard output is used by the protocol
    try:
        # The thread that reads may still wait when Python ends, which it may not with the lock of sys.stdin.
        reading = os.fdopen(os.dup(sys.stdin.fileno()), "rb")
        return DebugServer(Stream(reading, os.fdopen(os.dup(output.fileno()), "wb"))).serve()
    finally:
        sys.stdout = output


def listen(port: int) -> socket.socket:
    """Return a socket that listens at a port on this computer. Raises OSError if the port is in use."""
    listening = socket.create_server((LOOPBACK, port))
    listening.listen()
    return listening


def serve_at(listening: socket.socket, tell: Callable[[str], None]) -> None:
    """Serve editors one after another, until this process ends. Call `tell` with each error in their messages."""
    while True:
        connection, _ = listening.accept()
        # Closing writes the last messages, which fails if the editor broke the connection.
        with (
            contextlib.suppress(OSError),
            connection,
            connection.makefile("rb") as reading,
            connection.makefile("wb") as writing,
        ):
            if problem := DebugServer(Stream(reading, writing)).serve():
                tell(problem)
