"""What attacks on the door share: a table of them, and what an attacker does with bare bytes."""

import socket
from collections.abc import Callable
from typing import Any

from tests.mcp.web.support import Answer, Server

Attack = Callable[[Server], Any]


class AttackTable(dict[str, Attack]):
    """Attacks by their names. Each returns what it got; nothing is the right answer."""

    def attack(self, function: Attack) -> Attack:
        """Add an attack by the name of its function."""
        self[function.__name__] = function
        return function

    def several(self, name: str, given: list[Any], make: Callable[[Server, Any], Any]) -> None:
        """Add several attacks that differ in one value."""
        for at, value in enumerate(given):
            self[f"{name}-{at}-{str(value)[:40]!a}"] = lambda server, value=value: make(server, value)


def got_in(server: Server, answer: Answer) -> str:
    """The token that an answer gives, if it opens the door."""
    token = answer.told.get("access_token") if answer.status == 200 else None
    return str(token) if token and server.is_let_in(str(token)) else ""


def leads(answer: Answer) -> str:
    """The address to which an answer sends the browser."""
    return answer.headers.get("location", "")


class ahead:
    """The server's clock is set forward in the body."""

    def __init__(self, server: Server, seconds: float) -> None:
        self._server = server
        self._seconds = seconds

    def __enter__(self) -> None:
        self._server.clock.ahead += self._seconds

    def __exit__(self, *_: object) -> None:
        self._server.clock.ahead -= self._seconds


_TOKENS: dict[int, dict[str, Any]] = {}


def token_of(server: Server) -> str:
    """A token that is used for nothing else, so that one approval is enough."""
    if server.port not in _TOKENS:
        _TOKENS[server.port] = server.log_in()
    return str(_TOKENS[server.port]["access_token"])


def raw(server: Server, head: str) -> int:
    """The status of the answer to bytes as they are; 0 if there is none."""
    with line(server) as open_line:
        open_line.sendall(head.encode())
        words = open_line.recv(100).split()
    return int(words[1]) if len(words) > 1 else 0


def declared(server: Server, path: str, length: int, headers: dict[str, str]) -> int:
    """The status of the answer to a body that is announced and never sent."""
    told = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return raw(
        server, f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n{told}Content-Length: {length}\r\n\r\n"
    )


def line(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), 20)
