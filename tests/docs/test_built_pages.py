"""What the generator adds to the pages: each list has its page, everything is listed, nothing made is committed."""

import re
import subprocess
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest

from pinebench import reference
from pinebench.codes import all_codes
from pinebench.indicators import ALL
from pinebench.linter.rules import rules
from pinebench.skills.catalogue import ours
from pinebench.skills.installation import CLIENTS
from pinebench.skills.plugin import TOOLS, contents
from pinebench.tools import registry
from scripts.docs import built_pages, generate, reference_pages
from scripts.docs.built_pages import DOCS, MARK

WORDS = ("keywords", "operators", "annotations", "types")
NAMES = {*reference.functions(), *reference.variables(), *reference.constants()}


@pytest.fixture(scope="module")
def built() -> dict[str, str]:
    return built_pages.pages()


def headings(text: str) -> set[str]:
    without_code = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return {found.split()[0].strip("`") for found in re.findall(r"^##+ (.+)$", without_code, re.MULTILINE)}


def test_each_list_has_a_page_that_says_how_to_get_it(built: dict[str, str]) -> None:
    marked = {page for page in DOCS.rglob("*.md") if MARK in page.read_text(encoding="utf-8")}
    assert marked == {DOCS / name for name in built if (DOCS / name).exists()}
    for page in marked:
        text, _, told = page.read_text(encoding="utf-8").partition(MARK)
        made = built[page.relative_to(DOCS).as_posix()]
        assert made.startswith(text) and len(made) > len(text) + 500 and told not in made
        assert "on the site only" in told and "scripts/docs/generate.py" in told


def test_a_page_without_a_place_for_its_list_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"a\.md"):
        built_pages.with_list(tmp_path / "a.md", "list")


def test_everything_is_listed(built: dict[str, str]) -> None:
    assert headings(built["codes.md"]) == set(all_codes())
    assert headings(built["rules.md"]) >= set(rules())
    assert headings(built["indicators.md"]) >= {one.name for one in ALL}
    assert headings(built["skills.md"]) >= {skill.name for skill in ours()}
    assert set(re.findall(r"^\| `(\w+)` \|", built["tools.md"], re.MULTILINE)) == set(registry.tools())
    assert built["terminal-keys.md"].count("\n| ") > 40
    assert "## Tools under each behaviour" in built["page-behaviours.md"]


def test_the_page_about_skills_names_the_clients_and_the_parts_of_the_plugin() -> None:
    text = (DOCS / "skills.md").read_text(encoding="utf-8")
    assert [name for name in (*CLIENTS, *TOOLS) if f"`{name}`" not in text] == []
    parts = {name for name in contents(["pinebench"]) if not name.startswith(("skills/", "agents/"))}
    assert [name for name in parts if f"`{name}`" not in text] == []


def test_links_between_built_pages_lead_to_pages_and_pictures(built: dict[str, str]) -> None:
    known = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*")} | set(built)
    pictures = {f"pictures/indicators/{one.name}.svg" for one in ALL if one.name not in built_pages.FEEDS}
    for name, text in built.items():
        if name.endswith(".md"):
            for address in re.findall(r"(?<!\\)\]\(([\w./-]+\.(?:md|svg|png))(?:#[\w-]*)?\)", text):
                place = normpath(join(dirname(name), address))
                assert place in known | pictures or (DOCS / place).exists(), (name, address)


def test_each_indicator_that_has_bars_gets_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    few = tuple(one for one in ALL if one.name in ("rsi", "bbands") or one.name in built_pages.FEEDS)
    monkeypatch.setattr(built_pages, "ALL", few)
    made = built_pages.pictures()
    assert set(made) == {"pictures/indicators/rsi.svg", "pictures/indicators/bbands.svg"}
    assert all("<svg" in text and "</svg>" in text for text in made.values())


def test_every_builtin_is_on_one_page(built: dict[str, str]) -> None:
    found: list[str] = []
    for name, text in built.items():
        if name.startswith("reference/") and Path(name).stem not in (*WORDS, "README"):
            found += set(re.findall(r"^### ([\w.]+)$", text, re.MULTILINE)) & set(reference.functions()) | set(
                re.findall(r"^\| `([\w.]+)` \|", text, re.MULTILINE)
            )
    assert sorted(found) == sorted(NAMES)


def test_words_and_signs_have_pages(built: dict[str, str]) -> None:
    words = {
        "keywords": sorted(reference.keywords()),
        "operators": list(reference.operators()),
        "annotations": list(reference.compiler_annotations()),
        "types": sorted(reference.types()),
    }
    for page, names in words.items():
        assert re.findall(r"^### `?([^`\n]+)`?$", built[f"reference/{page}.md"], re.MULTILINE) == names


def test_the_index_links_every_page_and_the_files_for_models_name_everything(built: dict[str, str]) -> None:
    pages = {Path(name).stem for name in built if name.startswith("reference/")} - {"README"}
    assert set(re.findall(r"\]\((\w+)\.md\)", built["reference/README.md"])) == pages
    places = set(re.findall(r"\]\(([\w/.-]+)\)", built["llms.txt"]))
    assert places >= {f"reference/{page}/" for page in pages} | {"llms-full.txt", "language/scopes/", "codes/"}
    known = set(re.findall(r"^([\w.]+)(?=\(|: )", built["llms-full.txt"], re.MULTILINE))
    assert known >= NAMES
    forms = [reference.word(name) for name in reference.operators()]
    assert all(each is not None and f"{each.form}: " in built["llms-full.txt"] for each in forms)


def test_no_page_of_the_reference_has_a_sentence_of_the_generator_only(built: dict[str, str]) -> None:
    for name in reference_pages.pages():
        assert ": \n" not in built[name] and "None" not in built[name], name


def test_the_generator_writes_the_documentation_with_its_lists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, built: dict[str, str]
) -> None:
    monkeypatch.setattr(built_pages, "pictures", dict[str, str])
    (tmp_path / "docs" / "old.md").parent.mkdir()
    (tmp_path / "docs" / "old.md").write_text("", encoding="utf-8")
    generate.build(tmp_path / "docs")
    for name, text in built.items():
        assert (tmp_path / "docs" / name).read_text(encoding="utf-8") == text
    assert (tmp_path / "docs" / "checking.md").is_file() and not (tmp_path / "docs" / "old.md").exists()


def test_no_page_that_is_made_is_in_the_repository(built: dict[str, str]) -> None:
    command = ["git", "-C", str(DOCS), "ls-files", "."]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    if done.returncode == 0:  # a source archive is not a checkout
        committed = set(done.stdout.split())
        made = {name for name in built if MARK not in _text(name)} | {"pictures/indicators/rsi.svg"}
        assert committed & made == set()


def _text(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8") if (DOCS / name).exists() else ""
