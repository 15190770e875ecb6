"""What README and docs show is what happens: every console block is run and its output compared."""

from __future__ import annotations

import re
import shlex
import shutil
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.support import CHECKOUT, pinebench

PAGES = [CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").rglob("*.md"))]

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Example(NamedTuple):
    """One command in a page and the output written under it."""

    page: str
    command: str
    output: str


def examples() -> list[Example]:
    """Every command of every console block; an output that ends in `...` may go on."""
    found: list[Example] = []
    for page in PAGES:
        for block in _BLOCK.findall(page.read_text(encoding="utf-8")):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                found.append(Example(page.name, command, output))
    return found


@pytest.mark.parametrize("example", examples(), ids=lambda example: f"{example.page}: {example.command}")
def test_a_command_in_a_page_prints_what_the_page_shows(example: Example, tmp_path: Path) -> None:
    shutil.copytree(CHECKOUT / "samples", tmp_path / "samples")
    program, *arguments = shlex.split(example.command)
    assert program == "pinebench"
    outcome = pinebench(*arguments, folder=tmp_path)
    shown = outcome.err + outcome.out
    expected = example.output.rstrip()
    if expected.endswith("..."):
        assert shown.startswith(expected.removesuffix("..."))
    else:
        assert shown.rstrip() == expected


def test_the_readme_shows_at_least_one_command() -> None:
    assert any(example.page == "README.md" for example in examples())


def test_pages_link_only_to_files_that_exist() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert "://" in target or (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_way_from_a_csv_to_a_picture_works_as_the_readme_says(tmp_path: Path) -> None:
    readme = PAGES[0].read_text(encoding="utf-8")
    block = readme.partition("## From your own CSV to a picture")[2].partition("```sh\n")[2].partition("```")[0]
    lines = [line.partition("  #")[0].split() for line in block.splitlines()]
    assert len(lines) == 6
    assert lines[0][:2] == ["pip", "install"]
    shutil.copy(CHECKOUT / "samples/bars/share_15m.csv", tmp_path / "my.csv")
    for program, *arguments in lines[1:]:
        assert program == "pinebench"
        outcome = pinebench(*arguments, folder=tmp_path)
        # The report as a page takes the library of charts, which is built with the studio's page.
        assert outcome.code == 0 or "charts is not built" in outcome.err, outcome
    assert (tmp_path / "structure.png").read_bytes().startswith(b"\x89PNG")


def test_the_readme_names_every_extra_and_its_pictures_are_small() -> None:
    readme = PAGES[0].read_text(encoding="utf-8")
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for extra in project["optional-dependencies"]:
        assert re.search(rf"^\| `{extra}` +\|", readme, re.MULTILINE), f"the README does not name the extra '{extra}'"
    pictures = [*(CHECKOUT / "docs/pictures").glob("*.png")]
    assert len(pictures) >= 2
    assert all(f"docs/pictures/{picture.name}" in readme and picture.stat().st_size < 200_000 for picture in pictures)
    moving = CHECKOUT / "docs/pictures/commands.gif"
    assert f"docs/pictures/{moving.name}" in readme and moving.stat().st_size < 1_500_000


def test_the_readme_links_every_page_of_the_docs() -> None:
    readme = PAGES[0].read_text(encoding="utf-8")
    # The list of rules is reached from the list of codes, and both from where codes are explained.
    assert [page.name for page in PAGES[1:] if page.parent.name == "docs" and f"docs/{page.name}" not in readme] == []
