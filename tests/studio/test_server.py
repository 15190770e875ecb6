"""The HTTP server: this computer only, its own pages only, and no request brings it down."""

import gc
import http.client
import json
import logging
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from pinebench.errors import UnavailableError
from pinebench.studio.server import HOST, StudioServer
from pinebench.studio.web import Response, StudioRequest, json_response

LIMIT = 120.0


class Echo:
    """Answers with what it was asked."""

    def handle(self, request: StudioRequest) -> Response:
        if request.path == "/fail":
            raise RuntimeError("on purpose")
        if request.path == "/unavailable":
            raise UnavailableError("the scripts cannot be saved: disk full", "make room")
        if request.path == "/large":
            return Response(200, b"x" * 20_000_000)
        return json_response([request.method, request.path, request.query, request.body.decode("utf-8", "replace")])

    def refusal(self, request: StudioRequest, length: int) -> Response | None:
        return json_response("too large", 413) if length > (10 if request.path == "/small" else 1_000_000) else None


@pytest.fixture
def server() -> Iterator[StudioServer]:
    with StudioServer(Echo()) as running:
        yield running


def ask(
    server: StudioServer, method: str = "GET", path: str = "/", body: bytes | None = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection(HOST, server.port, timeout=LIMIT)
    try:
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def read_all(connection: socket.socket) -> bytes:
    received = b""
    while part := connection.recv(1 << 16):
        received += part
    return received


def open_connections(server: StudioServer) -> list[Any]:
    return list(server._uvicorn.server_state.connections)  # pyright: ignore[reportPrivateUsage]


def wait_until(holds: Callable[[], object]) -> None:
    end = time.monotonic() + LIMIT
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_a_request_arrives_decoded(server: StudioServer) -> None:
    status, headers, body = ask(server, "POST", "/a%20b%3B?x=1%262&y=", "ä".encode())
    assert (status, json.loads(body)) == (200, ["POST", "/a b;", {"x": "1&2", "y": ""}, "ä"])
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert headers["Cache-Control"] == "no-store"
    assert "Access-Control-Allow-Origin" not in headers


@pytest.mark.parametrize(
    "host",
    ["evil.test", "evil.test:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil.test:{port}", "0.0.0.0:{port}", ""],
)
def test_a_foreign_host_is_refused(server: StudioServer, host: str) -> None:
    assert ask(server, Host=host.format(port=server.port))[0] == 403


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "LOCALHOST:{port}"])
def test_its_own_names_are_served(server: StudioServer, host: str) -> None:
    assert ask(server, Host=host.format(port=server.port))[0] == 200


@pytest.mark.parametrize(
    "origin",
    ["http://evil.test", "null", "https://127.0.0.1:{port}", "http://127.0.0.1", "http://127.0.0.1:1", "file://", ""],
)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT"])
def test_a_foreign_origin_is_refused(server: StudioServer, origin: str, method: str) -> None:
    assert ask(server, method, Origin=origin.format(port=server.port))[0] == 403


def test_its_own_origin_is_served(server: StudioServer) -> None:
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
def test_what_another_sites_page_embeds_is_refused(server: StudioServer, site: str, mode: str, status: int) -> None:
    assert ask(server, Sec_Fetch_Site=site, Sec_Fetch_Mode=mode)[0] == status


def test_it_listens_on_the_loopback_address_only(server: StudioServer) -> None:
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
        (b"PATCH / HTTP/1.1\r\nHost: {host}\r\n\r\n", 501),
        (b"DELETE / HTTP/1.1\r\nHost: {host}\r\nContent-Length: -1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.0\r\n\r\n", 403),
    ],
)
def test_malformed_requests_are_answered(server: StudioServer, raw: bytes, status: int) -> None:
    with socket.create_connection((HOST, server.port), timeout=LIMIT) as connection:
        connection.sendall(raw.replace(b"{host}", f"{HOST}:{server.port}".encode()))
        assert str(status) in connection.makefile("rb").readline().decode()
    assert ask(server)[0] == 200


def test_a_body_that_never_ends_is_given_up(server: StudioServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pinebench.studio.server._BODY_SECONDS", -1)
    with socket.create_connection((HOST, server.port), timeout=LIMIT) as connection:
        connection.sendall(f"POST / HTTP/1.1\r\nHost: {HOST}:{server.port}\r\nContent-Length: 9\r\n\r\nab".encode())
        assert connection.recv(1) == b""
    assert ask(server)[0] == 200


@pytest.mark.parametrize("start", [b"", b"G", b"GET / HTTP/1.1\r\nHost: 127.0"])
def test_a_head_that_never_ends_is_given_up(
    server: StudioServer, monkeypatch: pytest.MonkeyPatch, start: bytes
) -> None:
    monkeypatch.setattr("pinebench.studio.server._IDLE_SECONDS", 0)
    with socket.create_connection((HOST, server.port), timeout=LIMIT) as connection, suppress(ConnectionError):
        connection.sendall(start)
        assert connection.recv(1) == b""
    monkeypatch.undo()
    assert ask(server)[0] == 200


def test_the_head_of_a_later_request_has_its_time_too(server: StudioServer, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_connection((HOST, server.port), timeout=LIMIT) as connection:
        wait_until(lambda: open_connections(server))  # whose first head has time
        monkeypatch.setattr("pinebench.studio.server._IDLE_SECONDS", 0)
        connection.sendall(f"GET / HTTP/1.1\r\nHost: {HOST}:{server.port}\r\n\r\nGET / HT".encode())
        assert b'["GET","/",{},""]' in read_all(connection)
    monkeypatch.undo()
    assert ask(server)[0] == 200


def test_who_takes_no_answers_keeps_nothing_waiting(server: StudioServer, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_connection((HOST, server.port), timeout=LIMIT) as connection:
        wait_until(lambda: open_connections(server))
        monkeypatch.setattr("pinebench.studio.server._IDLE_SECONDS", 0)
        connection.sendall(f"GET /large HTTP/1.1\r\nHost: {HOST}:{server.port}\r\n\r\n".encode() * 3)
        wait_until(lambda: not open_connections(server))
    monkeypatch.undo()
    assert ask(server)[0] == 200


@pytest.mark.parametrize(
    "raw",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"\r\n\r\n\r\n",
        b"GET /\x00 HTTP/1.1\r\nHost: {host}\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: {host}\r\nHost: evil.test\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: {host}\r\nX: " + b"x" * 200_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: {host}\r\n" + b"X: y\r\n" * 50_000 + b"\r\n",
        b"GET /" + b"x" * 200_000 + b" HTTP/1.1\r\nHost: {host}\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
        b"POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"POST /x HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\nnot a chunk at all\r\n",
        b"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n" + b"\xff" * 100_000,
        b"GET / HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"CONNECT evil.test:443 HTTP/1.1\r\nHost: {host}\r\n\r\n",
        b"OPTIONS * HTTP/1.1\r\nHost: {host}\r\n\r\n",
        b"GET HTTP/1.1\r\n\r\n",
        b"GET /?%00%ff%zz&&==&token HTTP/1.1\r\nHost: {host}\r\n\r\n",
    ],
)
def test_what_is_no_request_of_ours_is_nobodys_news(
    server: StudioServer, raw: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    with socket.create_connection((HOST, server.port), timeout=LIMIT) as connection:
        with suppress(OSError):
            connection.sendall(raw.replace(b"{host}", f"{HOST}:{server.port}".encode()))
            connection.shutdown(socket.SHUT_WR)
        with suppress(OSError):
            read_all(connection)
    assert ask(server)[0] == 200
    assert [record.getMessage() for record in caplog.records if record.levelno > logging.DEBUG] == []


def test_requests_one_behind_the_other_are_answered_in_order(server: StudioServer) -> None:
    with socket.create_connection((HOST, server.port), timeout=LIMIT) as connection:
        head = f" HTTP/1.1\r\nHost: {HOST}:{server.port}\r\nContent-Length: 2\r\n\r\n"
        connection.sendall("".join(f"POST /{i}{head}b{i}" for i in range(9)).encode())
        received = b""
        while b'"/8"' not in received:
            received += connection.recv(1 << 16)
    assert re.findall(rb'"/(\d)",{},"b(\d)"', received) == [(b"%d" % i, b"%d" % i) for i in range(9)]


def test_who_asks_first_whether_to_send_a_body_is_told(server: StudioServer) -> None:
    for path, answer in (("/", b"HTTP/1.1 100 "), ("/small", b"HTTP/1.1 413 ")):
        with socket.create_connection((HOST, server.port), timeout=LIMIT) as connection:
            head = f"POST {path} HTTP/1.1\r\nHost: {HOST}:{server.port}\r\nContent-Length: 11\r\n"
            connection.sendall(f"{head}Expect: 100-continue\r\n\r\n".encode())
            assert connection.makefile("rb").readline().startswith(answer)


def test_small_answers_are_sent_at_once(server: StudioServer) -> None:
    with socket.create_connection((HOST, server.port), timeout=LIMIT):
        wait_until(lambda: open_connections(server))
        (connection,) = open_connections(server)
        accepted = connection.transport.get_extra_info("socket")
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.parametrize(("path", "host", "status"), [("/small", None, 413), ("/", "evil.test", 403)])
def test_who_is_refused_with_a_large_body_still_reads_why(
    server: StudioServer, path: str, host: str | None, status: int
) -> None:
    headers = {} if host is None else {"Host": host}
    assert ask(server, "POST", path, b"x" * 8_000_000, **headers)[0] == status


def test_a_failing_answer_is_a_500_and_the_next_request_works(server: StudioServer) -> None:
    assert ask(server, path="/fail")[0] == 500
    assert ask(server)[0] == 200


def test_what_cannot_be_done_now_is_said_in_words(server: StudioServer) -> None:
    status, _, body = ask(server, path="/unavailable")
    assert (status, json.loads(body)) == (503, {"error": "the scripts cannot be saved: disk full (make room)"})


def test_a_client_that_leaves_in_mid_request_does_no_harm(server: StudioServer) -> None:
    for _ in range(20):
        with socket.create_connection((HOST, server.port), timeout=LIMIT) as connection:
            connection.sendall(
                f"POST / HTTP/1.1\r\nHost: {HOST}:{server.port}\r\nContent-Length: 100\r\n\r\nabc".encode()
            )
    assert ask(server)[0] == 200


def test_many_clients_at_once(server: StudioServer) -> None:
    answers: list[int] = []

    def work() -> None:
        answers.extend(ask(server, path=f"/{i}")[0] for i in range(20))

    threads = [threading.Thread(target=work) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
    assert answers == [200] * 320


def test_a_taken_port_is_said(server: StudioServer) -> None:
    with pytest.raises(UnavailableError, match=str(server.port)):
        StudioServer(Echo(), server.port)


def test_a_request_that_closing_cut_short_is_no_news(caplog: pytest.LogCaptureFixture) -> None:
    arrived, closed = threading.Event(), threading.Event()

    class Cut:
        """Still at work on a request while its store is closed."""

        def handle(self, request: StudioRequest) -> Response:
            arrived.set()
            assert closed.wait(LIMIT)
            raise ValueError("the store is closed")

        def refusal(self, request: StudioRequest, length: int) -> Response | None:
            return None

    server = StudioServer(Cut())
    with socket.create_connection((HOST, server.port), timeout=LIMIT) as connection:
        connection.sendall(f"GET / HTTP/1.1\r\nHost: {HOST}:{server.port}\r\n\r\n".encode())
        assert arrived.wait(LIMIT)
        server.close()
        closed.set()
        assert connection.recv(1) == b""
    assert [record for record in caplog.records if record.levelno > logging.DEBUG] == []


@pytest.mark.filterwarnings("error")
def test_closing_while_clients_come_leaves_nothing_behind(caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(20):
        server = StudioServer(Echo())
        done = threading.Event()

        def come(port: int = server.port, done: threading.Event = done) -> None:
            while not done.is_set():
                with suppress(OSError), socket.create_connection((HOST, port), timeout=LIMIT) as connection:
                    connection.sendall(f"GET / HTTP/1.1\r\nHost: {HOST}:{port}\r\n\r\n".encode())
                    connection.recv(10)

        clients = [threading.Thread(target=come) for _ in range(4)]
        for client in clients:
            client.start()
        wait_until(lambda server=server: server._uvicorn.server_state.total_requests > 5)  # pyright: ignore[reportPrivateUsage]
        server.close()
        done.set()
        for client in clients:
            client.join(LIMIT)
    gc.collect()
    assert [record.getMessage() for record in caplog.records if record.levelno > logging.DEBUG] == []


def test_nothing_listens_after_closing() -> None:
    server = StudioServer(Echo())
    server.close()
    with pytest.raises(OSError):
        socket.create_connection((HOST, server.port), timeout=2).close()


def test_a_token_is_in_no_log(server: StudioServer, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        ask(server, path="/chart/?a=1&token=secret-one&b=2")
        ask(server, path="/fail?token=secret-two")
        assert ask(server)[0] == 200
    assert "/chart/?a=1&token=…&b=2" in caplog.text
    assert "secret" not in caplog.text
