"""Skills are copied to where clients look for them, and no text of the user is ever lost."""

import re
from pathlib import Path

import pytest

from pinebench.cli import main
from pinebench.files import ChangedFile
from pinebench.skills import installation
from pinebench.skills.catalogue import ours

NAMES = {skill.name for skill in ours()}


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder, a home folder and a working folder of the test's own."""
    for name in ("home", "project"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path


def kept(root: Path) -> list[str]:
    """The texts that were kept in the state folder."""
    return [path.read_text(encoding="utf-8") for path in sorted((root / "state").glob("replaced/*"))]


DOCUMENTED = {
    "claude-code": "project/.claude/skills",
    "codex": "home/.agents/skills",
    "cursor": "home/.cursor/skills",
    "gemini": "home/.gemini/skills",
    "vscode": "project/.github/skills",
}
"""The folder in which each client looks for skills, as its documentation says."""


@pytest.mark.parametrize("client", installation.CLIENTS)
def test_skills_are_where_the_client_looks_and_in_the_form_that_all_clients_read(client: str, state: Path) -> None:
    assert main(["skills", "--install", client]) == 0
    found = sorted(path.relative_to(state) for path in state.rglob("SKILL.md"))
    assert found == sorted(Path(DOCUMENTED[client], name, "SKILL.md") for name in NAMES)
    for path in found:
        # The open format of skills: name and description, in limits, and the name is that of the folder.
        head = (state / path).read_text(encoding="utf-8").split("---\n")[1]
        keys = dict(line.split(": ", 1) for line in head.splitlines())
        assert set(keys) == {"name", "description"} and keys["name"] == path.parent.name
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", keys["name"]) and len(keys["name"]) <= 64
        assert 0 < len(keys["description"]) <= 1024


@pytest.mark.parametrize("client", installation.CLIENTS)
def test_all_skills_are_installed_and_removed_again(client: str, state: Path) -> None:
    folder = installation.folder_of(client)
    assert folder.is_relative_to(state)
    assert main(["skills", "--install", client]) == 0
    for skill in ours():
        assert (folder / skill.name / "SKILL.md").read_text(encoding="utf-8") == skill.text
    assert main(["skills", "--install", client]) == 0 and kept(state) == []
    assert main(["skills", "--remove", client]) == 0
    assert not folder.exists()
    assert main(["skills", "--remove", client]) == 0


@pytest.mark.parametrize("action", ["--install", "--remove"])
def test_a_skill_that_the_user_changed_is_left_and_with_force_kept(action: str, state: Path, capsys: object) -> None:
    folder = installation.folder_of("claude-code")
    mine = folder / "repaint-audit" / "SKILL.md"
    main(["skills", "--install", "claude-code"])
    mine.write_text("mine", encoding="utf-8")
    assert main(["skills", action, "claude-code"]) == 1
    assert mine.read_text(encoding="utf-8") == "mine" and kept(state) == []
    assert main(["skills", action, "claude-code", "--force"]) == 0
    assert kept(state) == ["mine"]
    assert mine.exists() == (action == "--install")


def test_a_skill_that_is_written_while_it_is_removed_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = installation.folder_of("claude-code")
    installation.install(folder)
    found = installation.places(folder)
    mine = found[0].path
    mine.write_text("mine", encoding="utf-8")
    monkeypatch.setattr(installation, "places", lambda folder: found)
    with pytest.raises(ChangedFile, match="was changed by someone else"):
        installation.remove(folder)
    assert mine.read_text(encoding="utf-8") == "mine"


def test_a_file_that_was_there_before_is_the_users(state: Path) -> None:
    mine = installation.folder_of("cursor") / "macro-regime" / "SKILL.md"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine", encoding="utf-8")
    assert main(["skills", "--install", "cursor"]) == 1
    assert mine.read_text(encoding="utf-8") == "mine"
    others = {path.parent.name for path in installation.folder_of("cursor").rglob("SKILL.md")}
    assert others == NAMES


def test_an_earlier_text_of_ours_is_brought_up_to_date(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import dataclasses

    now = ours()
    before = [dataclasses.replace(skill, text=f"{skill.text}\nOld.\n") for skill in now]
    monkeypatch.setattr(installation, "ours", lambda: before)
    folder = installation.folder_of("gemini")
    installation.install(folder)
    monkeypatch.setattr(installation, "ours", lambda: now)
    done = installation.install(folder)
    assert done.left == [] and len(done.notes) == len(now)
    assert all((folder / skill.name / "SKILL.md").read_text(encoding="utf-8") == skill.text for skill in now)
    assert len(kept(state)) == len(now)


@pytest.mark.parametrize("of_folder", [True, False])
def test_links_are_never_followed_or_removed(of_folder: bool, state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    elsewhere = state / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "SKILL.md").write_text("mine", encoding="utf-8")
    place = installation.folder_of("claude-code") / "repaint-audit"
    if of_folder:
        place.parent.mkdir(parents=True)
        place.symlink_to(elsewhere, target_is_directory=True)
    else:
        place.mkdir(parents=True)
        (place / "SKILL.md").symlink_to(elsewhere / "SKILL.md")
    for action in (("--install",), ("--remove",), ("--install", "--force"), ("--remove", "--force")):
        assert main(["skills", *action[:1], "claude-code", *action[1:]]) == 1
        told = capsys.readouterr().err
        assert f"{place / 'SKILL.md'}: not changed: it is a link or a folder" in told and "--force" not in told
        assert (elsewhere / "SKILL.md").read_text(encoding="utf-8") == "mine"
        assert (place / "SKILL.md").read_text(encoding="utf-8") == "mine"


def test_other_files_next_to_a_skill_stay(state: Path) -> None:
    folder = installation.folder_of("vscode")
    main(["skills", "--install", "vscode"])
    notes = folder / "repaint-audit" / "notes.md"
    notes.write_text("mine", encoding="utf-8")
    assert main(["skills", "--remove", "vscode"]) == 0
    assert [path.name for path in folder.rglob("*") if path.is_file()] == ["notes.md"]


@pytest.mark.parametrize(
    "arguments", [["x", "--install", "codex"], ["--force"], ["--plugin", "p", "--force"], ["--install", "word"]]
)
def test_wrong_usage(arguments: list[str]) -> None:
    assert main(["skills", *arguments]) == 2


def test_they_are_listed_and_printed(capsys: pytest.CaptureFixture[str], state: Path) -> None:
    import json

    own = state / "project" / "skills" / "my-levels"
    own.mkdir(parents=True)
    (own / "SKILL.md").write_text("---\nname: my-levels\ndescription: M.\n---\nDo\x1b[2J it.\n", encoding="utf-8")
    assert main(["skills", "--approve"]) == 0
    shown = capsys.readouterr()
    assert "Do\\x1b[2J it." in shown.out or "\x1b" not in shown.out
    assert main(["skills", "--approve"]) == 0
    assert "nothing to approve" in capsys.readouterr().err
    assert main(["skills", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["name"] for row in rows} == {*NAMES, "my-levels"}
    assert main(["skills"]) == 0
    assert "my-levels" in capsys.readouterr().out
    assert main(["skills", "my-levels"]) == 0
    printed = capsys.readouterr().out
    assert "\x1b" not in printed and "comes from this project" in printed
    assert main(["skills", "repaint-audit", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["instructions"].startswith("# Repaint audit")
