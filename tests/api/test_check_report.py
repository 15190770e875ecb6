"""The report about a script is the one of `pinebench lint`, for texts and files."""

from pathlib import Path

import pytest

import pinebench as pb

FAULTY = '//@version=6\nindicator("Mean")\nplot(ta.sma(clos, 20))\n'


def test_a_faulty_text_has_errors_with_place_and_advice() -> None:
    report = pb.check(FAULTY)
    assert not report and not report.ok
    (error,) = report.errors
    assert (error.code, error.line, error.column) == ("CE10272", 3, 13)
    assert "clos" in error.message and "close" in str(error.hint)
    assert str(report) == f"<text>:3:13: error CE10272: {error.message}"
    assert report.fixed() == FAULTY and report.fixed(unsafe=True) == FAULTY.replace("clos,", "close,")


def test_safe_fixes_are_applied_and_comments_that_hide_nothing_go() -> None:
    text = '//@version=6\nindicator("Mean", "Mean")\nplot(close) // pinebench: ignore[CE10272]\n'
    assert "ignore" not in pb.check(text).fixed()


def test_a_sound_text_is_ok_and_has_nothing_to_fix() -> None:
    report = pb.check('//@version=6\nindicator("Mean")\nplot(close)\n')
    assert report and report.findings == [] and report.fixed() == report.text


def test_a_text_of_an_older_version_is_neither_ok_nor_faulty(tmp_path: Path) -> None:
    (tmp_path / "a.pine").write_text('//@version=5\nstudy("Old")\nplot(clsoe)\n')
    (tmp_path / "pinebench.toml").write_text('[lint]\nignore = ["PB0001"]\n')
    report = pb.check(tmp_path / "a.pine")
    assert (report.ok, bool(report), report.findings) == (None, False, [])
    assert pb.check('//@version=5\nindicator("a"\n').ok is False


def test_the_configuration_of_a_file_counts_and_the_file_stays(tmp_path: Path) -> None:
    file = tmp_path / "mean.pine"
    text = '//@version=6\nindicator("Mean")\nunused = 1\nplot(close)\n'
    file.write_text(text, encoding="utf-8")
    assert "unused" in str(pb.check(text)) and "unused" in str(pb.check(file))
    (tmp_path / "pinebench.toml").write_text('[lint]\nignore = ["CW", "PB"]\n', encoding="utf-8")
    assert pb.check(file).findings == pb.check(str(file)).findings == []
    assert file.read_text(encoding="utf-8") == text


def test_an_error_that_a_comment_hides_still_fails() -> None:
    hidden = FAULTY.replace("20))", "20)) // pinebench: ignore[CE10272]")
    report = pb.check(hidden)
    assert report.errors == [] and not report.ok
    told = "ignored by a comment, but TradingView refuses such a script: line 3: CE10272"
    assert str(report) == told
    assert told in report._repr_html_() and "no errors" not in report._repr_html_()


def test_libraries_that_were_not_found_are_told_and_those_in_a_folder_are_read(tmp_path: Path) -> None:
    text = '//@version=6\nindicator("a")\nimport me/Foo/1 as foo\nplot(foo.twice(close))\n'
    report = pb.check(text, libraries=())
    told = "uses of me/Foo/1 were not checked, because no folder of library-paths has the source as readable Pine v6"
    assert report.ok and report.not_checked == ["me/Foo/1"]
    assert str(report).splitlines()[-1] == told and told in report._repr_html_()
    source = '//@version=6\nlibrary("Foo")\nexport twice(float x) =>\n    x * 2\n'
    library = tmp_path / "me" / "Foo" / "1.pine"
    library.parent.mkdir(parents=True)
    library.write_text(source, encoding="utf-8")
    report = pb.check(text, libraries=(str(tmp_path),))
    assert report.not_checked == [] and "not checked" not in f"{report}{report._repr_html_()}"


def test_a_missing_file_is_told() -> None:
    with pytest.raises(pb.UsageError, match=r"nowhere\.pine"):
        pb.check("nowhere.pine")


def test_findings_are_underlined_in_notebooks_and_cannot_act() -> None:
    page = pb.check(FAULTY.replace("Mean", "<b>Mean").replace("clos", "clos<b>"))._repr_html_()
    assert "underline wavy" in page and "<b>Mean" not in page and "clos&lt;b&gt;" in page.replace("</span>", "")


def test_a_script_is_formatted_or_the_reason_is_told(tmp_path: Path) -> None:
    file = tmp_path / "mean.pine"
    file.write_text('//@version=6\nindicator("Mean")\nplot( close )\n', encoding="utf-8")
    assert pb.format(file).endswith("plot(close)\n")
    assert file.read_text(encoding="utf-8").endswith("plot( close )\n")
    with pytest.raises(pb.PinebenchError, match="cannot be formatted: it has syntax errors"):
        pb.format('//@version=6\nindicator("Mean"\nplot( close ')


def test_an_old_script_is_migrated_with_remarks() -> None:
    done = pb.migrate('//@version=4\nstudy("Mean")\nplot(sma(close, 20))\n')
    assert "ta.sma(close, 20)" in done.text and done.version == 4 and done.refused is None
    assert pb.check(done.text)
