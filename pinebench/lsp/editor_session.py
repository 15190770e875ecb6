"""Runs a server until its editor disconnects."""

from __future__ import annotations

import logging
import os
import sys

from pinebench.lsp.features import register
from pinebench.lsp.server import PineLanguageServer

LOOPBACK = "127.0.0.1"
"""The only address that the server listens on, so that nothing outside this computer can connect."""


def make_server() -> PineLanguageServer:
    """Create a server with all handlers."""
    server = PineLanguageServer()
    register(server)
    return server


def serve(port: int | None = None) -> int:
    """Serve one editor until it disconnects, over standard input and output or at a TCP port on this computer. Return
    the exit code: 0 if the editor announced the end, otherwise 1."""
    if not logging.getLogger().handlers:  # logging was not configured, so only messages for people are shown
        logging.getLogger("pygls").setLevel(logging.CRITICAL)
    server = make_server()
    output = sys.stdout
    sys.stdout = sys.stderr  # standard output is used by the protocol
    try:
        if port is None:
            server.start_io(sys.stdin.buffer, os.fdopen(os.dup(output.fileno()), "wb"))
        else:
            server.start_tcp(LOOPBACK, port)
    finally:
        sys.stdout = output
    return 0 if server.was_told_to_end else 1
