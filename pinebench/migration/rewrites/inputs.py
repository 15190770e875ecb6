"""The single `input()` of earlier versions, which became a function for each type of input."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pinebench import reference
from pinebench.checker import VariableSymbol
from pinebench.linter.suggest.candidate import dotted
from pinebench.migration.remarks import RemarkKind
from pinebench.migration.rewrites.rewrite import RewriteChange, rewrite
from pinebench.migration.script import value_of
from pinebench.reference.successors import INPUTS
from pinebench.syntax import nodes
from pinebench.syntax.edits import removing, replacing

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from pinebench.migration.script import OldScript
    from pinebench.syntax.edits import TreeEdits

_PARAMETERS = (
    "defval",
    "title",
    "type",
    "minval",
    "maxval",
    "confirm",
    "step",
    "options",
    "inline",
    "group",
    "tooltip",
)
"""The parameters of `input()` in v4. v3 had the first eight."""
_PARAMETERS_OF_5 = ("defval", "title", "tooltip", "inline", "group", "display")
_SPECIAL = frozenset(("minval", "maxval", "confirm", "step", "options"))
"""Parameters that v6's own `input()` does not have."""
_NUMBERS = ("minval", "maxval", "step")


@rewrite()
def kinds(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite `input(14, type = input.integer)` to `input.int(14)`."""
    for call in script.called("input"):
        given = _given(call, _PARAMETERS if script.version < 5 else _PARAMETERS_OF_5)
        if given is None or call.template is not None:
            continue
        kind = _kind(script, call, given)
        if kind is None:
            continue
        if not kind:
            yield RewriteChange(
                call, "the type of this input is unclear: choose a function of `input`", kind=RemarkKind.LOOK
            )
            continue
        refused = _refused(kind, given)
        told = f"`input()` is `input.{kind}()`"
        if refused:
            beside = " beside `options`" if "options" in given and "options" not in refused else ""
            told += f", which has no {' and no '.join(f'`{name}`' for name in refused)}{beside}"
        yield RewriteChange(call, told, partial(_special, call, kind, given, refused))


def _refused(kind: str, given: dict[str, nodes.Node]) -> list[str]:
    """The arguments of an old `input()` that `input.<kind>()` does not take. They had no effect on this kind: an input
    with options is chosen from a list, and only numbers have bounds."""
    function = reference.function(f"input.{kind}")
    assert function is not None
    forms = [{parameter.name for parameter in overload.parameters} for overload in function.overloads]
    form = next((names for names in forms if ("options" if "options" in given else "minval") in names), forms[0])
    return [name for name in given if name in _SPECIAL and name not in form]


def _given(call: nodes.Call, parameters: tuple[str, ...]) -> dict[str, nodes.Node] | None:
    """The arguments by the names of the `parameters`. None if there are too many."""
    found: dict[str, nodes.Node] = {}
    for place, item in enumerate(call.arguments):
        if isinstance(item, nodes.NamedArgument):
            found[item.name] = item
        elif place < len(parameters):
            found[parameters[place]] = item
        else:
            return None
    return found


def _kind(script: OldScript, call: nodes.Call, given: dict[str, nodes.Node]) -> str | None:
    """The function of `input` for a call.

    None means that no change is needed, or that not enough is known yet. Empty means that the type of the input is
    unclear.
    """
    if "type" in given:
        name = _kind_name(script, value_of(given["type"]))
        told = INPUTS.get(name.removeprefix("input."))
        if told == "float" and "options" not in given and _base(script, given, "defval") == "bool":
            return "bool"
        return told or ""
    by_place = sum(not isinstance(item, nodes.NamedArgument) for item in call.arguments)
    if not _SPECIAL & given.keys() and (by_place <= 2 or script.version == 5):
        return None
    base = _base(script, given, "defval")
    if base == "int":
        others = [_base(script, given, name) for name in _NUMBERS if name in given] + _options(script, given)
        return None if "" in others else "float" if "float" in others else "int"
    if base == "float":
        return "source" if not _SPECIAL & given.keys() and _is_source(given["defval"]) else "float"
    return base if base in ("bool", "string", "color") else None


def _kind_name(script: OldScript, node: nodes.Node) -> str:
    """The constant for the type of an input, written directly or through a variable."""
    symbol = script.symbol_of(node) if isinstance(node, nodes.Name) else None
    if isinstance(symbol, VariableSymbol) and isinstance(symbol.declaration, nodes.VariableDeclaration):
        node = symbol.declaration.value
    return dotted(node) or ""


@rewrite(newest=4)
def titles(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite `title = input.symbol` to `title = "symbol"`: the types of inputs were strings."""
    for call in script.called("input", *(f"input.{kind}" for kind in set(INPUTS.values()))):
        title = script.argument(call, "title", 1)
        name = (dotted(value_of(title)) or "") if title is not None else ""
        if title is not None and name.removeprefix("input.") in INPUTS and name.startswith("input."):
            text = f'"{name.removeprefix("input.")}"'
            yield RewriteChange(title, f"`{name}` was a string", replacing(value_of(title), text))


@rewrite(newest=4)
def aliases(script: OldScript) -> Iterator[RewriteChange]:
    """Remove `integer = input.integer` if no input uses it."""
    for node in script.of(nodes.VariableDeclaration):
        if not (dotted(node.value) or "").startswith("input.") or len(script.references(node.name)) > 1:
            continue
        yield RewriteChange(node, f"`{script.source(node.value)}` is a function now, and not needed", removing(node))


def _is_source(node: nodes.Node) -> bool:
    return isinstance(value_of(node), nodes.Name)


def _base(script: OldScript, given: dict[str, nodes.Node], name: str) -> str:
    return script.base_of(value_of(given[name])) if name in given else ""


def _options(script: OldScript, given: dict[str, nodes.Node]) -> list[str]:
    options = value_of(given["options"]) if "options" in given else None
    return [script.base_of(item) for item in options.items] if isinstance(options, nodes.TupleExpression) else []


def _special(
    call: nodes.Call, kind: str, given: dict[str, nodes.Node], refused: Container[str], edits: TreeEdits
) -> None:
    edits.replace(call.callee, f"input.{kind}")
    for name, item in given.items():
        if name == "type" or name in refused:
            edits.remove(item)
        if name in ("defval", "title", "type") or name in refused:
            continue
        value = value_of(item)
        if kind == "int" and name in _NUMBERS and isinstance(value, nodes.Literal) and value.kind == "float":
            whole = max(int(float(value.text)), 1 if name == "step" else 0)  # a step of 0 would move nothing
            edits.replace(item, f"{name} = {whole}")
        elif not isinstance(item, nodes.NamedArgument):
            edits.wrap(item, f"{name} = ", "")
