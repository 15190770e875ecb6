"""Time chart tools as a model uses them: over MCP on stdio, with a studio in a real browser, also with a big page.

Run: python benchmarks/latency.py [CALLS] [NODES]. It prints the median and best milliseconds of CALLS (20) calls of
each tool, and how many times longer the calls take with NODES (15,000) more elements on the page. The first line is a
call that does not leave the server; on a busy machine, compare the others with it.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from statistics import median
from typing import Any

BUDGETS_MS = {"quote": 3.0, "chart state": 3.0, "100 bars": 3.0, "write 1,000 lines and read errors": 20.0}
MOST_FOR_NODES = 1.5
"""How many times longer a call may take on the big page, including the noise of a busy machine."""

CLUTTER = """(() => {
  const box = document.createElement('div');
  box.id = 'clutter';
  box.style.cssText = 'position:absolute;height:1px;width:1px;overflow:hidden';
  for (let i = 0; i < COUNT; i++) box.appendChild(document.createElement(i % 2 ? 'span' : 'div')).textContent = 'x';
  document.body.appendChild(box);
  return document.querySelectorAll('*').length;
})()"""


class Server:
    """`pinebench mcp` in a separate process, with one line for each message."""

    def __init__(self, port: int, environment: dict[str, str]) -> None:
        command = [sys.executable, "-m", "pinebench", "mcp", "--cdp-port", str(port), "--tools", "all"]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, env=environment
        )
        self._number = 0
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        self.ask("initialize", about)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send one request and return its answer."""
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        assert self._process.stdout is not None
        for line in self._process.stdout:
            message = json.loads(line)
            if message.get("id") == self._number:
                return message["result"]
        raise SystemExit("the server ended")

    def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        """Call a tool and return its result. Raises SystemExit if the tool fails."""
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})["structuredContent"]
        if not result["success"]:
            raise SystemExit(f"{tool}: {result}")
        return result

    def close(self) -> None:
        """End the server."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(10)

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()


def script(run: int, lines: int = 1000) -> str:
    """Return a script of `lines` lines that differs for each `run`, with an error in its last line."""
    body = [f"x{number} = close + {number + run} // 😀 `line`" for number in range(lines - 3)]
    return "\n".join(["//@version=6", 'indicator("Bench")', *body, "plot(uno)"])


def measured(server: Server, calls: int, first: int) -> dict[str, list[float]]:
    """Return the milliseconds of `calls` calls of each tool after a warm-up call; tools that write come last."""
    found: dict[str, list[float]] = {}

    def timed(name: str, *steps: Callable[[int], object]) -> None:
        taken: list[float] = []
        for number in range(calls + 1):
            since = time.perf_counter()
            for step in steps:
                step(number)
            taken.append((time.perf_counter() - since) * 1000)
        found[name] = taken[1:]

    def write(number: int) -> object:
        return server.call("pine_set_source", source=script(first + number))

    def write_more(number: int) -> object:
        return server.call("pine_set_source", source=script(first + 100 + number))

    server.call("pine_set_source", source=script(first + 500))
    time.sleep(3)  # the page checks and paints what was written
    timed("no page (template_list)", lambda _: server.call("template_list"))
    timed("quote", lambda _: server.call("quote_get"))
    timed("chart state", lambda _: server.call("chart_get_state"))
    timed("100 bars", lambda _: server.call("data_get_ohlcv", count=100))
    timed("500 bars", lambda _: server.call("data_get_ohlcv", count=500))
    timed("read errors", lambda _: server.call("pine_get_errors"))
    timed("read 1,000 lines", lambda _: server.call("pine_get_source"))
    timed("write 1,000 lines", write)
    timed("write 1,000 lines and read errors", write_more, lambda _: server.call("pine_get_errors"))
    return found


def main() -> int:
    """Run, print the medians, and return 1 if a budget is exceeded."""
    from pinebench.tradingview.connection import Connection

    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    nodes = int(sys.argv[2]) if len(sys.argv) > 2 else 15_000
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as state:
        # The studio runs in a separate process, so that its work does not count as time of an answer.
        environment = {**os.environ, "PINEBENCH_STATE_DIR": state}
        command = [sys.executable, "-m", "pinebench", "studio", "--headless"]
        studio = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        try:
            assert studio.stdout is not None
            port = json.loads(studio.stdout.readline())["debug_port"]
            time.sleep(11)  # while a page counts as starting, a write takes longer, because the text is watched
            server = Server(port, environment)
            plain = measured(server, calls, 0)
            with Connection("127.0.0.1", port) as connection:
                connection.evaluate(CLUTTER.replace("COUNT", str(nodes)))
            big = measured(server, calls, 1000)
            server.close()
        finally:
            studio.send_signal(signal.SIGTERM)
            studio.wait(20)
    missed = 0
    for name, values in plain.items():
        value, ratio = median(values), median(big[name]) / median(values)
        over = value > BUDGETS_MS.get(name, value) or (name in BUDGETS_MS and ratio > MOST_FOR_NODES)
        missed += over
        figures = f"median {value:6.1f} ms   best {min(values):6.1f} ms   with {nodes:,} more nodes x{ratio:.2f}"
        print(f"{name:<36} {figures}{'   OVER' if over else ''}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
