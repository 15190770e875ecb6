"""Servers that misbehave: what listens at the port is no browser, or a browser that answers nonsense."""

import base64
import contextlib
import hashlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pinebench.errors import UnavailableError
from pinebench.tradingview import browser, tab, targets
from pinebench.tradingview.connection import Connection
from pinebench.tradingview.errors import ConnectionFailed, ProtocolError
from pinebench.tradingview.tab import Tab
from tests.tradingview.support import CHART, LIMIT, Stage, quickest, until


class Impostor:
    """A debug port that lists one chart and treats its WebSocket as the test wants."""

    def __init__(self, behave: Callable[[socket.socket], None], status: str = "101 Switching Protocols") -> None:
        self.behave = behave
        self.status = status
        self.upgrades = 0
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        self.open: list[socket.socket] = []
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self.server.accept()
            except OSError:
                return
            self.open.append(client)
            threading.Thread(target=self._talk, args=(client,), daemon=True).start()

    def _talk(self, client: socket.socket) -> None:
        request = b""
        while b"\r\n\r\n" not in request:
            part = client.recv(4096)
            if not part:
                return
            request += part
        if b"Upgrade: websocket" not in request:
            listed = json.dumps([{"id": "AB", "type": "page", "title": "", "url": CHART}]).encode()
            client.sendall(
                b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(listed), listed)
            )
            client.close()
            return
        self.upgrades += 1
        key = request.split(b"Sec-WebSocket-Key: ")[1].split(b"\r\n")[0]
        accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
        client.sendall(f"HTTP/1.1 {self.status}\r\n".encode())
        client.sendall(b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n" % accept)
        try:
            self.behave(client)
        except OSError:
            return

    def close(self) -> None:
        self.server.close()
        for client in self.open:
            client.close()


@pytest.fixture
def impostor() -> Iterator[Callable[..., Impostor]]:
    """Makes impostors and closes them."""
    made: list[Impostor] = []

    def make(*args: Any) -> Impostor:
        made.append(Impostor(*args))
        return made[-1]

    yield make
    for one in made:
        one.close()


def frame(payload: bytes, opcode: int = 1) -> bytes:
    length = len(payload)
    size = bytes([length]) if length < 126 else b"\x7f" + length.to_bytes(8, "big")
    return bytes([0x80 | opcode]) + size + payload


def read_frame(client: socket.socket) -> dict[str, Any]:
    head = client.recv(2, socket.MSG_WAITALL)
    if len(head) < 2:
        raise OSError("the client has gone")
    length = head[1] & 127
    if length == 126:
        length = int.from_bytes(client.recv(2, socket.MSG_WAITALL), "big")
    mask = client.recv(4, socket.MSG_WAITALL)
    data = client.recv(length, socket.MSG_WAITALL)
    return json.loads(bytes(byte ^ mask[index % 4] for index, byte in enumerate(data)))


def fails_with(port: int, reason: str) -> float:
    """The seconds that one attempt takes to fail with `reason`; compare only the `quickest` of several."""
    started = time.monotonic()
    with pytest.raises(ConnectionFailed, match=reason):
        Connection("127.0.0.1", port, wait=False).evaluate("1")
    return time.monotonic() - started


def test_a_close_frame_wakes_the_caller(impostor: Callable[..., Impostor]) -> None:
    def behave(client: socket.socket) -> None:
        read_frame(client)
        client.sendall(frame(b"\x03\xe8", 8))
        client.recv(100)

    port = impostor(behave).port
    assert quickest(lambda: fails_with(port, "lost: the page or the browser was closed"), 1) < 1


def test_an_abrupt_end_wakes_the_caller(impostor: Callable[..., Impostor]) -> None:
    port = impostor(lambda client: client.close()).port
    assert quickest(lambda: fails_with(port, "lost"), 1) < 1


def test_an_answer_that_is_no_json_ends_the_connection(impostor: Callable[..., Impostor]) -> None:
    port = impostor(lambda client: client.sendall(frame(b"what?"))).port
    assert quickest(lambda: fails_with(port, "lost"), 1) < 1


@pytest.mark.parametrize("text", [b"5", b"[1]", b'{"method": [1]}', b'{"id": {}}', b"[" * 100_000])
def test_json_that_is_no_message_ends_the_connection(
    impostor: Callable[..., Impostor], text: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    port = impostor(lambda client: client.sendall(frame(text))).port
    assert quickest(lambda: fails_with(port, "not speak the DevTools protocol"), 1) < 1
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("answer", [{"result": [1]}, {"error": "no"}, {"result": {"result": [1]}}, {"result": 5}])
def test_an_answer_of_another_shape_is_no_live_page(impostor: Callable[..., Impostor], answer: dict[str, Any]) -> None:
    def behave(client: socket.socket) -> None:
        while True:
            client.sendall(frame(json.dumps({"id": read_frame(client)["id"], **answer}).encode()))

    port = impostor(behave).port
    assert quickest(lambda: fails_with(port, "does not answer|unexpected form"), 8) < 8


def test_a_redirection_is_not_followed(impostor: Callable[..., Impostor]) -> None:
    other = impostor(lambda _: None)
    redirecting = impostor(lambda _: None, f"302 Found\r\nLocation: ws://127.0.0.1:{other.port}/devtools/page/AB")
    fails_with(redirecting.port, "does not speak the DevTools protocol")
    assert other.upgrades == 0


def dripping(prefix: bytes) -> Callable[[socket.socket], None]:
    """Sends `prefix`, then a byte every now and then, for longer than anybody waits."""

    def serve(client: socket.socket) -> None:
        client.recv(4096)
        client.sendall(prefix)
        for _ in range(600):
            client.sendall(b"[")
            time.sleep(0.05)

    return serve


@contextlib.contextmanager
def listener(serve: Callable[[socket.socket], None]) -> Iterator[int]:
    """A port at which every client is served by `serve`."""

    def work(client: socket.socket) -> None:
        with contextlib.suppress(OSError), client:
            serve(client)

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=work, args=(server.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize(
    ("serve", "reason"),
    [
        (dripping(b""), "did not answer in time"),
        (dripping(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"), "did not answer in time"),
        (lambda client: client.sendall(b"SSH-2.0-Server\r\n"), "does not speak HTTP"),
        (lambda client: client.sendall(bytes(range(256)) * 8), "does not speak HTTP"),
        (lambda client: client.close(), "reset|closed|does not speak HTTP"),
    ],
)
def test_a_port_that_is_no_browsers_is_given_up_within_the_limit(
    serve: Callable[[socket.socket], None], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = 1.0 if "in time" in reason else targets.LIST_TIMEOUT
    monkeypatch.setattr(targets, "LIST_TIMEOUT", limit)
    with listener(serve) as port:
        assert quickest(lambda: fails_with(port, reason), limit + 2) < limit + 2
        with pytest.raises(UnavailableError, match=f"port {port} is taken"):
            browser.launch(port=port)
    until(lambda: not any(isinstance(thread, threading.Timer) for thread in threading.enumerate()))


def test_a_handshake_that_drips_is_given_up_within_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tab, "PROBE_TIMEOUT", 1.0)

    def serve(client: socket.socket) -> None:
        if b"Upgrade: websocket" in client.recv(4096, socket.MSG_PEEK):
            return dripping(b"")(client)
        client.recv(4096)
        listed = json.dumps([{"id": "AB", "type": "page", "title": "", "url": CHART}]).encode()
        return client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(listed), listed))

    with listener(serve) as port:
        assert quickest(lambda: fails_with(port, "did not answer in time"), 4) < 4


def test_localhost_means_both_of_its_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    local = Connection("localhost", 1, wait=False)
    assert local._addresses() == ["127.0.0.1", "::1"]
    listed = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]"
    with listener(lambda client: client.sendall(listed) if client.recv(4096) else None) as port:
        local.port = port
        monkeypatch.setattr(local, "_addresses", lambda: ["127.0.0.2", "127.0.0.1"])  # the first one refuses
        with pytest.raises(ConnectionFailed, match="no chart is open"):
            local.evaluate("1")
    assert local.host == "127.0.0.1"


def test_a_silent_page_is_given_up_within_the_limit(impostor: Callable[..., Impostor]) -> None:
    port = impostor(lambda client: client.recv(1 << 20) and time.sleep(LIMIT)).port
    assert quickest(lambda: fails_with(port, "does not answer"), 5) < 5


def test_a_refused_client_is_told_what_helps_and_never_to_lower_a_guard(impostor: Callable[..., Impostor]) -> None:
    refusing = impostor(lambda _: None, "403 Forbidden")
    with pytest.raises(ConnectionFailed, match=r"refuses this client \(HTTP 403\)") as caught:
        Connection("127.0.0.1", refusing.port, wait=False).evaluate("1")
    assert "pinebench launch" in str(caught.value.hint)
    assert "--remote-allow-origins" not in f"{caught.value.message} {caught.value.hint}"


def test_unanswered_enables_do_not_matter(impostor: Callable[..., Impostor]) -> None:
    """On one Electron build Runtime.enable and its like are never answered."""

    def behave(client: socket.socket) -> None:
        while True:
            message = read_frame(client)
            if message["method"] != "Runtime.evaluate":
                continue
            value: Any = 1 if message["params"]["expression"] == "1" else {"href": CHART, "studio": None}
            answer = {"id": message["id"], "result": {"result": {"value": value}}}
            client.sendall(frame(json.dumps(answer).encode()[:125]))

    with Connection("127.0.0.1", impostor(behave).port, wait=False) as reached:
        assert reached.evaluate("1") == 1


def test_an_address_in_the_list_is_never_followed() -> None:
    """The list's own WebSocket address could point at another host; ours is built from the host that was asked."""
    tab = Tab("127.0.0.1", 1, targets.Target("a/../b?x", "page", "", CHART))
    assert tab._url == "ws://127.0.0.1:1/devtools/page/a%2F..%2Fb%3Fx"


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
def test_no_proxy_is_used_for_this_computer(stage: Stage, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.setenv(variable, "http://127.0.0.1:9")
    tab = stage.open()
    assert stage.connect(tab, wait=False).evaluate("1 + 1") == 2


def test_nothing_is_printed(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], recwarn: pytest.WarningsRecorder
) -> None:
    monkeypatch.setenv("DEBUG", "1")
    tab = stage.open()
    reached = stage.connect(tab)
    reached.evaluate("1")
    with pytest.raises(ProtocolError):
        reached.command("Nothing.atAll")
    reached.close()
    assert capfd.readouterr() == ("", "")
    assert not recwarn.list
