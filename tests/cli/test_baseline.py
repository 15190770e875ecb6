"""Baselines of `pinebench lint`: what was accepted once stays out of the report."""

import json
from pathlib import Path

import pytest

from tests.cli.support import CLEAN, Outcome
from tests.cli.test_lint import TYPO, lint, report, write


def accept(folder: Path, *arguments: str) -> Outcome:
    """Write what is found now to `accepted.json`."""
    return lint(folder, *arguments, "--write-baseline", "accepted.json")


def test_a_missing_baseline_lets_nothing_pass_and_is_not_made(tmp_path: Path) -> None:
    write(tmp_path, typo=TYPO)
    outcome = lint(tmp_path, "--baseline", "accepted.json")
    assert (outcome.code, json.loads(outcome.out)["success"]) == (2, False)
    assert "accepted.json: there is no such baseline file (--write-baseline accepted.json writes one)" in outcome.err
    assert not (tmp_path / "accepted.json").exists()


def test_a_baseline_hides_what_was_accepted_and_nothing_else(tmp_path: Path) -> None:
    write(tmp_path, typo=TYPO)
    first = accept(tmp_path, "typo.pine")
    assert (first.code, report(first)["diagnostics"]) == (0, [])
    assert "accepted.json: lists 1 finding (--baseline accepted.json leaves them out)" in first.err
    write(tmp_path, typo=TYPO.replace("plot(", "\n\nplot("))
    moved = lint(tmp_path, "typo.pine", "--baseline", "accepted.json")
    assert (moved.code, report(moved)["diagnostics"], moved.err) == (0, [], "")
    write(tmp_path, typo=TYPO + "plot(opne)\n")
    grown = lint(tmp_path, "typo.pine", "--baseline", "accepted.json")
    assert grown.code == 1
    assert [item["line"] for item in report(grown)["diagnostics"]] == [4]


def test_the_paths_of_a_baseline_count_from_its_folder(tmp_path: Path) -> None:
    scripts = tmp_path / "project" / "scripts"
    write(scripts, typo=TYPO)
    assert accept(tmp_path / "project", "scripts").code == 0
    (tmp_path / "link").symlink_to(tmp_path / "project")
    for folder, path, file in [
        (scripts, ".", "../accepted.json"),
        (scripts, "typo.pine", "../accepted.json"),
        (tmp_path, "project", "project/accepted.json"),
        (tmp_path, str(scripts), str(tmp_path / "project" / "accepted.json")),
        (tmp_path, "link/scripts", "project/accepted.json"),
        (tmp_path / "link", "scripts/../scripts", "accepted.json"),
    ]:
        outcome = lint(folder, path, "--baseline", file)
        assert (outcome.code, outcome.err) == (0, ""), (folder, path)


def test_entries_that_match_nothing_any_more_are_counted_and_can_be_pruned(tmp_path: Path) -> None:
    write(tmp_path, typo=TYPO, other=TYPO, gone=TYPO)
    accept(tmp_path)
    write(tmp_path, typo=CLEAN)
    one = lint(tmp_path, "--baseline", "accepted.json").err
    assert "accepted.json: 1 finding in it no longer occurs (--prune-baseline removes it)" in one
    (tmp_path / "gone.pine").unlink()
    before = (tmp_path / "accepted.json").read_bytes()
    counted = lint(tmp_path, "--baseline", "accepted.json")
    assert counted.code == 0
    assert "accepted.json: 2 findings in it no longer occur (--prune-baseline removes them)" in counted.err
    assert (tmp_path / "accepted.json").read_bytes() == before
    pruned = lint(tmp_path, "--baseline", "accepted.json", "--prune-baseline")
    assert pruned.code == 0
    assert "accepted.json: 2 findings removed" in pruned.err
    assert [row["path"] for row in json.loads((tmp_path / "accepted.json").read_text())["findings"]] == ["other.pine"]
    assert lint(tmp_path, "--baseline", "accepted.json").err == ""


def test_what_was_not_looked_at_stays_in_a_baseline(tmp_path: Path) -> None:
    write(tmp_path, typo=TYPO, other=TYPO)
    accept(tmp_path)
    for arguments in (["typo.pine"], ["--select", "CW"], ["--ignore", "CE10272"]):
        outcome = lint(tmp_path, *arguments, "--baseline", "accepted.json", "--prune-baseline")
        assert (outcome.code, outcome.err) == (0, "")
    write(tmp_path, typo=TYPO + "plot(opne)\n")
    accept(tmp_path, "typo.pine")
    assert lint(tmp_path, "--baseline", "accepted.json").code == 0


def test_what_a_syntax_error_prevents_from_being_found_stays_in_a_baseline(tmp_path: Path) -> None:
    unused = CLEAN + "unused = close + 1\nplot(close) // pinebench: ignore[CW10003]\n"
    write(tmp_path, a=unused)
    accept(tmp_path)
    whole = json.loads((tmp_path / "accepted.json").read_text())
    assert [row["code"] for row in whole["findings"]] == ["PB0004", "PB1001"]
    assert lint(tmp_path, "--baseline", "accepted.json").err == ""
    write(tmp_path, a=unused + "x = (\n")
    for _ in range(2):
        outcome = lint(tmp_path, "--baseline", "accepted.json", "--prune-baseline")
        assert (outcome.code, outcome.err) == (1, "")
    assert json.loads((tmp_path / "accepted.json").read_text()) == whole
    accept(tmp_path)
    accept(tmp_path)
    write(tmp_path, a=unused)
    outcome = lint(tmp_path, "--baseline", "accepted.json", "--prune-baseline")
    assert (report(outcome)["diagnostics"], outcome.err.count("1 finding removed")) == ([], 1)
    assert json.loads((tmp_path / "accepted.json").read_text()) == whole


def test_a_baseline_is_never_written_over_something_else(tmp_path: Path) -> None:
    write(tmp_path, typo=TYPO)
    outcome = lint(tmp_path, "--write-baseline", "typo.pine")
    assert outcome.code == 2
    assert "typo.pine is not a baseline" in outcome.err
    assert (tmp_path / "typo.pine").read_text() == TYPO


def test_an_unreadable_file_is_never_accepted(tmp_path: Path) -> None:
    (tmp_path / "latin.pine").write_bytes(b"// \xe9\n")
    assert accept(tmp_path).code == 2
    assert lint(tmp_path, "--baseline", "accepted.json").code == 2


ROW = {"path": "typo.pine", "code": "CE10272", "line": "plot(clsoe)", "count": 1}


@pytest.mark.parametrize(
    "content",
    [
        "[1, 2",
        "[]",
        "null",
        "{}",
        json.dumps({"version": 2, "findings": []}),
        json.dumps({"version": 1, "findings": {}})[:-1] + ",",
        json.dumps({"version": 1, "findings": [1]}),
        json.dumps({"version": 1, "findings": [{**ROW, "path": None}]}),
        *(json.dumps({"version": 1, "findings": [{**ROW, "count": count}]}) for count in (-1, 0, 1.5, True, "1", None)),
        '{"version": 1, "findings": [{"path": "a", "code": "b", "line": "c", "count": NaN}]}',
        '{"version": 1, "findings": [{"path": "a", "code": "b", "line": "c", "count": 1e400}]}',
        '{"version": 1, "findings": [{"path": "a", "code": "b", "line": "c", "count": ' + "9" * 5000 + "}]}",
        "[" * 100_000,
    ],
)
def test_a_baseline_that_is_none_is_refused(tmp_path: Path, content: str) -> None:
    write(tmp_path, typo=TYPO)
    (tmp_path / "accepted.json").write_text(content)
    outcome = lint(tmp_path, "typo.pine", "--baseline", "accepted.json")
    assert outcome.code == 2
    assert json.loads(outcome.out)["error"].startswith("accepted.json is ")
    assert "accepted.json is " in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("--baseline", "a", "--write-baseline", "b"),
        ("--prune-baseline",),
        ("--diff", "--write-baseline", "a"),
        ("--tradingview", "--write-baseline", "a"),
    ],
)
def test_a_baseline_is_read_or_written(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    write(tmp_path, typo=TYPO)
    assert lint(tmp_path, *arguments).code == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["typo.pine"]
