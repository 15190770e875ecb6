"""Line rules: where in a mutant its error must stand. Each gives offsets in the mutant; any of their lines is right."""

from collections.abc import Iterable
from typing import Any

from pinebench.checker.builtins import Signature
from pinebench.syntax import nodes
from tests.checker.mutation.script import Edit, Script


def moved(edit: Edit, offset: int) -> int:
    """Where a place of the clean text is in the mutant."""
    if offset >= edit.end:
        return offset + len(edit.text) - (edit.end - edit.start)
    return min(offset, edit.start)


def at_edit(script: Script, site: Any, edit: Edit) -> Iterable[int]:
    """The line of the changed or inserted text."""
    return (edit.start,)


def behind_edit(script: Script, site: Any, edit: Edit) -> Iterable[int]:
    """The line on which the inserted text ends."""
    return (edit.start + len(edit.text),)


def at_node(script: Script, site: nodes.Node, edit: Edit) -> Iterable[int]:
    """The line on which the mutated statement, call or structure begins."""
    return (moved(edit, script.start(site)),)


def at_operands(script: Script, site: nodes.Binary | nodes.Ternary, edit: Edit) -> Iterable[int]:
    """The line of any operand: which one is blamed depends on their types."""
    operands = (site.left, site.right) if isinstance(site, nodes.Binary) else (site.then, site.otherwise)
    return [moved(edit, script.start(operand)) for operand in operands]


def at_arguments(script: Script, site: nodes.Call, edit: Edit) -> Iterable[int]:
    """The first argument of a built-in's call, the first superfluous one of a user function's."""
    resolved = script.calls[site]
    return (moved(edit, script.start(site.arguments[0])) if isinstance(resolved.target, Signature) else edit.start,)


def at_uses(script: Script, site: nodes.VariableDeclaration, edit: Edit) -> Iterable[int]:
    """Every line that names the variable."""
    return [moved(edit, script.start(use)) for use in script.uses[script.variables[site.name]]]


def at_statement_and_uses(script: Script, site: nodes.VariableDeclaration, edit: Edit) -> Iterable[int]:
    """The statement, and every line that names its variable."""
    uses = script.uses.get(script.variables[site.name], [])
    return [moved(edit, script.start(node)) for node in (site, *uses)]
