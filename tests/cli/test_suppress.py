"""What comments hide, on the command line: every report knows it, and a hidden error still fails."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.cli.support import Outcome, pinebench

HEAD = '//@version=6\nindicator("Example")\n'
WARNED = '//@version=7\nindicator("Example")\nplot(close)\n'
"""Has the warning PB0002 on its first line."""
HIDDEN = f"{HEAD}plot(clsoe) // pinebench: ignore[CE10272] the feed is called so\n"


def lint(folder: Path, *arguments: str, **scripts: str) -> Outcome:
    for name, text in scripts.items():
        (folder / f"{name}.pine").write_text(text)
    return pinebench("lint", *arguments, folder=folder)


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "gitlab", "junit"])
@pytest.mark.parametrize("fail_on", ["error", "warning", "info"])
def test_a_hidden_error_fails_in_every_format(tmp_path: Path, form: str, fail_on: str) -> None:
    outcome = lint(tmp_path, "--format", form, "--fail-on", fail_on, a=HIDDEN)
    assert outcome.code == 1
    assert "a.pine:3: CE10272" in outcome.err
    assert "ignored by a comment, but still fails the run" in outcome.err


def test_the_summary_counts_what_is_hidden(tmp_path: Path) -> None:
    outcome = lint(tmp_path, a=HIDDEN)
    assert outcome.out == "1 script checked: nothing to report; hidden: 1 error\n"
    assert lint(tmp_path, "--statistics").out == outcome.out


def test_a_hidden_error_fails_from_the_cache_too(tmp_path: Path) -> None:
    first = lint(tmp_path, a=HIDDEN, b=HIDDEN)
    assert (first.code, lint(tmp_path)) == (1, first)


def test_who_asks_never_to_fail_is_not_failed(tmp_path: Path) -> None:
    assert lint(tmp_path, "--fail-on", "never", a=HIDDEN)[0::2] == (0, "")


def test_a_hidden_warning_does_not_fail(tmp_path: Path) -> None:
    text = f"// pinebench: ignore[PB0002]\n{WARNED}"
    assert lint(tmp_path, "--fail-on", "warning", a=WARNED).code == 1
    outcome = lint(tmp_path, "--fail-on", "warning", a=text)
    assert outcome == (0, "1 script checked: nothing to report; hidden: 1 warning\n", "")


def test_a_hidden_error_is_in_no_baseline(tmp_path: Path) -> None:
    assert lint(tmp_path, "--write-baseline", "accepted.json", a=HIDDEN).code == 1
    assert json.loads((tmp_path / "accepted.json").read_text())["findings"] == []
    assert lint(tmp_path, "--baseline", "accepted.json").code == 1


def test_reports_for_programs_hold_what_is_hidden(tmp_path: Path) -> None:
    def report(form: str) -> Any:
        return json.loads(lint(tmp_path, "--format", form, a=HIDDEN).out)

    plain = report("json")
    assert plain["diagnostics"] == []
    (row,) = plain["suppressed"]
    assert (row["path"], row["line"], row["code"]) == ("a.pine", 3, "CE10272")
    assert (row["by"], row["reason"]) == ("comment", "the feed is called so")
    (result,) = report("sarif")["runs"][0]["results"]
    assert result["suppressions"] == [{"kind": "inSource", "justification": "the feed is called so"}]
    root = ElementTree.fromstring(lint(tmp_path, "--format", "junit").out)
    assert (root.get("tests"), root.get("failures"), root.get("skipped")) == ("1", "1", "0")
    assert "hidden by a comment: the feed is called so, but still fails the run" in (root.findtext(".//failure") or "")
    annotated = lint(tmp_path, "--format", "github")
    assert (annotated.code, annotated.out.startswith("::error title=CE10272,file=")) == (1, True)
    passing = lint(tmp_path, "--format", "junit", "--fail-on", "never")
    root = ElementTree.fromstring(passing.out)
    assert (passing.code, root.get("failures"), root.get("skipped")) == (0, "0", "1")


def test_fix_takes_unused_comments_out_and_mends_nothing_that_is_hidden(tmp_path: Path) -> None:
    text = f"{HEAD}plot(clsoe) // pinebench: ignore[CE10272]\nplot(opne)\nplot(low) // pinebench: ignore[CE10120]\n"
    outcome = lint(tmp_path, "--fix", a=text)
    assert (tmp_path / "a.pine").read_text() == text.replace("opne", "open").replace(
        " // pinebench: ignore[CE10120]", ""
    )
    assert outcome.code == 1
    assert "a.pine: 2 fixes applied" in outcome.err


def test_a_rule_mends_nothing_that_is_hidden(tmp_path: Path) -> None:
    text = (
        '//@version=6\nstrategy("Example")\nif close > open\n    strategy.entry("Long", strategy.long)\n'
        'if close < open\n    strategy.close("long") // pinebench: ignore[unknown-order-id] kept\n'
        'if close < low[1]\n    strategy.close("long")\n'
    )
    outcome = lint(tmp_path, "--select", "PB3005", "--fix", "--unsafe-fixes", a=text)
    left, _, mended = text.rpartition("long")
    assert (tmp_path / "a.pine").read_text() == f"{left}Long{mended}"
    assert outcome.out == "1 script checked: nothing to report; hidden: 1 warning\n"


def test_a_comment_that_a_fix_made_unused_goes_with_it(tmp_path: Path) -> None:
    text = f"{HEAD}// pinebench: ignore[CE10120]\nplot(close, color = color.red)\nplot(clsoe)\n"
    assert lint(tmp_path, "--fix", a=text).code == 0
    assert (tmp_path / "a.pine").read_text() == f"{HEAD}plot(close, color = color.red)\nplot(close)\n"


def test_what_is_no_file_of_ours_is_read_as_before(tmp_path: Path) -> None:
    outcome = pinebench("lint", "-", folder=tmp_path, stdin=HIDDEN.encode())
    assert outcome.code == 1
    assert "<stdin>:3: CE10272" in outcome.err


OLD = "//@version=5\nindicator('x')\nplot(close)\n"


def test_a_script_that_was_not_checked_fails_where_that_is_asked_for(tmp_path: Path) -> None:
    assert lint(tmp_path, a=OLD).code == 0
    for flags in (
        ["--fail-on", "unchecked"],
        ["--fail-on", "never,unchecked"],
        ["--fail-on", "unchecked", "--select", "CE"],
    ):
        outcome = lint(tmp_path, *flags)
        assert (outcome.code, "PB0001" in outcome.out) == (1, True)
        root = ElementTree.fromstring(lint(tmp_path, *flags, "--format", "junit").out)
        assert root.get("failures") == "1"
        assert lint(tmp_path, *flags, "--format", "github").out.startswith("::error title=PB0001")
    (tmp_path / "pinebench.toml").write_text('[lint]\nfail-on = "warning,unchecked"\n')
    assert lint(tmp_path).code == 1
    assert lint(tmp_path, "--fail-on", "error").code == 0
    (tmp_path / "pinebench.toml").write_text('[lint]\nfail-on = "warning"\nignore = ["PB0001"]\n')
    assert lint(tmp_path).code == 0
    assert lint(tmp_path, "--fail-on", "unchecked").code == 1


def test_unchecked_leaves_the_severity_as_it_is_configured(tmp_path: Path) -> None:
    (tmp_path / "pinebench.toml").write_text('[lint]\nfail-on = "warning"\n')
    text = '//@version=6\nindicator("x")\nvar y = 1\nplot(close > open ? ta.sma(close, 9) : na)\n'
    assert lint(tmp_path, a=text).code == 1
    assert lint(tmp_path, "--fail-on", "unchecked").code == 1
    assert lint(tmp_path, "--fail-on", "error,unchecked").code == 0
    root = ElementTree.fromstring(lint(tmp_path, "--fail-on", "error", "--format", "junit").out)
    assert root.get("failures") == "0"


def test_a_level_that_is_unknown_is_refused(tmp_path: Path) -> None:
    for level in ("fatal", "error,warning", ""):
        outcome = lint(tmp_path, "--fail-on", level, a=OLD)
        assert (outcome.code, "--fail-on: must be one of error, warning, info, never" in outcome.err) == (2, True)
