"""Scripts in allowed folders: nothing is read or written outside of them, and no text is replaced unread."""

import os
from pathlib import Path
from typing import Any

import pytest

from pinebench.tools import registry
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import call
from tests.studio.support import CLEAN, WRONG


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "scripts"
    (made / "old").mkdir(parents=True)
    (tmp_path / "secret.pine").write_text("// not yours\n")
    (made / "mine.pine").write_text(CLEAN)
    (made / "notes.txt").write_text("buy milk")
    return made


@pytest.fixture
def use(folder: Path) -> Any:
    """Call a tool that must go well, with `folder` allowed."""

    def run(name: str, /, **arguments: object) -> dict[str, Any]:
        result = call(ChartBrowser(port=9, folders=(str(folder),)), name, arguments)
        assert result["success"], result
        return result

    return run


@pytest.fixture
def refused(folder: Path) -> Any:
    """The failure of a call, with `folder` allowed."""

    def run(name: str, /, **arguments: object) -> str:
        result = call(ChartBrowser(port=9, folders=(str(folder),)), name, arguments)
        assert not result["success"], result
        return f"{result['error']} ({result.get('hint')})"

    return run


def test_a_new_script_is_saved_read_back_and_listed(use, folder: Path) -> None:
    saved = use("script_save", path="old/new.pine", source=WRONG)
    assert (folder / "old" / "new.pine").read_text() == WRONG
    assert saved["verified"] and saved["bytes"] == len(WRONG.encode()) and "replaced" not in saved
    read = use("script_read", path="old/new.pine")
    assert (read["source"], read["version"], read["untrusted"]) == (WRONG, saved["version"], ["source"])
    listed = use("script_list")
    assert [Path(each["path"]).name for each in listed["scripts"]] == ["mine.pine", "new.pine"]
    assert listed["folders"] == [os.path.realpath(folder)] and listed["count"] == 2


def test_a_file_is_replaced_only_by_who_read_it_and_what_it_held_is_kept(use, refused, folder: Path) -> None:
    assert "exists" in refused("script_save", path="mine.pine", source=WRONG)
    read = use("script_read", path="mine.pine")
    (folder / "mine.pine").write_text(CLEAN + "// by hand\n")
    assert "changed since it was read" in refused(
        "script_save", path="mine.pine", source=WRONG, replaces=read["version"]
    )
    assert (folder / "mine.pine").read_text() == CLEAN + "// by hand\n"
    again = use("script_read", path="mine.pine")
    saved = use("script_save", path="mine.pine", source=WRONG, replaces=again["version"])
    assert (folder / "mine.pine").read_text() == WRONG and saved["verified"]
    assert Path(saved["replaced"]).read_text() == CLEAN + "// by hand\n"
    assert "no longer exists" in refused("script_save", path="gone.pine", source=WRONG, replaces=saved["version"])


@pytest.mark.parametrize("sent", [WRONG, WRONG.replace("\n", "\r\n")])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_line_ends_of_a_file_stay(use, folder: Path, end: str, sent: str) -> None:
    """Models write line feeds; else a person would find each line changed."""
    held = folder / "mine.pine"
    held.write_bytes(CLEAN.replace("\n", end).encode())
    version = use("script_read", path="mine.pine")["version"]
    assert use("script_save", path="mine.pine", source=sent, replaces=version)["verified"]
    assert held.read_bytes() == WRONG.replace("\n", end).encode()


def test_the_encoding_of_a_file_stays(use, folder: Path) -> None:
    path = folder / "marked.pine"
    path.write_bytes(b"\xef\xbb\xbf" + CLEAN.encode())
    version = use("script_read", path="marked.pine")["version"]
    assert use("script_save", path="marked.pine", source=WRONG, replaces=version)["verified"]
    assert path.read_bytes() == b"\xef\xbb\xbf" + WRONG.encode()


@pytest.mark.parametrize(
    "path",
    [
        "../secret.pine",
        "old/../../secret.pine",
        "/etc/passwd.pine",
        "link.pine",
        "out/secret.pine",
        "..",
        "~/x.pine/..",
    ],
)
@pytest.mark.parametrize("name", ["script_read", "script_save"])
def test_nothing_outside_is_touched(refused, folder: Path, name: str, path: str) -> None:
    (folder / "link.pine").symlink_to(folder.parent / "secret.pine")
    (folder / "out").symlink_to(folder.parent)
    more = {"source": WRONG, "replaces": "x"} if name == "script_save" else {}
    said = refused(name, path=path, **more)
    assert "outside the allowed folders" in said or "not the name of a script" in said
    assert (folder.parent / "secret.pine").read_text() == "// not yours\n"
    assert sorted(each.name for each in folder.iterdir()) == ["link.pine", "mine.pine", "notes.txt", "old", "out"]


def test_only_scripts_are_read_and_written(use, refused, folder: Path) -> None:
    assert "not the name of a script" in refused("script_read", path="notes.txt")
    assert "not the name of a script" in refused("script_save", path="run.sh", source=CLEAN)
    assert "a lone surrogate" in refused("script_save", path="x.pine", source=CLEAN + "// \ud83d")
    assert "there is no folder" in refused("script_save", path="nowhere/x.pine", source=CLEAN)
    (folder / "link.pine").symlink_to(folder.parent / "secret.pine")
    assert use("script_list")["count"] == 1
    (folder / "dir.pine").mkdir()
    assert refused("script_read", path="dir.pine") and refused("script_save", path="dir.pine", source=CLEAN)


def test_without_an_allowed_folder_nothing_is_done_and_read_only_saves_nothing() -> None:
    for name, arguments in (
        ("script_list", {}),
        ("script_read", {"path": "a.pine"}),
        ("script_save", {"path": "a.pine", "source": CLEAN}),
    ):
        result = call(ChartBrowser(port=9), name, arguments)
        assert "no folder was allowed" in result["error"] and "--folder DIR" in result["hint"]
    reading = {each.name for each in registry.chosen("files", read_only=True)}
    assert reading == {"script_list", "script_read", "read_result"}
