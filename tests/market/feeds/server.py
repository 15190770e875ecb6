"""A server on this machine that answers as Binance, Yahoo and alternative.me do, with faults on request."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

HOUR = 3_600_000
DAY = 24 * HOUR

Answer = Callable[[str, dict[str, str]], Any]


class Service:
    """What the server answers.

    `rows` gives the content for a path and its parameters. `faults` are HTTP statuses or bodies for the next requests,
    before it answers rightly. `now` is the clock of the server.
    """

    def __init__(self, rows: Answer, now: int) -> None:
        self.rows: Any = rows
        self.now = now
        self.faults: list[int | bytes] = []
        self.retry_after: str | None = None
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.url = ""


@contextmanager
def serving(service: Service) -> Iterator[Service]:
    """Run a server for `service`, whose address is then `service.url`."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            parameters = {name: values[0] for name, values in parse_qs(parts.query).items()}
            service.asked.append((parts.path, parameters))
            fault = service.faults.pop(0) if service.faults else None
            status, length = 200, None
            if isinstance(fault, int):
                status, body = fault, b'{"code": -1003, "msg": "Too many requests."}'
            elif isinstance(fault, bytes):
                body, length = fault.removesuffix(b"CUT"), len(fault) + 100 * fault.endswith(b"CUT")
                length = length if fault.endswith(b"CUT") else len(body)
            else:
                content = service.rows(parts.path, parameters)
                if isinstance(content, tuple):
                    status, content = content
                body = json.dumps(content).encode()
            self.send_response_only(status)
            self.send_header("Date", format_datetime(datetime.fromtimestamp(service.now / 1000, UTC), usegmt=True))
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(length or len(body)))
            if service.retry_after is not None and status != 200:
                self.send_header("Retry-After", service.retry_after)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    service.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
