"""`pinebench config` shows what counts, and the origin of each value."""

import json
from pathlib import Path

from tests.cli.support import CLEAN, pinebench


def write(folder: Path, text: str) -> None:
    (folder / "pinebench.toml").write_text(text)
    (folder / "old").mkdir()
    (folder / "old" / "a.pine").write_text(CLEAN)


def test_each_value_says_where_it_comes_from(tmp_path: Path) -> None:
    write(tmp_path, '[lint]\nignore = ["CW10003"]\nexclude = ["old/*"]\n[per-file."old/*"]\nfail-on = "never"\n')
    outcome = pinebench(
        "config", "old/a.pine", "--format", "json", folder=tmp_path, environment={"PINEBENCH_SELECT": "CE"}
    )
    plain = json.loads(outcome.out)
    file = str(tmp_path / "pinebench.toml")
    rows = {(row["section"], row["key"]): (row["value"], row["origin"]) for row in plain["settings"]}
    assert (plain["path"], plain["file"], plain["excluded"]) == ("old/a.pine", file, "old/*")
    assert rows["lint", "select"] == (["CE"], "PINEBENCH_SELECT")
    assert rows["lint", "ignore"] == (["CW10003"], file)
    assert rows["lint", "fail-on"] == ("error", "default")
    assert rows["format", "width"] == (120, "default")
    assert rows['per-file."old/*"', "fail-on"] == ("never", file)
    assert ('per-file."old/*"', "fail-on") not in {
        (row["section"], row["key"])
        for row in json.loads(pinebench("config", "--format", "json", folder=tmp_path).out)["settings"]
    }


def test_people_read_one_line_a_key(tmp_path: Path) -> None:
    write(tmp_path, '[lint]\nfail-on = "info"\n')
    outcome = pinebench("config", folder=tmp_path)
    assert outcome.code == 0
    assert '  lint.fail-on         "info"' in outcome.out
    assert outcome.out.count("default") >= 5
    assert "selected rules: " in outcome.out


def test_without_a_file_defaults_count(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    outcome = pinebench("config", folder=tmp_path)
    assert outcome.code == 0
    assert "none: the defaults apply" in outcome.out


def test_a_mistake_is_said_as_lint_says_it(tmp_path: Path) -> None:
    for text in ("[lint]\nselct = []\n", '[lint]\nselect = ["CE99999"]\n', "[rules.nothing]\n"):
        (tmp_path / "pinebench.toml").write_text(text)
        (tmp_path / "a.pine").write_text(CLEAN)
        shown, lint = (pinebench(*words, folder=tmp_path) for words in (["config"], ["lint", "a.pine"]))
        assert (shown.code, shown.out, shown.err) == (lint.code, lint.out, lint.err)
        assert shown.code == 2


def test_the_schema_is_printed(tmp_path: Path) -> None:
    outcome = pinebench("config", "--schema", folder=tmp_path)
    assert json.loads(outcome.out)["properties"]["lint"]["properties"]["fail-on"]["default"] == "error"


def test_settings_for_a_file_hide_on_the_command_line_and_the_run_fails(tmp_path: Path) -> None:
    (tmp_path / "pinebench.toml").write_text('[per-file."old/*"]\nignore = ["CE"]\n')
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "a.pine").write_text(CLEAN.replace("close", "clsoe"))
    outcome = pinebench("lint", folder=tmp_path)
    assert outcome.out == "1 script checked: nothing to report; hidden: 1 error\n"
    assert "old/a.pine:3: CE10272" in outcome.err
    assert outcome.code == 1


def test_settings_that_reach_out_of_a_clone_are_told_shown_and_approved(tmp_path: Path) -> None:
    """Every command says what it left out; a library that was not approved is never read, and its words not shown."""
    clone, secret = tmp_path / "clone", tmp_path / "secret"
    (secret / "me" / "Tools").mkdir(parents=True)
    (secret / "me" / "Tools" / "1.pine").write_text('//@version=6\nlibrary("Tools")\nexport f(int x) => x\n')
    (clone / ".git").mkdir(parents=True)
    (clone / "pinebench.toml").write_text(f'[check]\nlibrary-paths = ["{secret}"]\n')
    script = clone / "a.pine"
    script.write_text('//@version=6\nindicator("x")\nimport me/Tools/1 as t\nplot(t.f("text"))\n')
    state = {"PINEBENCH_STATE_DIR": str(tmp_path / "state")}

    def said(*words: str) -> tuple[str, str]:
        outcome = pinebench(*words, folder=clone, environment=state)
        return outcome.out, outcome.err

    for words in (["lint", "a.pine"], ["compile", "a.pine"], ["run", "a.pine", "--data", "sample:AAPL@1Dx50"]):
        out, err = said(*words)
        assert str(secret) in err and "pinebench config --approve" in err, words
        assert "CE" not in out, words
    listed, _ = said("config")
    assert f"not used, because it is not approved: {secret}" in listed
    assert json.loads(said("config", "--json")[0])["unapproved"] == [str(secret)]
    shown, _ = said("config", "--approve")
    assert str(secret) in shown
    out, err = said("lint", "a.pine")
    assert "CE" in out and "approve" not in err
    assert "nothing to approve" in said("config", "--approve")[1]
