"""Tests of `pinebench migrate`: the report, the change, what is written and what is not."""

import json
from pathlib import Path

import pytest

from pinebench import migration as migrating
from pinebench.cli import main
from tests.cli.support import pinebench

OLD = '//@version=4\nstudy("x")\nplot(sma(close, 14), color = color.red) // why\n'
NEW = '//@version=6\nindicator("x")\nplot(ta.sma(close, 14), color = color.red) // why\n'
ERRING = OLD + "plot(nope)\n"


def put(folder: Path, **scripts: str) -> None:
    for name, text in scripts.items():
        (folder / f"{name}.pine").write_bytes(text.encode())


def test_a_report_is_given_and_nothing_written(tmp_path: Path) -> None:
    put(tmp_path, old=OLD, new=NEW)
    outcome = pinebench("migrate", ".", folder=tmp_path)
    assert outcome.code == 0
    assert "old.pine:3: changed: `sma()` is `ta.sma()`" in outcome.out
    assert "old.pine:3: differs: `color.red` is #F23645, was #FF5252" in outcome.out
    assert "new.pine" not in outcome.out
    assert "1 of 2 scripts would be migrated" in outcome.err
    assert (tmp_path / "old.pine").read_text() == OLD


def test_a_diff_shows_the_change_and_writes_nothing(tmp_path: Path) -> None:
    put(tmp_path, old=OLD)
    outcome = pinebench("migrate", "old.pine", "--diff", folder=tmp_path)
    assert '-study("x")' in outcome.out
    assert '+indicator("x")' in outcome.out
    assert (tmp_path / "old.pine").read_text() == OLD


def test_what_is_written_is_kept_as_it_was(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbf" + OLD.replace("\n", "\r\n").encode()
    (tmp_path / "old.pine").write_bytes(data)
    outcome = pinebench("migrate", "old.pine", "--write", folder=tmp_path)
    assert outcome.code == 0
    assert (tmp_path / "old.pine").read_bytes() == b"\xef\xbb\xbf" + NEW.replace("\n", "\r\n").encode()
    kept = outcome.err.partition("the original is kept as ")[2].splitlines()[0]
    assert Path(kept).read_bytes() == data
    again = pinebench("migrate", "old.pine", "--write", folder=tmp_path)
    assert (again.code, again.out) == (0, "")
    assert "0 of 1 script migrated, 1 is already Pine v6" in again.err


def test_errors_that_are_left_are_told_and_exit_1(tmp_path: Path) -> None:
    put(tmp_path, old=ERRING)
    outcome = pinebench("migrate", "old.pine", "--write", folder=tmp_path)
    assert outcome.code == 1
    assert "old.pine:4: look at: CE10272" in outcome.out
    assert "1 with errors left" in outcome.err
    assert (tmp_path / "old.pine").read_text() == NEW + "plot(nope)\n"


@pytest.mark.parametrize(
    "text", ['indicator("x")\nplot(close)\n', '//@version=2\nstudy("x")\n', '//@version=4\nstudy("x"\nx = (\n']
)
def test_what_cannot_be_migrated_is_left_alone(tmp_path: Path, text: str) -> None:
    put(tmp_path, old=text)
    outcome = pinebench("migrate", "old.pine", "--write", folder=tmp_path)
    assert outcome.code == 1
    assert "old.pine: not changed: " in outcome.out
    assert (tmp_path / "old.pine").read_text() == text


def test_a_result_with_more_errors_than_the_report_tells_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, old=OLD)
    real = migrating.migrate
    monkeypatch.setattr(migrating, "migrate", lambda *given: real(*given)._replace(text=NEW + "plot(nope)\n"))
    assert main(["migrate", str(tmp_path / "old.pine"), "--write"]) == 2
    assert "errors that the report does not mention" in capsys.readouterr().err
    assert (tmp_path / "old.pine").read_text() == OLD


def test_json_tells_the_same(tmp_path: Path) -> None:
    put(tmp_path, old=ERRING)
    outcome = pinebench("migrate", "old.pine", "--format", "json", folder=tmp_path)
    told = json.loads(outcome.out)
    [file] = told["files"]
    assert (outcome.code, told["version"], told["problems"]) == (1, 1, [])
    assert {**file, "remarks": None} == {
        "path": "old.pine",
        "version": 4,
        "changed": True,
        "written": False,
        "refused": None,
        "errors": 1,
        "remarks": None,
    }
    assert {"kind", "line", "was", "text"} == {*file["remarks"][0]}
    assert {remark["kind"] for remark in file["remarks"]} == {"changed", "differs", "look"}


def test_standard_input_goes_to_standard_output(tmp_path: Path) -> None:
    outcome = pinebench("migrate", "-", folder=tmp_path, stdin=OLD.encode())
    assert (outcome.code, outcome.out) == (0, NEW)
    assert "<stdin>:3: changed: `sma()` is `ta.sma()`" in outcome.err
    diff = pinebench("migrate", "-", "--diff", folder=tmp_path, stdin=OLD.encode())
    assert "+plot(ta.sma(close, 14)" in diff.out
    same = pinebench("migrate", "-", folder=tmp_path, stdin=NEW.encode())
    assert (same.code, same.out, same.err) == (0, NEW, "")


@pytest.mark.parametrize("arguments", [("-", "--write"), ("-", "a.pine"), ("a.pine", "--diff", "--write"), ()])
def test_wrong_usage_is_exit_2(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    assert pinebench("migrate", *arguments, folder=tmp_path, stdin=b"").code == 2


def test_a_file_that_cannot_be_read_does_not_stop_the_others(tmp_path: Path) -> None:
    put(tmp_path, old=OLD)
    (tmp_path / "bad.pine").write_bytes(b"\xff\xfe\x00")
    outcome = pinebench("migrate", ".", "--write", folder=tmp_path)
    assert outcome.code == 2
    assert (tmp_path / "old.pine").read_text() == NEW


def test_what_could_not_be_written_is_not_said_to_be_migrated(tmp_path: Path) -> None:
    put(tmp_path, old=OLD)
    (tmp_path / "old.pine").chmod(0o400)
    outcome = pinebench("migrate", "old.pine", "--write", folder=tmp_path)
    assert outcome.code == 2
    assert "0 of 1 script migrated" in outcome.err
    assert (tmp_path / "old.pine").read_text() == OLD
