"""Topics are found by title, other names and aliases, in whatever pages the folder has."""

from pathlib import Path

import pytest

from pinebench.services import topics

PAGE = """\
# Types and qualifiers

A value has a type and a qualifier.

## Qualifiers

<!-- also: simple or series, when a value is known -->

A `const` value is known first.

```pine
# no title
## no section
```

## User-defined types

Objects have fields.

### Copies

A copy is shallow.
"""


@pytest.fixture
def pages(tmp_path: Path) -> tuple[topics.Topic, ...]:
    (tmp_path / "types.md").write_text(PAGE, encoding="utf-8")
    (tmp_path / "repainting.md").write_text("# Repainting\n\nValues that change later.\n", encoding="utf-8")
    (tmp_path / "README.md").write_text("# Contents\n", encoding="utf-8")
    return topics.topics(tmp_path)


def test_a_topic_is_a_page_or_a_section(pages: tuple[topics.Topic, ...]) -> None:
    assert [each.address for each in pages] == ["repainting", "types", "types#qualifiers", "types#user-defined-types"]
    assert pages[1].text.startswith("# Types and qualifiers\n\nA value has") and "A copy is shallow." in pages[1].text
    assert "# no title" in pages[2].text and "also:" not in pages[2].text
    assert "### Copies" in pages[3].text


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("types", "types"),
        ("types#qualifiers", "types#qualifiers"),
        ("Qualifiers", "types#qualifiers"),
        ("series vs simple", "types#qualifiers"),
        ("Series  vs. Simple", "types#qualifiers"),
        ("when a value is known", "types#qualifiers"),
        ("user-defined types", "types#user-defined-types"),
        ("UDT", "types#user-defined-types"),
        ("future leak", "repainting"),
    ],
)
def test_names_of_a_topic(pages: tuple[topics.Topic, ...], name: str, address: str) -> None:
    found = topics.find(name, pages)
    assert found is not None and found.address == address


@pytest.mark.parametrize("name", ["", "the", "moving averages", "?:"])
def test_what_is_no_topic(pages: tuple[topics.Topic, ...], name: str) -> None:
    assert topics.find(name, pages) is None


def test_remarks_for_tests_are_not_shown(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("# Page\n\n```pine fails=CE10101\nx\n```\n", encoding="utf-8")
    assert topics.topics(tmp_path)[0].text == "# Page\n\n```pine\nx\n```\n"


@pytest.mark.skipif(not topics.topics(), reason="the pages of docs/language are not there")
def test_every_alias_leads_to_a_topic() -> None:
    assert [name for name in topics.ALIASES if topics.find(name) is None] == []


def test_a_new_page_is_found_at_once(tmp_path: Path) -> None:
    assert topics.topics(tmp_path / "first") == ()
    (tmp_path / "second").mkdir()
    (tmp_path / "second" / "loops.md").write_text("# Loops\n\nText.\n", encoding="utf-8")
    found = topics.find("loops", topics.topics(tmp_path / "second"))
    assert found is not None and found.page == "loops"
