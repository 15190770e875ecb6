"""How many ways a regular expression has to split one text: each more way multiplies the time by the text's length."""

import ast
import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

_parser: Any = import_module("re._parser")
_compiler: Any = import_module("re._compiler")
_CALLS = frozenset(
    ("compile", "lazy_pattern", "search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn")
)
_USED = re.compile(r"\bre\.(?:" + "|".join(_CALLS - {"lazy_pattern"}) + r")\(|\blazy_pattern\(")
_SAMPLE = [*map(chr, range(128)), "\x85", "\xa0", "é", "\u2003", "中", "😀"]
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT")
_ONE = ("LITERAL", "NOT_LITERAL", "IN", "ANY")
"""What stands for one character."""
_known: dict[str, frozenset[str]] = {}
_FEW = 64
"""Repeats of no more than this many are as good as a fixed number."""


def patterns(root: Path) -> Iterator[tuple[str, str, int]]:
    """The place, the text and the flags of each regular expression that a module spells out."""
    for path in sorted(root.rglob("*.py")):
        text = "" if "node_modules" in path.parts else path.read_text(encoding="utf-8")
        if _USED.search(text) is None:
            continue
        tree = ast.parse(text)
        known = {
            target.id: node.value.value
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
            for target in node.targets
            if isinstance(target, ast.Name) and isinstance(node.value.value, str)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and node.args and _is_ours(node.func):
                found = _text(node.args[0], known)
                if found is not None:
                    yield f"{path.relative_to(root).as_posix()}:{node.lineno}", found, _flags(node)


def _is_ours(function: ast.expr) -> bool:
    if isinstance(function, ast.Attribute):
        return isinstance(function.value, ast.Name) and function.value.id == "re" and function.attr in _CALLS
    return isinstance(function, ast.Name) and function.id == "lazy_pattern"


def _text(node: ast.expr, known: dict[str, str]) -> str | None:
    """The text of an expression that is spelt out, with the names of its module; a part that is not is left out."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.BinOp):
        left, right = _text(node.left, known), _text(node.right, known)
        return None if left is None or right is None else left + right
    if isinstance(node, ast.JoinedStr):
        parts = [_text(each.value if isinstance(each, ast.FormattedValue) else each, known) for each in node.values]
        return None if None in parts else "".join(filter(None, parts))
    return None


def _flags(call: ast.Call) -> int:
    given = [*call.args[1:], *(each.value for each in call.keywords if each.arg == "flags")]
    names = {node.attr for each in given for node in ast.walk(each) if isinstance(node, ast.Attribute)}
    return sum(int(getattr(re, name)) for name in names if isinstance(getattr(re, name, None), re.RegexFlag))


def ways(text: str, flags: int = 0) -> float:
    """The number of repeats that can share one run of characters; infinite if a repeat of repeats can."""
    parsed = _parser.parse(text, flags)
    return _Ways(parsed.state.flags).of(parsed)


class _Ways:
    def __init__(self, flags: int) -> None:
        self._flags = flags

    def of(self, items: Sequence[Any]) -> float:
        """The most repeats of a sequence, or of a part of it, that meet on one character without another between."""
        worst, open_ = 0.0, dict[str, float]()
        for item in _flat(items):
            kind, given = str(item[0]), item[1]
            inner = max((self.of(each) for each in _inside(kind, given)), default=0.0)
            worst = max(worst, inner)
            characters = self._characters([item])
            if kind in _REPEATS and given[1] > _FEW:
                if self._is_nested(given[2]):
                    return float("inf")
                # It goes on with a run only by the characters with which it can begin.
                begun = self._characters(_first(given[2]))
                counts = {each: (open_.get(each, 0.0) if each in begun else 0.0) + 1 for each in characters}
                open_ = counts if given[0] * _least_of(given[2]) else open_ | counts
                worst = max(worst, *counts.values(), 0.0)
            elif _least_of([item]) > 0:
                # What must stand here ends every run of other characters.
                open_ = {each: count for each, count in open_.items() if each in characters}
        return worst

    def _is_nested(self, body: Sequence[Any]) -> bool:
        """Whether a repeated body can split a run of one character between two of its own rounds."""
        items = _flat(body)
        must = [(item, self._characters([item])) for item in items if _least_of([item]) > 0]
        return any(
            all(each & self._characters([item]) for other, each in must if other is not item)
            for item in items
            if str(item[0]) in _REPEATS and item[1][1] > _FEW
        )

    def _characters(self, items: Sequence[Any]) -> frozenset[str]:
        """The characters of the sample of which one of these items can consist."""
        found: set[str] = set()
        for item in items:
            kind, given = str(item[0]), item[1]
            if kind in _ONE:
                key = repr((item, self._flags))
                if key not in _known:
                    code = _compiler.compile(_parser.SubPattern(_state(self._flags), [item]), self._flags)
                    _known[key] = frozenset(each for each in _SAMPLE if code.fullmatch(each))
                found |= _known[key]
            else:
                for inner in _inside(kind, given):
                    found |= self._characters(inner)
        return frozenset(found)


def _state(flags: int) -> Any:
    state = _parser.State()
    state.flags = flags
    return state


def _inside(kind: str, given: Any) -> list[Sequence[Any]]:
    """The sequences inside of an item. A look-around and an atomic group take nothing back."""
    if kind in _REPEATS:
        return [given[2]]
    if kind == "SUBPATTERN":
        return [given[3]]
    if kind == "BRANCH":
        return list(given[1])
    return []


def _flat(items: Sequence[Any]) -> list[Any]:
    """The items of a sequence with the ones of its groups in their places."""
    found: list[Any] = []
    for item in items:
        found += _flat(item[1][3]) if str(item[0]) == "SUBPATTERN" else [item]
    return found


def _first(items: Sequence[Any]) -> list[Any]:
    """The items of a sequence by which it can begin."""
    found: list[Any] = []
    for item in _flat(items):
        found.append(item)
        if _least_of([item]) > 0:
            break
    return found


def _least_of(items: Sequence[Any]) -> int:
    """The smallest number of characters of a sequence."""
    total = 0
    for item in items:
        kind, given = str(item[0]), item[1]
        if kind in _ONE:
            total += 1
        elif kind in _REPEATS:
            total += given[0] * _least_of(given[2])
        elif kind == "SUBPATTERN":
            total += _least_of(given[3])
        elif kind == "BRANCH":
            total += min(map(_least_of, given[1]))
    return total
