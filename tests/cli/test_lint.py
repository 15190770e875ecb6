"""`pinebench lint` as a user meets it: which files, which findings, which exit code."""

import codecs
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pinebench.checker import Program
from pinebench.cli import main
from pinebench.linter import batch, project
from tests.cli.support import CLEAN, UNCLOSED, Outcome, in_terminal, pinebench

TYPO = '//@version=6\nindicator("Typo")\nplot(clsoe)\n'


def write(folder: Path, **scripts: str) -> None:
    """Write each script to `<name>.pine` in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in scripts.items():
        (folder / f"{name}.pine").write_text(text, encoding="utf-8", newline="")


def report(outcome: Outcome) -> dict[str, Any]:
    """The JSON report that `outcome` printed."""
    return json.loads(outcome.out)


def lint(folder: Path, *arguments: str, **environment: str) -> Outcome:
    """Run `pinebench lint --format json ARGUMENTS` in `folder`."""
    return pinebench("lint", "--format", "json", *arguments, folder=folder, environment=environment)


def test_a_clean_script_is_fine(tmp_path: Path) -> None:
    write(tmp_path, clean=CLEAN)
    outcome = pinebench("lint", "clean.pine", folder=tmp_path)
    assert outcome == (0, "1 script checked: nothing to report\n", "")


def test_an_error_is_shown_with_its_line_and_ends_with_1(tmp_path: Path) -> None:
    write(tmp_path, typo=TYPO)
    outcome = pinebench("lint", "typo.pine", folder=tmp_path)
    assert outcome.code == 1
    assert outcome.err == ""
    lines = outcome.out.splitlines()
    assert lines[0].startswith("typo.pine:3:6: error CE10272: ")
    assert lines[1:3] == ["3 | plot(clsoe)", "  |      ^^^^^"]
    assert lines[-1] == "1 script checked: 1 error"


def test_json_has_exactly_the_documented_keys(tmp_path: Path) -> None:
    write(tmp_path, typo=TYPO)
    outcome = lint(tmp_path, "typo.pine")
    assert outcome.code == 1
    data = report(outcome)
    assert list(data) == ["version", "files", "diagnostics", "summary", "not_checked"]
    assert data["version"] == 1
    assert data["files"] == ["typo.pine"]
    assert data["summary"] == {"files": 1, "unchecked": 0, "errors": 1, "warnings": 0, "infos": 0, "hints": 0}
    (diagnostic,) = data["diagnostics"]
    assert list(diagnostic) == [
        *("path", "line", "column", "end_line", "end_column", "severity", "code", "message", "hint", "fix", "tv"),
        "edits",  # where there is a fix
    ]
    assert diagnostic["edits"] == [{"line": 3, "column": 6, "end_line": 3, "end_column": 11, "text": "close"}]
    place = {key: diagnostic[key] for key in ("path", "line", "column", "end_line", "end_column", "severity", "code")}
    assert place == {
        "path": "typo.pine",
        "line": 3,
        "column": 6,
        "end_line": 3,
        "end_column": 11,
        "severity": "error",
        "code": "CE10272",
    }


def test_findings_come_in_order_of_path_line_and_column(tmp_path: Path) -> None:
    write(tmp_path, b=UNCLOSED, a='//@version=6\nindicator("x")\nplot(aa)\nplot(bb)\n', c=TYPO)
    data = report(lint(tmp_path, "c.pine", "b.pine", "a.pine"))
    assert data["files"] == ["a.pine", "b.pine", "c.pine"]
    order = [(item["path"], item["line"], item["column"], item["code"]) for item in data["diagnostics"]]
    assert order == sorted(order)
    assert len(order) == 4


def test_columns_count_utf16_units(tmp_path: Path) -> None:
    write(tmp_path, wide='//@version=6\nindicator("x")\nplot("𝛑" == clsoe ? 1 : 2)\n')
    (diagnostic,) = report(lint(tmp_path, "wide.pine"))["diagnostics"]
    assert (diagnostic["column"], diagnostic["end_column"]) == (14, 19)


def test_a_folder_is_searched_and_hidden_folders_are_not(tmp_path: Path) -> None:
    write(tmp_path / "scripts" / "deep", one=CLEAN)
    write(tmp_path / "scripts", two=CLEAN)
    write(tmp_path / "scripts" / ".hidden", three=TYPO)
    (tmp_path / "scripts" / "note.txt").write_text("not a script")
    assert report(lint(tmp_path, "scripts"))["files"] == ["scripts/deep/one.pine", "scripts/two.pine"]


def test_bare_lint_means_this_folder(tmp_path: Path) -> None:
    write(tmp_path / "deep", one=CLEAN)
    write(tmp_path, two=CLEAN)
    outcome = lint(tmp_path)
    assert outcome.code == 0
    assert report(outcome)["files"] == ["deep/one.pine", "two.pine"]


def test_a_named_file_may_have_any_ending(tmp_path: Path) -> None:
    (tmp_path / "script.txt").write_text(CLEAN)
    assert report(lint(tmp_path, "script.txt"))["files"] == ["script.txt"]


def test_standard_input_is_a_script(tmp_path: Path) -> None:
    outcome = pinebench("lint", "-", "--format", "json", folder=tmp_path, stdin=TYPO.encode())
    assert outcome.code == 1
    assert report(outcome)["files"] == ["<stdin>"]
    named = pinebench(
        *("lint", "-", "--format", "json", "--stdin-filename", "buffer.pine"), folder=tmp_path, stdin=TYPO.encode()
    )
    assert report(named)["diagnostics"][0]["path"] == "buffer.pine"


@pytest.mark.parametrize(
    ("bom", "encoding"),
    [(codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_byte_order_marks_and_line_ends_change_no_place(tmp_path: Path, bom: bytes, encoding: str, end: str) -> None:
    (tmp_path / "typo.pine").write_bytes(bom + TYPO.replace("\n", end).encode(encoding))
    (diagnostic,) = report(lint(tmp_path, "typo.pine"))["diagnostics"]
    assert (diagnostic["code"], diagnostic["line"], diagnostic["column"]) == ("CE10272", 3, 6)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing.pine", "missing.pine: there is no such file"),
        ("latin.pine", "latin.pine is not UTF-8 text: byte 0xe9 at offset 3"),
        ("half.pine", "half.pine is not UTF-16-LE text"),
        ("empty", "empty: no scripts in this folder"),
    ],
)
def test_a_file_that_is_no_script_is_one_line_and_the_others_are_still_reported(
    tmp_path: Path, name: str, words: str
) -> None:
    write(tmp_path, typo=TYPO)
    (tmp_path / "latin.pine").write_bytes(b"// \xe9\n")
    (tmp_path / "half.pine").write_bytes(codecs.BOM_UTF16_LE + b"a")
    (tmp_path / "empty").mkdir()
    outcome = lint(tmp_path, name, "typo.pine")
    assert outcome.code == 2
    assert words in outcome.err
    assert outcome.err.count("\n") == 1
    assert report(outcome)["files"] == ["typo.pine"]
    assert report(outcome)["summary"]["errors"] == 2
    (unread,) = [item for item in report(outcome)["diagnostics"] if item["code"] == "unreadable"]
    assert (unread["path"], unread["severity"], unread["line"], unread["column"]) == (name, "error", 1, 1)
    assert words in unread["message"]


@pytest.mark.parametrize("form", ["json", "sarif", "github", "gitlab", "junit"])
def test_no_report_for_programs_looks_clean_when_a_file_could_not_be_read(tmp_path: Path, form: str) -> None:
    write(tmp_path, clean=CLEAN)
    (tmp_path / "latin.pine").write_bytes(b"// \xe9\n")
    outcome = pinebench("lint", "--format", form, folder=tmp_path)
    assert outcome.code == 2
    assert "latin.pine is not UTF-8 text" in outcome.out
    hidden = pinebench("lint", "--format", form, "--select", "CW", "--fail-on", "never", folder=tmp_path)
    assert (hidden.code, hidden.out) == (2, outcome.out)


@pytest.mark.parametrize("version", [3, 4, 5])
def test_a_script_of_an_older_version_is_a_warning_that_it_is_unchecked(tmp_path: Path, version: int) -> None:
    write(tmp_path, old=f'//@version={version}\nstudy("Old")\nplot(clsoe)\n')
    outcome = lint(tmp_path, "old.pine", "--fail-on", "warning")
    assert outcome.code == 1
    (only,) = report(outcome)["diagnostics"]
    assert (only["code"], only["severity"]) == ("PB0001", "warning")
    assert "not checked" in only["message"]
    assert lint(tmp_path, "old.pine").code == 0
    said = pinebench("lint", "old.pine", folder=tmp_path)
    assert "0 scripts checked, 1 not checked: 1 warning" in said.out + said.err


@pytest.mark.parametrize("flags", [["--select", "CE"], ["--ignore", "PB0001"], ["--tradingview"]])
def test_no_choice_of_findings_makes_an_unchecked_script_look_checked(tmp_path: Path, flags: list[str]) -> None:
    write(tmp_path, old='//@version=5\nstudy("Old")\nplot(clsoe)\n')
    outcome = lint(tmp_path, "old.pine", *flags)
    assert report(outcome)["summary"]["unchecked"] == 1
    assert ("PB0001" in outcome.out) == (flags[0] == "--select")
    said = pinebench("lint", "old.pine", *flags, folder=tmp_path)
    assert "0 scripts checked, 1 not checked" in said.out + said.err
    junit = pinebench("lint", "old.pine", *flags, "--format", "junit", folder=tmp_path)
    assert 'name="clean"' not in junit.out


def test_an_accepted_finding_about_an_unchecked_script_leaves_it_unchecked(tmp_path: Path) -> None:
    write(tmp_path, old='//@version=5\nstudy("Old")\n')
    pinebench("lint", "old.pine", "--write-baseline", "known.json", folder=tmp_path)
    said = pinebench("lint", "old.pine", "--baseline", "known.json", folder=tmp_path)
    assert "0 scripts checked, 1 not checked: nothing to report" in said.out + said.err


def test_where_nothing_could_be_read_nothing_is_reported(tmp_path: Path) -> None:
    outcome = pinebench("lint", "missing.pine", folder=tmp_path)
    assert outcome == (2, "", "pinebench: missing.pine: there is no such file\n")


def test_an_unreadable_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "loop.pine").symlink_to("loop.pine")
    outcome = lint(tmp_path, "loop.pine")
    assert outcome.code == 2
    assert outcome.err.startswith("pinebench: loop.pine cannot be read: ")


@pytest.mark.parametrize(("level", "code"), [("error", 1), ("warning", 1), ("info", 1), ("never", 0)])
def test_fail_on_decides_the_exit_code_of_an_error(tmp_path: Path, level: str, code: int) -> None:
    write(tmp_path, typo=TYPO)
    assert lint(tmp_path, "typo.pine", "--fail-on", level).code == code


@pytest.mark.parametrize(("level", "code"), [("error", 0), ("warning", 1), ("info", 1), ("never", 0)])
def test_fail_on_decides_the_exit_code_of_a_warning(tmp_path: Path, level: str, code: int) -> None:
    write(tmp_path, newer=CLEAN.replace("version=6", "version=7"))
    outcome = lint(tmp_path, "newer.pine", "--fail-on", level)
    assert report(outcome)["summary"]["warnings"] == 1
    assert outcome.code == code


@pytest.mark.parametrize(
    ("arguments", "left"),
    [
        (("--select", "CE"), {"CE10015", "CE10272"}),
        (("--select", "CE10015"), {"CE10015"}),
        (("--select", "ce10272,PB"), {"CE10272"}),
        (("--ignore", "CE10272"), {"CE10015"}),
        (("--ignore", "CE10272", "--ignore", "CE10015"), set[str]()),
        (("--select", "CE", "--ignore", "CE10015"), {"CE10272"}),
    ],
)
def test_codes_are_selected_and_ignored_by_name_or_beginning(
    tmp_path: Path, arguments: tuple[str, ...], left: set[str]
) -> None:
    write(tmp_path, typo=TYPO, unclosed=UNCLOSED)
    data = report(lint(tmp_path, *arguments))
    assert {item["code"] for item in data["diagnostics"]} == left


def test_tradingview_shows_the_first_syntax_error_alone(tmp_path: Path) -> None:
    write(tmp_path, many=TYPO + "x = (1\ny = (2\nz = nothing\n")
    assert report(lint(tmp_path, "many.pine"))["summary"]["errors"] > 1
    data = report(lint(tmp_path, "many.pine", "--tradingview"))
    assert [(item["line"], item["code"]) for item in data["diagnostics"]] == [(4, "CE10015")]


def test_tradingview_says_nothing_of_ours(tmp_path: Path) -> None:
    write(tmp_path, typo=TYPO)
    (ours,) = report(lint(tmp_path, "typo.pine"))["diagnostics"]
    (theirs,) = report(lint(tmp_path, "typo.pine", "--tradingview"))["diagnostics"]
    assert ours["hint"]
    assert ours["fix"] == "safe"
    assert ours.pop("edits")
    assert theirs == {**ours, "hint": None, "fix": None}


def test_tradingview_shows_no_warnings_beside_errors(tmp_path: Path) -> None:
    write(tmp_path, both=TYPO.replace("version=6", "version=7"))
    assert report(lint(tmp_path, "both.pine"))["summary"]["warnings"] == 1
    assert report(lint(tmp_path, "both.pine", "--tradingview"))["summary"]["warnings"] == 0


def test_diff_shows_what_fix_would_do_and_changes_nothing(tmp_path: Path) -> None:
    write(tmp_path, typo=TYPO, clean=CLEAN)
    outcome = pinebench("lint", "--diff", folder=tmp_path)
    assert outcome.code == 1
    assert outcome.out.splitlines() == [
        "--- typo.pine",
        "+++ typo.pine (fixed)",
        "@@ -1,3 +1,3 @@",
        " //@version=6",
        ' indicator("Typo")',
        "-plot(clsoe)",
        "+plot(close)",
    ]
    assert (tmp_path / "typo.pine").read_text() == TYPO
    assert pinebench("lint", "clean.pine", "--diff", folder=tmp_path) == (0, "", "")


@pytest.mark.parametrize(("bom", "encoding"), [(b"", "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le")])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_fix_changes_the_fault_and_not_a_byte_more(tmp_path: Path, bom: bytes, encoding: str, end: str) -> None:
    text = TYPO.replace("\n", end)
    (tmp_path / "typo.pine").write_bytes(bom + text.encode(encoding))
    outcome = pinebench("lint", "typo.pine", "--fix", folder=tmp_path)
    assert outcome == (0, "1 script checked: nothing to report\n", "pinebench: typo.pine: 1 fix applied\n")
    assert (tmp_path / "typo.pine").read_bytes() == bom + text.replace("clsoe", "close").encode(encoding)


def test_fix_leaves_what_was_not_selected(tmp_path: Path) -> None:
    write(tmp_path, typo=TYPO)
    assert pinebench("lint", "typo.pine", "--fix", "--ignore", "CE10272", folder=tmp_path).code == 0
    assert (tmp_path / "typo.pine").read_text() == TYPO


def test_fix_prints_standard_input_mended_and_reports_on_stderr(tmp_path: Path) -> None:
    text = TYPO + "plot(nothingLikeThis)\n"
    outcome = pinebench("lint", "-", "--fix", folder=tmp_path, stdin=text.encode())
    assert outcome.code == 1
    assert outcome.out == text.replace("clsoe", "close")
    assert "nothingLikeThis" in outcome.err
    assert list(tmp_path.iterdir()) == []


def test_statistics_count_by_code(tmp_path: Path) -> None:
    write(tmp_path, a=TYPO, b=TYPO, c=UNCLOSED)
    outcome = pinebench("lint", "--statistics", folder=tmp_path)
    assert outcome.code == 1
    rows = [line.split()[:3] for line in outcome.out.splitlines()[:2]]
    assert rows == [["2", "CE10272", "error"], ["1", "CE10015", "error"]]
    assert outcome.out.splitlines()[-1] == "3 scripts checked: 3 errors"


def test_the_cache_answers_for_unchanged_scripts_and_only_for_them(tmp_path: Path) -> None:
    write(tmp_path / "scripts", typo=TYPO, clean=CLEAN)
    first = lint(tmp_path, "scripts")
    entries = sorted((tmp_path / ".cache" / "lint").iterdir())
    assert len(entries) == 2
    assert lint(tmp_path, "scripts") == first
    for entry in entries:
        entry.write_text('{"libraries": {}, "unread": [], "findings": []}')
    assert report(lint(tmp_path, "scripts"))["diagnostics"] == []
    assert lint(tmp_path, "scripts", "--no-cache") == first
    for entry in entries:
        entry.write_text("broken")
    assert lint(tmp_path, "scripts") == first


def test_processes_change_nothing(tmp_path: Path) -> None:
    write(tmp_path, a=TYPO, b=UNCLOSED, c=CLEAN, d=TYPO)
    one = lint(tmp_path, "--jobs", "1", "--no-cache")
    assert lint(tmp_path, "--jobs", "2", "--no-cache") == one
    assert report(one)["summary"]["errors"] == 3


def test_the_nearest_configuration_decides_and_flags_win(tmp_path: Path) -> None:
    write(tmp_path, typo=TYPO)
    write(tmp_path / "inner", typo=TYPO)
    (tmp_path / "pyproject.toml").write_text('[tool.pinebench.lint]\nignore = ["CE10272"]\n')
    (tmp_path / "inner" / "pinebench.toml").write_text('[lint]\nfail-on = "never"\n')
    outcome = lint(tmp_path, "typo.pine", "inner/typo.pine")
    assert outcome.code == 0
    assert [item["path"] for item in report(outcome)["diagnostics"]] == ["inner/typo.pine"]
    assert lint(tmp_path, "inner/typo.pine", "--fail-on", "error").code == 1
    assert lint(tmp_path, "typo.pine", "--config", "inner/pinebench.toml", "--fail-on", "error").code == 1


def test_the_search_for_configuration_stops_at_the_repository(tmp_path: Path) -> None:
    write(tmp_path / "repository" / "scripts", typo=TYPO)
    (tmp_path / "repository" / ".git").mkdir()
    (tmp_path / "pinebench.toml").write_text('[lint]\nignore = ["CE10272"]\n')
    assert lint(tmp_path / "repository", "scripts").code == 1


def test_the_environment_wins_over_files(tmp_path: Path) -> None:
    write(tmp_path, typo=TYPO)
    (tmp_path / "pinebench.toml").write_text('[lint]\nfail-on = "error"\n')
    assert lint(tmp_path, "typo.pine", PINEBENCH_FAIL_ON="never").code == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[lint", "is not TOML"),
        ("[lnt]\n", "there is no section [lnt] (sections are lint"),
        ("[lint]\nselct = []\n", "[lint] has no key 'selct' (keys are select"),
        ('[lint]\nselect = "CE"\n', "'select' in [lint] must be a list of strings, not 'CE'"),
        ('[lint]\nfail-on = "fatal"\n', "'fail-on' in [lint] must be one of error, warning, info, never, unchecked"),
    ],
)
def test_a_bad_configuration_is_one_clear_line(tmp_path: Path, text: str, words: str) -> None:
    write(tmp_path, clean=CLEAN)
    (tmp_path / "pinebench.toml").write_text(text)
    outcome = lint(tmp_path, "clean.pine")
    assert outcome.code == 2
    assert words in outcome.err
    assert outcome.err.count("\n") == 1


def test_excluded_scripts_are_left_out_of_folders(tmp_path: Path) -> None:
    write(tmp_path / "old", typo=TYPO)
    write(tmp_path, clean=CLEAN)
    (tmp_path / "pinebench.toml").write_text('[lint]\nexclude = ["old/*"]\n')
    assert report(lint(tmp_path))["files"] == ["clean.pine"]


def test_a_folder_is_excluded_by_its_name(tmp_path: Path) -> None:
    for name in ("old", "new", "new/old"):
        write(tmp_path / name, a=TYPO)
    (tmp_path / "pinebench.toml").write_text('[lint]\nexclude = ["old"]\n')
    assert report(lint(tmp_path))["files"] == ["new/a.pine"]


def test_standard_input_is_left_out_where_its_name_is_and_passed_on_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "pinebench.toml").write_text('[lint]\nexclude = ["old"]\n')
    (tmp_path / "old").mkdir()
    script = b"\xef\xbb\xbf" + TYPO.replace("\n", "\r\n").encode()

    def outcome(*arguments: str) -> Outcome:
        return pinebench("lint", "-", "--stdin-filename", "old/a.pine", *arguments, folder=tmp_path, stdin=script)

    assert outcome().code == 1
    assert outcome("--force-exclude") == (0, "", "")
    assert outcome("--force-exclude", "--diff") == (0, "", "")
    assert outcome("--force-exclude", "--fix") == (0, script.decode(), "")


def test_a_folder_below_may_exclude_scripts_of_its_own(tmp_path: Path) -> None:
    write(tmp_path / "part" / "old", typo=TYPO)
    write(tmp_path, clean=CLEAN)
    (tmp_path / "part" / "pinebench.toml").write_text('[lint]\nexclude = ["old/*"]\n')
    assert report(lint(tmp_path))["files"] == ["clean.pine"]


@pytest.mark.parametrize("colour", [True, False])
def test_colour_is_for_terminals_only(tmp_path: Path, colour: bool) -> None:
    import os
    import pty
    import subprocess
    import sys

    from tests.cli.support import surroundings

    write(tmp_path, typo=TYPO)
    master, slave = pty.openpty()
    environment = surroundings(tmp_path, TERM="xterm", NO_COLOR="" if colour else "1")
    process = subprocess.Popen(
        [sys.executable, "-m", "pinebench", "lint", "typo.pine"], cwd=tmp_path, stdout=slave, env=environment
    )
    process.wait(300)
    os.close(slave)
    shown = os.read(master, 100_000).decode()
    os.close(master)
    assert ("\x1b[31" in shown) is colour
    assert "CE10272" in shown


def test_a_diff_can_be_applied_whatever_ends_the_lines(tmp_path: Path) -> None:
    text = TYPO.rstrip("\n").replace("\n", "\r\n") + " // a\u2028b\x0cc"
    (tmp_path / "typo.pine").write_bytes(text.encode())
    outcome = subprocess.run(
        [sys.executable, "-m", "pinebench", "lint", "typo.pine", "--diff"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert b"\\ No newline at end of file" in outcome.stdout
    assert outcome.stdout.count(b"\r\n") == 2
    patch = shutil.which("patch")
    if patch:
        subprocess.run([patch, "--binary", "typo.pine"], cwd=tmp_path, input=outcome.stdout, check=True)
        assert (tmp_path / "typo.pine").read_bytes() == text.replace("clsoe", "close").encode()


def test_a_file_that_changes_while_it_is_fixed_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, typo=TYPO, other=TYPO)
    monkeypatch.chdir(tmp_path)
    real = project.fix_result

    def slowly(result: project.ScriptFindings, *args: Any, **options: Any) -> project.FixedScript:
        fixed = real(result, *args, **options)
        if result.script.path == "typo.pine":
            (tmp_path / "typo.pine").write_text("// mine\n")
        return fixed

    monkeypatch.setattr(project, "fix_result", slowly)
    assert main(["lint", "typo.pine", "other.pine", "--fix"]) == 2
    assert (tmp_path / "typo.pine").read_text() == "// mine\n"
    assert "close" in (tmp_path / "other.pine").read_text()


def test_a_file_that_is_protected_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, typo=TYPO)
    monkeypatch.chdir(tmp_path)
    # Who runs this may be allowed to write everything.
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert main(["lint", "typo.pine", "--fix"]) == 2
    assert (tmp_path / "typo.pine").read_text() == TYPO


def test_a_symbolic_link_is_fixed_where_it_points(tmp_path: Path) -> None:
    write(tmp_path, typo=TYPO)
    (tmp_path / "link.pine").symlink_to("typo.pine")
    assert pinebench("lint", "link.pine", "--fix", folder=tmp_path).code == 0
    assert (tmp_path / "link.pine").is_symlink()
    assert "close" in (tmp_path / "typo.pine").read_text()


def test_a_script_that_is_named_twice_is_checked_once(tmp_path: Path) -> None:
    (tmp_path / "clean.pine").write_text(CLEAN)
    outcome = pinebench("lint", "./clean.pine", "clean.pine", ".", folder=tmp_path)
    assert outcome == (0, "1 script checked: nothing to report\n", "")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
@pytest.mark.parametrize("form", ["json", "sarif", "gitlab", "junit"])
def test_programs_get_utf_8_whatever_the_system_speaks(tmp_path: Path, form: str, encoding: str) -> None:
    (tmp_path / "é😀.pine").write_text(TYPO, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pinebench", "lint", "--format", form],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )
    name = "%C3%A9%F0%9F%98%80.pine" if form == "sarif" else "é😀.pine"
    assert name in done.stdout.decode("utf-8")


def test_a_folder_that_cannot_be_read_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, clean=CLEAN)
    (tmp_path / "locked").mkdir()
    real = os.scandir

    def scandir(path: str) -> Any:
        if os.fspath(path).endswith("locked"):
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)  # a user who may read everything runs the tests in containers
    monkeypatch.chdir(tmp_path)
    problems: list[project.FileProblem] = []
    assert project.discover(["."], lambda _: False, problems) == ["clean.pine"]
    assert [problem.message for problem in problems] == ["./locked cannot be read: permission denied"]


def test_a_terminal_sees_progress_that_leaves_no_trace(tmp_path: Path) -> None:
    write(tmp_path, a=CLEAN, b=CLEAN)
    shown = in_terminal("lint", folder=tmp_path).out
    progress, _, rest = shown.rpartition("\x1b[K")
    assert "0 of 2 scripts checked" in progress
    assert "\n" not in progress
    assert re.sub("\x1b\\[[0-9;]*m", "", rest) == "2 scripts checked: nothing to report\n"
    dumb = in_terminal("lint", folder=tmp_path, environment={"TERM": "dumb"}).out
    assert dumb == "2 scripts checked: nothing to report\n"


def test_progress_stays_on_one_line_of_a_narrow_terminal(tmp_path: Path) -> None:
    write(tmp_path, a=CLEAN, b=CLEAN)
    shown = in_terminal("lint", folder=tmp_path, columns=40, environment={"NO_COLOR": "1"}).out
    for drawn in shown.split("\r")[1:]:
        assert len(drawn.split("\x1b[K")[0]) < 40


def test_an_interrupted_run_reports_what_it_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, a=TYPO, b=TYPO, c=TYPO)
    monkeypatch.chdir(tmp_path)
    real = batch.check_script

    def check(text: str, path: str, *more: Any) -> Any:
        if path == "c.pine":
            raise KeyboardInterrupt
        return real(text, path, *more)

    monkeypatch.setattr(batch, "check_script", check)
    assert main(["lint", "--no-cache", "--format", "json"]) == 130
    out, err = capsys.readouterr()
    assert json.loads(out)["files"] == ["a.pine", "b.pine"]
    codes = [(item["path"], item["code"]) for item in json.loads(out)["diagnostics"]]
    assert codes == [("a.pine", "CE10272"), ("b.pine", "CE10272"), ("c.pine", "interrupted")]
    assert err == "pinebench: interrupted: 2 of 3 scripts checked\n"


def test_an_interrupted_run_fixes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, a=TYPO, b=TYPO)
    monkeypatch.chdir(tmp_path)

    def interrupted(*_: object, **__: object) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(batch, "check_script", interrupted)
    assert main(["lint", "--fix", "--no-cache"]) == 130
    assert capsys.readouterr() == ("", "pinebench: interrupted; nothing was changed\n")
    assert (tmp_path / "a.pine").read_text() == TYPO


def test_a_script_that_cannot_be_fixed_costs_the_others_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, a=TYPO, b=TYPO)
    monkeypatch.chdir(tmp_path)
    real = project.fix_result

    def fix(result: Any, *rest: Any, **more: Any) -> Any:
        if result.script.path == "a.pine":
            raise RecursionError("too deep")
        return real(result, *rest, **more)

    monkeypatch.setattr(project, "fix_result", fix)
    assert main(["lint", "--fix", "--no-cache"]) == 3
    assert "a.pine: internal error: RecursionError: too deep" in capsys.readouterr().err
    assert (tmp_path / "a.pine").read_text() == TYPO
    assert (tmp_path / "b.pine").read_text() == TYPO.replace("clsoe", "close")


def test_a_finding_is_reported_though_looking_for_its_fix_fails_and_so_is_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from pinebench.linter.suggest import with_fixes

    def fail(program: Program, *rest: Any) -> Any:
        if "clsoe" in program.document.text:
            raise RecursionError("too deep")
        return with_fixes(program, *rest)

    write(tmp_path, a=TYPO, b=TYPO.replace("clsoe", "oepn"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINEBENCH_CACHE_DIR", str(tmp_path / "cache"))
    with monkeypatch.context() as patch:
        patch.setattr("pinebench.linter.suggest.with_fixes", fail)
        assert main(["lint", "--fix"]) == 3
    out, err = capsys.readouterr()
    assert "a.pine:3:6: error CE10272" in out
    assert "a.pine: internal error: RecursionError: too deep" in err
    assert (tmp_path / "a.pine").read_text() == TYPO
    assert (tmp_path / "b.pine").read_text() == TYPO.replace("clsoe", "open")
    assert main(["lint", "--fix"]) == 0, "what was found without fixes is not remembered"
    assert (tmp_path / "a.pine").read_text() == TYPO.replace("clsoe", "close")


def test_guesses_are_listed_with_their_lines_and_the_original_is_kept(tmp_path: Path) -> None:
    text = '//@version=6\nindicator("x")\nplot(close, linewidth = 1.5)\n'
    script = tmp_path / "my.pine"
    script.write_text(text)
    assert pinebench("lint", "my.pine", "--fix", folder=tmp_path).code == 1
    assert script.read_text() == text
    outcome = pinebench("lint", "my.pine", "--fix", "--unsafe-fixes", folder=tmp_path)
    assert outcome.code == 0
    assert "my.pine:3: guess: convert with int()" in outcome.err
    kept = Path(outcome.err.rpartition("the original is kept as ")[2].strip())
    assert kept.read_text() == text


def test_a_library_with_an_error_is_told_as_not_checked_also_from_the_cache(tmp_path: Path) -> None:
    (tmp_path / "pinebench.toml").write_text('[check]\nlibrary-paths = ["."]\n', encoding="utf-8")
    (tmp_path / "Broken.pine").write_text(
        '//@version=6\nlibrary("Broken")\nexport f(float x) => (x\n', encoding="utf-8"
    )
    write(tmp_path, user='//@version=6\nindicator("t")\nimport me/Broken/1 as b\nplot(b.f(close))\n')
    for _ in range(2):
        assert report(lint(tmp_path, "user.pine"))["not_checked"] == ["me/Broken/1"]
