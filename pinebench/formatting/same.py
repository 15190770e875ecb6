"""Whether two scripts say the same: the same trees and the same comments, wherever they stand."""

from __future__ import annotations

from pinebench.syntax import Document
from pinebench.syntax.nodes import Node


def says_the_same(one: Document, other: Document) -> bool:
    """Whether both parse without new errors to the same tree and have the same comments in the same order."""
    return (
        [finding.code for finding in one.diagnostics] == [finding.code for finding in other.diagnostics]
        and _comments(one) == _comments(other)
        and _same_trees(one, other)
    )


def _comments(document: Document) -> list[str]:
    return [document.text[start:end].rstrip() for start, end in document.comments]


def _same_trees(one: Document, other: Document) -> bool:
    stack: list[tuple[object, object]] = [
        ([node for chunk in one.chunks for node in chunk.body], [node for chunk in other.chunks for node in chunk.body])
    ]
    while stack:
        left, right = stack.pop()
        if type(left) is not type(right):
            return False
        if isinstance(left, Node):
            stack += [(getattr(left, name), getattr(right, name)) for name in left._fields if name[-6:] != "_start"]
        elif isinstance(left, list):
            if len(left) != len(right):  # type: ignore[arg-type]
                return False
            stack += zip(left, right, strict=True)  # type: ignore[call-overload]
        elif left != right:
            return False
    return True
