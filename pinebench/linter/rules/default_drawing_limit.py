"""Rule PB4005: drawings without a limit of their own."""

from __future__ import annotations

from pinebench.checker import SIMPLE
from pinebench.linter.rules.alike import names_in
from pinebench.linter.rules.bars import is_first_value, may_be_deleted
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, bare, nodes, reference

_KINDS = ("label", "line", "box", "polyline")


class DefaultDrawingLimit(Rule):
    """The script makes new drawings repeatedly, never deletes them, and does not set their limit in the declaration
    statement. Only the last 50 remain. `max_labels_count` and similar arguments allow up to 500 (100 polylines).

    Bad:

        //@version=6
        indicator("Example", overlay = true)
        if ta.crossover(close, ta.sma(close, 20))
            label.new(bar_index, high, "up")

    Good:

        //@version=6
        indicator("Example", overlay = true, max_labels_count = 500)
        if ta.crossover(close, ta.sma(close, 20))
            label.new(bar_index, high, "up")
    """

    code = "PB4005"
    calls = tuple(sorted(reference.having("limited")))

    def finish(self, context: RuleContext) -> Findings:
        """Report the first call for each kind of drawing without a limit."""
        if context.declaration is None or context.kind == "library":
            return
        for kind in _KINDS:
            parameter = f"max_{kind}s_count" if kind != "box" else "max_boxes_count"
            calls = context.calls(f"{kind}.new")
            if (
                not calls
                or context.argument(context.declaration, parameter) is not None
                or may_be_deleted(context, kind)
            ):
                continue
            repeated = (call for call in calls if not _runs_once(context, call))
            first = next(repeated, None)
            if first is not None:
                yield context.report(self.code, first, parameter=parameter)


def _runs_once(context: RuleContext, call: nodes.Call) -> bool:
    if is_first_value(context, call):
        return True
    facts = context.facts(call)
    if any(_holds_no_more(context, fact, truth) for fact, truth in facts):
        return True
    asked = [fact for fact, truth in facts if truth]
    return any(
        context.shown(fact).startswith("barstate.is")
        or _is_of_one_bar(context, fact)
        or _misses_a_drawing(context, fact)
        for fact in asked
    )


def _holds_no_more(context: RuleContext, condition: nodes.Node, truth: bool) -> bool:
    """Whether a condition can be true only once. It is a `var` variable whose every assignment makes the condition
    false, or it tests whether a `var` variable is na that never becomes na again."""
    asked = context.argument(condition, "x") if truth and context.called(condition) == "na" else None
    symbol = context.symbol(condition if asked is None else bare(asked))
    if symbol is None or symbol.mode is None or symbol not in context.writes:
        return False
    given = [context.value(write.value) for write in context.writes[symbol] if write.operator == ":="]
    if asked is not None:
        return (True, None) not in given
    return len(given) == len(context.writes[symbol]) and all(value == (True, not truth) for value in given)


def _is_of_one_bar(context: RuleContext, condition: nodes.Node) -> bool:
    """Whether a condition is true on one particular bar only, or depends on the distance to the last bar."""
    if not isinstance(condition, nodes.Binary) or condition.operator not in ("==", "<", "<=", ">", ">="):
        return False
    sides = [bare(condition.left), bare(condition.right)]
    if condition.operator == "==" and any(context.text(side) in _PLACES for side in sides):
        return True
    for side, other in (sides, reversed(sides)):
        if isinstance(side, nodes.History) and context.text(side.object) in _PLACES:
            type_ = context.type(other, condition)
            return (
                type_ is not None and type_.qualifier <= SIMPLE
            )  # a fixed place that the previous bar has not reached
    return any(name.id == "last_bar_index" and context.symbol(name) is None for name in names_in(sides))


_PLACES = ("bar_index", "time")


def _misses_a_drawing(context: RuleContext, condition: nodes.Node) -> bool:
    """Whether a condition tests that there is no drawing yet, so that one is made and kept."""
    asked = context.argument(condition, "x") if context.called(condition) == "na" else None
    type_ = context.type(bare(asked), condition) if asked is not None else None
    return type_ is not None and type_.base.name in _KINDS
