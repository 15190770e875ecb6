"""What README and docs show is what happens: every console block is run and its output compared."""

import re
import shlex
import shutil
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.support import CHECKOUT, pinebench
from tests.packaging.test_deploy import understood

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
    shutil.copytree(CHECKOUT / "pine" / "samples", tmp_path / "pine" / "samples")
    program, *arguments = shlex.split(example.command)
    assert program == "pinebench"
    outcome = pinebench(*arguments, folder=tmp_path)
    shown = outcome.err + outcome.out
    expected = example.output.rstrip()
    if expected.endswith("..."):
        assert shown.startswith(expected.removesuffix("..."))
    else:
        assert shown.rstrip() == expected


def test_every_command_in_a_page_is_one_that_pinebench_knows() -> None:
    """The ones in blocks for a shell, which show no output."""
    seen = 0
    for page in PAGES:
        for block in re.findall(r"^ *```sh\n(.*?)^ *```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
            for line in map(str.strip, block.replace("\\\n", " ").splitlines()):
                if line.startswith("pinebench "):
                    words = shlex.split(line, comments=True)[1:]
                    end = next((index for index, word in enumerate(words) if word in ("|", "&&", ">")), len(words))
                    understood(words[:end])
                    seen += 1
    assert seen > 50


def test_the_readme_shows_at_least_one_command() -> None:
    assert any(example.page == "README.md" for example in examples())


def test_pages_link_only_to_files_that_exist() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert "://" in target or (page.parent / target).exists(), f"{page.name} links to {target}"


def readme() -> str:
    return PAGES[0].read_text(encoding="utf-8")


def test_the_way_from_a_template_to_a_report_works_as_the_readme_says(tmp_path: Path) -> None:
    block = readme().partition("## From a template to a report")[2].partition("```sh\n")[2].partition("```")[0]
    lines = [line.partition("  #")[0].split() for line in block.splitlines()]
    assert len(lines) == 5
    assert lines[0][:2] == ["pip", "install"]
    shutil.copy(CHECKOUT / "pine/samples/bars/share_15m.csv", tmp_path / "my.csv")
    for program, *arguments in lines[1:]:
        assert program == "pinebench"
        outcome = pinebench(*arguments, folder=tmp_path)
        # The report as a page takes the library of charts, which is built with the studio's page.
        assert outcome.code == 0 or "chart library is not built" in outcome.err, outcome


def test_the_readme_is_short_and_has_one_picture() -> None:
    text = readme()
    assert len(text.encode()) <= 8192
    assert re.findall(r"!\[[^\]]*\]\(([^)]+)\)", text) == ["docs/pictures/report.png"]
    assert len(re.findall(r"^```console$", text, re.MULTILINE)) == 1
    assert "docs/README.md" in text and "docs/questions.md" in text


def test_every_extra_is_explained_and_every_picture_is_shown_and_small() -> None:
    text = (CHECKOUT / "docs" / "installing.md").read_text(encoding="utf-8")
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for extra in project["optional-dependencies"]:
        assert re.search(rf"^\| `{extra}` +\|", text, re.MULTILINE), f"installing.md does not name the extra '{extra}'"
    shown = "".join(page.read_text(encoding="utf-8") for page in PAGES if page.parent.name in ("docs", CHECKOUT.name))
    pictures = [*(CHECKOUT / "docs/pictures").glob("*.png"), CHECKOUT / "docs/pictures/commands.gif"]
    assert len(pictures) >= 5
    for picture in pictures:
        assert f"pictures/{picture.name})" in shown, picture.name
        assert picture.stat().st_size < (1_500_000 if picture.suffix == ".gif" else 200_000), picture.name


def test_the_list_of_pages_links_every_page_of_the_docs() -> None:
    listed = (CHECKOUT / "docs" / "README.md").read_text(encoding="utf-8")
    names = [page.name for page in PAGES[1:] if page.parent.name == "docs" and page.name != "README.md"]
    assert [name for name in names if f"]({name})" not in listed] == []


def test_no_page_installs_the_package_by_a_name_that_no_index_has() -> None:
    """Whoever registered such a name would be run. What is installed is a checkout, a file, or another project."""
    wanted = re.compile(
        r"(?:pip|pipx|uv tool|uv pip|brew|npm|conda|cargo|docker|code|go) (?:install|pull|add|run|--install-extension) "
        r"[^`|\n]*|uvx [^`|\n]*|npx [^`|\n]*"
    )
    for page in [*PAGES, CHECKOUT / "CONTRIBUTING.md"]:
        for call in wanted.findall(page.read_text(encoding="utf-8")):
            words = call.partition(" #")[0].split()[2:]
            named = [re.split(r"[\[=<>@]", word.strip("'\""))[0] for word in words]
            assert "pinebench" not in named and "pinebench-mcp" not in named, f"{page.name}: {call}"
    assert "not in a package index yet" in " ".join(readme().split())
