"""Opinions on a checked script: each rule is a class in a file of its own, and one walk over the tree serves all rules.

The code of a rule shows its group: PB1 correctness, PB2 repainting and look-ahead, PB3 strategies, PB4 limits and
speed, PB5 traps at run time, PB6 alerts, PB7 style, and PB8 publishing. `--select` takes a code, its beginning (`PB2`),
the name of a rule (`unused-variable`) or the name of a group (`repainting`).

To add a rule, give it a code and a name in `pinebench/codes/opinions.txt` and write `pinebench/linter/rules/<name>.py`
(with `_` for `-`). The module has a subclass of `Rule` with this code. The docstring of the class is the page that
`pinebench explain` shows, and the tests run its scripts under `Bad:` and `Good:`. `RuleContext` has the facts about the
script. It computes each fact once, when a rule first needs it. `python scripts/docs/generate.py` then writes the pages
of the rule and `_triggers.py`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache, cached_property, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pinebench.checker import CHECKED_VERSION
from pinebench.codes import opinion_codes
from pinebench.diagnostics import Severity
from pinebench.garbage import CollectionPaused
from pinebench.linter.rules._triggers import TRIGGERS
from pinebench.linter.rules.context import RuleContext
from pinebench.linter.rules.options import Option, Options, OptionValue
from pinebench.linter.rules.rule import Rule
from pinebench.records import NamedTuple
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from pinebench.checker import Program
    from pinebench.diagnostics import Diagnostic

__all__ = [
    "Option",
    "OptionValue",
    "Options",
    "Rule",
    "RuleContext",
    "on_by_default",
    "opinions_on",
    "rule",
    "rules",
    "traps",
]


def rules() -> dict[str, type[Rule]]:
    """Return every rule, by its code."""
    return {code: rule(code) for code in sorted(opinion_codes())}


@cache
def rule(code: str) -> type[Rule]:
    """Return the rule with the code `code`, whose module is loaded if necessary. Raises KeyError if there is no such
    rule."""
    module = import_module(f"pinebench.linter.rules.{opinion_codes()[code].alias.replace('-', '_')}")
    kinds = (each for each in vars(module).values() if isinstance(each, type) and issubclass(each, Rule))
    found = next((kind for kind in kinds if getattr(kind, "code", None) == code), None)
    if found is None:
        raise KeyError(code)
    return found


@cache
def on_by_default() -> tuple[str, ...]:
    """Return the codes of the rules that run if nothing is selected."""
    return tuple(code.name for code in opinion_codes().values() if code.default)


def traps() -> tuple[str, ...]:
    """Return the codes of the rules about scripts that compile and then stop, or trade in an unintended way. The
    authoring loop always runs these rules."""
    return (
        *("PB1005", "PB2003", "PB3010", "PB3011"),
        *("PB5001", "PB5002", "PB5003", "PB5004", "PB5005", "PB5006", "PB5007"),
    )


def opinions_on(
    program: Program, select: Collection[str] | None = None, options: Options | None = None
) -> list[Diagnostic]:
    """Return the findings of rules about `program`. There are none if the script has errors or an earlier version,
    because then too little is known about it.

    `select` holds the codes of the rules to run; None means the rules that are on by default. `options` holds the
    configured values of options. If `select` is a mapping and `options` is None, the values of `select` are the
    options.
    """
    if options is None and isinstance(select, Mapping):
        options = select
    plan = _plan(on_by_default() if select is None else tuple(select))
    if not plan.asked or (program.document.version or 0) < CHECKED_VERSION:
        return []
    if any(diagnostic.severity is Severity.ERROR for diagnostic in program.diagnostics):
        return []
    with CollectionPaused():
        context = RuleContext(program, options or {})
        found = _opinions(plan, context)
        context.release()
        return found


def _opinions(plan: _Plan, context: RuleContext) -> list[Diagnostic]:
    finishing = plan.always
    found: list[Diagnostic] = []
    for groups, wanted in (
        (context.nodes, plan.nodes),
        (context.builtin_calls if plan.calls else {}, plan.calls),
        (context.operations if plan.operators else {}, plan.operators),
    ):
        for kind, group in groups.items():
            if kind in wanted:
                wanting = wanted[kind]
                for visit in wanting.visits:
                    for node in group:
                        found += visit(node, context)
                finishing |= wanting.finishing
    for bit, asked in plan.finishes:
        if finishing & bit:
            found += asked.rule.finish(context)
    return found


class _LazyRule:
    """A rule whose module is loaded when a script first has a part that the rule looks at."""

    def __init__(self, code: str) -> None:
        self.code = code

    @cached_property
    def rule(self) -> Rule:
        return rule(self.code)()


class _NodeRules:
    """The rules for one kind of node: those that visit each node, and, as bits, those that check the script at the
    end."""

    def __init__(self) -> None:
        self.visiting: list[_LazyRule] = []
        self.finishing = 0

    @cached_property
    def visits(self) -> list[Callable[[Any, RuleContext], Iterable[Diagnostic]]]:
        """The methods that visit each node, in the order of the rules."""
        return [asked.rule.visit for asked in self.visiting]


class _Plan(NamedTuple):
    """The rules that get each kind of node, because most scripts have only few of these kinds.

    `finishes` are the rules that check a script as a whole, each with its bit. The bits in `always` are of rules that
    check every script.
    """

    asked: tuple[_LazyRule, ...]
    nodes: dict[Any, _NodeRules]
    calls: dict[Any, _NodeRules]
    operators: dict[Any, _NodeRules]
    finishes: list[tuple[int, _LazyRule]]
    always: int


@lru_cache(maxsize=16)
def _plan(codes: tuple[str, ...]) -> _Plan:
    asked = tuple(map(_LazyRule, codes))
    plan = _Plan(asked, defaultdict(_NodeRules), defaultdict(_NodeRules), defaultdict(_NodeRules), [], 0)
    always = 0
    for number, each in enumerate(asked):
        known = TRIGGERS.get(each.code)  # a rule that is being written is not in the table yet
        trigger = Trigger(*known) if known is not None else trigger_of(rule(each.code))
        bit = 1 << number if trigger.finishes else 0
        if bit:
            plan.finishes.append((bit, each))
        classes = [getattr(nodes, name) for name in trigger.nodes]
        for wanted, kinds in ((plan.nodes, classes), (plan.calls, trigger.calls), (plan.operators, trigger.operators)):
            for kind in kinds:
                wanted[kind].finishing |= bit
                wanted[kind].visiting.extend([each] if trigger.visits else ())
        if not (trigger.nodes or trigger.calls or trigger.operators):
            always |= bit
    return plan._replace(always=always)


class Trigger(NamedTuple):
    """The parts of a script that a rule examines: classes of nodes, built-in functions and operators, by name. It also
    says whether the rule visits each of them, and whether it checks the complete script at the end."""

    nodes: tuple[str, ...]
    calls: tuple[str, ...]
    operators: tuple[str, ...]
    visits: bool
    finishes: bool


def trigger_of(kind: type[Rule]) -> Trigger:
    """Return the trigger of a rule's class. `TRIGGERS` stores the triggers of all rules."""
    names = tuple(node.__name__ for node in kind.nodes)
    visits, finishes = kind.visit is not Rule.visit, kind.finish is not Rule.finish
    return Trigger(names, tuple(kind.calls), tuple(kind.operators), visits, finishes)
