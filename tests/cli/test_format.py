"""Tests of `pinebench format`: in place, for CI, as a diff, from standard input."""

from pathlib import Path

import pytest

from tests.cli.support import pinebench

HEAD = '//@version=6\nindicator("x")\n'
UNTIDY, TIDY, BROKEN = HEAD + "plot( close )\n", HEAD + "plot(close)\n", HEAD + "plot( close\n"
OLD = '//@version=4\nstudy("x")\nplot( close )\n'


def put(folder: Path, **scripts: str) -> None:
    for name, text in scripts.items():
        (folder / f"{name}.pine").write_bytes(text.encode())


def test_scripts_are_laid_out_in_place(tmp_path: Path) -> None:
    put(tmp_path, one=UNTIDY, two=TIDY)
    outcome = pinebench("format", folder=tmp_path)
    assert (outcome.code, outcome.out) == (0, "")
    assert "one.pine: reformatted" in outcome.err
    assert "1 of 2 scripts reformatted" in outcome.err
    assert (tmp_path / "one.pine").read_text() == TIDY


def test_check_names_what_would_change_and_changes_nothing(tmp_path: Path) -> None:
    put(tmp_path, one=UNTIDY, two=TIDY)
    outcome = pinebench("format", "--check", folder=tmp_path)
    assert (outcome.code, outcome.out) == (1, "one.pine would be reformatted\n")
    assert (tmp_path / "one.pine").read_text() == UNTIDY
    assert pinebench("format", "--check", "two.pine", folder=tmp_path).code == 0


def test_diff_shows_what_would_change_and_changes_nothing(tmp_path: Path) -> None:
    put(tmp_path, one=UNTIDY)
    outcome = pinebench("format", "--diff", folder=tmp_path)
    assert outcome.code == 1
    assert "-plot( close )\n+plot(close)\n" in outcome.out
    assert (tmp_path / "one.pine").read_text() == UNTIDY


@pytest.mark.parametrize(("text", "wanted"), [(UNTIDY, TIDY), (TIDY, TIDY), (UNTIDY.replace("\n", "\r\n"), None)])
def test_standard_input_goes_to_standard_output(tmp_path: Path, text: str, wanted: str | None) -> None:
    outcome = pinebench("format", "-", folder=tmp_path, stdin=text.encode())
    assert (outcome.code, outcome.out) == (0, wanted or TIDY.replace("\n", "\r\n"))


@pytest.mark.parametrize("option", ["--check", "--diff"])
def test_standard_input_can_be_looked_at_only(tmp_path: Path, option: str) -> None:
    assert pinebench("format", "-", option, folder=tmp_path, stdin=UNTIDY.encode()).code == 1
    assert pinebench("format", "-", option, folder=tmp_path, stdin=TIDY.encode()).code == 0


def test_a_broken_script_is_left_alone_and_the_others_are_not(tmp_path: Path) -> None:
    put(tmp_path, broken=BROKEN, old=OLD, one=UNTIDY)
    outcome = pinebench("format", folder=tmp_path)
    assert outcome.code == 1
    assert "broken.pine: not changed: it has syntax errors" in outcome.err
    assert "old.pine: not changed: only Pine v6 is formatted, and this script is v4" in outcome.err
    assert (tmp_path / "broken.pine").read_text() == BROKEN
    assert (tmp_path / "old.pine").read_text() == OLD
    assert (tmp_path / "one.pine").read_text() == TIDY


def test_a_broken_script_on_standard_input_comes_back(tmp_path: Path) -> None:
    outcome = pinebench("format", "-", folder=tmp_path, stdin=BROKEN.encode())
    assert (outcome.code, outcome.out) == (1, BROKEN)


def test_the_configuration_says_how_wide(tmp_path: Path) -> None:
    put(tmp_path, one=HEAD + 'plot(close, title = "A title", color = color.red, linewidth = 2)\n')
    (tmp_path / "pinebench.toml").write_text("[format]\nwidth = 50\n")
    assert pinebench("format", folder=tmp_path).code == 0
    assert max(map(len, (tmp_path / "one.pine").read_text().splitlines())) <= 50
    (tmp_path / "pinebench.toml").write_text("[format]\nwidth = 20\n")
    outcome = pinebench("format", folder=tmp_path)
    assert outcome.code == 2
    assert "'width' in [format] must be at least 40, not 20" in outcome.err


def test_a_missing_file_is_2_and_the_others_are_still_laid_out(tmp_path: Path) -> None:
    put(tmp_path, one=UNTIDY)
    assert pinebench("format", "gone.pine", "one.pine", folder=tmp_path).code == 2
    assert (tmp_path / "one.pine").read_text() == TIDY


def test_standard_input_stands_alone(tmp_path: Path) -> None:
    outcome = pinebench("format", "-", "one.pine", folder=tmp_path)
    assert outcome.code == 2
    assert "only path" in outcome.err
