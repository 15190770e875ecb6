"""Imports: typed from source, known by export names, or unknown and then never wrong."""

from pathlib import Path

import pytest

from pinebench.checker import LibraryFolders, check
from pinebench.syntax import parse

INNER = '//@version=6\nlibrary("Inner")\nexport type Part\n    float size = 1.0\n'
OUTER = """//@version=6
library("Outer")
import Me/Inner/1 as inner
export part() => inner.Part.new()
export type Whole
    int count
export method twice(float this) => this * 2
export plain(float this) => this
hidden(float this) => this
method hiddenMethod(float this) => this
export const string NAME = "outer"
export enum Kind
    one
type Hidden
    int count
secret = 3
"""


@pytest.fixture
def folders(tmp_path: Path) -> LibraryFolders:
    (tmp_path / "Inner.pine").write_text(INNER, encoding="utf-8")
    (tmp_path / "Outer.pine").write_text(OUTER, encoding="utf-8")
    return LibraryFolders([tmp_path])


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("x = o.plain(close) + 1", []),
        ("x = o.hidden(close)", ["CE10271"]),
        ("x = close.twice() + bar_index.twice()", []),
        ("x = close.hiddenMethod()", ["CE10271"]),
        ("x = close.plain()", ["CE10271"]),
        ("plot(close, title = o.NAME)", []),
        ("o.Kind k = o.Kind.one\nx = k == o.Kind.one", []),
        ("w = o.Whole.new(1)\nx = w.count + w.other", ["CE10198"]),
        ("x = o.part().size", ["transitive-library-type"]),
        ("import Me/Inner/1 as i\nx = o.part().size", []),
        ("x = o.Nothing.new()", []),
        ("o.Nothing x = na", ["CE10149"]),
        ("o.Hidden x = na", ["CE10149"]),
        ("x = o.secret", ["CE10272"]),
        ("x = o.plain", ["CE10272"]),
        ("x = o.Kind.two", ["CE10272"]),
        ("x = o.NAME.more", ["CE10272"]),
    ],
)
def test_a_library_whose_source_is_at_hand(folders: LibraryFolders, script: str, expected: list[str]) -> None:
    text = f'//@version=6\nindicator("x")\nimport Me/Outer/1 as o\n{script}\nplot(close)\n'
    assert [finding.code for finding in check(parse(text), folders).diagnostics] == expected


@pytest.mark.parametrize("change", ['o.NAME := "other"', "o.Kind.one := o.Kind.one"])
def test_the_hint_at_a_change_of_an_export_speaks_of_libraries(folders: LibraryFolders, change: str) -> None:
    text = f'//@version=6\nindicator("x")\nimport Me/Outer/1 as o\n{change}\nplot(close)\n'
    (found,) = check(parse(text), folders).diagnostics
    assert (found.code, found.hint) == (
        "CE10174",
        "A script cannot change what a library exports. Assign the new value to a variable of the script.",
    )


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        # A value of a library without source is unknown, but the other arguments of the call are checked.
        ('plot(l.f(close), color = "red")', ["CE10123"]),
        ('x = l.f(close)\nplot(x, color = "red")', ["CE10123"]),
        ('[x, y] = l.f(close)\nplot(y, color = "red")', ["CE10123"]),
        ('x = l.Part.new(1)\nplot(x.size, color = "red")', ["CE10123"]),
        ('l.Part x = l.Part.new(1)\nplot(x.size, color = "red")', ["CE10123"]),
        ('plot(l.f(close).size(1), color = "red")', ["CE10123"]),
        ('plot(l.f(close)[1], color = "red")', ["CE10123"]),
        ('plot(-l.f(close) * 2, color = "red")', ["CE10123"]),
        ('plot(close > open ? l.f(close) : 1, color = "red")', ["CE10123"]),
        ('plot(math.max(l.f(close), 1), color = "red")', ["CE10123"]),
        ('plot(l.LENGTH, color = "red")', ["CE10123"]),
        ('x = math.max(l.f(close), "a")', ["CE10123"]),
        ('x = array.from(l.f(close), 1, "a")', ["CE10122"]),
        ('log.info("{0} {1}", l.f(close), chart.point.now(1))', ["CE10122"]),
        ("f(float a, float b) => a + b\nx = f(l.f(close), true)", ["CE10123"]),
        ("f(a, float b) => b\nx = f(l.f(close), true)", ["CE10123"]),
        ("f(a, float b) => b\nf(a, string b) => b\nx = f(l.f(close), true)", ["CE10123"]),
        ("f(a) => a\nx = f(l.f(close))\nplot(x, color = 'red')", ["CE10123"]),
        ("type T\n    float a\n    float b\nx = T.new(l.f(close), true)", ["CE10123"]),
        ("x = l.f(close) + true", ["CE10123"]),
        ("x = 1\nx += l.f(close) * color.red", ["CE10123"]),
        # One overload that accepts what is known is enough.
        ("plot(l.f(close), color = l.g(close))", []),
        ('x = l.f(close) + "a"', []),
        ("x = math.max(l.f(close), 1) + array.from(l.f(close), 1, 2.0).size()", []),
        ("l.f(close).push('a')", []),
        ("method f(float a, b, float c) => c\nx = close.f(l.f(close), true)", []),  # the library may have such a method
        ("f(float a, string b) => b\nf(string a, bool b) => a\nx = f(l.f(close), true)", []),
        ("f(a, float b) => b\nf(a, bool b) => b\nx = f(l.f(close), true)", []),
        # A call with a value that an error made unknown is not checked.
        ('plot(l.f(wrong), color = "red")', ["CE10272"]),
        ('plot(l.f(close) + wrong, color = "red")', ["CE10272"]),
        ('plot(math.max(l.f(close), wrong), color = "red")', ["CE10272"]),
        ('x = close > open ? l.f(close) : wrong\nplot(x, color = "red")', ["CE10272"]),
        ('x = l.f(ta.sma(close, "a"))\nplot(x, color = "red")', ["CE10123"]),
        ("f(a, b, float c) => c\nx = f(l.f(close), wrong, true)", ["CE10272"]),
        ("type T\n    float a\n    float b\n    int c\nx = T.new(l.f(close), true, wrong)", ["CE10272"]),
        ('x = array.from(wrong).get(l.f(close))\nplot(x, color = "red")', ["CE10272"]),
        ("x = wrong.f(l.f(close))\nplot(x, color = 'red')", ["CE10271"]),
    ],
)
def test_a_library_without_source(script: str, expected: list[str]) -> None:
    text = f'//@version=6\nindicator("x")\nimport A/B/1 as l\n{script}\nplot(close)\n'
    assert [finding.code for finding in check(parse(text)).diagnostics if finding.severity <= 0] == expected
