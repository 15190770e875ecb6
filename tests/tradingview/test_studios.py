"""Studios that run are found, and those that are gone are not."""

import json
import os
import socket
from pathlib import Path

import pytest

from pinebench.tradingview import endpoint, studios


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder of the test's own."""
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path))
    return tmp_path


def test_a_studio_is_found_while_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as browser:
        port = browser.getsockname()[1]
        monkeypatch.setattr(endpoint, "DEFAULT_PORT", 9)
        with studios.announced("http://127.0.0.1:1/chart/?token=secret", port):
            assert endpoint.resolve(environment={}, notify=said.append).port == port
            assert "secret" not in said[0]
            assert str(port) in said[0]
            named = endpoint.resolve(port=5, environment={}, notify=said.append)
            said_so = endpoint.resolve(environment={endpoint.PORT_VARIABLE: "7"}, notify=said.append)
            assert (named.port, said_so.port, len(said)) == (5, 7, 1)
        assert endpoint.resolve(environment={}).port == 9


def test_another_browser_at_the_port_of_a_studio_that_ended_is_not_taken_for_it(state: Path) -> None:
    """A studio that was killed leaves its file, and a person's browser may have its port now."""
    with socket.create_server(("127.0.0.1", 0)) as browser:
        told = {"url": "x", "debug_port": browser.getsockname()[1], "pid": 1, "started": 0.0}
        with studios.announced("http://127.0.0.1:1/chart/", browser.getsockname()[1]):
            (state / "studios" / "1.json").write_text(json.dumps(told), encoding="utf-8")
            assert [each.pid for each in studios.running()] == [os.getpid()]
    assert [*(state / "studios").iterdir()] == []


def test_a_studio_whose_browser_starts_again_is_found_again() -> None:
    with studios.announced("http://127.0.0.1:1/chart/", 9):
        assert studios.running() == []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(studios, "listens", lambda *_: True)
            assert len(studios.running()) == 1


def test_a_browser_at_the_usual_port_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as usual, socket.create_server(("127.0.0.1", 0)) as studio:
        monkeypatch.setattr(endpoint, "DEFAULT_PORT", usual.getsockname()[1])
        with studios.announced("http://127.0.0.1:1/chart/", studio.getsockname()[1]):
            assert endpoint.resolve(environment={}).port == usual.getsockname()[1]


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"url": "x"}', json.dumps({"url": "x", "debug_port": 9, "pid": 1, "started": 0})]
)
def test_what_a_killed_or_damaged_one_left_is_passed_over(state: Path, text: str) -> None:
    folder = state / "studios"
    with studios.announced("http://127.0.0.1:1/chart/", 9):
        pass
    (folder / "1.json").write_text(text, encoding="utf-8")
    assert studios.running() == []
