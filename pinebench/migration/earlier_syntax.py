"""Differences in the syntax of earlier versions: reserved words of v6 that they allowed as names, and names that reveal
a v4 script without a version line."""

from __future__ import annotations

from collections.abc import Iterator

from pinebench import reference
from pinebench.linter.suggest.candidate import dotted
from pinebench.reference.successors import successor
from pinebench.syntax import Snapshot, nodes
from pinebench.syntax.edits import TreeEdits
from pinebench.syntax.walk import walk

RESERVED = frozenset(
    "catch class do ellipse export import in is polygon range return struct switch text throw try varip while".split()
)
"""Words that earlier versions allow as names, and that v6 reserves, or does not allow at the start of a statement."""


def reads_as_4(snapshot: Snapshot) -> bool:
    """Return whether a script without a version line is written in v4.

    It declares itself with `study()`, or it is a strategy that calls functions without the namespaces that v5
    introduced.
    """
    called = _called(snapshot)
    if called & {"indicator", "library"}:
        return False
    return "study" in called or ("strategy" in called and any(map(_moved, called)))


def declares_study(snapshot: Snapshot) -> bool:
    """Return whether a script declares itself with `study()`, which v5 removed."""
    called = _called(snapshot)
    return "study" in called and not called & {"indicator", "library", "strategy"}


def _called(snapshot: Snapshot) -> set[str | None]:
    """The names of all built-in functions that a script calls, as it writes them."""
    every = [node for chunk in snapshot.chunks for node in walk(chunk.body)]
    return {dotted(node.callee) for node in every if isinstance(node, nodes.Call)} - _declared(snapshot).keys()


def _moved(name: str | None) -> bool:
    return name is not None and "." not in name and reference.function(name) is None and successor(name) is not None


def rename_reserved(snapshot: Snapshot, edits: TreeEdits) -> Iterator[tuple[int, str]]:
    """Add edits that rename the script's names that v6 reserves. Yield the offset of each name and a remark."""
    found = [node for chunk in snapshot.chunks for node in walk(chunk.body) if isinstance(node, nodes.Name)]
    used = {node.id for node in found}
    own = _declared(snapshot)
    if not RESERVED & own.keys():
        return
    # called functions and namespaces are not variables of that name, so they keep their names
    others: set[nodes.Node] = set()
    for chunk in snapshot.chunks:
        for node in walk(chunk.body):
            if isinstance(node, nodes.Member):
                others.add(node.object)
            elif isinstance(node, nodes.Call) and not (isinstance(node.callee, nodes.Name) and own.get(node.callee.id)):
                others.add(node.callee)
    for node in found:
        if node.id not in RESERVED or node.id not in own or node in others:
            continue
        name = node.id + "_"
        while name in used:
            name += "_"
        edits.replace(node, name)
        yield edits.span(node).start, f"`{node.id}` is reserved in v6: it is called `{name}`"


def _declared(snapshot: Snapshot) -> dict[str, bool]:
    """The names that the script declares, and whether each one is a function."""
    found: dict[str, bool] = {}
    for chunk in snapshot.chunks:
        for node in walk(chunk.body):
            match node:
                case nodes.VariableDeclaration() | nodes.Parameter() | nodes.Field() | nodes.EnumField():
                    found.setdefault(node.name.id, False)
                case nodes.FunctionDeclaration():
                    found[node.name.id] = True
                case nodes.TupleDeclaration():
                    found |= {name.id: False for name in node.names if name.id not in found}
                case nodes.ForTo():
                    found.setdefault(node.counter.id, False)
                case nodes.ForIn():
                    found |= {name.id: False for name in (node.index, node.element) if name and name.id not in found}
                case _:
                    continue
    return found
