"""A key that lies in the environment and in `.env`: no command prints it, writes it to a file, or gives it to a process
by its command line, also when it fails."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pinebench.cli.table import COMMANDS
from tests.authoring.fake_anthropic import FakeAnthropic, busy
from tests.cli.support import CHECKOUT, CLEAN, pinebench, surroundings

KEY = "sk-ant-api03-Zq8_w2Yt-1lS0xMnO5qC9tE3gH7iK4"
STRATEGY = '//@version=6\nstrategy("s")\nif bar_index % 9 == 0\n    strategy.entry("L", strategy.long)\n'
NOWHERE = ("--cdp-port", "9")
BARS = ("--data", "b.csv")
CALLS: dict[str, list[tuple[str, ...]]] = {
    "lint": [("a.pine",), ("missing.pine",)],
    "format": [("a.pine", "--check")],
    "lsp": [()],
    "parse": [("a.pine",)],
    "config": [("a.pine",)],
    "explain": [("ta.sma",)],
    "compile": [("a.pine",), ("a.pine", "--with", "chart", *NOWHERE, "--no-wait")],
    "compare": [("a.pine", "--with", "chart", *NOWHERE, "--no-wait")],
    "new": [("p",)],
    "bundle": [("a.pine",)],
    "doc": [("a.pine",)],
    "edit": [("a.pine",)],
    "write": [("a plot", "-o", "w.pine")],
    "fix": [("wrong.pine",)],
    "chat": [("Hello", *NOWHERE)],
    "ask": [("Hello", *NOWHERE), ("Hello", "--format", "json", *NOWHERE)],
    "migrate": [("a.pine",)],
    "eval": [("--tasks", "bands-1*", "--budget", "0.1")],
    "template": [("list",)],
    "watch": [("missing.pine",)],
    "run": [("a.pine", *BARS), ("a.pine", "--data", "missing.csv")],
    "backtest": [("s.pine", *BARS)],
    "optimize": [("s.pine", *BARS)],
    "montecarlo": [("s.pine", *BARS)],
    "portfolio": [("missing.toml",)],
    "screen": [("a.pine",)],
    "why": [("a.pine", "close", *BARS)],
    "profile": [("a.pine", *BARS)],
    "inspect": [("a.pine", *BARS)],
    "debug": [("missing.pine",)],
    "chart": [("a.pine", *BARS, "-o", "c.svg"), ("a.pine", *BARS, "-o", "c.html")],
    "import-trades": [("s.pine", "missing.csv")],
    "test": [()],
    "verify": [("a.pine", *NOWHERE, "--no-wait")],
    "push": [("a.pine", *NOWHERE, "--no-wait")],
    "pull": [NOWHERE],
    "sync": [("status", "scripts", *NOWHERE, "--no-wait")],
    "launch": [("nothing",)],
    "doctor": [NOWHERE, ("--json", *NOWHERE)],
    "tools": [()],
    "call": [("pine_check", '{"source": "x"}'), ("pine_write", '{"request": "x"}')],
    "tv": [("status", *NOWHERE)],
    "mcp": [(), ("--install", "cursor"), ("--install", "codex")],
    "skills": [(), ("--install", "claude")],
    "engine": [("status",), ("history",)],
    "studio": [("--bars", "missing")],
    "demo": [()],
    "completion": [("bash",)],
}
"""What is called of each command: what it usually does, and how it fails."""


def test_every_command_has_its_calls_here() -> None:
    assert set(CALLS) == set(COMMANDS)


@pytest.mark.soak
def test_no_command_tells_a_key(tmp_path: Path) -> None:
    (tmp_path / "a.pine").write_text(CLEAN)
    (tmp_path / "wrong.pine").write_text(CLEAN + "plot(qwertyuiop)\n")
    (tmp_path / "s.pine").write_text(STRATEGY)
    rows = [f"{1_700_000_000 + 3600 * at},100,101,99,{100 + at % 3},5" for at in range(60)]
    (tmp_path / "b.csv").write_text("time,open,high,low,close,volume\n" + "\n".join(rows) + "\n")
    settings = tmp_path / ".env"
    settings.write_text(f"ANTHROPIC_API_KEY={KEY}\n")
    found: list[str] = []
    with FakeAnthropic([busy(401, says=f"no such key: {KEY}, {KEY[:30]}...")] * 1_000) as fake:
        ours = {
            "ANTHROPIC_API_KEY": KEY,
            "ANTHROPIC_BASE_URL": fake.url,
            "NO_PROXY": "127.0.0.1",
            "HOME": str(tmp_path),
        }
        for name, calls in CALLS.items():
            for arguments in calls:
                told = pinebench(name, *arguments, folder=tmp_path, environment=ours)
                if KEY[:20] in told.out + told.err:
                    found.append(f"{name} {' '.join(arguments)} prints it")
        assert fake.requests, "no command asked the service"
    for path in tmp_path.rglob("*"):
        if path.is_file() and path != settings and KEY[:20].encode() in path.read_bytes():
            found.append(f"{path.relative_to(tmp_path)} holds it")
    assert found == []


@pytest.mark.soak
def test_no_crash_tells_a_key(tmp_path: Path) -> None:
    """Keys that no header can hold, and services that answer with everything but an answer, with all details asked
    for."""
    (tmp_path / "wrong.pine").write_text(CLEAN + "plot(qwertyuiop)\n")
    answers = [
        busy(500, says=f"{KEY} broke"),
        busy(200, says=f"no stream, but {KEY}"),
        busy(302, says=KEY),
        busy(400, says=f"\x00{KEY}\x1b[2J"),
    ]
    commands = [
        ("-vv", "write", "a plot", "-o", "w.pine"),
        ("-vv", "ask", "Hello", *NOWHERE),
        ("-vv", "fix", "wrong.pine", "--author", "claude"),
    ]
    for key in (KEY, f"{KEY}\n", f"{KEY}\r\nX-A: b", f"{KEY}\u2011", f" {KEY}\x7f", KEY * 3_000):
        with FakeAnthropic(answers * 50) as fake:
            ours = {"ANTHROPIC_API_KEY": key, "ANTHROPIC_BASE_URL": fake.url, "NO_PROXY": "127.0.0.1"}
            for words in commands:
                told = pinebench(*words, folder=tmp_path, environment=ours)
                assert told.code != 0, words
                assert KEY[:20] not in told.out + told.err, (key[:60], words)
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or KEY[:20].encode() not in path.read_bytes(), path


WATCHING = """import os, sys
def told(event, words):
    if event in ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.spawn", "os.system"):
        with open(os.environ["STARTED"], "a") as file:
            file.write(repr(words[:3 if event == "os.spawn" else 2]) + "\\n")
sys.addaudithook(told)
"""
"""Python reads it at its start as `sitecustomize`; then it notes the command line of every program that it starts."""


@pytest.mark.soak
def test_no_program_gets_a_key_by_its_command_line(tmp_path: Path) -> None:
    """Everybody on a computer can read the command lines of all processes."""
    (tmp_path / "a.pine").write_text(CLEAN)
    (tmp_path / "s.pine").write_text(STRATEGY)
    (tmp_path / "wrong.pine").write_text(CLEAN + "plot(qwertyuiop)\n")
    (tmp_path / "watching").mkdir()
    (tmp_path / "watching" / "sitecustomize.py").write_text(WATCHING)
    started = tmp_path / "started"
    bars = ("--data", "sample:AAPL@1Dx60")
    commands = [
        ("run", "a.pine", *bars),
        ("optimize", "s.pine", *bars, "--jobs", "2"),
        ("ask", "Hello", *NOWHERE),
        ("fix", "wrong.pine", "--author", "claude"),
        ("mcp", "--install", "cursor"),
        ("skills", "--plugin", "plugin"),
        ("launch", "nothing"),
    ]
    with FakeAnthropic([busy(401)] * 100) as fake:
        settings = surroundings(
            tmp_path,
            ANTHROPIC_API_KEY=KEY,
            ANTHROPIC_BASE_URL=fake.url,
            NO_PROXY="127.0.0.1",
            HOME=str(tmp_path),
            PYTHONPATH=os.pathsep.join((str(tmp_path / "watching"), str(CHECKOUT))),
            STARTED=str(started),
        )
        for words in commands:
            command = [sys.executable, "-m", "pinebench", *words]
            subprocess.run(command, cwd=tmp_path, env=settings, capture_output=True, timeout=300, check=False)
    told = started.read_text()
    assert len(told.splitlines()) >= 2, told
    assert KEY[:20] not in told
