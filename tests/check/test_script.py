"""Rules of the whole script: version, declaration statement, output, number of plots, exports."""

from __future__ import annotations

import pytest

from pinebench.check import check
from pinebench.syntax import parse

LIBRARY = '//@version=6\nlibrary("L")\n'


def codes(script: str) -> list[str]:
    return [finding.code for finding in check(parse(script)).diagnostics]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ('indicator("x")\nplot(close)\n', ["version-missing"]),
        ('//@version=5\nindicator("x")\nplot(close)\n', ["PB0001"]),
        ('//@version=6\nindicator("x")\nplot(close)\n', []),
        ('//@version=7\nindicator("x")\nplot(close)\n', ["PB0002"]),
        ('indicator("x")\nplot(close)\n//@version=6\n', []),
        ("//@version=6\n", ["CE10250"]),
        ("//@version=6\nplot(close)\n", ["declaration-missing"]),
        ('//@version=6\nnidicator("x")\n', ["CE10271"]),
        ('//@version=6\nx = 1\nindicator("x")\nplot(x)\n', []),
        ('//@version=6\nindicator("x")\nx = 1\n', ["CE10244"]),
        ('//@version=6\nstrategy("x")\nx = 1\n', []),
        (f"{LIBRARY}x = 1\n", []),
    ],
)
def test_version_declaration_and_output(script: str, expected: list[str]) -> None:
    assert codes(script) == expected


@pytest.mark.parametrize(
    "output",
    [
        "plot(close)",
        "bgcolor(color.red)",
        "label.new(bar_index, close)",
        'alert("a")',
        'log.info("a")',
        'alertcondition(true, "a")',
        "f() => line.new(1, 1, 2, 2)\nf()",
        "import A/B/1\nB.draw()",
    ],
)
def test_what_counts_as_output(output: str) -> None:
    assert "CE10244" not in codes(f'//@version=6\nindicator("x")\n{output}\n')


@pytest.mark.parametrize(("plots", "expected"), [(64, []), (65, ["too-many-plots"]), (70, ["too-many-plots"])])
def test_at_most_64_plots(plots: int, expected: list[str]) -> None:
    assert codes('//@version=6\nindicator("x")\n' + "plot(close)\n" * plots) == expected


def test_candles_count_fourfold() -> None:
    candles = "plotcandle(open, high, low, close)\n"
    assert codes('//@version=6\nindicator("x")\n' + candles * 16) == []
    assert codes('//@version=6\nindicator("x")\n' + candles * 17) == ["too-many-plots"]


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("export f(x) => x", ["exported-function-untyped"]),
        ("export f(float x) => x", []),
        ("export int N = 5", ["exported-variable-not-const"]),
        ("export const int N = 5", []),
        ("v = ta.atr(14)\nexport f(float x) => x + v", []),
        ("v = syminfo.mintick\nexport f(float x) => x + v", []),
        ("v = input.float(1)\nexport f(float x) => x + v", ["export-uses-global"]),
        ("v = array.from(1)\nexport f(float x) => x + v.first()", ["export-uses-global"]),
        ("var v = 0.0\nv += close\nexport f(float x) => x + v", ["export-uses-global"]),
        ("v = 5\nexport f(float x) => x + v", []),
        ("export f(float x) => x + input.int(1)", ["export-uses-input"]),
        ("type P\n    int x\nexport f(P p) => p.x", ["export-of-private-type"]),
        ("type P\n    int x\nexport f(array<P> p) => 1", ["export-of-private-type"]),
        ("enum E\n    a\nexport f(E e) => 1", ["export-of-private-type"]),
        ("type P\n    int x\nexport type Q\n    P p", ["export-of-private-type"]),
        ("export type P\n    int x\nexport type Q\n    P p\nexport f(Q q) => q.p.x", []),
    ],
)
def test_exports(statements: str, expected: list[str]) -> None:
    assert codes(f"{LIBRARY}{statements}\n") == expected
