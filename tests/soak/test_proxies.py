"""The recipes for nginx and Caddy, with the real programs: addresses, streams and limits behind them.

They listen on port 443 of a loopback address, so these tests need root, and the programs from Debian's packages.
"""

import http.client
import json
import os
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pinebench.mcp.web.metrics import Figures
from tests.engine.exchange import until
from tests.mcp.web.support import Engine, Server, Visitor, pkce

pytestmark = pytest.mark.soak

DEPLOY = Path(__file__).parents[2] / "docs" / "deploy"
HOST = "charts.example.org"
BASE = f"https://{HOST}"
PLACES = {"nginx": "127.0.77.1", "caddy": "127.0.77.2"}


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for the public host, and its key."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), False)
        .sign(key, hashes.SHA256())
    )
    paths = folder / "cert.pem", folder / "key.pem"
    paths[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    form = serialization.PrivateFormat.PKCS8
    paths[1].write_bytes(key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()))
    return paths


class Outside(Visitor):
    """A visitor of the public address."""

    def __init__(self, place: str, trusted: Path) -> None:
        super().__init__(443)
        self.url = BASE
        self._place = place
        self._context = ssl.create_default_context(cafile=str(trusted))

    def connect(self) -> http.client.HTTPConnection:
        connection = http.client.HTTPConnection(HOST, 80, timeout=20)
        plain = socket.create_connection((self._place, 443), 20)
        connection.sock = self._context.wrap_socket(plain, server_hostname=HOST)
        return connection


def nginx(folder: Path, place: str, port: int, cert: Path, key: Path) -> list[str]:
    recipe = (DEPLOY / "nginx.conf").read_text()
    for old, new in {
        "listen 443": f"listen {place}:443",
        f"/etc/ssl/{HOST}.pem": str(cert),
        f"/etc/ssl/{HOST}.key": str(key),
        "127.0.0.1:9315": f"127.0.0.1:{port}",
    }.items():
        assert old in recipe
        recipe = recipe.replace(old, new)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    whole = f"user root; pid {folder}/pid; daemon off; error_log {folder}/error;\nevents {{}}\n"
    whole += f"http {{ access_log off;\n{temporary}{recipe} }}\n"
    (folder / "nginx.conf").write_text(whole)
    return ["nginx", "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, place: str, port: int, cert: Path, key: Path) -> list[str]:
    recipe = (DEPLOY / "Caddyfile").read_text()
    assert "127.0.0.1:9315" in recipe
    recipe = recipe.replace("127.0.0.1:9315", f"127.0.0.1:{port}")
    recipe = recipe.replace("{\n", f"{{\n\tbind {place}\n\ttls {cert} {key}\n", 1)
    (folder / "Caddyfile").write_text("{\n\tadmin off\n\tauto_https disable_redirects\n}\n" + recipe)
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


@pytest.fixture(params=["nginx", "caddy"])
def behind(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Server, Outside]]:
    """A server with an engine, and a visitor who reaches it through a proxy."""
    name: str = request.param
    if shutil.which(name) is None or os.geteuid() != 0:
        pytest.skip(f"needs {name} and root")
    engine = Engine()
    cert, key = certificate(tmp_path)
    with Server(tmp_path, base=BASE, engine=engine, figures=Figures(engine.health)) as server:
        command = {"nginx": nginx, "caddy": caddy}[name](tmp_path, PLACES[name], server.port, cert, key)
        settings = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
        with (tmp_path / "said").open("wb") as said:
            proxy = subprocess.Popen(command, stdout=said, stderr=said, env=settings)
        try:
            until(lambda: is_open(PLACES[name]) or proxy.poll() is not None)
            assert proxy.poll() is None, (tmp_path / "said").read_text()
            yield server, Outside(PLACES[name], cert)
        finally:
            proxy.terminate()
            proxy.wait(20)


def is_open(place: str) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((place, 443)) == 0


def test_the_addresses_are_the_public_ones(behind: tuple[Server, Outside]) -> None:
    _, outside = behind
    for headers in ({}, {"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http", "Forwarded": "host=evil"}):
        told = outside.ask("GET", "/.well-known/oauth-authorization-server", headers=headers).told
        assert told["issuer"] == BASE
        ends = [value for name, value in told.items() if name.endswith("_endpoint")]
        assert len(ends) >= 4 and all(each.startswith(f"{BASE}/") for each in ends)
        resource = outside.ask("GET", "/.well-known/oauth-protected-resource/mcp", headers=headers).told
        assert (resource["resource"], resource["authorization_servers"]) == (f"{BASE}/mcp", [BASE])
        refused = outside.say({"jsonrpc": "2.0", "id": 1, "method": "ping"}, headers=headers)
        assert refused.status == 401
        named = f'resource_metadata="{BASE}/.well-known/oauth-protected-resource/mcp"'
        assert named in refused.headers["www-authenticate"]
        assert outside.ask("GET", "/", headers=headers).headers["strict-transport-security"]


def test_a_client_logs_in_calls_and_refreshes(behind: tuple[Server, Outside]) -> None:
    _, outside = behind
    page = outside.begin(outside.client(), pkce().challenge)
    cookie = page.headers["set-cookie"].lower()
    assert "secure" in cookie and "httponly" in cookie
    told = outside.log_in()
    assert outside.call("list_indicators", told["access_token"]).status == 200
    again = outside.refresh(told["client_id"], told["refresh_token"])
    assert again.status == 200
    assert not outside.is_let_in(told["access_token"])
    assert outside.is_let_in(again.told["access_token"])


def test_events_come_at_once_and_a_stream_is_taken_up_again(behind: tuple[Server, Outside]) -> None:
    server, outside = behind
    headers = {"Authorization": f"Bearer {outside.log_in()['access_token']}"}
    numbers: list[int] = []

    def next_event(answer: http.client.HTTPResponse) -> str:
        """The next event. The connection waits 20 seconds at most, so a proxy that keeps events back fails here."""
        while not (line := answer.readline()).startswith(b"data:"):
            assert line
            if line.startswith(b"id:"):
                numbers.append(int(line[3:]))
        return json.loads(line[5:])["params"]["alert_id"]

    for round in ("first", "second"):
        connection = outside.connect()
        last = {"Last-Event-ID": str(numbers[-1])} if numbers else {}
        connection.request("GET", "/mcp", headers={**headers, **last})
        answer = connection.getresponse()
        assert answer.readline() == b": connected\n"
        if round == "second":
            assert next_event(answer) == "nobody listened"
        for alert in range(3):
            server.engine.pushing.fire("owner", f"{round} {alert}")
            assert next_event(answer) == f"{round} {alert}"
        answer.close()
        connection.close()
        until(lambda: server.engine.pushing.open == 0)
        server.engine.pushing.fire("owner", "nobody listened")
    assert numbers == [1, 2, 3, 4, 5, 6, 7]


def test_other_names_and_large_bodies_end_at_the_proxy_or_the_server(behind: tuple[Server, Outside]) -> None:
    _, outside = behind
    other = outside.ask("GET", "/", headers={"Host": "evil.example"})
    assert b"pinebench" not in other.body
    token = outside.log_in()["access_token"]
    told = {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "y" * 3_900_000}}
    assert outside.say(told, token).status == 200
    told["params"] = {"x": "y" * 4_500_000}
    assert outside.say(told, token).status == 413
