"""The generated pages and the files for models have every built-in, word and sign."""

from __future__ import annotations

import re
from pathlib import Path

from pinebench import reference

DOCS = Path(__file__).resolve().parents[2] / "docs"
FOLDER = DOCS / "reference"
WORDS = ("keywords", "operators", "annotations", "types")
NAMES = {*reference.functions(), *reference.variables(), *reference.constants()}


def test_every_builtin_is_on_one_page() -> None:
    found: list[str] = []
    for path in FOLDER.glob("*.md"):
        if path.stem in WORDS:
            continue
        text = path.read_text(encoding="utf-8")
        functions = set(re.findall(r"^### ([\w.]+)$", text, re.MULTILINE)) & set(reference.functions())
        values = set(re.findall(r"^\| `([\w.]+)` \|", text, re.MULTILINE))
        found += functions | values
    assert sorted(found) == sorted(NAMES)


def test_words_and_signs_have_pages() -> None:
    words = {
        "keywords": sorted(reference.keywords()),
        "operators": list(reference.operators()),
        "annotations": list(reference.compiler_annotations()),
        "types": sorted(reference.types()),
    }
    for page, names in words.items():
        text = (FOLDER / f"{page}.md").read_text(encoding="utf-8")
        assert re.findall(r"^### `?([^`\n]+)`?$", text, re.MULTILINE) == names


def test_the_index_links_every_page_and_the_files_for_models_name_everything() -> None:
    linked = set(re.findall(r"\]\((\w+)\.md\)", (FOLDER / "README.md").read_text(encoding="utf-8")))
    assert linked == {path.stem for path in FOLDER.glob("*.md")} - {"README"}
    short = (DOCS / "llms.txt").read_text(encoding="utf-8")
    places = re.findall(r"\]\(([\w/.-]+)\)", short)
    assert places and all((DOCS / place).exists() for place in places)
    assert linked <= {Path(place).stem for place in places}
    whole = (DOCS / "llms-full.txt").read_text(encoding="utf-8")
    known = set(re.findall(r"^([\w.]+)(?=\(|: )", whole, re.MULTILINE))
    assert known >= NAMES
    assert all(f"{reference.word(name).form}: " in whole for name in reference.operators())  # type: ignore[union-attr]


def test_no_page_has_a_sentence_of_the_generator_only() -> None:
    for path in FOLDER.glob("*.md"):
        text = path.read_text(encoding="utf-8")
        assert ": \n" not in text and "None" not in text, path.name
