"""The log: one line a record, whatever somebody puts into it, and no secret in it."""

import io
import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pinebench.errors import UsageError
from pinebench.mcp.web import grant_store, logs, owner
from tests.cli.support import surroundings
from tests.mcp.web.support import PASSPHRASE, Server
from tests.tables import each

EVIL = 'x\n2027-01-01T00:00:00Z ERROR pinebench: faked\r\x1b[2J\u2028\u202e{"level": "error"}'


@pytest.fixture
def told() -> Iterator[tuple[logging.Logger, io.StringIO, io.StringIO]]:
    """A logger, its lines of text and its lines of JSON."""
    text, as_json, logger = io.StringIO(), io.StringIO(), logging.Logger("pinebench.test")
    for stream, form in ((text, logs.LogLines()), (as_json, logs.JsonLines())):
        handler = logging.StreamHandler(stream)
        handler.setFormatter(form)
        logger.addHandler(handler)
    yield logger, text, as_json


def test_a_record_is_one_line_whatever_it_contains(told: tuple[logging.Logger, io.StringIO, io.StringIO]) -> None:
    logger, text, as_json = told
    logger.warning("%s said", EVIL, extra={"fields": {"path": EVIL, "status": 200}})
    assert text.getvalue().count("\n") == as_json.getvalue().count("\n") == 1
    assert text.getvalue().isascii() and "\x1b" not in text.getvalue()
    assert as_json.getvalue().isascii()
    found = json.loads(as_json.getvalue())
    assert (found["level"], found["logger"], found["message"]) == ("warning", "pinebench.test", f"{EVIL} said")
    assert (found["path"], found["status"]) == (EVIL, 200)
    assert found["time"].endswith("Z")


def test_a_traceback_is_told_and_cannot_fake_a_record(told: tuple[logging.Logger, io.StringIO, io.StringIO]) -> None:
    logger, text, as_json = told
    try:
        raise ValueError(EVIL)
    except ValueError:
        logger.exception("failed")
    lines = text.getvalue().splitlines()
    assert all(line.startswith("    ") for line in lines[1:]) and len(lines) > 3
    assert as_json.getvalue().count("\n") == 1
    assert "ValueError" in json.loads(as_json.getvalue())["exception"]


TOKEN = "craZSHC-ar3b7UiygkO8L64Qyw12fsAaZ1wuxiaaKG8"


@each(
    "text",
    [
        f"Authorization: Bearer {TOKEN}",
        f"GET /authorize?code={TOKEN}&state=x",
        f"the token {TOKEN} was refused",
        '{"refresh_token": "SECRET-words here", "x": 1}',
        "passphrase=SECRET-words&decision=allow",
        "{'client_secret': 'SECRET-words'}",
        "https://user:SECRET-words@example.com/hook",
        "POST /bot12345:SECRET-words/sendMessage",
        "authorization: basic U0VDUkVULXdvcmRz",
    ],
)
def test_secrets_are_hidden(text: str) -> None:
    shown = logs.without_secrets(text)
    assert TOKEN not in shown and "SECRET" not in shown and "U0VD" not in shown
    assert "[hidden]" in shown


def test_ordinary_words_stay() -> None:
    for words in (
        "the feed's connection was lost: no close frame received or sent",
        "client 7d8c0f5e-5a3b-4b59-a9d3-d8e6a3f1c111: the code was used twice",
        "serving http://127.0.0.1:9315/mcp; Ctrl+C ends it",
    ):
        assert logs.without_secrets(words) == words


def test_requests_are_logged_by_their_path_without_what_was_asked(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logs.REQUESTS)
    with Server(tmp_path) as server:
        token = server.log_in()["access_token"]
        server.ask("GET", "/secret-place?passphrase=correct+horse", headers={"User-Agent": "evil\x1b"})
        server.is_let_in(token)
        server.ask("GET", "/", headers={"Host": "other.example"})
    told = [vars(each)["fields"] for each in caplog.records if each.name == logs.REQUESTS]
    lines = [(each["method"], each["path"], each["status"]) for each in told]
    assert lines[-3:] == [("GET", "other", 404), ("POST", "/mcp", 200), ("GET", "/", 421)]
    assert ("POST", "/token", 200) in lines
    shown = "".join(logs.JsonLines().format(each) for each in caplog.records if each.name.startswith("pinebench"))
    assert token not in shown and "passphrase" not in shown and "secret-place" not in shown


def test_a_made_passphrase_never_stands_in_a_log(tmp_path: Path) -> None:
    kept = grant_store.Store(str(tmp_path))
    with pytest.raises(UsageError, match="there is no passphrase yet"):
        owner.kept(kept, None, may_make=False)
    assert kept.setting("passphrase") is None
    hashed, _ = owner.kept(kept, PASSPHRASE, may_make=False)
    assert owner.kept(kept, None, may_make=False) == (hashed, None)
    kept.close()


def test_a_server_with_a_log_of_json_writes_nothing_else_to_stderr(tmp_path: Path) -> None:
    import http.client

    settings = surroundings(tmp_path, PINEBENCH_PASSPHRASE=PASSPHRASE)
    command = [sys.executable, "-m", "pinebench", "mcp", "--serve", "--port", "0", "--log", "json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=settings, text=True)
    assert process.stdout is not None
    first = json.loads(process.stdout.readline())
    connection = http.client.HTTPConnection("127.0.0.1", first["port"], timeout=120)
    connection.request("GET", "/metrics")
    assert connection.getresponse().status == 401
    connection.close()
    process.terminate()
    _, said = process.communicate(timeout=60)
    lines = [json.loads(line) for line in said.splitlines()]
    assert [line["message"] for line in lines if line["logger"] == logs.REQUESTS] == ["answered"]
    assert any("serving http://127.0.0.1" in line["message"] for line in lines)
    assert process.returncode == 0
