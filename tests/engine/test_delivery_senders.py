"""Deliveries: signed, tried again until they arrive, and never to an address that is not public."""

import asyncio
import contextlib
import http.server
import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pinebench.engine import outbox
from pinebench.engine.delivery_senders import Notifiers, Webhooks, check_url, signature
from pinebench.engine.engine_store import EngineStore
from pinebench.engine.outbox import Letter
from pinebench.engine.outbox_delivery import Deliveries
from pinebench.errors import UsageError
from tests.engine.markets import Clock, closes, engine_of, play

SECRET = "0123456789abcdef"


class Receiver(NamedTuple):
    """A receiver on this computer: what it got, and the answers that it gives, the first ones first."""

    url: str
    got: list[tuple[str, dict[str, str], str]]
    answers: list[int]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    got: list[tuple[str, dict[str, str], str]] = []
    answers: list[int] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            got.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(answers.pop(0) if answers else 204)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield Receiver(f"http://127.0.0.1:{server.server_port}/hook?a=1", got, answers)
    server.shutdown()
    thread.join()
    server.server_close()


def letter(url: str) -> Letter:
    return Letter("id-1", "webhook", url, SECRET, '{"value": 1}', 0)


def test_a_webhook_is_signed_and_names_its_delivery(receiver: Receiver) -> None:
    way = Webhooks(lambda: 1_700_000_000_500, ["127.0.0.1"])
    assert way.send(letter(receiver.url)) == (True, "", False)
    ((path, headers, body),) = receiver.got
    assert path == "/hook?a=1"
    assert body == '{"value": 1}'
    assert headers["idempotency-key"] == "id-1"
    assert headers["x-pinebench-timestamp"] == "1700000000"
    # The same as: printf '1700000000.{"value": 1}' | openssl dgst -sha256 -hmac 0123456789abcdef
    known = "sha256=" + __import__("hmac").new(SECRET.encode(), b'1700000000.{"value": 1}', "sha256").hexdigest()
    assert headers["x-pinebench-signature"] == known == signature(SECRET, "1700000000", body)


@pytest.mark.parametrize(
    ("status", "is_final"), [(302, True), (307, True), (400, True), (404, True), (429, False), (500, False)]
)
def test_redirects_are_not_followed_and_refusals_are_final(receiver: Receiver, status: int, is_final: bool) -> None:
    receiver.answers.append(status)
    sent = Webhooks(lambda: 0, ["127.0.0.1"]).send(letter(receiver.url))
    assert (sent.is_delivered, sent.is_final) == (False, is_final)
    assert len(receiver.got) == 1


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.0.0.1", "172.16.5.5", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1"),
        *("224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1"),
        *("::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1", "2001:db8::1"),
    ],
)
def test_an_address_that_is_not_public_is_never_connected_to(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    connected: list[object] = []
    monkeypatch.setattr("socket.create_connection", lambda *given, **_: connected.append(given))
    shown = f"[{address}]" if ":" in address else address
    with pytest.raises(UsageError, match="webhooks are not sent to"):
        check_url(f"http://{shown}/")
    # A name that is resolved to it, alone or beside a public address, is refused as well.
    for found in ([address], ["93.184.216.34", address]):
        way = Webhooks(lambda: 0, resolve=lambda _host, _port, found=found: found)
        sent = way.send(letter("http://innocent.example/"))
        assert sent == (False, "innocent.example is not an address of the public internet", True)
    assert connected == []


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "017700000001", "127.1", "localhost", "ip6-localhost"])
def test_other_spellings_of_this_computer_are_refused_after_resolving(host: str) -> None:
    sent = Webhooks(lambda: 0).send(letter(f"http://{host}:9/"))
    assert not sent.is_delivered
    assert "public internet" in sent.problem or "gaierror" in sent.problem


def test_the_address_that_was_checked_is_the_one_that_is_connected_to(receiver: Receiver) -> None:
    """A name that answers with another address the second time gains nothing: it is asked once."""
    asked: list[str] = []

    def resolve(host: str, _port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"]

    url = receiver.url.replace("127.0.0.1", "rebinding.example")
    assert Webhooks(lambda: 0, ["rebinding.example"], resolve).send(letter(url)).is_delivered
    assert asked == ["rebinding.example"]
    assert receiver.got[0][1]["host"].startswith("rebinding.example:")


@pytest.mark.parametrize(
    "url",
    [
        *("ftp://example.com", "https://", "file:///etc/passwd", "https://user:pw@example.com", "gopher://x"),
        *("https://example.com\r\nX: y", "https://exa mple.com", "https://example.com:99999", "https://example.com:0"),
    ],
)
def test_what_is_no_address_of_a_webhook_is_refused(url: str) -> None:
    with pytest.raises(UsageError):
        check_url(url)


def test_a_delivery_is_tried_again_until_it_arrives(tmp_path: Path, receiver: Receiver) -> None:
    bars, clock = closes(100, 106), Clock()
    engine = engine_of(str(tmp_path), bars.at([0]), clock=clock)
    engine.pushing.subscribe("anna")
    hook = {"url": "https://example.com/hook", "secret": SECRET}
    engine.set_alert("anna", "BTCUSDT", {"price_above": 105}, message="up", webhook=hook)
    play(engine, bars, 1)
    receiver.answers[:] = [500, 503]
    way, pauses = Webhooks(clock, ["127.0.0.1"]), []
    while (due := outbox.next_due(engine.store)) is not None:
        pauses.append(due - clock.time)
        clock.time = due
        (one,) = outbox.due(engine.store, clock())
        outbox.note(engine.store, one, way.send(one._replace(target=receiver.url)), clock())
    assert pauses == [0, 2_000, 4_000]
    assert len({headers["idempotency-key"] for _, headers, _ in receiver.got}) == 1
    told = json.loads(receiver.got[-1][2])
    assert (told["symbol"], told["interval"], told["value"], told["message"]) == ("BTCUSDT", "1m", 106, "up")
    assert told["id"] == receiver.got[-1][1]["idempotency-key"]
    engine.close()


def test_a_delivery_is_given_up_in_the_end(tmp_path: Path) -> None:
    engine = engine_of(str(tmp_path))
    with engine.store.transaction() as db:
        outbox.put(db, "a", "anna", "b", "webhook", "https://example.com", SECRET, {}, 0)
        outbox.put(db, "a", "anna", "b", "webhook", "https://example.com", SECRET, {}, 0)
    tries, time = 0, 0
    while (due := outbox.next_due(engine.store)) is not None:
        (one,) = outbox.due(engine.store, due)
        outbox.note(engine.store, one, outbox.SendResult(False, "away"), due)
        tries, time = tries + 1, due
    assert tries == outbox.MOST_TRIES
    assert 18 * 3_600_000 < time < 20 * 3_600_000
    engine.close()


def test_notifiers_are_those_that_the_owner_named(receiver: Receiver) -> None:
    way = Notifiers({"phone": receiver.url.replace("http://", "json://")})
    body = {"symbol": "BTCUSDT", "interval": "1m", "condition": {"price_above": 1}, "value": 2, "message": "up"}
    one = Letter("id", "notifier", "phone", None, json.dumps(body), 0)
    assert way.send(one).is_delivered
    assert json.loads(receiver.got[0][2])["message"] == "up"
    receiver.answers.append(500)
    assert way.send(one) == (False, "the notifier did not accept the message", False)
    assert way.send(one._replace(target="pager")).is_final
    with pytest.raises(UsageError, match="the address of notifier x"):
        Notifiers({"x": "nothing-of-this-kind://a"})


DRIPS: dict[str, tuple[bytes, bytes]] = {
    "a header without end": (b"HTTP/1.1 200 OK\r\nX: ", b"x"),
    "headers without end": (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"),
    "a line of the status without end": (b"HTTP/1.1 200 ", b"O"),
    "answers that go on": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "no answer": (b"", b""),
    "a byte of something else": (b"\x16\x03", b"\x01"),
    "answers of hints": (b"HTTP/1.1 103 Early Hints\r\nLink: ", b"</x>, "),
}
"""What a receiver sends at once, and then again and again."""


@contextlib.contextmanager
def dripping(first: bytes, again: bytes) -> Iterator[str]:
    """A receiver that accepts everything, and sends a part of its answer now and then, without end."""
    listening, over = socket.create_server(("127.0.0.1", 0)), threading.Event()
    listening.settimeout(0.05)

    def drip(taken: socket.socket) -> None:
        with taken, contextlib.suppress(OSError):
            taken.sendall(first)
            while not over.wait(0.02):
                taken.sendall(again)

    def serve() -> None:
        while not over.is_set():
            with contextlib.suppress(TimeoutError):
                thread = threading.Thread(target=drip, args=(listening.accept()[0],))
                thread.start()
                threads.append(thread)

    threads = [threading.Thread(target=serve)]
    threads[0].start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/hook"
    finally:
        over.set()
        for thread in threads:
            thread.join()
        listening.close()


def test_a_try_ends_however_slowly_the_receiver_answers() -> None:
    def try_once(name: str, scheme: str) -> None:
        with dripping(*DRIPS[name]) as url:
            sent = Webhooks(lambda: 0, ["127.0.0.1"], seconds=0.2).send(letter(url.replace("http", scheme, 1)))
        assert not sent.is_delivered and not sent.is_final, (name, scheme, sent)

    tries = [(name, scheme) for name in DRIPS for scheme in ("http", "https")]
    with ThreadPoolExecutor(len(tries)) as threads:
        for tried in [threads.submit(try_once, *each) for each in tries]:
            tried.result()


def test_a_try_ends_however_slowly_its_name_is_looked_up() -> None:
    over = threading.Event()

    def resolve(_host: str, _port: int) -> list[str]:
        assert over.wait(60)
        return ["127.0.0.1"]

    sent = Webhooks(lambda: 0, ["slow.example"], resolve, seconds=0.1).send(letter("http://slow.example/"))
    over.set()
    assert sent == (False, "TimeoutError: the address of slow.example was not found within 0.1 s", False)


def test_a_slow_receiver_of_one_user_holds_no_delivery_of_another(tmp_path: Path, receiver: Receiver) -> None:
    async def story(store: EngineStore) -> None:
        deliveries = Deliveries(store, Notifiers({}), ["127.0.0.1"], lambda: 1)
        with dripping(*DRIPS["a header without end"]) as slow:
            with store.transaction() as db:
                for number in range(40):  # two receivers of mallory, so that neither share alone is what helps
                    url = f"{slow}?{number % 2}"
                    outbox.put(db, f"m{number}", "mallory", "a", "webhook", url, None, {"value": 1}, 0)
                for number in range(3):
                    outbox.put(db, f"a{number}", "anna", "a", "webhook", receiver.url, None, {"value": 1}, 1)
            running = asyncio.create_task(deliveries.run())
            async with asyncio.timeout(60):
                while len(receiver.got) < 3:
                    await asyncio.sleep(0.02)
            assert store.count("outbox", subject="mallory", state="waiting") == 40
            running.cancel()
        # Once the slow receiver has gone, the tries that it held end, and so does what waits for them.
        await asyncio.gather(running, return_exceptions=True)

    store = EngineStore(str(tmp_path))
    asyncio.run(story(store))
    store.close()


def test_a_dead_receiver_does_not_fill_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "MOST_WAITING", 5)
    store = EngineStore(str(tmp_path))
    with store.transaction() as db:
        for number in range(12):
            outbox.put(db, f"m{number}", "m", "a", "webhook", "https://x.example", None, {"n": number}, number)
        outbox.put(db, "a", "anna", "a", "webhook", "https://x.example", None, {"n": 0}, 0)
    assert store.count("outbox", subject="m", state="waiting") == 5
    assert [json.loads(each.body)["n"] for each in outbox.due(store, 99)] == [0, 7, 8, 9, 10, 11]
    assert "more than 5" in store.rows("select problem from outbox where state = 'failed'")[0][0]
    store.close()
