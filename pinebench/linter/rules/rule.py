"""What a rule is: the nodes it asks to see, what it says about them, and which options people can set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from pinebench.codes import opinion_codes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.rules.context import RuleContext
    from pinebench.syntax.nodes import Node

OptionValue = bool | int | float | str | tuple[str, ...]
"""What an option can be; a list of texts is a tuple here."""

Options = Mapping[str, Mapping[str, OptionValue]]
"""The values that options are given, by the rule's code and the option's name."""


class Option(NamedTuple):
    """Something about a rule that people can set: a value is of the type of `default`; `about` says in one sentence
    what it does. A number is at least `least`."""

    default: OptionValue
    about: str
    least: float | None = None

    @property
    def type(self) -> type:
        """The type of its values; that of a list of texts is `tuple`."""
        return type(self.default)

    @property
    def shown(self) -> str:
        """The default as a configuration would say it."""
        import json

        return json.dumps(self.default)


class Rule:
    """One opinion; an object looks at many scripts and keeps nothing of them.

    `nodes` are the classes of nodes that `visit` is shown; `calls` the names of built-in functions whose calls it is
    shown, `operators` those of operations with two operands. A rule that looks at many together answers in `finish`,
    which is asked where the script has any of these, or always where the rule names none.
    What they give carries the rule's `code`. `default`, whether the rule is on unasked, and `group`, stand in the
    catalogue of codes with its message.
    """

    code: ClassVar[str]
    nodes: ClassVar[tuple[type[Node], ...]] = ()
    calls: ClassVar[tuple[str, ...]] = ()
    operators: ClassVar[tuple[str, ...]] = ()
    options: ClassVar[Mapping[str, Option]] = {}
    default: ClassVar[bool]

    @classmethod
    def name(cls) -> str:
        """What people call the rule, as `unused-variable`."""
        return opinion_codes()[cls.code].alias

    @classmethod
    def group(cls) -> str:
        """The name of the group of rules that it belongs to."""
        from pinebench.codes.opinions import GROUPS

        return next(name for name, prefix in GROUPS.items() if cls.code.startswith(prefix))

    def visit(self, node: Any, context: RuleContext) -> Iterable[Diagnostic]:  # noqa: ARG002
        """What the rule says about one node of its classes, one call of its built-ins or one of its operations."""
        return ()

    def finish(self, context: RuleContext) -> Iterable[Diagnostic]:  # noqa: ARG002
        """What the rule says once all nodes were visited."""
        return ()


RULES: dict[str, type[Rule]] = {}
"""The rules that were loaded, by code; `rules.rules()` fills it."""

_Rule = TypeVar("_Rule", bound=type[Rule])


def register(rule: _Rule) -> _Rule:
    """Make a rule known under its code; a class decorator."""
    rule.default = opinion_codes()[rule.code].default
    RULES[rule.code] = rule
    return rule
