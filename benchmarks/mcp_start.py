"""Measure how long a client waits for `pinebench mcp`: CPU time until the first answer, the tools and a first check.

Run `python benchmarks/mcp_start.py [RUNS]`. It only prints; it does not fail. CPU time is longer on a busy machine, so
compare the best of many runs. It needs the extra `mcp`, and Linux, which counts the time of another process.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

RUNS = 10
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "benchmark", "version": "1"}}
CHECK = {"name": "pine_lint", "arguments": {"source": '//@version=6\nindicator("x")\nplot(clsoe)'}}
ASKED = {
    "first answer": ("initialize", HELLO),
    "list of tools": ("tools/list", {}),
    "first check": ("tools/call", CHECK),
}


def main(arguments: list[str]) -> int:
    """Print the table."""
    runs = [_run() for _ in range(int(arguments[0]) if arguments else RUNS)]
    print(f"{'CPU seconds until':<20}{'best':>8}{'median':>8}  of {len(runs)} runs")
    for title, times in zip(ASKED, zip(*runs, strict=True), strict=True):
        print(f"{title:<20}{min(times):>8.2f}{sorted(times)[len(times) // 2]:>8.2f}")
    return 0


def _run() -> list[float]:
    """Return the CPU seconds of one server after each answer."""
    command = [sys.executable, "-m", "pinebench", "mcp"]
    pipe = subprocess.PIPE
    times: list[float] = []
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as server:
        for number, (method, params) in enumerate(ASKED.values()):
            _ask(server, number, method, params)
            times.append(_cpu(server.pid))
    return times


def _ask(server: subprocess.Popen[bytes], number: int, method: str, params: dict[str, Any]) -> None:
    assert server.stdin is not None and server.stdout is not None
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    server.stdin.write(json.dumps(message).encode() + b"\n")
    server.stdin.flush()
    while json.loads(server.stdout.readline()).get("id") != number:
        continue


def _cpu(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
