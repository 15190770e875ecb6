"""The pages of the site before the generator reads them: links, lists and the navigation."""

import re
from posixpath import dirname, join, normpath

import pytest

from scripts.docs import built_pages, site_pages
from scripts.docs.site_pages import Page
from tests.tables import each

ADDED = [Page("", name, "# x\n") for name in ("playground/index.md", "templates.md", "cookbook/index.md")]


@pytest.fixture(scope="module")
def pages() -> list[Page]:
    return site_pages.pages(built_pages.pages())


def rewritten(text: str, source: str = "docs/a.md") -> str:
    targets = {
        "docs/a.md": "a.md",
        "docs/b.md": "b.md",
        "README.md": "index.md",
        "docs/decisions/001.md": "decisions/001.md",
    }
    return site_pages.rewritten(text, source, targets)


@each(
    ("text", "source", "expected"),
    [
        ("see [b](b.md#part)", "docs/a.md", "see [b](b.md#part)"),
        ("see [start](../README.md)", "docs/a.md", "see [start](index.md)"),
        ("see [b](docs/b.md)", "README.md", "see [b](b.md)"),
        ("see [b](../b.md)", "docs/decisions/001.md", "see [b](../b.md)"),
        ("see [file](../pyproject.toml) there", "docs/a.md", "see file there"),
        ("[web](https://example.org) and [here](#part)", "docs/a.md", "[web](https://example.org) and [here](#part)"),
    ],
)
def test_links_lead_to_pages_of_the_site(text: str, source: str, expected: str) -> None:
    assert rewritten(text, source) == expected + "\n"


def test_code_is_left_alone() -> None:
    text = "```sh\necho [a](../pyproject.toml)\n- no list\n```\n"
    assert rewritten(text) == text


def test_what_a_test_reads_of_an_example_is_not_shown() -> None:
    assert rewritten("```pine fails=CE10001\nx\n```") == "```pine\nx\n```\n"


def test_lists_are_written_as_the_generator_reads_them() -> None:
    assert rewritten("Text:\n- one\n  more\n- two") == "Text:\n\n- one\n    more\n- two\n"
    assert rewritten("- one\n\n```sh\nx\n```\n") == "- one\n\n```sh\nx\n```\n"
    assert rewritten("1. one\n\n   ```sh\n   x\n   ```\n2. two") == "1. one\n\n    ```sh\n    x\n    ```\n2. two\n"


def test_every_page_is_in_the_navigation(pages: list[Page]) -> None:
    sections = site_pages.navigation([*pages, *ADDED])
    names = [name for section in sections for entries in section.values() for name in entries]
    known = {page.target for page in [*pages, *ADDED]}
    assert len(names) == len(set(names)) and set(names) == known
    with pytest.raises(ValueError, match=r"new\.md"):
        site_pages.navigation([Page("", "new.md", "# x\n")])


def test_pages_of_the_language_come_in_the_order_of_their_list(pages: list[Page]) -> None:
    (entries,) = [section["Language"] for section in site_pages.navigation([*pages, *ADDED]) if "Language" in section]
    assert entries[:3] == ["language/index.md", "language/execution-model.md", "language/types-and-qualifiers.md"]


def test_no_link_leads_to_a_page_that_is_not_there(pages: list[Page]) -> None:
    known = {page.target for page in [*pages, *ADDED]}
    for page in pages:
        text = re.sub(r"^ *```.*?^ *```", "", page.text, flags=re.DOTALL | re.MULTILINE)
        for address in re.findall(r"\]\(([\w./-]+\.md)(?:#[\w-]*)?\)", text):
            assert normpath(join(dirname(page.target), address)) in known, (page.source, address)


def test_every_page_has_a_heading(pages: list[Page]) -> None:
    assert all(site_pages.title_of(page.text) for page in pages)
