"""No tool without a test of its own that looks at what it really gives, in a real browser where it needs a page."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_type_hints

import pytest

from pinebench.tools import registry
from tests.tools.test_gone import PAGES
from tests.tools.test_registry import CASES, TOOLS

GIVES = ("use", "call", "answer", "_use")
"""What tests call a tool by where they look at its result; `refused` looks at an error only."""

BROWSER = ("bench", "use", "refused", "strategy", "chromium")
"""Fixtures that stand for a page in a real browser."""

Function = ast.FunctionDef


def functions() -> Iterator[tuple[Function, bool]]:
    """Every test of this folder, and whether it has a page."""
    for path in Path(__file__).parent.glob("test_*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, Function) and node.name.startswith("test_"):
                marks = ast.unparse(ast.List(node.decorator_list, ast.Load()))
                given = {each.arg for each in node.args.args}
                yield node, bool(given & set(BROWSER)) or "usefixtures" in marks


def looked_at(test: Function) -> set[str]:
    """The tools whose result an assertion of `test` speaks of, by itself or by a name that it was given."""
    asserted = [each for each in ast.walk(test) if isinstance(each, ast.Assert)]
    names = {each.id for node in asserted for each in ast.walk(node.test) if isinstance(each, ast.Name)}
    for node in ast.walk(test):  # what a value is worked out from that is asserted is looked at, too
        if isinstance(node, ast.Assign) and any(name in names for target in node.targets for name in bound(target)):
            names |= {each.id for each in ast.walk(node.value) if isinstance(each, ast.Name)}
    found = {name for node in asserted for name in called(node)}
    for node in ast.walk(test):
        if isinstance(node, ast.Assign) and any(name in names for target in node.targets for name in bound(target)):
            found |= set(called(node.value))
        if isinstance(node, ast.With):
            found |= {name for item in node.items for name in called(item.context_expr)}
    return found


def bound(target: ast.expr) -> list[str]:
    """The names that an assignment gives."""
    return [each.id for each in ast.walk(target) if isinstance(each, ast.Name)]


def called(node: ast.AST) -> Iterator[str]:
    """The tools that are called in `node` for their result."""
    for each in ast.walk(node):
        if not isinstance(each, ast.Call):
            continue
        name = each.func.attr if isinstance(each.func, ast.Attribute) else getattr(each.func, "id", "")
        texts = [one.value for one in each.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        if name in GIVES and texts:
            yield texts[0]


def proved(page: bool) -> set[str]:
    """The tools whose result a test looks at; with `page` only tests that have one."""
    return {name for test, has_page in functions() if has_page or not page for name in looked_at(test)}


@pytest.mark.parametrize("page", [True, False])
def test_the_result_of_every_tool_is_looked_at(page: bool) -> None:
    wanted = {tool.name for tool in TOOLS.values() if tool.needs.page or not page}
    assert sorted(wanted - proved(page)) == []


def test_every_tool_is_tried_with_bad_arguments_and_without_its_page() -> None:
    tried = {name for name, _ in CASES}
    assert sorted(name for name, tool in TOOLS.items() if tool.arguments and name not in tried) == []
    assert sorted({tool.name for tool in TOOLS.values() if tool.needs.page} - {tool.name for tool in PAGES}) == []
    assert registry.tools() == TOOLS


def literals(path: Path) -> list[str]:
    """The places in a module where a result says `verified` without a comparison; False claims nothing."""
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        pairs: list[tuple[object, ast.expr | None]] = []
        if isinstance(node, ast.Dict):
            pairs = [(getattr(key, "value", None), value) for key, value in zip(node.keys, node.values, strict=True)]
        if isinstance(node, ast.Call):
            pairs = [(each.arg, each.value) for each in node.keywords]
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            pairs = [(getattr(node.targets[0].slice, "value", None), node.value)]
        literal = [value for name, value in pairs if name == "verified" and isinstance(value, ast.Constant)]
        found += [f"{path.name}:{value.lineno}" for value in literal if isinstance(value, ast.Constant) and value.value]
    return found


def test_verified_is_always_a_comparison_and_says_of_what() -> None:
    folder = Path(registry.__file__).parent
    assert [place for path in sorted(folder.glob("*.py")) for place in literals(path)] == []
    silent = {"ui_keyboard", "ui_mouse_click", "ui_evaluate"}  # their effect is not known, so `verified` is false
    for tool in TOOLS.values():
        told = "verified" in get_type_hints(get_type_hints(tool.function)["return"])
        assert told == (bool(tool.proof) or tool.name in silent), tool.name
        page = tool.changes and tool.needs.page
        assert not page or told, f"{tool.name} changes something on the page, and does not say what was verified"


def test_a_literal_is_found_wherever_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_text(
        'a = {"verified": True}\nb = dict(verified=True)\na["verified"] = True\n'
        'c = {"verified": False}\nd = {"verified": 1 == 1}\n'
    )
    assert sorted(literals(path)) == ["x.py:1", "x.py:2", "x.py:3"]


def test_a_test_that_looks_at_nothing_proves_nothing() -> None:
    (test,) = ast.parse(
        'def test_x(use):\n    use("a")\n    b = use("b")\n    assert use("c")\n    d = use("d")\n    assert d\n'
    ).body
    assert isinstance(test, Function)
    assert looked_at(test) == {"c", "d"}
