"""`pinebench sync` over a page: the script service in the page's session, with what can go wrong there."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pinebench.cli import main
from pinebench.studio.session import StudioSession
from pinebench.tradingview import browser
from tests.studio.support import Driver, Tabs, studio_session

TEXT = '//@version=6\nindicator("Mine")\na = 1\nb = 2\nplot(a + b) // ü & "x" + 100 %\n'


@pytest.fixture(scope="module")
def page(chromium: browser.RunningBrowser) -> Iterator[tuple[Driver, StudioSession]]:
    with studio_session() as session:
        tabs = Tabs(chromium.port, session)
        yield tabs(), session
        tabs.close()


def test_scripts_go_to_files_and_back(
    page: tuple[Driver, StudioSession],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    driver, session = page
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))
    folder = tmp_path / "scripts"
    folder.mkdir()

    def sync(*words: str, code: int = 0) -> list[dict[str, Any]]:
        place = ("--cdp-port", str(driver.port), "--target", driver.tab)
        assert main(["sync", words[0], str(folder), *words[1:], "--format", "json", *place]) == code
        return json.loads(capsys.readouterr().out)

    session.studio.store.create("Mine", TEXT, "Mine", "indicator")
    assert {each["state"] for each in sync("status")} == {"new there"}
    assert {each["state"] for each in sync("pull")} == {"new here"}
    mine = folder / "Mine.pine"
    assert mine.read_text(encoding="utf-8") == TEXT

    # An edit here becomes the next version there; lost answers and doubled requests change nothing about that.
    script = next(each for each in session.studio.store.scripts() if each.name == "Mine")
    changed = TEXT.replace("a = 1", "a = 11")
    mine.write_text(changed, encoding="utf-8")
    driver.set(scriptService="lost")
    (failed,) = sync("push", "--script", "Mine.pine", code=1)
    assert failed["state"] == "failed", failed
    driver.set(scriptService=None)
    assert [each["state"] for each in sync("push", "--script", "Mine.pine")] == ["same"]
    assert session.studio.store.source(script.id) == changed
    assert len(session.studio.store.versions(script.id)) == 2
    mine.write_text(TEXT.replace("a = 1", "a = 12"), encoding="utf-8")
    driver.set(scriptService="doubled")
    assert [each["state"] for each in sync("push", "--script", "Mine.pine")] == ["pushed"]
    driver.set(scriptService="full")
    (folder / "Fresh.pine").write_text(TEXT, encoding="utf-8")
    told = {each["file"]: each for each in sync("push", "--new", code=1)}
    assert told["Fresh.pine"]["state"] == "refused" and "limit" in told["Fresh.pine"]["told"], told
    driver.set(scriptService=429)
    assert main(["sync", "pull", str(folder), "--cdp-port", str(driver.port), "--target", driver.tab]) == 3
    assert "too many requests" in capsys.readouterr().err
    driver.set(scriptService=None)

    # Both sides changed: merged and told, or kept beside each other; a push is refused until that is resolved.
    newest = session.studio.store.source(script.id) or ""
    session.studio.store.save(script.id, newest.replace("b = 2", "b = 22"), "Mine", "indicator")
    mine.write_text(newest.replace("a = 12", "a = 13"), encoding="utf-8")
    (there,) = sync("push", "--script", "Mine.pine", code=1)
    assert there["state"] == "changed there"
    (merged,) = sync("pull", "--script", "Mine.pine")
    assert merged["state"] == "merged" and "a = 13\nb = 22\n" in mine.read_text(encoding="utf-8")
    assert main(["sync", "diff", str(folder), "--script", "Mine.pine", "--cdp-port", str(driver.port)]) == 1
    assert "+a = 13" in capsys.readouterr().out
    assert [each["state"] for each in sync("push", "--script", "Mine.pine")] == ["pushed"]

    # A file with a new name and other lines is named, and a person says what it is.
    other = folder / "Other.pine"
    mine.rename(other)
    other.write_text(other.read_text(encoding="utf-8").replace("a = 13", "a = 14"), encoding="utf-8")
    told = {each["file"]: each for each in sync("push", "--new", code=1)}
    assert told["Mine.pine"]["state"] == "missing here" and told["Other.pine"]["state"] == "perhaps renamed", told
    assert [each["state"] for each in sync("moved", "--script", "Mine.pine", "--to", "Other.pine")] == ["followed"]
    assert [each["state"] for each in sync("push", "--script", "Other.pine")] == ["pushed"]
    assert "a = 14" in (session.studio.store.source(script.id) or "")


def test_what_git_refuses_is_told_with_what_came(
    page: tuple[Driver, StudioSession],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    driver, session = page
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    hook = tmp_path / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho no commit today >&2\nexit 1\n")
    hook.chmod(0o755)
    for name in ("user.name", "user.email"):
        subprocess.run(["git", "-C", str(tmp_path), "config", name, "a@b.c"], check=True)
    session.studio.store.create("Committed", TEXT, "Committed", "indicator")
    place = ("--cdp-port", str(driver.port), "--target", driver.tab)
    words = ["sync", "pull", str(tmp_path), "--git", "--script", "Committed.pine", "--format", "json", *place]
    assert main(words) == 1
    came, refused = json.loads(capsys.readouterr().out)
    assert came["state"] == "new here" and refused["state"] == "not committed", (came, refused)
    assert "no commit today" in refused["told"]
    assert (tmp_path / "Committed.pine").read_text(encoding="utf-8") == TEXT


def test_a_file_of_another_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sync", "push", str(tmp_path), "--script", str(tmp_path / "other" / "a.pine")]) == 2
    assert "a.pine is not in the folder" in capsys.readouterr().err


def test_moved_needs_both_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["moved"], ["moved", "--script", "a.pine"], ["moved", "--to", "b.pine"], ["push", "--to", "b.pine"]):
        assert main(["sync", words[0], str(tmp_path), *words[1:]]) == 2
        assert "moved needs --script OLD.pine --to NEW.pine" in capsys.readouterr().err
