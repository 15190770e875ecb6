"""A server on loopback that answers POST requests from this process: what every acting service of the tests is made
of."""

import http.server
import threading
from typing import Any, Self


class LoopbackServer:
    """Serves on a free port while used as a context manager; subclasses say in `respond` how a request is answered.

    `protocol` is the version of HTTP that it speaks: with HTTP/1.1 connections stay open and answers may be chunked.
    """

    protocol = "HTTP/1.0"

    def __init__(self) -> None:
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = self.protocol

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                try:
                    owner.respond(self, body)
                except OSError:
                    # The client has gone, as one that was called off may.
                    self.close_connection = True

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    @property
    def address(self) -> str:
        """Where it listens, without a path."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def respond(self, handler: http.server.BaseHTTPRequestHandler, body: bytes) -> None:
        """Answer one request; its own thread."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
