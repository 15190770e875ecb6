"""Names that moved or changed: functions in namespaces, colours, styles, days, and variables of the chart."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from pinebench import reference
from pinebench.checker import VariableSymbol
from pinebench.linter.suggest.candidate import dotted
from pinebench.migration.rewrites.rewrite import RewriteChange, rewrite
from pinebench.migration.script import OldScript, value_of
from pinebench.reference.successors import DOCUMENTED, VALUES, successor
from pinebench.syntax import nodes
from pinebench.syntax.edits import replacing

_NAMESPACES = ("ta", "math", "str", "request", "ticker")
_NAMESPACES_OF_4 = ("color", "input", "plot", "hline", "timeframe", "syminfo", "dayofweek")


@rewrite()
def functions(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite `sma(...)` to `ta.sma(...)`."""
    for name, calls in script.calls.items():
        renamed = _function(name, script.version)
        if renamed is None or name == "input" or reference.function(name) is not None:
            continue
        for call in calls:
            if _means_old(script, call.callee):
                yield RewriteChange(call.callee, f"`{name}()` is `{renamed}()`", replacing(call.callee, renamed))


@rewrite()
def values(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite `red` to `color.red`."""
    callees = {call.callee for call in script.of(nodes.Call)}
    inside = {member.object for member in script.of(nodes.Member)}
    # another rewrite removes the type of an input: `session` in v3, `input.session` in v4
    given = (script.argument(call, "type", 2) for call in script.called("input"))
    kinds = {value_of(item) for item in given if item is not None}
    for node in script.of(nodes.Name):
        if node in callees or node in inside or node in kinds:
            continue
        renamed = _value(node.id)
        if renamed is not None and script.is_free(node) and _is_value(script, node):
            yield RewriteChange(node, f"`{node.id}` is `{renamed}`", replacing(node, renamed))
    for node in script.of(nodes.Member):
        name = dotted(node)
        renamed = DOCUMENTED.get(name or "")
        is_kind = name is not None and name.startswith("input.")
        if renamed is not None and not is_kind and node not in callees and script.symbol_of(node) is None:
            yield RewriteChange(node, f"`{name}` is `{renamed}`", replacing(node, renamed))


@rewrite(newest=4)
def namespaces(script: OldScript) -> Iterator[RewriteChange]:
    """Rename a variable with the name of a namespace that did not exist in the script's version."""
    later = _NAMESPACES if script.version == 4 else (*_NAMESPACES, *_NAMESPACES_OF_4)
    others: dict[VariableSymbol, str] = {}
    # a name before a dot is a namespace: variables have no fields and no methods before v5
    inside = {member.object for member in script.of(nodes.Member)}
    for node in script.of(nodes.Name):
        if node in inside or node.id not in later:
            continue
        symbol = script.symbol_of(node) if script.declares(node.id) else None
        if isinstance(symbol, VariableSymbol):
            other = others.get(symbol) or others.setdefault(symbol, script.free_name(node.id))
            told = f"`{node.id}` is a namespace in v6: it is called `{other}`"
            yield RewriteChange(node, told, replacing(node, other))


def _function(name: str, version: int) -> str | None:
    if name == "color" and version == 3:
        return "color.new"
    # for dotted names only the guides' list is used: the rest of the table is for typing errors and other languages
    renamed = DOCUMENTED.get(name) if "." in name else successor(name)
    return renamed if renamed is not None and reference.function(renamed) is not None else None


@cache
def _value(name: str) -> str | None:
    if reference.variable(name) is not None:
        return None
    renamed = VALUES.get(name) or successor(name)
    if renamed is None or (reference.variable(renamed) is None and reference.constant(renamed) is None):
        return None
    return renamed


def _means_old(script: OldScript, callee: nodes.Node) -> bool:
    """Whether the callee is not a function or method of v6 or of the script."""
    root = callee
    while isinstance(root, nodes.Member):
        root = root.object
    if not isinstance(root, nodes.Name):
        return False
    return isinstance(callee, nodes.Name) or script.is_free(root)


def _is_value(script: OldScript, node: nodes.Name) -> bool:
    """Whether a name is read, so neither declared nor a type."""
    parent = script.parent(node)
    match parent:
        case nodes.VariableDeclaration():
            return node is parent.value
        case nodes.Reassignment():
            return node is parent.value
        case nodes.Parameter() | nodes.Field():
            return node is parent.default
        case nodes.EnumField():
            return node is parent.value
        case nodes.TypeReference() | nodes.FunctionDeclaration() | nodes.TupleDeclaration() | nodes.Import():
            return False
        case nodes.TypeDeclaration() | nodes.EnumDeclaration():
            return False
        case nodes.ForTo():
            return node is not parent.counter
        case nodes.ForIn():
            return node is parent.collection
        case _:
            return True
