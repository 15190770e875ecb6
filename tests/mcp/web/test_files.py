"""A server whose file with log-ins is locked or full: everybody hears to try again, and then it goes on."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.mcp.web.support import Engine, Server, pkce


def test_a_locked_file_is_503_and_the_server_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pinebench.mcp.web.grant_store._LOCKED_SECONDS", 0.01)
    with Server(tmp_path) as server:
        known = server.log_in()
        pair = pkce()
        code = server.code(known["client_id"], pair.challenge)
        with closing(sqlite3.connect(tmp_path / "serve.sqlite3", isolation_level=None)) as other:
            other.execute("begin exclusive")
            refused = [
                server.register(),
                server.exchange(known["client_id"], code, pair.verifier),
                server.refresh(known["client_id"], known["refresh_token"]),
            ]
            assert [answer.status for answer in refused] == [503] * 3
            for answer in refused:
                assert answer.headers["retry-after"] == "5"
                assert answer.told["error"] == "temporarily_unavailable"
                assert "locked by another program" in answer.told["error_description"]
                assert str(tmp_path) not in answer.text
            assert server.is_let_in(known["access_token"])  # reading goes on
            other.execute("rollback")
        # Nothing was spent by the tries that failed.
        assert server.exchange(known["client_id"], code, pair.verifier).status == 200
        assert server.refresh(known["client_id"], known["refresh_token"]).status == 200


def test_an_engine_that_waits_for_its_file_is_late(tmp_path: Path) -> None:
    engine = Engine()
    engine.trouble = "the engine's state is locked by another program"
    with Server(tmp_path, engine=engine) as server:
        answer = server.ask("GET", "/")
        assert (answer.status, answer.told["status"]) == (200, "late")
