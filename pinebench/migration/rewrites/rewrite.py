"""The protocol of a rewrite: a function that looks at a script and says what to change, registered with the versions
that need it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from pinebench.migration.remarks import Kind

if TYPE_CHECKING:
    from pinebench.migration.script import OldScript
    from pinebench.syntax.edits import TreeEdits
    from pinebench.syntax.nodes import Node


class Change(NamedTuple):
    """What is to be told about `node`, and what `ask` asks of the edits; without `ask` it is only told."""

    node: Node
    text: str
    ask: Callable[[TreeEdits], object] | None = None
    kind: Kind = Kind.CHANGED


Search = Callable[["OldScript"], Iterator[Change]]


class Rewrite(NamedTuple):
    """A registered rewrite and the versions it is for; `last`: it looks once, when nothing is left to change."""

    search: Search
    oldest: int
    newest: int
    last: bool


REWRITES: list[Rewrite] = []
"""Every rewrite, in the order in which they were registered."""


def rewrite(*, oldest: int = 3, newest: int = 5, last: bool = False) -> Callable[[Search], Search]:
    """Register a function for scripts of the versions `oldest` to `newest`."""

    def register(search: Search) -> Search:
        REWRITES.append(Rewrite(search, oldest, newest, last))
        return search

    return register
