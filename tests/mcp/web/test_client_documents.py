"""Metadata documents of clients: real fetches by TLS from this computer, which only these tests allow."""

import datetime
import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from pinebench.mcp.web import client_documents
from pinebench.mcp.web.client_documents import LARGEST, RefusedError, RemoteDocuments

HOST = "client.example"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of `HOST`, which signs itself, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path_factory.mktemp("tls") / "both.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return file


class Host:
    """Answers requests by TLS, one at a time, with bytes that a test chooses."""

    def __init__(self, certificate: Path) -> None:
        self.answer: bytes | None = b""
        self.asked: list[bytes] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def client_id(self) -> str:
        return f"https://{HOST}:{self.port}/client.json"

    def close(self) -> None:
        self._listening.close()

    def _run(self) -> None:
        while True:
            try:
                plain, _ = self._listening.accept()
            except OSError:
                return
            try:
                with self._context.wrap_socket(plain, server_side=True) as line:
                    self.asked.append(line.recv(4_000))
                    if self.answer is None:
                        line.recv(1)
                    else:
                        line.sendall(self.answer)
            except OSError:
                continue


@pytest.fixture
def host(certificate: Path) -> Iterator[Host]:
    found = Host(certificate)
    yield found
    found.close()


def fetched(certificate: Path, client_id: str, clock: Callable[[], float] = lambda: 0.0) -> RemoteDocuments:
    async def resolve(name: str, port: int) -> list[str]:
        del port
        assert name == HOST
        return ["127.0.0.1"]

    trust = ssl.create_default_context(cafile=str(certificate))
    found = RemoteDocuments(resolve, lambda address: address == "127.0.0.1", trust, clock)

    async def look() -> None:
        await found.client(client_id)

    anyio.run(look)
    return found


def document(client_id: str, **more: Any) -> bytes:
    told = {"client_id": client_id, "client_name": "Claude", "redirect_uris": ["http://127.0.0.1/cb"], **more}
    return response(json.dumps(told).encode())


def response(body: bytes, status: str = "200 OK", more: str = "") -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n{more}\r\n"
    return head.encode() + body


def test_a_document_is_fetched_once_and_again_after_an_hour(certificate: Path, host: Host) -> None:
    now = 0.0
    host.answer = document(host.client_id)
    found = fetched(certificate, host.client_id, lambda: now)

    async def look() -> tuple[str | None, str]:
        client = await found.client(host.client_id)
        assert client.redirect_uris is not None and client.token_endpoint_auth_method == "none"
        return client.client_name, str(client.redirect_uris[0])

    assert anyio.run(look) == ("Claude", "http://127.0.0.1/cb") and len(host.asked) == 1
    assert f"Host: {HOST}:{host.port}".lower().encode() in host.asked[0].lower()
    now = 3_601.0
    anyio.run(look)
    assert len(host.asked) == 2


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda own: document(own + "x"), "another client_id"),
        (lambda own: document(own, redirect_uris=["https://a.example/#x"]), "fragment"),
        (lambda own: document(own, redirect_uris=["javascript:alert(1)"]), "scheme"),
        (lambda own: document(own, redirect_uris=[]), "redirect addresses"),
        (lambda own: document(own, redirect_uris=["http://127.0.0.1/"] * 21), "redirect addresses"),
        (lambda own: document(own, token_endpoint_auth_method="client_secret_post"), "secret"),
        (lambda own: document(own, client_secret="x"), "secret"),
        (lambda own: document(own, client_name=7), "not valid"),
        (lambda own: response(b"[]"), "not valid"),
        (lambda own: response(b"{"), "not valid"),
        (lambda own: response(b"x" * (LARGEST + 1)), "bytes"),
        (lambda own: response(b"", "302 Found", "Location: https://169.254.169.254/\r\n"), "302"),
        (lambda own: response(b"", "404 Not Found"), "404"),
        (lambda own: response(b"\x1f\x8b", more="Content-Encoding: gzip\r\n"), "compressed"),
        (lambda own: b"garbage\r\n\r\n", "cannot be fetched"),
        (lambda own: b"", "cannot be fetched"),
    ],
)
def test_a_document_that_is_not_good_is_refused(
    answer: Callable[[str], bytes], words: str, certificate: Path, host: Host
) -> None:
    host.answer = answer(host.client_id)
    with pytest.raises(RefusedError, match=words):
        fetched(certificate, host.client_id)
    assert len(host.asked) == 1


def test_a_slow_document_is_not_waited_for(certificate: Path, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_documents, "SECONDS", 0.2)
    host.answer = None
    with pytest.raises(RefusedError, match="TimeoutError"):
        fetched(certificate, host.client_id)


def test_a_certificate_must_be_of_the_host(certificate: Path, host: Host) -> None:
    async def resolve(name: str, port: int) -> list[str]:
        del name, port
        return ["127.0.0.1"]

    trust = ssl.create_default_context(cafile=str(certificate))
    found = RemoteDocuments(resolve, lambda _: True, trust)

    async def look() -> None:
        with pytest.raises(RefusedError, match="cannot be fetched"):
            await found.client(f"https://other.example:{host.port}/client.json")

    anyio.run(look)
    assert not host.asked
