"""`pinebench explain`: every code and every built-in has an answer."""

from pathlib import Path

import pytest

from pinebench import codes, reference
from pinebench.cli import main
from pinebench.services import topics
from tests.cli.support import pinebench
from tests.tables import each


@each("name", codes.all_codes())
def test_every_code_is_explained_with_a_bad_and_a_good_script(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", name]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"{name}: {codes.severity(name).label} (")
    assert "\nReported here:\n    " in shown
    assert "\nRight:\n    " in shown


def test_every_builtin_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    for name in (*reference.functions(), *reference.variables(), *reference.constants(), *reference.types()):
        assert main(["explain", name]) == 0
        assert f"{name}" in capsys.readouterr().out


def test_every_keyword_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    for name in reference.keywords():
        assert main(["explain", name]) == 0
        assert f"{name}: keyword" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ta.sam", "did you mean 'ta.sma'?"),
        ("TA.SMA", "did you mean 'ta.sma'?"),
        ("pb00001", "did you mean 'PB0001'?"),
        ("swich", "did you mean 'switch'?"),
        ("strateg", "did you mean 'strategy'?"),
        ("set_xy1", "(the name is line.set_xy1)"),
        ("push", "(the name is array.push)"),
        ("nosuchthing", "(codes look like CE10156, names like ta.sma)"),
        ("", "(codes look like CE10156, names like ta.sma)"),
    ],
)
def test_what_is_not_found_leads_on(tmp_path: Path, name: str, words: str) -> None:
    outcome = pinebench("explain", name, folder=tmp_path)
    assert outcome.code == 2
    assert outcome.out == ""
    assert words in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize("name", ["ce10272", "CE10272", " CE10272 "])
def test_case_and_blanks_do_not_matter(tmp_path: Path, name: str) -> None:
    assert pinebench("explain", name, folder=tmp_path).out.startswith("CE10272: error")


def test_a_function_shows_its_signature_types_and_defaults(tmp_path: Path) -> None:
    outcome = pinebench("explain", "ta.sma()", folder=tmp_path)
    lines = outcome.out.splitlines()
    assert lines[0] == "ta.sma(): function"
    assert "  ta.sma(source, length) → series float" in lines
    assert any(line.split()[:4] == ["length", "series", "int;", "the"] for line in lines)


def test_a_function_shows_an_example_and_what_to_watch_out_for(tmp_path: Path) -> None:
    shown = pinebench("explain", "ta.ema", folder=tmp_path).out
    assert "\n  Example:\n    plot(ta.ema(close, 9))\n    → ta.ema(close, 9): " in shown
    assert "\n  Watch out: A length that changes" in shown
    assert "→ error CE10123 in line 2: " in shown


@each("name", [*reference.operators(), *reference.compiler_annotations()])
def test_every_sign_is_explained(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert main(["explain", "--", name]) == 0
    assert capsys.readouterr().out.startswith(f"{name}: ")


@pytest.mark.parametrize("name", ["@version", "//@version=6", "// @version=", "@version=6"])
def test_spellings_of_an_annotation(tmp_path: Path, name: str) -> None:
    assert pinebench("explain", name, folder=tmp_path).out.startswith("//@version=: annotation")


def test_a_search_lists_what_has_the_words(tmp_path: Path) -> None:
    outcome = pinebench("explain", "--search", "moving", "average", folder=tmp_path)
    assert outcome.code == 0
    assert outcome.out.startswith("ta.")
    assert any(line.startswith("ta.sma ") for line in outcome.out.splitlines())
    lost = pinebench("explain", "--search", "zebras", folder=tmp_path)
    assert lost.code == 2 and "no page has the words 'zebras'" in lost.err


def test_a_topic_is_shown_and_an_unknown_one_leads_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "types.md").write_text("# Types\n\n## Qualifiers\n\nA value has one.\n", encoding="utf-8")
    found = topics.topics(tmp_path)
    monkeypatch.setattr(topics, "topics", lambda: found)
    assert main(["explain", "series vs simple"]) == 0
    assert capsys.readouterr().out == "## Qualifiers\n\nA value has one.\n"
    assert main(["explain", "moving average zebra"]) == 2
    assert "unknown name or code 'moving average zebra'" in capsys.readouterr().err


def test_a_name_that_is_several_things_shows_all_of_them(tmp_path: Path) -> None:
    shown = pinebench("explain", "box", folder=tmp_path).out
    assert "box(): function" in shown
    assert "box: object type" in shown
    assert "box.*: namespace of " in shown


@pytest.mark.parametrize(
    ("name", "first"), [("style", "PB7001"), ("PB2", "PB2001"), ("CE10", "CE10004"), ("pb3", "PB3001")]
)
def test_it_explains_what_select_takes(tmp_path: Path, name: str, first: str) -> None:
    outcome = pinebench("explain", name, folder=tmp_path)
    assert outcome.code == 0
    assert outcome.out.startswith(f"{name}: ")
    assert f"  {first} " in outcome.out


def test_a_beginning_that_no_code_has_is_told_those_that_there_are(tmp_path: Path) -> None:
    outcome = pinebench("explain", "PB9", folder=tmp_path)
    assert outcome.code == 2
    assert "unknown name or code 'PB9'" in outcome.err
    assert "PB7 (style)" in outcome.err
