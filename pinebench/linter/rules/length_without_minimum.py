"""Rule PB5008: an input without a minimum that is used as a length."""

from __future__ import annotations

from functools import cache

from pinebench.linter.rules.guards import asked
from pinebench.linter.rules.requests import parts
from pinebench.linter.rules.rule import Diagnostic, Findings, Rule, RuleContext, bare, nodes, reference


class LengthWithoutMinimum(Rule):
    """An input is the length of a function such as `ta.sma`, which accepts only 1 or more, and its `minval` is missing
    or below 1. A user who sets the input to 0 gets an error instead of a chart.

    Bad:

        //@version=6
        indicator("Example")
        length = input.int(14, "Length")
        plot(ta.sma(close, length))

    Good:

        //@version=6
        indicator("Example")
        length = input.int(14, "Length", minval = 1)
        plot(ta.sma(close, length))
    """

    code = "PB5008"
    calls = ("input.int", "input")

    def finish(self, context: RuleContext) -> Findings:
        """Report each input once, at its first use as a length without a condition that tests it."""
        doubtful = {call for name in self.calls for call in context.calls(name) if _allows_zero(context, call)}
        found: list[Diagnostic] = []
        for call, given, name in _lengths(context) if doubtful else ():
            made = bare(context.value_node(given))
            if made in doubtful and not _is_asked_for(context, call, given):
                doubtful.discard(made)
                found.append(context.report(self.code, given, within=call, name=context.shown(given), function=name))
        return found


def _lengths(context: RuleContext) -> list[tuple[nodes.Call, nodes.Node, str]]:
    """The arguments for lengths that are not literals, each with its call and the function's name."""
    found: list[tuple[nodes.Call, nodes.Node, str]] = []
    for function, calls in context.builtin_calls.items():
        if not _may_have_length(function):
            continue
        for call in calls:
            arguments = context.given(call)
            if not _LENGTHS.isdisjoint(arguments):
                for name, given in arguments.items():
                    if name in _LENGTHS and type(given) is not nodes.Literal:
                        found.append((call, given, function))
    return found


_LENGTHS = frozenset(("length", "fastlen", "slowlen", "siglen", "diLength", "adxSmoothing", "atrPeriod"))


def _allows_zero(context: RuleContext, made: nodes.Node) -> bool:
    """Whether an input can be set to a number below 1."""
    given = context.given(made)
    least = given.get("minval")
    if least is None:
        return "options" not in given
    known, value = context.value(least)
    return known and isinstance(value, (int, float)) and value < 1


def _is_asked_for(context: RuleContext, call: nodes.Node, given: nodes.Node) -> bool:
    symbol = context.symbol(bare(given))
    return symbol is not None and any(
        context.symbol(part) is symbol for condition, _ in asked(context, call) for part in parts(context, condition)
    )


@cache
def _may_have_length(function: str) -> bool:
    """Whether a built-in function may have a length that must be 1 or more."""
    return function.startswith("ta.") and function not in _ANY_LENGTH


_ANY_LENGTH = reference.having("any_length")
