"""What tools wait for on the page fits into the time that the call of the page has: read from the product's text,
because other tests of tools let both take longer."""

import ast
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

TOOLS = Path(__file__).parents[2] / "pinebench" / "tools"
WAITED = ("limit", "load", "testing")
"""The fields of a call's argument that say for how many milliseconds the page waits."""


class PageCall(NamedTuple):
    """A call of the page that waits there: where it stands, for how many seconds, and how long it may take."""

    place: str
    waits: float
    timeout: float


def constants(tree: ast.Module) -> dict[str, Any]:
    """The constants of a module by name."""
    return {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def constants_of(module: str) -> dict[str, Any]:
    """The constants of a module of tools; empty for any other module."""
    file = TOOLS / f"{module}.py"
    return constants(ast.parse(file.read_text(encoding="utf-8"))) if file.is_file() else {}


def page_calls(path: Path, own: dict[str, float]) -> Iterator[PageCall]:
    """The calls in a module. `own` are the limits of `read` and `act` if a call names none."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    numbers: dict[str, Any] = {}
    for node in tree.body:
        if not isinstance(node, ast.ImportFrom):
            continue
        numbers |= constants_of((node.module or "").rpartition(".")[2])
        if node.module == "pinebench.tools":
            numbers |= {each.name: SimpleNamespace(**constants_of(each.name)) for each in node.names}
    numbers |= constants(tree)

    def number(node: ast.expr) -> Any:
        return eval(ast.unparse(node), {"bars": 1, **numbers})  # `replay_step` waits, and may take longer, for each bar

    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        inner = list(ast.walk(function))
        named = {
            ast.unparse(node.targets[0]): node.value
            for node in inner
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict)
        }
        for node in inner:
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and len(node.args) == 2):
                continue
            argument = named.get(ast.unparse(node.args[1]), node.args[1])
            if node.func.attr not in own or not isinstance(argument, ast.Dict):
                continue
            fields = {
                key.value: value
                for key, value in zip(argument.keys, argument.values, strict=True)
                if isinstance(key, ast.Constant)
            }
            waits = sum(number(fields[name]) for name in WAITED if name in fields) / 1000
            timeout = next((number(word.value) for word in node.keywords if word.arg == "timeout"), own[node.func.attr])
            yield PageCall(f"{path.name}:{node.lineno}", waits, timeout)


def own_limits() -> dict[str, float]:
    """How long a call of `ToolContext.read` and `ToolContext.act` may take if it does not say so."""
    tree = ast.parse((TOOLS / "chart_browser.py").read_text(encoding="utf-8"))
    return {
        node.name: ast.literal_eval(node.args.defaults[-1])
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name in ("read", "act")
    }


def test_all_that_the_page_waits_for_fits_into_the_calls_time() -> None:
    calls = [call for path in sorted(TOOLS.rglob("*.py")) for call in page_calls(path, own_limits()) if call.waits]
    assert len(calls) > 30
    assert [call for call in calls if call.waits >= call.timeout] == []
