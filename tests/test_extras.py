"""The advice for a missing extra works however pinebench was installed."""

import shlex
import sys
import tomllib
from importlib import metadata
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from pinebench import extras

PROJECT = tomllib.loads((Path(__file__).resolve().parents[1] / "pyproject.toml").read_text())["project"]


def said(extra: str) -> list[str]:
    words = extras.how_to_install(extra)
    assert words.startswith("run: ")
    return shlex.split(words.removeprefix("run: "))


@pytest.mark.parametrize("extra", ["chart", "ai", "watch"])
@pytest.mark.parametrize("checkout", [True, False])
def test_the_packages_are_named_that_the_extra_needs(
    extra: str, checkout: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needed = PROJECT["optional-dependencies"][extra]
    if not checkout:  # as from a wheel: the package lies alone, and its metadata say what its extras need
        monkeypatch.setattr(extras, "__file__", str(tmp_path / "site-packages" / "pinebench" / "extras.py"))
        said_by_wheel = [f"{line}; extra == '{extra}'" for line in needed] + ["lark>=1", "nothing; extra == 'else'"]
        monkeypatch.setattr(metadata, "requires", {"pinebench": said_by_wheel}.get)
    words = said(extra)
    assert words[:4] == [sys.executable, "-m", "pip", "install"]
    assert {_same(word) for word in words[4:]} == {_same(word) for word in needed}


def _same(requirement: str) -> tuple[str, frozenset[str]]:
    name = requirement.split("<")[0].split(">")[0].split("=")[0]
    return name, frozenset(requirement.removeprefix(name).split(","))


def test_an_environment_of_pipx_is_added_to_by_pipx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pipx_metadata.json").write_text("{}")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert said("ai")[:3] == ["pipx", "inject", "pinebench"]


def test_an_environment_without_pip_is_added_to_by_uv(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_spec(name: str, package: str | None = None) -> ModuleSpec | None:
        return None

    monkeypatch.setattr("importlib.util.find_spec", find_spec)
    assert said("ai")[:5] == ["uv", "pip", "install", "--python", sys.executable]
