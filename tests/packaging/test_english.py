"""People read plain English: help, messages, descriptions of tools, docs and templates hold none of our old phrases.

TradingView's own words, which the catalogue marks, stay as recorded.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pinebench import codes
from tests.cli.support import CHECKOUT

PHRASES = re.compile(
    r"(?<!there )\bis no (?!longer\b|less\b|more\b)|\bnothing is called\b|\bstands in\b|\banew\b|\ball the same\b",
    re.IGNORECASE,
)
NOUN = re.compile(
    r"(?:^|[.:;!?] +)(?:What|Where)(?: [a-zA-Z0-9'`()-]+){1,12} "
    r"(?:is|are|stays?|comes|counts|goes|belongs|fits|has|must|cannot|may)\b[^?]*(?:\.|$)"
)
"""A sentence such as "What is not sure stays as it is.": its subject is a clause that begins with What or Where."""

MODULES = sorted((CHECKOUT / "pinebench").rglob("*.py"))
PAGES = [
    CHECKOUT / "README.md",
    *sorted((CHECKOUT / "docs").glob("*.md")),
    *sorted((CHECKOUT / "templates").glob("*.toml")),
    CHECKOUT / "action.yml",
    CHECKOUT / ".pre-commit-hooks.yaml",
]
THEIRS = {
    code.template
    for code in (*codes.all_codes().values(), *codes.opinion_codes().values())
    if code.text == "tradingview"
}


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Every text in a module that is no docstring, with its line; what is filled in is left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {
        id(body[0].value)
        for node in ast.walk(tree)
        if (body := getattr(node, "body", None)) and isinstance(body, list) and isinstance(body[0], ast.Expr)
    }
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield (
                node.lineno,
                "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values),
            )
        elif (
            isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings | bare | inner
        ):
            yield node.lineno, node.value


def faults(text: str) -> list[str]:
    """The stilted phrases in a text that people read."""
    if " " not in text or text in THEIRS:
        return []
    found = [match.group() for match in PHRASES.finditer(text)]
    return found + [match.group().strip() for match in NOUN.finditer(text)]


def in_prose(path: Path) -> Iterator[tuple[int, str]]:
    """Every paragraph of a page, with the line that it begins on; blocks of code are left out."""
    text = re.sub(
        r"^```.*?^```$", lambda block: "\n" * block.group().count("\n"), path.read_text("utf-8"), flags=re.M | re.S
    )
    line = 1
    for paragraph in text.split("\n\n"):
        yield line, " ".join(paragraph.split())
        line += paragraph.count("\n") + 2


def where(path: Path, line: int, words: list[str]) -> str:
    return f"{path.relative_to(CHECKOUT)}:{line}: {'; '.join(words)}"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_are_in_plain_english(path: Path) -> None:
    found = [where(path, line, faults(text)) for line, text in in_prose(path) if faults(text)]
    assert found == []


def test_help_and_messages_are_in_plain_english() -> None:
    found = [where(path, line, faults(text)) for path in MODULES for line, text in texts(path) if faults(text)]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "'x' is no timeframe",
        "nothing is called 'x'",
        "format my.pine: lay it out anew",
        "hidden, and failing all the same",
        "its clock stands in a table",
        "What is not sure stays as it is.",
        "Applied. Where a script is old it has errors.",
    ],
)
def test_the_search_finds_what_it_is_for(text: str) -> None:
    assert faults(text)


@pytest.mark.parametrize(
    "text", ["the page is no longer there", "What is Pine?", "there is no such file", "see renewed"]
)
def test_the_search_leaves_plain_words_alone(text: str) -> None:
    assert not faults(text)
