"""Libraries on disk are found, typed and checked once; what cannot be seen is never an error."""

from pathlib import Path

import pytest

from pinebench.checker import LibraryFolders, check
from pinebench.syntax import parse

LIBRARY = """//@version=6
library("Steps")
export enum Kind
    up
    down
export type Step
    float size = 1.0
    int bars
export const int LIMIT = 5
export scaled(float value, simple int length) => ta.ema(value, length)
export method grown(Step this, float by_) => this.size + by_
helper(float value) => value
"""
HEAD = '//@version=6\nindicator("x")\nimport Me/Steps/1 as steps\n'


@pytest.fixture
def libraries(tmp_path: Path) -> LibraryFolders:
    (tmp_path / "Me" / "Steps").mkdir(parents=True)
    (tmp_path / "Me" / "Steps" / "1.pine").write_text(LIBRARY, encoding="utf-8")
    return LibraryFolders([tmp_path])


def codes(script: str, libraries: LibraryFolders | None) -> list[str]:
    return [finding.code for finding in check(parse(HEAD + script + "\nplot(close)\n"), libraries).diagnostics]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("x = steps.scaled(close, 14)", []),
        ('x = steps.scaled("a", 14)', ["CE10123"]),
        ("x = steps.scaled(close, bar_index)", ["CE10123"]),
        ("x = steps.scaled(close)", ["CE10165"]),
        ("x = steps.helper(close)", ["CE10271"]),
        ("x = steps.unknown(close)", ["CE10271"]),
        ("s = steps.Step.new(2.0, 1)\nx = s.size + s.grown(1.0)", []),
        ('s = steps.Step.new("a")', ["CE10123"]),
        ("s = steps.Step.new()\nx = s.sise", ["CE10198"]),
        ("steps.Step s = steps.Step.new()", []),
        ("x = ta.ema(close, steps.LIMIT)", []),
        ("steps.Kind k = steps.Kind.up", []),
    ],
)
def test_a_library_on_disk_is_typed(libraries: LibraryFolders, script: str, expected: list[str]) -> None:
    assert codes(script, libraries) == expected


@pytest.mark.parametrize("name", ["Me/Steps.pine", "Steps.pine"])
def test_shorter_file_names_are_found(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(LIBRARY, encoding="utf-8")
    assert codes("x = steps.scaled(close)", LibraryFolders([tmp_path])) == ["CE10165"]


def test_a_library_that_imports_itself_ends(tmp_path: Path) -> None:
    text = '//@version=6\nlibrary("Steps")\nimport Me/Steps/1 as own\nexport twice(float x) => own.twice(x) * 2\n'
    (tmp_path / "Steps.pine").write_text(text, encoding="utf-8")
    assert codes("x = steps.twice(close)", LibraryFolders([tmp_path])) == []


def test_an_unreadable_library_counts_as_unseen(tmp_path: Path) -> None:
    (tmp_path / "Steps.pine").write_bytes(b"\xff\xfe\x00\xd8")
    assert codes("x = steps.scaled()", LibraryFolders([tmp_path])) == []


@pytest.mark.parametrize(
    "text",
    [
        '//@version=5\nlibrary("Old")\nexport twice(float x) => x * 2\n',
        '//@version=6\nlibrary("Old")\nexport thrice(float x => x * 2\nexport twice(float x) => x * 2\n',
    ],
)
def test_a_library_of_an_older_version_or_with_a_syntax_error_counts_as_unseen(tmp_path: Path, text: str) -> None:
    (tmp_path / "Old.pine").write_text(text, encoding="utf-8")
    script = '//@version=6\nindicator("x")\nimport Me/Old/1 as old\nplot(old.twice(close))\n'
    assert not check(parse(script), LibraryFolders([tmp_path])).diagnostics
