"""Measure the chart server under load: many clients that call and draw at the same time, on this computer.

Usage: python benchmarks/serving.py [--clients N] [--seconds N] [--drawing N].

The limits, on a quiet computer with two cores: no error; 99 % of the calls of get_indicators within 10 s while five
other clients draw; each health check within 0.5 s; and memory that returns to within 50 MB of its initial value. The
exit code is 1 if a limit is exceeded.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.mcp.web.support import PASSPHRASE, Visitor

CLIENTS, SECONDS, DRAWING = 50, 60, 5
LONGEST_CALL, LONGEST_HEALTH = 10.0, 0.5
MOST_MEMORY = 50 << 20
SETTLING = 60
"""Seconds in which the memory may return after the load."""
SYMBOL = "sample:BTCUSDT"
ASKS = ("get_indicators", {"symbol": SYMBOL, "interval": "4h", "indicators": ["rsi", "macd", "supertrend"]})
DRAWS = ("generate_chart", {"symbol": SYMBOL, "interval": "4h", "indicators": ["bollinger", "rsi"]})


@dataclass
class Figures:
    """The seconds of each call by tool and of each health check, the errors, and the number of busy answers."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: {ASKS[0]: [], DRAWS[0]: []})
    health: list[float] = field(default_factory=list[float])
    errors: list[str] = field(default_factory=list[str])
    busy: int = 0


def memory(process: int) -> int:
    """Return the resident memory of a process and of all its children, in bytes."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                stat = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(stat[1])
    family, more = {process}, True
    while more:
        found = {child for child, parent in parents.items() if parent in family} - family
        family |= found
        more = bool(found)
    return sum(map(_resident, family))


def _resident(process: int) -> int:
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def call(port: int, token: str, tool: str, given: dict[str, Any]) -> tuple[int, Any]:
    """Call a tool. Return the HTTP status and the server's answer."""
    told = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": given}}
    connection = HTTPConnection("127.0.0.1", port, timeout=120)
    headers = {"Content-Type": "application/json", "Accept": "application/json", "Authorization": f"Bearer {token}"}
    try:
        connection.request("POST", "/mcp", json.dumps(told), headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read() or b"null")
    finally:
        connection.close()


def client(port: int, token: str, draws: bool, until: float, figures: Figures) -> None:
    """Call tools again and again until the time `until`. After a "busy" answer, wait a second."""
    tool, given = DRAWS if draws else ASKS
    while time.monotonic() < until:
        begin = time.monotonic()
        try:
            status, told = call(port, token, tool, given)
        except (OSError, ValueError) as error:
            figures.errors.append(f"{tool}: {type(error).__name__}: {error}")
            continue
        if status == 429:
            figures.busy += 1
            time.sleep(1)
            continue
        figures.seconds[tool].append(time.monotonic() - begin)
        result = told.get("result") if isinstance(told, dict) else None
        if status != 200 or result is None or result.get("isError"):
            figures.errors.append(f"{tool}: {status} {json.dumps(told)[:200]}")


def watch(port: int, over: threading.Event, figures: Figures) -> None:
    """Request the server's health four times a second until `over` is set."""
    while not over.wait(0.25):
        begin = time.monotonic()
        connection = HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            connection.request("GET", "/")
            connection.getresponse().read()
        except OSError as error:
            figures.errors.append(f"health: {error}")
        finally:
            connection.close()
        figures.health.append(time.monotonic() - begin)


def measured(tokens: list[str], drawing: int, seconds: float, port: int) -> Figures:
    """Return the figures of a load by clients with these tokens; the first `drawing` of them draw."""
    figures, over = Figures(), threading.Event()
    until = time.monotonic() + seconds
    watching = threading.Thread(target=watch, args=(port, over, figures))
    watching.start()
    threads = [
        threading.Thread(target=client, args=(port, token, number < drawing, until, figures))
        for number, token in enumerate(tokens)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    over.set()
    watching.join()
    return figures


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measure the chart server under load.")
    parser.add_argument("--clients", type=int, default=CLIENTS, help=f"how many clients (default: {CLIENTS})")
    parser.add_argument("--drawing", type=int, default=DRAWING, help=f"how many of them draw (default: {DRAWING})")
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"how long (default: {SECONDS})")
    given = parser.parse_args()
    with serving() as server:
        return report(server, given.clients, given.drawing, given.seconds)


@contextmanager
def serving() -> Generator[subprocess.Popen[str]]:
    """Start a chart server with an empty state."""
    with tempfile.TemporaryDirectory() as state:
        environment = {**os.environ, "PINEBENCH_STATE_DIR": state, "PINEBENCH_CACHE_DIR": state}
        secret = Path(state) / "passphrase"
        secret.write_text(PASSPHRASE)
        secret.chmod(0o600)
        command = [sys.executable, "-m", "pinebench", "mcp", "--serve", "--port", "0", "--passphrase-file", str(secret)]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        try:
            yield server
        finally:
            server.terminate()
            server.wait(30)


def begin(server: subprocess.Popen[str], clients: int) -> tuple[int, list[str]]:
    """Wait until the server's workers are started. Return the server's port and the tokens of clients."""
    assert server.stdout is not None
    port = int(json.loads(server.stdout.readline())["port"])
    tokens = [str(Visitor(port).log_in()["access_token"]) for _ in range(clients)]
    for tool, arguments in (ASKS, DRAWS):
        status, told = call(port, tokens[0], tool, arguments)
        assert status == 200 and not told["result"].get("isError"), told
    return port, tokens


def report(server: subprocess.Popen[str], clients: int, drawing: int, seconds: float) -> int:
    """Put load on a server, print the figures, and return the exit code."""
    port, tokens = begin(server, clients)
    before = memory(server.pid)
    figures = measured(tokens, drawing, seconds, port)
    peak = memory(server.pid)
    end = time.monotonic() + SETTLING
    while (after := memory(server.pid)) > before + MOST_MEMORY and time.monotonic() < end:
        time.sleep(1)
    for tool, took in figures.seconds.items():
        print(f"{tool:15} {len(took):5} calls   p50 {_share(took, 50):6.2f} s   p99 {_share(took, 99):6.2f} s")
    print(f"health          {len(figures.health):5} checks  longest {max(figures.health):5.2f} s")
    print(f"memory          {before >> 20} MB before, {peak >> 20} MB at the end of the load, {after >> 20} MB later")
    print(f"errors          {len(figures.errors)}, busy {figures.busy}")
    for each in figures.errors[:5]:
        print(f"                {each}")
    is_kept = (
        not figures.errors
        and _share(figures.seconds[ASKS[0]], 99) <= LONGEST_CALL
        and max(figures.health) <= LONGEST_HEALTH
        and after <= before + MOST_MEMORY
    )
    print("kept" if is_kept else "NOT KEPT")
    return 0 if is_kept else 1


def _share(values: list[float], percent: int) -> float:
    """Return the value that `percent` percent of the values do not exceed."""
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1] if len(values) > 1 else sum(values)


if __name__ == "__main__":
    sys.exit(main())
