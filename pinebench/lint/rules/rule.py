"""What a rule is, and what it is shown of a script."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, TypeVar

from pinebench import codes
from pinebench.diagnostics import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.check import Program
    from pinebench.diagnostics import Diagnostic, Fix
    from pinebench.syntax.nodes import Node


class Look:
    """A script as rules see it: `program` is what is known about it, `offset` where the chunk at hand begins."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.offset = 0

    def span(self, node: Node) -> Span:
        """Where a node of the chunk at hand stands in the whole text."""
        return Span(self.offset + node.start, self.offset + node.end)

    def report(self, code: str, span: Span, fix: Fix | None = None, **values: object) -> Diagnostic:
        """A finding of `code`, whose message is made from `values` and which keeps them."""
        return codes.finding(code, span, values, fix=fix)


class Rule:
    """One opinion; a fresh object looks at each script.

    `nodes` are the classes of nodes that `visit` is shown, in text order; a rule on facts of the whole script answers
    in `finish`. What they yield carries the rule's `code`.
    """

    code: ClassVar[str]
    nodes: ClassVar[tuple[type[Node], ...]] = ()

    def visit(self, node: Node, look: Look) -> Iterator[Diagnostic]:  # noqa: ARG002
        """What the rule says about one node of its classes."""
        yield from ()

    def finish(self, look: Look) -> Iterator[Diagnostic]:  # noqa: ARG002
        """What the rule says once all nodes were visited."""
        yield from ()


RULES: dict[str, type[Rule]] = {}
"""The registered rules by code; `rules.rules()` fills it."""

_Rule = TypeVar("_Rule", bound=type[Rule])


def register(rule: _Rule) -> _Rule:
    """Make a rule known under its code; a class decorator."""
    RULES[rule.code] = rule
    return rule
