"""Configuration comes from the nearest file, and only from keys that are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from pinebench import config
from pinebench.errors import UsageError


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for keys in config.SECTIONS.values():
        for key in keys:
            monkeypatch.delenv("PINEBENCH_" + key.upper().replace("-", "_"), raising=False)


def test_without_a_file_nothing_is_set(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert config.section("lint", str(tmp_path)) == {}


def test_the_nearest_file_is_read_and_others_are_not(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "pinebench.toml").write_text('[lint]\nselect = ["CE"]\nignore = ["CW"]\n')
    (tmp_path / "a" / "pyproject.toml").write_text('[tool.pinebench.lint]\nselect = ["PB"]\n')
    (inner / "pyproject.toml").write_text("[project]\nname = 'other'\n")
    assert config.section("lint", str(inner / "script.pine")) == {"select": ["PB"]}
    assert config.section("lint", str(tmp_path)) == {"select": ["CE"], "ignore": ["CW"]}


def test_the_environment_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pinebench.toml").write_text('[lint]\nselect = ["CE"]\n')
    monkeypatch.setenv("PINEBENCH_SELECT", "CW, PB001")
    assert config.section("lint", str(tmp_path)) == {"select": ["CW", "PB001"]}


@pytest.mark.parametrize("key", ["base-url", "cdp-host", "allow-evaluate", "online-url"])
def test_a_file_cannot_set_hosts_or_switches(tmp_path: Path, key: str) -> None:
    (tmp_path / "pinebench.toml").write_text(f'[lint]\n{key} = "evil.example"\n')
    with pytest.raises(UsageError, match="has no key"):
        config.section("lint", str(tmp_path))


def test_an_environment_file_is_found_within_the_repository_only(tmp_path: Path) -> None:
    inner = tmp_path / "repository" / "scripts"
    inner.mkdir(parents=True)
    (tmp_path / ".env").write_text("KEY=1\n")
    (tmp_path / "repository" / ".git").mkdir()
    assert config.environment_file(str(inner)) is None
    (tmp_path / "repository" / ".env").write_text("KEY=2\n")
    assert config.environment_file(str(inner)) == str(tmp_path / "repository" / ".env")


def test_a_missing_configuration_file_is_a_clear_mistake(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: no such file"):
        config.section("lint", str(tmp_path), str(tmp_path / "nowhere.toml"))
