"""The base class of rules, and the names that almost every module of a rule imports."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from pinebench import reference
from pinebench.codes import opinion_codes
from pinebench.diagnostics import Diagnostic, Edit, Fix
from pinebench.linter.rules.context import RuleContext, path
from pinebench.linter.rules.options import HasOptions, Option
from pinebench.syntax import nodes
from pinebench.syntax.walk import bare, walk

__all__ = ["Diagnostic", "Edit", "Findings", "Fix", "Option", "Rule", "RuleContext", "bare", "nodes", "path"]
__all__ += ["reference", "walk"]

Findings = Iterable[Diagnostic]
"""The findings of a rule."""


class Rule(HasOptions):
    """One rule. An object checks many scripts and keeps no state between them.

    `visit` is called for the nodes of the classes in `nodes`, for calls of the built-in functions in `calls`, and for
    operations with two operands whose operator is in `operators`. A rule that must look at several nodes together uses
    `finish`. It is called if the script has any of these nodes, or always if the rule names none.

    The findings have the rule's `code`. The catalogue of codes has the rule's message, and says whether the rule is on
    by default.
    """

    nodes: ClassVar[tuple[type[nodes.Node], ...]] = ()
    calls: ClassVar[tuple[str, ...]] = ()
    operators: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def name(cls) -> str:
        """Return the name of the rule, such as `unused-variable`."""
        return opinion_codes()[cls.code].alias

    @classmethod
    def group(cls) -> str:
        """Return the name of the group that the rule belongs to."""
        from pinebench.codes.opinions import GROUPS

        return next(name for name, prefix in GROUPS.items() if cls.code.startswith(prefix))

    def visit(self, node: Any, context: RuleContext) -> Findings:  # noqa: ARG002  (for rules to override)
        """Return the findings about one node, call or operation that `nodes`, `calls` or `operators` select."""
        return ()

    def finish(self, context: RuleContext) -> Findings:  # noqa: ARG002  (for rules to override)
        """Return the findings that need the complete script, after all nodes have been visited."""
        return ()
