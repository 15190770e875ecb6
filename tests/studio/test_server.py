"""The HTTP server: this computer only, its own pages only, and no request brings it down."""

from __future__ import annotations

import http.client
import json
import logging
import socket
import threading
from collections.abc import Iterator

import pytest

from pinebench.errors import UnavailableError
from pinebench.studio.server import HOST, Server
from pinebench.studio.web import Request, Response, json_response

LIMIT = 120.0


class Echo:
    """Answers with what it was asked."""

    def handle(self, request: Request) -> Response:
        if request.path == "/fail":
            raise RuntimeError("on purpose")
        return json_response([request.method, request.path, request.query, request.body.decode("utf-8", "replace")])

    def refusal(self, request: Request, length: int) -> Response | None:
        return json_response("too large", 413) if length > (10 if request.path == "/small" else 1_000_000) else None


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(Echo()) as running:
        yield running


def ask(
    server: Server, method: str = "GET", path: str = "/", body: bytes | None = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection(HOST, server.port, timeout=LIMIT)
    try:
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def test_a_request_arrives_decoded(server: Server) -> None:
    status, headers, body = ask(server, "POST", "/a%20b%3B?x=1%262&y=", "ä".encode())
    assert (status, json.loads(body)) == (200, ["POST", "/a b;", {"x": "1&2", "y": ""}, "ä"])
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert headers["Cache-Control"] == "no-store"
    assert "Access-Control-Allow-Origin" not in headers


@pytest.mark.parametrize(
    "host",
    ["evil.test", "evil.test:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil.test:{port}", "0.0.0.0:{port}", ""],
)
def test_a_foreign_host_is_refused(server: Server, host: str) -> None:
    assert ask(server, Host=host.format(port=server.port))[0] == 403


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "LOCALHOST:{port}"])
def test_its_own_names_are_served(server: Server, host: str) -> None:
    assert ask(server, Host=host.format(port=server.port))[0] == 200


@pytest.mark.parametrize(
    "origin",
    ["http://evil.test", "null", "https://127.0.0.1:{port}", "http://127.0.0.1", "http://127.0.0.1:1", "file://", ""],
)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT"])
def test_a_foreign_origin_is_refused(server: Server, origin: str, method: str) -> None:
    assert ask(server, method, Origin=origin.format(port=server.port))[0] == 403


def test_its_own_origin_is_served(server: Server) -> None:
    assert ask(server, "POST", Origin=f"http://127.0.0.1:{server.port}")[0] == 200


@pytest.mark.parametrize(
    ("site", "mode", "status"),
    [
        ("cross-site", "no-cors", 403),
        ("same-site", "cors", 403),
        ("cross-site", "navigate", 200),
        ("same-origin", "cors", 200),
        ("none", "navigate", 200),
    ],
)
def test_what_another_sites_page_embeds_is_refused(server: Server, site: str, mode: str, status: int) -> None:
    assert ask(server, Sec_Fetch_Site=site, Sec_Fetch_Mode=mode)[0] == status


def test_it_listens_on_the_loopback_address_only(server: Server) -> None:
    try:
        names = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:
        names = []  # a machine need not know itself by name
    for address in {"127.0.0.2", *(name[4][0] for name in names)} - {HOST}:
        with pytest.raises(OSError):
            socket.create_connection((str(address), server.port), timeout=2).close()


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: -1\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: x\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: 99999999999\r\n\r\n", 413),
        (b"POST / HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
        (b"POST /small HTTP/1.1\r\nHost: {host}\r\nContent-Length: 11\r\n\r\n", 413),
        (b"GET http://[ HTTP/1.1\r\nHost: {host}\r\n\r\n", 400),
        (b"GET /?" + b"a&" * 1000 + b" HTTP/1.1\r\nHost: {host}\r\n\r\n", 400),
        (b"DELETE / HTTP/1.1\r\nHost: {host}\r\n\r\n", 501),
        (b"GET / HTTP/1.1\r\n\r\n", 403),
    ],
)
def test_malformed_requests_are_answered(server: Server, raw: bytes, status: int) -> None:
    with socket.create_connection((HOST, server.port), timeout=LIMIT) as connection:
        connection.sendall(raw.replace(b"{host}", f"{HOST}:{server.port}".encode()))
        assert str(status) in connection.makefile("rb").readline().decode()
    assert ask(server)[0] == 200


def test_a_body_that_never_ends_is_given_up(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pinebench.studio.server._BODY_SECONDS", -1)
    with socket.create_connection((HOST, server.port), timeout=LIMIT) as connection:
        connection.sendall(f"POST / HTTP/1.1\r\nHost: {HOST}:{server.port}\r\nContent-Length: 9\r\n\r\nab".encode())
        assert connection.recv(1) == b""
    assert ask(server)[0] == 200


@pytest.mark.parametrize(("path", "host", "status"), [("/small", None, 413), ("/", "evil.test", 403)])
def test_who_is_refused_with_a_large_body_still_reads_why(
    server: Server, path: str, host: str | None, status: int
) -> None:
    headers = {} if host is None else {"Host": host}
    assert ask(server, "POST", path, b"x" * 8_000_000, **headers)[0] == status


def test_a_failing_answer_is_a_500_and_the_next_request_works(server: Server) -> None:
    assert ask(server, path="/fail")[0] == 500
    assert ask(server)[0] == 200


def test_a_client_that_leaves_in_mid_request_does_no_harm(server: Server) -> None:
    for _ in range(20):
        with socket.create_connection((HOST, server.port), timeout=LIMIT) as connection:
            connection.sendall(
                f"POST / HTTP/1.1\r\nHost: {HOST}:{server.port}\r\nContent-Length: 100\r\n\r\nabc".encode()
            )
    assert ask(server)[0] == 200


def test_many_clients_at_once(server: Server) -> None:
    answers: list[int] = []

    def work() -> None:
        answers.extend(ask(server, path=f"/{i}")[0] for i in range(20))

    threads = [threading.Thread(target=work) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
    assert answers == [200] * 320


def test_a_taken_port_is_said(server: Server) -> None:
    with pytest.raises(UnavailableError, match=str(server.port)):
        Server(Echo(), server.port)


def test_a_request_that_closing_cut_short_is_no_news(caplog: pytest.LogCaptureFixture) -> None:
    arrived, closed = threading.Event(), threading.Event()

    class Cut:
        """Still at work on a request while its store is closed."""

        def handle(self, request: Request) -> Response:
            arrived.set()
            assert closed.wait(LIMIT)
            raise ValueError("the store is closed")

        def refusal(self, request: Request, length: int) -> Response | None:
            return None

    server = Server(Cut())
    with socket.create_connection((HOST, server.port), timeout=LIMIT) as connection:
        connection.sendall(f"GET / HTTP/1.1\r\nHost: {HOST}:{server.port}\r\n\r\n".encode())
        assert arrived.wait(LIMIT)
        server.close()
        closed.set()
        assert connection.recv(1) == b""
    assert [record for record in caplog.records if record.levelno > logging.DEBUG] == []


def test_nothing_listens_after_closing() -> None:
    server = Server(Echo())
    server.close()
    with pytest.raises(OSError):
        socket.create_connection((HOST, server.port), timeout=2).close()


def test_a_token_is_in_no_log(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        ask(server, path="/chart/?a=1&token=secret-one&b=2")
        ask(server, path="/fail?token=secret-two")
        assert ask(server)[0] == 200
    assert "/chart/?a=1&token=…&b=2" in caplog.text
    assert "secret" not in caplog.text
