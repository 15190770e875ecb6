"""One script in, its findings out; libraries on disk are those that the configuration names."""

from __future__ import annotations

from pathlib import Path

from pinebench import config
from pinebench.linter import FindingFilter, check_text, lint_text

SCRIPT = '//@version=6\nindicator("x")\nimport Me/Steps/1 as steps\nplot(steps.twice("a"))\n'


def test_library_folders_count_from_the_configuration_file(tmp_path: Path) -> None:
    (tmp_path / "pinebench.toml").write_text('[check]\nlibrary-paths = ["libs"]\n', encoding="utf-8")
    (tmp_path / "libs").mkdir()
    (tmp_path / "libs" / "Steps.pine").write_text(
        '//@version=6\nlibrary("Steps")\nexport twice(float x) => x * 2\n', encoding="utf-8"
    )
    inner = tmp_path / "deep" / "script.pine"
    inner.parent.mkdir()
    folders = config.library_folders(str(inner))
    assert folders == (str(tmp_path / "libs"),)
    assert [finding.code for finding in check_text(SCRIPT, str(inner), folders)] == ["CE10123"]


def test_without_folders_a_library_is_unknown() -> None:
    assert check_text(SCRIPT) == []


def shown(declaration: str, body: str) -> list[str]:
    """The codes that a script has under `--tradingview`."""
    return [f.code for f in lint_text(f"//@version=6\n{declaration}\n{body}\n", view=FindingFilter(tradingview=True))]


def test_tradingview_shows_its_remarks_and_none_of_ours() -> None:
    """The editor remarks on a short title; that of too many boxes is ours."""
    assert shown('indicator("x", shorttitle = "Eleven char")', "plot(close)") == ["short-title-too-long"]
    assert shown('indicator("x", max_boxes_count = 1500)', "plot(close)") == []
    assert shown('indicator("x")', "x = 1") == ["CE10246"]
    assert shown('strategy("x")', "x = 1") == ["CE10244"]


def test_tradingview_shows_warnings_beside_errors_but_beside_one_of_syntax_nothing() -> None:
    gated = "x = close > open ? ta.sma(close, 9) : 0.0"
    assert shown('indicator("x")', f"{gated}\nplot(y)") == ["CW10004", "CE10272"]
    assert shown('indicator("x")', f"{gated}\nplot(y))") == ["CE10016"]
