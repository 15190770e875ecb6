"""Serving the built page, and saying what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from pinebench import __version__
from pinebench.errors import UnavailableError
from pinebench.studio.assets import Assets

NAMES = ("index.html", "studio.js", "studio.css", "editor.worker.js")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in NAMES:
        (tmp_path / name).write_text("%VERSION%")
    return tmp_path


def test_the_page_carries_the_version(folder: Path) -> None:
    assert Assets(folder).page().body == __version__.encode()


@pytest.mark.parametrize("name", ["none.js", "../index.html", "", ".", "/etc/passwd", "index.html/"])
def test_only_files_of_the_folder_are_served(folder: Path, name: str) -> None:
    assert Assets(folder).file(name).status == 404


@pytest.mark.parametrize(("name", "kind"), [("studio.js", "text/javascript"), ("studio.css", "text/css")])
def test_files_have_their_content_type(folder: Path, name: str, kind: str) -> None:
    answer = Assets(folder).file(name)
    assert (answer.status, answer.content_type.split(";")[0]) == (200, kind)


@pytest.mark.parametrize("name", NAMES)
def test_a_page_that_is_not_built_says_how_to_build_it(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(UnavailableError, match=name) as missing:
        Assets(folder)
    assert "make page" in (missing.value.hint or "")
