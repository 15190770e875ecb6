"""Numbers are added up step by step: Python's own `sum` compensates floats from 3.12 on."""

import ast
from pathlib import Path

from tests.tables import each

ROOMS = Path(__file__).parents[2] / "pinebench"
FILES = sorted(
    path for room in ("broker", "calendars", "market", "quant", "runtime") for path in (ROOMS / room).rglob("*.py")
)


def _parsed(text: str) -> ast.AST:
    """The tree of a module, which is empty without the word: to parse them all takes a second."""
    return ast.parse(text if "sum" in text else "")


def uses_of_sum(text: str) -> list[int]:
    """The lines on which Python's own `sum` is read, called or passed on."""
    names = (node for node in ast.walk(_parsed(text)) if isinstance(node, ast.Name))
    return [node.lineno for node in names if node.id == "sum" and isinstance(node.ctx, ast.Load)]


@each("path", FILES)
def test_no_module_uses_the_sum_of_python(path: Path) -> None:
    assert uses_of_sum(path.read_text(encoding="utf8")) == []


COUNTING = sorted(
    path
    for room in ("backtesting", "compiled", "portfolios", "repaint", "sweeps", "testing", "why", "workers")
    for path in (ROOMS / room).rglob("*.py")
)


def sums_of_numbers(text: str) -> list[int]:
    """The lines on which Python's own `sum` adds anything but truths, lengths and ones, which it adds exactly."""
    tree = _parsed(text)
    counts = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call) and _counts(node)}
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in counts)
    return [node.lineno for node in names if node.id == "sum" and isinstance(node.ctx, ast.Load)]


def _counts(call: ast.Call) -> bool:
    if not call.args or not isinstance(call.args[0], ast.GeneratorExp):
        return False
    adds = call.args[0].elt
    while isinstance(adds, ast.BinOp):
        adds = adds.left
    if isinstance(adds, ast.Call):
        return isinstance(adds.func, ast.Name) and adds.func.id in ("bool", "isinstance", "len")
    is_truth = isinstance(adds, ast.Attribute) and adds.attr.startswith("is_")
    is_one = isinstance(adds, ast.Constant) and type(adds.value) is int
    return isinstance(adds, ast.Compare | ast.BoolOp) or is_truth or is_one


def test_no_module_adds_floats_with_the_sum_of_python() -> None:
    found = {path.name: sums_of_numbers(path.read_text(encoding="utf8")) for path in COUNTING}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_sums_of_floats_are_told_from_counts() -> None:
    counts = "sum(x > 1 for x in y)\nsum(1 for x in y)\nsum(bool(x) for x in y)\nsum(each.is_open for each in y)"
    assert sums_of_numbers(counts) == []
    assert sums_of_numbers("sum(values)\nsum(each.profit for each in y)\nsum([x > 1 for x in y])\nmap(sum, z)") == [
        1,
        2,
        3,
        4,
    ]


def test_uses_are_found() -> None:
    assert uses_of_sum("x = sum(values)\ny = map(sum, rows)\nself.sum = 1\narray.sum()") == [1, 2]
