"""The protocol of a rewrite: a function that takes a script and yields changes, registered with the versions that
need it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from pinebench.migration.remarks import RemarkKind

if TYPE_CHECKING:
    from pinebench.migration.script import OldScript
    from pinebench.syntax.edits import TreeEdits
    from pinebench.syntax.nodes import Node


class RewriteChange(NamedTuple):
    """A remark about `node`, and the edits that `ask` requests. Without `ask` it is only a remark."""

    node: Node
    text: str
    ask: Callable[[TreeEdits], object] | None = None
    kind: RemarkKind = RemarkKind.CHANGED


Search = Callable[["OldScript"], Iterator[RewriteChange]]


class Rewrite(NamedTuple):
    """A registered rewrite and the versions it applies to. With `last` it runs once, when nothing is left to change."""

    search: Search
    oldest: int
    newest: int
    last: bool


REWRITES: list[Rewrite] = []
"""Every rewrite, in the order of registration."""


def rewrite(*, oldest: int = 3, newest: int = 5, last: bool = False) -> Callable[[Search], Search]:
    """Register a rewrite for scripts of the versions `oldest` to `newest`. For `last` see `Rewrite`."""

    def register(search: Search) -> Search:
        REWRITES.append(Rewrite(search, oldest, newest, last))
        return search

    return register
