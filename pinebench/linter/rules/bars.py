"""Determines whether code runs on every bar (conditions on settings do not count), and whether the drawings that it
makes are deleted."""

from __future__ import annotations

from collections.abc import Collection

from pinebench.checker import SIMPLE, ImportSymbol, Type
from pinebench.linter.rules.code_blocks import blocks
from pinebench.linter.rules.context import RuleContext, path
from pinebench.syntax import nodes
from pinebench.syntax.nodes import Node
from pinebench.syntax.walk import children


def runs_on_every_bar(context: RuleContext, node: Node, above: tuple[Node, ...] = ()) -> bool:
    """Return whether a node runs on every historical bar.

    Conditions around it may only depend on settings or on `barstate.isconfirmed`. Loops around it must count between
    numbers that are known before the first bar. `above` holds the functions that are being examined, which ends
    recursion.
    """
    if not all(_holds_on_every_bar(context, *each, node) for each in context.conditions(node)):
        return False
    if not all(_counts_alike(context, loop) for loop in context.loops(node)):
        return False
    function = context.function(node)
    if function is None:
        return True
    sites = context.call_sites.get(context.program.bindings.function_of[function], ()) if function not in above else ()
    return any(runs_on_every_bar(context, site, (*above, function)) for site in sites)


def _holds_on_every_bar(context: RuleContext, condition: Node | None, truth: bool, within: Node) -> bool:
    if condition is None:
        return False
    if _is_setting(context, condition, within):
        known, value = context.value(condition)
        return not known or value is truth
    return truth and path(condition) == "barstate.isconfirmed"


def _counts_alike(context: RuleContext, loop: nodes.ForTo | nodes.ForIn | nodes.While) -> bool:
    return (
        isinstance(loop, nodes.ForTo)
        and _is_setting(context, loop.first, loop)
        and _is_setting(context, loop.last, loop)
    )


def _is_setting(context: RuleContext, node: Node, within: Node) -> bool:
    """Whether an expression around or in `within` has the same value on every bar."""
    type_ = context.type(node, within)
    return type_ is not None and type_.qualifier <= SIMPLE


def runs_in_some_branch(context: RuleContext, node: Node, alike: Collection[Node]) -> bool:
    """Return whether one of the nodes `alike` runs on every bar, because each branch of an `if` or another choice
    around `node` contains one of them."""
    outermost = None
    for above in context.parents(node):
        if isinstance(above, (nodes.FunctionDeclaration, *nodes.LOOPS)):
            break
        if isinstance(above, _CHOICES):
            outermost = above
    return outermost is not None and _holds_one(outermost, alike) and runs_on_every_bar(context, outermost)


def _holds_one(node: Node, wanted: Collection[Node], depth: int = 0) -> bool:
    """Whether a node is one of `wanted` or certainly runs one of them."""
    pending = [node]
    while pending:
        each = pending.pop()
        if each in wanted:
            return True
        if isinstance(each, _CHOICES):
            branches = _branches(each) if depth < _DEEPEST else []
            if branches and all(any(_holds_one(part, wanted, depth + 1) for part in branch) for branch in branches):
                return True
        elif not isinstance(each, (nodes.FunctionDeclaration, *nodes.LOOPS)):
            pending += children(each)
    return False


def _branches(choice: nodes.If | nodes.Ternary | nodes.Switch) -> list[list[nodes.Statement]] | list[list[Node]]:
    """The branches of a choice that always runs one of them; empty if the choice may run none."""
    if isinstance(choice, nodes.Ternary):
        return [[choice.then], [choice.otherwise]]
    if isinstance(choice, nodes.If):
        return [*blocks(choice)] if choice.otherwise is not None else []
    has_default = any(case.condition is None for case in choice.cases)
    return [case.body for case in choice.cases] if has_default else []


_CHOICES = (nodes.If, nodes.Ternary, nodes.Switch)
_DEEPEST = 50
"""The largest depth of nested choices that are examined."""


def is_kept(context: RuleContext, call: nodes.Call, above: tuple[Node, ...] = ()) -> bool:
    """Return whether a call runs only once, as the initial value of a `var` or `varip` variable, or in a function that
    is called for such a value.

    `above` holds the functions that are being examined, which ends recursion.
    """
    if is_first_value(context, call):
        return True
    function = context.function(call)
    if function is None or function in above:
        return False
    sites = context.call_sites.get(context.program.bindings.function_of[function], ())
    return any(is_kept(context, site, (*above, function)) for site in sites)


def is_first_value(context: RuleContext, call: nodes.Call) -> bool:
    """Return whether a call is in the initial value of a `var` or `varip` variable."""
    parent = context.parent
    above = parent.get(call)
    while above is not None:
        if type(above) is nodes.VariableDeclaration and above.mode is not None:
            return True
        above = parent.get(above)
    return False


def may_be_deleted(context: RuleContext, kind: str) -> bool:
    """Return whether drawings of a kind are deleted somewhere, or are passed to a library, which may delete them."""
    if context.calls(f"{kind}.delete"):
        return True
    if not context.program.bindings.imports:
        return False
    resolved = context.program.resolved_calls
    for call in context.of(nodes.Call):
        meaning = resolved.get(call)
        if meaning is None or isinstance(meaning.target, ImportSymbol):
            given = [each.value if isinstance(each, nodes.NamedArgument) else each for each in call.arguments]
            if isinstance(call.callee, nodes.Member):
                given.append(call.callee.object)
            if any(_may_hold(context.type(each, call), kind) for each in given):
                return True
    return False


def _may_hold(type_: Type | None, kind: str) -> bool:
    """Whether a value of a type may be a drawing of a kind, or may contain one."""
    if type_ is None:
        return False
    base = type_.base
    if base.kind in ("array", "map", "matrix"):
        return any(each.name == kind or each.kind in ("udt", "unknown") for each in base.arguments)
    return base.name == kind or base.kind == "udt"
