"""A server that is killed under load, with its engine: tokens live on, streams go on, and each alert comes once."""

import http.client
import json
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.cli.support import surroundings
from tests.engine.exchange import Exchange, message, messages, until
from tests.engine.markets import MINUTE, ticks, walk
from tests.mcp.web.support import PASSPHRASE, Visitor

SYMBOLS = ("BTCUSDT", "ETHUSDT")
HISTORY = 20


class Killed(Visitor):
    """A server in a process of its own that watches a market, and can be killed and started again."""

    def __init__(self, folder: Path, exchange: Exchange) -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            super().__init__(probe.getsockname()[1])
        self._environment = surroundings(
            folder,
            PINEBENCH_PASSPHRASE=PASSPHRASE,
            PINEBENCH_BINANCE_URL=exchange.rest_url,
            PINEBENCH_BINANCE_STREAM_URL=exchange.stream_url,
        )
        self._log = folder / "log"
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "pinebench", "mcp", "--trade", *SYMBOLS, "--interval", "1m"]
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--port", str(self.port)], stdout=subprocess.PIPE, stderr=log, env=self._environment
            )
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        assert first, self._log.read_text()
        assert json.loads(first)["mcp"] == f"{self.url}/mcp"

    def kill(self) -> None:
        self.process.kill()
        self.end()

    def end(self) -> None:
        self.process.wait(60)
        assert self.process.stdout is not None
        self.process.stdout.close()


class Reader:
    """A client that reads the stream, and takes it up again behind the last event that it got."""

    def __init__(self, server: Visitor, token: str) -> None:
        self.got: list[tuple[int, dict[str, Any]]] = []
        self.is_over = False
        self.problem: Exception | None = None
        self._server, self._token = server, token
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self.is_over:
            try:
                self._read()
            except Exception as error:  # however a connection to a killed server breaks
                self.problem = error
                time.sleep(0.02)

    def _read(self) -> None:
        headers = {"Authorization": f"Bearer {self._token}"}
        if self.got:
            headers["Last-Event-ID"] = str(self.got[-1][0])
        connection = http.client.HTTPConnection("127.0.0.1", self._server.port, timeout=60)
        try:
            connection.request("GET", "/mcp", headers=headers)
            answer = connection.getresponse()
            assert answer.status == 200, answer.status
            number, data = 0, ""
            while line := answer.readline():
                name, _, value = line.decode().strip().partition(": ")
                if name == "id":
                    number = int(value)
                elif name == "data":
                    data = value
                elif line == b"\n" and data:  # an event counts once it is whole
                    self.got.append((number, json.loads(data)["params"]))
                    data = ""
        finally:
            connection.close()

    def end(self) -> None:
        self.is_over = True


def play_and_kill(folder: Path, count: int, kills: int, pause: float) -> None:
    numbers = Random(5)
    markets = {name: walk(count + 1, seed) for seed, name in enumerate(SYMBOLS, 3)}
    with Exchange(markets, HISTORY) as exchange:
        server = Killed(folder, exchange)
        token = server.log_in()["access_token"]
        reader = Reader(server, token)
        try:
            server.tool("subscribe_notifications", token)
            alerts = {
                server.tool("set_alert", token, symbol=name, condition={"price_above": 0.01}, frequency="once_per_bar")[
                    "alert_id"
                ]: name
                for name in SYMBOLS
            }
            until(lambda: exchange.connections == 1)
            # One of the last bars is always among them: nobody may listen any more when the last one closes.
            due = sorted([*numbers.sample(range(HISTORY + 2, count - 3), kills - 1), count - 3])
            ordered: list[str] = []
            for at in range(HISTORY, count):
                for name in SYMBOLS:
                    exchange.send(*messages(list(ticks(markets[name], at, (name, "1m")))))
                exchange.known = at + 1
                if at in due:
                    # The answer to a call counts: what it promised is there after the kill.
                    placed = server.tool("place_order", token, symbol=SYMBOLS[0], side="buy", quantity=0.001)
                    ordered.append(placed["order_id"])
                    server.kill()
                    exchange.forget()
                    server.start()
                    assert server.is_let_in(token)
                elif at - 1 in due:
                    exchange.drop()  # and the feed breaks off as well
                time.sleep(pause)
            # The bars come faster here than the clock goes, so that the engine cannot know by its clock which bars
            # closed between its history and its connection. The next bar tells it, which a market always has.
            until(lambda: exchange.is_connected)
            for name in SYMBOLS:
                exchange.send(message(next(ticks(markets[name], count, (name, "1m")))))
            expected = Counter(
                (id, name, markets[name].time[at] + MINUTE)
                for id, name in alerts.items()
                for at in range(HISTORY, count)
            )
            until(lambda: len(reader.got) >= expected.total(), 90)
            told = {each["id"]: each["state"] for each in server.tool("get_orders", token)}
            assert [told[id] for id in ordered] == ["Filled"] * kills
            status = server.ask("GET", "/").told
            assert (status["status"], status["engine"]["feed_connected"]) == ("ok", True)
        finally:
            reader.end()
            server.kill()
    from pinebench.engine.moments import moment_of

    got = [
        (told["alert_id"], told["symbol"], moment_of("triggered_at", told["triggered_at"])) for _, told in reader.got
    ]
    assert Counter(got) == expected
    ids = [number for number, _ in reader.got]
    assert ids == sorted(set(ids))


def test_a_server_that_is_killed_under_load_loses_and_repeats_nothing(tmp_path: Path) -> None:
    play_and_kill(tmp_path, 50, 1, 0.005)


@pytest.mark.soak
def test_seven_kills_of_the_server(tmp_path: Path) -> None:
    play_and_kill(tmp_path, 240, 7, 0.01)
