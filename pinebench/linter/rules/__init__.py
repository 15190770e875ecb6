"""Opinions on a checked script: each rule is a class in a file of its own, and one walk over the tree serves all rules.

The code of a rule shows its group: PB1 correctness, PB2 repainting and look-ahead, PB3 strategies, PB4 limits and
speed, PB5 traps at run time, PB6 alerts, PB7 style. `--select` takes a code, its beginning (`PB2`), the name of a rule
(`unused-variable`) or the name of a group (`repainting`).

To add a rule, give it a code and a name in `pinebench/codes/opinions.py` and write `pinebench/linter/rules/<name>.py`
(with `_` for `-`). The module has a class that is decorated with `register`. The docstring of the class is the page
that `pinebench explain` shows, and the tests run its scripts under `Bad:` and `Good:`. `RuleContext` has the facts
about the script; it computes each fact once, when a rule first asks for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from pinebench.checker import CHECKED_VERSION
from pinebench.codes import opinion_codes
from pinebench.diagnostics import Severity
from pinebench.linter.rules.context import RuleContext
from pinebench.linter.rules.options import Option, Options, OptionValue
from pinebench.linter.rules.rule import RULES, Rule
from pinebench.syntax.garbage import CollectionPaused

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
    """Every rule, by its code."""
    return {code: rule(code) for code in sorted(opinion_codes())}


@cache
def rule(code: str) -> type[Rule]:
    """The rule with the code `code`, whose module is loaded if necessary. Raises KeyError if there is no such rule."""
    import_module(f"pinebench.linter.rules.{opinion_codes()[code].alias.replace('-', '_')}")
    return RULES[code]


@cache
def on_by_default() -> tuple[str, ...]:
    """The codes of the rules that are asked if nothing is selected."""
    return tuple(code.name for code in opinion_codes().values() if code.default)


def traps() -> tuple[str, ...]:
    """The codes of the rules about scripts that compile and then stop, or trade in an unintended way. The loop that
    writes scripts always asks these rules.
    """
    return (
        *("PB1005", "PB2003", "PB3010", "PB3011"),
        *("PB5001", "PB5002", "PB5003", "PB5004", "PB5005", "PB5006", "PB5007"),
    )


def opinions_on(
    program: Program, select: Collection[str] | None = None, options: Options | None = None
) -> list[Diagnostic]:
    """The findings of rules about `program`. The list is empty if the script has errors or is of an earlier version,
    because then too little is known about it.

    `select` holds the codes of the rules to ask; None means the rules that are on by default. `options` are the
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
        return _opinions(plan, RuleContext(program, options or {}))


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
                for visit in wanting.visiting:
                    for node in group:
                        found += visit(node, context)
                finishing |= wanting.finishing
    for bit, finish in plan.finishes:
        if finishing & bit:
            found += finish(context)
    return found


class _Wanting:
    """The rules that ask for one kind of node: those that visit each node, and, as bits, those that check them at the
    end.
    """

    __slots__ = ("finishing", "visiting")

    def __init__(self) -> None:
        self.visiting: list[Callable[[Any, RuleContext], Iterable[Diagnostic]]] = []
        self.finishing = 0


class _Plan(NamedTuple):
    """The rules that get each kind of node, because most scripts have only few of these kinds.

    `finishes` are the rules that check a script as a whole, each with its bit. The bits in `always` are of rules that
    check every script.
    """

    asked: tuple[Rule, ...]
    nodes: dict[Any, _Wanting]
    calls: dict[Any, _Wanting]
    operators: dict[Any, _Wanting]
    finishes: list[tuple[int, Callable[[RuleContext], Iterable[Diagnostic]]]]
    always: int


@lru_cache(maxsize=16)
def _plan(codes: tuple[str, ...]) -> _Plan:
    asked = tuple(rule(code)() for code in codes)
    plan = _Plan(asked, defaultdict(_Wanting), defaultdict(_Wanting), defaultdict(_Wanting), [], 0)
    always = 0
    for number, each in enumerate(asked):
        visits, finishes = type(each).visit is not Rule.visit, type(each).finish is not Rule.finish
        bit = 1 << number if finishes else 0
        if finishes:
            plan.finishes.append((bit, each.finish))
        for wanted, kinds in ((plan.nodes, each.nodes), (plan.calls, each.calls), (plan.operators, each.operators)):
            for kind in kinds:
                wanted[kind].finishing |= bit
                wanted[kind].visiting.extend([each.visit] if visits else ())
        if not (each.nodes or each.calls or each.operators):
            always |= bit
    return plan._replace(always=always)
