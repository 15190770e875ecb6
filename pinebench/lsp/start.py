"""Runs a server until its editor goes."""

from __future__ import annotations

import logging
import os
import sys

from pinebench.lsp.features import register
from pinebench.lsp.server import Server

LOOPBACK = "127.0.0.1"
"""Nothing listens beyond this computer."""


def make_server() -> Server:
    """A server that answers everything that it says it can."""
    server = Server()
    register(server)
    return server


def serve(port: int | None = None) -> int:
    """Speak with one editor until it goes: over standard input and output, or at a TCP port of this computer.

    Gives the exit code: 0 where the editor said that it goes, 1 where it did not.
    """
    if not logging.getLogger().handlers:  # nobody asked to see more than what people are told
        logging.getLogger("pygls").setLevel(logging.CRITICAL)
    server = make_server()
    output = sys.stdout
    sys.stdout = sys.stderr  # standard output is the protocol's
    try:
        if port is None:
            server.start_io(sys.stdin.buffer, os.fdopen(os.dup(output.fileno()), "wb"))
        else:
            server.start_tcp(LOOPBACK, port)
    finally:
        sys.stdout = output
    return 0 if server.was_told_to_end else 1
