"""Attacks by what stands in a folder or comes from a caller: each ends soon, with the right code, and harms nothing."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.support import CLEAN, UNCLOSED, pinebench, surroundings
from tests.files.support import SOMEBODY, listing, make

BROKEN = '//@version=6\nindicator("Broken")\nplot(close, colour = color.red)\n'
"""A script with an error that has a safe fix."""

READERS = {
    "lint": ["lint", "x.pine"],
    "lint of a folder": ["lint", "."],
    "lint --diff": ["lint", "--diff", "x.pine"],
    "compile": ["compile", "x.pine", "--with", "local"],
    "fix": ["fix", "x.pine"],
    "fix into it": ["fix", "good.pine", "-o", "x.pine"],
    "parse": ["parse", "x.pine"],
    "format": ["format", "x.pine"],
    "a baseline": ["lint", "good.pine", "--baseline", "x.pine"],
    "a configuration": ["lint", "good.pine", "--config", "x.pine"],
    "write from it": ["write", "anything", "--from", "x.pine", "--with", "local"],
    "write into it": ["write", "anything", "-o", "x.pine", "--template", "none", "--with", "local"],
}


@pytest.mark.parametrize("kind", ["pipe", "link to a device"])
@pytest.mark.parametrize("name", READERS)
def test_what_is_no_file_is_refused_at_once_wherever_it_is_named(tmp_path: Path, name: str, kind: str) -> None:
    (tmp_path / "good.pine").write_text(BROKEN)
    make(kind, tmp_path / "x.pine")
    before = listing(tmp_path)
    outcome = pinebench(*READERS[name], folder=tmp_path, environment={"ANTHROPIC_API_KEY": "none"})
    what = "a pipe" if kind == "pipe" else "a device"
    assert (outcome.code, f"is {what}, not a file" in outcome.err) == (2, True), outcome
    assert before.items() <= listing(tmp_path).items()


@pytest.mark.parametrize("kind", ["pipe", "link to a device", "folder", "link to nothing"])
def test_a_configuration_that_is_no_file_is_said_and_not_passed_over(tmp_path: Path, kind: str) -> None:
    (tmp_path / "good.pine").write_text(CLEAN)
    make(kind, tmp_path / "pinebench.toml")
    outcome = pinebench("lint", "good.pine", folder=tmp_path)
    assert (outcome.code, "pinebench.toml " in outcome.err) == (2, True), outcome


@pytest.mark.parametrize("kind", ["pipe", "link to a device"])
def test_a_library_that_is_no_file_is_not_waited_for(tmp_path: Path, kind: str) -> None:
    make(kind, tmp_path / "Lib.pine")
    (tmp_path / "pinebench.toml").write_text('[check]\nlibrary-paths = ["."]\n')
    (tmp_path / "x.pine").write_text('//@version=6\nindicator("x")\nimport User/Lib/1 as l\nplot(l.f())\n')
    assert pinebench("lint", "x.pine", folder=tmp_path).code == 0


def test_a_pipe_among_scripts_costs_the_others_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.pine").write_text(UNCLOSED)
    os.mkfifo(tmp_path / ".pine")
    outcome = pinebench("lint", ".", "--format", "json", folder=tmp_path)
    assert outcome.code == 2
    assert [finding["path"] for finding in json.loads(outcome.out)["diagnostics"]] == [".pine", "a.pine"]
    assert ".pine is a pipe, not a file" in outcome.err


def test_standard_input_without_end_is_read_to_the_limit(tmp_path: Path) -> None:
    with open("/dev/zero", "rb") as endless:
        process = subprocess.run(
            [sys.executable, "-m", "pinebench", "lint", "-"],
            cwd=tmp_path,
            stdin=endless,
            capture_output=True,
            timeout=120,
            env=surroundings(tmp_path),
            check=False,
        )
    assert process.returncode == 2
    assert b"<stdin> has more than 10 MB" in process.stderr


def test_a_script_that_is_too_large_is_said(tmp_path: Path) -> None:
    with open(tmp_path / "x.pine", "wb") as file:
        file.truncate(1 << 40)  # a hole of a terabyte
    outcome = pinebench("lint", "x.pine", folder=tmp_path)
    assert (outcome.code, "x.pine has more than 10 MB" in outcome.err) == (2, True)


def test_fixing_a_folder_changes_nothing_outside_of_it(tmp_path: Path) -> None:
    repository, elsewhere = tmp_path / "repo", tmp_path / "elsewhere.pine"
    repository.mkdir()
    elsewhere.write_text(BROKEN)
    (repository / "own.pine").write_text(BROKEN)
    (repository / "link.pine").symlink_to(elsewhere)
    outcome = pinebench("lint", "--fix", "repo", "--format", "json", folder=tmp_path)
    assert elsewhere.read_text() == BROKEN
    assert (repository / "own.pine").read_text() == BROKEN.replace("colour", "color")
    assert json.loads(outcome.out)["files"] == ["repo/own.pine"]
    assert (outcome.code, "repo/link.pine is a link that leads out of repo" in outcome.err) == (2, True)
    assert pinebench("lint", "--fix", "repo/link.pine", folder=tmp_path).code == 0
    assert elsewhere.read_text() == BROKEN.replace("colour", "color")


@pytest.mark.parametrize("names", [["a.pine", "link.pine"], ["link.pine", "."], ["./a.pine", "sub/../a.pine"], ["."]])
def test_two_names_of_a_file_are_one(tmp_path: Path, names: list[str]) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.pine").write_text(BROKEN)
    (tmp_path / "link.pine").symlink_to("a.pine")
    outcome = pinebench("lint", "--fix", *names, "--format", "json", folder=tmp_path)
    assert (outcome.code, json.loads(outcome.out)["summary"]["files"]) == (0, 1), outcome
    assert outcome.err.count("1 fix applied") == 1
    assert (tmp_path / "a.pine").read_text() == BROKEN.replace("colour", "color")
    assert (tmp_path / "link.pine").is_symlink()


@pytest.mark.parametrize("arguments", [["lint", "--fix", "x.pine"], ["fix", "x.pine"]])
def test_a_hard_link_is_said(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "x.pine").write_text(BROKEN)
    (tmp_path / "other.txt").hardlink_to(tmp_path / "x.pine")
    outcome = pinebench(*arguments, folder=tmp_path)
    assert outcome.code == 0
    assert "x.pine: the file had 2 names (hard links); the other names keep the old text" in outcome.err
    assert (tmp_path / "other.txt").read_text() == BROKEN


@pytest.mark.parametrize(
    "arguments", [["lint", "--fix", "x.pine"], ["fix", "x.pine"], ["fix", "y.pine", "-o", "x.pine"]]
)
def test_owner_stays_and_set_id_bits_go(tmp_path: Path, arguments: list[str]) -> None:
    path = tmp_path / "x.pine"
    for name in ("x.pine", "y.pine"):
        (tmp_path / name).write_text(BROKEN if "-o" not in arguments or name == "y.pine" else "")
    os.chown(path, SOMEBODY, -1)
    path.chmod(0o6755)
    assert pinebench(*arguments, folder=tmp_path).code == 0
    found = path.stat()
    assert (path.read_text(), found.st_uid) == (BROKEN.replace("colour", "color"), SOMEBODY)
    assert oct(stat.S_IMODE(found.st_mode)) == "0o755"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["fix", "good.pine", "-o", "x.pine"], "which does not exist"),
        (["template", "new", "rsi_divergence", "-o", "x.pine"], "exists already"),
    ],
)
def test_nothing_is_written_through_a_link_to_nothing(tmp_path: Path, arguments: list[str], words: str) -> None:
    (tmp_path / "good.pine").write_text(BROKEN)
    make("link to nothing", tmp_path / "x.pine")
    outcome = pinebench(*arguments, folder=tmp_path)
    assert (outcome.code, words in outcome.err) == (2, True), outcome
    assert not (tmp_path / "nowhere.pine").exists()


@pytest.mark.parametrize("columns", ["²", "٣", "-1", "1e3", "9" * 5000, "", " 80"])
def test_an_odd_width_of_the_terminal_is_no_error(tmp_path: Path, columns: str) -> None:
    (tmp_path / "x.pine").write_text(UNCLOSED)
    outcome = pinebench("lint", "x.pine", folder=tmp_path, environment={"COLUMNS": columns})
    assert (outcome.code, outcome.err) == (1, "")
    assert pinebench("lint", "--help", folder=tmp_path, environment={"COLUMNS": columns}).code == 0


@pytest.mark.parametrize("number", ["²", "٣", "9" * 5000, "1e400", "nan", "-1", "0", "1.5"])
@pytest.mark.parametrize("option", ["--jobs"])
def test_an_odd_number_is_a_usage_error(tmp_path: Path, option: str, number: str) -> None:
    outcome = pinebench("lint", f"{option}={number}", folder=tmp_path)
    assert (outcome.code, outcome.err.count("\n")) == (2, 1), outcome
    assert len(outcome.err) < 6000


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["lint", "no.pine"], 2), (["lint", "x.pine"], 1), (["fix", "x.pine", "--diff"], 0), ([], 0)],
)
@pytest.mark.parametrize("stderr", ["full", "closed"])
def test_what_nobody_can_be_told_does_not_decide_the_exit_code(
    tmp_path: Path, arguments: list[str], code: int, stderr: str
) -> None:
    (tmp_path / "x.pine").write_text(UNCLOSED)
    where = "2>/dev/full" if stderr == "full" else "2>&-"
    command = f'exec "{sys.executable}" -m pinebench {" ".join(arguments)} {where}'
    process = subprocess.run(
        ["sh", "-c", command],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        env=surroundings(tmp_path),
        timeout=120,
        check=False,
    )
    assert process.returncode == code


@pytest.mark.parametrize(
    "text",
    [
        "select = " + "[" * 5000,
        "[lint]\nselect = " + "9" * 5000,
        "[lint]\nfail-on = nan",
        "[lint]\nfail-on = '" + "x" * 10_000 + "'",
        "[lint]\nselect = [1e400]",
        "[lint]\nexclude = {a = 1}",
        "lint = 3",
        "[[lint]]\nselect = []",
        "\x00",
    ],
)
def test_a_configuration_of_another_shape_is_one_short_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.pine").write_text(CLEAN)
    (tmp_path / "pinebench.toml").write_text(text)
    outcome = pinebench("lint", "x.pine", folder=tmp_path)
    assert (outcome.code, outcome.err.count("\n")) == (2, 1), outcome
    assert "pinebench.toml" in outcome.err and len(outcome.err) < 400
