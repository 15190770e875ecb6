"""Whether two pieces of script say the same, and what kind of parts an expression has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from pinebench.lint.rules.look import Look, bare
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk


def same(first: object, second: object) -> bool:
    """Whether two expressions, statements or lists of them are written alike, but for layout and parentheses."""
    if first.__class__ is not second.__class__ and nodes.Parenthesized not in (first.__class__, second.__class__):
        return False
    pending = [(first, second)]
    while pending:
        one, other = pending.pop()
        if isinstance(one, nodes.Node) and isinstance(other, nodes.Node):
            one, other = bare(one), bare(other)
            if one.__class__ is not other.__class__:
                return False
            pending += [(getattr(one, name), getattr(other, name)) for name in _compared(one.__class__)]
        elif isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                return False
            pending += zip(one, other, strict=True)
        elif one != other:
            return False
    return True


@cache
def _compared(kind: type[nodes.Node]) -> list[str]:
    """The attributes that tell one node of a class from another; the last is compared first."""
    return [name for name in kind._fields if not name.endswith("_start")]  # pyright: ignore[reportPrivateUsage]


def names_in(code: nodes.Node | Iterable[nodes.Node]) -> Iterator[nodes.Name]:
    """Every name in a piece of script."""
    return (node for node in walk(code) if isinstance(node, nodes.Name))


def flattened(node: nodes.Node, operator: str) -> list[nodes.Node]:
    """The operands of a chain of one operator, such as the conditions joined by `and`, in text order."""
    found: list[nodes.Node] = []
    pending = [node]
    while pending:
        part = bare(pending.pop())
        if isinstance(part, nodes.Binary) and part.operator == operator:
            pending += (part.right, part.left)
        else:
            found.append(part)
    return found


def chains(look: Look) -> list[tuple[nodes.Binary, list[nodes.Node]]]:
    """The conditions that `and` or `or` joins, of each whole chain of one of them, found once."""
    return look.once(_chains)


def _chains(look: Look) -> list[tuple[nodes.Binary, list[nodes.Node]]]:
    found: list[tuple[nodes.Binary, list[nodes.Node]]] = []
    for operator in ("and", "or"):
        for node in look.operations.get(operator, ()):
            above = look.parent.get(node)
            while isinstance(above, nodes.Parenthesized):
                above = look.parent.get(above)
            if not isinstance(above, nodes.Binary) or above.operator != operator:
                found.append((node, flattened(node, operator)))
    return found
