"""Imports: typed from source, known by export names, or unknown and then never wrong."""

from __future__ import annotations

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
