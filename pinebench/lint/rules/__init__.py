"""Opinions on a checked script: each rule is a class in a file of its own, and one walk over the tree serves all.

To add one, give it a code in `pinebench/codes/opinions.py`, write `pinebench/lint/rules/<name>.py` with a class that is
decorated with `register`, and name the module in MODULES. The class's docstring is the page that `pinebench explain`
shows; its scripts under `Bad:` and `Good:` are run by the tests.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from pinebench.diagnostics import Severity
from pinebench.lint.rules.rule import RULES, Look, Rule
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from pinebench.check import Program
    from pinebench.diagnostics import Diagnostic
    from pinebench.syntax.nodes import Node

__all__ = ["MODULES", "Look", "Rule", "opinions_on", "rules"]

MODULES = ("unused_variable", "self_assignment", "constant_condition")
"""The module of each rule."""


@cache
def rules() -> dict[str, type[Rule]]:
    """Every rule by its code."""
    for module in MODULES:
        import_module(f"pinebench.lint.rules.{module}")
    return dict(sorted(RULES.items()))


def opinions_on(program: Program, asked: Collection[str]) -> list[Diagnostic]:
    """What the rules with the codes `asked` say about `program`; nothing where it has errors, because then too much
    about it is not known."""
    if any(diagnostic.severity is Severity.ERROR for diagnostic in program.diagnostics):
        return []
    look = Look(program)
    chosen = [rule() for code, rule in rules().items() if code in asked]
    wanted: dict[type[Node], list[Callable[[Node, Look], Iterator[Diagnostic]]]] = {}
    for rule in chosen:
        for kind in rule.nodes:
            wanted.setdefault(kind, []).append(rule.visit)
    found: list[Diagnostic] = []
    for chunk in program.document.chunks:
        look.offset = chunk.start
        for node in walk(chunk.body):
            for visit in wanted.get(type(node), ()):
                found += visit(node, look)
    for rule in chosen:
        found += rule.finish(look)
    return found
