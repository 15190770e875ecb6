"""A feed, two engines and a server as processes, with a real broker: engines are killed and paused under load."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pinebench.engine.moments import moment_of
from tests.cli.support import surroundings
from tests.engine.cluster.broker import PASSWORD, Broker
from tests.engine.exchange import Exchange, message, messages, until
from tests.engine.markets import MINUTE, ticks, walk
from tests.mcp.web.support import PASSPHRASE, Visitor
from tests.mcp.web.test_kills import HISTORY, SYMBOLS, Reader

pytestmark = pytest.mark.soak
INTERVAL = ("--interval", "1m")


class Place:
    """The processes, each with a state folder of its own, as if each ran on a computer of its own."""

    def __init__(self, folder: Path, broker: Broker, exchange: Exchange) -> None:
        self.folder = folder
        password = folder / "password"
        password.write_text(f"{PASSWORD}\n")
        self._more = {
            "PINEBENCH_BROKER_URL": broker.url,
            "PINEBENCH_BROKER_PASSWORD_FILE": str(password),
            "PINEBENCH_BINANCE_URL": exchange.rest_url,
            "PINEBENCH_BINANCE_STREAM_URL": exchange.stream_url,
            "PINEBENCH_PASSPHRASE": PASSPHRASE,
        }
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def environment(self, name: str) -> dict[str, str]:
        home = self.folder / name
        home.mkdir(exist_ok=True)
        return surroundings(home, **self._more)

    def start(self, name: str, *words: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "pinebench", *words],
                stdout=subprocess.PIPE,
                stderr=log,
                env=self.environment(name),
            )
        self.running[name] = process
        return process

    def engine(self, name: str) -> None:
        self.start(name, "engine", "run")

    def kill(self, name: str) -> None:
        process = self.running.pop(name)
        process.kill()
        process.wait(60)
        assert process.stdout is not None
        process.stdout.close()

    def say(self, *words: str) -> str:
        command = [sys.executable, "-m", "pinebench", "engine", *words]
        ended = subprocess.run(
            command, env=self.environment("owner"), capture_output=True, text=True, timeout=120, check=False
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    def state(self) -> Any:
        return json.loads(self.say("groups", "--format", "json"))

    def is_led(self) -> bool:
        return all(group["led"] for group in self.state()["groups"])

    def logs(self) -> str:
        return "\n".join(f"{path.name}: {path.read_text()[-3000:]}" for path in self.folder.glob("*.log"))


class Served(Visitor):
    """The server, whose engines are other processes."""

    def __init__(self, place: Place) -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            super().__init__(probe.getsockname()[1])
        self._place = place
        self.start()

    def start(self) -> None:
        process = self._place.start("server", "mcp", "--serve", "--engines", "--port", str(self.port))
        assert process.stdout is not None
        first = process.stdout.readline()
        assert first, self._place.logs()


@contextmanager
def begun(folder: Path, count: int) -> Iterator[tuple[Place, Exchange, Broker, Served]]:
    markets = {name: walk(count + 1, seed) for seed, name in enumerate(SYMBOLS, 3)}
    with ExitStack() as stack:
        broker = stack.enter_context(Broker())
        exchange = stack.enter_context(Exchange(markets, HISTORY))
        place = Place(folder, broker, exchange)

        def end() -> None:
            for name in list(place.running):
                place.kill(name)

        stack.callback(end)
        place.start("feed", "engine", "feed", *SYMBOLS, *INTERVAL)
        place.engine("one")
        place.engine("two")
        server = Served(place)
        until(lambda: exchange.connections == 1 and place.is_led(), 60)
        yield place, exchange, broker, server


def test_two_engines_of_which_one_is_killed_again_and_again(tmp_path: Path) -> None:
    """Also the feed, the server and the broker are killed, and an engine is paused longer than its lease lasts."""
    count, numbers = 160, Random(11)
    with begun(tmp_path, count) as (place, exchange, broker, server):
        token = server.log_in()["access_token"]
        server.tool("subscribe_notifications", token)
        reader = Reader(server, token)
        alerts: dict[str, str] = {}
        for name in SYMBOLS:
            every = {"symbol": name, "condition": {"price_above": 0.01}, "frequency": "once_per_bar"}
            alerts[server.tool("set_alert", token, **every)["alert_id"]] = name
        due = sorted(numbers.sample(range(HISTORY + 2, count - 6), 16))
        ordered: list[str] = []
        for at in range(HISTORY, count):
            exchange.known = at + 1
            for name in SYMBOLS:
                exchange.send(*messages(list(ticks(exchange.markets[name], at, (name, "1m")))))
            if at in due:
                order = {"symbol": SYMBOLS[0], "side": "buy", "quantity": 0.001, "client_order_id": f"order {at}"}
                ordered.append(server.tool("place_order", token, **order)["order_id"])
                match due.index(at) % 8:
                    case 3:
                        place.kill("feed")
                        exchange.forget()
                        place.start("feed", "engine", "feed", *SYMBOLS, *INTERVAL)
                    case 5:
                        place.kill("server")
                        server.start()
                    case 6:
                        broker.kill()
                        broker.start()
                    case 7:
                        paused = place.running[("one", "two")[at % 2]]
                        os.kill(paused.pid, signal.SIGSTOP)
                        time.sleep(8)
                        os.kill(paused.pid, signal.SIGCONT)
                    case number:
                        name = ("one", "two")[number % 2]
                        place.kill(name)
                        place.engine(name)
                until(place.is_led, 60)
                assert server.tool("place_order", token, **order)["order_id"] == ordered[-1]
            time.sleep(0.02)
        until(lambda: exchange.is_connected)
        for name in SYMBOLS:  # so that the feed sees that it missed bars, if it did
            exchange.send(message(next(ticks(exchange.markets[name], count, (name, "1m")))))
        expected = Counter(
            (id, name, exchange.markets[name].time[at] + MINUTE)
            for id, name in alerts.items()
            for at in range(HISTORY, count)
        )
        try:
            until(lambda: len(reader.got) >= expected.total(), 200)
        except AssertionError:
            known = {(each["alert_id"], moment_of("", each["triggered_at"])) for _, each in reader.got}
            missing = [at for id, _, at in expected if (id, at) not in known]
            raise AssertionError(f"not told: {missing}; {place.state()}; {place.logs()}") from None
        finally:
            reader.end()
        told = {each["id"]: each["state"] for each in server.tool("get_orders", token)}
        assert len(told) == len(ordered)
        assert [told[id] for id in ordered] == ["Filled"] * len(ordered), place.logs()
        history: list[Any] = []
        page = server.tool("get_notifications", token, history=True)
        while page:
            history += page
            page = server.tool("get_notifications", token, history=True, before=page[-1]["id"])
        kept = Counter((each["alert_id"], each["symbol"], moment_of("", each["triggered_at"])) for each in history)
        assert kept and kept <= expected  # bars of 2024 are so old that the engines drop what fired after a minute
        got = [(each["alert_id"], each["symbol"], moment_of("", each["triggered_at"])) for _, each in reader.got]
        assert Counter(got) == expected
        ids = [number for number, _ in reader.got]
        assert ids == sorted(set(ids))
        assert server.tool("get_positions", token)[0]["quantity"] == pytest.approx(0.001 * len(ordered))
        assert "ended" in place.say("halt", "the end")
        assert server.tool("get_balance", token)["halted"] == "the end"
        place.say("resume")


def test_the_time_until_another_engine_takes_over_and_what_the_way_costs(tmp_path: Path) -> None:
    """Prints figures for docs/operation.md."""
    with begun(tmp_path, 60) as (place, exchange, _, server):
        del exchange
        token = server.log_in()["access_token"]
        took: list[float] = []
        for number in range(40):
            begin = time.monotonic()
            server.tool("set_alert", token, symbol=SYMBOLS[0], condition={"price_above": 1e9 + number})
            took.append(time.monotonic() - begin)
        took.sort()
        print(f"a command: median {1000 * took[20]:.0f} ms, 95 % {1000 * took[38]:.0f} ms")
        for name in ("one", "two"):
            place.kill(name)
            begin = time.monotonic()
            server.tool("set_alert", token, symbol=SYMBOLS[0], condition={"price_above": 2e9})
            print(f"a command after a kill: {time.monotonic() - begin:.1f} s")
            place.engine(name)
            until(place.is_led, 60)
