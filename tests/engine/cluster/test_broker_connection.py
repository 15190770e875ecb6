"""The connection to a broker: named by the owner, and never with a password where others read it."""

from pathlib import Path

import pytest

from pinebench.engine.cluster import broker_connection
from pinebench.engine.cluster.broker_connection import PASSWORD_FILE, URL, connect, has_broker
from pinebench.engine.cluster.log import Unreachable
from pinebench.engine.cluster.redis_log import RedisLog
from pinebench.errors import UsageError
from tests.engine.cluster.broker import PASSWORD, Broker


def wrote(folder: Path, text: str) -> str:
    (folder / "engine.toml").write_text(text)
    return str(folder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no message broker is configured"),
        ("[broker]\nname = 'x'\n", "no message broker is configured"),
        ("broker = 5\n", "broker must be a table"),
        ("[broker]\nurl = 5\n", "url in [broker] must be a text"),
        ("[broker]\nurl = 'redis://x'\ngroups = '4'\n", "groups in [broker] must be a whole number"),
        ("[broker]\nurl = 'redis://x'\npassword = 'secret'\n", "there is no setting 'password'"),
        ("[broker]\nurl = 'redis://:secret@x/0'\n", "contains a password"),
        ("[broker]\nurl = 'redis://x/0?password=secret'\n", "contains a password"),
        ("[broker]\nurl = 'http://x'\n", "the broker's address is not valid"),
        ("[broker]\nurl = 'redis://x'\npassword-file = '/no/such/file'\n", "/no/such/file: there is no such file"),
    ],
)
def test_a_wrong_broker_is_told_without_its_password(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError) as told:
        connect(wrote(tmp_path, text), {})
    shown = f"{told.value.message} {told.value.hint}"
    assert message in shown
    assert "secret" not in shown


def test_the_environment_goes_before_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[object, ...]] = []

    def noted(url: str, name: str, **more: object) -> RedisLog:
        made.append((url, name, more))
        raise Unreachable("as asked")

    monkeypatch.setattr(broker_connection, "RedisLog", noted)
    (tmp_path / "password").write_text("from a file\n")
    folder = wrote(tmp_path, "[broker]\nurl = 'redis://file'\nname = 'mine'\nuser = 'me'\nca-file = 'ca.pem'\n")
    environment = {URL: "rediss://set", PASSWORD_FILE: str(tmp_path / "password")}
    for given in ({}, environment):
        with pytest.raises(Unreachable):
            connect(folder, given)
    assert made == [
        ("redis://file", "mine", {"user": "me", "password": None, "ca_file": "ca.pem"}),
        ("rediss://set", "mine", {"user": "me", "password": "from a file", "ca_file": "ca.pem"}),
    ]


def test_whether_there_is_a_broker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(URL, raising=False)
    assert not has_broker(str(tmp_path))
    monkeypatch.setenv(URL, "redis://x")
    assert has_broker(str(tmp_path))
    monkeypatch.delenv(URL)
    assert has_broker(wrote(tmp_path, "[broker]\nurl = 'redis://x'\n"))


def test_a_broker_that_does_not_answer_is_told(tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match="the broker did not answer"):
        connect(wrote(tmp_path, "[broker]\nurl = 'redis://127.0.0.1:9/0'\n"), {})


@pytest.mark.soak
def test_a_real_broker_lets_only_those_with_the_password_in(tmp_path: Path) -> None:
    with Broker() as broker:
        folder = wrote(tmp_path, f"[broker]\nurl = '{broker.url}'\npassword-file = '{tmp_path}/password'\n")
        for text in ("wrong", ""):
            (tmp_path / "password").write_text(text)
            with pytest.raises(Unreachable):
                connect(folder, {})
        (tmp_path / "password").write_text(PASSWORD)
        found = connect(folder, {})
        assert found.doubt is None
        assert isinstance(found.log, RedisLog)
        found.log._redis.config_set("appendfsync", "everysec")
        assert found.log.keeps() == "appendfsync everysec"
        log = found.log
        broker.kill()
        with pytest.raises(Unreachable):
            log.now()
        broker.start()
        assert log.now()
        log.close()
