"""The soft keywords stand in one table, from which everybody takes them."""

import ast
from pathlib import Path

import pinebench
from pinebench.syntax.words import SOFT_KEYWORDS, soft_keywords

PACKAGE = Path(pinebench.__file__).parent
OTHERS = {
    "syntax/words.py",
    "reference/keywords.py",  # what each keyword does; its own test compares it with the table
    "services/data/uses.py",  # how much each word is used
    "checker/types.py",  # the qualifiers of values
    "checker/value_hints.py",  # what each qualifier of a value means
}
KINDS = {"type", "enum", "method"}
"""Words that are also kinds of symbols, which editors list."""


def test_no_other_module_lists_soft_keywords() -> None:
    found: list[str] = []
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if "node_modules" in name or name in OTHERS or name.startswith("codes/"):
            continue
        text = path.read_text(encoding="utf-8")
        if sum(f'"{word}"' in text for word in SOFT_KEYWORDS.keys() - KINDS) < 3:
            continue
        for part in ast.walk(ast.parse(text)):
            if isinstance(part, ast.Tuple | ast.List | ast.Set | ast.Dict):
                items = part.keys if isinstance(part, ast.Dict) else part.elts
                words = [each.value for each in items if isinstance(each, ast.Constant)]
                if len((SOFT_KEYWORDS.keys() - KINDS) & set(words)) >= 3:
                    found.append(f"{name}:{part.lineno}")
    assert found == []


def test_roles_cover_the_table() -> None:
    roles = ("range", "alias", "qualifier", "declaration", "block")
    assert soft_keywords(*roles) == tuple(SOFT_KEYWORDS)
