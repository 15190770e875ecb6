"""Where keys come from, and that a cloned project cannot send them elsewhere."""

from pathlib import Path

import pytest

from pinebench.authoring import session
from pinebench.authoring.author import AuthorBudget, AuthorUnavailable
from pinebench.authoring.claude import Claude
from pinebench.authoring.environment import API_KEY, MODEL, read_env, setting
from pinebench.authoring.service import DEFAULT_MODEL
from pinebench.compilers.local import LocalCompiler
from pinebench.compilers.online import SERVICE, OnlineCompiler
from pinebench.context import Context
from tests.authoring.fake_anthropic import FakeAnthropic, script
from tests.authoring.support import CLEAN, NO_WAIT, ending, isolate, service
from tests.tables import each


@pytest.fixture(autouse=True)
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path)
    for name in (API_KEY, MODEL, "ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN", "PINEBENCH_ONLINE_URL"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / ".git").mkdir()


@each(
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
    assert setting(API_KEY, tmp_path / "inner") == ("project", str(tmp_path / ".env"))
    assert API_KEY not in os.environ
    monkeypatch.setenv(API_KEY, "real")
    assert setting(API_KEY) == ("real", f"{API_KEY} in the environment")
    author = Claude()
    assert (author.model, author.model_from) == ("claude-x", str(tmp_path / ".env"))
    assert author.key_from == f"{API_KEY} in the environment"
    (tmp_path / ".env").unlink()
    author = Claude()
    assert (author.model, author.model_from) == (DEFAULT_MODEL, "pinebench's default")


def test_without_a_repository_only_the_folder_one_stands_in_counts(tmp_path: Path) -> None:
    (tmp_path / ".git").rmdir()
    (tmp_path / ".env").write_text(f"{API_KEY}=above\n")
    inner = tmp_path / "inner"
    inner.mkdir()
    assert setting(API_KEY, inner) is None
    assert setting(API_KEY, tmp_path) == ("above", str(tmp_path / ".env"))
    (inner / ".env").write_text(f"{API_KEY}=here\n")
    assert setting(API_KEY, inner) == ("here", str(inner / ".env"))


def test_above_the_repository_nothing_counts(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"{API_KEY}=above\n")
    inner = tmp_path / "repository" / "inner"
    inner.mkdir(parents=True)
    (tmp_path / "repository" / ".git").write_text("gitdir: elsewhere\n")
    assert setting(API_KEY, inner) is None
    (tmp_path / "repository" / ".env").write_text(f"{API_KEY}=root\n")
    assert setting(API_KEY, inner) == ("root", str(tmp_path / "repository" / ".env"))


def test_a_file_of_another_user_counts_for_nothing_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text(f"{API_KEY}=theirs\n{MODEL}=claude-x\n")
    monkeypatch.setattr("os.geteuid", lambda: (tmp_path / ".env").stat().st_uid + 1)
    with pytest.raises(AuthorUnavailable) as refused:
        Claude()
    assert refused.value.hint == f"{tmp_path / '.env'} is ignored, because it belongs to another user"
    monkeypatch.setenv(API_KEY, "mine")
    assert Claude().model == DEFAULT_MODEL


def test_a_pipe_or_a_file_without_end_is_no_env_file(tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / ".env")
    assert setting(API_KEY) is None
    (tmp_path / ".env").unlink()
    (tmp_path / ".env").symlink_to("/dev/zero")
    assert setting(API_KEY) is None


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
        assert str(author.service.client.base_url).startswith("https://api.anthropic.com")
        assert OnlineCompiler().url == SERVICE

        with service(monkeypatch, script(CLEAN)) as real:
            monkeypatch.delenv(API_KEY)
            events = session.write(
                "plot", Claude(back_off=NO_WAIT), LocalCompiler(), AuthorBudget(), Context(), template="none"
            )
            _, finished = ending(events)
            assert finished.success
            assert len(real.requests) == 1
            assert "key-of-the-project" in str(real.requests[0].headers)
        assert trap.requests == []
