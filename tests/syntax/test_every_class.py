"""Every place that deals with classes of nodes decides about each of them, so that no new statement is forgotten.

To add a statement, add its class to `syntax/nodes.py` (there also to `STRUCTURES` and the other groups that it belongs
to) and run these tests: each place fails that has not decided. It names the class, or the group that holds it, or its
line in `LEFT` says that it leaves the class alone.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

import pinebench
from pinebench.checker import binder, consistency, handlers
from pinebench.runtime import ir
from pinebench.runtime.emit import statements as emitted
from pinebench.runtime.lower import lowering
from pinebench.syntax import nodes, walk

PACKAGE = Path(pinebench.__file__).parent
CLASSES = {
    name: each
    for name, each in vars(nodes).items()
    if isinstance(each, type) and issubclass(each, nodes.Node) and each is not nodes.Node
}
GROUPS = {name: each for name, each in vars(nodes).items() if name.isupper()}
STRUCTURES = {each.__name__ for each in nodes.STRUCTURES}
STATEMENTS = set(get_args(nodes.Statement))
EXPRESSIONS = set(get_args(nodes.Expression))
PARTS = {*(nodes.NamedArgument, nodes.TypeReference, nodes.Case, nodes.Parameter, nodes.Field, nodes.EnumField)}
"""What is neither a statement nor an expression: whoever deals with what holds it deals with it."""
CHILDLESS = {nodes.Name, nodes.Literal, nodes.Break, nodes.Continue}

LEFT: dict[str, str] = {
    "checker/binder.py:_Binder.loop": "If Once Switch",
    "checker/binder.py:_STATEMENTS": "",
    "checker/binder.py:_STRUCTURES": "",
    "checker/consistency.py:_VISITS": "",
    "checker/conversions.py:_VALUE_PARTS": "Once",
    "checker/conversions.py:_EXPECTATIONS": "Once",
    "checker/handlers.py:HANDLERS": "",
    "checker/expression_probe.py:_declared_before": "Switch",
    "checker/promotion.py:_Qualifiers.parts": "Once",
    "checker/recall.py:_STRUCTURES": "",
    "checker/skippable_parts.py:_certain": "",
    "repaint/run_summary.py:_bodies": "Once Switch",
    "repaint/causes.py:_deciding": "ForIn",
    "why/why.py:Tree._below": "",
    "why/why.py:asked_in": "",
    "linter/rules/accumulations.py:accumulated": "Once Switch While",
    "linter/rules/accumulations.py:_compared": "Once Switch While",
    "debugger/stop_expressions.py:Evaluator._lowered": "",
    "why/near_misses.py:_value": "",
    "why/blocking_conditions.py:_guards": "",
    "profiling/speed_advice.py:_LOOPS": "If Once Switch",
    "profiling/speed_advice.py:_always": "ForIn ForTo While",
    "profiling/weights.py:_LOOPS": "If Once Switch",
    "profiling/weights.py:_loops": "If Once Switch",
    "linter/rules/arrays.py:_grows": "Switch",
    "linter/rules/bars.py:_counts_alike": "If Once Switch",
    "linter/rules/bars.py:runs_in_some_branch": "If Once Switch",
    "linter/rules/bars.py:_holds_one": "If Once Switch",
    "linter/rules/constant_condition.py:ConstantCondition.nodes": "ForIn ForTo Once",
    "linter/rules/constant_condition.py:ConstantCondition._decided": "ForIn ForTo Once",
    "linter/rules/growing_loop.py:GrowingLoop.nodes": "If Once Switch",
    "linter/rules/growing_loop.py:GrowingLoop.visit": "If Once Switch",
    "linter/rules/growing_loop.py:_growing_end": "If Once Switch",
    "linter/rules/guards.py:home": "If Once Switch",
    "linter/rules/code_blocks.py:_BODIES": "If Switch",
    "linter/rules/context.py:_CONDITIONAL": "ForIn ForTo Switch",
    "linter/rules/context.py:RuleContext.loops": "If Once Switch",
    "linter/rules/objects.py:_assigns": "ForIn ForTo While",
    "linter/rules/overwritten_value.py:_LEFT_ALONE": "Once",
    "linter/rules/string_in_loop.py:StringInLoop.nodes": "If Once Switch",
    "linter/rules/unreachable_code.py:_HOLDING": "Once Switch",
    "linter/suggest/types.py:_wrong_assignment": "",
    "migration/rewrites/booleans.py:_results": "Once",
    "migration/script.py:_STATEMENTS": "Once",
    "migration/script.py:_runs_first": "Once",
    "runtime/loops.py:Loops._all": "If Once Switch",
    "runtime/loops.py:_HARMLESS": "ForIn ForTo Once",
    "runtime/loops.py:_is_left": "If Once Switch",
    "runtime/lower/lowering.py:_STATEMENTS": "",
    "runtime/lower/slicing.py:_blocks": "",
    "runtime/lower/statements.py:value_of": "",
    "runtime/lower/statements.py:last_value": "",
    "runtime/lower/statements.py:expression_statement": "",
    "runtime/lower/statements.py:structure": "",
    "services/outline.py:_FOLDED": "",
    "syntax/walk.py:CHILDREN": "",
}
"""The places that name three or more kinds of structures, and those that each leaves alone."""


def _units(body: list[ast.stmt], owner: str = "") -> Iterator[tuple[str, ast.stmt]]:
    """The functions and the tables of a module or class, by their names."""
    for each in body:
        if isinstance(each, ast.ClassDef):
            yield from _units(each.body, f"{owner}{each.name}.")
        elif isinstance(each, ast.FunctionDef):
            yield owner + each.name, each
        elif isinstance(each, ast.Assign | ast.AnnAssign):
            target = each.targets[0] if isinstance(each, ast.Assign) else each.target
            if isinstance(target, ast.Name):
                yield owner + target.id, each


def _named(unit: ast.AST) -> set[str]:
    """The classes of nodes that code names, groups of them included."""
    found: set[str] = set()
    for part in ast.walk(unit):
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == "nodes":
            found.update({part.attr} & CLASSES.keys())
            found.update(each.__name__ for each in GROUPS.get(part.attr, ()))
    return found


@cache
def places() -> dict[str, set[str]]:
    """The places that name three or more kinds of structures, and the kinds that each names."""
    found: dict[str, set[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if "node_modules" in name or name == "syntax/nodes.py":
            continue
        text = path.read_text(encoding="utf-8")
        if "nodes." not in text:
            continue
        for unit, code in _units(ast.parse(text).body):
            named = _named(code) & STRUCTURES
            if len(named) >= 3:
                found[f"{name}:{unit}"] = named
    return found


def test_every_place_is_listed() -> None:
    assert sorted(places()) == sorted(LEFT)


@pytest.mark.parametrize("place", sorted(LEFT))
def test_a_place_decides_about_every_structure(place: str) -> None:
    left = set(LEFT.get(place, "").split())
    assert left | places()[place] == STRUCTURES, "what is missing is neither dealt with nor left alone"
    assert not left & places()[place]


def test_every_class_is_a_statement_an_expression_or_a_part() -> None:
    assert set(CLASSES.values()) == STATEMENTS | EXPRESSIONS | PARTS
    assert set(nodes.STRUCTURES) < STATEMENTS


@pytest.mark.parametrize(
    ("table", "wanted"),
    [
        (walk.CHILDREN, set(CLASSES.values()) - CHILDLESS),
        ({**handlers.HANDLERS.values, **handlers.HANDLERS.statements}, STATEMENTS | EXPRESSIONS),
        (handlers.HANDLERS.structures, set(nodes.STRUCTURES)),
        (binder._STATEMENTS, STATEMENTS),
        (binder._STRUCTURES, {*nodes.STRUCTURES, nodes.ErrorStatement}),
        (lowering._STATEMENTS, STATEMENTS - {nodes.ErrorStatement}),
        (emitted._WRITERS, set(get_args(ir.Statement))),
    ],
    ids=["children", "handlers", "structures", "binder", "binder's values", "lowering", "emission"],
)
def test_a_table_has_every_class(table: dict[type, Any], wanted: set[type]) -> None:
    assert set(table) == wanted


def test_what_the_check_of_calls_does_not_walk_is_said() -> None:
    """All other classes are walked child by child."""
    assert consistency._OPAQUE.isdisjoint(consistency._VISITS)
    assert set(nodes.STRUCTURES) <= consistency._VISITS.keys()


def test_every_class_is_built() -> None:
    code = "".join((PACKAGE / "syntax" / f"{name}.py").read_text("utf-8") for name in ("build", "document", "recovery"))
    assert {name for name in CLASSES if not re.search(rf"\b{name}\b", code)} == set()


def test_a_statement_touches_few_files() -> None:
    """`once` is the newest one: what names it is what the next one will touch."""
    word = re.compile(r"nodes\.Once\b|class Once\b|ir\.Once\b|\"once\": (?:SoftKeyword|Keyword)|^once\b", re.MULTILINE)
    files = [*PACKAGE.rglob("*.py"), PACKAGE.parent / "pinebench" / "grammars" / "pine.lark"]
    touched = [path for path in files if "node_modules" not in path.parts and word.search(path.read_text("utf-8"))]
    assert len(touched) <= 15, touched
