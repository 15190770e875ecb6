"""Finds the definitions of functions and methods that become machine code, as syntax trees of Python's `ast`."""

from __future__ import annotations

import ast
import copy
import inspect
import sys
from collections.abc import Mapping
from functools import cache
from typing import Any


def definition(cls: type, name: str) -> ast.FunctionDef:
    """Return the definition of a method of `cls` or of one of its base classes."""
    owner = next(base for base in cls.__mro__ if name in base.__dict__)
    return definitions(owner.__module__)[f"{owner.__name__}.{name}"]


@cache
def definitions(module: str) -> dict[str, ast.FunctionDef]:
    """Return a module's functions by name, and its methods by `Class.name`."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    found = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    for cls in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        for each in cls.body:
            match each:
                case ast.FunctionDef(name=name):
                    found[f"{cls.name}.{name}"] = each
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=maker), args=given)) if (
                    maker in found
                ):
                    found[f"{cls.name}.{name}"] = _written_out(found[maker], given)
    return found


def _written_out(maker: ast.FunctionDef, given: list[ast.expr]) -> ast.FunctionDef:
    """Return the method that `maker` returns for these arguments: its inner function, with the arguments in place of
    the parameters. If the argument for a text is missing, the method returns a text."""
    [made] = [copy.deepcopy(each) for each in maker.body if isinstance(each, ast.FunctionDef)]
    names = [each.arg for each in maker.args.args]
    values = dict(zip(reversed(names), reversed(maker.args.defaults), strict=False)) | dict(
        zip(names, given, strict=False)
    )
    is_text = any(isinstance(each, ast.Constant) for each in values.values())
    made.returns = ast.Name("str" if is_text else "float", ast.Load())

    return ast.fix_missing_locations(NameReplacer(values).visit(made))


class NameReplacer(ast.NodeTransformer):
    """Replaces names with other expressions, and calls of lambdas with their bodies."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self._values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._values.get(node.id, node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Lambda):
            return node
        own = dict(zip([each.arg for each in node.func.args.args], node.args, strict=True))
        return NameReplacer(own).visit(copy.deepcopy(node.func.body))


def annotated_kind(node: ast.expr | None) -> Any:
    """Return the kind that an annotation names; a tuple of kinds for a tuple. `Any` and `object` stand for a value that
    is a number in the memory of a run."""
    text = ("None" if node is None else ast.unparse(node)).removesuffix(" | None") or "None"
    if text.startswith("tuple["):
        return tuple(text[6:-1].split(", "))
    return "list" if text.startswith("list[") else "float" if text in ("Any", "object") else text
