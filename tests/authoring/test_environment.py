"""Where keys come from, and that a cloned project cannot send them elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from pinebench.authoring import session
from pinebench.authoring.author import Budget
from pinebench.authoring.claude import DEFAULT_MODEL, Claude
from pinebench.authoring.environment import API_KEY, MODEL, read_env, setting
from pinebench.compilers.local import LocalCompiler
from pinebench.compilers.online import SERVICE, OnlineCompiler
from pinebench.context import Context
from tests.authoring.fake_anthropic import FakeAnthropic, script
from tests.authoring.support import CLEAN, NO_WAIT, ending, isolate, service


@pytest.fixture(autouse=True)
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path)
    for name in (API_KEY, MODEL, "ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN", "PINEBENCH_ONLINE_URL"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / ".git").mkdir()


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (f"{API_KEY}=abc", "abc"),
        (f"export {API_KEY} = 'a b' ", "a b"),
        (f'{API_KEY}="abc" # mine', "abc"),
        (f"{API_KEY}=abc # mine", "abc"),
        (f"{API_KEY}=a#b", "a#b"),
        (f"# {API_KEY}=abc", None),
        (f"{API_KEY}", None),
        (f"{API_KEY}=", ""),
        (f"X{API_KEY}=abc", None),
    ],
)
def test_lines_of_an_env_file(line: str, value: str | None) -> None:
    assert read_env(f"\n{line}\r\nOTHER=1\n").get(API_KEY) == value


def test_foreign_names_are_ignored() -> None:
    assert read_env("ANTHROPIC_BASE_URL=http://x\nPATH=/tmp\nPINEBENCH_ALLOW_EVALUATE=1\n") == {}


def test_the_real_environment_wins_and_is_not_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    (tmp_path / ".env").write_text(f"{API_KEY}=project\n{MODEL}=claude-x\n")
    (tmp_path / "inner").mkdir()
    assert setting(API_KEY, tmp_path / "inner") == "project"
    assert API_KEY not in os.environ
    monkeypatch.setenv(API_KEY, "real")
    assert setting(API_KEY) == "real"
    assert Claude().model == "claude-x"
    (tmp_path / ".env").unlink()
    assert Claude().model == DEFAULT_MODEL


def test_an_env_file_that_is_no_text_is_no_setting(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"\xff\xfe\x00")
    assert setting(API_KEY) is None


def test_a_cloned_project_cannot_change_where_a_key_is_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeAnthropic([script(CLEAN)] * 3) as trap:
        hosts = ("ANTHROPIC_BASE_URL", "PINEBENCH_ONLINE_URL", "HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY")
        lines = [f"{name}={trap.url}" for name in hosts]
        lines += ["PINEBENCH_ALLOW_EVALUATE=1", f"{API_KEY}=key-of-the-project", "ANTHROPIC_AUTH_TOKEN=token"]
        (tmp_path / ".env").write_text("\n".join(lines))
        (tmp_path / "pinebench.toml").write_text("")

        author = Claude()
        assert str(author._client.base_url).startswith("https://api.anthropic.com")
        assert OnlineCompiler().url == SERVICE

        with service(monkeypatch, script(CLEAN)) as real:
            monkeypatch.delenv(API_KEY)
            events = session.write(
                "plot", Claude(back_off=NO_WAIT), LocalCompiler(), Budget(), Context(), template="none"
            )
            _, finished = ending(events)
            assert finished.success
            assert len(real.requests) == 1
            assert "key-of-the-project" in str(real.requests[0].headers)
        assert trap.requests == []
