"""Find stilted phrases in docstrings, comments, messages, help and pages; `make check` runs it.

Usage: python scripts/check_english.py [PATH …]

Without a path it searches the whole project: see SEARCHED. The phrases are in scripts/english.toml. The words that
TradingView wrote stay as they were recorded. docs/glossary.md says how we write.

The exit code is 1 if a phrase was found.
"""

import argparse
import ast
import io
import re
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from pinebench import codes  # noqa: E402 - of this checkout

DATA = Path(__file__).with_name("english.toml")
SEARCHED = (
    "pinebench/**/*.py",
    "pinebench/codes/*.txt",
    "pinebench/reference/data/*.txt",
    "pinebench/reference/data/foreign.list",
    "scripts/**/*.py",
    "benchmarks/*.py",
    "pinebench/studio/page/src/**/*.ts",
    "pinebench/studio/page/src/**/*.tsx",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs/*.md",
    "docs/decisions/*.md",
    "pine/templates/*.toml",
    "pinebench/skills/**/*.md",
    "action.yml",
    ".pre-commit-hooks.yaml",
)
SHOWS_FAULTS = ("docs/glossary.md",)
"""Pages that quote bad examples on purpose."""

Kind = Literal["docstring", "comment", "message", "page"]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase to avoid, as a pattern; scripts/english.toml explains the fields."""

    pattern: re.Pattern[str]
    instead: str
    example: str
    allowed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph for people, joined to one line, and the number of its first line."""

    kind: Kind
    line: int
    words: str


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("paths", nargs="*", help="files, or folders whose files are searched (default: all)")
    options = parser.parse_args(arguments)
    wanted = [Path(path).resolve() for path in options.paths]
    searched = [path for path in files() if not wanted or any(path.is_relative_to(each) for each in wanted)]
    reports = [report for path in searched for report in reports_on(path)]
    for report in reports:
        print(report)
    return int(bool(reports))


@cache
def phrases() -> tuple[Phrase, ...]:
    """Return every phrase of scripts/english.toml."""
    return tuple(
        Phrase(
            re.compile(entry["pattern"], 0 if entry.get("case") else re.IGNORECASE),
            entry["instead"],
            entry["example"],
            tuple(entry.get("allowed", ())),
        )
        for entry in tomllib.loads(DATA.read_text(encoding="utf-8"))["phrase"]
    )


@cache
def files() -> tuple[Path, ...]:
    """Return every module and page that is searched."""
    return tuple(path for pattern in SEARCHED for path in sorted(ROOT.glob(pattern)) if _is_ours(path))


def _is_ours(path: Path) -> bool:
    return not (_name(path) in SHOWS_FAULTS or "node_modules" in path.parts or path.name == "_tables.py")


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def reports_on(path: Path) -> list[str]:
    """Return a line for each phrase to avoid in the file at `path`."""
    return [
        f"{_name(path)}:{text.line}: {text.kind}: {words!r}: write {phrase.instead}"
        for text in texts(path)
        for phrase, words in faults(text.words)
    ]


def faults(text: str) -> list[tuple[Phrase, str]]:
    """Return each phrase in `text`, with the words that its pattern matched."""
    if " " not in text or text in _theirs():
        return []
    plain = re.sub(r"``.*?``|`[^`]*`", "`X`", text)
    return [(phrase, found.group().strip()) for phrase in phrases() for found in phrase.pattern.finditer(plain)]


@cache
def _theirs() -> frozenset[str]:
    every = (*codes.all_codes().values(), *codes.opinion_codes().values())
    return frozenset(code.template for code in every if code.text == "tradingview")


def texts(path: Path) -> Iterator[Text]:
    """Yield every text for people in the file at `path`."""
    source = path.read_text(encoding="utf-8")
    if path.suffix in {".ts", ".tsx"}:
        yield from _block_comments(source)
        return
    if path.suffix in {".txt", ".list"}:
        yield from (Text("message", number, line) for number, line in enumerate(source.splitlines(), 1))
        return
    if path.suffix != ".py":
        yield from _paragraphs(source, "page", 1)
        return
    yield from _comments(source)
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Expr | ast.JoinedStr | ast.Constant)]
    documentation = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    inner = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            yield Text("message", node.lineno, "".join(_filled_in(part) for part in node.values))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inner:
            if id(node) in documentation:
                yield from _paragraphs(node.value, "docstring", node.lineno)
            else:
                yield Text("message", node.lineno, node.value)


def _filled_in(part: ast.expr) -> str:
    """Return the text of one part of an f-string; X for a placeholder."""
    return str(part.value) if isinstance(part, ast.Constant) else "X"


def _paragraphs(text: str, kind: Kind, line: int) -> Iterator[Text]:
    """Yield the paragraphs of Markdown that begins on `line`, without blocks of code."""
    text = re.sub(r"^ *```.*?^ *```$", lambda block: "\n" * block.group().count("\n"), text, flags=re.M | re.S)
    for paragraph in text.split("\n\n"):
        yield Text(kind, line, " ".join(paragraph.split()))
        line += paragraph.count("\n") + 2


def _block_comments(source: str) -> Iterator[Text]:
    for found in re.finditer(r"/\*+(.*?)\*/", source, re.DOTALL):
        words = re.sub(r"\n\s*\*", " ", found[1])
        yield Text("comment", source.count("\n", 0, found.start()) + 1, " ".join(words.split()))


def _comments(source: str) -> Iterator[Text]:
    """Yield the comments of a module; comments on successive lines are one text."""
    begin, end, words = 0, 0, []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        line = token.start[0]
        if line != end + 1 and words:
            yield Text("comment", begin, " ".join(words))
            words = []
        begin, end = begin if words else line, line
        words.append(token.string.lstrip("# "))
    if words:
        yield Text("comment", begin, " ".join(words))


if __name__ == "__main__":
    sys.exit(main())
