"""Draw texts at random, for a reader who does not know the code: python scripts/sample_texts.py SEED.

It prints 150 docstrings, 50 messages and 20 pages, each with its file and line. The same seed draws the same texts from
the same commit. The populations are:

- docstrings: of the modules, classes, functions and attributes of `pinebench/`, and the block comments of the studio's
  page and of the functions that run on TradingView's page;
- messages: strings of `pinebench/` that look like sentences: errors, hints, help and codes. Messages that TradingView
  wrote and the records of built-ins are left out;
- pages: sections of README, CONTRIBUTING, CHANGELOG, SECURITY and `docs/`.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from pinebench import codes  # noqa: E402

SIZES = {"docstring": 150, "message": 50, "page": 20}
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "docs/*.md", "docs/decisions/*.md")
SCRIPTS = ("pinebench/studio/page/src/**/*.ts", "pinebench/studio/page/src/**/*.tsx", "pinebench/tradingview/js/*.js")
"""Files whose block comments count as docstrings."""
NOT_MESSAGES = ("pinebench/reference/data/",)
"""Folders whose strings are data."""
SECTION_LINES = 60
"""The largest number of lines of a section that are printed."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text for people: its place as file and line, the name of the thing, and its words."""

    place: str
    name: str
    words: str


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("seed", type=int, help="a whole number that chooses the texts")
    parser.add_argument("--only", choices=SIZES, help="print texts of one kind only")
    options = parser.parse_args(arguments)
    for kind, drawn in sample(options.seed).items():
        if options.only in {None, kind}:
            print(f"== {len(drawn)} {kind}s, seed {options.seed}")
            for number, text in enumerate(drawn, start=1):
                print(f"\n[{kind} {number}] {text.place} {text.name}".rstrip(), text.words, sep="\n")
    return 0


def sample(seed: int) -> dict[str, list[Text]]:
    """Return the texts that `seed` chooses, by kind, in the order of their places."""
    populations = {"docstring": docstrings(), "message": messages(), "page": pages()}
    return {kind: _drawn(random.Random(f"{seed} {kind}"), texts, SIZES[kind]) for kind, texts in populations.items()}


def _drawn(generator: random.Random, texts: list[Text], count: int) -> list[Text]:
    chosen = sorted(generator.sample(range(len(texts)), count))
    return [texts[number] for number in chosen]


def docstrings() -> list[Text]:
    """Return every docstring of the package and every block comment of the files in `SCRIPTS`."""
    found = [text for path, tree in _modules() for text in _documented(_name(path), tree, path.stem)]
    for path in (path for pattern in SCRIPTS for path in sorted(ROOT.glob(pattern))):
        source = path.read_text(encoding="utf-8")
        for comment in re.finditer(r"/\*(.*?)\*/", source, re.DOTALL):
            words = re.sub(r"\n\s*\* ?", "\n", comment[1].strip("* \n"))
            line = source.count("\n", 0, comment.start()) + 1
            found.append(Text(f"{_name(path)}:{line}", "", words))
    return found


def _documented(file: str, node: ast.AST, name: str) -> Iterator[Text]:
    """Yield the docstring of `node`, of the attributes in its body, and of everything inside it."""
    body: list[ast.stmt] = getattr(node, "body", [])
    for before, statement in zip([None, *body], body, strict=False):
        if isinstance(statement, ast.Expr) and _is_string(statement.value):
            named = name if before is None else ast.unparse(before).partition("\n")[0][:80]
            if before is None or isinstance(before, ast.Assign | ast.AnnAssign):
                yield Text(f"{file}:{statement.lineno}", named, ast.literal_eval(statement.value))
        elif isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _documented(file, statement, f"{name}.{statement.name}")


def messages() -> list[Text]:
    """Return every string of the package that looks like a sentence for people, each wording once."""
    theirs = {code.template for code in codes.all_codes().values() if code.text == "tradingview"}
    found: dict[str, Text] = {}
    for path, tree in _modules():
        if _name(path).startswith(NOT_MESSAGES):
            continue
        for node, words in _strings(tree):
            if words not in theirs and _is_sentence(words):
                found.setdefault(words, Text(f"{_name(path)}:{node.lineno}", "", words))
    return list(found.values())


def _strings(tree: ast.Module) -> Iterator[tuple[ast.expr, str]]:
    """Yield each string of a module that is not a docstring; `{…}` shows what an f-string fills in."""
    skipped = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    skipped |= {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield node, "".join(_part(part) for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node, node.value


def _part(part: ast.expr) -> str:
    if isinstance(part, ast.FormattedValue):
        return "{" + ast.unparse(part.value) + "}"
    return str(part.value) if isinstance(part, ast.Constant) else ""


def _is_sentence(words: str) -> bool:
    plain = len(re.findall(r"(?<![\w.=(\"'/-])[A-Za-z][a-z']*(?=[ ,.;:?!)]|$)", words))
    is_code = re.search(
        r"[<=]\"|\n.*\n|[;{]\n|\bdef |=>|^(select|insert|update|delete from) |= \?|\{writer\.|lambda", words
    )
    return plain >= 4 and plain * 2 > len(words.split()) and not is_code


def pages() -> list[Text]:
    """Return every section of the pages, with the heading of each. Blocks of code are shown, too."""
    found: list[Text] = []
    for path in (path for pattern in PAGES for path in sorted(ROOT.glob(pattern))):
        line = 1
        for section in re.split(r"^(?=#{1,3} )", path.read_text(encoding="utf-8"), flags=re.MULTILINE):
            lines = section.splitlines()
            if len(lines) > 2:
                found.append(Text(f"{_name(path)}:{line}", "", "\n".join(lines[:SECTION_LINES])))
            line += len(lines)
    return found


def _modules() -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted((ROOT / "pinebench").rglob("*.py")):
        if "node_modules" not in path.parts and path.name != "_tables.py":
            yield path, ast.parse(path.read_text(encoding="utf-8"))


def _is_string(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


if __name__ == "__main__":
    sys.exit(main())
