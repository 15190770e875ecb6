"""One script in, its findings out; libraries on disk are those that the configuration names."""

import gc
from pathlib import Path

import pytest

from pinebench import config
from pinebench.codes import opinion_codes
from pinebench.linter import FindingFilter, check_text, lint_text
from pinebench.syntax.nodes import Node
from tests.cli.support import SAMPLES

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


IN_CIRCLES = """//@version=6
indicator("x")
import TradingView/ta/10 as library
type Point
    Point next
    array<Point> beside
    float price = 1.0
enum Side
    up
method moved(Point this, float by) =>
    Point.new(this, array.new<Point>(), this.price + by)
again(int n) =>
    var last = 0
    if n > 0
        last := last + ta.highest(close, n)
    last
point = Point.new()
point := point.moved(again(2)).moved(again(3))
plot(ta.crossover(close, open) and ta.sma(close, 3) > 1 ? point.price : na)
strategy.entry("a", strategy.long)
alertcondition(close > open, "a", "b" + unknown)
"""


@pytest.mark.parametrize("name", ["-", *sorted(path.name for path in SAMPLES.glob("*.pine"))])
def test_a_script_is_freed_without_a_search_for_garbage(name: str) -> None:
    text = IN_CIRCLES if name == "-" else (SAMPLES / name).read_text(encoding="utf-8")
    codes = sorted(opinion_codes())
    check_text(text, opinions=codes)  # fills what all scripts share
    was_on = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        check_text(text, opinions=codes)
        before = _nodes()
        check_text(text, opinions=codes)
        assert _nodes() == before
    finally:
        if was_on:
            gc.enable()


def _nodes() -> int:
    """The number of nodes of trees in memory."""
    return sum(issubclass(type(each), Node) for each in gc.get_objects())
