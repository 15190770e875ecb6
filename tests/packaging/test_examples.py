"""What README and docs show is what happens: every console block is run and its output compared."""

from __future__ import annotations

import re
import shlex
import shutil
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
