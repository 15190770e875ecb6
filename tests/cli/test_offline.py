"""Every offline command works where no packet can leave the computer."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.support import CLEAN, UNCLOSED, surroundings

LEFT = 97

_BLOCKED = f"""
import os, socket, sys

def refuse(what):
    print("a packet would have left:", what, file=sys.stderr, flush=True)
    os._exit({LEFT})

def is_local(address):
    return not isinstance(address, tuple) or address[0] in ("127.0.0.1", "::1", "localhost")

class Guarded(socket.socket):
    def connect(self, address):
        return super().connect(address) if is_local(address) else refuse(address)
    def connect_ex(self, address):
        return super().connect_ex(address) if is_local(address) else refuse(address)
    def sendto(self, data, *rest):
        return super().sendto(data, *rest) if is_local(rest[-1]) else refuse(rest[-1])

real_getaddrinfo = socket.getaddrinfo
def getaddrinfo(host, *rest, **more):
    return real_getaddrinfo(host, *rest, **more) if is_local((host,)) or host is None else refuse(host)

socket.socket = Guarded
socket.getaddrinfo = getaddrinfo
socket.gethostbyname = lambda host: refuse(host)

from pinebench.cli import main
sys.exit(main(sys.argv[1:]))
"""

COMMANDS = [
    (("lint", "clean.pine"), 0),
    (("lint", "faulty.pine", "--diff"), 1),
    (("lint", "faulty.pine", "--format", "sarif"), 1),
    (("parse", "clean.pine"), 0),
    (("explain", "CE10156"), 0),
    (("explain", "ta.sma"), 0),
    (("compile", "clean.pine"), 0),
    (("compile", "faulty.pine", "--format", "json"), 1),
    (("fix", "faulty.pine", "--diff"), 0),
    (("fix", "faulty.pine"), 0),
    (("template", "list"), 0),
    (("template", "search", "ribbon"), 0),
    (("template", "show", "ema_ribbon"), 0),
    (("template", "new", "ema_ribbon", "-o", "new.pine"), 0),
    (("completion", "bash"), 0),
    (("demo",), 0),
    (("--version",), 0),
    (("--help",), 0),
]


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = surroundings(folder, CI="", PINEBENCH_BROWSER="/nowhere", ANTHROPIC_API_KEY="")
    command = [sys.executable, "-c", _BLOCKED, *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )


@pytest.mark.parametrize(
    ("arguments", "code"), COMMANDS, ids=lambda value: " ".join(value) if isinstance(value, tuple) else ""
)
def test_an_offline_command_sends_nothing(tmp_path: Path, arguments: tuple[str, ...], code: int) -> None:
    (tmp_path / "clean.pine").write_text(CLEAN)
    (tmp_path / "faulty.pine").write_text(UNCLOSED)
    outcome = run(tmp_path, *arguments)
    assert outcome.returncode == code, outcome.stderr


def test_the_guard_sees_a_packet_that_would_leave(tmp_path: Path) -> None:
    (tmp_path / "clean.pine").write_text(CLEAN)
    assert run(tmp_path, "compile", "clean.pine", "--with", "online").returncode == LEFT
