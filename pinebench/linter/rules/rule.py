"""The base class of rules: the nodes that a rule visits, the findings that it returns, and its options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from pinebench.codes import opinion_codes
from pinebench.linter.rules.options import HasOptions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.rules.context import RuleContext
    from pinebench.syntax.nodes import Node


class Rule(HasOptions):
    """One rule. An object checks many scripts and keeps no state between them.

    `visit` gets the nodes of the classes `nodes`, the calls of the built-in functions `calls`, and the operations with
    two operands whose operator is in `operators`. A rule that must look at several nodes together uses `finish`. It is
    called if the script has any of these nodes, or always if the rule names none.

    The findings have the rule's `code`. `default` says whether the rule is on without being selected. It and the
    `group` are in the catalogue of codes, together with the message.
    """

    nodes: ClassVar[tuple[type[Node], ...]] = ()
    calls: ClassVar[tuple[str, ...]] = ()
    operators: ClassVar[tuple[str, ...]] = ()
    default: ClassVar[bool]

    @classmethod
    def name(cls) -> str:
        """The name of the rule, such as `unused-variable`."""
        return opinion_codes()[cls.code].alias

    @classmethod
    def group(cls) -> str:
        """The name of the group that the rule belongs to."""
        from pinebench.codes.opinions import GROUPS

        return next(name for name, prefix in GROUPS.items() if cls.code.startswith(prefix))

    def visit(self, node: Any, context: RuleContext) -> Iterable[Diagnostic]:  # noqa: ARG002  (for rules to override)
        """Return the findings about one node, call or operation that the rule asked for."""
        return ()

    def finish(self, context: RuleContext) -> Iterable[Diagnostic]:  # noqa: ARG002  (for rules to override)
        """Return the findings that need the whole script; called after all nodes were visited."""
        return ()


RULES: dict[str, type[Rule]] = {}
"""The rules that were loaded, by code; `rules.rules()` fills it."""

_Rule = TypeVar("_Rule", bound=type[Rule])


def register(rule: _Rule) -> _Rule:
    """Register a rule under its code; a class decorator."""
    rule.default = opinion_codes()[rule.code].default
    RULES[rule.code] = rule
    return rule
